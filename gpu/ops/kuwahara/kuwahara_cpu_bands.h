// The Kuwahara filter at a cost that does not depend on the radius. Used by the multi-threaded variant and the preview.
#pragma once

#include <stop_token>

#include "gpu/core/image.h"
#include "gpu/core/run_progress.h"

namespace tonescope {

/// Filters with the given radius (1 to 64). `output` has the sides and format of `input` and may not overlap it.
/// Garbage once `stop` is set. `progress` may be null. Throws std::bad_alloc when memory is short: about 24 bytes a
/// column, and 8 (radius + 1), a thread.
void filter_kuwahara(const ImageView& input, int radius, const MutableImageView& output, int threads,
                     const std::stop_token& stop, RunProgress* progress = nullptr);

}  // namespace tonescope
