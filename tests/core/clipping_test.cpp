// Clipped pixels: cases counted by hand, and against the definition in plain loops.
#include <gtest/gtest.h>

#include <cstring>

#include "gpu/core/statistics.h"
#include "tests/images.h"

namespace tonescope {
namespace {

constexpr ImageSpec kFourInColor{4, 1, PixelFormat::rgba8, false};

HostImage row_of(const uint8_t (&pixels)[4][4]) {
    HostImage image(kFourInColor);
    std::memcpy(image.mutable_view().row(0), pixels, sizeof pixels);
    return image;
}

TEST(Clipping, AnyChannelCounts) {
    // Luma of all four lies between 1 and 254; transparent pixels count, alpha does not.
    const HostImage before = row_of({{255, 10, 0, 255}, {9, 255, 255, 255}, {0, 90, 91, 0}, {1, 254, 7, 0}});
    const Clipping clipping = measure_clipping(before.view(), nullptr, {}, 1);
    EXPECT_FALSE(clipping.after);
    const ClippingCounts& counts = clipping.before;
    EXPECT_TRUE(counts.has_color);
    EXPECT_EQ(counts.pixels, 4u);
    EXPECT_EQ(counts.low.channels, (std::array<uint64_t, 3>{1, 0, 1}));
    EXPECT_EQ(counts.low.any, 2u);
    EXPECT_EQ(counts.high.channels, (std::array<uint64_t, 3>{1, 1, 1}));
    EXPECT_EQ(counts.high.any, 2u);
    EXPECT_EQ(counts.low.added + counts.high.added, 0u);
}

TEST(Clipping, AddedWhereNoChannelWasClippedAtThatEndBefore) {
    const HostImage before = row_of({{255, 10, 9, 255}, {0, 20, 30, 255}, {40, 50, 60, 255}, {0, 1, 2, 255}});
    const HostImage after = row_of({{255, 255, 9, 255}, {255, 20, 30, 255}, {0, 0, 255, 255}, {0, 0, 0, 255}});
    const ImageView view = after.view();
    const ClippingCounts counts = *measure_clipping(before.view(), &view, {}, 1).after;
    EXPECT_EQ(counts.high.any, 3u);
    EXPECT_EQ(counts.high.added, 2u) << "the first was clipped in red";
    EXPECT_EQ(counts.low.channels, (std::array<uint64_t, 3>{2, 2, 1}));
    EXPECT_EQ(counts.low.any, 2u);
    EXPECT_EQ(counts.low.added, 1u) << "the last was clipped in red";
}

TEST(Clipping, ThresholdsBelongToTheEnds) {
    const HostImage before = row_of({{5, 100, 100, 0}, {6, 100, 250, 0}, {100, 4, 100, 0}, {100, 249, 100, 0}});
    const ClippingCounts counts = measure_clipping(before.view(), nullptr, {5, 250}, 1).before;
    EXPECT_EQ(counts.low.channels, (std::array<uint64_t, 3>{1, 1, 0}));
    EXPECT_EQ(counts.low.any, 2u);
    EXPECT_EQ(counts.high.channels, (std::array<uint64_t, 3>{0, 0, 1}));
    EXPECT_EQ(counts.high.any, 1u);
}

TEST(Clipping, AGrayImageBesideOneInColor) {
    HostImage gray({4, 1, PixelFormat::gray8, false});
    std::memcpy(gray.mutable_view().row(0), "\x00\xff\x80\x00", 4);
    const HostImage color = row_of({{0, 9, 9, 9}, {9, 255, 9, 9}, {9, 9, 0, 9}, {9, 9, 9, 9}});
    const ImageView view = gray.view();
    const Clipping clipping = measure_clipping(color.view(), &view, {}, 1);
    EXPECT_TRUE(clipping.before.has_color);
    EXPECT_FALSE(clipping.after->has_color);
    EXPECT_EQ(clipping.after->low.channels, (std::array<uint64_t, 3>{2, 2, 2}));
    EXPECT_EQ(clipping.after->low.any, 2u);
    EXPECT_EQ(clipping.after->low.added, 1u);
    EXPECT_EQ(clipping.after->high.any, 1u);
    EXPECT_EQ(clipping.after->high.added, 0u);
}

/// The definition, pixel by pixel.
ClippedPixels count_plainly(const ImageView& before, const ImageView& after, auto is_clipped) {
    const auto value = [](const ImageView& image, int x, int y, size_t c) -> int {
        return image.pixel(x, y)[image.spec.format == PixelFormat::gray8 ? 0 : c];
    };
    ClippedPixels counts;
    for (int y = 0; y < after.spec.height; ++y)
        for (int x = 0; x < after.spec.width; ++x) {
            bool any = false, was = false;
            for (size_t c = 0; c < 3; ++c) {
                const bool clipped = is_clipped(value(after, x, y, c));
                counts.channels[c] += clipped;
                any = any || clipped;
                was = was || is_clipped(value(before, x, y, c));
            }
            counts.any += any;
            counts.added += any && !was;
        }
    return counts;
}

TEST(Clipping, OfNoiseAsInPlainLoops) {
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 700}, {1030, 5}, {2500, 67}})
        for (const PixelFormat format : {PixelFormat::gray8, PixelFormat::rgba8})
            for (const ClipThresholds thresholds : {ClipThresholds{}, {17, 200}}) {
                const HostImage before = noise(width, height, PixelFormat::rgba8, 7);
                const HostImage after = noise(width, height, format, 8);
                const ImageView view = after.view();
                const ClippingCounts counts = *measure_clipping(before.view(), &view, thresholds, 3).after;
                EXPECT_EQ(counts.pixels, uint64_t(width) * uint64_t(height));
                EXPECT_EQ(counts.low, count_plainly(before.view(), view, [&](int v) { return v <= thresholds.low; }));
                EXPECT_EQ(counts.high, count_plainly(before.view(), view, [&](int v) { return v >= thresholds.high; }));
            }
}

}  // namespace
}  // namespace tonescope
