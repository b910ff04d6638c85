// Lightness against CIE 15 and IEC 61966-2-1 in double precision, and against the plain loops of the references.
#include "gpu/core/color/lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "gpu/ops/reference_lab.h"

namespace tonescope {
namespace {

double decoded(double sample) {
    return sample <= 0.04045 ? sample / 12.92 : std::pow((sample + 0.055) / 1.055, 2.4);
}
double encoded(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}
double root(double light) {
    return light > 216.0 / 24389 ? std::cbrt(light) : light * 841 / 108 + 4.0 / 29;
}
double cube(double f) {
    return f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841;
}

constexpr double kToXyz[3][3] = {
    {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};
constexpr double kToRgb[3][3] = {
    {3.2404542, -1.5371385, -0.4985314}, {-0.9692660, 1.8760108, 0.0415560}, {0.0556434, -0.2040259, 1.0572252}};
constexpr double kWhitePoint[3] = {0.9504700, 1.0000001, 1.0888300};

/// Roots of X, Y and Z.
std::array<double, 3> roots(const std::array<double, 3>& rgb) {
    std::array<double, 3> f{};
    for (size_t k = 0; k < 3; ++k) {
        double sum = 0;
        for (size_t c = 0; c < 3; ++c) sum += kToXyz[k][c] * decoded(rgb[c]);
        f[k] = root(sum / kWhitePoint[k]);
    }
    return f;
}
/// A color whose roots are moved by as much.
std::array<double, 3> moved(const std::array<double, 3>& rgb, double by) {
    const std::array<double, 3> f = roots(rgb);
    std::array<double, 3> result{};
    for (size_t c = 0; c < 3; ++c) {
        double light = 0;
        for (size_t k = 0; k < 3; ++k) light += kToRgb[c][k] * cube(f[k] + by) * kWhitePoint[k];
        result[c] = encoded(std::clamp(light, 0.0, 1.0));
    }
    return result;
}

template <class Sample>
void expect_near(int max_sample, double lightness_steps, double result_steps, double mean_steps) {
    const Lab<Sample> lab = lab_tables<Sample>(max_sample).colors();
    std::mt19937 random(7);
    const auto draw = [&](int most) { return int(random() % uint32_t(most + 1)); };
    double sum = 0;
    constexpr int kColors = 200000;
    for (int i = 0; i < kColors; ++i) {
        const int most = i % 3 == 0 ? max_sample / 8 : max_sample;  // dark ones too
        int rgb[3] = {draw(most), draw(most), draw(most)};
        if (i % 4 == 0) rgb[draw(2)] = 0;
        const std::array<double, 3> color = {double(rgb[0]) / max_sample, double(rgb[1]) / max_sample,
                                             double(rgb[2]) / max_sample};
        const int before = lab.lightness(rgb[0], rgb[1], rgb[2]), after = draw(max_sample);
        EXPECT_NEAR(before, (116 * roots(color)[1] - 16) / 100 * max_sample, lightness_steps);
        const std::array<double, 3> expected = moved(color, double(after - before) / max_sample * 100 / 116);
        lab.relight(rgb, after);
        for (size_t c = 0; c < 3; ++c) {
            ASSERT_NEAR(rgb[c], expected[c] * max_sample, result_steps) << before << " " << after;
            sum += std::abs(rgb[c] - expected[c] * max_sample);
        }
    }
    EXPECT_LT(sum / (3 * kColors), mean_steps);
}

TEST(Lab, IsThatOfCie) {
    expect_near<uint8_t>(255, 0.52, 0.56, 0.206);
    expect_near<uint16_t>(4095, 0.6, 2.5, 0.26);
    expect_near<uint16_t>(65535, 1, 40, 0.6);
}

template <class Sample>
void expect_unchanged(int max_sample) {
    const Lab<Sample> lab = lab_tables<Sample>(max_sample).colors();
    EXPECT_EQ(lab.lightness(0, 0, 0), 0);
    EXPECT_EQ(lab.lightness(max_sample, max_sample, max_sample), max_sample);
    std::mt19937 random(11);
    for (int v = 0; v <= max_sample; ++v) {
        int gray[3] = {v, v, v};
        const int of_gray = lab.lightness(v, v, v);
        lab.relight(gray, of_gray);
        ASSERT_TRUE(gray[0] == v && gray[1] == v && gray[2] == v) << v;
        for (int i = 0; i < (max_sample == 255 ? 256 : 1); ++i) {
            lab.relight(gray, max_sample == 255 ? i : int(random() % uint32_t(max_sample + 1)));
            ASSERT_TRUE(gray[0] == gray[1] && gray[1] == gray[2]) << v;
        }
        int color[3] = {v, int(random() % uint32_t(max_sample + 1)), int(random() % uint32_t(max_sample + 1))};
        const std::array<int, 3> before = {color[0], color[1], color[2]};
        lab.relight(color, lab.lightness(before[0], before[1], before[2]));
        ASSERT_TRUE(std::equal(before.begin(), before.end(), color)) << v;
    }
}

TEST(Lab, TheSameLightnessChangesNothingAndGrayStaysGray) {
    expect_unchanged<uint8_t>(255);
    for (const int max_sample : {256, 1000, 4095, 32767, 65535}) expect_unchanged<uint16_t>(max_sample);
}

template <class Sample>
void expect_as_reference(int max_sample) {
    const Lab<Sample> lab = lab_tables<Sample>(max_sample).colors();
    const ReferenceLab<Sample> reference(max_sample);
    std::mt19937 random(13);
    const auto draw = [&](int most) { return int(random() % uint32_t(most + 1)); };
    for (int i = 0; i < 600000; ++i) {
        const int most = i % 3 == 0 ? max_sample / 16 : max_sample;  // where roots lie on the straight line, too
        int rgb[3] = {draw(most), draw(most), draw(most)};
        if (i % 4 == 0) rgb[draw(2)] = i % 8 == 0 ? 0 : max_sample;
        const int after = i % 5 == 0 ? (i % 2 == 0 ? 0 : max_sample) : draw(max_sample);
        const std::array<int64_t, 3> color = {rgb[0], rgb[1], rgb[2]};
        ASSERT_EQ(lab.lightness(rgb[0], rgb[1], rgb[2]), reference.lightness(color));
        const std::array<int, 3> expected = reference.relit(color, after);
        lab.relight(rgb, after);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), rgb))
            << color[0] << " " << color[1] << " " << color[2] << " to " << after;
    }
}

/// Of 8 bits: a sum rounded once by an instruction or std::fma, and by way of double precision.
TEST(Lab, IsTheSameByDoublePrecision) {
    const Lab<uint8_t> lab = lab_tables<uint8_t>(255).colors();
    std::mt19937 random(17);
    const auto draw = [&] { return int(random() % 256); };
    for (int i = 0; i < 300000; ++i) {
        int rgb[3] = {draw(), draw(), draw()}, other[3];
        std::copy_n(rgb, 3, other);
        ASSERT_EQ(lab.lightness<Fused::kInstruction>(rgb[0], rgb[1], rgb[2]),
                  lab.lightness<Fused::kDouble>(rgb[0], rgb[1], rgb[2]));
        const int after = draw();
        lab.relight<Fused::kInstruction>(rgb, after);
        lab.relight<Fused::kDouble>(other, after);
        ASSERT_TRUE(std::equal(rgb, rgb + 3, other)) << i;
    }
}

TEST(Lab, IsThatOfTheReferences) {
    expect_as_reference<uint8_t>(255);
    for (const int max_sample : {256, 4095, 65535}) expect_as_reference<uint16_t>(max_sample);
}

}  // namespace
}  // namespace tonescope
