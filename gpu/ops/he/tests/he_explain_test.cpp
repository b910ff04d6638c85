// What histogram equalization says of itself, by hand and against the reference.
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/core/luma.h"
#include "gpu/core/registry.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {
namespace {

Explanation explain(const HostImage& image, int32_t color, Pixel pixel) {
    return find_operator("he")->explain({.input = image.view(), .params = ParamBlock(Params{color}), .pixel = pixel});
}

TEST(HeExplain, CurvesOfFourPixels) {
    // 10 20 20 200: m = 1, d = 3. lut[10] = 0, lut[20] = (510 * 2 + 3) / 6 = 170, lut[200] = 255.
    HostImage image({4, 1, PixelFormat::gray8, false});
    const uint8_t values[] = {10, 20, 20, 200};
    std::copy(values, values + 4, image.data());
    const Explanation e = explain(image, color_luma, {1, 0});
    ASSERT_EQ(e.plots.size(), 1U);
    const ExplainedPlot& plot = e.plots[0];
    EXPECT_EQ(plot.name, "Value");
    EXPECT_EQ(plot.counts[20], 2U);
    EXPECT_EQ(plot.bin, 20);
    EXPECT_EQ(plot.out, 170);
    EXPECT_EQ(plot.sums.levels[9], 0);
    EXPECT_EQ(plot.sums.levels[10], 0.25F);
    EXPECT_EQ(plot.sums.levels[199], 0.75F);
    EXPECT_EQ(plot.sums.levels[255], 1);
    EXPECT_EQ(std::lround(plot.transfer.levels[10] * 255), 0);
    EXPECT_EQ(std::lround(plot.transfer.levels[200] * 255), 255);
    EXPECT_EQ(e.table.rows[0].cells, (std::vector<std::string>{"2", "2", "3", "170"}));
    EXPECT_EQ(e.result[0], 170);
}

TEST(HeExplain, TheTransferCurveIsTheReferencesTable) {
    HostImage image({256, 40, PixelFormat::rgba8, false});
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 256; ++x) {
            const uint8_t pixel[] = {uint8_t(x), uint8_t(x * x / 256), uint8_t(255 - x), 255};
            std::copy(pixel, pixel + 4, image.mutable_view().pixel(x, y));
        }
    const ParamBlock params(Params{color_channels});
    HostImage output(image.spec());
    reference_of("he").run_cpu({.input = image.view(), .params = params, .output = output.mutable_view()});
    const Explanation e = explain(image, color_channels, {3, 3});
    ASSERT_EQ(e.plots.size(), 3U);
    EXPECT_EQ(e.plots[1].name, "Green");
    for (int x = 0; x < 256; ++x)
        for (size_t c = 0; c < 3; ++c)
            ASSERT_EQ(std::lround(e.plots[c].transfer.levels[image.view().pixel(x, 0)[c]] * 255),
                      output.view().pixel(x, 0)[c]);
}

}  // namespace
}  // namespace tonescope::he
