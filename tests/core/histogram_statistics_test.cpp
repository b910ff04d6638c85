// Statistics of histograms, computed by hand.
#include "gpu/core/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tonescope {
namespace {

TEST(HistogramStatistics, FourValues) {
    std::array<uint32_t, 256> counts{};
    counts[0] = 1;
    counts[10] = 2;
    counts[100] = 4;
    counts[255] = 1;
    const HistogramStatistics s = statistics_of(counts);
    EXPECT_EQ(s.pixels, 8u);
    EXPECT_DOUBLE_EQ(s.mean, (0 + 20 + 400 + 255) / 8.0);
    // Squares: 0, 200, 40000 and 65025.
    EXPECT_NEAR(s.deviation, std::sqrt((200 + 40000 + 65025) / 8.0 - s.mean * s.mean), 1e-9);
    EXPECT_DOUBLE_EQ(s.entropy_bits, 2 * 3 / 8.0 + 2 / 4.0 + 1 / 2.0);
    EXPECT_EQ(s.min, 0);
    EXPECT_EQ(s.max, 255);
}

TEST(HistogramStatistics, OneValue) {
    std::array<uint32_t, 256> counts{};
    counts[77] = uint32_t{1} << 29;
    const HistogramStatistics s = statistics_of(counts);
    EXPECT_EQ(s.pixels, uint64_t{1} << 29);
    EXPECT_DOUBLE_EQ(s.mean, 77);
    EXPECT_EQ(s.deviation, 0);
    EXPECT_EQ(s.entropy_bits, 0);
    EXPECT_EQ(s.min, 77);
    EXPECT_EQ(s.max, 77);
}

TEST(HistogramStatistics, AllValuesAreEightBits) {
    std::array<uint32_t, 256> counts{};
    counts.fill(1'000'003);
    const HistogramStatistics s = statistics_of(counts);
    EXPECT_NEAR(s.entropy_bits, 8, 1e-12);
    EXPECT_NEAR(s.mean, 127.5, 1e-9);
    EXPECT_NEAR(s.deviation, std::sqrt((256.0 * 256 - 1) / 12), 1e-9);
}

TEST(HistogramStatistics, NothingCounted) {
    const HistogramStatistics s = statistics_of({});
    EXPECT_EQ(s.pixels, 0u);
    EXPECT_EQ(s.mean, 0);
    EXPECT_EQ(s.entropy_bits, 0);
}

}  // namespace
}  // namespace tonescope
