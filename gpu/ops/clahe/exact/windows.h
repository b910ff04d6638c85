// CLAHE with `tables` = `exact` for live use: each pixel is mapped by the table of the window around it.
#pragma once

#include <stop_token>
#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"

namespace tonescope::clahe {

/// The whole run, and what it does.
void run_exact(const CpuJob& job);
Work exact_work(const WorkCase& c);
/// Whether preview_exact() takes about as long as other previews.
bool can_preview_exact(const PreviewJob& job);
/// Every `step`-th pixel, with windows over every `step`-th pixel of the image: exact with a step of 1, 8 bits and all
/// values.
void preview_exact(const PreviewJob& job);

}  // namespace tonescope::clahe
