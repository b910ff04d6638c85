// Histogram equalization in plain loops: the definition that every other variant is compared with.
#include <array>
#include <cstdint>

#include "gpu/core/luma.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {
namespace {

using Counts64 = std::array<int64_t, 256>;
using ByteTable = std::array<uint8_t, 256>;

/// lut[v] = 0 below the first non-empty bin i0, else floor((2 * 255 * (cdf[v] - m) + d) / (2 d)) with m the count of
/// bin i0 and d = N - m. An image of one value stays as it is.
ByteTable equalizing_table(const Counts64& counts, int64_t pixels) {
    size_t i0 = 0;
    while (counts[i0] == 0) ++i0;
    const int64_t m = counts[i0];
    const int64_t d = pixels - m;
    ByteTable table{};
    int64_t cdf = 0;
    for (size_t v = 0; v < 256; ++v) {
        cdf += counts[v];
        if (d == 0) {
            table[v] = uint8_t(v);
        } else if (v >= i0) {
            table[v] = uint8_t((2 * 255 * (cdf - m) + d) / (2 * d));
        }
    }
    return table;
}

void equalize_gray(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    Counts64 counts{};
    {
        const ScopedStage stage(job.stages, "histogram", uint64_t(spec.pixels()));
        for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y)
            for (int x = 0; x < spec.width; ++x) ++counts[*job.input.pixel(x, y)];
    }
    if (job.stop.stop_requested()) return;
    ByteTable table{};
    {
        const ScopedStage stage(job.stages, "table");
        table = equalizing_table(counts, spec.pixels());
    }
    const ScopedStage stage(job.stages, "apply", uint64_t(2 * spec.pixels()));
    for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y)
        for (int x = 0; x < spec.width; ++x) *job.output.pixel(x, y) = table[*job.input.pixel(x, y)];
}

void equalize_channels(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    std::array<Counts64, 3> counts{};
    {
        const ScopedStage stage(job.stages, "histogram", uint64_t(4 * spec.pixels()));
        for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y)
            for (int x = 0; x < spec.width; ++x)
                for (size_t c = 0; c < 3; ++c) ++counts[c][job.input.pixel(x, y)[c]];
    }
    if (job.stop.stop_requested()) return;
    std::array<ByteTable, 3> tables{};
    {
        const ScopedStage stage(job.stages, "table");
        for (size_t c = 0; c < 3; ++c) tables[c] = equalizing_table(counts[c], spec.pixels());
    }
    const ScopedStage stage(job.stages, "apply", uint64_t(8 * spec.pixels()));
    for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y) {
        for (int x = 0; x < spec.width; ++x) {
            const uint8_t* in = job.input.pixel(x, y);
            uint8_t* out = job.output.pixel(x, y);
            for (size_t c = 0; c < 3; ++c) out[c] = tables[c][in[c]];
            out[3] = in[3];
        }
    }
}

/// The modes luma and gray: one table, from the luma of a color image.
void equalize_luma(const CpuJob& job, bool to_gray) {
    const ImageSpec& spec = job.input.spec;
    Counts64 counts{};
    {
        const ScopedStage stage(job.stages, "histogram", uint64_t(4 * spec.pixels()));
        for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y) {
            for (int x = 0; x < spec.width; ++x) {
                const uint8_t* in = job.input.pixel(x, y);
                ++counts[size_t(luma(in[0], in[1], in[2]))];
            }
        }
    }
    if (job.stop.stop_requested()) return;
    ByteTable table{};
    {
        const ScopedStage stage(job.stages, "table");
        table = equalizing_table(counts, spec.pixels());
    }
    const ScopedStage stage(job.stages, "apply",
                            uint64_t(spec.pixels()) * uint64_t(4 + bytes_per_pixel(job.output.spec.format)));
    for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y) {
        for (int x = 0; x < spec.width; ++x) {
            const uint8_t* in = job.input.pixel(x, y);
            uint8_t* out = job.output.pixel(x, y);
            const int old_luma = luma(in[0], in[1], in[2]);
            const int new_luma = table[size_t(old_luma)];
            if (job.output.spec.format == PixelFormat::gray8) {
                out[0] = uint8_t(new_luma);
                continue;
            }
            for (size_t c = 0; c < 3; ++c)
                out[c] = uint8_t(to_gray ? new_luma : shift_channel(in[c], new_luma - old_luma));
            out[3] = in[3];
        }
    }
}

void run_reference(const CpuJob& job) {
    const auto params = job.params.as<Params>();
    if (job.input.spec.format == PixelFormat::gray8) {
        equalize_gray(job);
    } else if (params.color == color_channels) {
        equalize_channels(job);
    } else {
        equalize_luma(job, params.color == color_gray);
    }
}

const VariantRegistration cpu_reference_variant({
    .op = "he",
    .id = "cpu",
    .name = "Plain loops",
    .source = "B CPU 2; C CPU",
    .backend = BackendKind::cpu,
    .follows = "cpu-branchy",
    .reference = true,
    .idea = "Count every pixel, turn the counts into a table of 256 values, then look every pixel up; the clamps sit "
            "in the table "
            "and not in the pixel loop.",
    .cost = "Reads the image twice and writes it once on one core; each count waits for the one before where values "
            "repeat.",
    .flaw = "One thread and one pixel at a time: it uses a fraction of the memory bandwidth and of the cores.",
    .run_cpu = run_reference,
});

}  // namespace
}  // namespace tonescope::he
