// Sessions: everything comes back, paths follow the folder, and what is no session is left alone.
#include "app/viewer/session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "app/batch/mask.h"
#include "app/options/preset.h"
#include "gpu/core/error.h"
#include "tests/app/temporary_folder.h"

namespace tonescope {
namespace {
namespace fs = std::filesystem;

/// Every field differs from its default. The images are "photos/a.tiff" and "b.png" in the folder and one elsewhere.
Session some_session(const std::string& folder) {
    Session session;
    session.images = {{{folder + "/photos/a.tiff", 2}, Reference{folder + "/b.png", true}},
                      {{folder + "/b.png"}, Reference{"/proc/version"}},
                      {{"/proc/version"}, {}, ResultPart{.region = {1, 2, 3, 4}, .feather_px = 1}}};
    session.current = 1;
    Choice& choice = session.choice.emplace();
    choice.op = find_operator("clahe");
    choice.variant = preferred_variant("clahe", BackendKind::cpu);
    choice.params = default_values(choice.op->params);
    for (const ParamInfo& info : choice.op->params)
        choice.params.set(info, info.default_value == info.min ? info.max : info.min);
    choice.variant_params = default_values(choice.variant->params);
    choice.memory = MemoryMode::mapped;
    choice.windows = {{SampleRange{-500, 12345}, true}, {SampleRange{100, 6553500}, false}, false};
    session.backend = BackendKind::cpu;
    session.part = {.region = {5, 6, 70, 80}, .feather_px = 9};
    session.view = {false, 2.5, 100.25, 60, {10, 20, 30, 40}, true, Pixel{5, 6}, {}};
    session.view.modes["wipe"] = {{"x", 0.25}, {"swapped", true}};
    session.view.modes["grid"] = {{"columns", "clip_limit=1.00,2.00"}};
    ui::Layout& layout = session.layout;
    layout.left_width = 250;
    layout.right_width = 400;
    for (bool ui::Layout::*shown :
         {&ui::Layout::panels_shown, &ui::Layout::clipping_shown, &ui::Layout::figures_shown, &ui::Layout::window_shown,
          &ui::Layout::part_shown, &ui::Layout::kernels_shown, &ui::Layout::explains, &ui::Layout::frame_shown,
          &ui::Layout::variant_shown, &ui::Layout::presets_shown, &ui::Layout::source_shown,
          &ui::Layout::suggestions_shown, &ui::Layout::flat_suggestions})
        layout.*shown = !(layout.*shown);
    layout.source_share = 0.25F;
    layout.source_look = ui::SourceLook::side_by_side;
    layout.view_mode = "wipe";
    layout.histogram = {true, true, true, ui::HistogramArea::visible, true, {3, 250}, true};
    layout.grid_panes = 3;
    layout.grid_rows = 5;
    layout.grid_image = true;
    layout.grid_figure = "entropy";
    layout.grid_map = false;
    return session;
}

/// A folder with the images, and a session of them in `name`.
class SessionTest : public testing::Test {
  protected:
    SessionTest() {
        fs::create_directories(folder_.file("work/photos"));
        for (const char* name : {"work/photos/a.tiff", "work/b.png"}) folder_.write(name, "");
    }
    std::string save(const Session& session, const std::string& name = "work/all.tonescope") {
        write_json_file(folder_.file(name), session_json(session, folder_.file(name)));
        return folder_.file(name);
    }
    static std::string error_of(const std::string& path) {
        try {
            read_session(path);
            return "";
        } catch (const UserError& error) {
            return error.what();
        }
    }

    TemporaryFolder folder_;
    Session session_ = some_session(folder_.file("work"));
};

TEST_F(SessionTest, EverythingComesBack) {
    EXPECT_EQ(read_session(save(session_)), session_);
    EXPECT_EQ(read_session(save(Session{})), Session{}) << "and nothing is made up";
}

TEST_F(SessionTest, AModeOfTheViewWithoutOptionsIsNoMode) {
    const std::string path = folder_.file("work/all.tonescope");
    Json json = session_json(session_, path);
    json["view"]["modes"]["wipe"] = {{"x", Json::array()}};
    const Session read = session_from_json(json, path);
    EXPECT_FALSE(read.view.modes.contains("wipe"));
    EXPECT_EQ(session_from_json(session_json(read, path), path), read) << "what is written is read back";
}

TEST_F(SessionTest, PathsAreRelativeWhereTheyCanBe) {
    const auto paths = [&](const std::string& name) {
        std::vector<std::string> written;
        const Json json = read_json_file(save(session_, name));
        for (const Json& image : json["images"]) written.push_back(image["path"]);
        written.push_back(json["images"][0]["reference"]["path"]);
        return written;
    };
    EXPECT_EQ(paths("work/all.tonescope"),
              (std::vector<std::string>{"photos/a.tiff", "b.png", "/proc/version", "b.png"}));
    EXPECT_EQ(paths("sessions/all.tonescope"),
              (std::vector<std::string>{"../work/photos/a.tiff", "../work/b.png", "/proc/version", "../work/b.png"}));
    EXPECT_EQ(read_session(folder_.file("sessions/all.tonescope")), session_);
}

TEST_F(SessionTest, TheFolderMayMove) {
    save(session_);
    fs::create_directories(folder_.file("far/away"));
    fs::rename(folder_.file("work"), folder_.file("far/away/work"));
    EXPECT_EQ(read_session(folder_.file("far/away/work/all.tonescope")), some_session(folder_.file("far/away/work")));
}

TEST_F(SessionTest, MissingImagesAreKnown) {
    const std::string path = save(session_);
    fs::remove(folder_.file("work/b.png"));
    const Session found = read_session(path);
    ASSERT_EQ(found.images.size(), 3U) << "they stay part of the session";
    EXPECT_FALSE(found.images[0].file.is_missing);
    EXPECT_TRUE(found.images[1].file.is_missing);
    EXPECT_FALSE(found.images[2].file.is_missing);
}

TEST_F(SessionTest, MasksAreReadAgain) {
    const std::string mask = folder_.write("work/mask.pgm", std::string("P5\n2 1\n255\n\x00\xc8", 13));
    ResultPart& other = session_.images[0].part.emplace();
    for (ResultPart* part : {&session_.part, &other}) {
        part->mask = load_mask(mask);
        part->mask_path = mask;
        part->mask_inverse = true;
    }
    const std::string path = save(session_);
    const Json written = read_json_file(path);
    EXPECT_EQ(written["part"]["mask"], "mask.pgm");
    EXPECT_EQ(written["images"][0]["part"]["mask"], "mask.pgm");
    const Session found = read_session(path);
    for (const ResultPart& part : {found.part, found.images[0].part.value()}) {
        ASSERT_NE(part.mask, nullptr);
        EXPECT_EQ(part.mask->view().sample(1, 0, 0), 200);
        EXPECT_EQ(part.mask_path, mask);
        EXPECT_TRUE(part.mask_inverse);
    }
    EXPECT_TRUE(found.mask_problems.empty());
    fs::remove(mask);
    const Session without = read_session(path);
    ASSERT_EQ(without.mask_problems.size(), 2U);
    EXPECT_NE(without.mask_problems[0].find("mask.pgm"), std::string::npos);
    session_.part.mask = other.mask = nullptr;
    EXPECT_EQ(without.part, session_.part) << "its name stays";
    EXPECT_EQ(without.images, session_.images);
    const Session next = read_session(save(without));
    EXPECT_EQ(next.part, session_.part) << "also in the next file";
    EXPECT_EQ(next.images, session_.images);
    session_.part = {.mask_path = mask};
    EXPECT_EQ(read_session(save(session_)).part, session_.part) << "and where there is no region";
}

TEST_F(SessionTest, ReadingItsMaskCanBeCanceled) {
    const std::string mask = folder_.write("work/mask.pgm", std::string("P5\n2 1\n255\n\x00\xc8", 13));
    session_.part.mask = load_mask(mask);
    session_.part.mask_path = mask;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(read_session(save(session_), stop.get_token()), Canceled);
}

TEST_F(SessionTest, MasksOfEveryDepthAndColor) {
    const auto value = [&](const std::string& text) {
        return int{load_mask(folder_.write("m.pnm", text))->view().sample(0, 0, 0)};
    };
    EXPECT_EQ(value(std::string("P5\n1 1\n255\n\x80", 12)), 128);
    EXPECT_EQ(value(std::string("P5\n1 1\n255\n\x01", 12)), 255) << "labels of 0 and 1";
    EXPECT_EQ(value(std::string("P5\n1 1\n65535\n\x80\x00", 15)), 128);
    EXPECT_EQ(value(std::string("P5\n1 1\n65535\n\x00\x01", 15)), 255);
    EXPECT_EQ(value(std::string("P6\n1 1\n255\n\xff\x00\x00", 14)), 77) << "luma";
}

TEST_F(SessionTest, APathCountsOnce) {
    Json json = session_json(session_, folder_.file("work/all.tonescope"));
    json["images"].insert(json["images"].begin() + 1, json["images"][0]);
    json["current"] = 3;
    const std::string path = folder_.write("work/all.tonescope", to_text(json));
    EXPECT_EQ(read_session(path), session_);
}

TEST_F(SessionTest, ASessionIsAPresetToo) {
    const Preset preset = find_preset(save(session_));
    EXPECT_EQ(preset.op, session_.choice->op);
    EXPECT_EQ(preset.params, session_.choice->params);
    EXPECT_EQ(preset.name, "all");
}

TEST_F(SessionTest, WhatIsNoSessionCostsALineAndIsLeftAlone) {
    const std::string newer = to_text(Json{{"version", 2}, {"images", Json::array()}, {"current", "another type"}});
    const std::string preset = to_text(preset_json({"x", find_operator("he"), {}}));
    std::string many = R"({"version": 1, "images": [)";
    for (int k = 0; k <= 10000; ++k) many += (k == 0 ? "" : ",") + std::string(R"({"path": "a"})");
    for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
             {"", "cannot be read"},
             {"{", "is not JSON"},
             {"[]", "is not JSON"},
             {"{}", "no session"},
             {preset, "no session"},
             {newer, "newer version"},
             {R"({"version": 0, "images": []})", "damaged"},
             {R"({"version": "1", "images": []})", "damaged"},
             {R"({"version": 1, "images": 3})", "damaged"},
             {R"({"version": 1, "images": ["a.png"]})", "damaged"},
             {R"({"version": 1, "images": [{"path": ""}]})", "empty"},
             {R"({"version": 1, "images": [{"path": "a.png\u0000b"}]})", "paths cannot have"},
             {R"({"version": 1, "images": [{"path": "a", "page": "x"}]})", "damaged"},
             {R"({"version": 1, "images": [{"path": "a", "reference": "b"}]})", "damaged"},
             {R"({"version": 1, "images": [], "current": "x"})", "damaged"},
             {R"({"version": 1, "images": [], "view": {"center": 3}})", "damaged"},
             {R"({"version": 1, "images": [], "view": {"selection": {"x": 1}}})", "damaged"},
             {R"({"version": 1, "images": [], "layout": 3})", "damaged"},
             {many + "]}", "more than 10000"}}) {
        const std::string path = folder_.write("damaged.tonescope", text);
        const std::string error = error_of(path);
        EXPECT_NE(error.find(why), std::string::npos) << text << " gives " << error;
        EXPECT_TRUE(error.starts_with(path + ": ")) << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
        EXPECT_EQ(TemporaryFolder::read(path), text);
        EXPECT_EQ(std::distance(fs::directory_iterator(folder_.file("")), {}), 2) << "nothing else has come";
    }
    EXPECT_NE(error_of(folder_.file("none.tonescope")).find("cannot be read"), std::string::npos);
    EXPECT_NE(error_of(folder_.file("work")).find("cannot be read"), std::string::npos);
}

TEST_F(SessionTest, ValuesBecomeTheNearestAllowedOnes) {
    Json json = session_json(session_, folder_.file("x"));
    json["current"] = 99;
    json["view"]["zoom"] = 1e300;
    json["view"]["center"] = {-5, 1e9};
    json["view"]["selection"]["width"] = 1e12;
    json["view"]["modes"]["wipe"]["x"] = Json::array({1});
    json["layout"]["left_width"] = 1e9;
    json["layout"]["view_mode"] = "unknown";
    json["windows"]["before"]["high"] = 1e300;
    json["images"][0]["page"] = -7;
    const Session found = session_from_json(parse_json(to_text(json)), folder_.file("x"));
    EXPECT_EQ(found.current, 0U);
    EXPECT_EQ(found.view.zoom, 128);
    EXPECT_EQ(found.view.center_x, 0);
    EXPECT_EQ(found.view.center_y, 65535);
    EXPECT_EQ(found.view.selection.width, 65535);
    EXPECT_FALSE(found.view.modes.at("wipe").contains("x"));
    EXPECT_EQ(found.layout.left_width, ui::kPanelMax);
    EXPECT_EQ(found.layout.view_mode, "");
    EXPECT_LE(found.choice->windows.before.range->width(), SampleRange::kMaxWidth);
    EXPECT_EQ(found.images[0].file.page, 0);
}

TEST_F(SessionTest, AnUnknownFilterLeavesTheRest) {
    Json json = session_json(session_, folder_.file("work/x"));
    json["operator"] = "sharpen";
    const Session found = session_from_json(json, folder_.file("work/x"));
    EXPECT_FALSE(found.choice);
    EXPECT_NE(found.problem.find("unknown operator sharpen"), std::string::npos) << found.problem;
    EXPECT_EQ(found.images, session_.images);
    EXPECT_EQ(found.layout, session_.layout);
}

TEST_F(SessionTest, DamageOfAnyKindIsALineOrASession) {
    const std::string whole = TemporaryFolder::read(save(session_));
    const unsigned seed = std::random_device()();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    for (int k = 0; k < 400; ++k) {
        std::string text = whole;
        for (int n = 0; n < 1 + k % 4; ++n) text[random() % text.size()] = char(random() % 256);
        if (k % 5 == 0) text.resize(random() % text.size());
        const std::string path = folder_.write("work/all.tonescope", text);
        try {
            const Session found = read_session(path);
            EXPECT_TRUE(found.images.empty() || found.current < found.images.size());
        } catch (const UserError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(path));
        }
        EXPECT_EQ(TemporaryFolder::read(path), text);
    }
}

}  // namespace
}  // namespace tonescope
