// Windows of up to 256 bins. A warp maps 32 pixels of a row and has, in shared memory, the histogram of the first one's
// window and 32 steps: by how much each bin changes from a pixel's window to the next one's. The lanes hold eight bins
// each of the window that moves: a pixel costs them a load of their part of a step, additions of packed counts, minima
// with the limit, and one sum over the warp, whatever the window's sides. One row further down, a step changes by four
// pixels, and the first window by its width.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/ops/clahe/exact/window_planes.cuh"

namespace tonescope::clahe {

struct WindowStepsPolicy {
    static constexpr int kMostWarps = 16;  // of a block, which has a multiprocessor's shared memory
    static constexpr int kBatch = 8;       // steps that are loaded together
    static constexpr int kLeastRows = 8;   // of a band: its first windows are counted anew
};

/// A warp's shared memory. Bins stand in words of 32 bits, the lowest bin lowest, and are changed by additions to the
/// words: what is carried out of a bin comes back with the bin. Steps have 16 bits, and are zero in the middle of their
/// range; Count_, uint16_t or uint32_t, holds a window's pixels.
template <class Count_>
struct WindowStepsLayout {
    using Count = Count_;
    static constexpr bool kNarrow = sizeof(Count) == 2;
    static constexpr uint32_t kZero = 0x8000u, kZeros = kZero * 0x10001u;           // of one step and of two
    static constexpr int kStepWords = 4, kCountWords = 8 * int(sizeof(Count)) / 4;  // of a lane
    static constexpr int kStride = 32 * kStepWords + 4;     // words: lanes that change the same bin spread out
    static constexpr int kFirst = 32 * kStride;             // the first pixel's window
    static constexpr int kOwn = kFirst + 32 * kCountWords;  // of each pixel, kept of the eight bins around its own
    static constexpr int kSums = kOwn + 32 * kCountWords;   // of each pixel
    static constexpr int kWords = kSums + (kNarrow ? 32 : 64);
};

/// Adds to a bin among packed ones.
template <class Counter>
__device__ inline void add_to_bin(uint32_t* s_words, uint32_t bin, int value) {
    constexpr uint32_t kPerWord = 4 / sizeof(Counter);
    atomicAdd(&s_words[bin / kPerWord], uint32_t(value) << (bin % kPerWord * (8 * sizeof(Counter)) % 32));
}
/// Returns by how much the count of all bins changes: not at all, unless pixels are left out.
template <class Counter, bool kLeavesOut>
__device__ inline uint32_t replace_in_bins(uint32_t* s_words, uint32_t no_bin, uint32_t leaving, uint32_t entering,
                                           int value = 1) {
    if (leaving == entering) return 0;
    const bool enters = !kLeavesOut || entering != no_bin, leaves = !kLeavesOut || leaving != no_bin;
    if (enters) add_to_bin<Counter>(s_words, entering, value);
    if (leaves) add_to_bin<Counter>(s_words, leaving, -value);
    return uint32_t(value * (int(enters) - int(leaves)));
}

/// Consecutive words, of which a lane takes kWords, 4 or 8.
template <int kWords>
struct LaneWords {
    uint32_t words[kWords];

    __device__ static LaneWords load(const uint32_t* s_words, unsigned lane) {
        LaneWords read;
#pragma unroll
        for (int w = 0; w < kWords; w += 4) {
            const uint4 four = reinterpret_cast<const uint4*>(s_words)[lane * (kWords / 4) + w / 4];
            read.words[w] = four.x;
            read.words[w + 1] = four.y;
            read.words[w + 2] = four.z;
            read.words[w + 3] = four.w;
        }
        return read;
    }
    __device__ void store(uint32_t* s_words, unsigned lane) const {
#pragma unroll
        for (int w = 0; w < kWords; w += 4)
            reinterpret_cast<uint4*>(s_words)[lane * (kWords / 4) + w / 4] =
                make_uint4(words[w], words[w + 1], words[w + 2], words[w + 3]);
    }
};

/// A lane's bins of a window.
template <class Layout>
struct LaneWindow : LaneWords<Layout::kCountWords> {
    using LaneWords<Layout::kCountWords>::words;
    using Step = LaneWords<Layout::kStepWords>;

    __device__ void move(const Step& step) {
#pragma unroll
        for (int w = 0; w < Layout::kStepWords; ++w) {
            const uint32_t word = step.words[w];
            if constexpr (Layout::kNarrow) {
                words[w] += word - Layout::kZeros;
            } else {
                words[2 * w] += (word & 0xffff) - Layout::kZero;
                words[2 * w + 1] += (word >> 16) - Layout::kZero;
            }
        }
    }
    /// What the limit leaves of each bin.
    __device__ LaneWindow kept(uint32_t clip) const {
        LaneWindow left;
#pragma unroll
        for (int w = 0; w < Layout::kCountWords; ++w)
            left.words[w] = Layout::kNarrow ? __vminu2(words[w], clip) : min(words[w], clip);
        return left;
    }
    __device__ uint32_t sum() const {
        uint32_t all = 0;
#pragma unroll
        for (int w = 0; w < Layout::kCountWords; ++w) all += words[w];
        return Layout::kNarrow ? (all & 0xffff) + (all >> 16) : all;
    }
};

/// Maps 32 pixels of row y from s_warp's window and steps on. Each lane has the bin of its pixel, with kLeavesOut also
/// its window's limit, and gets what is kept around that.
template <class Layout, bool kLeavesOut>
__device__ KeptCounts count_kept(uint32_t* s_warp, uint32_t bin, uint32_t clip) {
    using Window = LaneWindow<Layout>;
    constexpr int kBatch = WindowStepsPolicy::kBatch;
    const unsigned lane = threadIdx.x % 32;
    Window window{Window::load(s_warp + Layout::kFirst, lane)};
    const uint32_t own_lane = bin / 8, own_limit = Layout::kNarrow ? clip * 0x10001u : clip;
    uint32_t* const s_sums = s_warp + Layout::kSums;
#pragma unroll
    for (int first = 0; first < 32; first += kBatch) {
        typename Window::Step steps[kBatch];
#pragma unroll
        for (int i = 0; i < kBatch; ++i) steps[i] = Window::Step::load(s_warp + (first + i) * Layout::kStride, lane);
#pragma unroll
        for (int i = 0; i < kBatch; ++i) {
            const int pixel = first + i;
            const uint32_t owner = __shfl_sync(kFullWarp, own_lane, pixel);
            const Window kept = window.kept(kLeavesOut ? __shfl_sync(kFullWarp, own_limit, pixel) : own_limit);
            const uint32_t sum = kept.sum();
            uint32_t all, before = 0;
            if constexpr (Layout::kNarrow) {  // both in one word
                all = warp_sum(lane < owner ? sum * 0x10001u : sum);
            } else {
                all = warp_sum(sum);
                before = warp_sum(lane < owner ? sum : 0);
            }
            if (lane == owner) {
                kept.store(s_warp + Layout::kOwn + pixel * Layout::kCountWords, 0);
                s_sums[pixel] = all;
                if constexpr (!Layout::kNarrow) s_sums[32 + pixel] = before;
            }
            window.move(steps[i]);
        }
    }
    __syncwarp();
    KeptCounts kept;
    kept.all = Layout::kNarrow ? s_sums[lane] & 0xffff : s_sums[lane];
    kept.upto = Layout::kNarrow ? s_sums[lane] >> 16 : s_sums[32 + lane];
    const auto* s_own = reinterpret_cast<const typename Layout::Count*>(s_warp + Layout::kOwn) + 8 * lane;
#pragma unroll
    for (uint32_t b = 0; b < 8; ++b) kept.upto += b <= bin % 8 ? s_own[b] : 0;
    kept.own = s_own[bin % 8];
    return kept;
}

/// Block (strip of 32 pixels a warp, band of `band_rows`).
template <class Layout, bool kLeavesOut>
__global__ void __launch_bounds__(32 * WindowStepsPolicy::kMostWarps)
    clahe_window_steps_kernel(WindowPlane plane, int band_rows) {
    using Count = typename Layout::Count;
    using Window = LaneWindow<Layout>;
    extern __shared__ __align__(16) uint32_t s_warps[];
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32), warps = int(blockDim.x / 32);
    uint32_t* const s_warp = s_warps + warp * Layout::kWords;
    uint32_t* const s_step = s_warp + lane * Layout::kStride;
    const int block_x = int(blockIdx.x) * int(blockDim.x), warp_x = block_x + 32 * warp, x = warp_x + lane;
    const int y_begin = int(blockIdx.y) * band_rows, y_end = min(y_begin + band_rows, plane.rows);
    const int window_width = plane.window.tile_width, window_height = plane.window.tile_height;
    const int last_column = plane.columns - 1;  // lanes beyond the image count what stands there
    const int left = min(x, last_column), right = min(x + window_width, last_column);
    const WindowLevels levels = plane.levels();
    const uint32_t no_bin = levels.no_bin;

    for (int i = lane; i < Layout::kFirst; i += 32) s_warp[i] = Layout::kZeros;
    for (int i = lane; i < 32 * Layout::kCountWords; i += 32) s_warp[Layout::kFirst + i] = 0;
    __syncthreads();
    uint32_t step_counted = 0;  // by how much a step changes how many pixels count
#pragma unroll 4
    for (int j = 0; j < window_height; ++j) {
        const uint16_t* d_row = plane.bins_at(0, y_begin + j);
        step_counted += replace_in_bins<uint16_t, kLeavesOut>(s_step, no_bin, d_row[left], d_row[right]);
    }
    // All warps count the first one's window; the others' follow by the steps of those before them.
    for (int j = warp; j < window_height; j += warps) {
        const uint16_t* d_row = plane.bins_at(0, y_begin + j);
        for (int k = lane; k < window_width; k += 32) {
            const uint32_t bin = d_row[min(block_x + k, last_column)];
            if (!kLeavesOut || bin != no_bin) add_to_bin<Count>(s_warps + Layout::kFirst, bin, 1);
        }
    }
    __syncwarp();
    if (warp + 1 < warps) {
        Window moved{};
#pragma unroll 4
        for (int i = 0; i < 32; ++i) moved.move(Window::Step::load(s_warp + i * Layout::kStride, lane));
        moved.store(s_warp + Layout::kWords + Layout::kFirst, lane);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 32 * Layout::kCountWords; i += blockDim.x) {
        uint32_t* s_word = s_warps + Layout::kFirst + i;
        for (int w = 1; w < warps; ++w, s_word += Layout::kWords) s_word[Layout::kWords] += s_word[0];
    }
    __syncthreads();
    uint32_t first_counted = kLeavesOut ? warp_sum(Window{Window::load(s_warp + Layout::kFirst, lane)}.sum()) : 0;

    for (int y = y_begin; y < y_end; ++y) {
        const uint32_t bin = plane.bin_of_pixel(min(x, plane.width - 1), y);
        if (y > y_begin) {
            const uint16_t *d_leaving = plane.bins_at(0, y - 1), *d_entering = plane.bins_at(0, y - 1 + window_height);
            step_counted += replace_in_bins<uint16_t, kLeavesOut>(s_step, no_bin, d_leaving[right], d_entering[right]);
            step_counted +=
                replace_in_bins<uint16_t, kLeavesOut>(s_step, no_bin, d_leaving[left], d_entering[left], -1);
            uint32_t more = 0;
#pragma unroll 4
            for (int first = 0; first < window_width; first += 32) {  // all lanes go round as often
                const int column = min(warp_x + first + lane, last_column);
                const bool counts = first + lane < window_width;
                const uint32_t leaving = counts ? d_leaving[column] : 0, entering = counts ? d_entering[column] : 0;
                more += replace_in_bins<Count, kLeavesOut>(s_warp + Layout::kFirst, no_bin, leaving, entering);
            }
            if constexpr (kLeavesOut) first_counted += warp_sum(more);
            __syncwarp();
        }
        uint32_t counted = plane.pixels, clip = levels.clip;
        if constexpr (kLeavesOut) {
            counted = first_counted + warp_inclusive_scan(step_counted) - step_counted;
            clip = plane.clip_of(levels, counted);
        }
        const KeptCounts kept = count_kept<Layout, kLeavesOut>(s_warp, kLeavesOut && bin == no_bin ? 0 : bin, clip);
        if (x < plane.width) plane.template store_entry<kLeavesOut>(levels, counted, kept, bin, x, y);
        __syncwarp();
    }
}

template <class Layout, bool kLeavesOut>
void launch_window_steps(const CudaJob& job, const WindowPlane& plane) {
    using Policy = WindowStepsPolicy;
    constexpr size_t kWarp_bytes = Layout::kWords * sizeof(uint32_t);
    const size_t block_bytes = job.device.sharedMemPerBlockOptin;
    const int most_warps = std::clamp(int(block_bytes / kWarp_bytes), 1, Policy::kMostWarps);
    const int warps = std::min(most_warps, (plane.width + 31) / 32), strip_px = 32 * warps;
    const auto kernel = &clahe_window_steps_kernel<Layout, kLeavesOut>;
    LaunchShape shape{.threads = unsigned(strip_px), .shared_bytes = size_t(warps) * kWarp_bytes, .stream = job.stream};
    const int resident = resident_blocks(job.device, shape, kernel) * job.device.multiProcessorCount;
    const int strips = (plane.width + strip_px - 1) / strip_px;
    const int least_rows = std::max(Policy::kLeastRows, plane.window.tile_height / 32);
    const int bands = std::clamp(resident / strips, 1, (plane.rows + least_rows - 1) / least_rows);
    const int band_rows = (plane.rows + bands - 1) / bands;
    shape.blocks = unsigned(strips);
    shape.blocks_down = unsigned((plane.rows + band_rows - 1) / band_rows);
    TONESCOPE_CUDA(queue_launch(shape, nullptr, 0, kernel, plane, band_rows));
}

/// Returns false where bins are more than 256, or windows so high that steps would not hold their rows.
inline bool launch_window_steps(const CudaJob& job, const WindowPlane& plane, int32_t most_bins) {
    if (most_bins > 256 || plane.window.tile_height > INT16_MAX) return false;
    const auto launch = [&]<class Layout>(Layout) {
        plane.left_out == kNothingLeftOut ? launch_window_steps<Layout, false>(job, plane)
                                          : launch_window_steps<Layout, true>(job, plane);
    };
    plane.pixels <= UINT16_MAX ? launch(WindowStepsLayout<uint16_t>()) : launch(WindowStepsLayout<uint32_t>());
    return true;
}

}  // namespace tonescope::clahe
