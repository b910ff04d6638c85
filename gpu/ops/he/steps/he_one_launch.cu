// `last-block` in one launch in place of two: blocks count, wait for one another in a barrier of the whole grid, make
// the table and apply it. All blocks must be resident together, which a cooperative launch guarantees; where there is
// none, or where it is refused, the variant runs as `last-block`.
#include "gpu/ops/he/he_vectors.cuh"
#ifdef __CUDACC__
#include "gpu/ops/he/steps/he_last_block.cuh"
#include "gpu/ops/he/steps/he_one_launch.cuh"
#endif

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// Shared memory: a word for each counter of each lane.
template <class Map, class Sink>
__global__ void __launch_bounds__(kVectorThreads, 1)
    he_one_launch_kernel(ImageFor<Map, Sink> image, Sink sink, uint32_t pixels, SharedByGrid grid, uint32_t amount) {
    constexpr int kEntries = Map::kPlanes * 256, kReplicas = replicas_for(Map::kPlanes);
    using Words = PlaneWords<Map, kReplicas>;
    extern __shared__ uint4 s_memory[];
    auto* s_words = reinterpret_cast<uint32_t*>(s_memory);
    const Words words = plane_words<Map, kReplicas>(s_words);
    clear_words(s_words, Words::kCount);
    __syncthreads();
    count_vectors<Map>(image, words);
    for_each_sum_in_order<kEntries, kReplicas>(s_words,
                                               [&](unsigned entry, uint32_t sum) { grid.counts.add(entry, sum); });

    const bool has_entry = threadIdx.x < kEntries;
    const uint32_t count = has_entry ? grid.counts.wait_for_total(threadIdx.x) : 0;
    __syncthreads();  // the sums have been read, in whose place the table comes
    apply_vectors<Map>(image, sink, words, amount,
                       [&] { make_table_words<Map>(count, pixels, kNothingLeftOut, s_words); });
    const bool is_last = threadIdx.x == 0 && add_in_order(grid.d_readers, 1) == gridDim.x - 1;
    if (!__syncthreads_or(is_last)) return;  // other blocks may still read the totals
    if (has_entry) grid.counts.reset(threadIdx.x);
    if (threadIdx.x == 0) *grid.d_readers = 0;
}

/// False where the device does not launch it.
template <class Map, class Sink>
bool launch_once(CudaJob& job, Sink sink) {
    const auto image = vectors_of<Map, Sink>(job);
    const SharedByGrid grid(job.scratch.keep<ZeroedWords>("he grid").get(SharedByGrid::kWords, job.stream));
    const LaunchShape shape{.blocks = image.blocks(kVectorThreads, job.device.multiProcessorCount),
                            .threads = kVectorThreads,
                            .shared_bytes = PlaneWords<Map, replicas_for(Map::kPlanes)>::kCount * sizeof(uint32_t),
                            .stream = job.stream};
    if (!can_launch_cooperative(job.device, shape, &he_one_launch_kernel<Map, Sink>)) return false;
    auto stage = job.stage("equalize");
    if (launch_cooperative(job.device, shape, &he_one_launch_kernel<Map, Sink>, image, sink,
                           uint32_t(job.input_spec.pixels()), grid, amount_of(job)))
        return true;
    stage.discard();
    return false;
}

void run_one_launch(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) {
        bool is_launched = false;
        with_sink<typename Map::Out>(job.output, [&](auto sink) { is_launched = launch_once<Map>(job, sink); });
        if (!is_launched) run_with_last_block<Map>(job);
    });
}
#endif

const VariantRegistration one_launch_variant({
    .op = "he",
    .id = "one-launch",
    .name = "One launch",
    .follows = "last-block",
    .builds_on = "last-block",
    .idea = "One cooperative kernel with a barrier of the whole grid: when all blocks have counted, each of them makes "
            "the table for itself and goes on to apply it, without a second launch.",
    .cost = "All blocks must be resident together, and all of them wait for the slowest. A counter of the grid holds "
            "the number of blocks that have added beside the sum, so that the addition is the barrier.",
    .flaw =
        "The image is still read twice: at 4K the second time from the L1 cache (counted on an H200), larger images "
        "partly from the L2 cache.",
    .work =
        [](const WorkCase& whole) {
            return work_by_lightness<Params>(whole, [](const WorkCase& c) {
                const Work two = private_work(c);
                return Work{{"equalize", two[0].amounts + two[1].amounts}};
            });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_one_launch>),
});

}  // namespace
}  // namespace tonescope::he
