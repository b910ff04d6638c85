// Histogram equalization on all cores: the variant for live use, and the preview, whose counts come from a sample of
// the whole image.
#include <algorithm>

#include "gpu/cpu/rows.h"
#include "gpu/ops/color_rows.h"
#include "gpu/ops/counted_values.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {
namespace {

constexpr int64_t kMaxSamples = 1 << 20;  // of a preview
constexpr int kBandRows = 16;             // that a thread takes at a time

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

/// Looks each channel up in a table of its own: faster than plane by plane.
void look_up_channels(const Tables& tables, const uint8_t* in, uint8_t* out, int n) {
    for (int i = 0; i < n; ++i, in += 4, out += 4) {
        const uint8_t pixel[4] = {tables[0][in[0]], tables[1][in[1]], tables[2][in[2]], in[3]};
        std::memcpy(out, pixel, 4);
    }
}

/// Garbage once `stop` is set.
void apply(const ImageView& in, const Tables& tables, const ColorChange& change, const MutableImageView& out,
           int threads, const std::stop_token& stop) {
    const int32_t color = change.color;
    const bool mixes = mixes_values(in.spec, color);
    const bool to_gray = out.spec.format == PixelFormat::gray8, by_channels = plane_count(in.spec, color) == 3;
    parallel_for(threads, in.spec.height, kBandRows, [&](int64_t row) {
        if (stop.stop_requested()) return;
        const int y = int(row);
        alignas(64) uint8_t values[kChunk_px], changed[3][kChunk_px];
        for (int x = 0; x < in.spec.width; x += kChunk_px) {
            const uint8_t* from = in.pixel(x, y);
            uint8_t* to = out.pixel(x, y);
            const int n = std::min(in.spec.width - x, kChunk_px);
            if (by_channels) {
                look_up_channels(tables, from, to, n);
                mix_samples(from, 4 * n, change.amount, to);
                continue;
            }
            const uint8_t* old_values = plane_values(from, n, in.spec.format, color, 0, values);
            uint8_t* result = to_gray ? to : changed[0];
            look_up(tables[0].data(), old_values, result, n);
            if (mixes) mix_samples(old_values, n, change.amount, result);
            if (!to_gray) write_pixels(from, n, change, values, changed, to);
        }
    });
}

/// Where counting tells lo and hi too, they are not looked for: where every sample is a value.
bool counts_tell_range(const ImageSpec& spec, int32_t color) {
    return is_deep(spec.format) && (is_gray(spec.format) || color == color_channels);
}

/// lo and hi, before anything is counted.
ValueRange find_range(const CpuJob& job, const Params& params) {
    const ImageSpec& spec = job.input.spec;
    const int32_t choice = params.range_choice();
    if (!takes_used_values(spec, choice) || counts_tell_range(spec, params.color)) return full_values(spec);
    const ScopedStage stage(job.stages, "range");
    return find_counted_values(job.input, choice, params.color, params.left_out(spec), job.threads, job.stop);
}

void run_deep(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    const auto params = job.params.as<Params>();
    const int32_t left_out = params.left_out(spec);
    ValueRange range = find_range(job, params);
    DeepCounts counts;
    {
        const ScopedStage stage(job.stages, "histogram");
        counts = count_deep(job.input, params.color, left_out, job.threads, job.stop);
    }
    if (job.stop.stop_requested()) return;
    DeepTables tables;
    {
        const ScopedStage stage(job.stages, "table");
        if (takes_used_values(spec, params.range_choice()) && counts_tell_range(spec, params.color))
            range = counted_range(counts, range);
        tables = make_deep_tables(counts, range, left_out);
    }
    const ScopedStage stage(job.stages, "apply");
    apply_deep(job.input, tables, params.change(), job.output, job.threads, job.stop);
}

void run_parallel(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    if (is_deep(spec.format)) return run_deep(job);
    const auto params = job.params.as<Params>();
    const int32_t color = params.color, left_out = params.left_out(spec);
    const ValueRange range = find_range(job, params);
    PlaneCounts counts;
    {
        const ScopedStage stage(job.stages, "histogram");
        counts = count_bytes(job.input, color, left_out, job.threads, job.stop);
    }
    if (job.stop.stop_requested()) return;
    Tables tables;
    {
        const ScopedStage stage(job.stages, "table");
        tables = make_tables(counts, plane_count(spec, color), range, left_out);
    }
    const ScopedStage stage(job.stages, "apply");
    apply(job.input, tables, params.change(), job.output, job.threads, job.stop);
}

const VariantRegistration cpu_parallel_variant({
    .op = "he",
    .id = "parallel",
    .name = "All cores",
    .follows = "cpu",
    .builds_on = "cpu",
    .preferred = true,
    .any_depth = true,
    .every_value_of = "no_data",
    .idea = "Bands of rows on all cores; every thread counts into four histograms of its own, so that equal neighbors "
            "do not wait for each other, and color arithmetic runs on vectors.",
    .cost = "About one count and one look-up a clock cycle and core: close to three cycles a gray pixel in all.",
    .flaw = "Counting and looking up go one pixel at a time, because vector units have neither; luma is computed in "
            "both passes.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double in = bytes_per_pixel(c.image.format);
            return Work{{"histogram", c.pixels() * Amounts{.bytes = in, .operations = by_color(c, color, 3, 9, 9)}},
                        {"apply", c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                                       .operations = by_color(c, color, 3, 21, 9)}}};
        },
    .run_cpu = run_parallel,
});

}  // namespace

PlaneCounts count_bytes(const ImageView& image, int32_t color, int32_t left_out, int threads,
                        const std::stop_token& stop) {
    PlaneCounts total{};
    count_pieces<std::array<ByteCounter, 3>>(
        image, threads, stop,
        [&](auto& counters, const uint8_t* pixels, int n) {
            if (plane_count(image.spec, color) == 3)
                return count_channels(pixels, n, counters[0], counters[1], counters[2]);
            alignas(64) uint8_t values[kChunk_px];
            counters[0].add(plane_values(pixels, n, image.spec.format, color, 0, values), n);
        },
        [&](const auto& counters) {
            for (size_t k = 0; k < 3; ++k) counters[k].add_to(total[k]);
        });
    if (left_out != kNothingLeftOut)
        for (Counts& plane : total) plane[size_t(left_out)] = 0;
    return total;
}

Tables make_tables(const PlaneCounts& counts, int planes, ValueRange range, int32_t left_out) {
    Tables tables{};
    for (size_t k = 0; k < size_t(planes); ++k) fill_table<uint8_t>(counts[k], range, left_out, tables[k]);
    return tables;
}

void preview(const PreviewJob& job) {
    const ImageSpec &spec = job.input.spec, &out = job.output.spec;
    const auto params = job.params.as<Params>();
    const int32_t color = params.color, left_out = params.left_out(spec);
    int step = 1;
    while (int64_t{sample_count(spec.width, step)} * sample_count(spec.height, step) > kMaxSamples) ++step;
    ImageSpec part = spec;
    part.width = sample_count(spec.width, step);
    part.height = sample_count(spec.height, step);
    HostImage whole(part);
    sample(job.input, 0, 0, step, whole.mutable_view(), job.threads);
    part.width = out.width;
    part.height = out.height;
    HostImage shown(part);
    sample(job.input, job.region.x, job.region.y, job.step, shown.mutable_view(), job.threads);
    // Values that only the part has stretch the range by themselves.
    const int32_t choice = params.range_choice();
    const auto find = [&](const HostImage& image) {
        return find_counted_values(image.view(), choice, color, left_out, job.threads, job.stop);
    };
    const ValueRange all = find(whole), here = find(shown);
    const ValueRange range{std::min(all.lo, here.lo), std::max(all.hi, here.hi)};
    if (is_deep(spec.format)) {
        const DeepCounts counts = count_deep(whole.view(), color, left_out, job.threads, job.stop);
        if (job.stop.stop_requested()) return;
        apply_deep(shown.view(), make_deep_tables(counts, range, left_out), params.change(), job.output, job.threads,
                   job.stop);
        return;
    }
    const PlaneCounts counts = count_bytes(whole.view(), color, left_out, job.threads, job.stop);
    if (job.stop.stop_requested()) return;
    const Tables tables = make_tables(counts, plane_count(spec, color), range, left_out);
    apply(shown.view(), tables, params.change(), job.output, job.threads, job.stop);
}

}  // namespace tonescope::he
