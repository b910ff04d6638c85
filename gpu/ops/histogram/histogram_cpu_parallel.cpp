// Histogram lab on all cores.
#include <algorithm>
#include <array>
#include <cstdint>

#include "gpu/core/registry.h"
#include "gpu/cpu/rows.h"

namespace tonescope {
namespace {

/// Adds this thread's share of the bands of a color image to `total`. Called inside a parallel region.
void count_color(const CpuJob& job, FineHistogram& total) {
    const ImageSpec& spec = job.input.spec;
    const int bands = band_count(spec), rows = band_rows(spec);
    Luma10Counter counter;
    alignas(64) uint16_t luma10[kChunk_px];
#pragma omp for schedule(dynamic) nowait
    for (int band = 0; band < bands; ++band) {
        if (job.stop.stop_requested()) continue;
        for (int y = band * rows; y < std::min(band * rows + rows, spec.height); ++y) {
            for (int x = 0; x < spec.width; x += kChunk_px) {
                const int n = std::min(spec.width - x, kChunk_px);
                luma10_row(job.input.pixel(x, y), luma10, n);
                counter.add(luma10, n);
            }
        }
    }
#pragma omp critical(histogram_lab_merge)
    counter.add_to(total);
}

/// The same for a gray image, whose words are 4 v: its bytes are counted.
void count_gray(const CpuJob& job, FineHistogram& total) {
    const ImageSpec& spec = job.input.spec;
    const int bands = band_count(spec), rows = band_rows(spec);
    ByteCounter counter;
#pragma omp for schedule(dynamic) nowait
    for (int band = 0; band < bands; ++band) {
        if (job.stop.stop_requested()) continue;
        for (int y = band * rows; y < std::min(band * rows + rows, spec.height); ++y)
            counter.add(job.input.row(y), spec.width);
    }
    std::array<uint32_t, 256> own{};
    counter.add_to(own);
#pragma omp critical(histogram_lab_merge)
    for (size_t v = 0; v < 256; ++v) total[4 * v] += own[v];
}

void run_histogram_parallel(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    FineHistogram total{};
    {
        const ScopedStage stage(job.stages, "histogram", spec.row_bytes() * uint64_t(spec.height));
#pragma omp parallel num_threads(std::clamp(job.threads, 1, band_count(spec)))
        {
            if (spec.format == PixelFormat::gray8) {
                count_gray(job, total);
            } else {
                count_color(job, total);
            }
        }
    }
    const ScopedStage stage(job.stages, "clamp");
    job.bins->counts.assign(total.begin(), total.end());
    job.bins->bins.resize(kFineBins);
    for (size_t bin = 0; bin < kFineBins; ++bin) job.bins->bins[bin] = total[bin] < 255 ? uint8_t(total[bin]) : 255;
}

const VariantRegistration histogram_cpu_parallel_variant({
    .op = "histogram",
    .id = "parallel",
    .name = "All cores",
    .source = "",
    .backend = BackendKind::cpu,
    .follows = "cpu",
    .preferred = true,
    .idea = "The words never reach memory: each thread makes a few at a time in its cache and counts them into "
            "histograms of its "
            "own, two in turn, so that equal neighbours do not wait for each other.",
    .cost = "Reads the image once; about one increment a clock cycle and core.",
    .flaw = "Increments go one at a time, because vector units have no counting; the threads' histograms are added one "
            "after another.",
    .run_cpu = run_histogram_parallel,
});

}  // namespace
}  // namespace tonescope
