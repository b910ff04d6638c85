#include "gpu/ops/histogram/plot_text.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace tonescope {
namespace {

constexpr float kUnit_px = 2.0f;         // a step of the glyph grid
constexpr float kHalfStroke_px = 0.95f;  // half the width of the pen
constexpr int kSpacing = 2;              // grid steps between letters
constexpr int kSpace = 2;                // grid steps of a space
constexpr int kBaseline = 7;             // row of the grid that letters stand on

/// Points "xy" on a grid whose rows 0, 2, 7 and 9 are the top of capitals, the top of small letters, the baseline and
/// the depth of descenders. Strokes are separated by commas; in a stroke that begins with ~ the inner points pull a
/// curve.
struct Glyph {
    char character;
    int width;  // grid steps
    std::string_view strokes;
};

constexpr Glyph kGlyphs[] = {
    {'0', 4, "~20 40 42 45 47 07 05 02 00 20"},
    {'1', 2, "02 20 27"},
    {'2', 4, "~02 00 40 43 07,07 47"},
    {'3', 4, "~01 00 40 43 13,~13 43 47 07 06"},
    {'4', 4, "37 30 05 45"},
    {'5', 4, "40 00 03,~03 12 42 47 07 06"},
    {'6', 4, "~30 00 07 47 43 03 05"},
    {'7', 4, "00 40 17"},
    {'8', 4, "~20 40 43 03 00 20,~23 43 47 07 03 23"},
    {'9', 4, "~17 47 40 00 04 44 42"},
    {'a', 4, "42 47,~44 42 02 07 47 45"},
    {'b', 4, "00 07,~04 02 42 47 07 05"},
    {'c', 4, "~43 42 02 07 47 46"},
    {'d', 4, "40 47,~44 42 02 07 47 45"},
    {'e', 4, "04 44,~44 42 02 07 47 46"},
    {'f', 3, "~30 10 12 17,02 32"},
    {'g', 4, "42 47,~44 42 02 07 47 45,~47 49 09"},
    {'h', 4, "00 07,~04 02 42 45 47"},
    {'i', 0, "02 07,00 00"},
    {'j', 1, "~12 16 19 09,10 10"},
    {'k', 3, "00 07,32 05,14 37"},
    {'l', 0, "00 07"},
    {'m', 6, "02 07,~04 02 32 35 37,~34 32 62 65 67"},
    {'n', 4, "02 07,~04 02 42 45 47"},
    {'o', 4, "~22 42 47 07 02 22"},
    {'p', 4, "02 09,~04 02 42 47 07 05"},
    {'q', 4, "42 49,~44 42 02 07 47 45"},
    {'r', 3, "02 07,~04 02 32"},
    {'s', 4, "~43 42 02 04 45 47 07 06"},
    {'t', 3, "~10 15 17 37,02 32"},
    {'u', 4, "42 47,~02 04 07 47 45"},
    {'v', 4, "02 27 42"},
    {'w', 6, "02 17 33 57 62"},
    {'x', 4, "02 47,42 07"},
    {'y', 4, "02 27,42 19"},
    {'z', 4, "02 42 07 47"},
    {'M', 6, "07 00 34 60 67"},
    {'-', 3, "04 34"},
    {' ', kSpace, ""},
};

const Glyph& glyph_of(char character) {
    const auto* found = std::ranges::find(kGlyphs, character, &Glyph::character);
    if (found == std::end(kGlyphs)) throw std::out_of_range(std::string("no glyph for '") + character + "'");
    return *found;
}

struct Point {
    float x = 0, y = 0;
};

/// Cuts the corners of a line three times, which brings it close to the quadratic spline of its points (Chaikin 1974).
std::vector<Point> smooth(std::vector<Point> line) {
    for (int round = 0; round < 3; ++round) {
        std::vector<Point> cut{line.front()};
        for (size_t i = 0; i + 1 < line.size(); ++i) {
            const Point a = line[i], b = line[i + 1];
            if (i > 0) cut.push_back({0.75f * a.x + 0.25f * b.x, 0.75f * a.y + 0.25f * b.y});
            if (i + 2 < line.size()) cut.push_back({0.25f * a.x + 0.75f * b.x, 0.25f * a.y + 0.75f * b.y});
        }
        cut.push_back(line.back());
        line = std::move(cut);
    }
    return line;
}

/// The strokes of a glyph as lines in pixels, relative to its left edge and the baseline.
std::vector<std::vector<Point>> lines_of(const Glyph& glyph) {
    std::vector<std::vector<Point>> lines;
    std::string_view rest = glyph.strokes;
    while (!rest.empty()) {
        std::string_view stroke = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(stroke.size() + 1, rest.size()));
        const bool curved = stroke.starts_with('~');
        if (curved) stroke.remove_prefix(1);
        std::vector<Point> line;
        for (size_t i = 0; i + 1 < stroke.size(); i += 3)
            line.push_back({float(stroke[i] - '0') * kUnit_px, float(stroke[i + 1] - '0' - kBaseline) * kUnit_px});
        lines.push_back(curved ? smooth(std::move(line)) : std::move(line));
    }
    return lines;
}

float distance_to_segment(Point p, Point a, Point b) {
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float length2 = dx * dx + dy * dy;
    const float along = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0f, 1.0f) : 0.0f;
    return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

}  // namespace

void blend_pixel(const MutableImageView& rgba, int x, int y, PlotColor color, float coverage) {
    if (x < 0 || y < 0 || x >= rgba.spec.width || y >= rgba.spec.height) return;
    uint8_t* pixel = rgba.pixel(x, y);
    const auto mix = [coverage](uint8_t below, uint8_t above) {
        return uint8_t(std::lround(float(below) + (float(above) - float(below)) * coverage));
    };
    pixel[0] = mix(pixel[0], color.red);
    pixel[1] = mix(pixel[1], color.green);
    pixel[2] = mix(pixel[2], color.blue);
}

void fill_rect(const MutableImageView& rgba, const Rect& rect, PlotColor color) {
    for (int y = rect.y; y < rect.y + rect.height; ++y)
        for (int x = rect.x; x < rect.x + rect.width; ++x) blend_pixel(rgba, x, y, color, 1);
}

int text_width_px(std::string_view text) {
    int steps = 0;
    for (char c : text) steps += glyph_of(c).width + kSpacing;
    return int(float(std::max(steps - kSpacing, 0)) * kUnit_px);
}

void draw_text(const MutableImageView& rgba, int x, int baseline, std::string_view text, PlotColor color) {
    constexpr int kAbove_px = kTextHeight_px + 2, kBelow_px = 7, kSide_px = 2;
    for (char c : text) {
        const Glyph& glyph = glyph_of(c);
        const auto lines = lines_of(glyph);
        const int width_px = int(float(glyph.width) * kUnit_px);
        for (int row = -kAbove_px; row < kBelow_px; ++row) {
            for (int column = -kSide_px; column < width_px + kSide_px; ++column) {
                // Pixel centres: the pen's path runs between pixels, so that upright strokes cover two whole columns.
                const Point center{float(column) + 0.5f, float(row) + 0.5f};
                float nearest = 100;
                for (const auto& line : lines)
                    for (size_t i = 0; i + 1 < line.size(); ++i)
                        nearest = std::min(nearest, distance_to_segment(center, line[i], line[i + 1]));
                const float coverage = std::clamp(kHalfStroke_px + 0.5f - nearest, 0.0f, 1.0f);
                if (coverage > 0) blend_pixel(rgba, x + column, baseline + row, color, coverage);
            }
        }
        x += int(float(glyph.width + kSpacing) * kUnit_px);
    }
}

}  // namespace tonescope
