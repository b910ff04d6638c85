// What is kept between runs survives damage.
#include "app/viewer/saved_state.h"

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "app/system/text_file.h"
#include "tests/app/temporary_folder.h"

namespace tonescope {
namespace {

SavedState some_state() {
    SavedState state;
    state.window = {10, -20, 1500, 900};
    state.settings.theme = ui::ThemeKind::light;
    state.settings.scale = 1.5F;
    state.settings.left_width = 250;
    state.settings.right_width = 400;
    state.settings.panels_shown = false;
    state.settings.frame_shown = true;
    state.settings.variant_shown = true;
    state.settings.explains = true;
    state.settings.grid_panes = 3;
    state.settings.grid_image = true;
    state.settings.view_mode = "wipe";
    state.settings.histogram = {true, true, true, ui::HistogramArea::visible, true, {3, 250}, true};
    state.recent = {"/tmp/a.png", "/tmp/\xc3\xa4.jpg"};
    const OperatorInfo* op = find_operator("kuwahara");
    Choice& choice = state.choice.emplace();
    choice.op = op;
    choice.variant = preferred_variant("kuwahara", BackendKind::cpu);
    choice.params = default_values(op->params);
    choice.params.set(*find_param(op->params, "radius"), 11);
    choice.variant_params = default_values(choice.variant->params);
    return state;
}

TEST(SavedState, ReadsBack) {
    const TemporaryFolder folder;
    const std::string path = folder.file("new/folder/state.json");
    write_json_file(path, state_json(some_state()));
    std::string problem;
    EXPECT_EQ(read_saved_state(path, problem), some_state());
    EXPECT_EQ(problem, "");
}

TEST(SavedState, AMissingFileIsNoProblem) {
    const TemporaryFolder folder;
    std::string problem;
    EXPECT_EQ(read_saved_state(folder.file("state.json"), problem), SavedState());
    EXPECT_EQ(read_saved_state("", problem), SavedState());
    EXPECT_EQ(problem, "");
}

TEST(SavedState, DamagedAndNewerFilesAreSetAside) {
    for (const char* text :
         {"", "{", "null", "[]", "{}", R"({"version": 2})", R"({"version": "1"})", R"({"version": 1, "settings": 3})",
          R"({"version": 1, "recent": {"a": 1}})", R"({"version": 1, "window": {"x": 1}})", "\xff\xfe{}"}) {
        const TemporaryFolder folder;
        const std::string path = folder.write("state.json", text);
        std::string problem;
        EXPECT_EQ(read_saved_state(path, problem), SavedState()) << text;
        EXPECT_NE(problem.find(path + ".damaged"), std::string::npos) << text << " gives " << problem;
        EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
        EXPECT_FALSE(std::filesystem::exists(path));
        EXPECT_EQ(TemporaryFolder::read(path + ".damaged"), text);
    }
}

TEST(SavedState, ValuesOutOfRangeAndUnknownNames) {
    Json json = state_json(some_state());
    json["settings"]["scale"] = 50;
    json["settings"]["left_width"] = -3;
    json["settings"]["theme"] = "plaid";
    json["settings"]["view_mode"] = "hologram";
    json["settings"]["histogram"] = {{"area", "elsewhere"}, {"fine", true}, {"clip_low", -4}, {"clip_high", 90}};
    json["window"]["width"] = 1'000'000;
    json["choice"]["parameters"]["radius"] = 1000;
    const SavedState state = state_from_json(json);
    EXPECT_EQ(state.settings.scale, ui::kMaxScale);
    EXPECT_EQ(state.settings.left_width, ui::kPanelMin);
    EXPECT_EQ(state.settings.theme, ui::ThemeKind::dark);
    EXPECT_EQ(state.settings.view_mode, "");
    EXPECT_EQ(state.settings.histogram, (ui::HistogramAppearance{.fine = true, .clip = {0, 128}}));
    EXPECT_EQ(state.window->width, 32768);
    EXPECT_FALSE(state.choice.has_value());
    json["choice"] = {{"operator", "clahe"}, {"variant", "a variant of tomorrow"}};
    ASSERT_TRUE(state_from_json(json).choice.has_value());
    EXPECT_EQ(state_from_json(json).choice->variant, nullptr);
}

/// Any damage gives a state or a problem, never a crash.
TEST(SavedState, RandomDamage) {
    const std::string whole = to_text(state_json(some_state()));
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const TemporaryFolder folder;
    for (int k = 0; k < 400; ++k) {
        std::string text = whole;
        for (int n = 0; n < 1 + k % 4; ++n) text[random() % text.size()] = char(random() % 256);
        if (k % 5 == 0) text.resize(random() % text.size());
        const std::string path = folder.write("state.json", text);
        std::string problem;
        const SavedState state = read_saved_state(path, problem);
        EXPECT_EQ(std::filesystem::exists(path), problem.empty());
        EXPECT_TRUE(problem.empty() || state == SavedState());
    }
}

TEST(SavedState, PathFollowsTheEnvironment) {
    const Environment state("XDG_STATE_HOME", "/somewhere");
    EXPECT_EQ(saved_state_path(false), "/somewhere/tonescope/state.json");
    EXPECT_EQ(saved_state_path(true), "");
    {
        const Environment relative("XDG_STATE_HOME", "relative");
        const Environment home("HOME", "/home/ada");
        EXPECT_EQ(saved_state_path(false), "/home/ada/.local/state/tonescope/state.json");
    }
    const Environment named("TONESCOPE_STATE", "/x/y.json");
    EXPECT_EQ(saved_state_path(true), "/x/y.json");
    const Environment none("TONESCOPE_STATE", "none");
    EXPECT_EQ(saved_state_path(false), "");
}

TEST(StateWriter, WritesTheNewestAtTheEnd) {
    const TemporaryFolder folder;
    const std::string path = folder.file("state.json");
    {
        StateWriter writer(path, [] {});
        SavedState state = some_state();
        for (int k = 0; k < 50; ++k) {
            state.window->x = k;
            writer.put(state);
        }
    }
    std::string problem;
    EXPECT_EQ(read_saved_state(path, problem).window->x, 49);
}

TEST(StateWriter, SaysOnceWhyItCannotWrite) {
    const TemporaryFolder folder;
    folder.write("file", "");
    StateWriter writer(folder.file("file/state.json"), [] {});
    writer.put(some_state());
    std::string problem;
    for (int k = 0; k < 600 && problem.empty(); ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        problem = writer.take_problem();
    }
    EXPECT_NE(problem.find("file/state.json"), std::string::npos);
    EXPECT_EQ(writer.take_problem(), "");
}

}  // namespace
}  // namespace tonescope
