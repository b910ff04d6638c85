// Histograms of images of any depth, tile by tile, with up to 65,536 bins.
//
// A block counts a part of a tile in shared memory: in words of 32 bits, with copies of each where there are few bins,
// or in halves of 16 bits where there are more than 32,768. It then writes its counts to device memory as they are; the
// kernel behind it adds up a tile's parts (SlicedBins). Atomic additions to device memory would take several times as
// long, since nearly all of 65,536 counters differ from zero.
//
// A half must not overflow. After every kPixelsBetween pixels the block looks for halves of kFull and more: they become
// zero, and go to a list beside the counts (spills).
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/kernels/reciprocal.cuh"
#include "gpu/cuda/kernels/shared_memory.cuh"
#include "gpu/cuda/kernels/value_range.cuh"
#include "gpu/cuda/runtime/scratch.h"

namespace tonescope {

/// Which bin a value falls into (bin_of), as the upper half of one product. With n = value - lo + 1, from 1 to R, and
/// f = floor((2^32 B - 1) / R), which is less than 2^32 B / R by at most 1, n f / 2^32 is less than n B / R by at most
/// n / 2^32 <= 1 / R. Since n B / R is a multiple of 1 / R, the floor is ceil(n B / R) - 1 = floor((n B - 1) / R).
class Binning {
  public:
    Binning() = default;
    __device__ Binning(ValueRange range, int wanted) : size_(range.size()), bins_(min(wanted, size_)) {
        // Rounded, the quotient stays below the next integer, which is at least 1 / R above it.
        factor_ = uint32_t(double((uint64_t(uint32_t(bins_)) << 32) - 1) / double(size_));
        to_nth_ = 1 - range.lo;
    }
    __device__ int bins() const { return bins_; }
    __device__ bool is_one_to_one() const { return bins_ == size_; }
    __device__ uint32_t scaled(int value) const { return __umulhi(uint32_t(value + to_nth_), factor_); }

  private:
    int size_, bins_, to_nth_;
    uint32_t factor_;
};

/// The tiles that are counted: those of a grid, from a row of tiles on. What lies beyond the image's right and bottom
/// border is the image mirrored.
struct CountedTiles {
    int width, height;                // of the image
    int padded_width, padded_height;  // where tiles end
    int tile_width, tile_height;
    int columns, first_row, rows;  // of tiles

    __host__ __device__ int count() const { return columns * rows; }
};

struct BinCountPolicy {
    static constexpr int kThreads = 1024, kFewThreads = 256;  // of a block; few where a part has few pixels
    static constexpr int kFewPixels = 16 * 1024;
    static constexpr int kAhead = 2;                                       // vectors of a thread that are on their way
    static constexpr int kCopyWords = 4 * 1024, kFewCopyWords = 2 * 1024;  // that copies of counters may take
    static constexpr int kMostWords = 32 * 1024;
    static constexpr uint32_t kFull = 8192, kPixelsBetween = 65535 - kFull;
};

/// A count that left its half: bin and count.
using Spill = uint2;

struct CountPlan {
    const uint8_t* d_input;
    size_t pitch_bytes;
    CountedTiles tiles;
    int parts;  // of a tile
    Reciprocal<uint32_t> by_parts, by_columns;
    RangeSource range;
    int wanted_bins;            // B is this or R, whichever is less
    int windows;                // in which the bins are counted, each by blocks of its own
    uint32_t window_bins;       // a multiple of 8
    uint32_t shared_words;      // that are cleared
    uint32_t copy_words;        // that copies of counters may take
    uint32_t part_words;        // of a part in d_counts
    uint32_t* d_counts;         // plane by plane, tile by tile, part by part
    uint32_t* d_spill_numbers;  // of each part and window
    Spill* d_spills;            // spill_room of each part and window
    uint32_t spill_room;
    FoundRange found = {};  // left by the blocks, where it is looked for

    __device__ size_t part_index(int plane, int tile, int part) const {
        return (size_t(plane) * size_t(tiles.count()) + size_t(tile)) * size_t(parts) + size_t(part);
    }
};

/// Pixel `index` of a vector.
template <class Pixel>
__device__ __forceinline__ Pixel pixel_of(const uint32_t (&words)[4], int index) {
    if constexpr (sizeof(Pixel) == 1) {
        return Pixel(words[index / 4] >> (index % 4 * 8));
    } else if constexpr (sizeof(Pixel) == 2) {
        return Pixel(words[index / 2] >> (index % 2 * 16));
    } else if constexpr (sizeof(Pixel) == 4) {
        const uint32_t word = words[index];
        return {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
    } else {
        const uint32_t low = words[2 * index], high = words[2 * index + 1];
        return {uint16_t(low), uint16_t(low >> 16), uint16_t(high), uint16_t(high >> 16)};
    }
}

/// The counters of a block in shared memory, by their 32-bit addresses.
template <bool kPacked>
class BlockCounters {
  public:
    __device__ BlockCounters(const uint32_t* s_words, uint32_t bins, uint32_t copy_words)
        : s_words_(s_words), address_(shared_address(s_words)) {
        while (!kPacked && copies_log2_ < 5 && (bins << (copies_log2_ + 1)) <= copy_words) ++copies_log2_;
        address_ += (threadIdx.x & ((1u << copies_log2_) - 1)) * 4;
        bin_bytes_ = 4u << copies_log2_;
    }
    __device__ __forceinline__ void count(uint32_t bin) const {
        if constexpr (kPacked)
            add(bin, 1);
        else
            count_shared(address_ + bin * bin_bytes_);
    }
    __device__ __forceinline__ void add(uint32_t bin, uint32_t count) const {
        const uint32_t at = kPacked ? address_ + (bin * 2 & ~3u) : address_ + bin * bin_bytes_;
        if (kPacked) count <<= bin * 16 & 16;
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(count) : "memory");
    }
    __device__ uint32_t copies() const { return 1u << copies_log2_; }
    /// Sums of a bin's copies.
    __device__ uint32_t sum(uint32_t bin) const {
        uint32_t sum = 0;
        const uint32_t copies = 1u << copies_log2_;
        for (uint32_t i = 0; i < copies; ++i)
            sum += s_words_[(bin << copies_log2_) | ((i + threadIdx.x) & (copies - 1))];
        return sum;
    }

  private:
    const uint32_t* s_words_;
    uint32_t address_, copies_log2_ = 0, bin_bytes_;
};

/// Whether two of the first three pixels of 16 bits are alike.
__device__ inline bool has_pair(const uint32_t (&words)[4]) {
    const uint32_t with_next = words[0] ^ __byte_perm(words[0], words[1], 0x5432);
    return (with_next & 0xffffu) == 0 || with_next >> 16 == 0 || ((words[0] ^ words[1]) & 0xffffu) == 0;
}

/// Where the pixels of a whole warp have at most two values, one lane counts them: count(value, times). Else false.
template <class Count>
__device__ bool count_two_values(const uint32_t (&words)[4], Count&& count) {
    constexpr uint32_t kOnes = 0x10001u;
    uint32_t least = __vminu2(__vminu2(words[0], words[1]), __vminu2(words[2], words[3]));
    uint32_t greatest = __vmaxu2(__vmaxu2(words[0], words[1]), __vmaxu2(words[2], words[3]));
    least = min(least & 0xffffu, least >> 16);
    greatest = max(greatest & 0xffffu, greatest >> 16);
    for (int lane = 16; lane > 0; lane /= 2) {
        least = min(least, __shfl_xor_sync(kFullWarp, least, lane));
        greatest = max(greatest, __shfl_xor_sync(kFullWarp, greatest, lane));
    }
    uint32_t others = 0, high = 0;  // in halves: not zero where a pixel is neither; pixels that are not the least
#pragma unroll
    for (const uint32_t word : words) {
        const uint32_t from_least = word ^ least * kOnes;
        others |= __vminu2(from_least, word ^ greatest * kOnes);
        high += __vminu2(from_least, kOnes);
    }
    if (!__all_sync(kFullWarp, others == 0)) return false;
    high = (high & 0xffffu) + (high >> 16);
    for (int lane = 16; lane > 0; lane /= 2) high += __shfl_xor_sync(kFullWarp, high, lane);
    if (threadIdx.x % 32 == 0) {
        constexpr uint32_t kAll = 32 * 8;
        if (high < kAll) count(uint16_t(least), kAll - high);
        if (high > 0) count(uint16_t(greatest), high);
    }
    return true;
}

/// Counts the pixels of a vector by count(pixel, times). All lanes of a warp call it; `valid`: whether the lane has
/// one.
template <class Pixel, bool kPacked, class Count>
__device__ __forceinline__ void count_vector(const uint32_t (&words)[4], bool valid, Count&& count) {
    if constexpr (kPacked && sizeof(Pixel) == 2) {  // lanes that add to one word take turns
        if (__all_sync(kFullWarp, valid && has_pair(words)) && count_two_values(words, count)) return;
    }
    if (!valid) return;
#pragma unroll
    for (int k = 0; k < int(sizeof(words) / sizeof(Pixel)); ++k) count(pixel_of<Pixel>(words, k), 1);
}

/// Which part of a tile a block counts: some of its rows. Vectors lie within them, as far as they lie within the image;
/// what is left at both ends of a row are its edges.
template <class Pixel>
struct CountedPart {
    static constexpr int kPixels = kVector_bytes / int(sizeof(Pixel));
    int x_begin, x_end, y, rows, inside_rows;  // rows: also those beyond the image
    int first_vector, vectors;                 // of a row
    int left, edges;                           // pixels of a row outside its vectors: at the left, and at both ends

    __device__ CountedPart(const CountPlan& plan, int tile, int part) {
        const CountedTiles& tiles = plan.tiles;
        const int tile_row = int(plan.by_columns.divide(uint32_t(tile)));
        x_begin = (tile - tile_row * tiles.columns) * tiles.tile_width;
        x_end = min(x_begin + tiles.tile_width, tiles.padded_width);
        const int y_begin = (tiles.first_row + tile_row) * tiles.tile_height;
        const int height = min(tiles.tile_height, tiles.padded_height - y_begin);
        const int of_part = int(plan.by_parts.divide(uint32_t(height)));
        const int longer = height - of_part * plan.parts;  // parts that have a row more
        y = y_begin + of_part * part + min(part, longer);
        rows = of_part + (part < longer ? 1 : 0);
        inside_rows = min(max(tiles.height - y, 0), rows);
        first_vector = (x_begin + kPixels - 1) / kPixels;
        vectors = max(min(x_end, tiles.width) / kPixels - first_vector, 0);
        left = vectors == 0 ? x_end - x_begin : first_vector * kPixels - x_begin;
        edges = x_end - x_begin - vectors * kPixels;
    }
    __device__ int edge_x(int edge) const { return x_begin + edge + (edge < left ? 0 : vectors * kPixels); }
};

/// How often a divisor from 1 to 2^20 goes into what is at most 1024. The quotient of floats is 1 / 2 of the divisor's
/// reciprocal away from integers, and too large or too small by 2^-11 of that at most.
__device__ inline uint32_t short_division(uint32_t n, uint32_t divisor) {
    return uint32_t(__fdividef(float(n) + 0.5F, float(divisor)));
}

/// p of a padded row or column of n pixels, as clahe::mirror_index says.
__device__ inline int mirrored_place(int p, int n) {
    if (p < n) return p;
    if (n == 1) return 0;
    const int r = int(int64_t{p} % (2 * int64_t{n} - 2));
    return r >= n ? 2 * n - 2 - r : r;
}

/// Block (tile and part, plane and window). Shared memory: plan.shared_words. Counters of halves leave room for one
/// block of a multiprocessor; others for as many as have all its threads, or for one beside the kernel that follows.
template <class Map, bool kPacked, int kThreads, bool kWindows>
__global__ void __launch_bounds__(kThreads, kPacked || kWindows ? 1 : 2048 / kThreads)
    count_bins_kernel(const CountPlan plan) {
    using Policy = BinCountPolicy;
    using Pixel = typename Map::In;
    using Part = CountedPart<Pixel>;
    constexpr int kPixels = Part::kPixels, kAhead = Policy::kAhead;
    extern __shared__ uint4 s_memory[];
    __shared__ uint32_t s_spills;
    auto* const s_words = reinterpret_cast<uint32_t*>(s_memory);
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < plan.shared_words / 4; i += kThreads) s_memory[i] = make_uint4(0, 0, 0, 0);
    if (threadIdx.x == 0) s_spills = 0;
    const int tile = int(plan.by_parts.divide(blockIdx.x)), part_of_tile = int(blockIdx.x) - tile * plan.parts;
    const int plane = kWindows ? int(blockIdx.y) / plan.windows : int(blockIdx.y);
    const uint32_t window = kWindows ? blockIdx.y - uint32_t(plane * plan.windows) : 0;
    const uint32_t first_bin = window * plan.window_bins;
    const Part part(plan, tile, part_of_tile);
    const size_t index = plan.part_index(plane, tile, part_of_tile);
    const size_t spill_index = index * uint32_t(plan.windows) + window;

    // A thread takes every kThreads-th vector of the part's, row by row.
    const uint32_t of_row = uint32_t(part.vectors), vectors = of_row * uint32_t(part.inside_rows);
    const uint32_t pitch = uint32_t(plan.pitch_bytes / kVector_bytes), divisor = max(of_row, 1u);
    const uint32_t step_rows = short_division(kThreads, divisor), step_columns = kThreads - step_rows * of_row;
    const uint32_t first_row = short_division(threadIdx.x, divisor);
    uint32_t column = threadIdx.x - first_row * divisor;
    uint32_t at = (uint32_t(part.y) + first_row) * pitch + uint32_t(part.first_vector) + column;
    uint4 next[kAhead] = {};
    const auto ask = [&](uint4& vector, uint32_t asked) {
        if (asked < vectors) vector = __ldg(reinterpret_cast<const uint4*>(plan.d_input) + at);
        column += step_columns;
        at += step_rows * pitch + step_columns;
        if (column >= of_row) {
            column -= of_row;
            at += pitch - of_row;
        }
    };
#pragma unroll
    for (int i = 0; i < kAhead; ++i) ask(next[i], threadIdx.x + uint32_t(i) * kThreads);
    // Where the range is known, a block counts while the kernel before still runs, and waits before it writes.
    if (plan.range.d_used != nullptr)
        pdl_wait();
    else
        pdl_trigger();
    const ValueRange range = plan.range.get();
    const auto all_bins = uint32_t(min(plan.wanted_bins, range.size()));
    const BlockCounters<kPacked> counters(s_words, all_bins, plan.copy_words);
    __syncthreads();

    uint32_t since = 0;  // pixels that the block has counted since halves were looked through
    const auto make_room = [&](uint32_t pixels) {
        if (!kPacked) return;
        since += pixels;
        if (since <= Policy::kPixelsBetween) return;
        since = pixels;
        pdl_wait();
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < plan.shared_words; i += kThreads) {
            uint32_t word = s_words[i];
            constexpr uint32_t kHighBits = (0x10000u - Policy::kFull) * 0x10001u;
            if ((word & kHighBits) == 0) continue;
            for (uint32_t half = 0; half < 2; ++half) {
                const uint32_t count = word >> (16 * half) & 0xffffu;
                if (count < Policy::kFull) continue;
                plan.d_spills[spill_index * plan.spill_room + atomicAdd(&s_spills, 1u)] = {first_bin + 2 * i + half,
                                                                                           count};
                word -= count << (16 * half);
            }
            s_words[i] = word;
        }
        __syncthreads();
    };
    const bool finds_range = plan.found.d_words != nullptr && blockIdx.y == 0;
    SampleExtremes<Pixel> extremes;
    const auto count_all = [&](auto bin_of_value) {
        const auto count = [&](Pixel pixel, uint32_t times) {
            uint32_t bin = bin_of_value(Map::value(pixel, plane));
            if constexpr (kWindows) {
                bin -= first_bin;
                if (bin >= plan.window_bins) return;
            }
            if (times == 1)
                counters.count(bin);
            else
                counters.add(bin, times);
        };
        for (uint32_t done = 0; done < vectors; done += kAhead * kThreads) {
#pragma unroll
            for (int i = 0; i < kAhead; ++i) {
                if (done + uint32_t(i) * kThreads >= vectors) break;
                make_room(kThreads * kPixels);
                const bool valid = done + uint32_t(i) * kThreads + threadIdx.x < vectors;
                const uint32_t words[4] = {next[i].x, next[i].y, next[i].z, next[i].w};
                ask(next[i], done + uint32_t(i + kAhead) * kThreads + threadIdx.x);
                if (finds_range && valid) {
#pragma unroll
                    for (int k = 0; k < 4; ++k) extremes.add(words[k], k);
                }
                count_vector<Pixel, kPacked>(words, valid, count);
            }
        }
        const auto count_others = [&](int first_row, int rows, int of_row, auto x_of) {
            const uint32_t pixels = uint32_t(of_row) * uint32_t(rows);
            for (uint32_t done = 0; done < pixels; done += kThreads) {
                make_room(kThreads);
                const uint32_t pixel = done + threadIdx.x;
                if (pixel >= pixels) continue;
                const uint32_t row = pixel / uint32_t(of_row);
                const int x = mirrored_place(x_of(int(pixel - row * uint32_t(of_row))), plan.tiles.width);
                const int y = mirrored_place(part.y + first_row + int(row), plan.tiles.height);
                const Pixel other = reinterpret_cast<const Pixel*>(plan.d_input + size_t(y) * plan.pitch_bytes)[x];
                if (finds_range) extremes.add(other);
                count(other, 1);
            }
        };
        count_others(0, part.inside_rows, part.edges, [&](int edge) { return part.edge_x(edge); });
        count_others(part.inside_rows, part.rows - part.inside_rows, part.x_end - part.x_begin,
                     [&](int column) { return part.x_begin + column; });
    };
    if (all_bins == uint32_t(range.size())) {
        count_all([&](int value) { return uint32_t(value - range.lo); });
    } else {
        const Binning binning(range, plan.wanted_bins);
        count_all([&](int value) { return binning.scaled(value); });
    }
    __syncthreads();

    if (finds_range) plan.found.add(extremes, gridDim.x);
    pdl_wait();
    if (kPacked && threadIdx.x == 0) plan.d_spill_numbers[spill_index] = s_spills;
    if (kWindows && all_bins <= first_bin) return;
    const uint32_t bins = kWindows ? min(all_bins - first_bin, plan.window_bins) : all_bins;
    uint32_t* const d_counts = plan.d_counts + index * plan.part_words + first_bin / (kPacked ? 2 : 1);
    if (kPacked || counters.copies() == 1) {
        for (uint32_t i = threadIdx.x; i < (kPacked ? (bins + 7) / 8 : (bins + 7) / 8 * 2); i += kThreads)
            reinterpret_cast<uint4*>(d_counts)[i] = s_memory[i];
    } else {
        for (uint32_t bin = threadIdx.x; bin < (bins + 7) / 8 * 8; bin += kThreads)
            d_counts[bin] = bin < bins ? counters.sum(bin) : 0;
    }
}

/// What a block of the kernel behind count_bins_kernel takes of a tile: a slice of its bins, eight of a thread, all
/// parts together.
template <bool kPacked>
class SlicedBins {
  public:
    static constexpr int kBinsOfThread = 8;
    static constexpr int kMostThreads = 512;  // of the block
    static constexpr int kSharedWords = kPacked ? kMostThreads * kBinsOfThread : 1;

    uint32_t first;  // bin
    uint32_t counts[kBinsOfThread] = {};

    /// Every thread of the block calls, after pdl_wait(). Bins from `bins` on are 0. s_sums: kSharedWords.
    /// `only_first`: the tile's first part has all.
    __device__ SlicedBins(const CountPlan& plan, int plane, int tile, int slice, uint32_t bins, uint32_t* s_sums,
                          bool only_first = false)
        : first((uint32_t(slice) * blockDim.x + threadIdx.x) * kBinsOfThread) {
        if (only_first) {
            if (first < bins) add_part(plan, plan.part_index(plane, tile, 0));
        } else if (first < bins) {
#pragma unroll 4
            for (int part = 0; part < plan.parts; ++part) add_part(plan, plan.part_index(plane, tile, part));
        }
        if constexpr (kPacked) {
            if (!only_first) add_spills(plan, plane, tile, s_sums);
        }
#pragma unroll
        for (uint32_t i = 0; i < kBinsOfThread; ++i)
            if (first + i >= bins) counts[i] = 0;
    }

  private:
    __device__ void add_part(const CountPlan& plan, size_t index) {
        const auto* d_part = reinterpret_cast<const uint4*>(plan.d_counts + index * plan.part_words);
        if constexpr (kPacked) {
            const uint4 four = __ldcg(d_part + first / 8);
            const uint32_t words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                counts[2 * i] += words[i] & 0xffffu;
                counts[2 * i + 1] += words[i] >> 16;
            }
        } else {
            const uint4 low = __ldcg(d_part + first / 4), high = __ldcg(d_part + first / 4 + 1);
            const uint32_t words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
            for (int i = 0; i < kBinsOfThread; ++i) counts[i] += words[i];
        }
    }
    /// Hardly any part has spills. s_sums: a word for each bin of the slice.
    __device__ void add_spills(const CountPlan& plan, int plane, int tile, uint32_t* s_sums) {
        const uint32_t lists = uint32_t(plan.parts * plan.windows), slice_bins = blockDim.x * kBinsOfThread;
        const size_t first_list = plan.part_index(plane, tile, 0) * size_t(plan.windows);
        uint32_t any = 0;
        for (uint32_t list = threadIdx.x; list < lists; list += blockDim.x)
            any |= __ldcg(&plan.d_spill_numbers[first_list + list]);
        if (!__syncthreads_or(int(any))) return;
        for (uint32_t i = threadIdx.x; i < slice_bins; i += blockDim.x) s_sums[i] = 0;
        __syncthreads();
        const uint32_t slice_first = first - threadIdx.x * kBinsOfThread;
        for (uint32_t list = threadIdx.x; list < lists; list += blockDim.x) {
            const uint32_t spills = __ldcg(&plan.d_spill_numbers[first_list + list]);
            for (uint32_t i = 0; i < spills; ++i) {
                const Spill spill = plan.d_spills[(first_list + list) * plan.spill_room + i];
                if (spill.x - slice_first < slice_bins) atomicAdd(&s_sums[spill.x - slice_first], spill.y);
            }
        }
        __syncthreads();
#pragma unroll
        for (uint32_t k = 0; k < kBinsOfThread; ++k) counts[k] += s_sums[threadIdx.x * kBinsOfThread + k];
        __syncthreads();
    }
};

/// What bins and parts need.
struct CountLayout {
    bool packed;
    int threads, windows = 1;
    uint32_t window_bins, shared_words, part_words, spill_room;

    /// `most_bins`: the greatest B that the image may have. `part_pixels`: of a part, at most.
    CountLayout(int most_bins, int64_t part_pixels, const DeviceProperties& device)
        : packed(most_bins > BinCountPolicy::kMostWords),
          threads(!packed && part_pixels <= BinCountPolicy::kFewPixels ? BinCountPolicy::kFewThreads
                                                                       : BinCountPolicy::kThreads) {
        const uint32_t bins = uint32_t(most_bins + 7) / 8 * 8;
        const auto words_of = [&](uint32_t of_bins) { return packed ? of_bins / 2 : std::max(of_bins, copy_words()); };
        window_bins = bins;
        while (words_of(window_bins) * sizeof(uint32_t) > device.sharedMemPerBlockOptin - kReserved_bytes)
            window_bins = (window_bins / 2 + 7) / 8 * 8;
        windows = int((bins + window_bins - 1) / window_bins);
        if (windows > 1) threads = BinCountPolicy::kThreads;
        shared_words = words_of(window_bins);
        part_words = packed ? bins / 2 : bins;
        spill_room = packed ? uint32_t(part_pixels / BinCountPolicy::kFull + 1) : 0;
    }
    size_t shared_bytes() const { return shared_words * sizeof(uint32_t); }
    uint32_t copy_words() const {
        return threads == BinCountPolicy::kFewThreads ? BinCountPolicy::kFewCopyWords : BinCountPolicy::kCopyWords;
    }

  private:
    static constexpr size_t kReserved_bytes = 1024;
};

/// What count_bins_kernel is told, with memory for its counts. At most `parts` of each tile.
inline CountPlan plan_counts(CudaJob& job, const CountLayout& layout, const CountedTiles& tiles, int parts, int planes,
                             const RangeSource& range, int wanted_bins) {
    const size_t all_parts = size_t(tiles.count()) * size_t(parts) * size_t(planes),
                 lists = all_parts * size_t(layout.windows);
    return {.d_input = job.d_input,
            .pitch_bytes = job.input_pitch_bytes,
            .tiles = tiles,
            .parts = parts,
            .by_parts = Reciprocal<uint32_t>(uint32_t(parts)),
            .by_columns = Reciprocal<uint32_t>(uint32_t(tiles.columns)),
            .range = range,
            .wanted_bins = wanted_bins,
            .windows = layout.windows,
            .window_bins = layout.window_bins,
            .shared_words = layout.shared_words,
            .copy_words = layout.copy_words(),
            .part_words = layout.part_words,
            .d_counts = job.scratch.get<uint32_t>("bin counts", all_parts * layout.part_words),
            .d_spill_numbers = job.scratch.get<uint32_t>("bin spill numbers", lists),
            .d_spills = job.scratch.get<Spill>("bin spills", lists * layout.spill_room),
            .spill_room = layout.spill_room};
}

/// Kernels that only count need to know one map of luma, not three.
template <class Map>
struct CountedMapOf {
    using Type = Map;
};
template <class Sample>
struct CountedMapOf<ColorToGrayOf<Sample>> {
    using Type = ColorLumaOf<Sample>;
};
template <class Sample>
struct CountedMapOf<ColorToGrayWithAlphaOf<Sample>> {
    using Type = ColorLumaOf<Sample>;
};

/// Queues count_bins_kernel.
template <class GivenMap>
void launch_count_bins(const CudaJob& job, const CountLayout& layout, const CountPlan& plan) {
    using Map = typename CountedMapOf<GivenMap>::Type;
    using Policy = BinCountPolicy;
    const LaunchShape shape{.blocks = unsigned(plan.tiles.count() * plan.parts),
                            .blocks_down = unsigned(Map::kPlanes * plan.windows),
                            .threads = unsigned(layout.threads),
                            .shared_bytes = layout.shared_bytes(),
                            .stream = job.stream};
    const auto launch = [&](auto kernel) { launch_pdl(job.device, shape, kernel, plan); };
    if constexpr (sizeof(typename Map::In) % 4 == 2 || sizeof(typename Map::In) == 8) {  // samples of 16 bits
        if (plan.windows > 1)
            return launch(layout.packed ? &count_bins_kernel<Map, true, Policy::kThreads, true>
                                        : &count_bins_kernel<Map, false, Policy::kThreads, true>);
        if (layout.packed) return launch(&count_bins_kernel<Map, true, Policy::kThreads, false>);
    }
    launch(layout.threads == Policy::kFewThreads ? &count_bins_kernel<Map, false, Policy::kFewThreads, false>
                                                 : &count_bins_kernel<Map, false, Policy::kThreads, false>);
}

}  // namespace tonescope
