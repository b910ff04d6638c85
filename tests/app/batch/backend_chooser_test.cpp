#include "app/batch/backend_chooser.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

/// Runs that take what they are told to take, and are counted.
class BackendChooserTest : public testing::Test {
  protected:
    BackendChooser::Choice choose(int width, int height, PixelFormat format = PixelFormat::gray8) {
        const ImageSpec image{width, height, format, false};
        return chooser_.choose(image, [&](BackendKind kind, int rows) {
            ++runs_;
            EXPECT_GE(rows, 1);
            EXPECT_LE(rows, height);
            const double pixels = double(rows) * width;
            return kind == BackendKind::cpu ? cpu_ns_ * pixels * 1e-6 : device_ms_ + device_ns_ * pixels * 1e-6;
        });
    }

    double device_ms_ = 1, device_ns_ = 0.1, cpu_ns_ = 1;
    int runs_ = 0;

  private:
    BackendChooser chooser_;
};

TEST_F(BackendChooserTest, TakesTheDeviceWhereItsPixelsMakeUpForItsBeginning) {
    device_ms_ = 4;  // as long as the CPU takes for 4.4 million pixels
    EXPECT_EQ(choose(2000, 2000).backend, BackendKind::cpu);
    EXPECT_EQ(choose(2000, 2500).backend, BackendKind::cuda);
    EXPECT_EQ(choose(6000, 4000).backend, BackendKind::cuda);
}

TEST_F(BackendChooserTest, TakesTheCpuWhereCopiesTakeLonger) {
    device_ns_ = 0.3;
    cpu_ns_ = 0.2;
    for (const int side : {600, 4000, 20000}) EXPECT_EQ(choose(side, side).backend, BackendKind::cpu) << side;
}

TEST_F(BackendChooserTest, SaysWhatItExpects) {
    EXPECT_EQ(choose(10000, 10000).why,
              "about 11.0 ms on the device, about 100 ms on the CPU, by runs on parts of an image");
    EXPECT_EQ(choose(1000, 500).why,
              "about 0.500 ms on the CPU, about 1.05 ms on the device, by runs on parts of an image");
}

TEST_F(BackendChooserTest, MeasuresOnceForEachFormat) {
    choose(3000, 2000);
    const int first = runs_;
    EXPECT_GT(first, 0);
    choose(3000, 2000);
    choose(5000, 2000);
    EXPECT_EQ(runs_, first);
    choose(3000, 2000, PixelFormat::rgba16);
    EXPECT_EQ(runs_, 2 * first);
}

TEST_F(BackendChooserTest, MeasuresNoSmallImages) {
    EXPECT_EQ(choose(512, 511).backend, BackendKind::cuda);
    EXPECT_EQ(runs_, 0);
}

/// Rows may be longer than all that is to be measured, and an image hardly larger than one part.
TEST_F(BackendChooserTest, MeasuresWholeRowsOfTheImage) {
    EXPECT_EQ(choose(65535, 5).backend, BackendKind::cpu);
    EXPECT_EQ(choose(5, 65535).backend, BackendKind::cpu);
}

}  // namespace
}  // namespace tonescope
