// What is kept between runs survives damage.
#include "app/viewer/state_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "app/system/text_file.h"
#include "gpu/core/error.h"
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
    state.settings.source_shown = true;
    state.settings.source_share = 0.3F;
    state.settings.source_look = ui::SourceLook::side_by_side;
    state.settings.explains = true;
    state.settings.grid_panes = 3;
    state.settings.grid_image = true;
    state.settings.view_mode = "wipe";
    state.settings.histogram = {true, true, true, ui::HistogramArea::visible, true, {3, 250}, true};
    state.recent = {"/tmp/a.png", "/tmp/\xc3\xa4.jpg"};
    state.recent_pages = {{"/tmp/\xc3\xa4.jpg", 3}};
    const OperatorInfo* op = find_operator("kuwahara");
    Choice& choice = state.choice.emplace();
    choice.op = op;
    choice.variant = preferred_variant("kuwahara", BackendKind::cpu);
    choice.params = default_values(op->params);
    choice.params.set(*find_param(op->params, "radius"), 11);
    choice.variant_params = default_values(choice.variant->params);
    choice.windows = {{SampleRange{-500, 12345}, false}, {std::nullopt, true}, false};
    return state;
}

TEST(SavedState, ReadsBack) {
    const TemporaryFolder folder;
    const std::string path = folder.file("new/folder/state.json");
    write_json_file(path, state_json(some_state()));
    const StateOnDisk found = read_saved_state(path);
    EXPECT_EQ(found.state, some_state());
    EXPECT_EQ(found.problem, "");
    EXPECT_TRUE(found.may_write);
}

TEST(SavedState, AMissingOrEmptyFileIsNoProblem) {
    const TemporaryFolder folder;
    for (const std::string& path : {folder.file("state.json"), std::string(), folder.write("empty", "")}) {
        const StateOnDisk found = read_saved_state(path);
        EXPECT_FALSE(found.state.has_value());
        EXPECT_EQ(found.problem, "");
        EXPECT_TRUE(found.may_write);
    }
}

TEST(SavedState, DamagedFilesAreSetAside) {
    const TemporaryFolder folder;
    const std::string path = folder.file("state.json");
    std::vector<std::string> asides;
    for (const char* text : {"{", R"({"versi)",
                             R"({"version": 1})"
                             "x",
                             R"({"version": "1"})", R"({"version": 0})", R"({"version": 1, "settings": 3})",
                             R"({"version": 1, "recent": {"a": 1}})", R"({"version": 1, "recent_pages": {"a": "b"}})",
                             R"({"version": 1, "window": {"x": 1}})", R"({"settings": {}, "version": null})"}) {
        folder.write("state.json", text);
        const StateOnDisk found = read_saved_state(path);
        EXPECT_FALSE(found.state.has_value()) << text;
        EXPECT_TRUE(found.may_write) << text;
        EXPECT_FALSE(std::filesystem::exists(path)) << text;
        asides.push_back(path + ".damaged" + (asides.empty() ? "" : "-" + std::to_string(asides.size() + 1)));
        EXPECT_TRUE(found.problem.ends_with(asides.back())) << text << " gives " << found.problem;
        EXPECT_EQ(found.problem.find('\n'), std::string::npos) << found.problem;
        EXPECT_EQ(TemporaryFolder::read(asides.back()), text) << "and those before stay";
    }
}

/// It stays what and where it is, also when the window has something to keep.
void expect_left_alone(const std::string& path) {
    struct stat before {};
    struct stat after {};
    ASSERT_EQ(lstat(path.c_str(), &before), 0);
    const StateOnDisk found = read_saved_state(path);
    EXPECT_FALSE(found.state.has_value()) << path;
    EXPECT_FALSE(found.may_write) << path;
    EXPECT_NE(found.problem.find(path), std::string::npos) << found.problem;
    EXPECT_EQ(found.problem.find('\n'), std::string::npos) << found.problem;
    {
        StateWriter writer(path, {}, [] {});
        writer.put(some_state());
    }
    ASSERT_EQ(lstat(path.c_str(), &after), 0) << path;
    EXPECT_EQ(before.st_ino, after.st_ino) << path;
    EXPECT_EQ(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec) << path;
    EXPECT_FALSE(std::filesystem::exists(path + ".damaged")) << path;
}

TEST(SavedState, WhatIsNotOfThisProgramIsLeftAlone) {
    const TemporaryFolder folder;
    for (const char* text : {"null", "[]", "{}", "\xff\xfe{}", "my notes", R"({"name": "of another program"})"}) {
        SCOPED_TRACE(text);
        expect_left_alone(folder.write("notes", text));
    }
    std::filesystem::create_directory(folder.file("folder"));
    expect_left_alone(folder.file("folder"));
    ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
    expect_left_alone(folder.file("pipe"));
    std::filesystem::create_symlink("/dev/null", folder.file("device"));
    expect_left_alone(folder.file("device"));
    std::filesystem::create_symlink("folder", folder.file("link"));
    expect_left_alone(folder.file("link"));
}

TEST(SavedState, ANewerVersionIsLeftAlone) {
    const TemporaryFolder folder;
    for (const char* text : {R"({"version": 2})", R"({"version": 2, "settings": 3})", R"({"version": 1e300})"})
        expect_left_alone(folder.write("state.json", text));
}

TEST(SavedState, WhatCannotBeReadForAMomentIsLeftAlone) {
    const TemporaryFolder folder;
    const std::string path = folder.file("state.json");
    write_json_file(path, state_json(some_state()));
    // The sanitizer looks at an object of an unknown type through a pipe: it is to know this error before.
    EXPECT_THROW(read_text_file(folder.file("missing")), UserError);
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const rlimit none{0, limit.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    const StateOnDisk found = read_saved_state(path);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    EXPECT_FALSE(found.may_write);
    EXPECT_NE(found.problem.find("too many open files"), std::string::npos) << found.problem;
    EXPECT_EQ(read_saved_state(path).state, some_state());
    if (geteuid() == 0) return;  // root reads everything
    ASSERT_EQ(chmod(path.c_str(), 0), 0);
    expect_left_alone(path);
}

TEST(SavedState, ADamagedFileBehindALinkIsSetAsideWhereItStands) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("far"));
    folder.write("far/real.json", R"({"version": 1, "settings": 3})");
    std::filesystem::create_symlink("far/real.json", folder.file("state.json"));
    EXPECT_TRUE(read_saved_state(folder.file("state.json")).may_write);
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("state.json")));
    EXPECT_TRUE(std::filesystem::exists(folder.file("far/real.json.damaged")));
}

TEST(SavedState, NumbersThatNoTypeHoldsBecomeTheNearestAllowed) {
    Json json = state_json(some_state());
    for (const char* key : {"scale", "left_width", "grid_panes"}) json["settings"][key] = 1e300;
    json["settings"]["grid_rows"] = -1e300;
    json["settings"]["histogram"]["clip_low"] = 18446744073709551615U;
    json["settings"]["save_options"] = {{"quality", 1e300}};
    json["window"] = {{"x", 1e300}, {"y", -1e300}, {"width", int64_t{1} << 40}, {"height", 500.5}};
    const SavedState state = state_from_json(json);
    EXPECT_EQ(state.settings.scale, ui::kMaxScale);
    EXPECT_EQ(state.settings.left_width, ui::kPanelMax);
    EXPECT_EQ(state.settings.grid_panes, ui::kMaxPanes);
    EXPECT_EQ(state.settings.grid_rows, 2);
    EXPECT_EQ(state.settings.histogram.clip.low, 127);
    EXPECT_EQ(state.settings.save_options.at("quality"), std::numeric_limits<int32_t>::max());
    EXPECT_EQ(state.window, (Rect{32768, -32768, 32768, 500}));
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
        const StateOnDisk found = read_saved_state(path);
        EXPECT_EQ(std::filesystem::exists(path), found.problem.empty() || !found.may_write);
        EXPECT_TRUE(found.problem.empty() || !found.state);
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
        StateWriter writer(path, {}, [] {});
        SavedState state = some_state();
        for (int k = 0; k < 50; ++k) {
            state.window->x = k;
            writer.put(state);
        }
    }
    EXPECT_EQ(read_saved_state(path).state->window->x, 49);
}

TEST(StateWriter, SaysOnceWhyItCannotWrite) {
    const TemporaryFolder folder;
    folder.write("file", "");
    StateWriter writer(folder.file("file/state.json"), {}, [] {});
    writer.put(some_state());
    std::string problem;
    for (int k = 0; k < 600 && problem.empty(); ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        problem = writer.take_problem();
    }
    EXPECT_NE(problem.find("file/state.json"), std::string::npos);
    EXPECT_EQ(writer.take_problem(), "");
}

/// Two windows that have read the same file, one of which writes before the other.
TEST(StateWriter, TwoWindowsLoseNothingOfEachOther) {
    const TemporaryFolder folder;
    const std::string path = folder.file("state.json");
    SavedState both = some_state();
    both.recent = {"/a", "/b", "/c"};
    both.recent_folders = {"/x"};
    write_json_file(path, state_json(both));
    SavedState first = both, second = both;
    first.recent = {"/new", "/a", "/b", "/c"};
    first.recent_folders = {"/y", "/x"};
    first.settings.theme = ui::ThemeKind::dark;
    first.settings.histogram.fine = false;
    first.choice->params.set(*find_param(first.choice->op->params, "radius"), 7);
    second.recent = {"/c", "/newer", "/a", "/b"};
    second.settings.scale = 1.25F;
    second.settings.histogram.logarithmic = false;
    for (const SavedState* state : {&first, &second}) StateWriter(path, both, [] {}).put(*state);

    SavedState expected = first;
    expected.recent = {"/c", "/newer", "/new", "/a", "/b"};
    expected.settings.scale = 1.25F;
    expected.settings.histogram.logarithmic = false;
    EXPECT_EQ(read_saved_state(path).state, expected);

    // "Forget" forgets what that window knew.
    SavedState forgotten = first;
    forgotten.recent.clear();
    StateWriter(path, first, [] {}).put(forgotten);
    EXPECT_EQ(read_saved_state(path).state->recent, (std::vector<std::string>{"/newer"}));
}

TEST(StateWriter, ManyWindowsAtOnce) {
    const TemporaryFolder folder;
    const std::string path = folder.file("state.json");
    {
        std::vector<std::jthread> windows;
        for (int k = 0; k < 8; ++k)
            windows.emplace_back([&, k] {
                SavedState state;
                state.recent = {"/" + std::to_string(k)};
                StateWriter(path, {}, [] {}).put(state);
            });
    }
    EXPECT_EQ(read_saved_state(path).state->recent.size(), 8U);
}

}  // namespace
}  // namespace tonescope
