// Window and level: the drag over a view, the fields, the handles of the histogram, and what is drawn through windows.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

struct WindowScene {
    WindowScene() : model(scene("default").model), driver(1280, 800, 1) {
        model.views.begin_window = [this](const WindowView& view) { begun.push_back(view); };
        driver.frames(model, 3);
    }
    /// Drags as far as this, and does what is asked for.
    void drag(std::string_view label, float dx, float dy, int button) {
        driver.move_to(label);
        driver.frame(model);
        const ImVec2 from = ImGui::GetIO().MousePos;
        driver.press(button, true);
        step();
        for (const float share : {0.5F, 1.0F}) {
            driver.move_to(from.x + share * dx, from.y + share * dy);
            step();
        }
        driver.press(button, false);
        step();
    }
    void step() {
        driver.actions().clear();
        driver.frame(model);
        for (const Action& action : driver.actions())
            if (const auto* set = std::get_if<SetWindows>(&action)) {
                model.views.windows = set->windows;
                gestures.push_back(set->gesture);
            }
    }
    void click(std::string_view label) {
        driver.actions().clear();
        driver.click(model, label);
        driver.frame(model);
        take();
    }
    void take() {
        for (const Action& action : driver.actions())
            if (const auto* set = std::get_if<SetWindows>(&action)) model.views.windows = set->windows;
        driver.actions().clear();
    }
    SampleWindows& windows() { return model.views.windows; }

    std::vector<WindowView> begun;
    std::vector<uint64_t> gestures;
    Model model;
    Driver driver;
};

TEST(WindowTest, TheRightButtonDragsWidthAndCenter) {
    WindowScene s;
    const double zoom = s.driver.interface().view().zoom;
    s.drag("view:before", -150, 0, 1);
    EXPECT_EQ(s.windows().before.range, range_around(12750, 12800));
    EXPECT_EQ(s.windows().after, s.windows().before) << "linked";
    ASSERT_FALSE(s.gestures.empty());
    for (const uint64_t gesture : s.gestures) EXPECT_EQ(gesture, s.gestures[0]) << "one step of undo";
    s.drag("view:after", 0, -75, 1);
    EXPECT_EQ(s.windows().before.range, range_around(9550, 12800)) << "a quarter of the width down";
    EXPECT_EQ(s.driver.interface().view().zoom, zoom);
    EXPECT_TRUE(s.driver.interface().view().fit) << "the view stays where it is";
    EXPECT_NE(s.driver.find("window:before"), nullptr);
    s.drag("view:before", -100, 0, 0);
    EXPECT_EQ(s.windows().before.range, range_around(9550, 12800)) << "the left button moves the image";
}

TEST(WindowTest, WindowsApartAreDraggedAlone) {
    WindowScene s;
    s.windows().linked = false;
    s.drag("view:after", -150, 0, 1);
    EXPECT_TRUE(s.windows().before.is_full());
    EXPECT_EQ(s.windows().after.range, range_around(12750, 12800));
    EXPECT_EQ(s.driver.find("window:before"), nullptr);
    ASSERT_NE(s.driver.find("window:after"), nullptr);
    s.click("window:after");
    EXPECT_TRUE(s.windows().after.is_full()) << "a click on the note is the way back";
}

TEST(WindowTest, HandlesOfTheHistogramMoveTheEnds) {
    WindowScene s;
    s.drag("histogram:before:window-low", 60, 0, 0);
    const SampleRange low = s.windows().before.range_in(255);
    EXPECT_GT(low.low, 3000);
    EXPECT_EQ(low.high, 25500);
    EXPECT_EQ(low.low % 100, 0) << "whole samples";
    s.driver.frames(s.model, 2);
    s.drag("histogram:before:window-high", -60, 0, 0);
    const SampleRange both = s.windows().before.range_in(255);
    EXPECT_EQ(both.low, low.low);
    EXPECT_LT(both.high, 22500);
    s.drag("histogram:before", 20, 0, 0);
    const SampleRange moved = s.windows().before.range_in(255);
    EXPECT_EQ(moved.width(), both.width());
    EXPECT_GT(moved.low, both.low);
    s.drag("histogram:after:window-low", -400, 0, 0);
    s.drag("histogram:after:window-high", 400, 0, 0);
    EXPECT_TRUE(s.windows().before.is_full()) << "both ends at the ends are the full range";
}

TEST(WindowTest, CommandsAndFieldsSetIt) {
    WindowScene s;
    s.model.histogram.before = DisplayHistogram{};
    s.model.histogram.before->luma[40] = s.model.histogram.before->luma[50] = 500;
    s.model.histogram.before->luma[10] = 3;
    s.driver.move_to("view:before");
    s.driver.frame(s.model);
    s.driver.tap(s.model, key_of('W'));
    s.take();
    EXPECT_EQ(s.windows().before.range, (SampleRange{4000, 5000}));
    s.driver.tap(s.model, key_of('N'));
    s.take();
    EXPECT_TRUE(s.windows().after.inverse);
    s.driver.run_command(s.model, "Window: from the least");
    s.take();
    EXPECT_EQ(s.windows().before.range, (SampleRange{1000, 5000}));
    s.click("Window and level");
    s.driver.frames(s.model, 2);
    EXPECT_EQ(s.driver.find("Range:used")->value, "on");
    EXPECT_EQ(s.driver.find("Width value")->value, "40");
    EXPECT_EQ(s.driver.find("Center value")->value, "30.0");
    s.click("Range:full");
    EXPECT_FALSE(s.windows().before.range);
    EXPECT_TRUE(s.windows().before.inverse);
    s.click("Windows:apart");
    EXPECT_FALSE(s.windows().linked);
}

/// What the renderer is told while the last frame is rendered.
std::vector<WindowView> render(WindowScene& s) {
    s.begun.clear();
    const ImDrawData* data = ImGui::GetDrawData();
    for (int n = 0; n < data->CmdListsCount; ++n)
        for (const ImDrawCmd& command : data->CmdLists[n]->CmdBuffer)
            if (command.UserCallback != nullptr && command.UserCallback != ImDrawCallback_ResetRenderState)
                command.UserCallback(data->CmdLists[n], &command);
    return s.begun;
}

TEST(WindowTest, PicturesAreDrawnThroughTheirWindows) {
    WindowScene s;
    EXPECT_TRUE(render(s).empty()) << "the full range draws as without windows";
    s.windows().set(true, {range_around(10000, 5000), false});
    s.driver.frames(s.model, 2);
    ASSERT_EQ(render(s).size(), 2U) << "both views";
    EXPECT_EQ(s.begun[0].range, (SampleRange{7500, 12500}));
    s.windows() = {{}, {std::nullopt, true}, false};
    s.driver.frames(s.model, 2);
    ASSERT_EQ(render(s).size(), 1U);
    EXPECT_TRUE(s.begun[0].inverse);
    EXPECT_EQ(s.begun[0].range, full_range(255));
}

}  // namespace
}  // namespace tonescope::ui
