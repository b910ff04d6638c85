// Presets as files and by name.
#include "app/options/preset.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "tests/app/temporary_folder.h"

namespace tonescope {
namespace {

std::string why(const std::string& path) {
    try {
        load_preset(path);
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

TEST(Preset, EveryOperatorsLimitsReadBack) {
    for (const OperatorInfo* op : operators()) {
        for (int32_t ParamInfo::*limit : {&ParamInfo::min, &ParamInfo::default_value, &ParamInfo::max}) {
            Preset preset{"Ünder the sea", op, default_values(op->params)};
            for (const ParamInfo& info : op->params) preset.params.set(info, info.*limit);
            const Preset back = preset_from_json(Json::parse(to_text(preset_json(preset))), "test");
            EXPECT_EQ(back.name, preset.name);
            EXPECT_EQ(back.op, op);
            EXPECT_EQ(back.params, preset.params) << op->id;
        }
    }
}

TEST(Preset, DamagedFilesGiveALineOrValuesWithinTheirLimits) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    for (const OperatorInfo* op : operators()) {
        const std::string whole = to_text(preset_json({"A name", op, default_values(op->params)}));
        for (int k = 0; k < 1000; ++k) {
            std::string text = whole;
            for (int n = 0; n < 1 + k % 4; ++n) text[random() % text.size()] = char(random() % 256);
            if (k % 5 == 0) text.resize(random() % text.size());
            try {
                const Preset preset = preset_from_json(parse_json(text), "test");
                for (const ParamInfo& info : preset.op->params) {
                    const int32_t value = preset.params.get(info);
                    EXPECT_EQ(clamp_value(info, value), value) << text;
                }
            } catch (const UserError& error) {
                EXPECT_NE(std::string(error.what()), "");
            }
        }
    }
}

TEST(Preset, WhatIsNotNamedHasItsDefault) {
    const Preset preset = preset_from_json(
        Json::parse(R"({"operator": "clahe", "parameters": {"clip_limit": 2.5, "tiles": "grid"}})"), "test");
    EXPECT_EQ(preset.params.get(*find_param(preset.op->params, "clip_limit")), 250);
    EXPECT_EQ(preset.params.get(*find_param(preset.op->params, "tiles")), 1);
    EXPECT_EQ(preset.params.get(*find_param(preset.op->params, "tile_size")), 64);
}

TEST(Preset, WrongFilesAreNamedWithWhatIsWrong) {
    const TemporaryFolder folder;
    const std::string deep =
        R"({"operator": "he", "parameters": {"color": )" + std::string(1000000, '[') + std::string(1000000, ']') + "}}";
    const std::pair<const char*, const char*> cases[] = {
        {"", "empty"},
        {"[1, 2]", "JSON"},
        {"{\"operator\": \"clahe\"", "JSON"},
        {"{}", "no operator"},
        {R"({"operator": 3})", "no operator"},
        {R"({"operator": "sharpen"})", "unknown operator sharpen"},
        {R"({"operator": "clahe", "parameters": [1]})", "parameters"},
        {R"({"operator": "clahe", "parameters": {"radius": 3}})", "no parameter radius"},
        {R"({"operator": "clahe", "parameters": {"tile_size": 7}})", "tile_size"},
        {R"({"operator": "clahe", "parameters": {"tile_size": "x"}})", "tile_size"},
        {R"({"operator": "clahe", "parameters": {"tile_size": [8]}})", "tile_size"},
        {R"({"operator": "clahe", "parameters": {"clip_limit": 1e300}})", "clip_limit"},
        {R"({"operator": "clahe", "parameters": {"tiles": "round"}})", "tiles"},
        {deep.c_str(), "JSON"},
    };
    for (const auto& [text, expected] : cases) {
        const std::string path = folder.write("p.json", text);
        EXPECT_NE(why(path).find(expected), std::string::npos) << text << " gives " << why(path);
        EXPECT_NE(why(path).find(path), std::string::npos) << text;
        EXPECT_EQ(why(path).find('\n'), std::string::npos) << text;
    }
    EXPECT_NE(why(folder.file("none.json")).find("no such file"), std::string::npos);
    EXPECT_NE(why(folder.file(std::string(300, 'x') + ".json")).find("name too long"), std::string::npos);
    EXPECT_NE(why(folder.file("")).find("it is a folder"), std::string::npos);
}

TEST(Preset, NamesStayInTheirFolder) {
    const TemporaryFolder folder;
    const Environment config("XDG_CONFIG_HOME", folder.file("config"));
    for (const char* name : {"", "a/b", "../x", ".hidden", "line\nbreak"}) EXPECT_THROW(preset_path(name), UserError);
    EXPECT_THROW(preset_path(std::string(201, 'x')), UserError);
    EXPECT_EQ(preset_path("soft light"), folder.file("config/tonescope/presets/soft light.json"));
}

TEST(Preset, FilesWithUnusableNamesAreLeftOut) {
    const TemporaryFolder folder;
    const Environment config("XDG_CONFIG_HOME", folder.file("config"));
    const std::string text =
        to_text(preset_json({"x", find_operator("he"), default_values(find_operator("he")->params)}));
    std::filesystem::create_directories(presets_folder());
    for (const std::string& name : {std::string("good"), std::string(240, 'x'), std::string("line\nbreak")})
        std::ofstream(presets_folder() + "/" + name + ".json") << text;
    std::vector<std::string> problems;
    const std::vector<Preset> presets = list_presets(problems);
    ASSERT_EQ(presets.size(), 1u);
    EXPECT_EQ(presets[0].name, "good");
    EXPECT_EQ(problems.size(), 2u);
    for (const Preset& preset : presets) EXPECT_NO_THROW(preset_path(preset.name));
}

TEST(JsonFile, TakesNamesWithoutAFolder) {
    const TemporaryFolder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.file(""));
    EXPECT_NO_THROW(write_json_file("here.json", {{"a", 1}}));
    std::filesystem::current_path(before);
    EXPECT_EQ(read_json_file(folder.file("here.json")).at("a"), 1);
}

TEST(Preset, AreFoundByNameAndByFile) {
    const TemporaryFolder folder;
    const Environment config("XDG_CONFIG_HOME", folder.file("config"));
    std::vector<std::string> problems;
    EXPECT_TRUE(list_presets(problems).empty());
    EXPECT_TRUE(problems.empty());
    const OperatorInfo* op = find_operator("kuwahara");
    write_json_file(preset_path("paint"), preset_json({"paint", op, default_values(op->params)}));
    write_json_file(preset_path("oil"), preset_json({"another name", op, default_values(op->params)}));
    folder.write("config/tonescope/presets/broken.json", "{");
    const std::vector<Preset> presets = list_presets(problems);
    ASSERT_EQ(presets.size(), 2U);
    EXPECT_EQ(presets[0].name, "oil");
    EXPECT_EQ(presets[1].name, "paint");
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_NE(problems[0].find("broken.json"), std::string::npos);
    EXPECT_EQ(find_preset("paint").op, op);
    EXPECT_EQ(find_preset(preset_path("oil")).name, "another name");
    try {
        find_preset("watercolor");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("oil and paint"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace tonescope
