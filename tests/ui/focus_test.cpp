// The keyboard alone: which control has it, and what keys do there.
#include <gtest/gtest.h>

#include <set>

#include "tests/ui/view_mode_test.h"

namespace tonescope::ui {
namespace {

/// Only keys from here on.
struct ByKeys {
    explicit ByKeys(std::string_view name = "default", int width = 1280, int height = 800)
        : model(scene(name).model), driver(width, height, 1) {
        driver.frames(model, 3);
    }

    void tap(ImGuiKey key, int times = 1) {
        for (int k = 0; k < times; ++k) driver.tap(model, key);
        driver.frames(model, 2);
    }
    void shift_tap(ImGuiKey key) {
        driver.hold_shift(true);
        tap(key);
        driver.hold_shift(false);
    }
    std::string area() const {
        const Widget* mark = driver.find("focus area");
        return mark != nullptr ? mark->value : "";
    }
    /// The label of the control inside the ring; empty: none.
    std::string control() {
        const Widget* ring = driver.find("focus");
        if (ring == nullptr) return "";
        const bool in_browser = driver.find("Folder") != nullptr;
        for (const bool interactive : {true, false})
            for (const Widget& w : driver.interface().widgets())
                if (w.interactive == interactive && &w != ring && (w.panel == "browser") == in_browser &&
                    w.x >= ring->x - 1 && w.y >= ring->y - 1 && w.x + w.width <= ring->x + ring->width + 1 &&
                    w.y + w.height <= ring->y + ring->height + 1 && !w.label.ends_with(" value"))
                    return w.label;
        return "?";
    }
    /// With Tab, until the control has the keyboard.
    bool tab_to(const std::string& label) {
        for (int k = 0; k < 60; ++k) {
            if (control() == label) return true;
            tap(ImGuiKey_Tab);
        }
        return false;
    }

    Model model;
    Driver driver;
};

TEST(Focus, F6GoesRoundTheAreasAndMarksThem) {
    ByKeys at;
    EXPECT_EQ(at.area(), "view") << "from the start";
    EXPECT_EQ(at.control(), "");
    for (const char* area : {"left", "middle", "right", "status", "view", "left"}) {
        at.tap(ImGuiKey_F6);
        EXPECT_EQ(at.area(), area);
        EXPECT_EQ(at.control().empty(), at.area() == "view");
    }
    at.shift_tap(ImGuiKey_F6);
    EXPECT_EQ(at.area(), "view");
    at.tap(ImGuiKey_Tab);
    EXPECT_EQ(at.driver.find("Operator"), nullptr) << "Tab hides the panels while the view has the keyboard";
    at.tap(ImGuiKey_F6);
    EXPECT_EQ(at.area(), "middle") << "past what is hidden";
}

TEST(Focus, AnAreaKeepsItsControl) {
    ByKeys at;
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("Variant"));
    at.tap(ImGuiKey_F6, 5);
    EXPECT_EQ(at.area(), "left");
    EXPECT_EQ(at.control(), "Variant");
}

TEST(Focus, TabReachesEveryControlOfTheWindowInReadingOrder) {
    ByKeys at("gpu", 1280, 1400);
    at.tap(ImGuiKey_F6);
    std::set<std::string> reached;
    std::vector<std::string> order;
    for (int k = 0; k < 80; ++k) {
        const std::string control = at.control();
        EXPECT_NE(control, "") << "never invisible";
        if (!reached.insert(control).second) break;  // round
        order.push_back(control);
        at.tap(ImGuiKey_Tab);
        EXPECT_NE(at.driver.find("Operator"), nullptr) << "Tab moves in panels";
    }
    const auto place = [&](std::string_view label) {
        const auto found = std::find(order.begin(), order.end(), label);
        EXPECT_NE(found, order.end()) << label;
        return found - order.begin();
    };
    std::ptrdiff_t before = -1;
    for (const char* label : {"Operator", "Variant", "Memory", "Tile size", "Clip limit", "button:Open...",
                              "mode:stacked", "pin", "bar:palette", "histogram:R", "Kernels", "status:zoom"}) {
        EXPECT_GT(place(label), before) << label;
        before = place(label);
    }
    // Back to where it began, and the other way round.
    EXPECT_EQ(at.control(), order.front());
    at.shift_tap(ImGuiKey_Tab);
    EXPECT_EQ(at.control(), order.back());
}

TEST(Focus, StripsBetweenPanelsFollowTheKeys) {
    ByKeys at;
    const auto width = [&] { return at.driver.interface().settings().left_width; };
    const float usual = width();
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("splitter:left"));
    at.tap(ImGuiKey_RightArrow);
    EXPECT_EQ(width(), usual + 16);
    at.shift_tap(ImGuiKey_LeftArrow);
    EXPECT_EQ(width(), usual + 15);
    at.tap(ImGuiKey_Delete);
    EXPECT_EQ(width(), usual);
    EXPECT_EQ(at.control(), "splitter:left");
}

TEST(Focus, HistogramsAreReadAndZoomedByKeys) {
    ByKeys at;
    at.tap(ImGuiKey_F6, 3);
    ASSERT_TRUE(at.tab_to("histogram:before"));
    at.tap(ImGuiKey_Home);
    at.tap(ImGuiKey_RightArrow, 3);
    EXPECT_TRUE(at.driver.find("histogram:before")->value.starts_with("3: "))
        << at.driver.find("histogram:before")->value;
    at.shift_tap(ImGuiKey_RightArrow);
    EXPECT_TRUE(at.driver.find("histogram:before")->value.starts_with("19: "));
    EXPECT_EQ(at.driver.find("histogram:before:axis")->value, "");
    at.tap(ImGuiKey_PageUp, 2);
    EXPECT_EQ(at.driver.find("histogram:before:axis")->value, "0 to 63");
    at.tap(ImGuiKey_End);
    EXPECT_EQ(at.driver.find("histogram:before:axis")->value, "192 to 255") << "what is read stays in sight";
    at.tap(ImGuiKey_Delete);
    EXPECT_EQ(at.driver.find("histogram:before:axis")->value, "");
}

TEST(Focus, EndsOfTheWindowFollowTheKeys) {
    ByKeys at;
    at.tap(ImGuiKey_F6, 3);
    ASSERT_TRUE(at.tab_to("histogram:before:window-high"));
    at.tap(ImGuiKey_PageDown);
    const auto* set = at.driver.last<SetWindows>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->windows.before.range_in(255).high, 245 * SampleRange::kScale);
    EXPECT_EQ(set->windows.before.range_in(255).low, 0);
}

TEST(Focus, PanesOfASheetArePointedAtByKeys) {
    ByKeys at("several values of two parameters");
    settle_scene(at.driver, scene("several values of two parameters"));
    const auto pointed = [&] {
        for (int k = 1; k < 150; ++k)
            if (at.driver.find(format("pane %d:pointed at", k)) != nullptr) return k;
        return 0;
    };
    const auto ctrl_tap = [&](ImGuiKey key) {
        at.driver.tap_with_control(at.model, key);
        at.driver.frames(at.model, 2);
    };
    ctrl_tap(ImGuiKey_RightArrow);
    EXPECT_EQ(pointed(), 1);
    ctrl_tap(ImGuiKey_RightArrow);
    EXPECT_EQ(pointed(), 2);
    ctrl_tap(ImGuiKey_DownArrow);
    const int below = pointed();
    EXPECT_GT(below, 2);
    ctrl_tap(ImGuiKey_UpArrow);
    EXPECT_EQ(pointed(), 2);
    ctrl_tap(ImGuiKey_LeftArrow);
    ctrl_tap(ImGuiKey_LeftArrow);
    EXPECT_EQ(pointed(), 1) << "not beyond the row";
    at.driver.actions().clear();
    at.tap(key_of('U'));
    EXPECT_NE(at.driver.last<SetParam>(), nullptr);
}

TEST(Focus, SlidersFollowTheKeys) {
    ByKeys at;
    const ParamInfo& info = *find_param(at.model.run.op->params, "tile_size");
    const auto sets = [&](ImGuiKey key, bool shift = false) {
        at.driver.actions().clear();
        if (shift)
            at.shift_tap(key);
        else
            at.tap(key);
        const auto* set = at.driver.last<SetParam>();
        if (set == nullptr) return -1;
        EXPECT_EQ(set->info, &info);
        at.model.run.params.set(info, set->value);
        at.driver.frame(at.model);
        return set->value;
    };
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("Tile size"));
    EXPECT_EQ(sets(ImGuiKey_RightArrow), 65);
    EXPECT_EQ(sets(ImGuiKey_LeftArrow), 64);
    EXPECT_EQ(sets(ImGuiKey_PageUp), 74);
    EXPECT_EQ(sets(ImGuiKey_PageDown), 64);
    EXPECT_EQ(sets(ImGuiKey_End), info.max);
    EXPECT_EQ(sets(ImGuiKey_Home), info.min);
    EXPECT_EQ(sets(ImGuiKey_LeftArrow), -1) << "at its end";
    EXPECT_EQ(sets(ImGuiKey_RightArrow, true), info.min + 1);
    EXPECT_EQ(sets(ImGuiKey_Delete), info.default_value);
}

TEST(Focus, DecimalSlidersMoveByTenthsAndWithShiftByHundredths) {
    ByKeys at;
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("Clip limit"));
    at.tap(ImGuiKey_RightArrow);
    EXPECT_EQ(at.driver.last<SetParam>()->value, 310);
    at.shift_tap(ImGuiKey_RightArrow);
    EXPECT_EQ(at.driver.last<SetParam>()->value, 301);
    at.tap(ImGuiKey_PageUp);
    EXPECT_EQ(at.driver.last<SetParam>()->value, 400);
}

TEST(Focus, AHeldArrowIsOneGesture) {
    ByKeys at;
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("Clip limit"));
    at.driver.hold(ImGuiKey_RightArrow, true);
    at.driver.frames(at.model, 60);
    at.driver.hold(ImGuiKey_RightArrow, false);
    std::set<uint64_t> gestures;
    int count = 0;
    for (const Action& action : at.driver.actions())
        if (const auto* set = std::get_if<SetParam>(&action)) {
            gestures.insert(set->gesture);
            ++count;
        }
    EXPECT_GT(count, 5);
    EXPECT_EQ(gestures.size(), 1U);
    EXPECT_NE(*gestures.begin(), 0U);
}

TEST(Focus, HomeAndEndAreStepsOfTheirOwn) {
    ByKeys at;
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("Clip limit"));
    at.tap(ImGuiKey_RightArrow);
    const uint64_t arrow = at.driver.last<SetParam>()->gesture;
    at.tap(ImGuiKey_End);
    const uint64_t end = at.driver.last<SetParam>()->gesture;
    EXPECT_NE(end, arrow);
    at.tap(ImGuiKey_Home);
    EXPECT_NE(at.driver.last<SetParam>()->gesture, end);
}

TEST(Focus, RestsOnAPresetAndTheResultShowsIt) {
    ByKeys at("palette", 1280, 900);
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("use preset:Strong"));
    at.driver.frames(at.model, 14);
    ASSERT_NE(at.driver.last<PreviewPreset>(), nullptr);
    EXPECT_EQ(at.driver.last<PreviewPreset>()->name, "Strong");
    at.tap(ImGuiKey_DownArrow);
    at.driver.frames(at.model, 14);
    EXPECT_NE(at.driver.last<PreviewPreset>()->name, "Strong")
        << "the list is one stop of Tab, and arrows go through it";
    at.tap(ImGuiKey_Escape);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.driver.last<PreviewPreset>()->op, nullptr);
}

TEST(Focus, ReachesImagesThatAreOutOfSight) {
    ByKeys at;
    while (at.model.images.entries.size() < 30) {
        ImageEntry entry = at.model.images.entries.front();
        entry.name = "roll-" + std::to_string(at.model.images.entries.size()) + ".png";
        entry.path = "/home/ada/" + entry.name;
        at.model.images.entries.push_back(entry);
    }
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("image:" + at.model.images.entries[size_t(at.model.images.current)].name));
    at.tap(ImGuiKey_End);
    EXPECT_EQ(at.control(), "image:roll-29.png");
    at.driver.type("roll-12");
    at.driver.frames(at.model, 3);
    EXPECT_EQ(at.control(), "image:roll-12.png");
}

TEST(Focus, AControlElsewhereDoesNotScrollAPanel) {
    ByKeys at("default", 1280, 420);
    const auto top = [&] {
        const Widget* slider = at.driver.find("Clip limit");
        return slider != nullptr ? slider->y : -1.0F;
    };
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("Clip limit"));
    at.driver.frames(at.model, 3);
    at.driver.move_to("Clip limit");
    at.driver.wheel(-1);
    at.driver.frames(at.model, 4);
    const float before = top();
    ASSERT_GT(before, 0);
    at.tap(ImGuiKey_F6);
    ASSERT_EQ(at.area(), "middle");
    for (int k = 0; k < 3; ++k) at.tap(ImGuiKey_RightArrow);
    EXPECT_EQ(top(), before);
}

TEST(Focus, EnterTypesAValueAndTabGoesOnFromIt) {
    ByKeys at;
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("Clip limit"));
    at.tap(ImGuiKey_Enter);
    at.driver.type("7.5");
    at.driver.frames(at.model, 2);
    at.tap(ImGuiKey_Tab);
    ASSERT_NE(at.driver.last<SetParam>(), nullptr);
    EXPECT_EQ(at.driver.last<SetParam>()->value, 750);
    EXPECT_NE(at.control(), "Clip limit");
    EXPECT_EQ(at.area(), "left");
}

TEST(Focus, ListsOpenMoveAndChoose) {
    ByKeys at;
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("Operator"));
    at.tap(ImGuiKey_Enter);
    ASSERT_NE(at.driver.find("Operator:Kuwahara"), nullptr);
    EXPECT_EQ(at.control(), "Operator:CLAHE") << "begins where it is";
    at.tap(ImGuiKey_Home);
    at.tap(ImGuiKey_UpArrow);
    at.tap(ImGuiKey_Escape);
    EXPECT_EQ(at.driver.find("Operator:Kuwahara"), nullptr);
    EXPECT_EQ(at.control(), "Operator") << "the list's keyboard goes back to its field";
    EXPECT_EQ(at.area(), "left") << "one level";
    EXPECT_EQ(at.driver.last<SetOperator>(), nullptr);
    at.driver.type("kuw");  // opens the list at what begins so
    at.driver.frames(at.model, 3);
    EXPECT_EQ(at.control(), "Operator:Kuwahara");
    at.tap(ImGuiKey_UpArrow);
    EXPECT_NE(at.control(), "Operator:Kuwahara") << "what was typed holds until an arrow is pressed";
    at.tap(ImGuiKey_DownArrow);
    at.tap(ImGuiKey_Enter);
    ASSERT_NE(at.driver.last<SetOperator>(), nullptr);
    EXPECT_EQ(at.driver.last<SetOperator>()->op->id, "kuwahara");
    EXPECT_EQ(at.driver.last<ShowBenchmark>(), nullptr) << "K is not the view's here";
}

TEST(Focus, SegmentsAreOneStopOfTab) {
    ByKeys at;
    at.tap(ImGuiKey_F6);
    ASSERT_TRUE(at.tab_to("Value range:auto")) << "the one that is on";
    at.tap(ImGuiKey_RightArrow);
    const std::string other = at.control();
    EXPECT_EQ(other.find("Value range:"), 0U);
    EXPECT_NE(other, "Value range:auto");
    EXPECT_EQ(at.driver.last<SetParam>(), nullptr) << "arrows only go there";
    at.tap(ImGuiKey_Space);
    ASSERT_NE(at.driver.last<SetParam>(), nullptr);
    EXPECT_EQ(at.driver.last<SetParam>()->info->id, "range");
    at.tap(ImGuiKey_Tab);
    EXPECT_NE(at.control().find("Value range:"), 0U);
}

TEST(Focus, NoKeyReachesTheViewFromAPanel) {
    ByKeys at;
    at.tap(ImGuiKey_F6);
    at.driver.move_to("view:after");
    at.tap(ImGuiKey_DownArrow);
    at.tap(ImGuiKey_UpArrow);
    at.driver.type("f");
    at.tap(ImGuiKey_Tab);
    at.tap(key_of('3'));
    EXPECT_EQ(at.driver.last<StepImage>(), nullptr);
    EXPECT_NE(at.driver.find("Operator"), nullptr);
    EXPECT_NE(at.driver.interface().view().mode, "wipe");
    at.tap(ImGuiKey_Escape);
    EXPECT_EQ(at.area(), "view");
    at.tap(ImGuiKey_DownArrow);
    EXPECT_NE(at.driver.last<StepImage>(), nullptr);
}

TEST(Focus, TheMouseHidesTheRingAndTabGoesOnFromWhatItPressed) {
    ByKeys at;
    at.tap(ImGuiKey_F6);
    EXPECT_NE(at.control(), "");
    at.driver.click(at.model, "Value range:auto");
    EXPECT_EQ(at.control(), "");
    EXPECT_EQ(at.area(), "left");
    at.tap(ImGuiKey_RightArrow);
    EXPECT_EQ(at.control().find("Value range:"), 0U);
    at.driver.click(at.model, "mode:wipe");
    EXPECT_EQ(at.area(), "view") << "the bar's buttons leave the keyboard to the view";
}

TEST(Dialogs, TabGoesRoundAndEnterUsesTheDefault) {
    for (const bool other : {false, true}) {
        Model model = scene("default").model;
        model.saving.question.path = "/home/ada/hills.png";
        Driver driver(1280, 800, 1);
        driver.frames(model, 4);
        ASSERT_NE(driver.find("button:Replace"), nullptr);
        if (other) driver.tap(model, ImGuiKey_Tab);
        driver.tap(model, ImGuiKey_Enter);
        driver.frames(model, 2);
        EXPECT_EQ(driver.last<ReplaceFile>() != nullptr, !other);
        EXPECT_EQ(driver.last<CancelSave>() != nullptr, other) << "Tab has gone to Cancel";
    }
}

TEST(Dialogs, AQuestionAfterAQuestionBeginsAtItsDefault) {
    ByKeys at;
    at.model.saving.question = {"/home/ada/hills.png", "/home/ada/hills-1.png", true};
    at.driver.frames(at.model, 3);
    at.tap(ImGuiKey_Tab);
    EXPECT_EQ(at.control(), "button:Replace the original...");
    at.tap(ImGuiKey_Enter);
    ASSERT_NE(at.driver.find("button:Replace for good"), nullptr);
    EXPECT_EQ(at.control(), "button:Keep the original");
    at.tap(ImGuiKey_Enter);
    EXPECT_EQ(at.driver.last<ReplaceFile>(), nullptr);
}

TEST(Dialogs, EscapeClosesOneLevel) {
    ByKeys at;
    at.tap(ImGuiKey_F10);
    ASSERT_NE(at.driver.find("Theme"), nullptr);
    at.tap(ImGuiKey_Tab);
    EXPECT_EQ(at.control(), "Interface size");
    at.tap(ImGuiKey_Space);
    ASSERT_NE(at.driver.find("Interface size:100 %"), nullptr);
    at.tap(ImGuiKey_Escape);
    EXPECT_EQ(at.driver.find("Interface size:100 %"), nullptr);
    EXPECT_NE(at.driver.find("Theme"), nullptr) << "the dialog stays";
    at.tap(ImGuiKey_Escape);
    EXPECT_EQ(at.driver.find("Theme"), nullptr);
    EXPECT_EQ(at.area(), "view");
}

TEST(Dialogs, TheEnterThatOpensOneDoesNothingInIt) {
    ByKeys at;
    at.tap(ImGuiKey_F6, 2);
    ASSERT_EQ(at.area(), "middle");
    ASSERT_TRUE(at.tab_to("bar:palette"));
    at.tap(ImGuiKey_Enter);
    EXPECT_NE(at.driver.find("Command"), nullptr);
    at.tap(ImGuiKey_Escape);

    at.tap(ImGuiKey_F6, 4);
    ASSERT_EQ(at.area(), "left");
    ASSERT_TRUE(at.tab_to("button:Open..."));
    at.tap(ImGuiKey_Enter);
    ASSERT_TRUE(at.tab_to("entry:2025"));
    at.driver.type("img_4121");
    at.driver.frames(at.model, 2);
    at.tap(ImGuiKey_Enter);
    ASSERT_NE(at.driver.last<OpenPaths>(), nullptr);
    EXPECT_EQ(at.driver.last<OpenPaths>()->paths, std::vector<std::string>{"/home/ada/Pictures/IMG_4121.png"});
    at.driver.actions().clear();
    ASSERT_EQ(at.control(), "button:Open...");
    at.tap(ImGuiKey_Enter);
    EXPECT_EQ(at.driver.last<OpenPaths>(), nullptr);
    EXPECT_NE(at.driver.find("Filter"), nullptr);
}

TEST(Dialogs, EscapeEndsTheTypingOfAnOptionFirst) {
    ByKeys at;
    at.driver.tap_with_control(at.model, ImGuiKey_S);
    at.driver.frames(at.model, 3);
    ASSERT_TRUE(at.driver.click(at.model, "Compression value"));
    at.driver.frames(at.model, 2);
    at.driver.type("1");
    at.driver.frame(at.model);
    at.tap(ImGuiKey_Escape);
    EXPECT_NE(at.driver.find("File name"), nullptr) << "one level";
    EXPECT_TRUE(at.driver.interface().settings().save_options.empty());
    at.tap(ImGuiKey_Escape);
    EXPECT_EQ(at.driver.find("File name"), nullptr);
}

TEST(Dialogs, TheFileDialogByKeys) {
    ByKeys at;
    at.driver.tap_with_control(at.model, ImGuiKey_O);
    at.driver.frames(at.model, 3);
    at.driver.type("412");
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.driver.find("Filter")->value, "412") << "it has the keyboard";
    at.shift_tap(ImGuiKey_Tab);
    at.shift_tap(ImGuiKey_Tab);
    at.driver.type("x");
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.driver.find("Filter")->value, "412");
    EXPECT_NE(at.driver.find("Folder")->value.find('x'), std::string::npos);
    for (const char* control :
         {"Recent folders", "Filter", "sort:Name", "sort:Size", "sort:Modified", "entry:IMG_4121.png"}) {
        at.driver.tap(at.model, ImGuiKey_Tab);
        EXPECT_EQ(at.control(), control);
    }
    at.tap(ImGuiKey_DownArrow);
    at.tap(ImGuiKey_Tab);
    EXPECT_EQ(at.control(), "button:Cancel");
    at.tap(ImGuiKey_Tab);
    EXPECT_EQ(at.control(), "button:Open");
    at.tap(ImGuiKey_Enter);
    ASSERT_NE(at.driver.last<OpenPaths>(), nullptr);
}

}  // namespace
}  // namespace tonescope::ui
