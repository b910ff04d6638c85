// Counting an image in one kernel, without a memset before it or a pass behind it.
//
// Every multiprocessor holds one large block, which reads its share in 16-byte vectors, counts in shared memory with
// copies of each counter for the lanes (privatized_counters.cuh) and adds its sums to the grid's counters. Whichever
// block adds to an entry last hands its total over and sets the counter back to zero. Blocks that stand ready while the
// kernel before still runs ask the L2 cache for the image's beginning.
#pragma once

#include <cstdint>

#include "gpu/core/histogram.h"
#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/kernels/packed_color.cuh"
#include "gpu/cuda/kernels/prefetch.cuh"
#include "gpu/cuda/kernels/privatized_counters.cuh"
#include "gpu/cuda/kernels/vector_walk.cuh"
#include "gpu/cuda/runtime/scratch.h"

namespace tonescope {

struct CountPolicy {
    static constexpr int kThreads = 1024;  // of a block; one block a multiprocessor
    /// Vectors that a thread asks for at once: while a share is short, counting should begin early.
    static constexpr int kShortBatch = 2, kLongBatch = 3;
    static constexpr uint32_t kShortShare = 24;  // vectors of a thread
    /// What a block asks the L2 cache for ahead: as much as memory delivers while the kernel before comes to its end.
    static constexpr uint32_t kAhead_bytes = 24 * 1024;
};

/// What is counted of a word of four bytes. A counting has kEntries entries with kReplicas copies each, and the pixels
/// in four bytes are counted all, or one by one.
struct CountGray {
    using Pixel = uint8_t;
    static constexpr int kEntries = 256, kReplicas = 32;
    using Words = PrivatizedCounters<kReplicas>;
    __device__ static void count(uint32_t word, uint32_t* s_words) { Words(s_words).count_bytes(word); }
    __device__ static void count_pixel(uint32_t word, uint32_t* s_words) { Words(s_words).count<0, 8>(word); }
};

/// The histogram lab's words of RGBA pixels (gpu/core/histogram.h).
struct CountHistogramWords {
    using Pixel = uchar4;
    static constexpr int kEntries = kFineBins, kReplicas = 4;
    __device__ static void count(uint32_t rgba, uint32_t* s_words) {
        PrivatizedCounters<kReplicas>(s_words).count<6, 10>(__dp4a(rgba, kLumaWeights, 0u));
    }
    __device__ static void count_pixel(uint32_t rgba, uint32_t* s_words) { count(rgba, s_words); }
};

/// Red, green, blue and luma of RGBA pixels, 256 entries each.
struct CountChannelsAndLuma {
    using Pixel = uchar4;
    static constexpr int kEntries = 4 * 256, kReplicas = 16;
    __device__ static void count(uint32_t rgba, uint32_t* s_words) {
        using Words = PrivatizedCounters<kReplicas>;
        constexpr int kPlane = Words::words(256);
        Words(s_words).count<0, 8>(rgba);
        Words(s_words + kPlane).count<8, 8>(rgba);
        Words(s_words + 2 * kPlane).count<16, 8>(rgba);
        Words(s_words + 3 * kPlane).count<8, 8>(packed_luma(rgba));
    }
    __device__ static void count_pixel(uint32_t rgba, uint32_t* s_words) { count(rgba, s_words); }
};

/// Asks the L2 cache for the beginning of an image in memory.
template <class Pixel, uint32_t kBandRows>
__device__ void prefetch_beginning(const PitchedVectors<Pixel, kBandRows>& image) {
    const uint64_t bytes = uint64_t{image.rows - 1} * image.pitch_bytes + image.per_row * kVector_bytes;
    prefetch_parts(image.d_data, bytes, CountPolicy::kAhead_bytes);
}
template <class Pixel>
__device__ void prefetch_beginning(const LinearVectors<Pixel>& image) {
    prefetch_parts(image.d_vectors, uint64_t{image.per_row} * kVector_bytes, CountPolicy::kAhead_bytes);
}
template <class Pixel>
__device__ void prefetch_beginning(const SurfaceVectors<Pixel>&) {}

/// Shared memory: Counting::kEntries * Counting::kReplicas words. finish(entry, total) is called once for each entry.
template <class Counting, int kBatch, class Image, class Finish>
__global__ void __launch_bounds__(CountPolicy::kThreads, 1)
    count_kernel(Image image, GridCounters counters, Finish finish) {
    pdl_trigger();
    prefetch_beginning(image);
    extern __shared__ uint4 s_memory[];
    auto* s_words = reinterpret_cast<uint32_t*>(s_memory);
    clear_words(s_words, Counting::kEntries * Counting::kReplicas);
    const VectorShare share(image);
    SlotReader<kBatch, Order::forwards, Reread::no, Image> slots(image, share, 0, share.slots);
    pdl_wait();
    slots.start();
    __syncthreads();
    slots.for_each([&](uint32_t, uint4 vector, const VectorWalk<Image>&) {
        Counting::count(vector.x, s_words);
        Counting::count(vector.y, s_words);
        Counting::count(vector.z, s_words);
        Counting::count(vector.w, s_words);
    });
    for_each_tail(image, share, [&](uint32_t, uint4 vector, uint32_t pixels) {
        const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
        constexpr uint32_t kInWord = 4 / sizeof(typename Counting::Pixel);
#pragma unroll
        for (uint32_t i = 0; i < 4 * kInWord; ++i)
            if (i < pixels) Counting::count_pixel(words[i / kInWord] >> (i % kInWord * 8), s_words);
    });
    for_each_sum<Counting::kEntries, Counting::kReplicas>(s_words, [&](unsigned entry, uint32_t sum) {
        if (!counters.add(entry, sum)) return;
        finish(entry, sum);
        counters.reset(entry);
    });
}

/// Queues count_kernel. `counters`: used by nobody else on other streams meanwhile. Throws DeviceError.
template <class Counting, class Image, class Finish>
void launch_count(const Image& image, Finish finish, ZeroedWords& counters, const DeviceProperties& device,
                  cudaStream_t stream) {
    uint32_t* d_words = counters.get(GridCounters::words(Counting::kEntries), stream);
    const LaunchShape shape{.blocks = image.blocks(CountPolicy::kThreads, device.multiProcessorCount),
                            .threads = CountPolicy::kThreads,
                            .shared_bytes = size_t(Counting::kEntries) * Counting::kReplicas * sizeof(uint32_t),
                            .stream = stream};
    const bool is_short = image.slots(shape.blocks, shape.threads) < CountPolicy::kShortShare;
    auto* const kernel = is_short ? &count_kernel<Counting, CountPolicy::kShortBatch, Image, Finish>
                                  : &count_kernel<Counting, CountPolicy::kLongBatch, Image, Finish>;
    launch_pdl(device, shape, kernel, image, GridCounters(d_words), finish);
}

/// The same for a gray image in pitched memory.
template <class Finish>
void launch_count_gray(const uint8_t* d_data, size_t pitch_bytes, int width, int height, Finish finish,
                       ZeroedWords& counters, const DeviceProperties& device, cudaStream_t stream) {
    if (LinearVectors<uint8_t>::fits(pitch_bytes, width)) {
        launch_count<CountGray>(LinearVectors<uint8_t>(d_data, width, height), finish, counters, device, stream);
    } else {
        launch_count<CountGray>(PitchedVectors<uint8_t>(d_data, pitch_bytes, width, height), finish, counters, device,
                                stream);
    }
}

}  // namespace tonescope
