// What happens to decoded pixels: EXIF orientation and reduction to a thumbnail.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

/// Pixel (x, y) of the result comes from column `mirror_x ? last - x : x` and row likewise; `transpose` swaps them
/// first.
struct Turn {
    bool transpose, mirror_x, mirror_y;
};
// Index: EXIF orientation. For 5 to 8 the mirrors count in the source's columns and rows.
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
void mirror_rows(MutableImageView image) {
    for (int y = 0; y < image.spec.height; ++y) {
        auto* row = reinterpret_cast<Pixel*>(image.row(y));
        std::reverse(row, row + image.spec.width);
    }
}

void flip(MutableImageView image) {
    for (int top = 0, bottom = image.spec.height - 1; top < bottom; ++top, --bottom)
        std::swap_ranges(image.row(top), image.row(top) + image.spec.row_bytes(), image.row(bottom));
}

template <class Pixel>
void transpose(const ImageView& from, MutableImageView to, const Turn& turn) {
    constexpr int kBlock_px = 32;  // both sides of a block stay in the first-level cache
    for (int y0 = 0; y0 < to.spec.height; y0 += kBlock_px)
        for (int x0 = 0; x0 < to.spec.width; x0 += kBlock_px)
            for (int y = y0; y < std::min(y0 + kBlock_px, to.spec.height); ++y) {
                const int source_x = turn.mirror_x ? from.spec.width - 1 - y : y;
                auto* out = reinterpret_cast<Pixel*>(to.row(y));
                for (int x = x0; x < std::min(x0 + kBlock_px, to.spec.width); ++x) {
                    const int source_y = turn.mirror_y ? from.spec.height - 1 - x : x;
                    out[x] = reinterpret_cast<const Pixel*>(from.row(source_y))[source_x];
                }
            }
}

template <class Pixel>
HostImage turned(HostImage image, const Turn& turn) {
    if (turn.transpose) {
        ImageSpec spec = image.spec();
        std::swap(spec.width, spec.height);
        HostImage out(spec);
        transpose<Pixel>(image.view(), out.mutable_view(), turn);
        return out;
    }
    if (turn.mirror_x) mirror_rows<Pixel>(image.mutable_view());
    if (turn.mirror_y) flip(image.mutable_view());
    return image;
}

/// Adds `count` gray pixels, or colors times their alpha.
void add_pixels(const uint8_t* row, int begin, int end, bool gray, uint64_t* sum) {
    if (gray) {
        for (int x = begin; x < end; ++x) sum[0] += row[x];
        return;
    }
    for (const uint8_t* p = row + size_t(begin) * 4; p < row + size_t(end) * 4; p += 4) {
        const uint32_t alpha = p[3];
        sum[0] += p[0] * alpha;
        sum[1] += p[1] * alpha;
        sum[2] += p[2] * alpha;
        sum[3] += alpha;
    }
}

void write_mean(const uint64_t* sum, uint64_t count, bool gray, uint8_t* out) {
    const auto mean = [](uint64_t total, uint64_t n) { return uint8_t(n == 0 ? 0 : (total + n / 2) / n); };
    if (gray) {
        out[0] = mean(sum[0], count);
        return;
    }
    for (int c = 0; c < 3; ++c) out[c] = mean(sum[c], sum[3]);
    out[3] = mean(sum[3], count);
}

}  // namespace

HostImage apply_orientation(HostImage image, int orientation) {
    const Turn turn = kTurns[orientation];
    return image.spec().format == PixelFormat::gray8 ? turned<uint8_t>(std::move(image), turn)
                                                     : turned<uint32_t>(std::move(image), turn);
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
    const bool gray = spec.format == PixelFormat::gray8;
    const auto edge = [](int i, int side, int count) { return int(int64_t{i} * side / count); };
    std::vector<uint64_t> sums;
    for (int y = 0; y < spec.height; ++y) {
        const int top = edge(y, height, spec.height), bottom = edge(y + 1, height, spec.height);
        sums.assign(size_t(spec.width) * 4, 0);
        for (int source_y = top; source_y < bottom; ++source_y)
            for (int x = 0; x < spec.width; ++x) {
                add_pixels(image.view().row(source_y), edge(x, width, spec.width), edge(x + 1, width, spec.width), gray,
                           &sums[size_t(x) * 4]);
            }
        for (int x = 0; x < spec.width; ++x) {
            const int columns = edge(x + 1, width, spec.width) - edge(x, width, spec.width);
            write_mean(&sums[size_t(x) * 4], uint64_t(columns) * uint64_t(bottom - top), gray,
                       out.mutable_view().pixel(x, y));
        }
    }
    return out;
}

}  // namespace tonescope::image_io
