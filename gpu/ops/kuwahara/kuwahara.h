// The Kuwahara filter's parameters, and what the operator offers beside its variants.
#pragma once

#include <cstdint>

#include "gpu/core/registry.h"

namespace tonescope::kuwahara {

struct Params {
    int32_t radius;  // w, pixels: a quadrant has (w + 1) x (w + 1) of them
};

/// The filter at a cost that does not depend on the radius (1 to 64): for the multi-threaded variant and the preview.
/// `output` has the sides and format of `input` and may not overlap it. Its contents are undefined once `stop` is set.
/// `progress` may be null. Each thread takes about 24 + 8 (radius + 1) bytes of memory a column; throws std::bad_alloc
/// where that is not to be had.
void filter(const ImageView& input, int radius, const MutableImageView& output, int threads,
            const std::stop_token& stop, RunProgress* progress = nullptr);

void preview(const PreviewJob& job);

}  // namespace tonescope::kuwahara
