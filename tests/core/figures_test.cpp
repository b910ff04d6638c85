// Figures: cases computed by hand, and values that NumPy and scikit-image give.
#include "gpu/core/figures/figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <string>

#include "gpu/core/figures/figure_series.h"
#include "tests/image_tools.h"
#include "tests/images.h"

namespace tonescope {
namespace {

std::optional<double> figure(const char* id, const HostImage* before, const HostImage& after,
                             FigureSide side = FigureSide::after) {
    const FigureInfo* info = find_figure(id);
    if (info == nullptr) throw std::invalid_argument(id);
    ImageView view;
    if (before != nullptr) view = before->view();
    const FigureValues values = measure_figures(std::array{info}, before != nullptr ? &view : nullptr, after.view(), 2);
    return side == FigureSide::after ? values.after[0] : values.before[0];
}

HostImage gray(int width, int height, const std::vector<int>& values) {
    HostImage image({width, height, PixelFormat::gray8, false});
    std::ranges::copy(values, image.data());
    return image;
}

TEST(Figures, HistogramsByHand) {
    const HostImage image = gray(4, 2, {0, 0, 0, 0, 64, 64, 128, 192});
    EXPECT_DOUBLE_EQ(*figure("mean", nullptr, image), 56);
    EXPECT_DOUBLE_EQ(*figure("entropy", nullptr, image), 0.5 * 1 + 0.25 * 2 + 2 * 0.125 * 3);
    EXPECT_DOUBLE_EQ(*figure("michelson", nullptr, image), 1);
    const double variance = (4 * 56 * 56 + 2 * 8 * 8 + 72 * 72 + 136 * 136) / 8.0;
    EXPECT_DOUBLE_EQ(*figure("rms", nullptr, image), std::sqrt(variance) / 255);
    EXPECT_DOUBLE_EQ(*figure("clipped", nullptr, image), 50);
    EXPECT_DOUBLE_EQ(*figure("michelson", nullptr, gray(2, 1, {50, 150})), 0.5);
    EXPECT_EQ(figure("michelson", nullptr, gray(2, 1, {0, 0})), 0);
}

TEST(Figures, GradientsByHand) {
    // Along x: 3 at both borders of the ramp and inside; along y: 4.
    HostImage ramp({5, 4, PixelFormat::gray8, false});
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 5; ++x) *ramp.mutable_view().pixel(x, y) = uint8_t(10 + 3 * x + 4 * y);
    EXPECT_DOUBLE_EQ(*figure("gradient", nullptr, ramp), 5);
    EXPECT_DOUBLE_EQ(*figure("gradient", nullptr, gray(3, 1, {0, 2, 10})), (2 + 5 + 8) / 3.0);
    EXPECT_DOUBLE_EQ(*figure("gradient", nullptr, gray(1, 3, {0, 2, 10})), (2 + 5 + 8) / 3.0);
    EXPECT_EQ(figure("gradient", nullptr, gray(1, 1, {9})), 0);
}

TEST(Figures, EmeByHand) {
    HostImage image = filled(17, 9, PixelFormat::gray8, 9);  // two whole blocks
    *image.mutable_view().pixel(7, 7) = 19;
    *image.mutable_view().pixel(16, 0) = 255;  // in none
    EXPECT_DOUBLE_EQ(*figure("eme", nullptr, image), 20 * std::log(20.0 / 10) / 2);
    EXPECT_EQ(figure("eme", nullptr, filled(7, 100, PixelFormat::gray8, 9)), std::nullopt);
    EXPECT_EQ(figure("eme", nullptr, filled(8, 8, PixelFormat::gray8, 0)), 0) << "black is no division by zero";
}

/// Blocks side by side in which one pixel differs by `step` from its ground of 100.
HostImage dots(const std::vector<int>& steps) {
    HostImage image = filled(8 * int(steps.size()), 8, PixelFormat::gray8, 100);
    for (size_t k = 0; k < steps.size(); ++k) *image.mutable_view().pixel(8 * int(k) + 4, 4) = uint8_t(100 + steps[k]);
    return image;
}

TEST(Figures, NoiseGainByHand) {
    // Of four blocks the flattest is looked at: checks of one level, whose high pass is 16 everywhere, and 32 after.
    HostImage before = dots({0, 50, 50, 50}), after = dots({0, 90, 0, 0});
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
            *before.mutable_view().pixel(x, y) = uint8_t(100 + (x + y) % 2);
            *after.mutable_view().pixel(x, y) = uint8_t(100 + 2 * ((x + y) % 2));
        }
    // Checks of n levels have a high pass of 8 n; the median lies in the middle of its level.
    EXPECT_DOUBLE_EQ(*figure("noise_gain", &before, after), 2);
    // A constant block: of 36 zeros the median is a quarter of a level.
    const HostImage flat = dots({0, 50, 50, 50});
    EXPECT_DOUBLE_EQ(*figure("noise_gain", &flat, flat), 1);
    EXPECT_DOUBLE_EQ(*figure("noise_gain", &flat, after), 16 / 0.25);
    // A dot reaches 9 of the 36 inner pixels: 27 zeros, of which the median is at 18 of 27 of half a level.
    const HostImage dot = dots({10, 50, 50, 50});
    EXPECT_DOUBLE_EQ(*figure("noise_gain", &flat, dot), 18 / 27.0 / 2 / 0.25);
    // Blocks with black or white pixels are not looked at, since noise is cut off there.
    const HostImage black = filled(32, 8, PixelFormat::gray8, 0);
    EXPECT_EQ(figure("noise_gain", &black, after), std::nullopt);
    EXPECT_EQ(figure("noise_gain", nullptr, after), std::nullopt) << "nothing before";
}

TEST(Figures, ToneReversalsByHand) {
    // Pairs: 10 20, 20 20, 10 5, 20 5, 20 5, 5 5, 5 5.
    const HostImage before = gray(3, 2, {10, 20, 20, 5, 5, 5});
    EXPECT_EQ(figure("tone_reversals", &before, before), 0);
    const HostImage after = gray(3, 2, {20, 10, 20, 4, 12, 4});
    // 10 20 became 20 10, and 20 5 became 10 12; what was or becomes equal has no order to change.
    EXPECT_DOUBLE_EQ(*figure("tone_reversals", &before, after), 100 * 2 / 7.0);
    EXPECT_EQ(figure("tone_reversals", &before, filled(3, 2, PixelFormat::gray8, 7)), 0);
    const HostImage pixel = gray(1, 1, {1});
    EXPECT_EQ(figure("tone_reversals", &pixel, pixel), std::nullopt) << "no pairs";
}

TEST(Figures, ClippedByHand) {
    const HostImage before = gray(5, 1, {0, 0, 1, 254, 255});
    const HostImage after = gray(5, 1, {0, 255, 0, 255, 254});
    EXPECT_DOUBLE_EQ(*figure("clipped", &before, after, FigureSide::before), 60);
    EXPECT_DOUBLE_EQ(*figure("clipped", &before, after), 80);
    EXPECT_DOUBLE_EQ(*figure("newly_clipped", &before, after), 60) << "at another end is new, too";
    // A pixel that is clipped at both ends counts once.
    HostImage color = filled(2, 1, PixelFormat::rgba8, 100);
    color.mutable_view().pixel(0, 0)[0] = 0;
    color.mutable_view().pixel(0, 0)[1] = 255;
    EXPECT_DOUBLE_EQ(*figure("clipped", nullptr, color), 50);
}

TEST(Figures, ClippedBesideImagesOfAnotherDepth) {
    HostImage deep({4, 1, PixelFormat::gray16, false, 4095});
    const uint16_t samples[] = {0, 1, 4094, 4095};
    std::ranges::copy(samples, reinterpret_cast<uint16_t*>(deep.data()));
    const HostImage shallow = gray(4, 1, {0, 0, 255, 100});
    EXPECT_DOUBLE_EQ(*figure("clipped", &shallow, deep), 50);
    EXPECT_DOUBLE_EQ(*figure("newly_clipped", &shallow, deep), 25);
    EXPECT_DOUBLE_EQ(*figure("clipped", &shallow, deep, FigureSide::before), 75);
    EXPECT_DOUBLE_EQ(*figure("newly_clipped", &deep, shallow), 50);
}

/// As images() in figure_goldens.py.
std::pair<HostImage, HostImage> ruled(int most) {
    const bool deep = most > 255;
    const ImageSpec spec{100, 75, deep ? PixelFormat::gray16 : PixelFormat::gray8, false, uint16_t(most)};
    HostImage before(spec), after(spec);
    uint32_t state = 7;
    for (int y = 0; y < spec.height; ++y)
        for (int x = 0; x < spec.width; ++x) {
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF;
            const int value = most * (90 + x * y % 60) / 255 + int(state >> 16) % (most * 9 / 255);
            const int stretched = std::clamp((value - most / 2) * 4 + most / 2, 0, most);
            set_sample(before.mutable_view().pixel(x, y), spec.format, 0, value);
            set_sample(after.mutable_view().pixel(x, y), spec.format, 0, stretched);
        }
    return {std::move(before), std::move(after)};
}

TEST(Figures, AsNumPyAndScikitImageGiveThem) {
    // tests/core/figure_goldens.py with scikit-image 0.26.0, NumPy 2.4.6.
    struct Golden {
        int max_sample;
        std::vector<std::pair<const char*, double>> values;
    };
    const Golden goldens[] = {
        {255,
         {
             {"mean", 102.348800000},
             {"entropy", 5.775542568},
             {"rms", 0.276176748},
             {"michelson", 1.000000000},
             {"eme", 108.898119507},
             {"gradient", 62.999299557},
             {"clipped", 8.906666667},
             {"mean_difference", 47.658933333},
             {"psnr", 13.233556669},
             {"ssim", 0.475868862},
         }},
        {4095,
         {
             {"mean", 1647.463600000},
             {"entropy", 9.369805551},
             {"rms", 0.275954524},
             {"michelson", 1.000000000},
             {"eme", 108.909433763},
             {"gradient", 1011.045042765},
             {"clipped", 8.386666667},
             {"mean_difference", 764.985600000},
             {"psnr", 13.226850494},
             {"ssim", 0.474958440},
         }},
    };
    for (const auto& [max_sample, values] : goldens) {
        const auto [before, after] = ruled(max_sample);
        for (const auto& [id, value] : values)
            EXPECT_NEAR(*figure(id, &before, after), value, 2e-9) << max_sample << id;
    }
}

TEST(Figures, TheNumberOfThreadsDoesNotMatter) {
    std::vector<const FigureInfo*> all;
    for (const FigureInfo& info : figures()) all.push_back(&info);
    const HostImage before = noise(300, 200, PixelFormat::rgba8, 1), after = noise(300, 200, PixelFormat::rgba8, 2);
    const ImageView view = before.view();
    const FigureValues one = measure_figures(all, &view, after.view(), 1);
    const FigureValues many = measure_figures(all, &view, after.view(), 5);
    EXPECT_EQ(one.before, many.before);
    EXPECT_EQ(one.after, many.after);
}

TEST(Figures, TheTableIsComplete) {
    std::set<std::string_view> ids, labels;
    for (const FigureInfo& info : figures()) {
        EXPECT_TRUE(ids.insert(info.id).second) << info.id;
        EXPECT_TRUE(labels.insert(info.label).second) << info.label;
        EXPECT_FALSE(info.of_difference && !info.of_pair) << info.id;
        for (const std::string_view text : {info.definition, info.source}) EXPECT_TRUE(text.ends_with(".")) << info.id;
        EXPECT_EQ(find_figure(info.id), &info);
    }
    EXPECT_EQ(find_figure("beauty"), nullptr);
}

TEST(Figures, StandInTheDocs) {
    std::ifstream file(TONESCOPE_SOURCE_DIR "/docs/figures.md");
    std::set<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.insert(line);
    for (const FigureInfo& info : figures()) {
        const auto cell = [](std::string_view text) { return " " + std::string(text) + " |"; };
        const std::string row = "| `" + std::string(info.id) + "` |" + cell(info.label) + cell(info.unit) +
                                cell(info.of_pair ? "both" : "each") + cell(info.definition) + cell(info.source);
        EXPECT_TRUE(lines.contains(row)) << row;
    }
}

TEST(Figures, AsText) {
    EXPECT_EQ(figure_text(*find_figure("psnr"), 31.238, true), "31.24 dB");
    EXPECT_EQ(figure_text(*find_figure("psnr"), std::numeric_limits<double>::infinity(), false), "\u221e");
    EXPECT_EQ(figure_text(*find_figure("ssim"), 0.5, true), "0.5000");
    EXPECT_EQ(figure_text(*find_figure("ssim"), std::nullopt, true), "none");
}

TEST(Figures, OfASeriesAreThoseOfEachAlone) {
    std::vector<const FigureInfo*> all;
    for (const FigureInfo& info : figures()) all.push_back(&info);
    const HostImage before = noise(83, 61, PixelFormat::rgba8, 1);
    const FigureSeries series(before.view());
    HostImage deep({83, 61, PixelFormat::gray16, false, 1023});
    for (int y = 0; y < deep.height(); ++y)
        for (int x = 0; x < deep.width(); ++x)
            set_sample(deep.mutable_view().pixel(x, y), PixelFormat::gray16, 0, (x * y + x) % 1024);
    const HostImage first = noise(83, 61, PixelFormat::rgba8, 2), second = noise(83, 61, PixelFormat::rgba8, 3);
    std::stop_source stopped;
    stopped.request_stop();
    for (const HostImage* after : std::initializer_list<const HostImage*>{&first, &deep, &second, &first}) {
        series.measure(all, after->view(), 2, stopped.get_token());  // leaves nothing behind
        const ImageView view = before.view();
        const FigureValues expected = measure_figures(all, &view, after->view(), 2);
        const FigureValues values = series.measure(all, after->view(), 2);
        EXPECT_EQ(values.before, expected.before);
        EXPECT_EQ(values.after, expected.after);
    }
}

/// Measures in plain loops.
TEST(Figures, OfEveryFormatAreThoseOfPlainLoops) {
    for (const PixelFormat format :
         {PixelFormat::gray8, PixelFormat::rgba8, PixelFormat::gray16, PixelFormat::rgba16}) {
        const int most = is_deep(format) ? 4095 : 255, width = 1043, height = 77;
        HostImage images[2];
        std::vector<int> lumas[2];
        for (int k = 0; k < 2; ++k) {
            images[k] = HostImage({width, height, format, false, uint16_t(most)});
            uint32_t state = uint32_t(k + 1);
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) {
                    int channels[3];
                    for (int c = 0; c < (is_gray(format) ? 1 : 4); ++c) {
                        state = state * 1664525 + 1013904223;
                        const int value = c == 3 ? most : 20 + (x / 9 + y) % 50 + int(state >> 24) % (1 + x / 20);
                        set_sample(images[k].mutable_view().pixel(x, y), format, c, value);
                        if (c < 3) channels[c] = value;
                    }
                    lumas[k].push_back(is_gray(format) ? channels[0] : luma(channels[0], channels[1], channels[2]));
                }
        }
        const auto at = [&](int k, int x, int y) { return lumas[k][size_t(y) * size_t(width) + size_t(x)]; };
        double sum = 0;
        for (const int value : lumas[1]) sum += value;
        EXPECT_DOUBLE_EQ(*figure("mean", nullptr, images[1]), sum / double(lumas[1].size()));
        int64_t pairs = 0, reversed = 0;
        const auto compare = [&](int x, int y, int x2, int y2) {
            const int64_t b = at(0, x2, y2) - at(0, x, y), a = at(1, x2, y2) - at(1, x, y);
            ++pairs;
            reversed += a * b < 0;
        };
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                if (x + 1 < width) compare(x, y, x + 1, y);
                if (y + 1 < height) compare(x, y, x, y + 1);
            }
        EXPECT_DOUBLE_EQ(*figure("tone_reversals", &images[0], images[1]), 100.0 * double(reversed) / double(pairs));
        double eme = 0;
        std::vector<int> ranges, flat;
        for (int y = 0; y + 8 <= height; y += 8)
            for (int x = 0; x + 8 <= width; x += 8) {
                int least[2] = {most, most}, greatest[2] = {0, 0};
                for (int k = 0; k < 2; ++k)
                    for (int i = 0; i < 64; ++i) {
                        least[k] = std::min(least[k], at(k, x + i % 8, y + i / 8));
                        greatest[k] = std::max(greatest[k], at(k, x + i % 8, y + i / 8));
                    }
                eme += 20 * std::log((greatest[1] + most / 255.0) / (least[1] + most / 255.0));
                ranges.push_back(greatest[0] - least[0]);
            }
        EXPECT_DOUBLE_EQ(*figure("eme", nullptr, images[1]), eme / double(ranges.size()));
        std::vector<int> sorted = ranges;
        std::ranges::sort(sorted);
        const int quarter = sorted[(sorted.size() - 1) / 4];
        const auto median = [&](int k) {
            std::vector<int> values;
            for (size_t block = 0; block < ranges.size(); ++block) {
                if (ranges[block] > quarter) continue;
                const int left = 8 * int(block % size_t(width / 8)), top = 8 * int(block / size_t(width / 8));
                for (int i = 0; i < 36; ++i) {
                    const int x = left + 1 + i % 6, y = top + 1 + i / 6;
                    int pass = 0;
                    for (int dy = -1; dy <= 1; ++dy)
                        for (int dx = -1; dx <= 1; ++dx)
                            pass += (dx == 0 ? -2 : 1) * (dy == 0 ? -2 : 1) * at(k, x + dx, y + dy);
                    values.push_back(std::abs(pass));
                }
            }
            std::ranges::sort(values);
            const int level = values[(values.size() - 1) / 2];
            const auto below = double(std::ranges::lower_bound(values, level) - values.begin());
            const auto own = double(std::ranges::count(values, level));
            const double share = (double(values.size()) / 2 - below) / own;
            return level == 0 ? share / 2 : level - 0.5 + share;
        };
        EXPECT_DOUBLE_EQ(*figure("noise_gain", &images[0], images[1]), median(1) / median(0));
    }
}

}  // namespace
}  // namespace tonescope
