// The UI thread's time in parts, and the bandwidth that is measured while it rests.
#include "app/viewer/live/frame_times.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "app/viewer/live/bandwidth.h"
#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"

namespace tonescope {
namespace {

using namespace std::chrono_literals;

void work(FrameTimes& times, FramePart part, std::chrono::milliseconds time) {
    const FrameTimes::Scope scope(times, part);
    std::this_thread::sleep_for(time);
}

TEST(FrameTimes, InnerPartsAreTakenOutOfOuterOnes) {
    FrameTimes times;
    const auto begin = std::chrono::steady_clock::now();
    {
        const FrameTimes::Scope input(times, FramePart::input);
        work(times, FramePart::upload, 30ms);
        std::this_thread::sleep_for(2ms);
    }
    // Sleeps may take any time longer: only what was measured around them is an upper bound.
    const std::chrono::duration<double, std::milli> outer = std::chrono::steady_clock::now() - begin;
    std::this_thread::sleep_for(30ms);  // outside of all parts
    work(times, FramePart::wait, 40ms);
    times.end_turn(true);
    ASSERT_EQ(times.count(), 1U);
    const FrameTimes::Sample& turn = times.recent().back();
    EXPECT_GE(turn.of(FramePart::upload), 30);
    EXPECT_GE(turn.of(FramePart::input), 2);
    EXPECT_LE(turn.of(FramePart::input) + turn.of(FramePart::upload), outer.count())
        << "neither twice nor what stands outside";
    EXPECT_GE(turn.of(FramePart::wait), 40);
    EXPECT_DOUBLE_EQ(turn.work_ms(), turn.of(FramePart::upload) + turn.of(FramePart::input))
        << "the wait for the display is no work";
}

TEST(FrameTimes, TurnsThatDidNothingDoNotCount) {
    FrameTimes times;
    times.end_turn(false);
    EXPECT_EQ(times.count(), 0U);
    work(times, FramePart::kernels, 2ms);
    times.end_turn(false);
    EXPECT_EQ(times.count(), 1U);
    times.end_turn(true);
    EXPECT_EQ(times.count(), 2U);
    EXPECT_EQ(times.recent().back().work_ms(), 0) << "the turn before is over";
}

TEST(FrameTimes, TheSlowestStaysUntilReset) {
    FrameTimes times;
    work(times, FramePart::draw, 5ms);
    times.end_turn(true);
    for (int k = 0; k < 100; ++k) times.end_turn(true);
    EXPECT_GE(times.slowest().work_ms(), 5);
    EXPECT_EQ(times.slowest_recent().work_ms(), 0) << "long ago";
    EXPECT_EQ(times.recent().size(), 64U);
    times.add_gpu_draw(3);
    times.add_gpu_draw(1);
    times.add_gpu_draw(2);
    EXPECT_EQ(times.gpu_draw_ms(), 2);
    times.reset();
    EXPECT_EQ(times.slowest().work_ms(), 0);
    EXPECT_EQ(times.gpu_draw_ms(), 0);
    EXPECT_EQ(times.mean().work_ms(), 0);
}

TEST(FrameTimes, WhatPeopleReadIsRenewedTwiceASecond) {
    FrameTimes times;
    const FrameTimes::Clock::time_point begin = FrameTimes::Clock::now();
    times.add_gpu_draw(1);
    EXPECT_EQ(times.summary(begin).gpu_draw_ms, 1);
    work(times, FramePart::draw, 5ms);
    times.end_turn(true);
    times.add_gpu_draw(3);
    times.add_gpu_draw(3);
    EXPECT_EQ(times.summary(begin + 499ms).gpu_draw_ms, 1);
    EXPECT_EQ(times.summary(begin + 499ms).slowest.work_ms(), 0);
    EXPECT_EQ(times.summary(begin + 500ms).gpu_draw_ms, 3);
    EXPECT_GE(times.summary(begin + 500ms).slowest.work_ms(), 5);
    EXPECT_GE(times.summary(begin + 500ms).mean.of(FramePart::draw), 5);
    times.reset();
    EXPECT_EQ(times.summary(begin + 501ms).gpu_draw_ms, 0) << "at once";
}

TEST(Bandwidth, IsMeasuredOnceAfterARest) {
    Tasks tasks(1, [] {});
    Bandwidth bandwidth(tasks);
    EXPECT_TRUE(std::isinf(bandwidth.next_check_s()));
    bandwidth.update(BackendKind::cpu, -1, false);
    EXPECT_TRUE(std::isinf(bandwidth.next_check_s())) << "there is something else to do";
    bandwidth.update(BackendKind::cpu, -1, true);
    EXPECT_GT(bandwidth.next_check_s(), 0);
    EXPECT_LE(bandwidth.next_check_s(), 1);
    EXPECT_EQ(tasks.open_jobs(), 0) << "someone may only just have looked up";
    for (int k = 0; k < 3000 && bandwidth.gb_s(BackendKind::cpu) == 0; ++k) {
        bandwidth.update(BackendKind::cpu, -1, true);
        std::this_thread::sleep_for(10ms);
        tasks.drain();
    }
    EXPECT_GT(bandwidth.gb_s(BackendKind::cpu), 0);
    EXPECT_EQ(bandwidth.gb_s(BackendKind::cuda), 0);
    bandwidth.update(BackendKind::cpu, -1, true);
    EXPECT_TRUE(std::isinf(bandwidth.next_check_s()));
    EXPECT_EQ(tasks.open_jobs(), 0);
}

TEST(Bandwidth, IsNotMeasuredWhereThatTakesMoreMemoryThanThereIs) {
    const MemoryShare little(uint64_t{100} << 20);
    EXPECT_THROW(measure_cpu_copy_gb_s(2, {}), MemoryError);
}

TEST(Bandwidth, AStoppedMeasurementGivesNothing) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(measure_cpu_copy_gb_s(2, stop.get_token()), 0);
}

}  // namespace
}  // namespace tonescope
