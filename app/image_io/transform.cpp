// What happens to decoded pixels: EXIF orientation and reduction to a thumbnail.
#include <algorithm>
#include <cstddef>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

/// Pixel (x, y) of the result comes from column x and row y, or from column y and row x where `transpose`; these count
/// from the right where `mirror_x`, from the bottom where `mirror_y`.
struct Turn {
    bool transpose, mirror_x, mirror_y;
};
// The index is the EXIF orientation.
constexpr Turn kTurns[9] = {{},
                            {false, false, false},
                            {false, true, false},
                            {false, true, true},
                            {false, false, true},
                            {true, false, false},
                            {true, false, true},
                            {true, true, true},
                            {true, true, false}};

template <class Pixel>
HostImage turned(const ImageView& from, const Turn& turn) {
    ImageSpec spec = from.spec;
    if (turn.transpose) std::swap(spec.width, spec.height);
    HostImage out(spec);
    const ptrdiff_t pitch_px = ptrdiff_t(from.pitch_bytes / sizeof(Pixel));
    const ptrdiff_t right = turn.mirror_x ? -1 : 1, down = turn.mirror_y ? -pitch_px : pitch_px;
    const ptrdiff_t step_x = turn.transpose ? down : right, step_y = turn.transpose ? right : down;
    const auto* const first = reinterpret_cast<const Pixel*>(from.row(turn.mirror_y ? from.spec.height - 1 : 0)) +
                              (turn.mirror_x ? from.spec.width - 1 : 0);
    constexpr int kBlock_px = 32;  // both sides of a block stay in the first-level cache
    for (int y0 = 0; y0 < spec.height; y0 += kBlock_px)
        for (int x0 = 0; x0 < spec.width; x0 += kBlock_px)
            for (int y = y0; y < std::min(y0 + kBlock_px, spec.height); ++y) {
                auto* const row = reinterpret_cast<Pixel*>(out.mutable_view().row(y));
                for (int x = x0; x < std::min(x0 + kBlock_px, spec.width); ++x) row[x] = first[y * step_y + x * step_x];
            }
    return out;
}

/// A gray image has the sum of its values; other images have the sums of each color times alpha, and of alpha.
using Sums = std::array<uint64_t, 4>;

void add_pixels(const ImageView& image, int y, int begin, int end, Sums& sums) {
    const bool gray = image.spec.format == PixelFormat::gray8;
    const uint8_t* p = image.pixel(begin, y);
    for (int x = begin; gray && x < end; ++x) sums[0] += *p++;
    for (int x = begin; !gray && x < end; ++x, p += 4) {
        const uint32_t alpha = p[3];
        for (size_t c = 0; c < 3; ++c) sums[c] += p[c] * alpha;
        sums[3] += alpha;
    }
}

void write_mean(const Sums& sums, uint64_t count, bool gray, uint8_t* out) {
    const auto mean = [](uint64_t total, uint64_t n) { return uint8_t(n == 0 ? 0 : (total + n / 2) / n); };
    out[0] = mean(sums[0], gray ? count : sums[3]);
    if (gray) return;
    out[1] = mean(sums[1], sums[3]);
    out[2] = mean(sums[2], sums[3]);
    out[3] = mean(sums[3], count);
}

}  // namespace

HostImage apply_orientation(HostImage image, int orientation) {
    if (orientation == 1) return image;
    return image.spec().format == PixelFormat::gray8 ? turned<uint8_t>(image.view(), kTurns[orientation])
                                                     : turned<uint32_t>(image.view(), kTurns[orientation]);
}

HostImage shrink(HostImage image, int max_side_px) {
    const int width = image.width(), height = image.height();
    const int longer = std::max(width, height);
    max_side_px = std::max(max_side_px, 1);
    if (longer <= max_side_px) return image;

    const auto reduced = [&](int side) {
        return std::max(1, int((int64_t{side} * max_side_px + longer / 2) / longer));
    };
    ImageSpec spec = image.spec();
    spec.width = reduced(width);
    spec.height = reduced(height);
    HostImage out(spec);
    const auto edge = [](int i, int side, int count) { return int(int64_t{i} * side / count); };
    std::vector<Sums> sums;
    for (int y = 0; y < spec.height; ++y) {
        const int top = edge(y, height, spec.height), bottom = edge(y + 1, height, spec.height);
        sums.assign(size_t(spec.width), {});
        for (int from = top; from < bottom; ++from)
            for (int x = 0; x < spec.width; ++x)
                add_pixels(image.view(), from, edge(x, width, spec.width), edge(x + 1, width, spec.width),
                           sums[size_t(x)]);
        for (int x = 0; x < spec.width; ++x) {
            const int columns = edge(x + 1, width, spec.width) - edge(x, width, spec.width);
            write_mean(sums[size_t(x)], uint64_t(columns) * uint64_t(bottom - top), spec.format == PixelFormat::gray8,
                       out.mutable_view().pixel(x, y));
        }
    }
    return out;
}

}  // namespace tonescope::image_io
