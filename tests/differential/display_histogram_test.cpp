#include "gpu/cpu/display_histogram.h"

#include <gtest/gtest.h>

#include <random>

#include "gpu/core/window/sample_window.h"
#include "tests/differential/cases.h"

namespace tonescope::test {
namespace {

DisplayHistogram count_plainly(const ImageView& image) {
    DisplayHistogram histogram;
    histogram.has_color = image.spec.format == PixelFormat::rgba8;
    for (int y = 0; y < image.spec.height; ++y) {
        for (int x = 0; x < image.spec.width; ++x) {
            const uint8_t* p = image.pixel(x, y);
            if (!histogram.has_color) {
                ++histogram.luma[p[0]];
                continue;
            }
            ++histogram.luma[size_t((77 * p[0] + 150 * p[1] + 29 * p[2] + 128) / 256)];
            for (size_t c = 0; c < 3; ++c) ++histogram.rgb[c][p[c]];
        }
    }
    return histogram;
}

TEST(DisplayHistogram, CountsEveryPixelOnce) {
    for (Channels channels : kChannels) {
        for (auto [width, height] : {std::pair{1, 1}, {1, 5000}, {5000, 1}, {1023, 37}, {1025, 301}}) {
            const HostImage image = make_image(Content::noise, channels, width, height, base_seed(), 3);
            for (int threads : {1, 2, 7})
                EXPECT_TRUE(count_display_histogram(image.view(), threads) == count_plainly(image.view()))
                    << to_string(channels) << " " << width << "x" << height << ", " << threads << " threads";
        }
    }
}

TEST(SampleHistogram, CountsEveryPixelOnceAndKnowsItsRanges) {
    HostImage image({301, 97, PixelFormat::rgba16, true, 4095});
    auto* const samples = reinterpret_cast<uint16_t*>(image.data());
    std::mt19937 random(base_seed());
    std::array<std::vector<uint32_t>, kCurves> curves;
    for (auto& curve : curves) curve.resize(4096);
    for (int64_t k = 0; k < image.spec().pixels(); ++k) {
        uint16_t* const p = samples + 4 * k;
        for (int c = 0; c < 4; ++c) p[c] = uint16_t(100 + random() % 3000);
        for (size_t c = 0; c < 3; ++c) ++curves[c][p[c]];
        ++curves[size_t(Curve::luma)][size_t((77 * p[0] + 150 * p[1] + 29 * p[2] + 128) / 256)];
    }
    const std::vector<uint64_t> all = sample_counts(image.view());
    for (int threads : {1, 2, 7}) {
        const SampleHistogram counts = count_samples(image.view(), threads);
        EXPECT_EQ(counts.curves, curves) << threads << " threads";
        EXPECT_EQ(counts.used, used_range(all));
        EXPECT_EQ(counts.automatic, auto_range(all));
    }
}

FineHistogram count_fine_plainly(const ImageView& image) {
    FineHistogram counts{};
    for (int y = 0; y < image.spec.height; ++y) {
        for (int x = 0; x < image.spec.width; ++x) {
            const uint8_t* p = image.pixel(x, y);
            const bool gray = image.spec.format == PixelFormat::gray8;
            ++counts[size_t(gray ? 4 * p[0] : (77 * p[0] + 150 * p[1] + 29 * p[2]) / 64)];
        }
    }
    return counts;
}

TEST(FineHistogram, CountsEveryPixelOnce) {
    for (Channels channels : kChannels) {
        for (auto [width, height] : {std::pair{1, 1}, {1, 5000}, {5000, 1}, {1023, 37}, {1025, 301}}) {
            const HostImage image = make_image(Content::noise, channels, width, height, base_seed(), 3);
            for (int threads : {1, 2, 7})
                EXPECT_EQ(count_fine_histogram(image.view(), threads), count_fine_plainly(image.view()))
                    << to_string(channels) << " " << width << "x" << height << ", " << threads << " threads";
        }
    }
}

TEST(PartOf, IsThePixelsInside) {
    for (Channels channels : kChannels) {
        const HostImage image = make_image(Content::noise, channels, 97, 61, base_seed(), 3);
        const Rect rect{13, 7, 50, 31};
        const ImageView part = part_of(image.view(), rect);
        DisplayHistogram inside;
        inside.has_color = image.spec().format == PixelFormat::rgba8;
        for (int y = rect.y; y < rect.y + rect.height; ++y) {
            const DisplayHistogram row = count_plainly(part_of(image.view(), {rect.x, y, rect.width, 1}));
            for (size_t v = 0; v < 256; ++v) {
                inside.luma[v] += row.luma[v];
                for (size_t c = 0; c < 3; ++c) inside.rgb[c][v] += row.rgb[c][v];
            }
        }
        EXPECT_EQ(part.pixel(3, 2), image.view().pixel(16, 9));
        EXPECT_EQ(count_display_histogram(part, 2), inside) << to_string(channels);
    }
}

/// (255, 0, 0): Y = (77 * 255 + 128) >> 8 = 19763 >> 8 = 77.
TEST(DisplayHistogram, RedGreenBlueAndLumaOfOnePixel) {
    HostImage image({1, 1, PixelFormat::rgba8, true});
    const uint8_t pixel[4] = {255, 0, 0, 9};
    std::copy_n(pixel, 4, image.data());
    const DisplayHistogram histogram = count_display_histogram(image.view(), 1);
    EXPECT_TRUE(histogram.has_color);
    EXPECT_EQ(histogram.rgb[0][255], 1u);
    EXPECT_EQ(histogram.rgb[1][0], 1u);
    EXPECT_EQ(histogram.rgb[2][0], 1u);
    EXPECT_EQ(histogram.luma[77], 1u);
}

}  // namespace
}  // namespace tonescope::test
