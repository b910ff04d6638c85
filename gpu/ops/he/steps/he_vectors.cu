// `simple` with 16 bytes a load and a store: 16 gray pixels, or 4 in color. A byte a thread asks the memory for 32
// bytes a warp, for which the warp then waits. Here one block of 1024 threads a multiprocessor walks over the image
// with two vectors a thread under way, and the table is in shared memory, in words that hold what a pixel needs
// (gpu/cuda/kernels/packed_color.cuh). The kernels stand in he_vectors.cuh, because the next step launches them too.
#include "gpu/ops/he/he_vectors.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// Copies of each counter and table entry: the lanes of a warp share one, and wait where they meet.
constexpr int one_for_all_lanes(int /*planes*/) {
    return 1;
}
#endif

const VariantRegistration vectors_variant({
    .op = "he",
    .id = "vectors",
    .name = "16 bytes a load",
    .follows = "simple",
    .builds_on = "simple",
    .idea =
        "A thread loads and stores 16 bytes at once, 16 gray pixels or 4 in color, and asks for the next ones before "
        "it works on these.",
    .cost =
        "The pixels at a row's end that fill no 16 bytes are read one by one, and more registers hold what is under "
        "way.",
    .flaw = "In noise, 68 % of the turns at the banks of shared memory are lanes that meet there (counted on an "
            "H200), at counters and at table entries.",
    .work =
        [](const WorkCase& whole) {
            return work_by_lightness<Params>(
                whole, [](const WorkCase& c) { return vector_work(c, c.values.turns, {.operations = 9e6}); });
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_by_vectors<one_for_all_lanes>>),
});

}  // namespace
}  // namespace tonescope::he
