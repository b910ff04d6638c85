// Report B, version 8: the table in constant memory.
//
// What changed since version 1, whose shared histogram it keeps: the table is a __constant__ variable
// (he_constant_memory.cuh). Each multiprocessor has a cache for constants, and an entry read by a whole warp at once is
// broadcast in one step. What it costs: a warp whose threads read different entries reads them one after the other, up
// to 32 times; equal neighbours are what makes this fast, and photographs have many. It was the report's best version
// (there with a managed image: --memory managed). A program has only one such variable a device, so runs on several
// streams take turns at it.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/ops/he/he_constant_memory.cuh"
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

void run_constant_table(CudaJob& job) {
    with_map(job, [&]<class Map>(Map) {
        const uint32_t* d_histograms = histograms_by_blocks<Map>(job);
        const ExclusiveAccess::Scope exclusive(access_to_tables(), job.device.index, job.stream);
        {
            const auto stage = job.stage("table");
            const HostTables& h_tables = tables_on_host<Map>(job, d_histograms);
            TONESCOPE_CUDA(cudaMemcpyToSymbolAsync(c_tables, h_tables.tables, Map::kPlanes * 256, 0,
                                                   cudaMemcpyHostToDevice, job.stream));
        }
        apply<Map>(job, TablesInConstantMemory{});
    });
}

}  // namespace
}  // namespace tonescope::he
#endif

namespace tonescope::he {

const VariantRegistration constant_table_variant({
    .op = "he",
    .id = "constant-table",
    .name = "Constant memory",
    .source = "B 8",
    .backend = BackendKind::cuda,
    .follows = "managed",
    .idea = "Shared histograms, and the table in constant memory, which hands one entry to a whole warp in one step.",
    .cost = "A look-up takes as many steps as the warp's 32 pixels have different values.",
    .flaw = "Where neighbours differ, as in noise, the warp's look-ups go one after the other.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_constant_table),
});

}  // namespace tonescope::he
