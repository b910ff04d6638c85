// Report B, version 3: version 1 with the table in shared memory as well, because every pixel looks something up there
// at an address that nobody knows in advance. The report found it better on its small images only; the cache serves a
// table of 256 bytes well without help. Its kernels stand in he_report.cuh, because versions 4, 5 and 7 launch them
// too.
#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

const VariantRegistration shared_table_variant({
    .op = "he",
    .id = "shared-table",
    .name = "Shared table",
    .source = "B 3",
    .follows = "grid-stride",
    .builds_on = "shared",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .idea = "Each block of the apply kernel copies the table into shared memory and looks its pixels up there.",
    .cost = "256 more reads and a barrier for every 256 pixels.",
    .flaw = "It gains nothing, 28 in place of 24 to 25 \u00b5s at 4K (counted on an H200): starting a block for every "
            "256 pixels takes as long as looking them up.",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_by_block(c)}, {"apply", look_up_shared(c)}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_shared_tables),
});

}  // namespace
}  // namespace tonescope::he
