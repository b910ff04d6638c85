// Report B, CPU version 1: histogram equalization before the branch clean-up.
//
// The table holds the formula's values as they come, so that values below the first one that occurs give negative
// numbers. Every pixel then asks whether its entry is negative or above 255. The reference asks the 256 entries
// instead, once each: that is the clean-up.
#include <array>
#include <cstdint>

#include "gpu/ops/color_param.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {
namespace {

using Counts64 = std::array<int64_t, 256>;
using UnclampedTable = std::array<int64_t, 256>;

/// floor((510 (cdf - m) + d) / (2 d)), negative below the first value that occurs.
UnclampedTable unclamped_table(const Counts64& counts, int64_t pixels) {
    int64_t first_count = 0;
    for (size_t v = 0; first_count == 0; ++v) first_count = counts[v];
    const int64_t above_first = pixels - first_count;
    UnclampedTable table{};
    int64_t cdf = 0;
    for (size_t v = 0; v < 256; ++v) {
        cdf += counts[v];
        if (above_first == 0) {
            table[v] = int64_t(v);  // an image of one value stays as it is
            continue;
        }
        const int64_t numerator = 510 * (cdf - first_count) + above_first, denominator = 2 * above_first;
        table[v] = numerator / denominator - (numerator % denominator < 0 ? 1 : 0);
    }
    return table;
}

void run_branchy(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    const int32_t color = job.params.as<Params>().color;
    const int planes = plane_count(spec, color);
    std::array<Counts64, 3> counts{};
    {
        const ScopedStage stage(job.stages, "histogram", spec.size_bytes());
        for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y)
            for (int x = 0; x < spec.width; ++x)
                for (int plane = 0; plane < planes; ++plane)
                    ++counts[size_t(plane)][size_t(color_value(job.input.pixel(x, y), spec, color, plane))];
    }
    if (job.stop.stop_requested()) return;
    std::array<UnclampedTable, 3> tables{};
    {
        const ScopedStage stage(job.stages, "table");
        for (size_t plane = 0; plane < size_t(planes); ++plane)
            tables[plane] = unclamped_table(counts[plane], spec.pixels());
    }
    const ScopedStage stage(job.stages, "apply", spec.size_bytes() + job.output.spec.size_bytes());
    for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y) {
        for (int x = 0; x < spec.width; ++x) {
            const uint8_t* in = job.input.pixel(x, y);
            int values[3] = {};
            for (int plane = 0; plane < planes; ++plane) {
                int64_t value = tables[size_t(plane)][size_t(color_value(in, spec, color, plane))];
                if (value < 0) value = 0;
                if (value > 255) value = 255;
                values[plane] = int(value);
            }
            write_color(in, spec, color, values, job.output.pixel(x, y));
        }
    }
}

const VariantRegistration cpu_branchy_variant({
    .op = "he",
    .id = "cpu-branchy",
    .name = "Branches in the pixel loop",
    .source = "B CPU 1",
    .idea = "Count every pixel, evaluate the formula for 256 values, then look every pixel up and only there check for "
            "negative values and for those above 255.",
    .cost = "Two checks a pixel and value, on top of two passes over the image on one core.",
    .flaw = "The checks' answers depend on the entry alone, so 256 checks would do in place of one for each pixel.",
    .run_cpu = run_branchy,
});

}  // namespace
}  // namespace tonescope::he
