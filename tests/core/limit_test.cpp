#include "gpu/core/limits/limit.h"

#include <gtest/gtest.h>

#include "gpu/core/benchmark/contents.h"

namespace tonescope {
namespace {

std::string plain(double value) {
    return std::to_string(int64_t(value));
}

const Roofs kGpu{.memory_gb_s = 1000,
                 .cache_gb_s = 4000,
                 .cache_bytes = 50e6,
                 .bus_gb_s = 50,
                 .bus_requests_g_s = 0.8,
                 .pages_gb_s = 5,
                 .shared_gb_s = 20000,
                 .l1_gb_s = 15000,
                 .operations_g_s = 10000,
                 .shared_atomics_g_s = 4000,
                 .global_atomics_g_s = 5,
                 .word_atomics_g_s = 1,
                 .constant_g_s = 2000,
                 .blocks_g_s = 2,
                 .launch_ms = 0.002};

/// One stage of 1 ms, on a GPU that holds 1000 threads, beside what one launch takes.
LimitCase one_ms(const Amounts& work) {
    return {.roofs = kGpu, .stages = {{"apply", work, 1.002, 1, 1000}}, .lanes = 1000};
}

TEST(Limit, SharesAreOfWhatTheRoofAllowsInTheTimeThatLaunchesLeave) {
    const Limit limit = limit_of(one_ms({.bytes = 0.8e9, .shared_bytes = 2e9, .operations = 3e9}));
    ASSERT_EQ(limit.stages.size(), 1);
    const std::vector<Share>& shares = limit.stages[0].shares;
    ASSERT_EQ(shares.size(), 3);
    EXPECT_EQ(shares[0].resource->id, "memory");
    EXPECT_DOUBLE_EQ(shares[0].rate, 800);
    EXPECT_DOUBLE_EQ(shares[0].share, 0.8);
    EXPECT_EQ(shares[1].resource->id, "operations");
    EXPECT_DOUBLE_EQ(shares[1].share, 0.3);
    EXPECT_EQ(shares[2].resource->id, "shared");
    EXPECT_DOUBLE_EQ(shares[2].share, 0.1);
    ASSERT_EQ(limit.shares.size(), 3);
    EXPECT_DOUBLE_EQ(limit.shares[0].rate, 800 / 1.002) << "of all stages, in their whole time";
}

TEST(Limit, MostUsedResourceAboveTheThresholdIsTheLimit) {
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.51e9, .operations = 4e9})).id(), "memory");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.3e9, .operations = 6e9})).id(), "operations");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.3e9, .shared_atomics = 3e9})).id(), "shared_atomics");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.3e9, .shared_bytes = 19e9})).id(), "shared");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.3e9, .constant_reads = 1.9e9})).id(), "constant");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.3e9, .blocks = 1.9e6})).id(), "blocks");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.49e9})).id(), "latency");
}

/// Additions in device memory wait for one another wherever they go; at one word they wait longest.
TEST(Limit, AdditionsToOneWordHaveARoofOfTheirOwn) {
    EXPECT_EQ(limit_of(one_ms({.global_atomics = 4e6, .word_atomics = 0.1e6})).id(), "global_atomics");
    EXPECT_EQ(limit_of(one_ms({.global_atomics = 0.9e6, .word_atomics = 0.9e6})).id(), "word_atomics");
}

TEST(Limit, ReadsThatTheL1CacheServesHaveARoofOfTheirOwn) {
    const Limit limit = limit_of(one_ms({.bytes = 0.3e9, .l1_bytes = 14.4e9, .operations = 7.4e9}));
    EXPECT_EQ(limit.id(), "l1");
    EXPECT_EQ(limit.text(plain), "The L1 cache, 96 % used, 14400 GB/s");
}

/// More than all of a resource, by more than measurements are wrong, is no fact where nothing explains it.
TEST(Limit, WhatCannotBeIsUnknown) {
    EXPECT_EQ(limit_of(one_ms({.operations = 10.4e9})).text(plain), "Instructions, all of it used, 10400 billion/s");
    const Limit limit = limit_of(one_ms({.bytes = 0.9e9, .operations = 12e9}));
    EXPECT_EQ(limit.id(), "unknown");
    EXPECT_EQ(limit.text(plain), "Unknown: as declared, it would use instructions by 120 %");
    EXPECT_EQ(limit.stages[0].shares[0].text(), "more than there is");
    EXPECT_EQ(limit.stages[0].shares[1].text(), "90 %");
    EXPECT_EQ(limit_of(one_ms({.bytes = 1.3e9})).id(), "memory") << "caches explain it";
}

TEST(Limit, EachStageHasItsOwn) {
    LimitCase measured{.roofs = kGpu,
                       .stages = {{"histogram", {.bytes = 0.1e9, .shared_atomics = 1.2e9}, 0.402, 1, 1000},
                                  {"table", {.operations = 1000}, 0.003, 1, 32},
                                  {"apply", {.bytes = 0.48e9}, 0.602, 1, 1000}},
                       .lanes = 1000};
    const Limit limit = limit_of(measured);
    ASSERT_EQ(limit.stages.size(), 3);
    EXPECT_EQ(limit.id(), "memory") << "the longest stage's";
    EXPECT_EQ(limit.stages[1].id(), "shared_atomics");
    EXPECT_EQ(limit.stages[2].id(), "launches");
    EXPECT_EQ(limit.text(plain),
              "Apply (60 %): memory, 80 % used, 800 GB/s; histogram (40 %): atomic additions in shared memory, 75 % "
              "used, 3000 billion/s");
}

TEST(Limit, PlaceOfTheImagesDecidesWhoseRateCounts) {
    LimitCase measured = one_ms({.bytes = 0.9e9});
    EXPECT_EQ(limit_of(measured).id(), "memory");
    measured.place = ImagePlace::cache;
    EXPECT_EQ(limit_of(measured).id(), "latency");
    EXPECT_EQ(limit_of(measured).stages[0].shares[0].resource->id, "cache");
    measured.stages[0].work.bytes = 0.04e9;
    measured.place = ImagePlace::bus;
    EXPECT_EQ(limit_of(measured).id(), "bus");
    measured.stages[0].work = {.bytes = 0.02e9, .requests = 0.6e6};
    EXPECT_EQ(limit_of(measured).text(plain), "Requests over the bus, 75 % used, 0 billion/s");
    measured.place = ImagePlace::memory;
    EXPECT_EQ(limit_of(measured).id(), "latency") << "requests count on the bus alone";
    measured.stages[0].work = {.bytes = 0.004e9};
    measured.place = ImagePlace::pages;
    EXPECT_EQ(limit_of(measured).id(), "pages");
}

/// How fast pages move depends on the order in which threads touch them: the roof is that of one order.
TEST(Limit, PageFaultsAreTheLimitWhereverNothingIsUsedMore) {
    LimitCase measured = one_ms({.bytes = 0.002e9, .operations = 3e9});
    measured.place = ImagePlace::pages;
    measured.stages[0].threads = 100;
    EXPECT_EQ(limit_of(measured).text(plain), "Page faults, 40 % used, 2 GB/s");
    measured.stages[0].work.operations = 4.5e9;
    EXPECT_EQ(limit_of(measured).id(), "threads");
    measured.stages[0].threads = 1000;
    EXPECT_EQ(limit_of(measured).text(plain), "Latency (most used: instructions, 45 %)");
    measured.stages[0].work.operations = 6e9;
    EXPECT_EQ(limit_of(measured).id(), "operations");
}

TEST(Limit, LaunchesComeBeforeResources) {
    LimitCase measured = one_ms({.bytes = 0.45e9});
    measured.stages[0].ms = 1;
    measured.stages[0].launches = 251;
    EXPECT_EQ(limit_of(measured).id(), "launches");
    EXPECT_DOUBLE_EQ(limit_of(measured).stages[0].launches_share, 0.502);
    measured.stages[0].launches = 249;
    EXPECT_EQ(limit_of(measured).id(), "memory") << "in the half that they leave";
}

TEST(Limit, FewThreadsComeBehindResources) {
    LimitCase measured = one_ms({.bytes = 0.51e9});
    measured.stages[0].threads = 249;
    EXPECT_EQ(limit_of(measured).id(), "memory");
    measured.stages[0].work.bytes = 0.1e9;
    EXPECT_EQ(limit_of(measured).id(), "threads");
    EXPECT_EQ(limit_of(measured).text(plain),
              "Few threads, 249 at a time of 1000 that the GPU holds (most used: memory, 10 %)");
    measured.stages[0].threads = 251;
    EXPECT_EQ(limit_of(measured).id(), "latency");
    measured.stages[0].threads = 0;
    EXPECT_EQ(limit_of(measured).id(), "latency") << "nobody knows";
}

TEST(Limit, HostComesFirst) {
    LimitCase measured = one_ms({.bytes = 0.9e9});
    measured.stages[0].launches = 300;
    measured.host_ms = 1.1;
    EXPECT_EQ(limit_of(measured).id(), "host");
    measured.host_ms = 0.9;
    EXPECT_EQ(limit_of(measured).id(), "launches");
}

TEST(Limit, WithoutRoofsOrTimesNothingIsKnown) {
    EXPECT_EQ(limit_of({.stages = {{"apply", {.bytes = 1}, 1, 1}}}).id(), "");
    EXPECT_EQ(limit_of({.roofs = kGpu, .stages = {{"apply", {.bytes = 1}}}}).id(), "");
    EXPECT_EQ(limit_of({.roofs = kGpu}).text(plain), "");
}

TEST(Limit, SentencesNameTheResourceAndItsShare) {
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.8e9})).text(plain), "Memory, 80 % used, 800 GB/s");
    EXPECT_EQ(limit_of(one_ms({.bytes = 1.3e9})).text(plain),
              "Memory, all of it used, 1300 GB/s (caches serve what exceeds it)");
    EXPECT_EQ(limit_of(one_ms({.operations = 0.42e9})).text(plain), "Latency (most used: instructions, 4.2 %)");
    EXPECT_EQ(
        limit_of(one_ms({.global_atomics = 7.5e6})).text(plain),
        "Atomic additions in device memory, all of it used, 7 billion/s (counters in more slices of the L2 cache take "
        "more)");
    LimitCase measured = one_ms({.bytes = 0.9e9});
    measured.stages[0].launches = 400;
    EXPECT_EQ(limit_of(measured).text(plain), "Launches: empty kernels would take 80 % of its time");
    measured.host_ms = 3.006;
    EXPECT_EQ(
        limit_of(measured).text(plain),
        "Host: kernels take 25 % of the time without copies; launches: empty kernels would take 80 % of its time");
}

HostImage gray_image(int width, int height, auto value) {
    HostImage image({width, height, PixelFormat::gray8, false});
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image.mutable_view().row(y)[x] = uint8_t(value(x, y));
    return image;
}

TEST(ValueSpread, OneValueIsOneWordForAll) {
    const ValueSpread spread = spread_of(gray_image(64, 3, [](int, int) { return 200; }).view());
    EXPECT_EQ(spread.turns, 1) << "lanes that go to one word are served together";
    EXPECT_EQ(spread.turns_of_fourth, 1);
    EXPECT_EQ(spread.different, 1);
    EXPECT_EQ(spread.additions, 64) << "in device memory they follow one another, in one of two slices";
    EXPECT_EQ(spread.additions_of_fourth, 64);
    EXPECT_EQ(spread.most_frequent, 1);
}

TEST(ValueSpread, NeighboringValuesMeetNowhere) {
    const ValueSpread spread = spread_of(gray_image(64, 3, [](int x, int) { return x % 32; }).view());
    EXPECT_EQ(spread.turns, 1);
    EXPECT_EQ(spread.turns_of_fourth, 4) << "every fourth word lies in 8 of the 32 banks";
    EXPECT_EQ(spread.different, 32);
    EXPECT_EQ(spread.additions, 8) << "four sectors of one slice";
    EXPECT_EQ(spread.additions_of_fourth, 16) << "sixteen in two pieces";
    EXPECT_DOUBLE_EQ(spread.most_frequent, 1 / 32.0);
}

TEST(ValueSpread, ValuesOfOneBankTakeTurns) {
    const ValueSpread spread = spread_of(gray_image(64, 3, [](int x, int) { return x % 8 * 32; }).view());
    EXPECT_EQ(spread.turns, 8);
    EXPECT_EQ(spread.different, 8);
    EXPECT_EQ(spread.additions, 32) << "four lanes a word, eight sectors";
    EXPECT_EQ(spread.additions_of_fourth, 8) << "... of which two lie in each KiB, in pieces of their own";
}

/// The defaults are those of noise, as larger images have it.
TEST(ValueSpread, OfNoiseIsTheDefault) {
    const HostImage image = make_image("noise", {1024, 512, PixelFormat::rgba8, false}, 1);
    const HostImage gray = make_image("noise", {1024, 512, PixelFormat::gray8, false}, 1);
    const ValueSpread spread = spread_of(gray.view()), noise;
    EXPECT_NEAR(spread.turns, noise.turns, 0.05);
    EXPECT_NEAR(spread.turns_of_fourth, noise.turns_of_fourth, 0.1);
    EXPECT_NEAR(spread.different, noise.different, 0.1);
    EXPECT_NEAR(spread.additions, noise.additions, 0.2);
    EXPECT_NEAR(spread.additions_of_fourth, noise.additions_of_fourth, 0.2);
    EXPECT_NEAR(spread.most_frequent, noise.most_frequent, 0.001);
    EXPECT_GT(spread_of(image.view()).most_frequent, 1.5 * noise.most_frequent) << "the sums of three channels gather";
    EXPECT_EQ(spread_of(gray_image(31, 9, [](int, int) { return 1; }).view()).turns, noise.turns) << "no whole warp";
}

TEST(Roofs, AreMeasuredOnceForEachMachine) {
    int measured = 0;
    const auto measure = [&] { return Roofs{.operations_g_s = double(++measured)}; };
    const auto mhz = [] { return 1000.0; };
    EXPECT_EQ(roofs_once("once", measure, mhz, {}).operations_g_s, 1);
    EXPECT_EQ(roofs_once("once", measure, mhz, {}).operations_g_s, 1);
    EXPECT_EQ(roofs_once("other", measure, mhz, {}).operations_g_s, 2);
}

TEST(Roofs, AreMeasuredAgainBehindALowClock) {
    int measured = 0, asked = 0;
    const double clocks[] = {1000, 800, 950};
    const auto measure = [&] { return Roofs{.operations_g_s = double(++measured)}; };
    const Roofs roofs = roofs_once("slow at first", measure, [&] { return clocks[asked++]; }, {});
    EXPECT_EQ(roofs.operations_g_s, 2);
    EXPECT_EQ(roofs.mhz, 950);
    asked = measured = 0;
    EXPECT_EQ(roofs_once("always slow", measure, [&] { return asked++ == 0 ? 1000.0 : 500.0; }, {}).mhz, 500);
    EXPECT_EQ(measured, 4);
}

TEST(Roofs, OfAStoppedMeasurementAreNotKept) {
    std::stop_source stop;
    int measured = 0;
    const auto measure = [&] {
        stop.request_stop();
        return Roofs{.operations_g_s = double(++measured)};
    };
    roofs_once(
        "stopped", measure, [] { return 1.0; }, stop.get_token());
    EXPECT_EQ(roofs_once("stopped", measure, [] { return 1.0; }, {}).operations_g_s, 2);
}

}  // namespace
}  // namespace tonescope
