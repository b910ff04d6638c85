// Tooltips and dialogs that open while one is about to show.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

TEST(Tooltips, ADialogMayOpenInAnyFrame) {
    const Model& model = scene("default").model;
    for (const auto& [key, label] : {std::pair{'S', "File name"}, {'P', "Preset name"}})
        for (int wait = 15; wait < 30; ++wait) {
            Driver driver(1280, 720, 1);
            driver.frames(model, 3);
            driver.move_to("mode:wipe");
            driver.frames(model, wait);
            driver.tap_with_control(model, key_of(key));
            driver.frames(model, 3);
            EXPECT_NE(driver.find(label), nullptr) << wait;
        }
}

}  // namespace
}  // namespace tonescope::ui
