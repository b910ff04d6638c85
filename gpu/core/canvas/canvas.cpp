#include "gpu/core/canvas/canvas.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory_resource>
#include <numbers>
#include <vector>

// Where malloc() failed, glyphs would be left out.
#define STBTT_malloc(bytes, user) static_cast<std::pmr::memory_resource*>(user)->allocate(bytes)
#define STBTT_free(block, user) (static_cast<void>(block), static_cast<void>(user))
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>

namespace tonescope {
namespace {

struct Font {
    stbtt_fontinfo info = {};
    bool usable = false;

    explicit Font(std::span<const unsigned char> data) {
        usable = !data.empty() && stbtt_InitFont(&info, data.data(), 0) != 0;
    }
};

const Font& font(bool bold) {
    static const Font regular(regular_font_data()), medium(medium_font_data());
    return bold && medium.usable ? medium : regular;
}

/// The code point at `at`, which moves behind it. What is no UTF-8 reads as '?'.
int next_code_point(const std::string& text, size_t& at) {
    const auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
    const uint8_t first = byte(at++);
    const int more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : -1;
    if (more < 0) return '?';
    int code = more == 0 ? first : first & (0x3f >> more);
    for (int i = 0; i < more; ++i) {
        if ((byte(at) & 0xc0) != 0x80) return '?';
        code = code << 6 | (byte(at++) & 0x3f);
    }
    return code;
}

/// Calls visit(code point, x) for each character and returns the width.
double walk(const Font& face, double size_px, const std::string& text, auto visit) {
    const double scale = stbtt_ScaleForPixelHeight(&face.info, float(size_px));
    double x = 0;
    int previous = 0;
    for (size_t at = 0; at < text.size();) {
        const int code = next_code_point(text, at);
        if (previous != 0) x += scale * stbtt_GetCodepointKernAdvance(&face.info, previous, code);
        visit(code, x);
        int advance = 0, bearing = 0;
        stbtt_GetCodepointHMetrics(&face.info, code, &advance, &bearing);
        x += scale * advance;
        previous = code;
    }
    return x;
}

/// How much of the pixel from `pixel` to `pixel + 1` lies between `begin` and `end`.
double covered(int pixel, double begin, double end) {
    return std::max(0.0, std::min(end, pixel + 1.0) - std::max(begin, double(pixel)));
}

}  // namespace

Canvas::Canvas(int width_px, int height_px, Color background)
    : image_(ImageSpec{width_px, height_px, PixelFormat::rgba8, false}) {
    const uint8_t pixel[4] = {background.r, background.g, background.b, 255};
    for (size_t i = 0; i < image_.size_bytes(); i += 4) std::memcpy(image_.data() + i, pixel, 4);
}

void Canvas::blend(int x, int y, double coverage, Color color) {
    if (x < 0 || y < 0 || x >= image_.width() || y >= image_.height()) return;
    uint8_t* pixel = image_.mutable_view().pixel(x, y);
    const uint8_t rgb[3] = {color.r, color.g, color.b};
    if (coverage >= 1) {
        std::memcpy(pixel, rgb, 3);
        return;
    }
    for (int c = 0; c < 3; ++c) pixel[c] = uint8_t(std::lround(pixel[c] + (rgb[c] - pixel[c]) * coverage));
}

bool Canvas::has_font() {
    return font(false).usable;
}

void Canvas::fill(double x, double y, double width, double height, Color color) {
    for (int j = int(std::floor(y)); j < y + height; ++j)
        for (int i = int(std::floor(x)); i < x + width; ++i)
            blend(i, j, covered(i, x, x + width) * covered(j, y, y + height), color);
}

void Canvas::polygon(std::span<const CanvasPoint> outline, Color color) {
    constexpr int kLines = 4;  // of a row of pixels, in each of which the outline is followed exactly
    if (outline.size() < 3) return;
    const auto [top, bottom] = std::ranges::minmax(outline, {}, &CanvasPoint::y);
    const auto [left, right] = std::ranges::minmax(outline, {}, &CanvasPoint::x);
    const int first_row = std::max(int(std::floor(top.y)), 0);
    const int last_row = std::min(int(std::ceil(bottom.y)), image_.height());
    const int first = std::max(int(std::floor(left.x)), 0), last = std::min(int(std::ceil(right.x)), image_.width());
    if (first >= last) return;
    std::vector<double> coverage(size_t(last - first)), crossings;
    for (int row = first_row; row < last_row; ++row) {
        std::ranges::fill(coverage, 0.0);
        for (int k = 0; k < kLines; ++k) {
            const double y = row + (k + 0.5) / kLines;
            crossings.clear();
            for (size_t i = 0; i < outline.size(); ++i) {
                const CanvasPoint &a = outline[i], &b = outline[(i + 1) % outline.size()];
                if ((a.y <= y) != (b.y <= y)) crossings.push_back(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y));
            }
            std::ranges::sort(crossings);
            for (size_t i = 0; i + 1 < crossings.size(); i += 2)
                for (int x = std::max(int(std::floor(crossings[i])), first); x < crossings[i + 1] && x < last; ++x)
                    coverage[size_t(x - first)] += covered(x, crossings[i], crossings[i + 1]) / kLines;
        }
        for (int x = first; x < last; ++x)
            if (coverage[size_t(x - first)] > 0) blend(x, row, coverage[size_t(x - first)], color);
    }
}

void Canvas::line(std::span<const CanvasPoint> points, double width, Color color) {
    constexpr int kCorners = 12;
    const double half = width / 2;
    for (size_t i = 0; i < points.size(); ++i) {
        const CanvasPoint from = points[i];
        std::vector<CanvasPoint> end;
        for (int k = 0; k < kCorners; ++k) {
            const double angle = 2 * std::numbers::pi * k / kCorners;
            end.push_back({from.x + half * std::cos(angle), from.y + half * std::sin(angle)});
        }
        polygon(end, color);
        if (i + 1 == points.size()) break;
        const CanvasPoint to = points[i + 1];
        const double length = std::hypot(to.x - from.x, to.y - from.y);
        if (length == 0) continue;
        const double dx = half * (to.y - from.y) / length, dy = half * (from.x - to.x) / length;
        const CanvasPoint sides[] = {
            {from.x + dx, from.y + dy}, {to.x + dx, to.y + dy}, {to.x - dx, to.y - dy}, {from.x - dx, from.y - dy}};
        polygon(sides, color);
    }
}

double Canvas::text_width(double size_px, const std::string& text, bool bold) {
    return !has_font() ? 0 : walk(font(bold), size_px, text, [](int, double) {});
}

void Canvas::text(double x, double y, double size_px, const std::string& text, Color color, Align align, bool bold) {
    if (!has_font()) return;
    const double width = text_width(size_px, text, bold);
    const double left = align == Align::left ? x : align == Align::right ? x - width : x - width / 2;
    std::pmr::monotonic_buffer_resource memory;  // of a glyph's outline
    Font face = font(bold);
    face.info.userdata = &memory;
    const float scale = stbtt_ScaleForPixelHeight(&face.info, float(size_px));
    std::vector<uint8_t> glyph;
    walk(face, size_px, text, [&](int code, double offset) {
        const double at = left + offset, shift = at - std::floor(at);
        int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
        stbtt_GetCodepointBitmapBoxSubpixel(&face.info, code, scale, scale, float(shift), 0, &x0, &y0, &x1, &y1);
        const int columns = x1 - x0, rows = y1 - y0;
        if (columns <= 0 || rows <= 0) return;
        glyph.assign(size_t(columns) * size_t(rows), 0);
        stbtt_MakeCodepointBitmapSubpixel(&face.info, glyph.data(), columns, rows, columns, scale, scale, float(shift),
                                          0, code);
        memory.release();
        for (int j = 0; j < rows; ++j)
            for (int i = 0; i < columns; ++i)
                blend(int(std::floor(at)) + x0 + i, int(std::lround(y)) + y0 + j,
                      glyph[size_t(j) * size_t(columns) + size_t(i)] / 255.0, color);
    });
}

}  // namespace tonescope
