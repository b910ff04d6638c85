// Report B, version 8: version 1 with the table in constant memory (he_constant_memory.cuh). Each multiprocessor has a
// cache for constants, which broadcasts an entry that a whole warp reads at once. Equal neighbors are what makes this
// fast, and photographs have many. It was the report's best version (there with a managed image: --memory managed). A
// program has only one such variable a device, so runs on several streams take turns at it.
#include "gpu/ops/he/he_constant_memory.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
void run_constant_table(CudaJob& job) {
    const ExclusiveAccess::Scope exclusive(access_to_tables(), job.device.index, job.stream);
    run_with_block_histograms(
        job, [&](const HostTables& h_tables, size_t bytes) { return tables_in_constant_memory(job, h_tables, bytes); });
}
#endif

const VariantRegistration constant_table_variant({
    .op = "he",
    .id = "constant-table",
    .name = "Constant memory",
    .source = "B 8",
    .follows = "managed",
    .builds_on = "managed",
    .idea = "Shared histograms, and the table in constant memory, which hands one entry to a whole warp in one step.",
    .cost = "A look-up takes as many steps as the warp's 32 pixels have different values.",
    .flaw = "Where neighbors differ, as in noise, the warp's look-ups go one after the other.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_constant_table),
});

}  // namespace
}  // namespace tonescope::he
