// Kuwahara filter for live use on the CPU; kuwahara_cpu_bands.cpp has the work.
#include "gpu/core/registry.h"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/kuwahara_cpu_bands.h"

namespace tonescope {
namespace {

void run_kuwahara_parallel(const CpuJob& job) {
    const ScopedStage stage(job.stages, "filter", 2 * uint64_t(job.input.spec.height) * job.input.spec.row_bytes());
    filter_kuwahara(job.input, job.params.as<KuwaharaParams>().radius, job.output, job.threads, job.stop, job.progress);
}

const VariantRegistration kuwahara_cpu_parallel_variant({
    .op = "kuwahara",
    .id = "parallel",
    .name = "Multi-threaded",
    .source = "",
    .backend = BackendKind::cpu,
    .order = 10,
    .preferred = true,
    .idea = "The four quadrants are one and the same box at four places, so each box is summed once, by sums that "
            "slide down and to "
            "the right, and a pixel picks one of four finished boxes; bands of rows go to threads.",
    .cost = "The same for every radius: two pixels enter and leave each sum, and a pixel compares four 64-bit words.",
    .flaw = "Keeps radius + 1 rows of finished boxes, 8 bytes each, which leave the L2 cache at large radii and "
            "widths, and each "
            "band works out `radius` rows of them that its neighbour has too.",
    .run_cpu = run_kuwahara_parallel,
});

}  // namespace
}  // namespace tonescope
