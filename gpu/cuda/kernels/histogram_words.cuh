// The histogram lab's words: 10-bit luma, 0 to 1023.
#pragma once

#include <cstdint>

namespace tonescope {

__device__ inline uint32_t histogram_word(uint8_t gray) {
    return 4u * gray;
}
__device__ inline uint32_t histogram_word(uchar4 pixel) {
    return (77u * pixel.x + 150u * pixel.y + 29u * pixel.z) >> 6;
}

}  // namespace tonescope
