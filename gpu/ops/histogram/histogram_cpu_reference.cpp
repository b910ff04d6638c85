// Histogram lab in plain loops: the definition that every other variant is compared with.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu/core/luma.h"
#include "gpu/ops/histogram/histogram.h"

namespace tonescope::histogram {
namespace {

/// The words of report D: Y10 = floor(4 (77 R + 150 G + 29 B) / (M + 1)), of a gray image floor(1024 v / (M + 1)), M
/// being the greatest sample that the image can have: 0 to 1023. With M = 255: (77 R + 150 G + 29 B) >> 6 and 4 v.
/// Pixels whose value or luma is left out have none.
std::vector<uint32_t> make_words(const CpuJob& job) {
    const ImageSpec& spec = job.input.spec;
    const uint64_t pixels = uint64_t(spec.pixels());
    const int left_out = job.params.as<Params>().left_out(spec);
    const ScopedStage stage(job.stages, "words");
    std::vector<uint32_t> words;
    words.reserve(pixels);
    for (int y = 0; y < spec.height && !job.stop.stop_requested(); ++y) {
        for (int x = 0; x < spec.width; ++x) {
            const uint8_t* pixel = job.input.pixel(x, y);
            const auto sample = [&](int channel) { return uint32_t(sample_at(pixel, spec.format, channel)); };
            const uint32_t levels = spec.max_sample + 1u;
            const uint32_t value =
                is_gray(spec.format) ? sample(0) : uint32_t(luma(int(sample(0)), int(sample(1)), int(sample(2))));
            if (int(value) == left_out) continue;
            if (is_gray(spec.format)) {
                words.push_back(1024 * sample(0) / levels);
            } else {
                words.push_back(4 * (77 * sample(0) + 150 * sample(1) + 29 * sample(2)) / levels);
            }
        }
    }
    return words;
}

void run_reference(const CpuJob& job) {
    const std::vector<uint32_t> words = make_words(job);
    if (job.stop.stop_requested()) return;
    BinsResult& result = *job.bins;
    result.counts.assign(kFineBins, 0);
    {
        const ScopedStage stage(job.stages, "histogram");
        constexpr size_t kBand = 1 << 20;
        for (size_t begin = 0; begin < words.size() && !job.stop.stop_requested(); begin += kBand)
            for (size_t i = begin; i < std::min(begin + kBand, words.size()); ++i) ++result.counts[words[i]];
    }
    const ScopedStage stage(job.stages, "clamp");
    result.bins.assign(kFineBins, 0);
    for (size_t bin = 0; bin < kFineBins; ++bin) result.bins[bin] = uint8_t(std::min(result.counts[bin], 255u));
}

const VariantRegistration cpu_reference_variant({
    .op = "histogram",
    .id = "cpu",
    .name = "Reference",
    .source = "D CPU",
    .reference = true,
    .any_depth = true,
    .every_value_of = "no_data",
    .idea = "Write a 32-bit word for every pixel, count the words into 1024 counters, then stop the counters at 255.",
    .cost = "Four bytes written and read again for each pixel, and one increment at a time on one core.",
    .flaw = "The words of the whole image take four bytes a pixel of memory, and one thread counts them all.",
    .work =
        [](const WorkCase& c) {
            const double in = bytes_per_pixel(c.image.format);
            return Work{{"words", c.pixels() * Amounts{.bytes = in + 4, .operations = c.is_gray() ? 5.0 : 10.0}},
                        {"histogram", c.pixels() * Amounts{.bytes = 4, .operations = 3}}};
        },
    .run_cpu = run_reference,
});

}  // namespace
}  // namespace tonescope::histogram
