// Statistics of differences: cases computed by hand, and SSIM against its definition in plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "gpu/core/statistics.h"
#include "tests/image_tools.h"
#include "tests/images.h"

namespace tonescope {
namespace {

/// The definition, position by position, in double.
double plain_ssim(const ImageView& a, const ImageView& b) {
    const auto value = [](const ImageView& image, int x, int y) -> double {
        const auto sample = [&](int c) { return int{image.sample(x, y, c)}; };
        return is_gray(image.spec.format) ? sample(0) : (77 * sample(0) + 150 * sample(1) + 29 * sample(2) + 128) >> 8;
    };
    double weights[11][11], sum = 0;
    for (int j = 0; j < 11; ++j)
        for (int i = 0; i < 11; ++i)
            sum += weights[j][i] = std::exp(-((i - 5) * (i - 5) + (j - 5) * (j - 5)) / (2 * 1.5 * 1.5));
    const double range = a.spec.max_sample;
    const double c1 = 0.01 * range * 0.01 * range, c2 = 0.03 * range * 0.03 * range;
    double total = 0;
    const int columns = a.spec.width - 10, rows = a.spec.height - 10;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            double mx = 0, my = 0;
            for (int j = 0; j < 11; ++j)
                for (int i = 0; i < 11; ++i) {
                    mx += weights[j][i] / sum * value(a, x + i, y + j);
                    my += weights[j][i] / sum * value(b, x + i, y + j);
                }
            double xx = 0, yy = 0, xy = 0;
            for (int j = 0; j < 11; ++j)
                for (int i = 0; i < 11; ++i) {
                    const double dx = value(a, x + i, y + j) - mx, dy = value(b, x + i, y + j) - my;
                    xx += weights[j][i] / sum * dx * dx;
                    yy += weights[j][i] / sum * dy * dy;
                    xy += weights[j][i] / sum * dx * dy;
                }
            total += (2 * mx * my + c1) * (2 * xy + c2) / ((mx * mx + my * my + c1) * (xx + yy + c2));
        }
    return total / columns / rows;
}

TEST(Difference, EqualImages) {
    const HostImage image = noise(40, 30, PixelFormat::rgba8, 5);
    const DifferenceStatistics s = measure_difference(image.view(), image.view(), 2);
    EXPECT_EQ(s.pixels, 1200);
    EXPECT_EQ(s.changed, 0);
    EXPECT_EQ(s.mean, 0);
    EXPECT_EQ(s.largest, 0);
    EXPECT_EQ(s.nearly_largest, 0);
    EXPECT_TRUE(std::isinf(s.psnr_db));
    ASSERT_TRUE(s.ssim);
    EXPECT_NEAR(*s.ssim, 1, 1e-12);
}

TEST(Difference, CountsByHand) {
    const HostImage before = filled(20, 10, PixelFormat::rgba8, 100);
    HostImage after = filled(20, 10, PixelFormat::rgba8, 100);
    after.mutable_view().pixel(3, 4)[0] = 130;
    after.mutable_view().pixel(3, 4)[2] = 90;
    after.mutable_view().pixel(19, 9)[1] = 80;
    after.mutable_view().pixel(0, 0)[3] = 7;  // alpha does not count
    const DifferenceStatistics s = measure_difference(before.view(), after.view(), 2);
    EXPECT_EQ(s.changed, 2);
    EXPECT_EQ(s.largest, 30);
    EXPECT_DOUBLE_EQ(s.mean, 60.0 / 600);
    EXPECT_DOUBLE_EQ(s.psnr_db, 10 * std::log10(255.0 * 255 * 600 / (900 + 100 + 400)));
    EXPECT_FALSE(s.ssim) << "10 rows are fewer than the window's 11";
}

TEST(Difference, DeepImagesAreComparedInTheirOwnSamples) {
    HostImage before = deep_noise(20, 10, PixelFormat::gray16, 4095, 1);
    HostImage after = deep_noise(20, 10, PixelFormat::gray16, 4095, 1);
    auto* const samples = reinterpret_cast<uint16_t*>(after.data());
    samples[7] = uint16_t(samples[7] < 2000 ? samples[7] + 1000 : samples[7] - 1000);
    DifferenceStatistics s = measure_difference(before.view(), after.view(), 2);
    EXPECT_EQ(s.changed, 1);
    EXPECT_EQ(s.largest, 1000);
    EXPECT_EQ(s.nearly_largest, 1000);
    EXPECT_EQ(s.max_sample, 4095);
    EXPECT_DOUBLE_EQ(s.mean, 1000.0 / 200);
    EXPECT_DOUBLE_EQ(s.psnr_db, 10 * std::log10(4095.0 * 4095 * 200 / 1e6));
    // Beside an image of 8 bits, which is brought to the range of the other one.
    const HostImage white = filled(20, 10, PixelFormat::rgba8, 255);
    std::fill_n(samples, 200, uint16_t{4090});
    s = measure_difference(white.view(), after.view(), 2);
    EXPECT_EQ(s.largest, 5);
    EXPECT_EQ(measure_difference(after.view(), white.view(), 2).changed, 0) << "4090 is 255 of 255";
}

TEST(Difference, NearlyLargestLeavesOutOneInAThousand) {
    const HostImage before = filled(100, 40, PixelFormat::gray8, 10);
    HostImage after = filled(100, 40, PixelFormat::gray8, 10);
    const auto nearly_largest = [&] { return measure_difference(before.view(), after.view(), 2).nearly_largest; };
    after.mutable_view().pixel(7, 3)[0] = 210;
    EXPECT_EQ(nearly_largest(), 200) << "of the pixels that differ, however few there are";
    for (int k = 0; k < 2000; ++k) after.mutable_view().pixel(k % 100, k / 100)[0] = uint8_t(k < 1000 ? 15 : 13);
    after.mutable_view().pixel(0, 0)[0] = after.mutable_view().pixel(1, 0)[0] = 110;
    EXPECT_EQ(nearly_largest(), 5) << "1998 of 2000";
    after.mutable_view().pixel(2, 0)[0] = 110;
    EXPECT_EQ(nearly_largest(), 100) << "1997 of 2000";
}

TEST(Difference, GrayBesideColor) {
    const HostImage before = filled(12, 12, PixelFormat::rgba8, 50);
    const HostImage after = filled(12, 12, PixelFormat::gray8, 60);
    const DifferenceStatistics s = measure_difference(before.view(), after.view(), 1);
    EXPECT_EQ(s.changed, 144);
    EXPECT_DOUBLE_EQ(s.mean, 10);
    EXPECT_NEAR(s.psnr_db, 28.1308, 1e-4);
    // Constant images: only the term of the means is below 1.
    ASSERT_TRUE(s.ssim);
    EXPECT_NEAR(*s.ssim, (2 * 50 * 60 + 6.5025) / (50 * 50 + 60 * 60 + 6.5025), 1e-9);
}

TEST(Difference, SsimIsItsDefinition) {
    for (const auto& [width, height] : {std::pair{11, 11}, {12, 40}, {300, 90}, {267, 75}}) {
        const HostImage before = noise(width, height, PixelFormat::rgba8, 11);
        HostImage after = copy_of(before);
        for (size_t i = 0; i < after.size_bytes(); i += 3) after.data()[i] = uint8_t(after.data()[i] / 2 + 40);
        const DifferenceStatistics one = measure_difference(before.view(), after.view(), 1);
        const DifferenceStatistics four = measure_difference(before.view(), after.view(), 4);
        ASSERT_TRUE(one.ssim);
        EXPECT_NEAR(*one.ssim, plain_ssim(before.view(), after.view()), 1e-9) << width << "x" << height;
        EXPECT_EQ(*one.ssim, *four.ssim);
    }
    for (const PixelFormat format : {PixelFormat::gray16, PixelFormat::rgba16}) {
        const HostImage before = deep_noise(40, 25, format, 16383, 3), after = deep_noise(40, 25, format, 16383, 4);
        EXPECT_NEAR(*measure_difference(before.view(), after.view(), 2).ssim, plain_ssim(before.view(), after.view()),
                    1e-9);
    }
    const HostImage flat = filled(64, 64, PixelFormat::gray8, 250), other = filled(64, 64, PixelFormat::gray8, 251);
    EXPECT_NEAR(*measure_difference(flat.view(), other.view(), 1).ssim, plain_ssim(flat.view(), other.view()), 1e-9);
}

}  // namespace
}  // namespace tonescope
