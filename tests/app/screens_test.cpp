// The screen that a window fills.
#include "app/window/window.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

TEST(ScreensTest, TheOneWithMostOfTheWindow) {
    const Rect screens[] = {{0, 0, 1920, 1080}, {1920, 0, 2560, 1440}, {-1280, 0, 1280, 1024}};
    EXPECT_EQ(screen_of({100, 100, 800, 600}, screens), 0u);
    EXPECT_EQ(screen_of({1500, 100, 800, 600}, screens), 0u);
    EXPECT_EQ(screen_of({1600, 100, 800, 600}, screens), 1u);
    EXPECT_EQ(screen_of({-700, 100, 1000, 600}, screens), 2u);
    EXPECT_EQ(screen_of({9000, 9000, 800, 600}, screens), 0u) << "on none";
    EXPECT_EQ(screen_of({0, 0, 1, 1}, {}), 0u);
}

}  // namespace
}  // namespace tonescope
