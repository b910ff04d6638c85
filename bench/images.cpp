#include "bench/images.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/luma.h"
#include "gpu/core/parallel.h"
#include "gpu/core/text.h"

namespace tonescope::bench {
namespace {

const Size kSizes[] = {{"1080p", 1920, 1080}, {"4k", 3840, 2160}, {"24m", 6000, 4000}, {"100m", 12288, 8192}};
/// Report C's seven images and report E's.
const std::vector<Size> kReportSizes = {{"280x180", 280, 180},     {"400x250", 400, 250},   {"400x600", 400, 600},
                                        {"600x338", 600, 338},     {"1024x683", 1024, 683}, {"1280x720", 1280, 720},
                                        {"2560x1707", 2560, 1707}, {"600x400", 600, 400}};

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
    parallel_for(default_cpu_threads(), spec.height, 16, [&](int64_t row) {
        const int y = int(row);
        uint8_t* p = image.mutable_view().row(y);
        for (int x = 0; x < spec.width; ++x)
            for (int c = 0; c < bytes; ++c) *p++ = c == 3 ? uint8_t(255) : uint8_t(value(x, y, c));
    });
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
    for (const Size& known : kSizes)
        if (name == known.name) return {known};
    if (name == "reports") return kReportSizes;
    if (name == "image") {
        if (file == nullptr) return {};
        return {{std::to_string(file->width()) + "x" + std::to_string(file->height()), file->width(), file->height()}};
    }
    const auto size = parse_size(name, {1, 1}, kMaxSide_px);
    if (!size || int64_t{size->first} * size->second > kMaxPixels)
        throw UsageError("--size " + name + ": expected 1080p, 4k, 24m, 100m, reports, image or WxH");
    return {{name, size->first, size->second}};
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
