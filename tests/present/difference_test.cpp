// The difference drawn by the shader is the one that arithmetic gives.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "gpu/present/view_renderer.h"
#include "tests/present/canvas.h"
#include "tests/present/gl_fixture.h"

namespace tonescope {
namespace {

using Samples = std::array<int, 3>;

Samples color_of(const HostImage& image, int x, int y) {
    const auto sample = [&](int c) { return int{image.view().sample(x, y, is_gray(image.spec().format) ? 0 : c)}; };
    return {sample(0), sample(1), sample(2)};
}

/// What a pixel must show, without rounding. Samples are from 0 to `most_before` and `most_after`.
std::array<double, 3> expected(const Samples& before, int most_before, const Samples& after, int most_after,
                               const DifferenceAppearance& look) {
    std::array<double, 3> shown{}, d{};
    for (size_t c = 0; c < 3; ++c) {
        d[c] = (after[c] - double(before[c]) / most_before * most_after) * 255 / most_after;
        if (!look.is_signed) d[c] = std::abs(d[c]);
        shown[c] = std::clamp((look.is_signed ? 127.5 + 0.5 * d[c] * double(look.gain) : d[c] * double(look.gain)), 0.0,
                              255.0);
    }
    if (!look.false_color) return shown;
    const double most = *std::ranges::max_element(d, {}, [](double v) { return std::abs(v); });
    const double position = std::clamp(
        (look.is_signed ? 127.5 + 0.5 * most * double(look.gain) : most * double(look.gain)) / 255, 0.0, 1.0);
    const auto map = difference_color(look.is_signed, position);
    return {double(map[0]), double(map[1]), double(map[2])};
}

using DifferenceTest = GlTest;

TEST_F(DifferenceTest, EveryPixelIsTheDifference) {
    const ViewRenderer renderer;
    constexpr int width = 70, height = 45, zoom = 3, left = 11, top = 5;
    for (const int max_tile_px : {0, 32}) {
        for (const auto& [from, to] : {std::pair{PixelFormat::rgba8, PixelFormat::rgba8},
                                       {PixelFormat::rgba8, PixelFormat::gray8},
                                       {PixelFormat::gray16, PixelFormat::rgba16},
                                       {PixelFormat::rgba8, PixelFormat::rgba16},
                                       {PixelFormat::rgba16, PixelFormat::gray16},
                                       {PixelFormat::gray8, PixelFormat::gray8}}) {
            Presenter presenter("test", max_tile_px);
            const auto before = shared_noise(width, height, from, 1), after = shared_noise(width, height, to, 2);
            const Picture a = present(presenter, PictureRole::before, before),
                          b = present(presenter, PictureRole::after, after);
            for (const DifferenceAppearance& look : {DifferenceAppearance{true, false, 1},
                                                     {false, false, 1},
                                                     {false, false, 4},
                                                     {true, true, 2},
                                                     {false, true, 1}}) {
                constexpr int canvas_width = width * zoom + 40, canvas_height = height * zoom + 30;
                Canvas canvas(canvas_width, canvas_height);
                renderer.draw(DifferenceView{a, b, 0, 0, 1, left, top, zoom, 0, 0, canvas_width - 8, canvas_height,
                                             canvas_width, canvas_height, look});
                canvas.read();
                EXPECT_EQ(canvas.at(left - 1, top), kUntouched);
                EXPECT_EQ(canvas.at(left, top - 1), kUntouched);
                EXPECT_EQ(canvas.at(left + width * zoom, top), kUntouched);
                EXPECT_EQ(canvas.at(left, top + height * zoom), kUntouched);
                // Neighbors in the map differ by up to this much.
                const double tolerance = look.false_color ? 3.5 : 0.51;
                for (int y = 0; y < height * zoom; ++y)
                    for (int x = 0; x < width * zoom; ++x) {
                        const Color shown = canvas.at(left + x, top + y);
                        const auto wanted =
                            expected(color_of(*before, x / zoom, y / zoom), before->spec().max_sample,
                                     color_of(*after, x / zoom, y / zoom), after->spec().max_sample, look);
                        for (size_t c = 0; c < 3; ++c)
                            ASSERT_NEAR(shown[c], wanted[c], tolerance)
                                << x << ", " << y << " tiles of " << max_tile_px << " gain " << look.gain;
                    }
            }
        }
    }
}

TEST_F(DifferenceTest, StaysInItsPartOfTheWindow) {
    const ViewRenderer renderer;
    Presenter presenter("test");
    const Picture a = present(presenter, PictureRole::before, shared_noise(50, 50, PixelFormat::gray8, 1));
    const Picture b = present(presenter, PictureRole::after, shared_noise(50, 50, PixelFormat::gray8, 2));
    Canvas canvas(100, 80);
    renderer.draw(DifferenceView{a, b, 0, 0, 1, -20, -20, 10, 30, 10, 60, 50, 100, 80, {}});
    canvas.read();
    for (int y = 0; y < 80; ++y)
        for (int x = 0; x < 100; ++x)
            ASSERT_EQ(canvas.at(x, y) == kUntouched, x < 30 || x >= 60 || y < 10 || y >= 50) << x << ", " << y;
}

TEST_F(DifferenceTest, FramebuffersWithMorePixelsThanTheWindow) {
    const ViewRenderer renderer;
    Presenter presenter("test");
    const auto before = shared_noise(20, 10, PixelFormat::gray8, 1),
               after = shared_noise(20, 10, PixelFormat::gray8, 2);
    const Picture a = present(presenter, PictureRole::before, before),
                  b = present(presenter, PictureRole::after, after);
    Canvas canvas(80, 40);
    renderer.draw(DifferenceView{a, b, 0, 0, 1, 0, 0, 2, 0, 0, 40, 20, 40, 20, {false, false, 1}});
    canvas.read();
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 80; ++x)
            ASSERT_EQ(canvas.at(x, y)[0],
                      std::abs(*after->view().pixel(x / 4, y / 4) - *before->view().pixel(x / 4, y / 4)));
}

TEST_F(DifferenceTest, APreviewStandsForItsPart) {
    const ViewRenderer renderer;
    Presenter presenter("test");
    // Before is constant over blocks of 4, so that every level of its mipmap tells the same.
    auto before = std::make_shared<HostImage>(ImageSpec{64, 64, PixelFormat::gray8, false});
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) before->mutable_view().row(y)[x] = uint8_t(x / 4 * 3 + y / 4 * 11);
    const auto preview = shared_noise(6, 5, PixelFormat::gray8, 3);
    const Picture a = present(presenter, PictureRole::before, before),
                  b = present(presenter, PictureRole::preview, preview);
    Canvas canvas(64, 64);
    renderer.draw(DifferenceView{a, b, 16, 24, 4, 0, 0, 1, 16, 24, 40, 44, 64, 64, {false, false, 1}});
    canvas.read();
    for (int y = 24; y < 44; ++y)
        for (int x = 16; x < 40; ++x)
            ASSERT_EQ(canvas.at(x, y)[0],
                      std::abs(*preview->view().pixel((x - 16) / 4, (y - 24) / 4) - *before->view().pixel(x, y)));
    EXPECT_EQ(canvas.at(15, 30), kUntouched);
    EXPECT_EQ(canvas.at(40, 30), kUntouched);
}

TEST_F(DifferenceTest, BelowOneToOneMeansAreShown) {
    const ViewRenderer renderer;
    Presenter presenter("test");
    const auto before = shared_gray(512, 256, 100), after = shared_gray(512, 256, 0);
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 512; ++x) after->mutable_view().row(y)[x] = uint8_t(x < 256 ? 100 : y < 128 ? 140 : 120);
    const Picture a = present(presenter, PictureRole::before, before),
                  b = present(presenter, PictureRole::after, after);
    Canvas canvas(64, 32);
    renderer.draw(DifferenceView{a, b, 0, 0, 1, 0, 0, 0.125, 0, 0, 64, 32, 64, 32, {false, false, 1}});
    canvas.read();
    EXPECT_EQ(canvas.at(10, 10)[0], 0);
    EXPECT_EQ(canvas.at(50, 5)[0], 40);
    EXPECT_EQ(canvas.at(50, 25)[0], 20);
}

TEST(DifferenceColor, LightnessRisesWithTheAmount) {
    const auto lightness = [](bool is_signed, double position) {
        const auto c = difference_color(is_signed, position);
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    };
    for (int k = 0; k < 64; ++k) {
        EXPECT_LT(lightness(false, k / 64.0), lightness(false, (k + 1) / 64.0)) << k;
        EXPECT_LT(lightness(true, 0.5 + k / 128.0), lightness(true, 0.5 + (k + 1) / 128.0)) << k;
        EXPECT_LT(lightness(true, 0.5 - k / 128.0), lightness(true, 0.5 - (k + 1) / 128.0)) << k;
    }
}

}  // namespace
}  // namespace tonescope
