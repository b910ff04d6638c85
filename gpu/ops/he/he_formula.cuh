// The value that equalization gives, on the host and on the device.
#pragma once

#include <cstdint>

#include "gpu/core/luma.h"

namespace tonescope::he {

/// `cdf`: pixels of `value` or less; `first_count`: of the lowest value that occurs; `pixels`: of the image. With
/// d = pixels - first_count: floor((510 (cdf - first_count) + d) / (2 d)), in 64 bits since 510 * pixels passes 2^32.
TONESCOPE_HOST_DEVICE inline uint8_t equalized(uint32_t cdf, uint32_t first_count, uint32_t pixels, int value) {
    const uint64_t rest = pixels - first_count;
    if (rest == 0) return uint8_t(value);  // an image of one value stays as it is
    if (cdf == 0) return 0;                // below every pixel
    return uint8_t((510 * uint64_t(cdf - first_count) + rest) / (2 * rest));
}

}  // namespace tonescope::he
