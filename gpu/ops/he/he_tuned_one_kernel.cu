// Histogram equalization in one kernel that keeps the pixels it has read.
//
// Every multiprocessor holds one large block. It reads its share of the image in 16-byte vectors, counts their values
// in shared memory with 32 copies of each counter, one a lane, and keeps as many vectors as fit beside the counters.
// The blocks add their counts up in global memory and wait for each other; then each makes the table for itself, in the
// counters' place and again with a copy for every lane, and applies it: first to the vectors it could not keep, the
// last read ones first, since the L2 cache still has those, then to the kept ones.
//
// All blocks must be resident for the wait in the middle, which a cooperative launch guarantees. Where there is none,
// or on request, the same code runs as two kernels, and the launch is the barrier.
#include "gpu/core/registry.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#ifdef __CUDACC__
#include <algorithm>
#include <type_traits>

#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/kernels/packed_color.cuh"
#include "gpu/cuda/kernels/privatized_counters.cuh"
#include "gpu/cuda/kernels/vector_walk.cuh"
#include "gpu/cuda/kernels/zeroed_words.h"
#include "gpu/ops/he/he.h"
#include "gpu/ops/he/he_formula.cuh"
#endif

namespace tonescope {
namespace {

struct HeTunedParams {
    int32_t kernels;  // HeKernels
};
enum HeKernels : int32_t { kernels_one, kernels_two };
constexpr std::string_view kKernelsValues[] = {"one", "two"};
constexpr ParamInfo kTunedTable[] = {
    {.id = "kernels",
     .label = "Kernels",
     .help = "one: a single cooperative kernel that keeps pixels in shared memory; two: one counts, one applies.",
     .kind = ParamKind::choice,
     .offset = offsetof(HeTunedParams, kernels),
     .max = 1,
     .values = kKernelsValues}};

#ifdef __CUDACC__

struct HePolicy {
    static constexpr int kThreads = 1024;       // of a block; one block a multiprocessor
    static constexpr int kBatch = 2;            // vectors that a thread asks for at once
    static constexpr int kRegisterVectors = 6;  // vectors that a thread keeps in registers where shared memory is full
    /// Of counters and table entries. Three planes get fewer, so that more pixels can be kept.
    static constexpr int copies(int planes) { return planes == 1 ? 32 : 16; }
    static constexpr int words(int planes) { return planes * 256 * copies(planes); }
    static constexpr int kReserved_bytes = 6144;  // of a block's shared memory: sums and the table's making
};

template <class Map>
using HeWords = PrivatizedCounters<HePolicy::copies(Map::kPlanes)>;

/// What the blocks do together: counts of every plane, and how many blocks have read the totals. Zero before and after
/// each run.
struct HeGrid {
    GridCounters counts;
    uint32_t* d_readers;
    static constexpr size_t kWords = GridCounters::words(3 * 256) + 1;

    explicit HeGrid(uint32_t* d_words) : counts(d_words), d_readers(d_words + kWords - 1) {}
};

/// What a launch does: all of it with a barrier between, or one half.
enum class HePart { all, count, apply };

/// Lookups in every plane's entries.
template <class Map>
struct HePlanes {
    HeWords<Map> planes[Map::kPlanes];
};

template <class Map>
__device__ HePlanes<Map> he_planes(uint32_t* s_words) {
    constexpr int kPlaneWords = HeWords<Map>::words(256);
    if constexpr (Map::kPlanes == 1) {
        return {{HeWords<Map>(s_words)}};
    } else {
        return {{HeWords<Map>(s_words), HeWords<Map>(s_words + kPlaneWords), HeWords<Map>(s_words + 2 * kPlaneWords)}};
    }
}

/// Fills the planes' lookups. Thread t passes the image's count of bin t % 256 in plane t / 256. Begins after a barrier
/// and ends with one.
template <class Map>
__device__ void he_make_tables(uint32_t count, uint32_t pixels, uint32_t* s_words) {
    constexpr unsigned kWarps = 256 / 32;  // of a plane
    __shared__ uint32_t s_warp_sums[Map::kPlanes * kWarps], s_first_counts[Map::kPlanes];
    __shared__ uint8_t s_tables[Map::kPlanes * 256];
    const unsigned plane = threadIdx.x / 256, bin = threadIdx.x % 256, warp = threadIdx.x / 32;
    const bool has_bin = plane < Map::kPlanes;  // true for whole warps
    uint32_t cdf = 0;
    if (has_bin) {
        cdf = warp_inclusive_scan(count);
        if (bin % 32 == 31) s_warp_sums[warp] = cdf;
    }
    __syncthreads();
    if (has_bin) {
        for (unsigned before = plane * kWarps; before < warp; ++before) cdf += s_warp_sums[before];
        if (count > 0 && cdf == count) s_first_counts[plane] = count;  // true for the first non-empty bin alone
    }
    __syncthreads();
    if (has_bin) s_tables[threadIdx.x] = he_equalized(cdf, s_first_counts[plane], pixels, int(bin));
    __syncthreads();
    constexpr unsigned kReplicas = HePolicy::copies(Map::kPlanes);
    for (unsigned i = threadIdx.x; i < Map::kPlanes * 256 * kReplicas / 4; i += blockDim.x) {  // four copies at once
        const unsigned entry = i * 4 / kReplicas;
        const uint32_t word = Packed<Map>::entry(int(entry % 256), s_tables[entry]);
        reinterpret_cast<uint4*>(s_words)[i] = make_uint4(word, word, word, word);
    }
    __syncthreads();
}

/// The image as it is best read where the result goes into Sink.
template <class Map, class Sink>
using HeImage = PitchedVectors<typename Map::In, std::is_same_v<Sink, SurfaceSink<typename Map::Out>> ? 2 : 1>;

/// Blocks of HePolicy::kThreads threads. Shared memory: HePolicy::words counters, then `kept` vectors a thread;
/// kRegisterVectors more stay in registers.
template <class Map, class Sink, HePart kPart, int kRegisterVectors>
__global__ void __launch_bounds__(HePolicy::kThreads, 1)
    he_tuned_kernel(HeImage<Map, Sink> image, Sink sink, uint32_t pixels, uint32_t kept, HeGrid grid) {
    pdl_trigger();
    extern __shared__ uint4 s_memory[];
    auto* s_words = reinterpret_cast<uint32_t*>(s_memory);
    uint4* s_kept = s_memory + HePolicy::words(Map::kPlanes) / 4 + threadIdx.x;  // a vector every kThreads
    const HePlanes<Map> lookups = he_planes<Map>(s_words);
    using Image = HeImage<Map, Sink>;
    constexpr int kEntries = Map::kPlanes * 256, kBatch = HePolicy::kBatch;
    const bool has_entry = threadIdx.x < kEntries;
    const VectorShare share(image);
    kept = min(kept, share.slots);
    const uint32_t held_end = min(kept + kRegisterVectors, share.slots);  // the slots behind it are read twice
    uint4 held[kRegisterVectors > 0 ? kRegisterVectors : 1];

    if constexpr (kPart != HePart::apply) clear_words(s_words, HePolicy::words(Map::kPlanes));
    SlotReader<kBatch, Order::forwards, Reread::no, Image> kept_slots(image, share, 0, kept);
    pdl_wait();
    if constexpr (kPart != HePart::apply) {
        const auto count = [&](uint4 vector) { count_vector<Map>(vector, lookups.planes); };
        kept_slots.start();
        __syncthreads();
        kept_slots.for_each([&](uint32_t slot, uint4 vector, const VectorWalk<Image>&) {
            s_kept[slot * HePolicy::kThreads] = vector;
            count(vector);
        });
        if constexpr (kRegisterVectors > 0) {
            load_slots<kRegisterVectors>(image, share, kept, held_end, held);
#pragma unroll
            for (int j = 0; j < kRegisterVectors; ++j)
                if (kept + uint32_t(j) < held_end) count(held[j]);
        }
        SlotReader<kBatch, Order::forwards, Reread::soon, Image> others(image, share, held_end, share.slots);
        others.start();
        others.for_each([&](uint32_t, uint4 vector, const VectorWalk<Image>&) { count(vector); });
        for_each_tail(image, share,
                      [&](uint32_t, uint4 vector, uint32_t tail) { count_pixels<Map>(vector, tail, lookups.planes); });
        __shared__ uint32_t s_sums[kEntries];
        for_each_sum<kEntries, HePolicy::copies(Map::kPlanes)>(
            s_words, [&](unsigned entry, uint32_t sum) { s_sums[entry] = sum; });
        __syncthreads();
        if (has_entry) grid.counts.add(threadIdx.x, s_sums[threadIdx.x]);
    }
    if constexpr (kPart == HePart::count) return;

    uint32_t count = 0;
    if (has_entry)
        count = kPart == HePart::all ? grid.counts.wait_for_total(threadIdx.x) : grid.counts.total(threadIdx.x);
    he_make_tables<Map>(count, pixels, s_words);
    const bool is_last = threadIdx.x == 0 && atomicAdd(grid.d_readers, 1u) == gridDim.x - 1;

    const auto equalize = [&](uint4 vector, const VectorWalk<Image>& at) {
        store_result(sink, image.x_of(at.column), at.row, apply_to_vector<Map>(vector, lookups.planes));
    };
    SlotReader<kBatch, Order::backwards, Reread::no, Image> others(image, share, held_end, share.slots);
    others.start();
    others.for_each([&](uint32_t, uint4 vector, const VectorWalk<Image>& at) { equalize(vector, at); });
    if (held_end > 0) {
        VectorWalk<Image> at(image, share, 0);
        for (uint32_t slot = 0; slot < kept; ++slot, at.advance()) equalize(s_kept[slot * HePolicy::kThreads], at);
#pragma unroll
        for (int j = 0; j < kRegisterVectors; ++j)
            if (kept + uint32_t(j) < held_end) {
                equalize(held[j], at);
                at.advance();
            }
    }
    for_each_tail(image, share, [&](uint32_t row, uint4 vector, uint32_t tail) {
        store_pixels(sink, image.x_of(image.per_row), row, apply_to_vector<Map>(vector, lookups.planes), tail);
    });
    if (__syncthreads_or(is_last)) {  // all blocks have read the totals
        if (has_entry) grid.counts.reset(threadIdx.x);
        if (threadIdx.x == 0) *grid.d_readers = 0;
    }
}

/// How the blocks share an image out.
template <class Map, class Sink>
struct HeShape {
    HeImage<Map, Sink> image;
    unsigned blocks;
    uint32_t slots;  // vectors of a thread at most
    uint32_t kept;   // of them in shared memory, where one kernel does it all

    explicit HeShape(const CudaJob& job)
        : image(job.d_input, job.input_pitch_bytes, job.input_spec.width, job.input_spec.height),
          blocks(image.blocks(HePolicy::kThreads, job.device.multiprocessors)),
          slots(image.slots(blocks, HePolicy::kThreads)) {
        const size_t room_bytes = job.device.shared_per_block_optin_bytes - HePolicy::kReserved_bytes - kCounters_bytes;
        kept = std::min(slots, uint32_t(room_bytes / kSlot_bytes));
    }
    LaunchShape launch(uint32_t kept_slots, bool cooperative, cudaStream_t stream) const {
        return {.blocks = blocks,
                .threads = HePolicy::kThreads,
                .shared_bytes = kCounters_bytes + kept_slots * kSlot_bytes,
                .stream = stream,
                .cooperative = cooperative};
    }

  private:
    static constexpr size_t kCounters_bytes = HePolicy::words(Map::kPlanes) * sizeof(uint32_t);
    static constexpr size_t kSlot_bytes = HePolicy::kThreads * kVector_bytes;
};

template <class Map, class Sink>
void run_into(CudaJob& job, Sink sink) {
    const HeShape<Map, Sink> shape(job);
    const HeGrid grid(job.scratch.keep<ZeroedWords>("he grid").get(HeGrid::kWords, job.stream));
    const uint32_t pixels = uint32_t(job.input_spec.pixels());

    const LaunchShape whole = shape.launch(shape.kept, true, job.stream);
    auto* const whole_kernel = shape.slots > shape.kept
                                   ? &he_tuned_kernel<Map, Sink, HePart::all, HePolicy::kRegisterVectors>
                                   : &he_tuned_kernel<Map, Sink, HePart::all, 0>;
    if (job.variant_params.as<HeTunedParams>().kernels == kernels_one && can_launch(job.device, whole, whole_kernel)) {
        const auto stage = job.stage("equalize", job.input_bytes() + job.output_bytes());
        launch_pdl(job.device, whole, whole_kernel, shape.image, sink, pixels, shape.kept, grid);
        return;
    }
    const LaunchShape half = shape.launch(0, false, job.stream);
    {
        const auto stage = job.stage("histogram", job.input_bytes());
        launch_pdl(job.device, half, &he_tuned_kernel<Map, Sink, HePart::count, 0>, shape.image, sink, pixels, 0u,
                   grid);
    }
    const auto stage = job.stage("apply", job.input_bytes() + job.output_bytes());
    launch_pdl(job.device, half, &he_tuned_kernel<Map, Sink, HePart::apply, 0>, shape.image, sink, pixels, 0u, grid);
}

template <class Map>
void run_tuned(CudaJob& job) {
    with_sink<typename Map::Out>(job.output, [&](auto sink) { run_into<Map>(job, sink); });
}

void run_he_tuned(CudaJob& job) {
    with_color_map(job.input_spec, job.params.as<HeParams>().color, [&](auto map) { run_tuned<decltype(map)>(job); });
}

#endif

const VariantRegistration he_tuned_one_kernel_variant({
    .op = "he",
    .id = "tuned",
    .name = "One kernel",
    .source = "",
    .backend = BackendKind::cuda,
    .follows = "simple",
    .preferred = true,
    .params = kTunedTable,
    .idea = "One kernel reads the image once, counts without bank conflicts in a copy of each counter for every lane, "
            "keeps "
            "the pixels in shared memory, and applies the table to them behind a barrier of the whole grid.",
    .cost =
        "Nearly all shared memory of the GPU: about 26 million bytes of pixels stay on an H200, and what exceeds them "
        "is read again.",
    .flaw =
        "The barrier and the table in the middle leave memory idle for some microseconds, which small images notice.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_he_tuned),
});

}  // namespace
}  // namespace tonescope
