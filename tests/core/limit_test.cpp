#include "gpu/core/limits/limit.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

std::string plain(double value) {
    return std::to_string(int64_t(value));
}

const Roofs kGpu{.memory_gb_s = 1000,
                 .cache_gb_s = 4000,
                 .cache_bytes = 50e6,
                 .bus_gb_s = 50,
                 .shared_gb_s = 20000,
                 .operations_g_s = 10000,
                 .shared_atomics_g_s = 4000,
                 .global_atomics_g_s = 5,
                 .launch_ms = 0.002};

/// Kernels of 1 ms.
LimitCase one_ms(const Amounts& work) {
    return {.roofs = kGpu, .work = work, .kernels_ms = 1, .launches = 1};
}

TEST(Limit, SharesAreOfWhatTheRoofAllowsInTheKernelsTime) {
    const Limit limit = limit_of(one_ms({.bytes = 0.8e9, .shared_bytes = 2e9, .operations = 3e9}));
    ASSERT_EQ(limit.shares.size(), 3);
    EXPECT_EQ(limit.shares[0].resource->id, "memory");
    EXPECT_DOUBLE_EQ(limit.shares[0].rate, 800);
    EXPECT_DOUBLE_EQ(limit.shares[0].share, 0.8);
    EXPECT_EQ(limit.shares[1].resource->id, "operations");
    EXPECT_DOUBLE_EQ(limit.shares[1].share, 0.3);
    EXPECT_EQ(limit.shares[2].resource->id, "shared");
    EXPECT_DOUBLE_EQ(limit.shares[2].share, 0.1);
}

TEST(Limit, MostUsedResourceAboveTheThresholdIsTheLimit) {
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.51e9, .operations = 4e9})).id(), "memory");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.3e9, .operations = 6e9})).id(), "operations");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.3e9, .shared_atomics = 3e9})).id(), "shared_atomics");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.3e9, .global_atomics = 4e6})).id(), "global_atomics");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.3e9, .shared_bytes = 19e9})).id(), "shared");
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.49e9})).id(), "latency");
}

TEST(Limit, PlaceOfTheImagesDecidesWhoseRateCounts) {
    LimitCase measured = one_ms({.bytes = 0.9e9});
    EXPECT_EQ(limit_of(measured).id(), "memory");
    measured.place = ImagePlace::cache;
    EXPECT_EQ(limit_of(measured).id(), "latency");
    EXPECT_EQ(limit_of(measured).shares[0].resource->id, "cache");
    measured.place = ImagePlace::bus;
    measured.work.bytes = 0.04e9;
    EXPECT_EQ(limit_of(measured).id(), "bus");
}

TEST(Limit, LaunchesComeBeforeResources) {
    LimitCase measured = one_ms({.bytes = 0.9e9});
    measured.launches = 251;
    EXPECT_EQ(limit_of(measured).id(), "launches");
    EXPECT_DOUBLE_EQ(limit_of(measured).launches_share, 0.502);
    measured.launches = 249;
    EXPECT_EQ(limit_of(measured).id(), "memory");
}

TEST(Limit, HostComesFirst) {
    LimitCase measured = one_ms({.bytes = 0.9e9});
    measured.launches = 300;
    measured.host_ms = 1.1;
    EXPECT_EQ(limit_of(measured).id(), "host");
    measured.host_ms = 0.9;
    EXPECT_EQ(limit_of(measured).id(), "launches");
}

TEST(Limit, WithoutRoofsOrTimesNothingIsKnown) {
    EXPECT_EQ(limit_of({.work = {.bytes = 1}, .kernels_ms = 1}).id(), "");
    EXPECT_EQ(limit_of({.roofs = kGpu, .work = {.bytes = 1}}).id(), "");
    EXPECT_EQ(limit_of({.roofs = kGpu, .kernels_ms = 1}).text(plain), "");
}

TEST(Limit, SentencesNameTheResourceAndItsShare) {
    EXPECT_EQ(limit_of(one_ms({.bytes = 0.8e9})).text(plain), "Memory: 80 % used, 800 GB/s");
    EXPECT_EQ(limit_of(one_ms({.bytes = 1.3e9})).text(plain),
              "Memory: 130 % used, 1300 GB/s; caches serve what exceeds it");
    EXPECT_EQ(limit_of(one_ms({.operations = 0.42e9})).text(plain),
              "Latency: threads wait for data or for one another; most used: instructions, 4.2 %");
    LimitCase measured = one_ms({.bytes = 0.9e9});
    measured.launches = 400;
    EXPECT_EQ(limit_of(measured).text(plain), "Launches: empty kernels would take 80 % of the kernels' time");
    measured.host_ms = 3;
    EXPECT_EQ(limit_of(measured).text(plain),
              "Host: kernels take 25 % of the time without copies, and wait for the host in the rest");
    measured = one_ms({.bytes = 0.1e9});
    measured.on_cpu = true;
    EXPECT_EQ(
        limit_of(measured).text(plain),
        "Latency: instructions wait for one another, and threads or vector lanes are idle; most used: memory, 10 %");
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
