#include "assets/generator/font.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "assets/generator/draw.h"

namespace tonescope::assets {
namespace {

constexpr double kCapital = 66;  // in glyph units, y upward from the baseline; small letters are 46 high

struct Glyph {
    char character;
    double advance;
    const char* strokes;  // M x y: move; L x y: line; Q cx cy x y: curve; O cx cy rx ry: ellipse
};

/// The characters that the scenes write.
constexpr Glyph kGlyphs[] = {
    {' ', 25, ""},
    {'a', 42, "M 8 37 Q 12 47 20 47 Q 33 47 33 34 L 33 7 Q 33 0 40 3 M 33 27 Q 7 27 7 12 Q 7 0 18 0 Q 28 0 33 10"},
    {'b', 46, "M 2 69 L 9 70 L 9 2 M 9 34 Q 14 47 24 47 Q 40 47 40 24 Q 40 0 24 0 Q 13 0 9 10"},
    {'c', 40, "M 35 38 Q 31 47 23 47 Q 6 47 6 23 Q 6 0 24 0 Q 32 0 36 8"},
    {'d', 47, "M 31 69 L 38 70 L 38 0 L 44 1 M 38 34 Q 33 47 22 47 Q 6 47 6 23 Q 6 0 21 0 Q 32 0 38 11"},
    {'e', 42, "M 6 26 L 37 26 Q 37 47 22 47 Q 6 47 6 23 Q 6 0 24 0 Q 33 0 37 9"},
    {'f', 28, "M 31 65 Q 28 70 23 70 Q 13 70 13 56 L 13 0 M 4 46 L 25 46 M 6 0 L 20 0"},
    {'g', 46,
     "M 43 46 L 37 45 L 37 -8 Q 37 -22 21 -22 Q 11 -22 7 -15 M 37 34 Q 32 47 21 47 Q 6 47 6 24 Q 6 1 21 1 Q 32 1 37 "
     "12"},
    {'h', 47, "M 3 69 L 10 70 L 10 0 M 10 34 Q 17 47 26 47 Q 37 47 37 33 L 37 0 M 4 0 L 16 0 M 31 0 L 43 0"},
    {'i', 21, "M 4 45 L 11 46 L 11 0 M 4 0 L 17 0 M 10 61 L 10 65"},
    {'k', 45, "M 3 69 L 10 70 L 10 0 M 35 46 L 11 20 M 19 28 L 37 0 M 4 0 L 16 0 M 32 0 L 43 0 M 29 46 L 41 46"},
    {'l', 21, "M 4 69 L 11 70 L 11 0 M 4 0 L 17 0"},
    {'m', 69,
     "M 3 45 L 10 46 L 10 0 M 10 34 Q 16 47 24 47 Q 34 47 34 33 L 34 0 M 34 34 Q 40 47 48 47 Q 58 47 58 33 L 58 0 M 4 "
     "0 L 16 0 M 28 0 "
     "L 40 0 M 52 0 L 64 0"},
    {'n', 47, "M 3 45 L 10 46 L 10 0 M 10 34 Q 17 47 26 47 Q 37 47 37 33 L 37 0 M 4 0 L 16 0 M 31 0 L 43 0"},
    {'o', 46, "O 23 23.5 17 23.5"},
    {'p', 46, "M 2 45 L 9 46 L 9 -22 M 9 34 Q 14 47 24 47 Q 40 47 40 24 Q 40 0 24 0 Q 13 0 9 10 M 3 -22 L 16 -22"},
    {'q', 46, "M 38 46 L 38 -22 M 38 34 Q 33 47 22 47 Q 6 47 6 23 Q 6 0 21 0 Q 32 0 38 11 M 32 -22 L 44 -22"},
    {'r', 33, "M 3 45 L 10 46 L 10 0 M 10 30 Q 15 47 25 47 Q 29 47 31 44 M 4 0 L 17 0"},
    {'s', 36, "M 30 39 Q 26 47 18 47 Q 8 47 8 36 Q 8 27 19 24 Q 32 20 32 11 Q 32 0 19 0 Q 9 0 5 9"},
    {'t', 30, "M 13 60 L 13 11 Q 13 0 21 0 Q 26 0 29 4 M 4 46 L 27 46"},
    {'u', 47, "M 3 45 L 10 46 L 10 14 Q 10 0 20 0 Q 30 0 37 13 M 31 45 L 37 46 L 37 0 L 43 1"},
    {'v', 42, "M 6 46 L 21 0 L 36 46 M 1 46 L 12 46 M 30 46 L 41 46"},
    {'w', 62, "M 6 46 L 18 0 L 31 46 L 44 0 L 56 46 M 1 46 L 12 46 M 50 46 L 61 46"},
    {'x', 42, "M 7 46 L 35 0 M 35 46 L 7 0 M 2 46 L 13 46 M 30 46 L 40 46 M 2 0 L 12 0 M 30 0 L 41 0"},
    {'y', 42, "M 6 46 L 21 2 M 36 46 L 20 -8 Q 15 -22 5 -20 M 1 46 L 12 46 M 30 46 L 41 46"},
    {'z', 39, "M 6 38 L 7 46 L 33 46 L 6 0 L 33 0 L 35 8"},
    {'A', 60, "M 9 0 L 30 67 L 51 0 M 17 24 L 43 24 M 3 0 L 17 0 M 43 0 L 58 0"},
    {'B', 54,
     "M 10 66 L 10 0 M 3 66 L 26 66 Q 43 66 43 50 Q 43 35 26 35 L 10 35 M 26 35 Q 48 35 48 18 Q 48 0 27 0 L 3 0"},
    {'C', 57, "M 50 52 Q 44 67 30 67 Q 7 67 7 33 Q 7 -1 31 -1 Q 45 -1 52 14"},
    {'E', 51, "M 11 66 L 11 0 M 3 66 L 43 66 L 44 54 M 11 35 L 34 35 M 3 0 L 45 0 L 47 13"},
    {'F', 48, "M 11 66 L 11 0 M 3 66 L 43 66 L 44 54 M 11 34 L 34 34 M 3 0 L 20 0"},
    {'G', 61, "M 50 52 Q 44 67 30 67 Q 7 67 7 33 Q 7 -1 31 -1 Q 43 -1 50 7 L 50 29 M 38 29 L 57 29"},
    {'H', 63,
     "M 12 66 L 12 0 M 51 66 L 51 0 M 12 34 L 51 34 M 4 66 L 20 66 M 43 66 L 59 66 M 4 0 L 20 0 M 43 0 L 59 0"},
    {'I', 27, "M 13 66 L 13 0 M 5 66 L 22 66 M 5 0 L 22 0"},
    {'L', 49, "M 12 66 L 12 0 M 4 66 L 21 66 M 4 0 L 43 0 L 45 15"},
    {'N', 64, "M 13 0 L 13 66 L 52 0 L 52 66 M 4 66 L 13 66 M 44 66 L 60 66 M 5 0 L 21 0"},
    {'O', 64, "O 32 33 25 34"},
    {'P', 52, "M 11 66 L 11 0 M 3 66 L 27 66 Q 47 66 47 48 Q 47 30 27 30 L 11 30 M 3 0 L 20 0"},
    {'R', 57, "M 11 66 L 11 0 M 3 66 L 27 66 Q 46 66 46 49 Q 46 33 27 33 L 11 33 M 29 33 L 49 0 L 57 0 M 3 0 L 20 0"},
    {'S', 48, "M 41 54 Q 37 67 24 67 Q 9 67 9 52 Q 9 40 25 35 Q 43 29 43 17 Q 43 -1 24 -1 Q 10 -1 5 14"},
    {'T', 55, "M 27 66 L 27 0 M 5 54 L 6 66 L 49 66 L 50 54 M 18 0 L 36 0"},
    {'V', 58, "M 8 66 L 29 0 L 50 66 M 2 66 L 16 66 M 42 66 L 56 66"},
    {'W', 81, "M 8 66 L 24 0 L 40 66 L 57 0 L 73 66 M 2 66 L 15 66 M 66 66 L 79 66"},
    {'0', 46, "O 23 33 16 34"},
    {'2', 46, "M 8 50 Q 9 67 23 67 Q 37 67 37 51 Q 37 38 24 23 L 7 0 L 38 0"},
    {'4', 46, "M 31 0 L 31 66 L 5 19 L 42 19"},
    {'5', 46, "M 37 66 L 13 66 L 11 38 Q 16 42 23 42 Q 40 42 40 21 Q 40 -1 22 -1 Q 11 -1 6 10"},
    {'7', 46, "M 7 55 L 8 66 L 39 66 L 17 0"},
    {'8', 46, "O 23 51 13 16 O 23 17 16 18"},
    {'.', 22, "M 10 1 L 10 5"},
    {',', 22, "M 10 1 L 10 5 Q 13 -4 6 -11"},
    {':', 22, "M 10 1 L 10 5 M 10 40 L 10 44"},
    {';', 22, "M 10 1 L 10 5 Q 13 -4 6 -11 M 10 40 L 10 44"},
    {'-', 30, "M 6 24 L 24 24"},
    {'/', 38, "M 5 -8 L 33 72"},
};

const Glyph& glyph_of(char character) {
    const auto found = std::ranges::find(kGlyphs, character, &Glyph::character);
    if (found == std::end(kGlyphs)) throw std::runtime_error(std::string("there are no strokes for ") + character);
    return *found;
}

/// In pixels.
double advance(const Glyph& glyph, const Pen& pen) {
    return glyph.advance * (glyph.character == ' ' ? pen.word_space : 1) * pen.size_px / kCapital;
}

/// Calls visit(ax, ay, bx, by) for every straight piece, in glyph units.
template <typename Visit>
void walk(const char* strokes, Visit visit) {
    double x = 0, y = 0;
    const auto line_to = [&](double to_x, double to_y) {
        visit(x, y, to_x, to_y);
        x = to_x;
        y = to_y;
    };
    std::istringstream in(strokes);
    for (char command; in >> command;) {
        double px, py, qx = 0, qy = 0;
        in >> px >> py;
        if (command == 'Q' || command == 'O') in >> qx >> qy;
        if (command == 'M' || command == 'O') {
            x = px + qx;
            y = py;
        }
        if (command == 'L') line_to(px, py);
        const int pieces = command == 'Q' ? 9 : command == 'O' ? 28 : 0;
        const double sx = x, sy = y;
        for (int i = 1; i <= pieces; ++i) {
            const double t = double(i) / pieces, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
            if (command == 'Q')
                line_to(a * sx + b * px + c * qx, a * sy + b * py + c * qy);
            else
                line_to(px + qx * cosine(2 * kPi * t), py + qy * sine(2 * kPi * t));
        }
    }
}

}  // namespace

double TextMask::at(int x, int y) const {
    return x < 0 || y < 0 || x >= width_ || y >= height_ ? 0 : double(ink_[size_t(y) * size_t(width_) + size_t(x)]);
}

void TextMask::line(double ax, double ay, double bx, double by, double thick_px, double contrast) {
    // The pen's tip is an ellipse, held slightly turned: in coordinates where it is a circle, a stroke is a capsule.
    constexpr double c = 0.9659258262890683, s = 0.25881904510252074;  // 15 degrees
    const double rx = thick_px / 2, ry = thick_px * contrast / 2;
    const auto to_pen_x = [&](double x, double y) { return (c * x - s * y) / rx; };
    const auto to_pen_y = [&](double x, double y) { return (s * x + c * y) / ry; };
    const double reach = rx + 1;
    const int x0 = std::max(0, int(std::min(ax, bx) - reach)), x1 = std::min(width_ - 1, int(std::max(ax, bx) + reach));
    const int y0 = std::max(0, int(std::min(ay, by) - reach)),
              y1 = std::min(height_ - 1, int(std::max(ay, by) + reach));
    const double pax = to_pen_x(ax, ay), pay = to_pen_y(ax, ay), pbx = to_pen_x(bx, by), pby = to_pen_y(bx, by);
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) {
            const double px = x + 0.5, py = y + 0.5;
            const double d = nearest_on(pax, pay, pbx, pby, to_pen_x(px, py), to_pen_y(px, py)).distance;
            auto& ink = ink_[size_t(y) * size_t(width_) + size_t(x)];
            ink = std::max(ink, float(clamp01(0.5 + (1 - d) * ry)));
        }
}

double TextMask::write(std::string_view text, double x, double y, const Pen& pen) {
    const double scale = pen.size_px / kCapital, thick_px = 9.2 * pen.weight * scale;
    for (const char character : text) {
        const Glyph& glyph = glyph_of(character);
        walk(glyph.strokes, [&](double ax, double ay, double bx, double by) {
            line(x + ax * scale, y - ay * scale, x + bx * scale, y - by * scale, thick_px, pen.contrast);
        });
        x += advance(glyph, pen);
    }
    return x;
}

double TextMask::text_width(std::string_view text, const Pen& pen) {
    double width = 0;
    for (const char character : text) width += advance(glyph_of(character), pen);
    return width;
}

}  // namespace tonescope::assets
