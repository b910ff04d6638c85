// Report B, version 7: unified (managed) memory. (The report has no version 6.) A page moves to whoever touches it: the
// image's to the GPU when the first kernel reads them, the page of counts and table to the host when it makes the
// table, and back when pixels are looked up. What is won is a program without copies.
#include "gpu/core/error.h"
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
void run_managed(CudaJob& job) {
    if (!job.device.has_managed_memory())
        throw UserError(std::string("he managed: ") + job.device.name +
                        " has no managed memory; take another --variant");
    auto& memory = job.scratch.keep<ManagedMemory>("he managed tables");
    memory.reserve(sizeof(HostTables));
    auto* tables = memory.as<HostTables>();  // one address on both sides
    with_map(job, [&]<class Map>(Map) {
        histograms_by<Map>(he_histogram_shared_kernel<Map>, "he_histogram_shared_kernel", job,
                           PixelGrid(job.input_spec.width, job.input_spec.height), tables->counts);
        {
            const auto stage = job.stage("table");
            TONESCOPE_CUDA(cudaLaunchHostFunc(job.stream, fill_tables<Map::kPlanes>, tables));
        }
        apply<Map>(job, TablesInMemory{tables->tables});
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
    .memory = MemoryMode::managed,
    .idea = "Image, counts and table are managed: one address on both sides, and pages move to whoever touches them.",
    .cost = "Every page that moves begins with a fault, and the page of the table moves back and forth in each run.",
    .flaw = "Faults cost more than the copies they replace, and they fall into the kernels' time.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_managed),
});

}  // namespace
}  // namespace tonescope::he
