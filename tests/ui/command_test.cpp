// The table of commands, keys, matching, and what is made from them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/ui/scenes/scene_test.h"
#include "ui/commands/commands.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

TEST(Keys, AreRead) {
    const auto chord = parse_chord("Ctrl+Shift+Z");
    ASSERT_TRUE(chord);
    EXPECT_TRUE(chord->ctrl && chord->shift && !chord->alt);
    EXPECT_EQ(chord->key, ImGuiKey_Z);
    EXPECT_EQ(parse_chord("F11")->key, ImGuiKey_F11);
    EXPECT_EQ(parse_chord("\\")->key, ImGuiKey_Backslash);
    EXPECT_EQ(parse_chord("+")->character, '+');
    EXPECT_EQ(parse_chords("Ctrl+R, F5").size(), 2U);
    EXPECT_FALSE(parse_chord("Ctrl+Nonsense"));
    EXPECT_FALSE(parse_chord(""));
    EXPECT_TRUE(works_while_typing(*parse_chord("Ctrl+O")));
    EXPECT_TRUE(works_while_typing(*parse_chord("F5")));
    EXPECT_FALSE(works_while_typing(*parse_chord("Ctrl+Z")));
    EXPECT_FALSE(works_while_typing(*parse_chord("B")));
}

TEST(Commands, AreCompleteAndNothingIsThereTwice) {
    std::set<std::string_view> ids, titles, groups;
    std::map<std::string, std::string_view> keys;
    std::string_view group;
    for (const Command& command : commands()) {
        EXPECT_TRUE(ids.insert(command.id).second) << command.id;
        EXPECT_TRUE(titles.insert(command.title).second) << command.title;
        EXPECT_NE(command.run, nullptr) << command.id;
        const bool is_new = command.group == group || groups.insert(command.group).second;
        EXPECT_TRUE(is_new) << command.id << ": groups stay together";
        group = command.group;
        const auto chords = parse_chords(command.keys);
        size_t alternatives = command.keys.empty() ? 0 : 1;
        for (size_t at = 0; (at = command.keys.find(", ", at)) != command.keys.npos; ++at) ++alternatives;
        EXPECT_EQ(chords.size(), alternatives) << command.keys;
        for (const Chord& chord : chords) {
            const std::string text = std::to_string(int(chord.key)) + "/" + std::to_string(chord.character) +
                                     (chord.ctrl ? "C" : "") + (chord.shift ? "S" : "") + (chord.alt ? "A" : "");
            EXPECT_TRUE(keys.emplace(text, command.id).second) << command.id << " and " << keys[text];
            EXPECT_TRUE(command.reach != Reach::views || !chord.ctrl) << command.id;
        }
    }
    EXPECT_GT(ids.size(), 30U);
}

TEST(Fuzzy, PrefersBeginningsAndRuns) {
    EXPECT_LT(fuzzy_score("xyz", "Open images"), 0);
    EXPECT_LT(fuzzy_score("imo", "Open images"), 0);
    EXPECT_EQ(fuzzy_score("", "Open images"), 0);
    EXPECT_GE(fuzzy_score("OI", "open images"), 0);
    EXPECT_GE(fuzzy_score("op im", "Open images"), 0);
    EXPECT_GT(fuzzy_score("oi", "Open images"), fuzzy_score("oi", "Zoom in"));
    EXPECT_GT(fuzzy_score("fit", "Fit the image"), fuzzy_score("fit", "Find it"));
    EXPECT_GT(fuzzy_score("presets", "Presets..."), fuzzy_score("presets", "Preset: Strong"));
    EXPECT_LT(fuzzy_score("aa", "a"), 0);
    EXPECT_LT(fuzzy_score("a", ""), 0);
}

TEST(Palette, TypingEnterRuns) {
    const Model& model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.open_palette(model);
    ASSERT_NE(driver.find("Command"), nullptr);
    driver.type("op kuw");
    driver.frames(model, 2);
    driver.tap(model, ImGuiKey_Enter);
    ASSERT_NE(driver.last<SetOperator>(), nullptr);
    EXPECT_EQ(driver.last<SetOperator>()->op->id, "kuwahara");
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("Command"), nullptr);
}

TEST(Palette, ClickRunsAndWhatIsNotAvailableDoesNot) {
    Model model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.open_palette(model, "undo");
    EXPECT_FALSE(driver.find("command:Undo")->enabled);
    driver.click(model, "command:Undo");
    EXPECT_EQ(driver.last<Undo>(), nullptr);
    EXPECT_NE(driver.find("Command"), nullptr);
    model.run.can_undo = true;
    driver.click(model, "command:Undo");
    EXPECT_NE(driver.last<Undo>(), nullptr);
}

TEST(Palette, EscapeClosesAndKeysWorkAgain) {
    const Model& model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.open_palette(model);
    driver.tap(model, ImGuiKey_DownArrow);
    EXPECT_EQ(driver.last<StepImage>(), nullptr);
    driver.tap(model, ImGuiKey_Escape);
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("Command"), nullptr);
    driver.tap(model, ImGuiKey_DownArrow);
    EXPECT_NE(driver.last<StepImage>(), nullptr);
}

TEST(Undo, KeysAndReset) {
    Model model = scene("default").model;
    model.run.can_undo = model.run.can_redo = true;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    driver.hold_control(true);
    driver.tap(model, ImGuiKey_Z);
    EXPECT_NE(driver.last<Undo>(), nullptr);
    EXPECT_EQ(driver.last<Redo>(), nullptr);
    driver.hold_shift(true);
    driver.tap(model, ImGuiKey_Z);
    EXPECT_NE(driver.last<Redo>(), nullptr);
    driver.hold_shift(false);
    driver.hold_control(false);
    EXPECT_FALSE(driver.find("button:Reset")->enabled);
    model.run.params.set(*find_param(model.run.op->params, "tile_size"), 100);
    driver.frames(model, 2);
    driver.click(model, "button:Reset");
    EXPECT_NE(driver.last<ResetParams>(), nullptr);
}

TEST(Undo, ADragIsOneGestureAndTypingStandsAlone) {
    const Model& model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    std::set<uint64_t> gestures;
    for (int drag = 0; drag < 2; ++drag) {
        driver.actions().clear();
        driver.move_to("Clip limit", 0.5F);
        driver.frame(model);
        driver.press(0, true);
        driver.frames(model, 2);
        for (const float at : {0.6F, 0.7F, 0.8F}) {
            driver.move_to("Clip limit", at);
            driver.frame(model);
        }
        driver.press(0, false);
        driver.frames(model, 40);
        int changes = 0;
        std::set<uint64_t> own;
        for (const Action& action : driver.actions())
            if (const auto* set = std::get_if<SetParam>(&action)) {
                own.insert(set->gesture);
                ++changes;
            }
        EXPECT_GE(changes, 3);
        ASSERT_EQ(own.size(), 1U);
        EXPECT_NE(*own.begin(), 0U);
        gestures.merge(own);
    }
    EXPECT_EQ(gestures.size(), 2U);
    driver.actions().clear();
    driver.click(model, "Clip limit", 1);
    driver.click(model, "Value range:used");
    EXPECT_EQ(driver.last<SetParam>()->gesture, 0U);
}

TEST(Settings, AreGivenAndTaken) {
    const Model& model = scene("default").model;
    Driver driver(1280, 800, 1);
    Settings settings;
    settings.theme = ThemeKind::light;
    settings.left_width = 260;
    settings.scale = 1.5F;
    settings.view_mode = "single";
    driver.interface().set_settings(settings);
    driver.frames(model, 3);
    EXPECT_EQ(driver.interface().settings(), settings);
    EXPECT_EQ(driver.interface().scale(2, 1280, 800), 1.5F);
    EXPECT_FLOAT_EQ(driver.find("splitter:left")->x, 260);
    EXPECT_EQ(driver.interface().view().mode, "single");
    settings.scale = 0;
    driver.interface().set_settings(settings);
    EXPECT_EQ(driver.interface().scale(2, 1280, 800), 2);
}

TEST(Settings, ScenesOfTheLightThemeHaveItWhereverTheyBegin) {
    for (const char* name : {"light", "light palette", "light start"})
        for (const ThemeKind theme : {ThemeKind::dark, ThemeKind::light}) {
            Driver driver(1280, 720, 1);
            Settings settings;
            settings.theme = theme;
            driver.interface().set_settings(settings);
            settle_scene(driver, scene(name));
            EXPECT_EQ(driver.interface().settings().theme, ThemeKind::light) << name;
        }
}

TEST(Presets, LoadSaveAndDeleteOnTheSecondClick) {
    Model model = scene("presets").model;
    Driver driver(1280, 800, 1);
    settle_scene(driver, scene("presets"));
    driver.type("new");
    driver.frames(model, 2);
    driver.click(model, "button:Save");
    ASSERT_NE(driver.last<SavePreset>(), nullptr);
    EXPECT_EQ(driver.last<SavePreset>()->name, "new");
    driver.click(model, "button:Delete");
    EXPECT_EQ(driver.last<DeletePreset>(), nullptr);
    driver.click(model, "button:Delete it");
    ASSERT_NE(driver.last<DeletePreset>(), nullptr);
    EXPECT_EQ(driver.last<DeletePreset>()->name, "Strong");
    driver.click(model, "preset:X-ray");
    ASSERT_NE(driver.last<SetPreset>(), nullptr);
    EXPECT_EQ(driver.last<SetPreset>()->params, model.presets.entries[2].params);
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("Preset name"), nullptr);
}

TEST(Presets, ANewNameTakesThePlaceOfTheLastOne) {
    const Model& model = scene("presets").model;
    Driver driver(1280, 800, 1);
    settle_scene(driver, scene("presets"));
    driver.type("first");
    driver.frames(model, 2);
    driver.tap(model, ImGuiKey_Enter);
    driver.frames(model, 2);
    driver.tap(model, ImGuiKey_Escape);
    driver.frames(model, 2);
    driver.tap_with_control(model, ImGuiKey_P);
    driver.type("second");
    driver.frames(model, 2);
    ASSERT_NE(driver.find("Preset name"), nullptr);
    EXPECT_EQ(driver.find("Preset name")->value, "second");
}

TEST(StartPage, OpensSamplesAndRecentFilesButNotMissingOnes) {
    const Model& model = scene("start with recent files").model;
    Driver driver(1920, 1080, 1);
    driver.frames(model, 3);
    EXPECT_NE(driver.last<WantStartPage>(), nullptr);
    driver.click(model, "recent:IMG_4114.jpg");
    EXPECT_EQ(driver.last<OpenPaths>(), nullptr) << "missing";
    driver.click(model, "recent:IMG_4107.jpg");
    ASSERT_NE(driver.last<OpenPaths>(), nullptr);
    EXPECT_EQ(driver.last<OpenPaths>()->paths[0], "/home/ada/Pictures/2026/IMG_4107.jpg");
    driver.click(model, "sample:planet.png");
    EXPECT_EQ(driver.last<OpenPaths>()->paths[0], "/usr/share/tonescope/assets/planet.png");
}

TEST(StartPage, ShowsAllSamplesWhereNothingIsRecent) {
    for (const auto& [name, all] : {std::pair{"start", true}, {"start with recent files", false}}) {
        Driver driver(1280, 720, 1);
        driver.frames(scene(name).model, 3);
        EXPECT_EQ(driver.find("sample:radiograph.png") != nullptr, all);
    }
}

}  // namespace
}  // namespace tonescope::ui
