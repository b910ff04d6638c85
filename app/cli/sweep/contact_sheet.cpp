#include <algorithm>
#include <cmath>

#include "app/cli/sweep/sweep_results.h"
#include "gpu/core/canvas/canvas.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

constexpr int kThumbnail_px = 280, kMargin_px = 24, kGap_px = 16;
constexpr double kTitle_px = 18, kText_px = 13, kLine_px = 18;
constexpr size_t kMaxFiguresBelow = 3;
constexpr Color kPaper{255, 255, 255}, kInk{30, 32, 36}, kQuiet{96, 100, 108};

void put(const MutableImageView& sheet, int left, int top, const ImageView& picture) {
    const bool gray = is_gray(picture.spec.format);
    for (int y = 0; y < picture.spec.height; ++y)
        for (int x = 0; x < picture.spec.width; ++x) {
            uint8_t* to = sheet.pixel(left + x, top + y);
            const uint8_t* from = picture.pixel(x, y);
            const int alpha = gray ? 255 : from[3];
            for (int c = 0; c < 3; ++c)  // transparent parts show the paper
                to[c] = uint8_t((from[gray ? 0 : c] * alpha + 255 * (255 - alpha) + 127) / 255);
        }
}

/// What fits into a width, from the left.
std::string fitted(std::string text, double width) {
    if (Canvas::text_width(kText_px, text) <= width) return text;
    while (!text.empty() && Canvas::text_width(kText_px, text + "\u2026") > width) {
        size_t begin = text.size() - 1;
        while (begin > 0 && utf8_length(text, begin) == 0) --begin;
        text.resize(begin);
    }
    return text + "\u2026";
}

/// A picture of the sheet and the lines below it, the first of them in bold.
struct Entry {
    const HostImage* picture;
    std::vector<std::string> lines;
};

Entry entry_of(const SweepResults& results, const SweepResult& result) {
    Entry entry{&result.thumbnail, {values_text(results.sweeps, result.values)}};
    const FigureValues& values = result.figures;
    for (size_t k = 0; k < std::min(values.figures.size(), kMaxFiguresBelow); ++k)
        entry.lines.push_back(std::string(values.figures[k]->label) + " " +
                              figure_text(*values.figures[k], values.after[k], true));
    return entry;
}

Entry entry_of_image(const SweptImage& image) {
    Entry entry{&image.thumbnail, {"Original"}};
    const FigureValues& values = image.results[0].figures;
    for (size_t k = 0; k < std::min(values.figures.size(), kMaxFiguresBelow); ++k)
        entry.lines.push_back(values.before[k] ? std::string(values.figures[k]->label) + " " +
                                                     figure_text(*values.figures[k], values.before[k], true)
                                               : std::string());
    return entry;
}

}  // namespace

ImageSpec thumbnail_spec(const ImageSpec& image) {
    const double scale = std::min(1.0, double{kThumbnail_px} / std::max(image.width, image.height));
    ImageSpec spec = image;
    spec.width = std::max(int(std::lround(image.width * scale)), 1);
    spec.height = std::max(int(std::lround(image.height * scale)), 1);
    return spec;
}

HostImage thumbnail_of(const ImageView& image) {
    HostImage thumbnail(thumbnail_spec(image.spec));
    const ImageSpec& spec = thumbnail.spec();
    const int channels = is_gray(spec.format) ? 1 : 4;
    const auto begin = [](int k, int from, int to) { return int(int64_t{k} * from / to); };
    for (int y = 0; y < spec.height; ++y)
        for (int x = 0; x < spec.width; ++x) {
            const int left = begin(x, image.spec.width, spec.width), right = begin(x + 1, image.spec.width, spec.width);
            const int top = begin(y, image.spec.height, spec.height),
                      bottom = begin(y + 1, image.spec.height, spec.height);
            const int64_t pixels = int64_t{right - left} * (bottom - top);
            for (int c = 0; c < channels; ++c) {
                int64_t sum = 0;
                for (int j = top; j < bottom; ++j)
                    for (int i = left; i < right; ++i) sum += image.pixel(i, j)[c];
                thumbnail.mutable_view().pixel(x, y)[c] = uint8_t((2 * sum + pixels) / (2 * pixels));
            }
        }
    return thumbnail;
}

HostImage contact_sheet(const SweepResults& results, const SweptImage& image) {
    std::vector<Entry> entries;
    const bool is_grid = results.sweeps.size() > 1;
    if (!is_grid) entries.push_back(entry_of_image(image));
    for (const SweepResult& result : image.results) entries.push_back(entry_of(results, result));
    const ImageSpec cell = image.thumbnail.spec();
    const int width = std::max(cell.width, 170);
    const auto count = int(entries.size());
    const int columns =
        is_grid ? int(results.sweeps.back().values.size())
                : std::clamp(int(std::ceil(std::sqrt(double(count) * cell.height / width * 1.6))), 1, count);
    const int rows = (count + columns - 1) / columns;
    const int below = int(kLine_px) * int(std::min(image.results[0].figures.figures.size(), kMaxFiguresBelow) + 1) + 6;
    const int top = kMargin_px + int(kTitle_px + kLine_px) + 14;
    const ImageSpec sheet{2 * kMargin_px + columns * (width + kGap_px) - kGap_px,
                          top + rows * (cell.height + below + kGap_px) - kGap_px + kMargin_px, PixelFormat::rgba8};
    HostImage::check_size(sheet);
    Canvas canvas(sheet.width, sheet.height, kPaper);
    const double room = sheet.width - 2 * kMargin_px;
    const std::string name = image.input.substr(image.input.rfind('/') + 1);
    canvas.text(kMargin_px, kMargin_px + kTitle_px - 4, kTitle_px,
                fitted(name + ": " + std::string(image.run.op->name), room * kText_px / kTitle_px), kInk, Align::left,
                true);
    const std::string beside = image.reference.empty() ? "" : ", figures against " + image.reference;
    canvas.text(kMargin_px, kMargin_px + kTitle_px + kLine_px - 2, kText_px,
                fitted(size_text(image.spec.width, image.spec.height) + part_options(results.part) + ", " +
                           std::string(image.run.variant->name) + beside,
                       room),
                kQuiet);
    const auto place = [&](size_t k) {
        const int column = int(k) % columns, row = int(k) / columns;
        return std::pair(kMargin_px + column * (width + kGap_px), top + row * (cell.height + below + kGap_px));
    };
    for (size_t k = 0; k < entries.size(); ++k) {
        const auto [x, y] = place(k);
        for (size_t line = 0; line < entries[k].lines.size(); ++line)
            canvas.text(x, y + cell.height + kLine_px * double(line + 1), kText_px,
                        fitted(entries[k].lines[line], width), line == 0 ? kInk : kQuiet, Align::left, line == 0);
    }
    HostImage drawn = canvas.take();
    for (size_t k = 0; k < entries.size(); ++k) {
        const auto [x, y] = place(k);
        put(drawn.mutable_view(), x, y, entries[k].picture->view());
    }
    return drawn;
}

}  // namespace tonescope
