// The picture of the histogram lab: 8-bit counters over true counts, on a logarithmic axis because true counts reach
// millions where the counters stop at 255.
#include <algorithm>
#include <cmath>
#include <string>

#include "gpu/core/canvas/canvas.h"
#include "gpu/ops/histogram/histogram.h"

namespace tonescope::histogram {
namespace {

constexpr Color kBackground{20, 23, 28};
constexpr Color kPlotGround{26, 30, 36};
constexpr Color kGrid{45, 51, 60};
constexpr Color kAxis{110, 119, 132};
constexpr Color kText{205, 211, 219};
constexpr Color kQuietText{150, 158, 170};
// Blue and orange of Okabe and Ito's palette, which color-blind people tell apart.
constexpr Color kTrueCounts{58, 122, 168};
constexpr Color kTrueEdge{110, 190, 240};
constexpr Color kCounters{230, 159, 0};

// One column of pixels a bin.
constexpr double kText_px = 20;  // size of all text
constexpr int kCapital_px = 14;  // height of its capitals and digits

constexpr Rect kArea{128, 84, kFineBins, 544};
constexpr int kFoot_px = kArea.y + kArea.height;
constexpr int kRight_px = kArea.x + kArea.width;

/// Decades below a count of 1 that the axis shows, so that a single pixel is seen and an empty bin is not.
constexpr double kBelowOne = 0.3;

class CountAxis {
  public:
    explicit CountAxis(uint32_t largest) : decades_(kBelowOne + std::log10(double(std::max(largest, 1000u))) + 0.1) {}
    /// Pixels above the foot.
    int height(uint32_t count) const {
        if (count == 0) return 0;
        return int(std::lround((kBelowOne + std::log10(double(count))) / decades_ * kArea.height));
    }

  private:
    double decades_;
};

std::string decade_label(uint32_t count) {
    if (count >= 1000000) return std::to_string(count / 1000000) + "M";
    if (count >= 1000) return std::to_string(count / 1000) + "k";
    return std::to_string(count);
}

void draw_grid(Canvas& canvas, const CountAxis& axis) {
    const auto label = [&](uint32_t count, const std::string& text) {
        const int y = kFoot_px - axis.height(count);
        canvas.fill(kArea.x - 8, y, 8, 1, kAxis);
        canvas.text(kArea.x - 16, y + kCapital_px / 2, kText_px, text, kText, Align::right);
    };
    label(0, "0");
    for (uint64_t decade = 1; decade <= 1000000000; decade *= 10) {
        for (uint64_t step = 1; step < 10; ++step) {
            const int height = axis.height(uint32_t(std::min<uint64_t>(decade * step, UINT32_MAX)));
            if (height > kArea.height) return;
            if (step == 1) {
                canvas.fill(kArea.x, kFoot_px - height, kArea.width, 1, kGrid);
                label(uint32_t(decade), decade_label(uint32_t(decade)));
            } else {
                canvas.fill(kArea.x - 4, kFoot_px - height, 4, 1, kAxis);
            }
        }
    }
}

void draw_bin_axis(Canvas& canvas) {
    canvas.fill(kArea.x - 1, kArea.y, 1, kArea.height + 1, kAxis);
    canvas.fill(kArea.x - 1, kFoot_px, kArea.width + 1, 1, kAxis);
    for (int bin = 0; bin <= kFineBins; bin += 128) {
        const int x = kArea.x + std::min(bin, kFineBins - 1);
        const std::string text = std::to_string(std::min(bin, kFineBins - 1));
        canvas.fill(x, kFoot_px, 1, 8, kAxis);
        canvas.text(x, kFoot_px + 16 + kCapital_px, kText_px, text, kText, Align::center);
    }
    canvas.text(kArea.x + kArea.width / 2, kFoot_px + 44 + kCapital_px, kText_px, "bin of 10-bit luma", kQuietText,
                Align::center);
}

/// Bins of gray images are four apart: where all that hold something are, bars may be wider than a column.
int bar_width(const BinsResult& bins) {
    int last = -4;
    for (int bin = 0; bin < kFineBins; ++bin) {
        if (bins.counts[size_t(bin)] == 0 && bins.bins[size_t(bin)] == 0) continue;
        if (bin - last < 4) return 1;
        last = bin;
    }
    return 3;
}

void draw_bars(Canvas& canvas, const BinsResult& bins, const CountAxis& axis) {
    const int width = bar_width(bins);
    for (int bin = 0; bin < kFineBins; ++bin) {
        const int x = kArea.x + bin - width / 2;
        const int true_height = axis.height(bins.counts[size_t(bin)]);
        const int counter_height = axis.height(bins.bins[size_t(bin)]);
        canvas.fill(x, kFoot_px - true_height, width, true_height, kTrueCounts);
        canvas.fill(x, kFoot_px - true_height, width, std::min(true_height, 2), kTrueEdge);
        canvas.fill(x, kFoot_px - counter_height, width, counter_height, kCounters);
    }
}

void draw_limit(Canvas& canvas, const CountAxis& axis) {
    const int y = kFoot_px - axis.height(255);
    for (int x = kArea.x; x < kRight_px; x += 12) canvas.fill(x, y, std::min(6, kRight_px - x), 1, kText);
    canvas.text(kRight_px + 12, y + kCapital_px / 2, kText_px, "255", kText);
}

void draw_legend(Canvas& canvas) {
    constexpr int kBaseline_px = 56, kSwatch_px = 14, kGap_px = 10;
    canvas.text(kArea.x, kBaseline_px, kText_px, "pixels per bin", kQuietText);
    double x = kRight_px;
    const auto entry = [&](const std::string& text, Color color) {
        canvas.text(x, kBaseline_px, kText_px, text, kText, Align::right);
        x -= Canvas::text_width(kText_px, text) + kGap_px + kSwatch_px;
        canvas.fill(x, kBaseline_px - kSwatch_px, kSwatch_px, kSwatch_px, color);
        x -= 3 * kGap_px;
    };
    entry("true counts", kTrueCounts);
    entry("8-bit counters", kCounters);
}

}  // namespace

HostImage draw_plot(const BinsResult& bins) {
    Canvas canvas(kPlotWidth_px, kPlotHeight_px, kBackground);
    canvas.fill(kArea.x, kArea.y, kArea.width, kArea.height, kPlotGround);
    const CountAxis axis(*std::ranges::max_element(bins.counts));
    draw_grid(canvas, axis);
    draw_bars(canvas, bins, axis);
    draw_bin_axis(canvas);
    draw_limit(canvas, axis);
    draw_legend(canvas);
    return canvas.take();
}

}  // namespace tonescope::histogram
