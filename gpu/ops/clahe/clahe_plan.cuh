// What is the same in the whole image, worked out once on the host, so that kernels need no division.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/reciprocal.cuh"
#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {

/// One axis of the grid of tiles; [1] is the last tile, which the image may cut off.
struct TileAxis {
    int side_px;         // of the image
    int tile_px, tiles;  // tiles: along this axis
    int length_px[2];    // what a tile covers
    Reciprocal<uint32_t> by_length[2];
    Reciprocal<uint32_t> by_period;  // of mirroring
    Reciprocal<uint32_t> by_double;  // 2 * tile_px

    TileAxis(int side, int padded_side, int tile, int count)
        : side_px(side),
          tile_px(tile),
          tiles(count),
          length_px{tile, padded_side - (count - 1) * tile},
          by_length{Reciprocal<uint32_t>(uint32_t(length_px[0])), Reciprocal<uint32_t>(uint32_t(length_px[1]))},
          by_period(uint32_t(std::max(2 * side - 2, 1))),
          by_double(2 * uint32_t(tile)) {}

    /// mirror_index: what repeats after a period is the image forwards, then backwards.
    __device__ int mirrored(uint32_t position) const {
        const int r = int(by_period.remainder(position, by_period.divide(position)));
        return min(r, 2 * side_px - 2 - r);
    }
    __device__ Between between(int position) const {
        const uint32_t shifted = uint32_t(2 * position + tile_px);
        const uint32_t second = by_double.divide(shifted);
        return {max(int(second) - 1, 0), min(int(second), tiles - 1), by_double.remainder(shifted, second)};
    }
};

/// For the tables' kernel.
struct TablePlan {
    TileAxis x, y;
    Reciprocal<uint64_t> by_pixels[2][2];  // 2 A of a tile, [last row][last column]
    uint32_t clip, spread;                 // no clipping: a limit above every count
    size_t tables_per_plane;
};

inline TablePlan table_plan(const Geometry& g, int width, int height) {
    const TileAxis x(width, g.padded_width, g.tile_width, g.columns);
    const TileAxis y(height, g.padded_height, g.tile_height, g.rows);
    const auto by_pixels = [&](int row, int column) {
        return Reciprocal<uint64_t>(2 * uint64_t(x.length_px[column]) * uint64_t(y.length_px[row]));
    };
    return {.x = x,
            .y = y,
            .by_pixels = {{by_pixels(0, 0), by_pixels(0, 1)}, {by_pixels(1, 0), by_pixels(1, 1)}},
            .clip = g.clips ? uint32_t(g.clip) : UINT32_MAX,
            .spread = g.spreads,
            .tables_per_plane = size_t(g.columns) * size_t(g.rows)};
}

}  // namespace tonescope::clahe
