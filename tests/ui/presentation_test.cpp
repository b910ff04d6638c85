// For an audience: the strip below the views, and the explanation beside them.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

TEST(Presentation, BringsUpTheSliderOfTheParameterThatWasChangedLast) {
    const Model& model = scene("default").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "Clip limit"));
    driver.tap(model, ImGuiKey_F9);
    EXPECT_EQ(driver.find("Operator"), nullptr);
    ASSERT_NE(driver.find("presented:Clip limit"), nullptr);
    EXPECT_EQ(driver.find("Clip limit"), nullptr) << "no slider yet";
    driver.move_to("view:before");
    driver.tap(model, key_of('T'));
    ASSERT_NE(driver.find("Clip limit"), nullptr);
    driver.actions().clear();
    driver.move_to("Clip limit", 0.9F);
    driver.frame(model);
    driver.press(0, true);
    driver.frames(model, 2);
    const auto* change = driver.last<SetParam>();
    ASSERT_NE(change, nullptr);
    EXPECT_EQ(change->info->id, "clip_limit");
    EXPECT_NE(change->gesture, 0U) << "one step of undo for a drag";
    driver.press(0, false);
    driver.frames(model, 2);
    // One after the other, and at last none.
    driver.move_to("view:before");
    size_t sliders = 1;
    for (; sliders < 10 && driver.find("Clip limit") != nullptr; ++sliders) driver.tap(model, key_of('T'));
    for (const char* last = "Amount"; sliders < 10 && driver.find(last) != nullptr; ++sliders)
        driver.tap(model, key_of('T'));
    EXPECT_LT(sliders, 10U);
}

TEST(Presentation, TabBringsThePanelsAndEscapeEndsIt) {
    const Model& model = scene("default").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    const float scale = driver.interface().scale(1, 1280, 720);
    driver.tap(model, ImGuiKey_F9);
    EXPECT_GT(driver.interface().scale(1, 1280, 720), scale);
    driver.move_to("view:before");
    driver.tap(model, ImGuiKey_Tab);
    EXPECT_NE(driver.find("Operator"), nullptr);
    EXPECT_GT(driver.interface().scale(1, 1280, 720), scale) << "it goes on";
    EXPECT_NE(driver.find("presented:operator"), nullptr);
    driver.tap(model, ImGuiKey_Escape);
    EXPECT_EQ(driver.interface().scale(1, 1280, 720), scale);
    EXPECT_EQ(driver.find("presented:operator"), nullptr);
}

TEST(Presentation, BeginsUnderTheSettings) {
    const Model& model = scene("default").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    driver.tap(model, ImGuiKey_F10);
    ASSERT_TRUE(driver.click(model, "Presentation:on"));
    driver.frames(model, 30);
    EXPECT_NE(driver.find("presented:operator"), nullptr);
}

TEST(Presentation, TheExplanationCoversNothing) {
    const Scene& s = scene("explained to an audience");
    for (const auto& [width, height] : {std::pair{640, 400}, {1280, 720}, {2560, 1440}, {400, 900}})
        for (const float scale : {1.0F, 2.0F, 3.0F}) {
            SCOPED_TRACE(std::to_string(width) + " at " + std::to_string(scale));
            Driver driver(width, height, scale);
            settle_scene(driver, s);
            const Widget* pixel = driver.find("explanation:pixel");
            ASSERT_NE(pixel, nullptr);
            for (const char* name : {"view:before", "view:after"}) {
                const Widget* view = driver.find(name);
                ASSERT_NE(view, nullptr) << name;
                EXPECT_TRUE(pixel->x >= view->x + view->width || pixel->y >= view->y + view->height) << name;
            }
            // Every row can be scrolled to.
            driver.move_to("explanation:pixel");
            for (int turn = 0; turn < 60 && driver.find("explanation:row blended") == nullptr; ++turn) {
                driver.wheel(-1);
                driver.frame(s.model);
            }
            EXPECT_NE(driver.find("explanation:row blended"), nullptr);
        }
}

}  // namespace
}  // namespace tonescope::ui
