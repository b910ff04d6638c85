// Histogram lab on all cores.
#include <algorithm>
#include <mutex>

#include "gpu/core/parallel.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/ops/deep_rows.h"
#include "gpu/ops/histogram/histogram.h"

namespace tonescope::histogram {
namespace {

/// Takes the words of pixels of the value `left_out` back out.
template <class Sample>
void subtract_left_out(const CpuJob& job, int32_t left_out, FineHistogram& total) {
    const ImageSpec& spec = job.input.spec;
    const bool gray = is_gray(spec.format);
    const uint32_t levels = spec.max_sample + 1u;
    std::mutex merging;
    parallel_pieces(job.threads, spec.height, 16, [&](Pieces& pieces) {
        FineHistogram own{};
        alignas(64) uint16_t buffer[kChunk_px];
        for (const int64_t y : pieces) {
            if (job.stop.stop_requested()) return;
            for (int x = 0; x < spec.width; x += kChunk_px) {
                const int count = std::min(kChunk_px, spec.width - x);
                const auto* pixels = pixel_of<Sample>(job.input, x, int(y));
                const uint16_t* values = plane_values(pixels, count, spec, color_luma, 0, buffer);
                for (int i = 0; i < count; ++i) {
                    if (values[i] != left_out) continue;
                    const Sample* pixel = pixels + (gray ? i : 4 * i);
                    const uint32_t sum = gray ? 256u * pixel[0] : 77u * pixel[0] + 150u * pixel[1] + 29u * pixel[2];
                    ++own[4 * sum / levels];
                }
            }
        }
        const std::lock_guard lock(merging);
        for (size_t bin = 0; bin < kFineBins; ++bin) total[bin] -= own[bin];
    });
}

void run_parallel(const CpuJob& job) {
    FineHistogram total;
    {
        const ScopedStage stage(job.stages, "histogram");
        total = count_fine_histogram(job.input, job.threads, job.stop);
        const int32_t left_out = job.params.as<Params>().left_out(job.input.spec);
        if (left_out != kNothingLeftOut)
            with_sample(job.input.spec.format,
                        [&]<class Sample>(Sample) { subtract_left_out<Sample>(job, left_out, total); });
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
    .every_value_of = "no_data",
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
