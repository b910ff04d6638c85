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

TEST(Tooltips, WhatAClickBringsUnderTheMouseHasNoneUntilThatMoves) {
    const Model& model = scene("figures").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    driver.click(model, "Figures");
    driver.frames(model, 40);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    std::string under;
    for (const Widget& widget : driver.interface().widgets())
        if (widget.label.starts_with("figure:") && mouse.y >= widget.y && mouse.y < widget.y + widget.height)
            under = widget.label;
    ASSERT_NE(under, "") << "the section has scrolled";
    EXPECT_EQ(driver.find("tooltip"), nullptr);
    driver.move_to(under, 0.3F, 0.5F);
    driver.frames(model, 40);
    EXPECT_NE(driver.find("tooltip"), nullptr);
}

}  // namespace
}  // namespace tonescope::ui
