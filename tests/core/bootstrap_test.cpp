// Medians of resampled rounds, on samples whose intervals are known.
#include "gpu/core/benchmark/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace tonescope {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// 1, 2, ..., count, in an order that repeats itself.
RoundTimes shuffled(int count) {
    RoundTimes values;
    for (int i = 1; i <= count; ++i) values.push_back(i);
    std::shuffle(values.begin(), values.end(), std::mt19937(7));
    return values;
}

Ratio ratio(const Bootstrap& bootstrap, double over, const RoundTimes& over_times, double under,
            const RoundTimes& under_times) {
    return ratio_of(over, under, bootstrap.medians(over_times), bootstrap.medians(under_times));
}

TEST(Quantile, LiesBetweenNeighbors) {
    std::vector<double> values{30, 10, 20};
    EXPECT_EQ(quantile(values, 0.5), 20);
    EXPECT_EQ(quantile(values, 0), 10);
    EXPECT_EQ(quantile(values, 1), 30);
    EXPECT_DOUBLE_EQ(quantile(values, 0.25), 15);
    values = {4};
    EXPECT_EQ(quantile(values, 0.9), 4);
}

TEST(Bootstrap, OneSeedGivesTheSameMedians) {
    const RoundTimes times = shuffled(40);
    EXPECT_EQ(Bootstrap(40).medians(times), Bootstrap(40).medians(times));
    EXPECT_NE(Bootstrap(40, 1).medians(times), Bootstrap(40, 2).medians(times));
    EXPECT_EQ(Bootstrap(40).medians(times).size(), size_t{Bootstrap::kResamples});
}

TEST(Bootstrap, WhatNeverVariesIsKnownExactly) {
    const std::optional<Interval> interval = interval_of(Bootstrap(20).medians(RoundTimes(20, 3.5)));
    EXPECT_EQ(interval, (Interval{3.5, 3.5}));
}

/// Of 101 different values, the median of a population lies between the 41st and the 61st with 95 % (binomial
/// distribution).
TEST(Bootstrap, TheMedianOfManyValuesLiesWhereTheBinomialDistributionPutsIt) {
    const std::optional<Interval> interval = interval_of(Bootstrap(101).medians(shuffled(101)));
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->low, 41, 2);
    EXPECT_NEAR(interval->high, 61, 2);
}

TEST(Bootstrap, FourValuesHaveNoInterval) {
    EXPECT_TRUE(Bootstrap(4).medians({1, 2, 3, 4}).empty());
    EXPECT_FALSE(Bootstrap(5).medians({1, 2, 3, 4, 5}).empty());
    EXPECT_TRUE(Bootstrap(9).medians({1, kNone, 2, kNone, 3, kNone, 4, kNone, kNone}).empty());
    EXPECT_EQ(interval_of({}), std::nullopt);
    EXPECT_EQ(ratio(Bootstrap(4), 4, {4, 4, 4, 4}, 2, {2, 2, 2, 2}), (Ratio{2, std::nullopt}));
}

/// What slows both down in a round does not widen the interval.
TEST(Bootstrap, RatiosArePairedByRound) {
    const RoundTimes slow = shuffled(50);
    RoundTimes fast = slow;
    for (double& ms : fast) ms /= 2;
    const Ratio paired = ratio(Bootstrap(50), 51, slow, 25.5, fast);
    EXPECT_EQ(paired, (Ratio{2, Interval{2, 2}}));
    EXPECT_FALSE(paired.is_no_difference());
    RoundTimes later = fast;
    std::ranges::rotate(later, later.begin() + 20);
    const Ratio apart = ratio(Bootstrap(50), 51, slow, 25.5, later);
    ASSERT_TRUE(apart.interval);
    EXPECT_LT(apart.interval->low, 1.8);
    EXPECT_GT(apart.interval->high, 2.2);
}

TEST(Bootstrap, AnIntervalThatHoldsOneIsNoDifference) {
    const RoundTimes times = shuffled(50);
    RoundTimes same = times;
    std::ranges::reverse(same);
    EXPECT_TRUE(ratio(Bootstrap(50), 51, times, 51, same).is_no_difference());
    EXPECT_TRUE((Ratio{1.02, Interval{1, 1.04}}.is_no_difference()));
    EXPECT_FALSE((Ratio{1.02, Interval{1.01, 1.04}}.is_no_difference()));
    EXPECT_FALSE((Ratio{1.02, std::nullopt}.is_no_difference())) << "nobody knows";
}

/// A slow variant takes part in few of the rounds: it is resampled by itself, and none of its resamples is empty.
TEST(Bootstrap, FewOfManyRoundsAreDrawnByThemselves) {
    RoundTimes few(300, kNone);
    for (size_t round = 0; round < 6; ++round) few[round] = 100 + double(round);
    const std::optional<Interval> interval = interval_of(Bootstrap(300).medians(few));
    ASSERT_TRUE(interval);
    EXPECT_GE(interval->low, 100);
    EXPECT_LE(interval->high, 105);
    EXPECT_LT(interval->low, interval->high);
}

TEST(Bootstrap, ShorterSamplesAreThoseOfTheFirstRounds) {
    EXPECT_EQ(interval_of(Bootstrap(8).medians({2, 2, 2, 2, 2, 2})), (Interval{2, 2}));
}

}  // namespace
}  // namespace tonescope
