// Suggestions for images of which it is known what CLAHE does to them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "gpu/core/backend.h"
#include "gpu/core/figures/suggestions.h"
#include "gpu/ops/clahe/clahe.h"
#include "tests/images.h"

namespace tonescope::clahe {
namespace {

const OperatorInfo& op() {
    return *find_operator("clahe");
}
const ParamInfo& info_of(std::string_view id) {
    return *find_param(op().params, id);
}
ParamSuggestions suggest_for(std::string_view id, const HostImage& image,
                             const ParamBlock& params = default_values(op().params)) {
    return suggest(op(), info_of(id), params, image.view(), {}, 2);
}
/// Those that the window shows by itself.
std::vector<SuggestionMark> shown(const ParamSuggestions& suggestions) {
    std::vector<SuggestionMark> marks = suggestions.marks;
    std::erase_if(marks, [](const SuggestionMark& mark) { return mark.is_flat; });
    return marks;
}
const SuggestionCurve& curve_of(const ParamSuggestions& suggestions, std::string_view figure) {
    return *std::ranges::find(suggestions.curves, figure, [](const SuggestionCurve& c) { return c.figure->id; });
}

/// Noise around the middle, as from a camera.
HostImage gaussian(int side, double deviation, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> level(128, deviation);
    HostImage image({side, side, PixelFormat::gray8, false});
    for (size_t k = 0; k < image.size_bytes(); ++k)
        image.data()[k] = uint8_t(std::clamp(std::lround(level(random)), 1L, 254L));
    return image;
}

/// The figure of the reference's result.
double figure_with(std::string_view figure, const HostImage& image, std::string_view id, int32_t value) {
    ParamBlock params = default_values(op().params);
    params.set(info_of(id), value);
    HostImage result(op().output_spec(image.spec(), params));
    reference_of("clahe").run_cpu(
        {.input = image.view(), .params = params, .output = result.mutable_view(), .threads = 2});
    const ImageView before = image.view();
    return *measure_figures(std::array{find_figure(figure)}, &before, result.view(), 2).after[0];
}

TEST(ClaheSuggestions, NoneForAFlatImage) {
    for (const char* id : {"tile_size", "clip_limit"}) {
        const ParamSuggestions found = suggest_for(id, filled(256, 256, PixelFormat::gray8, 90));
        EXPECT_TRUE(found.marks.empty()) << id;
        EXPECT_TRUE(found.curves.empty()) << id;
    }
}

TEST(ClaheSuggestions, NoneByEntropyWhereAllLevelsAreTakenAlready) {
    // White noise, and a ramp with as many pixels of each level: 8 bits, of which no filter makes more.
    HostImage ramp({512, 512, PixelFormat::gray8, false});
    for (int y = 0; y < 512; ++y)
        for (int x = 0; x < 512; ++x) *ramp.mutable_view().pixel(x, y) = uint8_t(x / 2);
    for (const HostImage& image : {noise(512, 512, PixelFormat::gray8, 7), std::move(ramp)}) {
        const ParamSuggestions found = suggest_for("clip_limit", image);
        for (const SuggestionMark& mark : shown(found)) EXPECT_NE(found.curves[mark.curve].figure->id, "entropy");
    }
    // Nor does the noise grow that fills the range.
    EXPECT_TRUE(curve_of(suggest_for("clip_limit", noise(512, 512, PixelFormat::gray8, 7)), "noise_gain").is_flat());
}

TEST(ClaheSuggestions, NoiseOfLowContrastGrowsUntilItFillsTheRange) {
    // A deviation of 50 levels makes a slope of 256 / (50 sqrt(2 pi)) = 2.04 in the middle. A limit of 1 gives 1 and
    // its excess, of which a share of 0.30 lies above it: 1.30. Without a limit, all levels are equally frequent: their
    // deviation is 256 / sqrt(12) = 74, which is 1.48 times as much; the flat blocks lie nearer to the middle.
    const HostImage image = gaussian(512, 50);
    const ParamSuggestions found = suggest_for("clip_limit", image);
    const SuggestionCurve& curve = curve_of(found, "noise_gain");
    EXPECT_NEAR(*curve.figures.front(), 1.3, 0.1);
    EXPECT_NEAR(*curve.figures.back(), 1.6, 0.15);
    const auto mark = std::ranges::find_if(
        found.marks, [&](const SuggestionMark& m) { return m.reason.starts_with("Noise gain passes 1.50 above "); });
    ASSERT_NE(mark, found.marks.end());
    EXPECT_GT(mark->value, 105);
    EXPECT_LT(mark->value, 250);
    EXPECT_NEAR(figure_with("noise_gain", image, "clip_limit", mark->value), 1.5, 0.03);
}

/// What the reasons say is what the reference does.
TEST(ClaheSuggestions, TheReasonsAreTrue) {
    // Two shades with fine noise: contrast is to be gained, and noise.
    std::mt19937 random(3);
    std::normal_distribution<double> level(0, 9);
    HostImage image({512, 384, PixelFormat::gray8, false});
    for (int y = 0; y < 384; ++y)
        for (int x = 0; x < 512; ++x)
            *image.mutable_view().pixel(x, y) = uint8_t(
                std::clamp(std::lround(90 + 40 * std::sin(x / 60.0) * std::cos(y / 45.0) + level(random)), 1L, 254L));
    int marks = 0;
    for (const char* id : {"tile_size", "clip_limit"}) {
        const ParamSuggestions found = suggest_for(id, image);
        EXPECT_EQ(found.part, (Rect{0, 0, 512, 384}));
        for (const SuggestionMark& mark : found.marks) {
            ++marks;
            const SuggestionCurve& curve = found.curves[mark.curve];
            const double here = figure_with(curve.figure->id, image, id, mark.value);
            if (curve.figure->id == "noise_gain") {
                EXPECT_NEAR(here, 1.5, 0.05) << id << ": " << mark.reason;
            } else {
                double most = 0;
                for (const int32_t value : curve.values)
                    most = std::max(most, figure_with("entropy", image, id, value));
                EXPECT_LT(most / here, 1.012) << id << ": " << mark.reason;
            }
        }
        for (size_t k = 0; k < curve_of(found, "entropy").values.size(); k += 4)
            EXPECT_EQ(curve_of(found, "entropy").figures[k],
                      figure_with("entropy", image, id, curve_of(found, "entropy").values[k]));
    }
    EXPECT_GE(marks, 2);
}

TEST(ClaheSuggestions, OfAPartTheTilesKeepTheirSize) {
    const SuggestedParam& suggested = *find_suggested("clahe", "clip_limit");
    Params params = default_values(op().params).as<Params>();
    params.grid_columns = 8;
    params.grid_rows = 6;
    const ImageSpec image{4096, 3072, PixelFormat::gray8, false};
    const auto part = suggested.for_part(ParamBlock(params), image, {1000, 1000, 1024, 1024}).as<Params>();
    EXPECT_EQ(part.grid_columns, 2);
    EXPECT_EQ(part.grid_rows, 2);
    EXPECT_EQ(part.tile_size, params.tile_size);
    EXPECT_EQ(suggested.for_part(ParamBlock(params), image, {0, 0, 20, 20}).as<Params>().grid_rows, 1);
    EXPECT_EQ(suggested.for_part(ParamBlock(params), image, {0, 0, 4096, 3072}), ParamBlock(params));
}

TEST(ClaheSuggestions, DeepImagesAndColorsHaveThemToo) {
    HostImage deep({256, 256, PixelFormat::gray16, false, 4095});
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x)
            reinterpret_cast<uint16_t*>(deep.mutable_view().row(y))[x] = uint16_t(1000 + (x * x + y * 3) % 500);
    EXPECT_FALSE(curve_of(suggest_for("clip_limit", deep), "entropy").figures.empty());
    EXPECT_EQ(suggest_for("tile_size", noise(128, 96, PixelFormat::rgba8, 4)).curves.size(), 2U);
}

TEST(ClaheSuggestions, TheyCanBeStopped) {
    std::stop_source stop;
    stop.request_stop();
    const HostImage image = noise(64, 64, PixelFormat::gray8, 1);
    EXPECT_THROW(
        suggest(op(), info_of("clip_limit"), default_values(op().params), image.view(), {}, 1, stop.get_token()),
        Canceled);
}

TEST(ClaheSuggestions, OtherParametersTakeNone) {
    EXPECT_EQ(find_suggested("clahe", "bins"), nullptr);
    EXPECT_TRUE(suggest_for("bins", noise(64, 64, PixelFormat::gray8, 1)).curves.empty());
}

}  // namespace
}  // namespace tonescope::clahe
