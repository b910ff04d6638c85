// Histogram equalization on all cores.
#include <algorithm>

#include "gpu/cpu/rows.h"
#include "gpu/ops/he/he.h"
#include "gpu/ops/he/he_cpu.h"

namespace tonescope::he {
namespace {

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

}  // namespace

void ValueCounter::add(const uint8_t* pixels, int n) {
    if (format_ == PixelFormat::gray8) return counters_[0].add(pixels, n);
    if (color_ == color_channels) return count_channels(pixels, n, counters_[0], counters_[1], counters_[2]);
    alignas(64) uint8_t luma[kChunk_px];
    for (int done = 0; done < n; done += kChunk_px) {
        const int count = std::min(n - done, kChunk_px);
        luma_row(pixels + size_t(done) * 4, luma, count);
        counters_[0].add(luma, count);
    }
}

Tables make_tables(const std::array<Counts, 3>& counts, uint64_t pixels, ColorMode color) {
    Tables tables;
    for (size_t c = 0; c < (color == color_channels ? 3 : 1); ++c) tables.lut[c] = make_table(counts[c], pixels);
    for (size_t v = 0; v < 256; ++v) {
        const auto delta = int16_t(tables.lut[0][v] - int(v));
        tables.delta[v] = {delta, delta, delta, 0};
    }
    return tables;
}

void apply_row(const Tables& tables, ColorMode color, PixelFormat in_format, PixelFormat out_format, const uint8_t* in,
               uint8_t* out, int n) {
    if (in_format == PixelFormat::gray8) {
        look_up(tables.lut[0].data(), in, out, n);
        return;
    }
    if (color == color_channels) {
        const Table &red = tables.lut[0], &green = tables.lut[1], &blue = tables.lut[2];
        for (int i = 0; i < n; ++i, in += 4, out += 4) {
            const uint8_t pixel[4] = {red[in[0]], green[in[1]], blue[in[2]], in[3]};
            std::memcpy(out, pixel, 4);
        }
        return;
    }
    alignas(64) uint8_t luma[kChunk_px];
    alignas(64) int16_t delta[kChunk_px][4];
    for (int done = 0; done < n; done += kChunk_px) {
        const int count = std::min(n - done, kChunk_px);
        const uint8_t* from = in + size_t(done) * 4;
        luma_row(from, luma, count);
        if (out_format == PixelFormat::gray8) {
            look_up(tables.lut[0].data(), luma, out + done, count);
            continue;
        }
        uint8_t* to = out + size_t(done) * 4;
        if (color == color_gray) {
            for (int i = 0; i < count; ++i) {
                const uint8_t value = tables.lut[0][luma[i]];
                const uint8_t pixel[4] = {value, value, value, from[4 * i + 3]};
                std::memcpy(to + 4 * i, pixel, 4);
            }
            continue;
        }
        for (int i = 0; i < count; ++i) std::memcpy(delta[i], tables.delta[luma[i]].data(), sizeof(delta[i]));
        const int16_t* shift = delta[0];
        for (int i = 0; i < 4 * count; ++i) {
            const auto value = int16_t(from[i] + shift[i]);
            to[i] = uint8_t(std::clamp<int16_t>(value, 0, 255));
        }
    }
}

namespace {

std::array<Counts, 3> count(const CpuJob& job, ColorMode color) {
    const ImageSpec& spec = job.input.spec;
    const ScopedStage stage(job.stages, "histogram", spec.row_bytes() * uint64_t(spec.height));
    const int bands = band_count(spec), rows = band_rows(spec);
    std::array<Counts, 3> total{};
#pragma omp parallel num_threads(std::clamp(job.threads, 1, bands))
    {
        ValueCounter counter(spec.format, color);
#pragma omp for schedule(dynamic) nowait
        for (int band = 0; band < bands; ++band) {
            if (job.stop.stop_requested()) continue;
            for (int y = band * rows; y < std::min(band * rows + rows, spec.height); ++y)
                counter.add(job.input.row(y), spec.width);
        }
#pragma omp critical(he_merge)
        counter.add_to(total);
    }
    return total;
}

void apply(const CpuJob& job, const Tables& tables, ColorMode color) {
    const ImageSpec& spec = job.input.spec;
    const ScopedStage stage(job.stages, "apply",
                            (spec.row_bytes() + job.output.spec.row_bytes()) * uint64_t(spec.height));
    const int bands = band_count(spec), rows = band_rows(spec);
#pragma omp parallel for schedule(dynamic) num_threads(std::clamp(job.threads, 1, bands))
    for (int band = 0; band < bands; ++band) {
        if (job.stop.stop_requested()) continue;
        for (int y = band * rows; y < std::min(band * rows + rows, spec.height); ++y)
            apply_row(tables, color, spec.format, job.output.spec.format, job.input.row(y), job.output.row(y),
                      spec.width);
    }
}

void run_parallel(const CpuJob& job) {
    const auto color =
        job.input.spec.format == PixelFormat::gray8 ? color_luma : ColorMode(job.params.as<Params>().color);
    const std::array<Counts, 3> counts = count(job, color);
    if (job.stop.stop_requested()) return;
    Tables tables;
    {
        const ScopedStage stage(job.stages, "table");
        tables = make_tables(counts, uint64_t(job.input.spec.pixels()), color);
    }
    apply(job, tables, color);
}

const VariantRegistration cpu_parallel_variant({
    .op = "he",
    .id = "parallel",
    .name = "All cores",
    .source = "",
    .backend = BackendKind::cpu,
    .follows = "cpu",
    .preferred = true,
    .idea = "Bands of rows on all cores; every thread counts into four histograms of its own, so that equal neighbours "
            "do not wait "
            "for each other, and color arithmetic runs on vectors of 16-bit numbers.",
    .cost = "About one count and one look-up a clock cycle and core: close to three cycles a gray pixel in all.",
    .flaw = "Counting and looking up go one pixel at a time, because vector units have neither; luma is computed in "
            "both passes.",
    .run_cpu = run_parallel,
});

}  // namespace
}  // namespace tonescope::he
