// Histogram lab on all cores.
#include <algorithm>

#include "gpu/core/registry.h"
#include "gpu/cpu/display_histogram.h"

namespace tonescope::histogram {
namespace {

void run_parallel(const CpuJob& job) {
    FineHistogram total;
    {
        const ScopedStage stage(job.stages, "histogram");
        total = count_fine_histogram(job.input, job.threads, job.stop);
    }
    const ScopedStage stage(job.stages, "clamp");
    job.bins->counts.assign(total.begin(), total.end());
    job.bins->bins.resize(kFineBins);
    for (size_t bin = 0; bin < kFineBins; ++bin) job.bins->bins[bin] = uint8_t(std::min(total[bin], 255u));
}

const VariantRegistration cpu_parallel_variant({
    .op = "histogram",
    .id = "parallel",
    .name = "All cores",
    .follows = "cpu",
    .builds_on = "cpu",
    .preferred = true,
    .any_depth = true,
    .idea = "The words never reach memory: each thread makes a few at a time in its cache and counts them into "
            "histograms of its own, two in turn, so that equal neighbors do not wait for each other.",
    .cost = "Reads the image once; about one increment a clock cycle and core.",
    .flaw = "Increments go one at a time, because vector units have no counting; the threads' histograms are added one "
            "after another.",
    .work =
        [](const WorkCase& c) {
            return Work{{"histogram", c.pixels() * Amounts{.bytes = double(bytes_per_pixel(c.image.format)),
                                                           .operations = c.is_gray() ? 3.0 : 9.0}}};
        },
    .run_cpu = run_parallel,
});

}  // namespace
}  // namespace tonescope::histogram
