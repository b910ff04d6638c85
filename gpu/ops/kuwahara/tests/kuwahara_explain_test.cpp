// What the Kuwahara filter says of its quadrants, by hand.
#include <gtest/gtest.h>

#include "gpu/core/registry.h"
#include "gpu/ops/kuwahara/kuwahara.h"

namespace tonescope::kuwahara {
namespace {

Explanation explain_kuwahara(const HostImage& image, int radius, Pixel pixel) {
    return find_operator("kuwahara")
        ->explain({.input = image.view(), .params = ParamBlock(Params{radius}), .pixel = pixel});
}

TEST(KuwaharaExplain, QuadrantsOfTheMiddleAndOfACorner) {
    // Top left of the center {10 10 10 12}: mean 10.5, variance 12 / 16, deviation 0.87.
    HostImage image({3, 3, PixelFormat::gray8, false});
    const uint8_t values[] = {10, 10, 90, 10, 12, 0, 99, 0, 255};
    std::copy(values, values + 9, image.data());
    const Explanation e = explain_kuwahara(image, 1, {1, 1});
    ASSERT_EQ(e.areas.size(), 4U);
    EXPECT_EQ(e.areas[0].rect, (Rect{0, 0, 2, 2}));
    EXPECT_EQ(e.areas[3].rect, (Rect{1, 1, 2, 2}));
    EXPECT_TRUE(e.areas[0].strong);
    EXPECT_EQ(e.areas[0].label, "10.5 \u00b1 0.87, winner");
    EXPECT_EQ(e.table.rows[0].name, "top left, winner");
    EXPECT_EQ(e.table.rows[0].cells, (std::vector<std::string>{"0.87", "10.5", "4"}));
    EXPECT_EQ(e.table.rows[1].name, "top right");
    EXPECT_EQ(e.values[0].before, 12);
    EXPECT_EQ(e.values[0].after, 11);
    EXPECT_EQ(e.surroundings, (Rect{0, 0, 3, 3}));

    const Explanation corner = explain_kuwahara(image, 1, {0, 0});
    EXPECT_EQ(corner.areas[0].rect, (Rect{0, 0, 1, 1}));  // alone, so it deviates by 0 and wins
    EXPECT_TRUE(corner.areas[0].strong);
    EXPECT_EQ(corner.values[0].after, 10);
}

TEST(KuwaharaExplain, OfATieTheFirstWins) {
    HostImage image({5, 5, PixelFormat::gray8, false});
    std::fill_n(image.data(), 25, uint8_t{7});
    const Explanation e = explain_kuwahara(image, 2, {2, 2});
    for (size_t k = 0; k < 4; ++k) EXPECT_EQ(e.areas[k].strong, k == 0);
}

TEST(KuwaharaExplain, ColorsAreMeasuredByTheirLargestChannel) {
    HostImage image({1, 1, PixelFormat::rgba8, false});
    const uint8_t pixel[] = {10, 40, 25, 255};
    std::copy(pixel, pixel + 4, image.data());
    const Explanation e = explain_kuwahara(image, 3, {0, 0});
    EXPECT_EQ(e.table.rows[0].cells[1], "40.0");
    ASSERT_EQ(e.values.size(), 3U);
    EXPECT_EQ(e.values[2].name, "Blue");
    EXPECT_EQ(e.values[2].after, 25);
}

}  // namespace
}  // namespace tonescope::kuwahara
