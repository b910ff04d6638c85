#include "bench/images.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "gpu/core/error.h"
#include "gpu/core/luma.h"

namespace tonescope::bench {
namespace {

constexpr struct {
    const char* name;
    int width, height;
} kSizes[] = {{"1080p", 1920, 1080}, {"4k", 3840, 2160}, {"24m", 6000, 4000}, {"100m", 12288, 8192}};
/// Report C's seven images and report E's.
constexpr int kReportSizes[][2] = {{280, 180},  {400, 250},  {400, 600},   {600, 338},
                                   {1024, 683}, {1280, 720}, {2560, 1707}, {600, 400}};

std::optional<int> parse_side(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > kMaxSide_px) return {};
    return value;
}

uint32_t scrambled(uint64_t value) {
    value += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return uint32_t(value >> 32);
}

/// value(x, y, channel) for every pixel; alpha is 255.
template <class Value>
HostImage filled(const ImageSpec& spec, Value&& value) {
    HostImage image(spec);
    const int bytes = bytes_per_pixel(spec.format);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < spec.height; ++y) {
        uint8_t* p = image.mutable_view().row(y);
        for (int x = 0; x < spec.width; ++x)
            for (int c = 0; c < bytes; ++c) *p++ = c == 3 ? uint8_t(255) : uint8_t(value(x, y, c));
    }
    return image;
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

}  // namespace

std::vector<Size> sizes_of(const std::string& name, const HostImage* file) {
    for (const auto& known : kSizes)
        if (name == known.name) return {{name, known.width, known.height}};
    if (name == "reports") {
        std::vector<Size> sizes;
        for (const auto& [width, height] : kReportSizes)
            sizes.push_back({std::to_string(width) + "x" + std::to_string(height), width, height});
        return sizes;
    }
    if (name == "image") {
        if (file == nullptr) return {};
        return {{std::to_string(file->width()) + "x" + std::to_string(file->height()), file->width(), file->height()}};
    }
    const size_t x = std::min(name.find('x'), name.size());
    const std::optional<int> width = parse_side(name.substr(0, x));
    const std::optional<int> height = parse_side(name.substr(std::min(x + 1, name.size())));
    if (!width || !height || int64_t{*width} * *height > kMaxPixels)
        throw UsageError("--size " + name + ": expected 1080p, 4k, 24m, 100m, reports, image or WxH");
    return {{name, *width, *height}};
}

bool is_file(const std::string& content) {
    return content.find_first_of("./") != std::string::npos;
}

HostImage make_image(const std::string& content, const ImageSpec& spec) {
    if (content == "noise")
        return filled(spec, [&](int x, int y, int c) {
            return scrambled((uint64_t(y) * uint64_t(spec.width) + uint64_t(x)) * 4 + uint64_t(c)) >> 8;
        });
    if (content == "smooth") {
        const std::vector<double> across = wave(spec.width, 1.5), down = wave(spec.height, 2.5);
        return filled(spec, [&](int x, int y, int c) {
            return int(128 + (60 + 10 * c) * across[size_t(x)] + 45 * down[size_t(y)]);
        });
    }
    if (content == "ramp")
        return filled(spec, [&](int x, int y, int c) {
            return (int64_t{x} + (c + 1) * int64_t{y}) * 255 / (int64_t{spec.width} + 3 * int64_t{spec.height});
        });
    if (content == "two-level")
        return filled(spec, [](int x, int y, int c) { return (x / 5 + y / 3 + c) % 2 == 0 ? 40 : 200; });
    if (content == "constant") return filled(spec, [](int, int, int c) { return 100 + 10 * c; });
    throw UsageError("--content " + content +
                     ": expected noise, smooth, ramp, two-level, constant or the path of an image file");
}

HostImage make_image(const HostImage& file, const ImageSpec& spec) {
    const bool from_gray = file.spec().format == PixelFormat::gray8;
    return filled(spec, [&](int x, int y, int c) -> int {
        const uint8_t* p = file.view().pixel(mirrored(x, file.width()), mirrored(y, file.height()));
        if (from_gray) return p[0];
        return spec.format == PixelFormat::gray8 ? luma(p[0], p[1], p[2]) : p[c];
    });
}

}  // namespace tonescope::bench
