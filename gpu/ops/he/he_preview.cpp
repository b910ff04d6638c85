// A quick look at histogram equalization: the counts come from a sample of the whole image.
#include <algorithm>

#include "gpu/ops/he/he.h"
#include "gpu/ops/he/he_cpu.h"

namespace tonescope::he {
namespace {

constexpr int64_t kMaxSamples = 1 << 20;

/// The smallest step of a regular grid that samples at most kMaxSamples pixels of the image.
int sample_step(const ImageSpec& spec) {
    int step = 1;
    while ((int64_t{spec.width} + step - 1) / step * ((int64_t{spec.height} + step - 1) / step) > kMaxSamples) ++step;
    return step;
}

/// Copies n pixels that stand `step` pixels apart from each other.
void gather(const uint8_t* from, int step, int pixel_bytes, uint8_t* to, int n) {
    if (pixel_bytes == 1) {
        for (int i = 0; i < n; ++i) to[i] = from[size_t(i) * size_t(step)];
    } else {
        for (int i = 0; i < n; ++i) std::memcpy(to + size_t(i) * 4, from + size_t(i) * size_t(step) * 4, 4);
    }
}

}  // namespace

void preview(const PreviewJob& job) {
    const ImageSpec& spec = job.input.spec;
    const ColorMode color = spec.format == PixelFormat::gray8 ? color_luma : ColorMode(job.params.as<Params>().color);
    const int pixel_bytes = bytes_per_pixel(spec.format);
    const int step = sample_step(spec);
    const int columns = (spec.width + step - 1) / step, rows = (spec.height + step - 1) / step;

    std::array<Counts, 3> total{};
#pragma omp parallel num_threads(std::max(1, job.threads))
    {
        ValueCounter counter(spec.format, color);
        alignas(64) uint8_t pixels[kChunk_px * 4];
#pragma omp for schedule(dynamic, 16) nowait
        for (int row = 0; row < rows; ++row) {
            if (job.stop.stop_requested()) continue;
            for (int column = 0; column < columns; column += kChunk_px) {
                const int n = std::min(columns - column, kChunk_px);
                gather(job.input.pixel(column * step, row * step), step, pixel_bytes, pixels, n);
                counter.add(pixels, n);
            }
        }
#pragma omp critical(he_preview_merge)
        counter.add_to(total);
    }
    if (job.stop.stop_requested()) return;

    const Tables tables = make_tables(total, uint64_t(columns) * uint64_t(rows), color);
    const ImageSpec& out = job.output.spec;
#pragma omp parallel for schedule(dynamic, 16) num_threads(std::max(1, job.threads))
    for (int j = 0; j < out.height; ++j) {
        if (job.stop.stop_requested()) continue;
        alignas(64) uint8_t pixels[kChunk_px * 4];
        for (int i = 0; i < out.width; i += kChunk_px) {
            const int n = std::min(out.width - i, kChunk_px);
            gather(job.input.pixel(job.region.x + i * job.step, job.region.y + j * job.step), job.step, pixel_bytes,
                   pixels, n);
            apply_row(tables, color, spec.format, out.format, pixels, job.output.pixel(i, j), n);
        }
    }
}

}  // namespace tonescope::he
