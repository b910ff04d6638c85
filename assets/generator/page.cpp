// A page of a book under a desk lamp: bright at the top left, in the shadow of the fold and of a hand elsewhere.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "assets/generator/draw.h"
#include "assets/generator/font.h"

namespace tonescope::assets {
namespace {

constexpr int kWidth = 1120, kHeight = 1180;
constexpr double kLeft_px = 2 * 130, kRight_px = 2 * 1000;  // margins on the sheet, which is drawn at twice the size

constexpr const char* kOpening =
    "very picture is a bargain between the light that was there and the range that the paper can hold. Where the two "
    "do not match, something is lost: a face in front of a window becomes a shadow, and the far hills of a hazy "
    "morning melt into the sky. The detail is often still in the file. It only lies too close together for the eye, a "
    "few levels of gray apart.";
constexpr const char* kGlobal =
    "The oldest cure counts how often each level occurs and spreads the crowded ones apart. The running sum of the "
    "counts, scaled to the full range, becomes a table; every pixel is looked up in it once. This is histogram "
    "equalization. It has no knob to turn, costs almost nothing, and treats the whole picture alike - which is its "
    "weakness. A bright lamp in one corner decides what happens to the dark street in the other.";
constexpr const char* kLocal =
    "So the picture is cut into tiles, and each tile gets a table of its own. Between the centers of four tiles their "
    "tables are blended, or the seams would show. And because a flat patch of sky has a histogram like a needle, the "
    "slope of its table would blow up the grain: the counts are therefore clipped at a limit before they are summed, "
    "and what was cut off is shared out among all levels. With a low limit the picture hardly changes. With a high "
    "one every thread of the paper stands out. The limit that suits this page lies between two and four; try it on "
    "the dark corner below.";
constexpr const char* kShadow =
    "Look at the foot of this page. A hand keeps the lamp away, and the letters there sink into the paper; no single "
    "table can bring them back without burning out the top. Tile by tile it can be done: what is dark ink beside dark "
    "paper in one corner is not compared with the white of another. Read these lines first as they are, and then "
    "again with the filter on.";
constexpr const char* kLast =
    "A smoothing filter asks the opposite question. Around each pixel it looks at four windows and takes the mean of "
    "the calmest. Noise disappears, edges stay where they were, and a photograph begins to look as though it had been "
    "painted.";

/// Sets a paragraph justified; the first `indented` lines start at first_px. Returns the next baseline.
double set_paragraph(TextMask& sheet, const char* text, double y, double first_px, int indented) {
    constexpr double leading_px = 2 * 27.5;
    const Pen pen{.size_px = 2 * 15.2};
    std::string line;
    int number = 0;
    const auto put = [&](bool last) {
        const double start = number < indented ? first_px : kLeft_px;
        Pen justified = pen;
        const double free_px = kRight_px - start - TextMask::text_width(line, pen);
        const auto spaces = std::ranges::count(line, ' ');
        if (!last && spaces > 0) {
            const double one = TextMask::text_width(" ", pen);
            justified.word_space = 1 + free_px / (double(spaces) * one);
        }
        sheet.write(line, start, y, justified);
        y += leading_px;
        ++number;
        line.clear();
    };
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::string longer = line.empty() ? word : line + " " + word;
        if (!line.empty() &&
            (number < indented ? first_px : kLeft_px) + TextMask::text_width(longer, pen) > kRight_px) {
            put(false);
            line = word;
        } else {
            line = longer;
        }
    }
    put(true);
    return y;
}

/// A histogram with the curve of its running sum.
void draw_figure(TextMask& sheet, double x, double y, double width, double height) {
    constexpr int bins = 46;
    double counts[bins], sum = 0;
    for (int i = 0; i < bins; ++i) {
        const double t = double(i) / bins, a = (t - 0.34) / 0.10, b = (t - 0.62) / 0.13;
        counts[i] = 0.92 * exponential(-a * a) + 0.5 * exponential(-b * b) + 0.03 + 0.07 * hash(i, 0, 5);
        sum += counts[i];
    }
    double running = 0, last_x = x, last_y = y;
    for (int i = 0; i < bins; ++i) {
        const double bx = x + width * (i + 0.5) / bins;
        sheet.line(bx, y, bx, y - height * 0.8 * counts[i], width / bins * 0.42);
        running += counts[i];
        const double cx = x + width * (i + 1) / bins, cy = y - height * running / sum;
        sheet.line(last_x, last_y, cx, cy, 4.4);
        last_x = cx;
        last_y = cy;
    }
    sheet.line(x - 8, y, x + width + 12, y, 3);
    sheet.line(x, y + 8, x, y - height - 10, 3);
}

TextMask set_page() {
    TextMask sheet(2 * kWidth, 2 * kHeight);
    const auto centered = [&](const char* text, double y, const Pen& pen) {
        sheet.write(text, (kLeft_px + kRight_px - TextMask::text_width(text, pen)) / 2, y, pen);
    };
    sheet.write("42", kLeft_px, 170, {.size_px = 24});
    const Pen running{.size_px = 22};
    sheet.write("NOTES ON LIGHT", kRight_px - TextMask::text_width("NOTES ON LIGHT", running), 170, running);
    sheet.line(kLeft_px, 194, kRight_px, 194, 2);
    centered("Of Light and Its Levels", 330, {.size_px = 62, .weight = 1.15});
    centered("CHAPTER THREE", 400, {.size_px = 22, .word_space = 1.6});

    double y = 510;
    const double after_initial = sheet.write("E", kLeft_px - 8, y + 2 * 55 - 2, {.size_px = 134, .weight = 1.15}) + 12;
    y = set_paragraph(sheet, kOpening, y, after_initial, 3);
    y = set_paragraph(sheet, kGlobal, y, kLeft_px + 44, 1);
    draw_figure(sheet, kLeft_px + 300, y + 350, 1140, 330);
    centered("Fig. 7. Counts of a hazy picture, and the curve that spreads them.", y + 420, {.size_px = 23});
    y = set_paragraph(sheet, kLocal, y + 510, kLeft_px + 44, 1);
    y = set_paragraph(sheet, kShadow, y, kLeft_px + 44, 1);
    set_paragraph(sheet, kLast, y, kLeft_px + 44, 1);
    return sheet;
}

}  // namespace

Picture draw_page() {
    const TextMask sheet = set_page();
    Canvas canvas(2 * kWidth, 2 * kHeight);
    canvas.fill([&](double sx, double sy) {
        const double u = sx / (2 * kWidth), v = sy / (2 * kHeight);
        // The sheet bulges a little and bends down into the fold at the right.
        const double fold = smoothstep(0.80, 1.06, u);
        const double x = sx + 26 * sine(v * 3) * (u - 0.5) + 30 * fold * fold + 10;
        const double y = sy + 34 * sine(u * 3.1) - 20 + 90 * fold * fold * (v - 0.45) + 8 * u;
        const int ix = int(std::floor(x)), iy = int(std::floor(y));
        const double fx = x - ix, fy = y - iy;
        const double ink = mix(mix(sheet.at(ix, iy), sheet.at(ix + 1, iy), fx),
                               mix(sheet.at(ix, iy + 1), sheet.at(ix + 1, iy + 1), fx), fy);

        const double fiber = fractal_noise(sx / 16, sy / 11, 4, 40);
        const double paper = 0.93 + 0.025 * fiber + 0.015 * fractal_noise(sx / 240, sy / 240, 3, 41);
        const double printed = paper * (1 - ink * (0.86 + 0.08 * fiber));

        const double lx = u - 0.16, ly = (v - 0.12) * 1.2;
        double light = 0.07 + 0.98 * exponential(-(lx * lx + ly * ly) * 2.3);
        light *= 1 - 0.62 * fold;
        // The reader's hand and arm shade the lower right: a soft edge far from the lamp.
        const double edge = v - (1.06 - 0.62 * u + 0.05 * sine(u * 7) + 0.02 * noise(u * 9, v * 9, 42));
        light *= mix(1, 0.40, smoothstep(-0.055, 0.075, edge));
        const double value = printed * light;
        return Color{0, value / (value + 0.30) * 1.22 + 0.015, 0};
    });
    return to_picture(canvas.halved(), 1, 0.6, 43);
}

}  // namespace tonescope::assets
