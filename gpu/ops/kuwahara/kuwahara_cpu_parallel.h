// The Kuwahara filter at a cost that does not depend on the radius. The multi-threaded variant and the preview use it.
#pragma once

#include <stop_token>

#include "gpu/core/image.h"
#include "gpu/core/run_progress.h"

namespace tonescope::kuwahara {

/// Filters with the given radius (1 to 64). `output` has the sides and format of `input` and may not overlap it. Its
/// contents are undefined once `stop` is set. `progress` may be null. Each thread takes about 24 + 8 (radius + 1) bytes
/// of memory a column; throws std::bad_alloc where that is not to be had.
void filter(const ImageView& input, int radius, const MutableImageView& output, int threads,
            const std::stop_token& stop, RunProgress* progress = nullptr);

}  // namespace tonescope::kuwahara
