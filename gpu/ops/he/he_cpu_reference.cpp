// Histogram equalization in plain loops: the definition that every other variant is compared with.
#include <algorithm>
#include <array>
#include <cstdint>

#include "gpu/core/luma.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {
namespace {

using Counts64 = std::array<int64_t, 256>;
using LookupTable = std::array<int, 256>;

/// lut[v] = 0 below the first non-empty bin i0, else floor((2 * 255 * (cdf[v] - m) + d) / (2 d)) with m the count of
/// bin i0 and d = N - m. An image of one value stays as it is.
LookupTable equalizing_table(const Counts64& counts, int64_t pixels) {
    size_t i0 = 0;
    while (counts[i0] == 0) ++i0;
    const int64_t m = counts[i0];
    const int64_t d = pixels - m;
    LookupTable table{};
    int64_t cdf = 0;
    for (size_t v = 0; v < 256; ++v) {
        cdf += counts[v];
        if (d == 0) {
            table[v] = int(v);
        } else if (v >= i0) {
            table[v] = int(std::min<int64_t>(255, (2 * 255 * (cdf - m) + d) / (2 * d)));
        }
    }
    return table;
}

/// What is equalized at a pixel. `plane` is the channel where each channel is equalized alone, else 0.
size_t value_at(const uint8_t* pixel, const ImageSpec& spec, bool channels, size_t plane) {
    if (spec.format == PixelFormat::gray8) return pixel[0];
    if (channels) return pixel[plane];
    return size_t(luma(pixel[0], pixel[1], pixel[2]));
}

void run_reference(const CpuJob& job) {
    const ImageSpec &spec = job.input.spec, &out_spec = job.output.spec;
    const int32_t color = job.params.as<Params>().color;
    const bool channels = spec.format != PixelFormat::gray8 && color == color_channels;
    const size_t planes = channels ? 3 : 1;
    std::array<Counts64, 3> counts{};
    {
        const ScopedStage stage(job.stages, "histogram", spec.size_bytes());
        for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y)
            for (int x = 0; x < spec.width; ++x)
                for (size_t plane = 0; plane < planes; ++plane)
                    ++counts[plane][value_at(job.input.pixel(x, y), spec, channels, plane)];
    }
    if (job.stop.stop_requested()) return;
    std::array<LookupTable, 3> tables{};
    {
        const ScopedStage stage(job.stages, "table");
        for (size_t plane = 0; plane < planes; ++plane) tables[plane] = equalizing_table(counts[plane], spec.pixels());
    }
    const ScopedStage stage(job.stages, "apply", spec.size_bytes() + out_spec.size_bytes());
    for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y) {
        for (int x = 0; x < spec.width; ++x) {
            const uint8_t* in = job.input.pixel(x, y);
            uint8_t* out = job.output.pixel(x, y);
            int changed[3];
            for (size_t plane = 0; plane < planes; ++plane)
                changed[plane] = tables[plane][value_at(in, spec, channels, plane)];
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

const VariantRegistration cpu_reference_variant({
    .op = "he",
    .id = "cpu",
    .name = "Reference",
    .source = "B CPU 2; C CPU",
    .follows = "cpu-branchy",
    .builds_on = "cpu-branchy",
    .reference = true,
    .idea = "The table is zero up to the first value that occurs and filled from there, so that nothing can be "
            "negative; the clamp to 255 sits in the loop over the table and not in the one over the pixels.",
    .cost = "Reads the image twice and writes it once on one core; each count waits for the one before where values "
            "repeat.",
    .flaw = "One thread and one pixel at a time: it uses a fraction of the memory bandwidth and of the cores.",
    .work =
        [](const WorkCase& c) {
            const int32_t color = c.params.as<Params>().color;
            const double in = bytes_per_pixel(c.image.format);
            return Work{{"histogram", c.pixels() * Amounts{.bytes = in, .operations = by_color(c, color, 6, 12, 18)}},
                        {"apply", c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                                       .operations = by_color(c, color, 8, 27, 24)}}};
        },
    .run_cpu = run_reference,
});

}  // namespace
}  // namespace tonescope::he
