// `vectors` with privatized counters: 32 copies of each counter, one for each lane of a warp, word 32 v + lane for
// value v. Whatever values the lanes count, their counters lie in 32 different banks, and no two lanes add to one word.
// The table's entries are copied in the same way. Gomez-Luna et al. (see ../README.md) call it replication. The kernels
// are those of `vectors`, with the copies that replicas_for() names in place of one.
#include "gpu/ops/he/he_vectors.cuh"

namespace tonescope::he {
namespace {

const VariantRegistration private_counters_variant({
    .op = "he",
    .id = "private-counters",
    .name = "Counters for each lane",
    .follows = "vectors",
    .builds_on = "vectors",
    .idea =
        "Every lane of a warp has a copy of each counter and of each table entry in a bank of its own, so that lanes "
        "never wait for each other.",
    .cost = "32 KiB of shared memory a block in place of 1 (48 for three channels), which are cleared, added up and "
            "filled in each run. It pays on noise and on gray photographs with texture; in smooth images and in color, "
            "where lanes hardly meet without it, it gains next to nothing or loses 1 to 2 %.",
    .flaw = "Four launches, of which two do next to nothing: one clears the counters and one makes the table.",
    .work = [](const WorkCase& whole) { return work_by_lightness<Params>(whole, private_work); },
    .run_cuda = TONESCOPE_CUDA_RUN(run_by_lightness<Params, run_by_vectors<replicas_for>>),
});

}  // namespace
}  // namespace tonescope::he
