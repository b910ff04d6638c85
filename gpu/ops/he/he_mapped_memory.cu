// Report B, version 5: mapped pinned memory (zero-copy): the pinned pages of image and table have an address on the GPU
// too, and the kernels of version 4 reach them through the bus, whenever an access misses the GPU's caches. Two slow
// passes replace one fast copy, and the report found it slower. It pays where pixels are touched once, or where GPU and
// processor share one memory.
#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
void run_mapped(CudaJob& job) {
    if (!job.device.canMapHostMemory)
        throw UserError(std::string("he mapped: ") + job.device.name +
                        " cannot map the CPU's memory; take another --variant");
    with_planes(job, [&](const Planes& planes) {
        const uint32_t* d_histograms = count_by_blocks(job, planes);
        void* d_tables = nullptr;
        {
            const auto stage = job.stage("table");
            HostTables& h_tables = tables_on_host(job, planes, d_histograms);
            TONESCOPE_CUDA(cudaHostGetDevicePointer(&d_tables, h_tables.tables, 0));
        }
        apply_from_shared(job, planes, static_cast<const uint8_t*>(d_tables));
    });
}
#endif

const VariantRegistration mapped_memory_variant({
    .op = "he",
    .id = "mapped",
    .name = "Mapped memory",
    .source = "B 5",
    .follows = "pinned",
    .builds_on = "pinned",
    .same_kernels_as = "shared-table",
    .memory = MemoryMode::mapped,
    .params = kBlockTable,
    .idea = "Kernels read and write image and table in the CPU's memory directly, so that nothing is copied first.",
    .cost = "The image crosses the bus twice toward the GPU, once for each kernel, and once back.",
    .flaw = "The bus is far slower than the GPU's memory, and warps that look pixels up wait for it 98 % of the time "
            "(counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_by_block(c)}, {"apply", look_up_shared(c)}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_mapped),
});

}  // namespace
}  // namespace tonescope::he
