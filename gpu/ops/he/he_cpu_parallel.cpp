// Histogram equalization on all cores: the variant for live use, and the preview, whose counts come from a sample of
// the whole image.
#include <algorithm>

#include "gpu/cpu/rows.h"
#include "gpu/ops/he/he.h"
#include "gpu/ops/he/he_cpu.h"

namespace tonescope::he {
namespace {

constexpr int64_t kMaxSamples = 1 << 20;  // of a preview
constexpr int kBandRows = 16;             // that a thread takes at a time

/// Rounds 255 * part / whole to the nearest integer, halves up.
uint8_t share_of_255(uint64_t part, uint64_t whole) {
    return uint8_t((510 * part + whole) / (2 * whole));
}

Table make_table(const Counts& counts, uint64_t pixels) {
    Table table{};
    const size_t first = size_t(std::ranges::find_if(counts, [](uint32_t c) { return c != 0; }) - counts.begin());
    const uint64_t above_first = pixels - counts[first];
    uint64_t sum = 0;
    for (size_t v = 0; v < 256; ++v) {
        if (v > first) sum += counts[v];
        table[v] = above_first == 0 ? uint8_t(v) : share_of_255(sum, above_first);
    }
    return table;
}

/// Four loads before four stores: the compiler may not reorder them itself, since `out` could overlap the table.
void look_up(const uint8_t* lut, const uint8_t* in, uint8_t* out, int n) {
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const uint8_t a = lut[in[i]], b = lut[in[i + 1]], c = lut[in[i + 2]], d = lut[in[i + 3]];
        out[i] = a;
        out[i + 1] = b;
        out[i + 2] = c;
        out[i + 3] = d;
    }
    for (; i < n; ++i) out[i] = lut[in[i]];
}

/// The pixels (x + i step, y + j step) of an image.
struct Samples {
    ImageView image;
    int x, y, step, columns, rows;

    /// The n pixels from column i of row j on: in `buffer`, unless they stand side by side in the image.
    const uint8_t* pixels(int i, int j, int n, uint8_t* buffer) const {
        const uint8_t* from = image.pixel(x + i * step, y + j * step);
        if (step == 1) return from;
        if (image.spec.format == PixelFormat::gray8) {
            for (int k = 0; k < n; ++k) buffer[k] = from[size_t(k) * size_t(step)];
        } else {
            for (int k = 0; k < n; ++k) std::memcpy(buffer + size_t(k) * 4, from + size_t(k) * size_t(step) * 4, 4);
        }
        return buffer;
    }
};

/// A grid over the whole image: every pixel where step is 1.
Samples whole_image(const ImageView& image, int step) {
    return {image, 0, 0, step, (image.spec.width + step - 1) / step, (image.spec.height + step - 1) / step};
}

/// Counts the values that `color` equalizes: one plane, or three. Incomplete once `stop` is set.
std::array<Counts, 3> count(const Samples& samples, ColorMode color, int threads, const std::stop_token& stop) {
    std::array<Counts, 3> total{};
#pragma omp parallel num_threads(std::max(threads, 1))
    {
        ByteCounter counters[3];
        alignas(64) uint8_t buffer[4 * kChunk_px];
        alignas(64) uint8_t luma[kChunk_px];
#pragma omp for schedule(dynamic, kBandRows) nowait
        for (int j = 0; j < samples.rows; ++j) {
            if (stop.stop_requested()) continue;
            for (int i = 0; i < samples.columns; i += kChunk_px) {
                const int n = std::min(samples.columns - i, kChunk_px);
                const uint8_t* pixels = samples.pixels(i, j, n, buffer);
                if (samples.image.spec.format == PixelFormat::gray8) {
                    counters[0].add(pixels, n);
                } else if (color == color_channels) {
                    count_channels(pixels, n, counters[0], counters[1], counters[2]);
                } else {
                    luma_row(pixels, luma, n);
                    counters[0].add(luma, n);
                }
            }
        }
#pragma omp critical(he_merge)
        for (size_t c = 0; c < 3; ++c) counters[c].add_to(total[c]);
    }
    return total;
}

/// Looks n pixels up, at most kChunk_px. Gray input goes to gray output only.
void apply_chunk(const Tables& tables, ColorMode color, bool from_gray, bool to_gray, const uint8_t* in, uint8_t* out,
                 int n) {
    if (from_gray) return look_up(tables.lut[0].data(), in, out, n);
    if (color == color_channels) {
        const Table &red = tables.lut[0], &green = tables.lut[1], &blue = tables.lut[2];
        for (int i = 0; i < n; ++i, in += 4, out += 4) {
            const uint8_t pixel[4] = {red[in[0]], green[in[1]], blue[in[2]], in[3]};
            std::memcpy(out, pixel, 4);
        }
        return;
    }
    alignas(64) uint8_t luma[kChunk_px];
    luma_row(in, luma, n);
    if (to_gray) return look_up(tables.lut[0].data(), luma, out, n);
    if (color == color_gray) {
        for (int i = 0; i < n; ++i) {
            const uint8_t value = tables.lut[0][luma[i]];
            const uint8_t pixel[4] = {value, value, value, in[4 * i + 3]};
            std::memcpy(out + 4 * i, pixel, 4);
        }
        return;
    }
    alignas(64) int16_t delta[kChunk_px][4];
    for (int i = 0; i < n; ++i) std::memcpy(delta[i], tables.delta[luma[i]].data(), sizeof(delta[i]));
    const int16_t* shift = delta[0];
    for (int i = 0; i < 4 * n; ++i) {
        const auto value = int16_t(in[i] + shift[i]);
        out[i] = uint8_t(std::clamp<int16_t>(value, 0, 255));
    }
}

/// Garbage once `stop` is set.
void apply(const Samples& samples, const Tables& tables, ColorMode color, const MutableImageView& out, int threads,
           const std::stop_token& stop) {
    const bool from_gray = samples.image.spec.format == PixelFormat::gray8;
    const bool to_gray = out.spec.format == PixelFormat::gray8;
#pragma omp parallel for schedule(dynamic, kBandRows) num_threads(std::max(threads, 1))
    for (int j = 0; j < samples.rows; ++j) {
        if (stop.stop_requested()) continue;
        alignas(64) uint8_t buffer[4 * kChunk_px];
        for (int i = 0; i < samples.columns; i += kChunk_px) {
            const int n = std::min(samples.columns - i, kChunk_px);
            apply_chunk(tables, color, from_gray, to_gray, samples.pixels(i, j, n, buffer), out.pixel(i, j), n);
        }
    }
}

void run_parallel(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    const ColorMode color = color_of(spec, job.params);
    const Samples all = whole_image(job.input, 1);
    std::array<Counts, 3> counts;
    {
        const ScopedStage stage(job.stages, "histogram", spec.row_bytes() * uint64_t(spec.height));
        counts = count(all, color, job.threads, job.stop);
    }
    if (job.stop.stop_requested()) return;
    Tables tables;
    {
        const ScopedStage stage(job.stages, "table");
        tables = make_tables(counts, uint64_t(spec.pixels()), color);
    }
    const ScopedStage stage(job.stages, "apply",
                            (spec.row_bytes() + job.output.spec.row_bytes()) * uint64_t(spec.height));
    apply(all, tables, color, job.output, job.threads, job.stop);
}

const VariantRegistration cpu_parallel_variant({
    .op = "he",
    .id = "parallel",
    .name = "All cores",
    .follows = "cpu",
    .preferred = true,
    .idea = "Bands of rows on all cores; every thread counts into four histograms of its own, so that equal neighbours "
            "do not wait for each other, and color arithmetic runs on vectors of 16-bit numbers.",
    .cost = "About one count and one look-up a clock cycle and core: close to three cycles a gray pixel in all.",
    .flaw = "Counting and looking up go one pixel at a time, because vector units have neither; luma is computed in "
            "both passes.",
    .run_cpu = run_parallel,
});

}  // namespace

Tables make_tables(const std::array<Counts, 3>& counts, uint64_t pixels, ColorMode color) {
    Tables tables;
    for (size_t c = 0; c < (color == color_channels ? 3 : 1); ++c) tables.lut[c] = make_table(counts[c], pixels);
    for (size_t v = 0; v < 256; ++v) {
        const auto delta = int16_t(tables.lut[0][v] - int(v));
        tables.delta[v] = {delta, delta, delta, 0};
    }
    return tables;
}

void preview(const PreviewJob& job) {
    const ColorMode color = color_of(job.input.spec, job.params);
    Samples all = whole_image(job.input, 1);
    while (int64_t{all.columns} * all.rows > kMaxSamples) all = whole_image(job.input, all.step + 1);
    const std::array<Counts, 3> counts = count(all, color, job.threads, job.stop);
    if (job.stop.stop_requested()) return;
    const Tables tables = make_tables(counts, uint64_t(all.columns) * uint64_t(all.rows), color);
    const ImageSpec& out = job.output.spec;
    apply({job.input, job.region.x, job.region.y, job.step, out.width, out.height}, tables, color, job.output,
          job.threads, job.stop);
}

}  // namespace tonescope::he
