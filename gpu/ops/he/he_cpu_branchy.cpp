// Report B, CPU version 1: histogram equalization before the branch clean-up. The loop over the table asks of each of
// the 256 entries whether it is negative, and the pixel loop clamps each value to 255. The reference differs in that
// alone.
#include <algorithm>
#include <array>
#include <cstdint>

#include "gpu/core/luma.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {
namespace {

using BranchyCounts = std::array<int64_t, 256>;
using BranchyTable = std::array<int, 256>;

/// The formula's values, those below the first value that occurs replaced by 0.
BranchyTable branchy_table(const BranchyCounts& counts, int64_t pixels) {
    size_t i0 = 0;
    while (counts[i0] == 0) ++i0;
    const int64_t m = counts[i0];
    const int64_t d = pixels - m;
    BranchyTable table{};
    int64_t cdf = 0;
    for (size_t v = 0; v < 256; ++v) {
        cdf += counts[v];
        if (d == 0) {
            table[v] = int(v);
        } else {
            const int64_t value = (2 * 255 * (cdf - m) + d) / (2 * d);
            table[v] = value < 0 ? 0 : int(value);
        }
    }
    return table;
}

/// What is equalized at a pixel. `plane` is the channel where each channel is equalized alone, else 0.
size_t branchy_value_at(const uint8_t* pixel, const ImageSpec& spec, bool channels, size_t plane) {
    if (spec.format == PixelFormat::gray8) return pixel[0];
    if (channels) return pixel[plane];
    return size_t(luma(pixel[0], pixel[1], pixel[2]));
}

void run_branchy(const CpuJob& job) {
    const ImageSpec &spec = job.input.spec, &out_spec = job.output.spec;
    const int32_t color = job.params.as<Params>().color;
    const bool channels = spec.format != PixelFormat::gray8 && color == color_channels;
    const size_t planes = channels ? 3 : 1;
    std::array<BranchyCounts, 3> counts{};
    {
        const ScopedStage stage(job.stages, "histogram");
        for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y)
            for (int x = 0; x < spec.width; ++x)
                for (size_t plane = 0; plane < planes; ++plane)
                    ++counts[plane][branchy_value_at(job.input.pixel(x, y), spec, channels, plane)];
    }
    if (job.stop.stop_requested()) return;
    std::array<BranchyTable, 3> tables{};
    {
        const ScopedStage stage(job.stages, "table");
        for (size_t plane = 0; plane < planes; ++plane) tables[plane] = branchy_table(counts[plane], spec.pixels());
    }
    const ScopedStage stage(job.stages, "apply");
    for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y) {
        for (int x = 0; x < spec.width; ++x) {
            const uint8_t* in = job.input.pixel(x, y);
            uint8_t* out = job.output.pixel(x, y);
            int changed[3];
            for (size_t plane = 0; plane < planes; ++plane)
                changed[plane] = std::min(255, tables[plane][branchy_value_at(in, spec, channels, plane)]);
            if (out_spec.format == PixelFormat::gray8) {
                out[0] = uint8_t(changed[0]);
                continue;
            }
            for (int c = 0; c < 3; ++c) {
                if (channels)
                    out[c] = uint8_t(changed[c]);
                else if (color == color_gray)
                    out[c] = uint8_t(changed[0]);
                else
                    out[c] = uint8_t(shift_channel(in[c], changed[0] - luma(in[0], in[1], in[2])));
            }
            out[3] = in[3];
        }
    }
}

const VariantRegistration cpu_branchy_variant({
    .op = "he",
    .id = "cpu-branchy",
    .name = "Branches in the pixel loop",
    .source = "B CPU 1",
    .idea = "Count every pixel, evaluate the formula for 256 values and replace those below 0, then look every pixel "
            "up and clamp what it gets to 255.",
    .cost = "Reads the image twice and writes it once on one core; a comparison for each pixel and value besides.",
    .flaw = "The clamp's answer depends on the entry alone, so that 256 comparisons would do in place of one for each "
            "pixel.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double in = bytes_per_pixel(c.image.format);
            return Work{{"histogram", c.pixels() * Amounts{.bytes = in, .operations = by_color(c, color, 6, 12, 18)}},
                        {"apply", c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                                       .operations = by_color(c, color, 9, 28, 27)}}};
        },
    .run_cpu = run_branchy,
});

}  // namespace
}  // namespace tonescope::he
