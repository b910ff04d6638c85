#include "app/batch/backend_chooser.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

/// Runs that take what they are told to take, and are counted.
class BackendChooserTest : public testing::Test {
  protected:
    BackendChooser::Choice choose(int width, int height, PixelFormat format = PixelFormat::gray8) {
        return chooser_.choose({width, height, format, false}, measure());
    }
    BackendChooser::Choice start(int width, int height, int64_t images) {
        return chooser_.start({width, height, PixelFormat::gray8, false}, images, measure());
    }
    void learn(BackendKind kind, double ms) { chooser_.learn(kind, {6000, 4000, PixelFormat::gray8, false}, ms); }
    BackendChooser::Measure measure() {
        return [this](BackendKind kind, const ImageSpec& image) {
            ++runs_;
            EXPECT_FALSE(image.empty());
            EXPECT_LE(image.pixels(), 1 << 21);
            const auto pixels = double(image.pixels());
            if (kind == BackendKind::cuda) return device_ms_ + device_ns_ * pixels * 1e-6;
            const double ms =
                cpu_ns_ * pixels * 1e-6 + (runs_ % 4 == 0 && image.pixels() > always_late_px_ ? 0 : late_ms_);
            cpu_ms_ += ms;
            return ms;
        };
    }

    double device_ms_ = 1, device_ns_ = 0.1, cpu_ns_ = 1;
    double late_ms_ = 0;          // that three of four runs on the CPU take longer
    int64_t always_late_px_ = 0;  // with so many pixels at most, all are
    double cpu_ms_ = 0;           // spent there
    int runs_ = 0;

  private:
    BackendChooser chooser_;
};

TEST_F(BackendChooserTest, TakesTheDeviceWhereItsPixelsMakeUpForItsBeginning) {
    device_ms_ = 4;  // as long as the CPU takes for 4.4 million pixels
    EXPECT_EQ(choose(2000, 2000).backend, BackendKind::cpu);
    EXPECT_EQ(choose(2000, 2500).backend, BackendKind::cuda);
    EXPECT_EQ(choose(6000, 4000).backend, BackendKind::cuda);
    EXPECT_EQ(choose(100, 100).backend, BackendKind::cpu);
}

TEST_F(BackendChooserTest, TakesTheCpuWhereCopiesTakeLonger) {
    device_ns_ = 0.3;
    cpu_ns_ = 0.2;
    for (const int side : {10, 600, 4000, 20000}) EXPECT_EQ(choose(side, side).backend, BackendKind::cpu) << side;
}

TEST_F(BackendChooserTest, SaysWhatItExpects) {
    EXPECT_EQ(choose(10000, 10000).why, "about 11.0 ms on the device, about 100 ms on the CPU");
    EXPECT_EQ(choose(1000, 500).why, "about 0.500 ms on the CPU, about 1.05 ms on the device");
}

TEST_F(BackendChooserTest, MeasuresOnceForEachFormat) {
    choose(3000, 2000);
    const int first = runs_;
    EXPECT_GT(first, 0);
    choose(3000, 2000);
    choose(5000, 20);
    EXPECT_EQ(runs_, first);
    choose(3000, 2000, PixelFormat::rgba16);
    EXPECT_EQ(runs_, 2 * first);
}

/// Threads that come late in most runs are no reason to expect much of every pixel.
TEST_F(BackendChooserTest, LateThreadsDoNotCountForEachPixel) {
    cpu_ns_ = 0.4;
    late_ms_ = 3;
    device_ms_ = 100;
    EXPECT_EQ(choose(6000, 4000).backend, BackendKind::cpu);
    EXPECT_EQ(start(32768, 16384, 1).backend, BackendKind::cpu);  // 215 ms
}

/// Where every run on few pixels was late, what more pixels take still counts.
TEST_F(BackendChooserTest, PixelsTakeTimeEvenWhereFewTookAsLong) {
    late_ms_ = 9;
    always_late_px_ = 1 << 18;
    EXPECT_EQ(choose(32768, 16384).backend, BackendKind::cuda);
    EXPECT_EQ(start(32768, 16384, 4).backend, BackendKind::cuda);
}

/// A slow operator is not tried for longer than it takes to see that it is slow.
TEST_F(BackendChooserTest, GivesTheCpuLittleTimeWhereItIsSlow) {
    cpu_ns_ = 1000;
    EXPECT_EQ(choose(4000, 4000).backend, BackendKind::cuda);
    EXPECT_LT(cpu_ms_, 400);
}

TEST_F(BackendChooserTest, StartsADeviceWhereTheCpuHasEnoughToDo) {
    const BackendChooser::Choice one = start(6000, 4000, 1);
    EXPECT_EQ(one.backend, BackendKind::cpu);
    EXPECT_EQ(one.why, "about 24.0 ms on the CPU; a device takes longer to start");
    const BackendChooser::Choice ten = start(6000, 4000, 10);
    EXPECT_EQ(ten.backend, BackendKind::cpu);
    EXPECT_EQ(ten.why, "about 240 ms on the CPU for 10 such images; a device takes longer to start");
    EXPECT_EQ(start(6000, 4000, 50).backend, BackendKind::cuda);
    EXPECT_EQ(start(30000, 17000, 1).backend, BackendKind::cuda);
}

/// Where small images promise one to two times what a device takes to start, the first of several images decides.
TEST_F(BackendChooserTest, TheFirstImageTellsWhetherADevicePays) {
    const BackendChooser::Choice before = start(6000, 4000, 30);
    EXPECT_EQ(before.backend, BackendKind::cpu);
    EXPECT_EQ(before.why, "about 720 ms on the CPU for 30 such images by runs on small ones; the first tells more");
    learn(BackendKind::cpu, 24);
    EXPECT_EQ(start(6000, 4000, 29).backend, BackendKind::cuda);
    EXPECT_EQ(start(6000, 4000, 10).backend, BackendKind::cpu);
    learn(BackendKind::cpu, 72);
    EXPECT_EQ(start(6000, 4000, 10).why, "about 480 ms on the CPU for 10 such images; a device takes longer to start");
    EXPECT_EQ(start(6000, 4000, 10).backend, BackendKind::cuda);
}

TEST_F(BackendChooserTest, WhatImagesTakeCountsMoreThanSmallOnes) {
    EXPECT_EQ(choose(6000, 4000).backend, BackendKind::cuda);  // 3.4 ms against 24
    for (int i = 0; i < 3; ++i) learn(BackendKind::cuda, 34);
    EXPECT_EQ(choose(6000, 4000).why, "about 24.0 ms on the CPU, about 34.0 ms on the device");
    EXPECT_EQ(choose(3000, 4000).backend, BackendKind::cpu);
    for (int i = 0; i < 3; ++i) learn(BackendKind::cpu, 60);
    EXPECT_EQ(choose(6000, 4000).backend, BackendKind::cuda);
}

}  // namespace
}  // namespace tonescope
