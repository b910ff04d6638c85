#include "gpu/core/benchmark/contents.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/luma.h"
#include "gpu/core/parallel.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

const struct {
    std::string_view name;
    std::vector<NamedSize> sizes;
} kSizes[] = {{"1080p", {{"1080p", 1920, 1080}}},
              {"4k", {{"4k", 3840, 2160}}},
              {"24m", {{"24m", 6000, 4000}}},
              {"100m", {{"100m", 12288, 8192}}},
              {"reports",
               {{"280x180", 280, 180},
                {"400x250", 400, 250},
                {"400x600", 400, 600},
                {"600x338", 600, 338},
                {"1024x683", 1024, 683},
                {"1280x720", 1280, 720},
                {"2560x1707", 2560, 1707}}},
              {"powers",
               {{"256x256", 256, 256},
                {"512x512", 512, 512},
                {"1024x1024", 1024, 1024},
                {"2048x2048", 2048, 2048},
                {"4096x4096", 4096, 4096},
                {"8192x8192", 8192, 8192}}}};

uint32_t scrambled(uint64_t value) {
    value += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return uint32_t(value >> 32);
}

/// Calls fill_row(y, first byte) for every row.
template <class FillRow>
HostImage filled_by_rows(const ImageSpec& spec, int threads, const std::stop_token& stop, FillRow&& fill_row) {
    HostImage image(spec);
    parallel_for(threads, spec.height, 16, [&](int64_t row) {
        if (stop.stop_requested()) throw Canceled{};
        fill_row(int(row), image.mutable_view().row(int(row)));
    });
    return image;
}

/// value(x, y, channel) for every pixel, a sample of the image; alpha is the greatest one.
template <class Value>
auto rows_of(const ImageSpec& spec, Value value) {
    return [=, channels = is_gray(spec.format) ? 1 : 4](int y, uint8_t* row) {
        for (int x = 0; x < spec.width; ++x)
            for (int c = 0; c < channels; ++c)
                set_sample(row, spec.format, channels * x + c, c == 3 ? spec.max_sample : int(value(x, y, c)));
    };
}

/// A level of 0 to 255 as a sample of the image.
int sample_of_level(const ImageSpec& spec, double level) {
    return int(level * spec.max_sample / 255);
}

/// `waves` periods over a side, -1 to 1.
std::vector<double> wave(int side, double waves) {
    std::vector<double> values(size_t(side), 0.0);
    for (int i = 0; i < side; ++i) values[size_t(i)] = std::sin(2 * std::numbers::pi * waves * i / side);
    return values;
}

int mirrored(int index, int side) {
    const int r = index % (2 * side);
    return r < side ? r : 2 * side - 1 - r;
}

/// 0 to 1020, around 510: the sum of four even distributions.
int bell_word(uint32_t random) {
    return int(random & 255) + int(random >> 8 & 255) + int(random >> 16 & 255) + int(random >> 24);
}

using Make = HostImage (*)(const ImageSpec& spec, int threads, const std::stop_token& stop);

HostImage noise(const ImageSpec& spec, int threads, const std::stop_token& stop) {
    return filled_by_rows(spec, threads, stop, rows_of(spec, [&](int x, int y, int c) {
                              const uint64_t pixel = uint64_t(y) * uint64_t(spec.width) + uint64_t(x);
                              return (scrambled(pixel * 4 + uint64_t(c)) >> 8) % (spec.max_sample + 1u);
                          }));
}

HostImage smooth(const ImageSpec& spec, int threads, const std::stop_token& stop) {
    const std::vector<double> across = wave(spec.width, 1.5), down = wave(spec.height, 2.5);
    return filled_by_rows(spec, threads, stop, rows_of(spec, [&](int x, int y, int c) {
                              const double level = 128 + (60 + 10 * c) * across[size_t(x)] + 45 * down[size_t(y)];
                              return sample_of_level(spec, level);
                          }));
}

HostImage ramp(const ImageSpec& spec, int threads, const std::stop_token& stop) {
    return filled_by_rows(spec, threads, stop, rows_of(spec, [&](int x, int y, int c) {
                              return (int64_t{x} + (c + 1) * int64_t{y}) * spec.max_sample /
                                     (int64_t{spec.width} + 3 * int64_t{spec.height});
                          }));
}

HostImage two_level(const ImageSpec& spec, int threads, const std::stop_token& stop) {
    return filled_by_rows(spec, threads, stop, rows_of(spec, [&](int x, int y, int c) {
                              return sample_of_level(spec, (x / 5 + y / 3 + c) % 2 == 0 ? 40 : 200);
                          }));
}

HostImage constant(const ImageSpec& spec, int threads, const std::stop_token& stop) {
    return filled_by_rows(spec, threads, stop,
                          rows_of(spec, [&](int, int, int c) { return sample_of_level(spec, 100 + 10 * c); }));
}

/// In color, a pixel's word of the histogram lab, (77 R + 150 G + 29 B) >> 6, is bell_word(): near-gray pixels in which
/// red, green or both are one more give the words between those of grays. In gray the words are multiples of 4.
HostImage bell(const ImageSpec& spec, int threads, const std::stop_token& stop) {
    return filled_by_rows(spec, threads, stop, rows_of(spec, [&](int x, int y, int c) {
                              const int word = bell_word(scrambled(uint64_t(y) * uint64_t(spec.width) + uint64_t(x)));
                              return sample_of_level(spec, word / 4 + (c == 0 ? word % 2 : c == 1 ? word / 2 % 2 : 0));
                          }));
}

constexpr ContentInfo kContents[] = {{"noise", "Noise: every value is as frequent as any other"},
                                     {"smooth", "Smooth: waves, so that neighbors are alike"},
                                     {"ramp", "Ramp: from dark to bright"},
                                     {"two-level", "Two levels: threads meet at two bins"},
                                     {"constant", "Constant: all threads meet at one bin"},
                                     {"bell", "Bell: arrays of words as report D counts them, most near the middle"}};
constexpr Make kMakers[] = {noise, smooth, ramp, two_level, constant, bell};  // as in kContents
static_assert(std::size(kContents) == std::size(kMakers));

}  // namespace

std::span<const ContentInfo> contents() {
    return kContents;
}

const ContentInfo* find_content(std::string_view id) {
    const auto* const found = std::ranges::find(kContents, id, &ContentInfo::id);
    return found == std::end(kContents) ? nullptr : found;
}

std::string content_names() {
    std::vector<std::string> names;
    for (const ContentInfo& content : kContents) names.emplace_back(content.id);
    return spell_out(names, "or");
}

std::string size_names() {
    std::vector<std::string> names;
    for (const auto& known : kSizes) names.emplace_back(known.name);
    names.emplace_back("WxH");
    return spell_out(names, "or");
}

std::vector<NamedSize> sizes_of(const std::string& name, const std::string& option) {
    for (const auto& known : kSizes)
        if (name == known.name) return known.sizes;
    const auto size = parse_size(name, {1, 1}, kMaxSide_px);
    if (!size || int64_t{size->first} * size->second > kMaxPixels)
        throw UsageError(option + " " + name + ": expected " + size_names());
    return {{name, size->first, size->second}};
}

HostImage make_image(std::string_view content, const ImageSpec& spec, int threads, std::stop_token stop) {
    const ContentInfo* const known = find_content(content);
    if (known == nullptr) throw UsageError("content " + std::string(content) + ": expected " + content_names());
    return kMakers[known - kContents](spec, threads, stop);
}

HostImage mirrored_image(const ImageView& image, const ImageSpec& spec, int threads, std::stop_token stop) {
    const bool from_gray = image.spec.format == PixelFormat::gray8, to_gray = spec.format == PixelFormat::gray8;
    return filled_by_rows(spec, threads, stop, [&](int y, uint8_t* p) {
        for (int x = 0; x < spec.width; ++x) {
            const uint8_t* from = image.pixel(mirrored(x, image.spec.width), mirrored(y, image.spec.height));
            if (to_gray) {
                *p++ = from_gray ? from[0] : uint8_t(luma(from[0], from[1], from[2]));
                continue;
            }
            for (int c = 0; c < 4; ++c) *p++ = !from_gray ? from[c] : c == 3 ? uint8_t(255) : from[0];
        }
    });
}

}  // namespace tonescope
