// Report B, version 7: unified (managed) memory. (The report has no version 6.) A page moves to whoever touches it: the
// image's to the GPU when the first kernel reads them, the page of counts and table to the host when it makes the
// table, and back when pixels are looked up. What is won is a program without copies.
#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
void run_managed(CudaJob& job) {
    HostTables& tables = managed_tables(job, "managed");
    with_planes(job, [&](const Planes& planes) {
        count_by_blocks(job, planes, tables.counts);
        {
            const auto stage = job.stage("table");
            queue_tables(job, planes, tables);
        }
        apply_from_shared(job, planes, tables.tables);
    });
}
#endif

const VariantRegistration managed_memory_variant({
    .op = "he",
    .id = "managed",
    .name = "Managed memory",
    .source = "B 7",
    .follows = "mapped",
    .builds_on = "pinned",
    .same_kernels_as = "shared-table",
    .memory = MemoryMode::managed,
    .params = kBlockTable,
    .idea = "Image, counts and table are managed: one address on both sides, and pages move to whoever touches them.",
    .cost = "Every page that moves begins with a fault, and the page of the table moves back and forth in each run.",
    .flaw = "Faults cost more than the copies they replace, and they fall into the kernels' time.",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_by_block(c)}, {"apply", look_up_shared(c)}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_managed),
});

}  // namespace
}  // namespace tonescope::he
