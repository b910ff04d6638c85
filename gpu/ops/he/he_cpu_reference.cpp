// Histogram equalization in plain loops: the definition that every other variant is compared with.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "gpu/ops/he/he.h"
#include "gpu/ops/reference_values.h"

namespace tonescope::he {
namespace {

using Counts64 = std::vector<int64_t>;  // a bin for each value from lo to hi
using LookupTable = std::vector<int>;   // likewise

/// lut[v] = lo below the first non-empty bin i0, else lo + floor((2 (hi - lo) (cdf[v] - m) + d) / (2 d)) with m the
/// count of bin i0, d = N - m and N all counts. Where one value is counted alone it stays as it is.
LookupTable equalizing_table(const Counts64& counts, ValueRange range) {
    int64_t n = 0;
    for (const int64_t count : counts) n += count;
    size_t i0 = 0;
    while (n > 0 && counts[i0] == 0) ++i0;
    const int64_t m = counts[i0];
    const int64_t d = n - m;
    LookupTable table(counts.size(), range.lo);
    int64_t cdf = 0;
    for (size_t v = 0; v < counts.size(); ++v) {
        cdf += counts[v];
        if (d == 0) {
            table[v] = range.lo + int(v);
        } else if (v >= i0) {
            table[v] = range.lo + int((2 * int64_t{range.hi - range.lo} * (cdf - m) + d) / (2 * d));
        }
    }
    return table;
}

template <PixelFormat kFormat>
void run_reference(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    const auto params = job.params.as<Params>();
    const int32_t color = params.color, range_choice = params.range_choice();
    const int planes = plane_count(spec, color), left_out = params.left_out(spec);
    ValueRange range = full_values(spec);
    if (takes_used_values(spec, range_choice)) {
        const ScopedStage stage(job.stages, "range");
        range = reference_range<kFormat>(job.input, range_choice, color, left_out);
    }
    std::array<Counts64, 3> counts;
    {
        const ScopedStage stage(job.stages, "histogram");
        counts.fill(Counts64(size_t(range.size())));
        for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y)
            for (int x = 0; x < spec.width; ++x)
                for (int plane = 0; plane < planes; ++plane) {
                    const int value = reference_value<kFormat>(job.input, x, y, color, plane);
                    if (value != left_out) ++counts[size_t(plane)][size_t(value - range.lo)];
                }
    }
    if (job.stop.stop_requested()) return;
    std::array<LookupTable, 3> tables;
    {
        const ScopedStage stage(job.stages, "table");
        for (int plane = 0; plane < planes; ++plane)
            tables[size_t(plane)] = equalizing_table(counts[size_t(plane)], range);
    }
    const ScopedStage stage(job.stages, "apply");
    for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y) {
        for (int x = 0; x < spec.width; ++x) {
            int changed[3] = {};
            for (int plane = 0; plane < planes; ++plane) {
                const int value = reference_value<kFormat>(job.input, x, y, color, plane);
                changed[plane] = value == left_out ? value : tables[size_t(plane)][size_t(value - range.lo)];
            }
            write_reference<kFormat>(job.input, x, y, params.change(), changed, job.output);
        }
    }
}

const VariantRegistration cpu_reference_variant({
    .op = "he",
    .id = "cpu",
    .name = "Reference",
    .source = "B CPU 2; C CPU",
    .follows = "cpu-branchy",
    .builds_on = "cpu-branchy",
    .reference = true,
    .any_depth = true,
    .every_value_of = "no_data",
    .idea = "The table is zero up to the first value that occurs and filled from there, so that nothing can be "
            "negative and neither its loop nor the one over the pixels needs a clamp.",
    .cost = "Reads the image twice and writes it once on one core; each count waits for the one before where values "
            "repeat.",
    .flaw = "One thread and one pixel at a time: it uses a fraction of the memory bandwidth and of the cores.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double in = bytes_per_pixel(c.image.format);
            return Work{{"histogram", c.pixels() * Amounts{.bytes = in, .operations = by_color(c, color, 6, 12, 18)}},
                        {"apply", c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                                       .operations = by_color(c, color, 9, 30, 27)}}};
        },
    .run_cpu =
        [](const CpuJob& job) {
            with_format(job.input.spec.format, [&]<PixelFormat kFormat>() { run_reference<kFormat>(job); });
        },
});

}  // namespace
}  // namespace tonescope::he
