// CLAHE for live use on the CPU: several threads and vector instructions. The two stages stand in clahe_cpu_tables.cpp
// and clahe_cpu_blend.cpp.
#include "gpu/ops/clahe/clahe_cpu.h"

namespace tonescope::clahe {
namespace {

void run_parallel(const CpuJob& job) {
    const auto params = job.params.as<Params>();
    const Geometry geometry = make_geometry(job.input.spec, params);
    const Planes planes = planes_of(job.input.spec, params.color);
    Tables tables(plane_count(planes), geometry.rows, geometry.columns);
    make_tables(job, geometry, planes, tables);
    if (!job.stop.stop_requested()) blend_tables(job, geometry, planes, tables);
}

const VariantRegistration cpu_parallel_variant({
    .op = "clahe",
    .id = "parallel",
    .name = "Multi-threaded",
    .source = "",
    .backend = BackendKind::cpu,
    .follows = "cpu",
    .preferred = true,
    .idea = "Threads share out tiles, then bands of rows; four tables are packed into one so that a pixel needs one "
            "look-up, and the "
            "blend runs in vector instructions with a multiplication in place of the division.",
    .cost = "Reads every pixel twice; 256 steps a tile for its table, which at 16-pixel tiles is as much work as the "
            "pixels are.",
    .flaw = "Holds the tables of all tiles at once, 256 bytes a tile and plane: at 8-pixel tiles four times a gray "
            "image's size.",
    .run_cpu = run_parallel,
});

}  // namespace
}  // namespace tonescope::clahe
