// What the histogram lab's variants on the GPU share around their counting: the words before it, the clamping after it.
// Without nvcc this header holds the parameter `block` alone.
#pragma once

#include <iterator>

#include "gpu/core/registry.h"
#include "gpu/ops/block_param.h"

namespace tonescope::histogram {

/// Of report D's versions: BlockParams::block is an index of these.
inline constexpr std::string_view kBlockThreads[] = {"64", "128", "256", "512", "1024"};
inline constexpr ParamInfo kBlockTable[] = {
    {.id = "block",
     .label = "Block",
     .unit = "threads",
     .help =
         "Threads in a block of the kernel that counts. A multiprocessor holds as many threads in any case, so that "
         "with larger blocks there are fewer histograms to add up, and more threads meet in each.",
     .kind = ParamKind::choice,
     .max = std::size(kBlockThreads) - 1,
     .default_value = 2,
     .values = kBlockThreads},
};

}  // namespace tonescope::histogram

namespace tonescope::histogram {

/// `count`: what counting takes for a word, beyond its bytes and, where `shared`, the additions in shared memory. A
/// gray image's words are multiples of 4, which lie in 8 of the 32 banks.
inline Work words_work(const WorkCase& c, Amounts count, bool shared) {
    const double turns = c.is_gray() ? c.values.turns_of_fourth : c.values.turns;
    if (shared) count = count + Amounts{.shared_bytes = 4 * turns, .shared_atomics = turns};
    count.bytes = 4;
    const double in = bytes_per_pixel(c.image.format);
    return {{"words", c.pixels() * Amounts{.bytes = in + 4, .operations = c.is_gray() ? 32.0 : 37.0}},
            {"histogram", c.pixels() * count}};
}
/// The same where the blocks that an H200 holds each count in shared memory and add up.
inline Work blocks_work(const WorkCase& c, double operations, double threads) {
    Work work = words_work(c, {.operations = operations}, true);
    work[1].amounts =
        work[1].amounts + 256 / threads * Amounts{.shared_bytes = 1e7, .operations = 1e7, .global_atomics = 3.4e4};
    return work;
}
/// With blocks as `block` says.
inline Work blocks_work(const WorkCase& c, double operations) {
    return blocks_work(c, operations, 64 << c.variant_params.as<BlockParams>().block);  // as in kBlockThreads
}

}  // namespace tonescope::histogram

#ifdef __CUDACC__
#include <algorithm>
#include <type_traits>

#include "gpu/core/histogram.h"
#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"

namespace tonescope::histogram {

inline constexpr unsigned kThreadsPerMultiprocessor = 2048;
inline constexpr unsigned kClampThreads = 256;  // of a block

/// Calls run(number) where `number` is the threads of a block that the job asks for, as an std::integral_constant, so
/// that kernels can be made for it.
template <class Run>
void with_block(const CudaJob& job, Run&& run) {
    switch (job.variant_params.as<BlockParams>().block) {
        case 0:
            return run(std::integral_constant<unsigned, 64>());
        case 1:
            return run(std::integral_constant<unsigned, 128>());
        case 2:
            return run(std::integral_constant<unsigned, 256>());
        case 3:
            return run(std::integral_constant<unsigned, 512>());
        default:
            return run(std::integral_constant<unsigned, 1024>());
    }
}

/// The words: 10-bit luma, 0 to 1023. `levels`: M + 1, 256 of images of 8 bits.
__device__ inline uint32_t histogram_word(uint8_t gray, uint32_t) {
    return 4u * gray;
}
__device__ inline uint32_t histogram_word(uchar4 pixel, uint32_t) {
    return (77u * pixel.x + 150u * pixel.y + 29u * pixel.z) >> 6;
}
__device__ inline uint32_t histogram_word(uint16_t gray, uint32_t levels) {
    return 1024u * gray / levels;
}
__device__ inline uint32_t histogram_word(ushort4 pixel, uint32_t levels) {
    return 4 * (77u * pixel.x + 150u * pixel.y + 29u * pixel.z) / levels;
}

/// One thread a pixel writes its word. d_words: width x height without gaps.
template <class Pixel>
__global__ void histogram_words_kernel(PitchedSource<Pixel> source, int width, int height, uint32_t levels,
                                       uint32_t* d_words) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    d_words[size_t(y) * size_t(width) + size_t(x)] = histogram_word(source.load(x, y), levels);
}

/// One thread a bin.
template <int kBins>
__global__ void histogram_clamp_kernel(const uint32_t* d_counts, uint8_t* d_bins) {
    const unsigned bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin < kBins) d_bins[bin] = uint8_t(min(d_counts[bin], 255u));
}

/// `simple`, of images of any depth.
void run_simple(CudaJob& job);

/// The array that report D counts. At most 2^29 words, so that 32-bit indices never overflow; d_words is aligned for
/// uint4.
struct Words {
    const uint32_t* d_words;
    uint32_t count;
};

/// Stage "words".
inline Words make_words(CudaJob& job) {
    const int width = job.input_spec.width, height = job.input_spec.height;
    const uint32_t count = uint32_t(job.input_spec.pixels());
    auto* d_words = job.scratch.get<uint32_t>("histogram words", count);
    const Words words{d_words, count};
    const auto stage = job.stage("words");
    const PixelGrid grid(width, height);
    with_any_source(job, [&](auto source) {
        histogram_words_kernel<<<grid.grid, grid.block, 0, job.stream>>>(source, width, height,
                                                                         job.input_spec.max_sample + 1u, d_words);
    });
    TONESCOPE_LAUNCHED("histogram_words_kernel");
    return words;
}

/// 32-bit counters of the whole image in global memory.
struct Counters {
    uint32_t* d_counts;           // kFineBins
    uint32_t* d_finished_blocks;  // one counter, for clamp_by_last_block
};

/// Queues setting them to zero.
inline Counters cleared_counters(CudaJob& job) {
    auto* d_counts = job.scratch.get<uint32_t>("histogram counts", kFineBins + 1);
    TONESCOPE_CUDA(cudaMemsetAsync(d_counts, 0, (kFineBins + 1) * sizeof(uint32_t), job.stream));
    return {d_counts, d_counts + kFineBins};
}

/// Blocks of `threads` threads with one for each of `items`.
inline unsigned blocks_for(uint32_t items, unsigned threads) {
    return (items + threads - 1) / threads;
}
/// Blocks for the words: with a thread for each where `per_load` is 0, else no more than the GPU holds at a time (at
/// least one), for threads that loop over the words and take so many with each load.
inline unsigned blocks_for(const CudaJob& job, const Words& words, unsigned threads, uint32_t per_load) {
    if (per_load == 0) return blocks_for(words.count, threads);
    return std::clamp(blocks_for(words.count / per_load, threads), 1u,
                      unsigned(job.device.multiProcessorCount) * (kThreadsPerMultiprocessor / threads));
}

/// A variant of three stages: "words"; "histogram", where the kernel count(d_words, count, d_counts) adds to counters
/// set to zero; and "clamp", a kernel that starts when all counting is done.
template <class Count>
void count_then_clamp(CudaJob& job, Count count, unsigned threads, uint32_t per_load) {
    const Words words = make_words(job);
    const uint32_t* d_counts = nullptr;
    {
        const auto stage = job.stage("histogram");
        const Counters counters = cleared_counters(job);
        count<<<blocks_for(job, words, threads, per_load), threads, 0, job.stream>>>(words.d_words, words.count,
                                                                                     counters.d_counts);
        TONESCOPE_LAUNCHED("the kernel that counts");
        d_counts = counters.d_counts;
    }
    const auto stage = job.stage("clamp");
    histogram_clamp_kernel<kFineBins>
        <<<blocks_for(kFineBins, kClampThreads), kClampThreads, 0, job.stream>>>(d_counts, job.d_bins);
    TONESCOPE_LAUNCHED("histogram_clamp_kernel");
}

/// A variant of two stages: "words", and "histogram", where the kernel count(d_words, count, counters, d_bins) counts
/// and clamps.
template <class Count>
void count_in_one_kernel(CudaJob& job, Count count, unsigned threads, uint32_t per_load) {
    const Words words = make_words(job);
    const auto stage = job.stage("histogram");
    const Counters counters = cleared_counters(job);
    count<<<blocks_for(job, words, threads, per_load), threads, 0, job.stream>>>(words.d_words, words.count, counters,
                                                                                 job.d_bins);
    TONESCOPE_LAUNCHED("the kernel that counts");
}

// What a block does with its histogram in shared memory. Each piece comes up in one of report D's versions and stays in
// those after it.

/// How words are read. Version 7 changes it.
struct PlainLoad {
    template <class T>
    __device__ static T load(const T* d_from) {
        return *d_from;
    }
};
/// Through the read-only cache: nobody may write the words while the kernel runs.
struct ReadOnlyLoad {
    template <class T>
    __device__ static T load(const T* d_from) {
        return __ldg(d_from);
    }
};

/// Version 4: a thread counts four words at a time, 16 bytes in one load, up to the last whole four; the 1 to 3 words
/// that may be left are the first threads' of the first block.
template <class Load>
__device__ void count_by_fours(const uint32_t* d_words, uint32_t count, uint32_t* s_counts) {
    const uint32_t first = blockIdx.x * blockDim.x + threadIdx.x, fours = count / 4;
    const auto* d_fours = reinterpret_cast<const uint4*>(d_words);
    for (uint32_t i = first; i < fours; i += gridDim.x * blockDim.x) {
        const uint4 four = Load::load(&d_fours[i]);
        atomicAdd(&s_counts[four.x], 1u);
        atomicAdd(&s_counts[four.y], 1u);
        atomicAdd(&s_counts[four.z], 1u);
        atomicAdd(&s_counts[four.w], 1u);
    }
    if (first < count % 4) atomicAdd(&s_counts[Load::load(&d_words[fours * 4 + first])], 1u);
}

/// Version 3: every bin is added, empty or not. Begins with a barrier.
__device__ inline void flush_every_bin(const uint32_t* s_counts, uint32_t* d_counts) {
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kFineBins; bin += blockDim.x) atomicAdd(&d_counts[bin], s_counts[bin]);
}

/// Version 5: the same number of bins for every thread, known to the compiler, which leaves no loop. Ends with a
/// barrier.
template <unsigned kThreads>
__device__ void clear_unrolled(uint32_t* s_counts) {
#pragma unroll
    for (unsigned i = 0; i < kFineBins / kThreads; ++i) s_counts[i * kThreads + threadIdx.x] = 0;
    __syncthreads();
}

/// Version 5: bins that this block has not met are left out. Begins with a barrier.
template <unsigned kThreads>
__device__ void flush_pruned(const uint32_t* s_counts, uint32_t* d_counts) {
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < kFineBins / kThreads; ++i) {
        const unsigned bin = i * kThreads + threadIdx.x;
        if (s_counts[bin] != 0) atomicAdd(&d_counts[bin], s_counts[bin]);
    }
}

/// Version 3: the end of a counting kernel that needs no second one: the block that finishes last clamps.
/// d_finished_blocks is zero before the launch. A block's additions must be visible to the others before it counts
/// itself as finished, hence the fence; they happen in the L2 cache, and there the last block reads them, past its own
/// L1.
__device__ inline void clamp_by_last_block(Counters counters, uint8_t* d_bins) {
    __shared__ bool s_is_last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) s_is_last = atomicAdd(counters.d_finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!s_is_last) return;
    __threadfence();
    for (unsigned bin = threadIdx.x; bin < kFineBins; bin += blockDim.x)
        d_bins[bin] = uint8_t(min(__ldcg(&counters.d_counts[bin]), 255u));
}

}  // namespace tonescope::histogram
#endif
