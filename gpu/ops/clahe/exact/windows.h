// CLAHE with `tables` = `exact`: each pixel is mapped by the table of the window around it.
#pragma once

#include <stop_token>
#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"

namespace tonescope::clahe {

/// The whole run on the CPU, and what it does.
void run_exact(const CpuJob& job);
Work exact_work(const WorkCase& c);
/// On a GPU, where windows move by the pixels that enter and leave them, or, with up to 256 bins, by whole histograms.
/// Not in builds without CUDA.
void run_exact_by_pixels(CudaJob& job);
void run_exact_by_steps(CudaJob& job);
/// What they do. `pixel`: of the stage "windows", for a pixel of a plane, beyond the bytes of bins and entries.
Work exact_cuda_work(const WorkCase& c, const Amounts& pixel);
/// Whether preview_exact() takes about as long as other previews.
bool can_preview_exact(const PreviewJob& job);
/// Every `step`-th pixel, with windows over every `step`-th pixel of the image: exact with a step of 1, 8 bits and all
/// values.
void preview_exact(const PreviewJob& job);

}  // namespace tonescope::clahe
