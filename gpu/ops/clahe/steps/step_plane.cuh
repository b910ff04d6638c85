// What the steps between report A's last version and the tuned one share: reciprocals of all that is divided by.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/reciprocal.cuh"
#include "gpu/ops/clahe/clahe_planes.cuh"

namespace tonescope::clahe {

/// Wide: uint32_t where it holds 255 times the sum of a pixel's weights, and half of that sum, with a bit to spare.
template <class Wide>
struct TileQuotients {
    Reciprocal<Wide> weights;       // 4 Tx Ty
    Reciprocal<Wide> pixels[2][2];  // of a tile: [last row][last column]

    /// In the table of the tile (blockIdx.x, blockIdx.y): what the inclusive sum `cdf` makes.
    __device__ uint8_t entry(uint32_t cdf) const {
        const Reciprocal<Wide>& by = pixels[blockIdx.y == gridDim.y - 1][blockIdx.x == gridDim.x - 1];
        return uint8_t(by.divide(255 * Wide(cdf) + by.divisor() / 2));
    }
};

/// Calls run(quotients).
template <class Run>
void with_quotients(const TilePlane& p, Run&& run) {
    const auto quotients = [&]<class Wide>(Wide) {
        const int last_width = p.width - (p.columns - 1) * p.tile_width;
        const int last_height = p.height - (p.rows - 1) * p.tile_height;
        const auto by = [](int width, int height) { return Reciprocal<Wide>(Wide(width) * Wide(height)); };
        return TileQuotients<Wide>{Reciprocal<Wide>(Wide(4 * p.tile_pixels())),
                                   {{by(p.tile_width, p.tile_height), by(last_width, p.tile_height)},
                                    {by(p.tile_width, last_height), by(last_width, last_height)}}};
    };
    if ((255 * 4 + 2) * p.tile_pixels() <= INT32_MAX) {
        run(quotients(uint32_t{}));
    } else {
        run(quotients(uint64_t{}));
    }
}

/// What a kernel of the later steps gets.
template <class Wide>
struct StepPlane : TilePlane {
    TileQuotients<Wide> by;
    Reciprocal<uint32_t> by_width2, by_height2;  // 2 T

    StepPlane(const TilePlane& plane, const TileQuotients<Wide>& quotients)
        : TilePlane(plane),
          by(quotients),
          by_width2(2 * uint32_t(plane.tile_width)),
          by_height2(2 * uint32_t(plane.tile_height)) {}
};

/// Four pixels of a row, from a word on. Behind the end of a row there are bytes without a meaning.
__device__ inline uint32_t load_four(const TilePlane& p, int y, int word) {
    return reinterpret_cast<const uint32_t*>(p.d_in + size_t(y) * p.in_pitch)[word];
}
/// Writes four pixels, those from x_begin to x_end - 1.
__device__ inline void store_four(const TilePlane& p, int y, int word, uint32_t four, int x_begin, int x_end) {
    uint8_t* const d_row = p.d_out + size_t(y) * p.out_pitch;
    if (4 * word >= x_begin && 4 * word + 4 <= x_end) {
        reinterpret_cast<uint32_t*>(d_row)[word] = four;
        return;
    }
    for (int k = 0; k < 4; ++k) {
        const int x = 4 * word + k;
        if (x >= x_begin && x < x_end) d_row[x] = uint8_t(four >> (8 * k));
    }
}

}  // namespace tonescope::clahe
