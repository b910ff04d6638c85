// Report B, version 5: mapped pinned memory (zero-copy).
//
// What changed since version 4: nothing is copied to the GPU before the kernels start. The pinned pages of image and
// table have an address on the GPU too, and kernels read and write them through the bus. What it costs: the bus is
// crossed for every access that misses the GPU's caches, and the image is read twice, once by each kernel; so two slow
// passes replace one fast copy. The report found it slower. It pays where pixels are touched once, or where GPU and
// processor share one memory.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/core/error.h"
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

/// Stage "table": the host leaves the table where it is; kernels come and read it there.
template <class Map>
const uint8_t* map_tables(CudaJob& job, const uint32_t* d_histograms) {
    const auto stage = job.stage("table");
    HostTables& h_tables = tables_on_host<Map>(job, d_histograms);
    void* d_tables = nullptr;
    TONESCOPE_CUDA(cudaHostGetDevicePointer(&d_tables, h_tables.tables, 0));
    return static_cast<const uint8_t*>(d_tables);
}

void run_mapped(CudaJob& job) {
    if (!job.device.can_map_host_memory)
        throw UserError("he mapped: " + job.device.name + " cannot map host memory; take another --variant");
    with_map(job, [&]<class Map>(Map) {
        const uint32_t* d_histograms = histograms_by_blocks<Map>(job);
        const uint8_t* d_tables = map_tables<Map>(job, d_histograms);
        apply<Map>(job, TablesInMemory{d_tables});
    });
}

}  // namespace
}  // namespace tonescope::he
#endif

namespace tonescope::he {

const VariantRegistration mapped_memory_variant({
    .op = "he",
    .id = "mapped",
    .name = "Mapped pinned memory",
    .source = "B 5",
    .backend = BackendKind::cuda,
    .follows = "pinned",
    .memory = MemoryMode::mapped,
    .idea = "Kernels read and write image and table in host memory directly, so that nothing is copied first.",
    .cost = "The image crosses the bus twice towards the GPU, once for each kernel, and once back.",
    .flaw = "The bus is far slower than the GPU's memory, and kernels wait for it at every pixel.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_mapped),
});

}  // namespace tonescope::he
