#include <gtest/gtest.h>

#include "gpu/core/canvas/canvas.h"

namespace tonescope {
namespace {

constexpr Color kBlack{0, 0, 0}, kWhite{255, 255, 255};

int64_t sum(const HostImage& image) {
    int64_t total = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) total += image.view().pixel(x, y)[0];
    return total;
}

TEST(Canvas, EdgesBetweenPixelsCoverThemInPart) {
    Canvas canvas(4, 3, kBlack);
    canvas.fill(0.5, 1, 2, 1, kWhite);
    const HostImage image = canvas.take();
    const int expected[4] = {128, 255, 128, 0};
    for (int x = 0; x < 4; ++x) {
        EXPECT_EQ(image.view().pixel(x, 1)[0], expected[x]) << x;
        EXPECT_EQ(image.view().pixel(x, 0)[0], 0) << x;
        EXPECT_EQ(image.view().pixel(x, 1)[3], 255) << x;
    }
}

TEST(Canvas, PolygonsCoverWhatTheirOutlineHolds) {
    Canvas canvas(8, 8, kBlack);
    const CanvasPoint triangle[] = {{0, 0}, {8, 0}, {0, 8}};
    canvas.polygon(triangle, kWhite);
    const HostImage image = canvas.take();
    EXPECT_NEAR(double(sum(image)), 255 * 32, 40) << "half of the square";
    EXPECT_EQ(image.view().pixel(1, 1)[0], 255);
    EXPECT_NEAR(image.view().pixel(4, 3)[0], 128, 2) << "the edge goes through its middle";
    EXPECT_EQ(image.view().pixel(6, 6)[0], 0);
}

TEST(Canvas, LinesAreAsThickAsTheyAreAskedToBe) {
    Canvas canvas(40, 40, kBlack);
    const CanvasPoint points[] = {{10, 20}, {30, 20}};
    canvas.line(points, 4, kWhite);
    const HostImage image = canvas.take();
    const auto at = [&](int x, int y) { return int(image.view().pixel(x, y)[0]); };
    for (const int y : {18, 19, 20, 21}) EXPECT_EQ(at(20, y), 255) << y;
    EXPECT_EQ(at(20, 17), 0);
    EXPECT_EQ(at(20, 22), 0);
    EXPECT_GT(at(8, 20), 100) << "the end is round";
    EXPECT_EQ(at(7, 20), 0);
}

TEST(Canvas, WhatLiesOutsideIsLeftOut) {
    Canvas canvas(8, 8, kBlack);
    canvas.fill(-3, -3, 50, 50, {9, 9, 9});
    canvas.text(-5, 4, 20, "8888", kWhite);
    canvas.text(6, 40, 20, "8888", kWhite);
    const CanvasPoint beyond[] = {{-20, 3}, {40, -9}, {30, 60}};
    canvas.polygon(beyond, {9, 9, 9});
    canvas.line(beyond, 3, {9, 9, 9});
    EXPECT_GE(sum(canvas.take()), 64 * 9);
}

TEST(Canvas, TextIsAsWideAsItSaysAndAlignedByIt) {
    if (!Canvas::has_font()) GTEST_SKIP() << "this build has no font";
    const double width = Canvas::text_width(20, "1024");
    EXPECT_GT(width, 30);
    EXPECT_LT(Canvas::text_width(20, "10"), width);
    const auto bounds = [&](double x, Align align) {
        Canvas canvas(200, 40, kBlack);
        canvas.text(x, 30, 20, "1024", kWhite, align);
        const HostImage image = canvas.take();
        int first = 200, last = -1;
        for (int y = 0; y < 40; ++y)
            for (int column = 0; column < 200; ++column)
                if (image.view().pixel(column, y)[0] > 40)
                    first = std::min(first, column), last = std::max(last, column);
        return std::pair(first, last);
    };
    const auto left = bounds(50, Align::left), right = bounds(150, Align::right), center = bounds(100, Align::center);
    EXPECT_NEAR(left.first, 50, 4);
    EXPECT_NEAR(right.second, 150, 4);
    EXPECT_NEAR((center.first + center.second) / 2.0, 100, 4);
    EXPECT_NEAR(left.second - left.first, width, 5);
}

}  // namespace
}  // namespace tonescope
