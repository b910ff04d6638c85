// The blend with packed tables. Between the centers of four tiles all pixels blend the same four tables: such a
// rectangle is a segment, and blocks follow segments, so that a block packs its four tables into one in shared memory,
// a word for each value:
//
//     | bottom right | bottom left | top right | top left |     one look-up in place of four
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/ops/clahe/steps/step_plane.cuh"

namespace tonescope::clahe {

/// How blocks follow segments: their rows are cut into pieces where tiles are large.
struct SegmentGrid {
    static constexpr int kRows = 64;      // of a piece, about
    static constexpr int kThreads = 256;  // of a block at most
    int pieces, piece_rows;
    int lanes;  // threads along a row

    explicit SegmentGrid(const TilePlane& p) {
        pieces = std::max(p.tile_height / kRows, 1);
        piece_rows = (p.tile_height + pieces - 1) / pieces;
        lanes = 4;
        while (lanes < 32 && 4 * lanes < p.tile_width) lanes *= 2;
    }
    unsigned threads() const { return unsigned(std::clamp((lanes * piece_rows + 31) / 32 * 32, 64, kThreads)); }
    unsigned blocks_across(const TilePlane& p) const { return unsigned(p.columns + 1); }
    unsigned blocks_down(const TilePlane& p) const { return unsigned((p.rows + 1) * pieces); }
};

/// The first pixel behind the center of the tile before `segment`: where the segment begins.
__device__ inline int segment_begin(int segment, int tile_px) {
    return ((2 * segment - 1) * tile_px + 1) >> 1;
}

/// Block (segment across, piece) of SegmentGrid::threads().
template <class Wide>
__global__ void __launch_bounds__(SegmentGrid::kThreads)
    clahe_blend_packed_kernel(const __grid_constant__ StepPlane<Wide> p, const SegmentGrid grid) {
    __shared__ uint32_t s_four[256];
    const int segment_x = int(blockIdx.x), segment_y = int(blockIdx.y) / grid.pieces;
    const int x_begin = max(segment_begin(segment_x, p.tile_width), 0);
    const int x_end = min(segment_begin(segment_x + 1, p.tile_width), p.width);
    const int y_first = segment_begin(segment_y, p.tile_height) + int(blockIdx.y) % grid.pieces * grid.piece_rows;
    const int y_end = min(min(y_first + grid.piece_rows, segment_begin(segment_y + 1, p.tile_height)), p.height);
    const int lane = int(threadIdx.x) % grid.lanes, rows = int(blockDim.x) / grid.lanes;

    const size_t row_bytes = size_t(p.columns) * 256;
    const uint8_t* const d_upper = p.d_tables + size_t(max(segment_y - 1, 0)) * row_bytes;
    const uint8_t* const d_lower = p.d_tables + size_t(min(segment_y, p.rows - 1)) * row_bytes;
    const uint32_t first = uint32_t(max(segment_x - 1, 0)) * 256,
                   second = uint32_t(min(segment_x, p.columns - 1)) * 256;
    for (uint32_t v = threadIdx.x; v < 256; v += blockDim.x)
        s_four[v] = d_upper[first + v] | d_upper[second + v] << 8 | d_lower[first + v] << 16 |
                    uint32_t(d_lower[second + v]) << 24;
    __syncthreads();

    const uint32_t width2 = p.by_width2.divisor(), height2 = p.by_height2.divisor();
    for (int y = max(y_first, 0) + int(threadIdx.x) / grid.lanes; y < y_end; y += rows) {
        const uint32_t lower = uint32_t(2 * y + p.tile_height) - uint32_t(segment_y) * height2, upper = height2 - lower;
        for (int word = x_begin / 4 + lane; 4 * word < x_end; word += grid.lanes) {
            const uint32_t four = load_four(p, y, word);
            uint32_t right = uint32_t(8 * word + p.tile_width) - uint32_t(segment_x) * width2, result = 0;
#pragma unroll
            for (int k = 0; k < 4; ++k, right += 2) {
                const uint32_t entries = s_four[four >> (8 * k) & 255], left = width2 - right;
                const uint32_t top = (entries & 255) * left + (entries >> 8 & 255) * right;
                const uint32_t bottom = (entries >> 16 & 255) * left + (entries >> 24) * right;
                const Wide sum = Wide(top) * upper + Wide(bottom) * lower;
                result |= uint32_t(p.by.weights.divide(sum + p.by.weights.divisor() / 2) & 255) << (8 * k);
            }
            store_four(p, y, word, result, x_begin, x_end);
        }
    }
}

inline void blend_packed(const TilePlane& p) {
    with_quotients(p, [&]<class Wide>(const TileQuotients<Wide>& by) {
        const SegmentGrid grid(p);
        const dim3 blocks(grid.blocks_across(p), grid.blocks_down(p));
        clahe_blend_packed_kernel<Wide><<<blocks, grid.threads(), 0, p.stream>>>(StepPlane<Wide>(p, by), grid);
        TONESCOPE_LAUNCHED("clahe_blend_packed_kernel");
    });
}

}  // namespace tonescope::clahe
