// Where rules find marks on curves that are given.
#include "gpu/core/figures/suggestions.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

using RuleKind = SuggestionRule::Kind;

constexpr ParamInfo kLinear{
    .id = "size", .label = "Size", .unit = "px", .help = "", .min = 0, .max = 1000, .default_value = 100};
constexpr ParamInfo kLogarithmic{.id = "limit",
                                 .label = "Limit",
                                 .help = "",
                                 .kind = ParamKind::decimal,
                                 .min = 0,
                                 .max = 25600,
                                 .default_value = 300,
                                 .scale = 100,
                                 .logarithmic = true};

SuggestionCurve curve(const char* figure, std::vector<int32_t> values, std::vector<std::optional<double>> figures) {
    return {find_figure(figure), std::move(values), std::move(figures)};
}

TEST(Suggestions, AMarkLiesWhereTheFigurePasses) {
    const SuggestionRule rule{"noise_gain", RuleKind::passes, 1.5};
    const auto rising = find_mark(rule, kLinear, curve("noise_gain", {100, 200, 300}, {1.0, 1.25, 1.75}));
    ASSERT_TRUE(rising);
    EXPECT_EQ(rising->value, 250);
    EXPECT_EQ(rising->reason, "Noise gain passes 1.50 above 250 px");
    EXPECT_FALSE(rising->is_flat);
    const auto falling = find_mark(rule, kLinear, curve("noise_gain", {300, 200, 100}, {1.0, 1.25, 2.0}));
    ASSERT_TRUE(falling);
    EXPECT_EQ(falling->value, 167);
    EXPECT_EQ(falling->reason, "Noise gain passes 1.50 below 167 px");
}

TEST(Suggestions, TheCurveIsStraightOnTheSlidersAxis) {
    const auto mark = find_mark({"noise_gain", RuleKind::passes, 1.5}, kLogarithmic,
                                curve("noise_gain", {100, 400, 1600}, {1.0, 2.0, 3.0}));
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->value, 200) << "the geometric middle of 1 and 4";
    EXPECT_EQ(mark->reason, "Noise gain passes 1.50 above 2.00");
}

TEST(Suggestions, AMarkLiesWhereLittleIsLeftToGain) {
    const SuggestionRule rule{"entropy", RuleKind::levels_off, 0.01};
    const auto rising = find_mark(rule, kLinear, curve("entropy", {100, 200, 300, 400}, {6.06, 7.0, 7.07, 7.07}));
    ASSERT_TRUE(rising);
    EXPECT_EQ(rising->value, 200) << "7.07 is 1 % more than 7.00";
    EXPECT_EQ(rising->reason, "Entropy gains less than 1 % above 200 px");
    const auto falling = find_mark(rule, kLinear, curve("entropy", {400, 300, 200, 100}, {6.06, 7.0, 7.07, 7.07}));
    ASSERT_TRUE(falling);
    EXPECT_EQ(falling->value, 300);
    EXPECT_EQ(falling->reason, "Entropy gains less than 1 % below 300 px");
}

TEST(Suggestions, WithoutACrossingThereIsNone) {
    const SuggestionRule passes{"noise_gain", RuleKind::passes, 1.5};
    EXPECT_FALSE(find_mark(passes, kLinear, curve("noise_gain", {1, 2, 3}, {1.0, 1.2, 1.4}))) << "it never does";
    EXPECT_FALSE(find_mark(passes, kLinear, curve("noise_gain", {1, 2, 3}, {1.6, 2.0, 3.0}))) << "it always has";
    EXPECT_FALSE(find_mark(passes, kLinear, curve("noise_gain", {1, 2, 3}, {2.0, 1.2, 1.0}))) << "it falls";
    EXPECT_FALSE(find_mark(passes, kLinear, curve("noise_gain", {1}, {1.0})));
    EXPECT_FALSE(find_mark(passes, kLinear, curve("noise_gain", {1, 2, 3}, {{}, {}, {}})));
    EXPECT_FALSE(find_mark({"entropy", RuleKind::levels_off, 0.01}, kLinear, curve("entropy", {1, 2}, {7.0, 7.0})));
}

TEST(Suggestions, PointsWithoutAFigureAreLeftOut) {
    const auto mark = find_mark({"noise_gain", RuleKind::passes, 1.5}, kLinear,
                                curve("noise_gain", {100, 200, 300, 400}, {{}, 1.0, {}, 2.0}));
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->value, 300);
    EXPECT_TRUE(mark->is_flat) << "two points make no curve";
}

TEST(Suggestions, FlatIsWhatHardlyChanges) {
    EXPECT_FALSE(curve("entropy", {1, 2, 3}, {6.0, 6.1, 6.2}).is_flat());
    EXPECT_TRUE(curve("entropy", {1, 2, 3}, {7.0, 7.1, 7.2}).is_flat()) << "less than 3 % of 7.2";
    EXPECT_TRUE(curve("entropy", {1, 2, 3}, {0.0, 0.0, 0.0}).is_flat());
    EXPECT_TRUE(curve("entropy", {1, 2, 3}, {{}, {}, {}}).is_flat());
    EXPECT_TRUE(
        find_mark({"entropy", RuleKind::levels_off, 0.01}, kLinear, curve("entropy", {1, 2, 3}, {7.0, 7.1, 7.2}))
            ->is_flat);
}

TEST(Suggestions, ValuesLieAsTheSliderSpreadsThem) {
    const std::vector<int32_t> limits = suggestion_values({"x", "limit", 100, 6400}, kLogarithmic);
    ASSERT_EQ(limits.size(), 13U);
    EXPECT_EQ(limits.front(), 100);
    EXPECT_EQ(limits[6], 800);
    EXPECT_EQ(limits.back(), 6400);
    EXPECT_EQ(suggestion_values({"x", "size", 1, 4}, kLinear), (std::vector<int32_t>{1, 2, 3, 4}));
    EXPECT_EQ(suggestion_values({"x", "size", 4, 1}, kLinear), (std::vector<int32_t>{4, 3, 2, 1}));
}

TEST(Suggestions, OfALargeImageThePartInTheMiddle) {
    const auto part = [](int width, int height, const Rect& region = {}) {
        return suggestion_part({width, height, PixelFormat::gray8, false}, region);
    };
    EXPECT_EQ(part(1024, 1024), (Rect{0, 0, 1024, 1024}));
    EXPECT_EQ(part(6000, 4000), (Rect{2488, 1488, 1024, 1024}));
    EXPECT_EQ(part(65535, 16), (Rect{0, 0, 65535, 16}));
    EXPECT_EQ(part(65535, 64), (Rect{24575, 0, 16384, 64}));
    EXPECT_EQ(part(64, 65535), (Rect{0, 24575, 64, 16384}));
    EXPECT_EQ(part(6000, 4000, {10, 20, 300, 200}), (Rect{10, 20, 300, 200}));
    EXPECT_EQ(part(6000, 4000, {1000, 2000, 3000, 2000}), (Rect{1988, 2488, 1024, 1024}));
}

}  // namespace
}  // namespace tonescope
