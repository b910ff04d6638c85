// Histogram equalization in 16-byte vectors, 16 gray or 4 color pixels at once: what `tuned` and the variants before it
// share. Every multiprocessor gets one block of 1024 threads, which walks over its share of the image.
#pragma once

#include "gpu/core/registry.h"

#include "gpu/ops/color_param.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {

/// Of counting and looking up in vectors. `turns`: of a warp's lanes at counters and table entries. Clearing, filling
/// and adding up is done by each of a GPU's blocks: what an H200's 132 do.
inline Work vector_work(const WorkCase& c, double turns, const Amounts& block_amounts) {
    const int32_t color = c.params.as<Params>().color;
    const double planes = plane_count(c.image, color), in = bytes_per_pixel(c.image.format);
    const Amounts block = planes * block_amounts;
    return {{"histogram", c.pixels() * Amounts{.bytes = in,
                                               .shared_bytes = 4 * turns * planes,
                                               .operations = by_color(c, color, 5.1, 12.4, 15.1),
                                               .shared_atomics = turns * planes} +
                              block},
            {"apply", c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                           .shared_bytes = 4 * turns * planes,
                                           .operations = by_color(c, color, 6.7, 23.7, 22.5)} +
                          block}};
}
/// With counters and entries for each lane. Three planes have fewer, so that two lanes take turns.
inline Work private_work(const WorkCase& c) {
    return vector_work(c, plane_count(c.image, c.params.as<Params>().color) == 3 ? 2.2 : 1.1,
                       {.shared_bytes = 9e6, .operations = 14e6});
}

}  // namespace tonescope::he

#ifdef __CUDACC__
#include <type_traits>

#include "gpu/cuda/kernels/packed_color.cuh"
#include "gpu/cuda/kernels/privatized_counters.cuh"
#include "gpu/cuda/kernels/vector_walk.cuh"
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {

constexpr int kVectorThreads = 1024;
constexpr int kVectorBatch = 2;  // vectors that a thread asks for at once

/// The image as it is best read where the result goes into Sink.
template <class Map, class Sink>
using ImageFor = PitchedVectors<typename Map::In, std::is_same_v<Sink, SurfaceSink<typename Map::Out>> ? 2 : 1>;

/// Copies of each counter and table entry, one for every so many lanes of a warp: with 32 no two lanes meet. Three
/// planes get 16, so that they fit.
constexpr int replicas_for(int planes) {
    return planes == 1 ? 32 : 16;
}

/// The calling lane's counters or tables of every plane.
template <class Map, int kReplicas>
struct PlaneWords {
    static constexpr int kCount = Map::kPlanes * 256 * kReplicas;
    PrivatizedCounters<kReplicas> planes[Map::kPlanes];
};
template <class Map, int kReplicas>
__device__ PlaneWords<Map, kReplicas> plane_words(uint32_t* s_words) {
    using Words = PrivatizedCounters<kReplicas>;
    constexpr int kPlaneWords = Words::words(256);
    if constexpr (Map::kPlanes == 1) {
        return {{Words(s_words)}};
    } else {
        return {{Words(s_words), Words(s_words + kPlaneWords), Words(s_words + 2 * kPlaneWords)}};
    }
}

/// Counts the thread's share of the image in shared memory. No barriers.
template <class Map, class Image, class Words>
__device__ void count_vectors(const Image& image, const Words& counters) {
    const VectorShare share(image);
    SlotReader<kVectorBatch, Order::forwards, Reread::soon, Image> slots(image, share, 0, share.slots);
    slots.start();
    slots.for_each(
        [&](uint32_t, uint4 vector, const VectorWalk<Image>&) { count_vector<Map>(vector, counters.planes); });
    for_each_tail(image, share,
                  [&](uint32_t, uint4 vector, uint32_t pixels) { count_pixels<Map>(vector, pixels, counters.planes); });
}

/// Looks the thread's share up. `ready` is called when the first vectors are on their way and before the tables are
/// used.
template <class Map, class Image, class Sink, class Words, class Ready>
__device__ void apply_vectors(const Image& image, const Sink& sink, const Words& tables, uint32_t amount,
                              Ready&& ready) {
    const VectorShare share(image);
    SlotReader<kVectorBatch, Order::forwards, Reread::no, Image> slots(image, share, 0, share.slots);
    slots.start();
    ready();
    slots.for_each([&](uint32_t, uint4 vector, const VectorWalk<Image>& at) {
        store_result(sink, image.x_of(at.column), at.row, apply_to_vector<Map>(vector, tables.planes, amount));
    });
    for_each_tail(image, share, [&](uint32_t row, uint4 vector, uint32_t pixels) {
        store_pixels(sink, image.x_of(image.per_row), row, apply_to_vector<Map>(vector, tables.planes, amount), pixels);
    });
}

/// Copies the tables to shared memory, as apply_vectors wants them. Ends with a barrier.
template <class Map, int kReplicas>
__device__ void fill_table_words(const uint8_t* d_tables, uint32_t* s_words) {
    constexpr unsigned kAtOnce = kReplicas % 4 == 0 ? 4 : 1;
#pragma unroll
    for (unsigned i = threadIdx.x; i < PlaneWords<Map, kReplicas>::kCount / kAtOnce; i += kVectorThreads) {
        const unsigned entry = i * kAtOnce / kReplicas;
        const uint32_t word = Packed<Map>::entry(int(entry % 256), d_tables[entry]);
        if constexpr (kAtOnce == 4)
            reinterpret_cast<uint4*>(s_words)[i] = make_uint4(word, word, word, word);
        else
            s_words[i] = word;
    }
    __syncthreads();
}

/// d_histograms: Map::kPlanes x 256, zero before.
template <class Map, int kReplicas>
__global__ void __launch_bounds__(kVectorThreads, 1)
    he_vector_histogram_kernel(PitchedVectors<typename Map::In> image, uint32_t* d_histograms) {
    using Words = PlaneWords<Map, kReplicas>;
    __shared__ uint4 s_memory[Words::kCount / 4];
    auto* s_words = reinterpret_cast<uint32_t*>(s_memory);
    clear_words(s_words, Words::kCount);
    __syncthreads();
    count_vectors<Map>(image, plane_words<Map, kReplicas>(s_words));
    if constexpr (kReplicas == 1) {  // the counters are the block's sums
        block_flush(s_words, Words::kCount, d_histograms);
    } else {
        for_each_sum_in_order<Map::kPlanes * 256, kReplicas>(s_words, [&](unsigned entry, uint32_t sum) {
            if (sum != 0) atomicAdd(&d_histograms[entry], sum);
        });
    }
}

template <class Map, class Sink, int kReplicas>
__global__ void __launch_bounds__(kVectorThreads, 1)
    he_vector_apply_kernel(ImageFor<Map, Sink> image, Sink sink, uint32_t amount, const uint8_t* d_tables) {
    __shared__ uint4 s_memory[PlaneWords<Map, kReplicas>::kCount / 4];
    auto* s_words = reinterpret_cast<uint32_t*>(s_memory);
    apply_vectors<Map>(image, sink, plane_words<Map, kReplicas>(s_words), amount,
                       [&] { fill_table_words<Map, kReplicas>(d_tables, s_words); });
}

/// The job's image for a kernel that writes into Sink, or that counts.
template <class Map, class Sink = PitchedSink<typename Map::Out>>
ImageFor<Map, Sink> vectors_of(const CudaJob& job) {
    return {job.d_input, job.input_pitch_bytes, job.input_spec.width, job.input_spec.height};
}

inline uint32_t amount_of(const CudaJob& job) {
    return uint32_t(job.params.as<Params>().amount);
}

/// Stage "apply" with he_vector_apply_kernel.
template <class Map, int kReplicas>
void apply_by_vectors(CudaJob& job, const uint8_t* d_tables) {
    const auto stage = job.stage("apply");
    with_sink<typename Map::Out>(job.output, [&]<class Sink>(Sink sink) {
        const auto image = vectors_of<Map, Sink>(job);
        const unsigned blocks = image.blocks(kVectorThreads, job.device.multiProcessorCount);
        he_vector_apply_kernel<Map, Sink, kReplicas>
            <<<blocks, kVectorThreads, 0, job.stream>>>(image, sink, amount_of(job), d_tables);
        TONESCOPE_LAUNCHED("he_vector_apply_kernel");
    });
}

/// Three stages. copies_for(planes): how many copies of each counter and table entry there are.
template <int (*copies_for)(int)>
void run_by_vectors(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) {
        constexpr int kCopies = copies_for(Map::kPlanes);
        uint32_t* d_histograms = nullptr;
        {
            const auto stage = job.stage("histogram");
            d_histograms = cleared_histograms<Map>(job);
            const auto image = vectors_of<Map>(job);
            const unsigned blocks = image.blocks(kVectorThreads, job.device.multiProcessorCount);
            he_vector_histogram_kernel<Map, kCopies><<<blocks, kVectorThreads, 0, job.stream>>>(image, d_histograms);
            TONESCOPE_LAUNCHED("he_vector_histogram_kernel");
        }
        apply_by_vectors<Map, kCopies>(job, tables_by_kernel<Map>(job, d_histograms));
    });
}

}  // namespace tonescope::he
#endif
