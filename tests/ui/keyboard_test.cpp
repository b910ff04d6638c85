// Where keys act, and what they do to the views.
#include <gtest/gtest.h>

#include "tests/ui/view_mode_test.h"
#include "ui/commands/commands.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

/// A panel has the keyboard.
struct InPanel : InMode {
    explicit InPanel(char digit = '1') : InMode(digit) { driver.click(model, "Value range:auto"); }
    void point_at(std::string_view label) {
        driver.move_to(label);
        driver.frames(model, 2);
    }
};

TEST(Keyboard, ViewsHaveTheirKeysWhileTheMouseWasUsedLast) {
    InPanel at;
    at.driver.hold(ImGuiKey_B, true);
    at.driver.frame(at.model);
    EXPECT_EQ(at.value("view:after"), "original") << "wherever the mouse is";
    at.driver.hold(ImGuiKey_B, false);
    at.driver.frame(at.model);
    EXPECT_NE(at.value("view:after"), "original");
    at.driver.tap(at.model, key_of('3'));
    at.driver.frame(at.model);
    EXPECT_EQ(at.view().mode, "wipe");
    at.driver.tap(at.model, ImGuiKey_Tab);
    at.driver.tap(at.model, key_of('1'));
    at.driver.frame(at.model);
    EXPECT_EQ(at.view().mode, "wipe") << "a control of the panel is marked";
}

TEST(Keyboard, EscapeLeavesATextField) {
    const Scene& source = scene("source");
    Driver driver(1280, 800, 1);
    settle_scene(driver, source);
    driver.click(source.model, "Find in the source");
    driver.frames(source.model, 3);
    ASSERT_EQ(driver.find("focus area")->value, "source");
    driver.tap(source.model, ImGuiKey_Escape);
    driver.frames(source.model, 3);
    EXPECT_EQ(driver.find("focus area")->value, "view");
}

TEST(Keyboard, EscapeClosesADialogAlsoWhereAFieldWentThatWasTypedInto) {
    InPanel at;
    at.driver.click(at.model, "Tile size value");
    const Model& other = scene("kuwahara").model;
    at.driver.tap(other, ImGuiKey_F1);
    at.driver.frames(other, 3);
    ASSERT_NE(at.driver.find("button:Close"), nullptr);
    at.driver.tap(other, ImGuiKey_Escape);
    at.driver.frames(other, 3);
    EXPECT_EQ(at.driver.find("button:Close"), nullptr);
}

TEST(Keyboard, SlidersLeaveTheViewsWhatTheyDoNotUse) {
    InPanel at;
    at.driver.click(at.model, "Tile size");
    at.driver.actions().clear();
    at.driver.tap(at.model, ImGuiKey_RightArrow);
    ASSERT_NE(at.driver.last<SetParam>(), nullptr) << "the slider has the keyboard";
    at.driver.tap(at.model, key_of('3'));
    at.driver.frame(at.model);
    EXPECT_EQ(at.view().mode, "wipe");
    at.driver.hold(ImGuiKey_B, true);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("view:wipe"), "original");
    at.driver.hold(ImGuiKey_B, false);
    at.driver.actions().clear();
    at.driver.tap(at.model, ImGuiKey_RightArrow);
    EXPECT_NE(at.driver.last<SetParam>(), nullptr) << "it keeps its own";
    at.driver.type("x");
    at.driver.frame(at.model);
    at.driver.tap(at.model, ImGuiKey_Space);
    EXPECT_NE(at.driver.find("Tile size value"), nullptr);
    at.driver.tap(at.model, key_of('1'));
    at.driver.frame(at.model);
    EXPECT_EQ(at.view().mode, "wipe") << "a value is being typed";
}

TEST(Keyboard, PageKeysMoveTheSliderAndNotThePages) {
    Model model = scene("default").model;
    ImageEntry& image = model.images.entries[static_cast<size_t>(model.images.current)];
    image.pages = 4;
    image.page = 1;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    driver.tap(model, ImGuiKey_PageDown);
    EXPECT_NE(driver.last<ShowPage>(), nullptr);
    driver.click(model, "Tile size");
    driver.actions().clear();
    driver.tap(model, ImGuiKey_PageDown);
    EXPECT_NE(driver.last<SetParam>(), nullptr);
    EXPECT_EQ(driver.last<ShowPage>(), nullptr);
}

TEST(Keyboard, ArrowsGoOnFromTheImageThatIsClicked) {
    const Model& model = scene("default").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "image:lighthouse.jpg"));
    EXPECT_NE(driver.last<SelectImage>(), nullptr);
    driver.tap(model, ImGuiKey_DownArrow);
    EXPECT_NE(driver.last<StepImage>(), nullptr);
}

TEST(Keyboard, KeysThatMoveTheFocusStayWithIt) {
    InPanel at;
    at.point_at("view:after");
    const View before = at.view();
    at.driver.tap(at.model, ImGuiKey_DownArrow);
    EXPECT_EQ(at.driver.last<StepImage>(), nullptr);
    at.driver.tap(at.model, ImGuiKey_Tab);
    EXPECT_NE(at.driver.find("Operator"), nullptr);
    at.driver.hold_alt(true);
    at.driver.tap(at.model, ImGuiKey_RightArrow);
    at.driver.hold_alt(false);
    EXPECT_EQ(at.view().center_x, before.center_x);
    for (const Command& command : commands())
        for (const Chord& chord : parse_chords(command.keys))
            if (command.id == "pause-flicker" || command.id == "keep-explained" || command.id == "back" ||
                command.id == "explain-up") {
                EXPECT_TRUE(operates_widgets(chord)) << command.id;
            }
    EXPECT_FALSE(operates_widgets(*parse_chord("B")));
    EXPECT_FALSE(operates_widgets(*parse_chord("+")));
}

TEST(Keyboard, TypingAndPopupsKeepTheirKeys) {
    {
        InPanel at;
        at.driver.double_click(at.model, "Tile size");
        at.point_at("view:after");
        at.driver.tap(at.model, key_of('3'));
        at.driver.frame(at.model);
        EXPECT_EQ(at.view().mode, "side-by-side") << "a value is being typed";
    }
    InPanel at;
    at.driver.click(at.model, "Operator");
    at.point_at("view:after");
    at.driver.tap(at.model, key_of('3'));
    at.driver.frame(at.model);
    EXPECT_EQ(at.view().mode, "side-by-side") << "a list is open";
}

TEST(Keyboard, AltGrTypesPunctuation) {
    InMode at('6');
    const std::string gain = at.value("difference:gain");
    const auto alt_gr = [&](bool down) {
        at.driver.hold(ImGuiKey_RightAlt, down);
        at.driver.hold_alt(down);
    };
    alt_gr(true);
    at.driver.type("]");
    at.driver.frames(at.model, 2);
    EXPECT_NE(at.value("difference:gain"), gain);
    at.driver.type("[");
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("difference:gain"), gain);
    at.driver.hold(ImGuiKey_Backslash, true);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("view:difference"), "original");
    at.driver.hold(ImGuiKey_Backslash, false);
    at.driver.hold(ImGuiKey_B, true);
    at.driver.frames(at.model, 2);
    EXPECT_NE(at.value("view:difference"), "original") << "of letters Alt makes other keys";
    at.driver.hold(ImGuiKey_B, false);
    alt_gr(false);
    at.driver.hold_alt(true);
    at.driver.hold(ImGuiKey_Backslash, true);
    at.driver.frames(at.model, 2);
    EXPECT_NE(at.value("view:difference"), "original") << "Alt is not AltGr";
}

TEST(Keyboard, AltAndArrowsPanByAnEighthOfThePane) {
    InMode at('1');
    const Widget pane = *at.driver.find("view:after");
    at.driver.hold_control(true);
    at.driver.tap(at.model, ImGuiKey_0);
    at.driver.hold_control(false);
    const double x = at.view().center_x;
    const double y = at.view().center_y;
    const auto tap = [&](ImGuiKey key) {
        at.driver.hold_alt(true);
        at.driver.tap(at.model, key);
        at.driver.hold_alt(false);
        at.driver.frame(at.model);
    };
    tap(ImGuiKey_RightArrow);
    EXPECT_NEAR(at.view().center_x, x + pane.width / 8.0, 0.01);
    EXPECT_EQ(at.view().center_y, y);
    tap(ImGuiKey_LeftArrow);
    EXPECT_NEAR(at.view().center_x, x, 0.01);
    tap(ImGuiKey_UpArrow);
    EXPECT_NEAR(at.view().center_y, y - pane.height / 8.0, 0.01);
    tap(ImGuiKey_DownArrow);
    EXPECT_NEAR(at.view().center_y, y, 0.01);
    EXPECT_EQ(at.driver.last<StepImage>(), nullptr);

    at.driver.hold_alt(true);
    at.driver.hold(ImGuiKey_LeftArrow, true);
    at.driver.frames(at.model, 60);
    EXPECT_LT(at.view().center_x, x - 2 * pane.width / 8.0) << "it goes on while held";
}

TEST(Keyboard, CommaAndPeriodMoveTheWipe) {
    InMode at('3');
    const Widget pane = *at.driver.find("view:wipe");
    const ImVec2 line = at.middle("wipe:line");
    const auto type = [&](std::string_view text) {
        at.driver.type(text);
        at.driver.frames(at.model, 2);
        return at.middle("wipe:line");
    };
    EXPECT_NEAR(type(",").x, line.x - 0.02F * pane.width, 0.5);
    EXPECT_NEAR(type(".").x, line.x, 0.5);
    EXPECT_NEAR(type(".").x, line.x + 0.02F * pane.width, 0.5);
    EXPECT_NEAR(at.middle("wipe:line").y, line.y, 0.5);
    for (int k = 0; k < 2; ++k) {  // to 180 degrees, which lie flat
        at.driver.tap(at.model, key_of('R'));
        at.driver.frame(at.model);
    }
    EXPECT_EQ(at.value("view:wipe"), "0");
    EXPECT_NEAR(type(",").y, line.y - 0.02F * pane.height, 0.5);
    for (int k = 0; k < 60; ++k) type(".");
    EXPECT_LE(at.middle("wipe:line").y, pane.y + pane.height) << "no further than the pane";
}

}  // namespace
}  // namespace tonescope::ui
