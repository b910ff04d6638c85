// The difference as the view mode asks for it, and a result that is pinned.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/ui/scenes/scene_model.h"
#include "tests/ui/view_mode_test.h"

namespace tonescope::ui {
namespace {

/// Runs what the frame asks the renderer to call.
void render(const ImDrawData& data) {
    for (int n = 0; n < data.CmdListsCount; ++n)
        for (const ImDrawCmd& command : data.CmdLists[n]->CmdBuffer)
            if (command.UserCallback != nullptr && command.UserCallback != ImDrawCallback_ResetRenderState)
                command.UserCallback(data.CmdLists[n], &command);
}

TEST(Difference, AsksForWhatIsOnScreen) {
    std::vector<DifferenceView> drawn;
    Model model = scene("default").model;
    model.views.draw_difference = [&](const DifferenceView& view) { drawn.push_back(view); };
    Driver driver(1280, 800, 1);
    driver.frames(model, 3);
    render(*ImGui::GetDrawData());
    EXPECT_TRUE(drawn.empty()) << "only in its mode";
    driver.tap(model, key_of('6'));
    driver.frames(model, 2);
    driver.type("]]");
    driver.tap(model, key_of('A'));
    driver.frames(model, 2);
    render(*ImGui::GetDrawData());
    ASSERT_EQ(drawn.size(), 1U);
    const Widget& view = *driver.find("view:difference");
    EXPECT_EQ(drawn[0].place.left, view.x);
    EXPECT_EQ(drawn[0].place.bottom, view.y + view.height);
    EXPECT_EQ(drawn[0].place.window_width, 1280);
    EXPECT_EQ(drawn[0].place.zoom, driver.interface().view().zoom);
    EXPECT_EQ(drawn[0].before.spec, model.views.before.spec);
    EXPECT_FALSE(drawn[0].look.is_signed);
    EXPECT_NEAR(drawn[0].look.gain, std::sqrt(2.0F), 1e-4) << "two of one key in a frame are one press";

    drawn.clear();
    model.views.preview = no_upload({nullptr, 0, {100, 50, PixelFormat::rgba8, false}});
    model.views.preview_region = {200, 100, 400, 200};
    driver.frame(model);
    render(*ImGui::GetDrawData());
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_EQ(drawn[1].after.left, 200);
    EXPECT_EQ(drawn[1].after.top, 100);
    EXPECT_EQ(drawn[1].after.step, 4);
    EXPECT_GE(drawn[1].place.left, view.x);
}

TEST(Difference, TellsItsStatistics) {
    InMode at('6');
    EXPECT_EQ(at.value("difference:ssim"), "") << "not known yet";
    at.model.views.figures = difference_figures({1000, 250, 3.5, 40, 28.25, 0.9, 34});
    at.driver.frame(at.model);
    EXPECT_EQ(at.value("difference:changed"), "25.00 %");
    EXPECT_EQ(at.value("difference:mean_difference"), "3.50 levels");
    EXPECT_EQ(at.value("difference:largest_difference"), "40 levels");
    EXPECT_EQ(at.value("difference:psnr"), "28.25 dB");
    EXPECT_EQ(at.value("difference:ssim"), "0.9000");
    at.driver.frame(at.model);
    EXPECT_EQ(at.value("difference:gain"), "\xc3\x97 7.5") << "nearly the largest difference fills the range";
    EXPECT_EQ(at.value("difference:legend"),
              "\xe2\x80\x93"
              "34 to +34");
    at.driver.type("]");
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("difference:gain"), "\xc3\x97 11.3") << "by hand from there";
    EXPECT_EQ(at.value("difference:automatic gain"), "");
    at.driver.tap(at.model, key_of('D'));
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("difference:gain"), "\xc3\x97 7.5");
}

TEST(OldFigures, AreDimmed) {
    InMode at('6');
    at.model.views.figures = difference_figures({1000, 250, 3.5, 40, 28.25, 0.9, 34});
    const auto old = [&](std::string_view label) {
        at.driver.frames(at.model, 2);
        return at.driver.find(label)->is_old;
    };
    for (const char* label : {"statistics:before", "statistics:after", "difference:mean_difference", "timing:total"})
        EXPECT_FALSE(old(label)) << label;
    at.model.views.shows_old_result = at.model.timings.is_old = true;
    EXPECT_TRUE(old("statistics:after"));
    EXPECT_TRUE(old("timing:total"));
    EXPECT_FALSE(old("statistics:before")) << "the image is what it was";
    EXPECT_FALSE(old("difference:mean_difference"));
    at.model.views.figures_are_old = true;
    EXPECT_TRUE(old("difference:mean_difference"));
}

TEST(Figures, StandInTheirPanel) {
    InMode at('1', "default", 1280, 1700);
    EXPECT_FALSE(at.driver.interface().view().shows_figures) << "nothing is measured for a closed panel";
    at.driver.run_command(at.model, "figures open");
    at.driver.frames(at.model, 2);
    EXPECT_TRUE(at.driver.interface().settings().figures_shown);
    EXPECT_TRUE(at.driver.interface().view().shows_figures);
    EXPECT_EQ(at.value("figure:entropy"), "") << "not known yet";
    at.model.views.figures = all_figures();
    at.model.views.figures->after.back().reset();
    at.driver.frames(at.model, 2);
    for (const FigureInfo& figure : figures())
        EXPECT_NE(at.driver.find("figure:" + std::string(figure.id)), nullptr) << figure.id;
    EXPECT_EQ(at.value("figure:mean"), "1.00 to 1.00");
    EXPECT_EQ(at.value("figure:entropy"), "2.000 to 3.000");
    EXPECT_EQ(at.value("figure:noise_gain"), "17.00") << "of both together";
    EXPECT_EQ(at.value("figure:ssim"), "\u2013") << "it is not defined";
    at.driver.move_to("figure:eme");
    for (int frames = 0; frames < 200 && at.driver.find("tooltip") == nullptr; ++frames) at.driver.frame(at.model);
    ASSERT_NE(at.driver.find("tooltip"), nullptr);
    EXPECT_NE(at.driver.find("tooltip")->value.find("Agaian"), std::string::npos) << "definition and source";
}

TEST(Reference, AFileTakesThePlaceOfBefore) {
    InMode at('1');
    at.driver.hold_shift(true);
    at.driver.tap_with_control(at.model, key_of('O'));
    at.driver.hold_shift(false);
    at.driver.frames(at.model, 3);
    at.model.browser.entries = {{"theirs.png", false, 120, "2026-03-01 14:05", {}},
                                {"other.png", false, 120, "2026-03-01 14:05", {}}};
    ++at.model.browser.visit;
    at.driver.frames(at.model, 3);
    ASSERT_TRUE(at.driver.click(at.model, "entry:theirs.png"));
    ASSERT_TRUE(at.driver.click(at.model, "button:Compare"));
    ASSERT_NE(at.driver.last<CompareWith>(), nullptr);
    EXPECT_EQ(at.driver.last<CompareWith>()->path, at.model.browser.folder + "/theirs.png");
    EXPECT_FALSE(at.driver.last<CompareWith>()->as_result);
    EXPECT_EQ(at.driver.last<OpenPaths>(), nullptr);
}

TEST(Reference, IsDroppedWhereBeforeIsShown) {
    InMode at('1');
    const auto is_before = [&](const char* label) {
        const Widget& widget = *at.driver.find(label);
        return at.driver.interface().drop_place_at(widget.x + widget.width / 2, widget.y + widget.height / 2) ==
               DropPlace::before;
    };
    EXPECT_TRUE(is_before("view:before"));
    EXPECT_TRUE(is_before("caption:Before"));
    EXPECT_FALSE(is_before("view:after"));
    EXPECT_FALSE(is_before("Clip limit"));
    at.driver.tap(at.model, key_of('5'));
    at.driver.frames(at.model, 2);
    EXPECT_FALSE(is_before("view:after")) << "the result alone";
    at.driver.tap(at.model, key_of('7'));
    at.driver.frames(at.model, 2);
    EXPECT_FALSE(is_before("view:pane 1"));
}

TEST(Pin, IsSetAndReleased) {
    InMode at('1');
    at.driver.tap(at.model, key_of('P'));
    EXPECT_NE(at.driver.last<PinResult>(), nullptr);
    EXPECT_EQ(at.value("pin"), "");
    at.model.views.original = at.model.views.before;
    at.model.views.basis = Basis::pinned;
    at.driver.actions().clear();
    ASSERT_TRUE(at.driver.click(at.model, "pin"));
    EXPECT_EQ(at.value("pin"), "on");
    EXPECT_NE(at.driver.last<CompareWithImage>(), nullptr);
    at.model.views.basis = Basis::image;
    at.model.views.after_is_stale = true;
    at.driver.actions().clear();
    at.driver.click(at.model, "pin");
    EXPECT_EQ(at.driver.last<PinResult>(), nullptr) << "only a finished result";
}

TEST(Pin, TheOriginalStillShows) {
    Model model = scene("default").model;
    model.images.entries.clear();
    model.images.current = -1;
    model.views.original = model.views.before;
    model.views.basis = Basis::pinned;
    model.views.original.tiles[0].texture = 1001;
    model.views.before.tiles[0].texture = 1002;
    model.views.after.tiles[0].texture = 1003;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    driver.tap(model, key_of('5'));
    driver.frames(model, 2);
    EXPECT_EQ(textured_left_of(1e6F, 1001), 0);
    EXPECT_GT(textured_left_of(1e6F, 1003), 0);
    driver.hold(ImGuiKey_B, true);
    driver.frames(model, 2);
    EXPECT_GT(textured_left_of(1e6F, 1001), 0);
    EXPECT_EQ(textured_left_of(1e6F, 1002), 0);
    EXPECT_EQ(textured_left_of(1e6F, 1003), 0);
}

}  // namespace
}  // namespace tonescope::ui
