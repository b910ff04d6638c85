// Windows of any number of bins: a block moves one window along a row, down, and back along the next row, and counts
// the pixels that enter and leave it. Beside the counts it keeps what the limit leaves in every 256 bins, so that a
// pixel adds up no more than 256 counts and as many of these sums.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/runtime/scratch.h"
#include "gpu/ops/clahe/exact/window_planes.cuh"

namespace tonescope::clahe {

struct PixelMovesPolicy {
    static constexpr int kThreads = 128;
    static constexpr int kGroup_log2 = 8, kGroup = 1 << kGroup_log2, kGroups = 65536 / kGroup;  // bins with a sum
    static constexpr int kStrip_px = 256;      // pixels of a row between turns
    static constexpr int kBlocksInMemory = 4;  // of a multiprocessor, where counts stand in device memory
};

/// A window's counts, which threads of a block change at the same time. Additions and subtractions of different pixels
/// may come in any order: what is kept of a bin changes with each of them as the bin's count does.
template <bool kLeavesOut>
struct KeptWindow {
    uint32_t* counts;  // of bins, in shared or in device memory
    uint32_t* s_kept;  // of groups
    uint32_t clip;
    uint32_t no_bin;       // of pixels that are left out
    uint32_t* s_left_out;  // how many there are

    __device__ bool leaves_out(uint32_t bin) const { return kLeavesOut && bin == no_bin; }
    __device__ void enter(uint32_t bin) const {
        if (leaves_out(bin))
            atomicAdd(s_left_out, 1u);
        else if (atomicAdd(&counts[bin], 1u) < clip)
            atomicAdd(&s_kept[bin >> PixelMovesPolicy::kGroup_log2], 1u);
    }
    __device__ void leave(uint32_t bin) const {
        if (leaves_out(bin))
            atomicSub(s_left_out, 1u);
        else if (atomicSub(&counts[bin], 1u) <= clip)
            atomicSub(&s_kept[bin >> PixelMovesPolicy::kGroup_log2], 1u);
    }
    __device__ void replace(uint32_t leaving, uint32_t entering) const {
        if (leaving == entering) return;
        enter(entering);
        leave(leaving);
    }
    /// With the limit of a window in which other pixels count. All threads of the block call, between barriers.
    __device__ void change_clip(uint32_t new_clip, uint32_t bins) {
        if (new_clip == clip) return;
        clip = new_clip;
        for (uint32_t first = threadIdx.x / 32 * PixelMovesPolicy::kGroup; first < bins;
             first += PixelMovesPolicy::kThreads / 32 * PixelMovesPolicy::kGroup) {
            uint32_t kept = 0;
            for (uint32_t b = first + threadIdx.x % 32; b < min(first + PixelMovesPolicy::kGroup, bins); b += 32)
                kept += min(counts[b], clip);
            kept = warp_sum(kept);
            if (threadIdx.x % 32 == 0) s_kept[first >> PixelMovesPolicy::kGroup_log2] = kept;
        }
        __syncthreads();
    }
};

/// Block (strip, band of `band_rows`). d_counts: of each block, or null where its counts fit shared memory.
template <bool kLeavesOut>
__global__ void __launch_bounds__(PixelMovesPolicy::kThreads)
    clahe_pixel_moves_kernel(WindowPlane plane, int band_rows, uint32_t most_bins, uint32_t* d_counts) {
    using Policy = PixelMovesPolicy;
    constexpr int kThreads = Policy::kThreads, kWarps = kThreads / 32;
    extern __shared__ uint32_t s_counts[];
    __shared__ uint32_t s_kept[Policy::kGroups];
    __shared__ KeptCounts s_sums[kWarps];
    __shared__ uint32_t s_left_out;
    const int thread = int(threadIdx.x), x_begin = int(blockIdx.x) * Policy::kStrip_px;
    const int x_end = min(x_begin + Policy::kStrip_px, plane.width);
    const int y_begin = int(blockIdx.y) * band_rows, y_end = min(y_begin + band_rows, plane.rows);
    const int window_width = plane.window.tile_width, window_height = plane.window.tile_height;
    const WindowLevels levels = plane.levels();
    const size_t block = size_t(blockIdx.y) * gridDim.x + blockIdx.x;
    KeptWindow<kLeavesOut> window{d_counts != nullptr ? d_counts + block * most_bins : s_counts, s_kept, levels.clip,
                                  levels.no_bin, &s_left_out};
    if (thread == 0) s_left_out = 0;
    for (uint32_t bin = threadIdx.x; bin < levels.bins; bin += kThreads) window.counts[bin] = 0;
    block_clear(s_kept, Policy::kGroups);

    for (int j = 0; j < window_height; ++j)
        for (int k = thread; k < window_width; k += kThreads) window.enter(plane.bins_at(x_begin, y_begin + j)[k]);
    const uint32_t groups = (levels.bins + Policy::kGroup - 1) / Policy::kGroup;
    int x = x_begin;
    for (int y = y_begin; y < y_end; ++y) {
        if (y > y_begin) {
            const uint16_t *d_leaving = plane.bins_at(x, y - 1), *d_entering = plane.bins_at(x, y - 1 + window_height);
            for (int k = thread; k < window_width; k += kThreads) window.replace(d_leaving[k], d_entering[k]);
        }
        const bool forth = (y - y_begin) % 2 == 0;
        for (int step = 0; step < x_end - x_begin; ++step) {
            if (step > 0) {
                const uint16_t* d_edge = plane.bins_at(forth ? x : x - 1, y);
                for (int j = thread; j < window_height; j += kThreads) {
                    const uint16_t* d_row = d_edge + size_t(j) * size_t(plane.columns);
                    const uint32_t edge = d_row[0], other_edge = d_row[window_width];
                    window.replace(forth ? edge : other_edge, forth ? other_edge : edge);
                }
                x += forth ? 1 : -1;
            }
            __syncthreads();
            const uint32_t pixel_bin = plane.bin_of_pixel(x, y), bin = window.leaves_out(pixel_bin) ? 0 : pixel_bin;
            const uint32_t group = bin >> Policy::kGroup_log2;
            uint32_t counted = plane.pixels;
            if constexpr (kLeavesOut) {
                counted -= s_left_out;
                window.change_clip(plane.clip_of(levels, counted), levels.bins);
            }
            KeptCounts kept;
            for (uint32_t g = threadIdx.x; g < groups; g += kThreads) {
                kept.all += s_kept[g];
                if (g < group) kept.upto += s_kept[g];
            }
            for (uint32_t b = (group << Policy::kGroup_log2) + threadIdx.x; b <= bin; b += kThreads) {
                const uint32_t left = min(window.counts[b], window.clip);
                kept.upto += left;
                if (b == bin) kept.own = left;
            }
            kept = {warp_sum(kept.all), warp_sum(kept.upto), warp_sum(kept.own)};
            if (thread % 32 == 0) s_sums[thread / 32] = kept;
            __syncthreads();
            if (thread == 0) {
                for (int warp = 1; warp < kWarps; ++warp) {
                    kept.all += s_sums[warp].all;
                    kept.upto += s_sums[warp].upto;
                    kept.own += s_sums[warp].own;
                }
                plane.template store_entry<kLeavesOut>(levels, counted, kept, pixel_bin, x, y);
            }
        }
    }
}

inline void launch_pixel_moves(CudaJob& job, const WindowPlane& plane, int32_t most_bins) {
    using Policy = PixelMovesPolicy;
    const auto kernel =
        plane.left_out == kNothingLeftOut ? &clahe_pixel_moves_kernel<false> : &clahe_pixel_moves_kernel<true>;
    LaunchShape shape{.threads = Policy::kThreads, .shared_bytes = size_t(most_bins) * 4, .stream = job.stream};
    int resident = resident_blocks(job.device, shape, kernel);
    const bool in_memory = resident == 0;
    if (in_memory) {
        shape.shared_bytes = 0;
        resident = Policy::kBlocksInMemory;
    }
    const int strips = (plane.width + Policy::kStrip_px - 1) / Policy::kStrip_px;
    const int bands = std::clamp(resident * job.device.multiProcessorCount / strips, 1, std::min(plane.rows, 65535));
    const int band_rows = (plane.rows + bands - 1) / bands;
    shape.blocks = unsigned(strips);
    shape.blocks_down = unsigned((plane.rows + band_rows - 1) / band_rows);
    auto* const d_counts = in_memory
                               ? job.scratch.get<uint32_t>("clahe window counts",
                                                           size_t(shape.blocks) * shape.blocks_down * size_t(most_bins))
                               : nullptr;
    TONESCOPE_CUDA(queue_launch(shape, nullptr, 0, kernel, plane, band_rows, uint32_t(most_bins), d_counts));
}

}  // namespace tonescope::clahe
