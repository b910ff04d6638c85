// Report B, CPU version 1: histogram equalization before the branch clean-up. The loop over the table asks of each
// entry whether it is negative, and the pixel loop clamps each value to the greatest one. The reference differs in that
// alone.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "gpu/ops/he/he.h"
#include "gpu/ops/reference_values.h"

namespace tonescope::he {
namespace {

using BranchyCounts = std::vector<int64_t>;  // a bin for each value from lo to hi
using BranchyTable = std::vector<int>;       // likewise

/// The formula's values, those below the first value that occurs replaced by lo.
BranchyTable branchy_table(const BranchyCounts& counts, ValueRange range) {
    int64_t n = 0;
    for (const int64_t count : counts) n += count;
    size_t i0 = 0;
    while (n > 0 && counts[i0] == 0) ++i0;
    const int64_t m = counts[i0];
    const int64_t d = n - m;
    BranchyTable table(counts.size());
    int64_t cdf = 0;
    for (size_t v = 0; v < counts.size(); ++v) {
        cdf += counts[v];
        if (d == 0) {
            table[v] = range.lo + int(v);
        } else {
            const int64_t value = (2 * int64_t{range.hi - range.lo} * (cdf - m) + d) / (2 * d);
            table[v] = range.lo + (value < 0 ? 0 : int(value));
        }
    }
    return table;
}

template <PixelFormat kFormat>
void run_branchy(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    const auto params = job.params.as<Params>();
    const int32_t color = params.color, range_choice = params.range_choice();
    const int planes = plane_count(spec, color), left_out = params.left_out(spec);
    ValueRange range = full_values(spec);
    if (takes_used_values(spec, range_choice)) {
        const ScopedStage stage(job.stages, "range");
        range = reference_range<kFormat>(job.input, range_choice, color, left_out);
    }
    std::array<BranchyCounts, 3> counts;
    {
        const ScopedStage stage(job.stages, "histogram");
        counts.fill(BranchyCounts(size_t(range.size())));
        for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y)
            for (int x = 0; x < spec.width; ++x)
                for (int plane = 0; plane < planes; ++plane) {
                    const int value = reference_value<kFormat>(job.input, x, y, color, plane);
                    if (value != left_out) ++counts[size_t(plane)][size_t(value - range.lo)];
                }
    }
    if (job.stop.stop_requested()) return;
    std::array<BranchyTable, 3> tables;
    {
        const ScopedStage stage(job.stages, "table");
        for (int plane = 0; plane < planes; ++plane)
            tables[size_t(plane)] = branchy_table(counts[size_t(plane)], range);
    }
    const ScopedStage stage(job.stages, "apply");
    for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y) {
        for (int x = 0; x < spec.width; ++x) {
            int changed[3] = {};
            for (int plane = 0; plane < planes; ++plane) {
                const int value = reference_value<kFormat>(job.input, x, y, color, plane);
                changed[plane] =
                    value == left_out ? value : std::min(range.hi, tables[size_t(plane)][size_t(value - range.lo)]);
            }
            write_reference<kFormat>(job.input, x, y, params.change(), changed, job.output);
        }
    }
}

const VariantRegistration cpu_branchy_variant({
    .op = "he",
    .id = "cpu-branchy",
    .name = "Branches in the pixel loop",
    .source = "B CPU 1",
    .any_depth = true,
    .every_value_of = "no_data",
    .idea = "Count every pixel, evaluate the formula for every value and replace those below 0, then look every pixel "
            "up and clamp what it gets to the greatest value.",
    .cost = "Reads the image twice and writes it once on one core; a comparison for each pixel and value besides.",
    .flaw = "The clamp's answer depends on the entry alone, so that a comparison for each entry would do in place of "
            "one for each pixel.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double in = bytes_per_pixel(c.image.format);
            return Work{{"histogram", c.pixels() * Amounts{.bytes = in, .operations = by_color(c, color, 6, 12, 18)}},
                        {"apply", c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                                       .operations = by_color(c, color, 10, 31, 30)}}};
        },
    .run_cpu =
        [](const CpuJob& job) {
            with_format(job.input.spec.format, [&]<PixelFormat kFormat>() { run_branchy<kFormat>(job); });
        },
});

}  // namespace
}  // namespace tonescope::he
