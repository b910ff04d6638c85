// Histogram equalization in one kernel that keeps the pixels it has read. README.md in this folder draws the way of the
// data and says what limits the kernel and what each idea buys.
//
// All blocks must be resident for the barrier in the middle, which a cooperative launch guarantees. Where there is
// none, where it is refused, or on request, the same code runs as two kernels, and the launch is the barrier.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gpu/ops/he/he_vectors.cuh"
#include "gpu/ops/he/tuned/deep_work.h"

#ifdef __CUDACC__
#include "gpu/ops/he/steps/he_one_launch.cuh"
#include "gpu/ops/he/tuned/deep.cuh"
#endif

namespace tonescope::he {
namespace {

struct TunedParams {
    int32_t kernels;  // Kernels
};
enum Kernels : int32_t { kernels_one, kernels_two };
constexpr std::string_view kKernelsValues[] = {"one", "two"};
constexpr ParamInfo kTunedTable[] = {
    {.id = "kernels",
     .label = "Kernels",
     .help = "one: a single cooperative kernel that keeps pixels in shared memory; two: one counts, one applies.",
     .kind = ParamKind::choice,
     .offset = offsetof(TunedParams, kernels),
     .max = 1,
     .values = kKernelsValues}};

/// Whether the kernel changes the lightness of the image's colors itself.
bool is_lightness(const ImageSpec& image, const Params& params) {
    return params.color == color_lab && image.format == PixelFormat::rgba8;
}

/// Of counting and changing lightness, with the tables of BlockLab.
Work lightness_work(const WorkCase& c) {
    const double in = bytes_per_pixel(c.image.format);
    constexpr Amounts kBlock{.shared_bytes = 40e6, .operations = 30e6};
    return {{"histogram",
             c.pixels() * Amounts{.bytes = in, .shared_bytes = 24, .operations = 20, .shared_atomics = 1.1} + kBlock},
            {"apply", c.pixels() * Amounts{.bytes = 2 * in, .shared_bytes = 54, .operations = 67} + kBlock}};
}

/// `two`: of a kernel that counts and one that applies. In one, pixels are kept in between.
Work in_one_launch(const WorkCase& c, Work two) {
    if (c.variant_params.as<TunedParams>().kernels == kernels_two) return two;
    Amounts one = two[0].amounts + two[1].amounts;
    // On an H200, where tables of lightness leave little room.
    const double kept_bytes = is_lightness(c.image, c.params.as<Params>()) ? 4.3e6 : 37e6;
    const double size = std::min(double(c.image.size_bytes()), kept_bytes);
    one.bytes -= size;
    one.shared_bytes += 2.4 * size;
    return Work{{"equalize", one}};
}

#ifdef __CUDACC__
/// The choices below were made with `tonescope_bench --op he --variant tuned --size 4k,24m,100m --content
/// noise,constant`; `bench/ablation.py` measures what the plainer ones cost.
struct TunedPolicy {
    static constexpr int kThreads = 1024;       // of a block; one block a multiprocessor
    static constexpr int kBatch = 2;            // vectors that a thread asks for at once
    static constexpr int kRegisterVectors = 6;  // vectors that a thread keeps in registers where that is full
    static constexpr Order kSecondReading = Order::backwards;  // of what was not kept: the L2 cache has its end
    /// Of counters and table entries. Three planes get fewer, so that more pixels can be kept.
    static constexpr int replicas(int planes) { return replicas_for(planes); }
    static constexpr int counter_words(int planes) { return planes * 256 * replicas(planes); }
    /// With the tables of lightness behind them.
    template <class Map>
    static constexpr int words() {
        constexpr bool kIsLightness = std::is_same_v<Map, ColorLightness>;
        return counter_words(Map::kPlanes) + (kIsLightness ? int(BlockLab::bytes(true) / sizeof(uint32_t)) : 0);
    }
    static constexpr int kReserved_bytes = 6144;  // of a block's shared memory: sums and the table's making
};

/// What a launch does: all of it with a barrier between, or one half.
enum class Part { all, count, apply };

/// The calling lane's counters, later its tables.
template <class Map>
struct LookupsOf {
    using Type = PlaneWords<Map, TunedPolicy::replicas(Map::kPlanes)>;
    __device__ static Type at(uint32_t* s_words, NoColorTables) {
        return plane_words<Map, TunedPolicy::replicas(Map::kPlanes)>(s_words);
    }
};
template <>
struct LookupsOf<ColorLightness> {
    struct Type {
        LightnessWords planes[1];
    };
    /// Brings the tables to shared memory. A barrier is to follow.
    __device__ static Type at(uint32_t* s_words, const Lab<uint8_t>& tables) {
        auto* const s_tables = reinterpret_cast<uint8_t*>(s_words + TunedPolicy::counter_words(1));
        BlockLab::fill(s_tables, tables, true);
        return {{LightnessWords(s_words, s_tables)}};
    }
};
template <class Map>
using Lookups = typename LookupsOf<Map>::Type;

/// Where a thread's share of the image is between the phases: the first `kept` slots in shared memory, those up to
/// `held_end` in registers; the slots behind it are read twice.
template <int kRegisterVectors>
struct KeptShare {
    uint4* s_kept;  // a vector every kThreads
    uint32_t kept, held_end;
    uint4 held[kRegisterVectors > 0 ? kRegisterVectors : 1];

    __device__ KeptShare(const VectorShare& share, uint4* s_vectors, uint32_t room)
        : s_kept(s_vectors + threadIdx.x),
          kept(min(room, share.slots)),
          held_end(min(kept + kRegisterVectors, share.slots)) {}
};

/// Phase 1: reads the thread's share, counts it in shared memory and keeps what there is room for. `kept_slots` walks
/// over the kept slots. Ends without a barrier.
template <class Map, int kRegisterVectors, class Image, class Reader>
__device__ __forceinline__ void count_share(const Image& image, const VectorShare& share, Reader& kept_slots,
                                            KeptShare<kRegisterVectors>& own, const Lookups<Map>& counters) {
    const auto count = [&](uint4 vector) { count_vector<Map>(vector, counters.planes); };
    kept_slots.start();
    __syncthreads();  // the counters are clear
    kept_slots.for_each([&](uint32_t slot, uint4 vector, const VectorWalk<Image>&) {
        own.s_kept[slot * TunedPolicy::kThreads] = vector;
        count(vector);
    });
    if constexpr (kRegisterVectors > 0) {
        load_slots<kRegisterVectors>(image, share, own.kept, own.held_end, own.held);
#pragma unroll
        for (int j = 0; j < kRegisterVectors; ++j)
            if (own.kept + uint32_t(j) < own.held_end) count(own.held[j]);
    }
    SlotReader<TunedPolicy::kBatch, Order::forwards, Reread::soon, Image> others(image, share, own.held_end,
                                                                                 share.slots);
    others.start();
    others.for_each([&](uint32_t, uint4 vector, const VectorWalk<Image>&) { count(vector); });
    for_each_tail(image, share,
                  [&](uint32_t, uint4 vector, uint32_t tail) { count_pixels<Map>(vector, tail, counters.planes); });
}

/// Phase 2: adds up each entry's replicas, and the sums to the grid's counters. Begins with a barrier.
template <class Map>
__device__ __forceinline__ void add_to_grid(const uint32_t* s_words, const SharedByGrid& grid) {
    constexpr int kEntries = Map::kPlanes * 256;
    __shared__ uint32_t s_sums[kEntries];
    for_each_sum<kEntries, TunedPolicy::replicas(Map::kPlanes)>(
        s_words, [&](unsigned entry, uint32_t sum) { s_sums[entry] = sum; });
    __syncthreads();
    if (threadIdx.x < kEntries) grid.counts.add(threadIdx.x, s_sums[threadIdx.x]);
}

/// Phase 4: looks the share up and stores the results: first what has to be read again, then what was kept.
template <class Map, int kRegisterVectors, class Image, class Sink>
__device__ __forceinline__ void apply_share(const Image& image, const Sink& sink, const VectorShare& share,
                                            const KeptShare<kRegisterVectors>& own, const Lookups<Map>& tables,
                                            uint32_t amount) {
    const auto equalize = [&](uint4 vector, const VectorWalk<Image>& at) {
        store_result(sink, image.x_of(at.column), at.row, apply_to_vector<Map>(vector, tables.planes, amount));
    };
    SlotReader<TunedPolicy::kBatch, TunedPolicy::kSecondReading, Reread::no, Image> others(image, share, own.held_end,
                                                                                           share.slots);
    others.start();
    others.for_each([&](uint32_t, uint4 vector, const VectorWalk<Image>& at) { equalize(vector, at); });
    if (own.held_end > 0) {
        VectorWalk<Image> at(image, share, 0);
        for (uint32_t slot = 0; slot < own.kept; ++slot, at.advance())
            equalize(own.s_kept[slot * TunedPolicy::kThreads], at);
#pragma unroll
        for (int j = 0; j < kRegisterVectors; ++j)
            if (own.kept + uint32_t(j) < own.held_end) {
                equalize(own.held[j], at);
                at.advance();
            }
    }
    for_each_tail(image, share, [&](uint32_t row, uint4 vector, uint32_t tail) {
        store_pixels(sink, image.x_of(image.per_row), row, apply_to_vector<Map>(vector, tables.planes, amount), tail);
    });
}

/// Blocks of TunedPolicy::kThreads threads. Shared memory: TunedPolicy::words, then `room` vectors a thread;
/// kRegisterVectors more stay in registers.
template <class Map, class Sink, Part kPart, int kRegisterVectors>
__global__ void __launch_bounds__(TunedPolicy::kThreads, 1)
    he_tuned_kernel(ImageFor<Map, Sink> image, Sink sink, uint32_t pixels, int32_t left_out, uint32_t room,
                    SharedByGrid grid, uint32_t amount, ColorTables<Map> tables) {
    pdl_trigger();
    extern __shared__ uint4 s_memory[];
    auto* s_words = reinterpret_cast<uint32_t*>(s_memory);
    const Lookups<Map> lookups = LookupsOf<Map>::at(s_words, tables);
    using Image = ImageFor<Map, Sink>;
    const bool has_entry = threadIdx.x < Map::kPlanes * 256;
    const VectorShare share(image);
    KeptShare<kRegisterVectors> own(share, s_memory + TunedPolicy::words<Map>() / 4, room);

    if constexpr (kPart != Part::apply) clear_words(s_words, TunedPolicy::counter_words(Map::kPlanes));
    SlotReader<TunedPolicy::kBatch, Order::forwards, Reread::no, Image> kept_slots(image, share, 0, own.kept);
    pdl_wait();
    if constexpr (kPart != Part::apply) {
        count_share<Map>(image, share, kept_slots, own, lookups);
        add_to_grid<Map>(s_words, grid);
    }
    if constexpr (kPart == Part::count) return;

    uint32_t count = 0;
    if (has_entry)
        count = kPart == Part::all ? grid.counts.wait_for_total(threadIdx.x) : grid.counts.total(threadIdx.x);
    make_table_words<Map>(count, pixels, left_out, s_words);  // phase 3
    const bool is_last = threadIdx.x == 0 && add_in_order(grid.d_readers, 1) == gridDim.x - 1;
    apply_share<Map>(image, sink, share, own, lookups, amount);
    if (__syncthreads_or(is_last)) {  // all blocks have read the totals
        if (has_entry) grid.counts.reset(threadIdx.x);
        if (threadIdx.x == 0) *grid.d_readers = 0;
    }
}

/// A block's shared memory without the vectors that it keeps.
template <class Map>
constexpr size_t lookup_bytes() {
    return TunedPolicy::words<Map>() * sizeof(uint32_t);
}

template <class Map, class Sink>
void run_into(CudaJob& job, Sink sink, const ColorTables<Map>& tables = {}) {
    using Policy = TunedPolicy;
    const ImageFor<Map, Sink> image(job.d_input, job.input_pitch_bytes, job.input_spec.width, job.input_spec.height);
    const SharedByGrid grid(job.scratch.keep<ZeroedWords>("he grid").get(SharedByGrid::kWords, job.stream));
    const uint32_t pixels = uint32_t(job.input_spec.pixels());
    const int32_t left_out = job.params.as<Params>().left_out(job.input_spec);
    const unsigned blocks = image.blocks(Policy::kThreads, job.device.multiProcessorCount);
    const uint32_t slots = image.slots(blocks, Policy::kThreads);  // vectors of a thread at most

    constexpr size_t kLookup_bytes = lookup_bytes<Map>();
    // Colors that are made from lightness need the registers themselves.
    constexpr int kRegisterVectors = std::is_same_v<Map, ColorLightness> ? 0 : Policy::kRegisterVectors;
    constexpr size_t kSlot_bytes = Policy::kThreads * kVector_bytes;
    const size_t room_bytes = job.device.sharedMemPerBlockOptin - Policy::kReserved_bytes - kLookup_bytes;
    const uint32_t room = std::min(slots, uint32_t(room_bytes / kSlot_bytes));  // for vectors, in shared memory
    LaunchShape shape{.blocks = blocks,
                      .threads = Policy::kThreads,
                      .shared_bytes = kLookup_bytes + room * kSlot_bytes,
                      .stream = job.stream};
    auto* const whole = slots > room ? &he_tuned_kernel<Map, Sink, Part::all, kRegisterVectors>
                                     : &he_tuned_kernel<Map, Sink, Part::all, 0>;
    const bool wants_one = job.variant_params.as<TunedParams>().kernels == kernels_one;
    if (wants_one && can_launch_cooperative(job.device, shape, whole)) {
        auto stage = job.stage("equalize");
        if (launch_cooperative(job.device, shape, whole, image, sink, pixels, left_out, room, grid, amount_of(job),
                               tables))
            return;
        stage.discard();
    }
    shape.shared_bytes = kLookup_bytes;
    {
        const auto stage = job.stage("histogram");
        launch_pdl(job.device, shape, &he_tuned_kernel<Map, Sink, Part::count, 0>, image, sink, pixels, left_out, 0u,
                   grid, amount_of(job), tables);
    }
    const auto stage = job.stage("apply");
    launch_pdl(job.device, shape, &he_tuned_kernel<Map, Sink, Part::apply, 0>, image, sink, pixels, left_out, 0u, grid,
               amount_of(job), tables);
}

/// Whether the kernels here change the lightness of the image's colors: not of deep ones, and not where shared memory
/// has no room for the tables.
bool takes_lightness(const CudaJob& job) {
    constexpr size_t kNeeded_bytes = lookup_bytes<ColorLightness>() + TunedPolicy::kReserved_bytes;
    return is_lightness(job.input_spec, job.params.as<Params>()) && job.device.sharedMemPerBlockOptin >= kNeeded_bytes;
}

void run_tuned(CudaJob& job) {
    if (takes_lightness(job))
        return with_sink<uchar4>(job.output,
                                 [&](auto sink) { run_into<ColorLightness>(job, sink, device_lab<uint8_t>(job)); });
    if (job.params.as<Params>().color == color_lab && !is_gray(job.input_spec.format))
        return run_by_lightness<Params, run_tuned>(job);
    if (!takes_bytes(job)) return run_tuned_deep(job);
    with_map(job, [&]<class Map>(Map) {
        with_sink<typename Map::Out>(job.output, [&](auto sink) { run_into<Map>(job, sink); });
    });
}
#endif

const VariantRegistration tuned_one_kernel_variant({
    .op = "he",
    .id = "tuned",
    .name = "Tuned: one kernel (8 bits)",
    .follows = "one-launch",
    .builds_on = "one-launch",
    .preferred = true,
    .params = kTunedTable,
    .any_depth = true,
    .every_value_of = "no_data",
    .idea = "The kernel reads the image once: it keeps the pixels that it has counted in shared memory and registers, "
            "and applies the table to them behind the barrier of the whole grid. Deep images, whose tables fill shared "
            "memory, take four kernels that start early.",
    .cost = "Nearly all shared memory of the GPU: on an H200 about 24 million bytes of pixels stay there and 13 "
            "million in registers; what exceeds them is read again.",
    .flaw = "The barrier and the table in the middle are 27 % of what warps wait for at 4K (counted on an H200), and "
            "more in smaller images.",
    .work =
        [](const WorkCase& whole) {
            if (is_lightness(whole.image, whole.params.as<Params>()))
                return in_one_launch(whole, lightness_work(whole));
            return work_by_lightness<Params>(whole, [](const WorkCase& c) {
                if (is_deep(c.image.format) || takes_used_values(c.image, c.params.as<Params>().range_choice()))
                    return tuned_deep_work(c);
                return in_one_launch(c, private_work(c));
            });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_tuned),
});

}  // namespace
}  // namespace tonescope::he
