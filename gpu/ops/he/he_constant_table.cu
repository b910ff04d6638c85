// Report B, version 8: version 7 with the table in constant memory (he_constant_memory.cuh). Each multiprocessor has a
// cache for constants, which broadcasts an entry that a whole warp reads at once. Equal neighbors are what makes this
// fast, and photographs have many. It was the report's best version. A program has only one such variable a device, so
// runs on several streams take turns at it.
#include "gpu/ops/he/he_constant_memory.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
void run_constant_table(CudaJob& job) {
    const ExclusiveAccess::Scope exclusive(access_to_tables(), job.device.index, job.stream);
    HostTables& tables = managed_tables(job, "constant-table");
    with_planes(job, [&](const Planes& planes) {
        count_by_blocks(job, planes, tables.counts);
        {
            const auto stage = job.stage("table");
            queue_tables(job, planes, tables);
            tables_to_constant_memory(job, planes, tables);
        }
        apply_planes(job, planes, [&](const Plane& plane, const PixelGrid& grid, int k) {
            he_apply_constant_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
                plane.d_in, plane.in_pitch, plane.d_out, plane.out_pitch, plane.width, plane.height, k);
            TONESCOPE_LAUNCHED("he_apply_constant_kernel");
        });
    });
}
#endif

const VariantRegistration constant_table_variant({
    .op = "he",
    .id = "constant-table",
    .name = "Constant memory",
    .source = "B 8",
    .follows = "managed",
    .builds_on = "managed",
    .memory = MemoryMode::managed,
    .params = kBlockTable,
    .idea = "The image is managed, each block counts in shared memory, and the table is in constant memory, which "
            "hands one entry to a whole warp in one step.",
    .cost = "A look-up takes as many steps as the warp's 32 pixels have different values.",
    .flaw = "Where neighbors differ, as in noise, the warp's look-ups go one after the other: 74 \u00b5s at 4K, where "
            "an image of one value takes 25 (counted on an H200).",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_by_block(c)}, {"apply", look_up_constant(c)}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_constant_table),
});

}  // namespace
}  // namespace tonescope::he
