// Presets in the window: kept, imported, exported, deleted.
#include "app/viewer/files/presets.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/system/text_file.h"
#include "tests/app/temporary_folder.h"
#include "tests/app/workers.h"

namespace tonescope {
namespace {

/// A preset that differs from others by its radius.
Preset preset(const std::string& name, int radius) {
    const OperatorInfo* op = find_operator("kuwahara");
    Preset preset{name, op, default_values(op->params)};
    preset.params.set(*find_param(op->params, "radius"), radius);
    return preset;
}

int radius_of(const ParamBlock& params) {
    return params.get(*find_param(find_operator("kuwahara")->params, "radius"));
}

class PresetsTest : public testing::Test {
  protected:
    PresetsTest() { workers_.finish(); }
    bool finish() { return workers_.finish(); }
    const std::vector<Preset>& entries() const { return presets_.all(); }

    TemporaryFolder folder_;
    Environment config_{"XDG_CONFIG_HOME", folder_.file("config")};
    Workers workers_;
    Saves saves_{workers_.tasks, workers_.notices, {.write = {}, .written = [](const auto&) {}}};
    std::vector<int> chosen_;
    Presets presets_{workers_.tasks, saves_, workers_.notices,
                     [this](const Preset& preset) { chosen_.push_back(radius_of(preset.params)); }};
};

TEST_F(PresetsTest, AreKeptAndDeleted) {
    presets_.save(preset("soft", 3), false);
    presets_.save(preset("coarse", 9), false);
    ASSERT_TRUE(finish());
    ASSERT_EQ(entries().size(), 2U);
    EXPECT_EQ(entries()[0].name, "coarse") << "by name";
    EXPECT_EQ(radius_of(entries()[0].params), 9);
    EXPECT_EQ(entries()[0].path, preset_path("coarse"));
    EXPECT_NE(workers_.texts()[0].find("tonescope --preset finds it"), std::string::npos);
    presets_.remove("coarse");
    ASSERT_TRUE(finish());
    ASSERT_EQ(entries().size(), 1U);
    EXPECT_FALSE(std::filesystem::exists(preset_path("coarse")));
}

TEST_F(PresetsTest, OneOfTheSameNameIsOverwrittenOnlyWhereThatIsAsked) {
    presets_.save(preset("soft", 3), false);
    ASSERT_TRUE(finish());
    presets_.save(preset("soft", 4), false);
    ASSERT_TRUE(finish());
    EXPECT_EQ(radius_of(entries()[0].params), 3);
    presets_.save(preset("soft", 5), true);
    ASSERT_TRUE(finish());
    EXPECT_EQ(radius_of(entries()[0].params), 5);
}

TEST_F(PresetsTest, OneThatAnotherWindowHasSavedStays) {
    write_json_file(preset_path("soft"), preset_json(preset("soft", 3)));
    presets_.save(preset("soft", 4), false);
    ASSERT_TRUE(finish());
    ASSERT_EQ(workers_.notices.all().size(), 1U);
    EXPECT_EQ(workers_.notices.all()[0].severity, ui::Severity::error);
    EXPECT_NE(workers_.texts()[0].find("another window"), std::string::npos) << workers_.texts()[0];
    ASSERT_EQ(entries().size(), 1U) << "and this window knows it now";
    EXPECT_EQ(radius_of(entries()[0].params), 3);
}

TEST_F(PresetsTest, NamesThatAreNoFileNamesAreErrors) {
    presets_.save(preset("a/b", 3), false);
    presets_.remove("../x");
    ASSERT_TRUE(finish());
    ASSERT_EQ(workers_.notices.all().size(), 2U);
    for (const ui::Notice& notice : workers_.notices.all()) EXPECT_EQ(notice.severity, ui::Severity::error);
    EXPECT_TRUE(entries().empty());
}

TEST_F(PresetsTest, ImportedOnesAreChosenAndKept) {
    presets_.save(preset("soft", 3), false);
    ASSERT_TRUE(finish());
    const auto file = [&](const std::string& name, const Preset& content) {
        return folder_.write(name, to_text(preset_json(content)));
    };
    presets_.import_files(
        {file("1.json", preset("new", 7)), folder_.write("2.json", "{"), file("3.json", preset("soft", 8))});
    ASSERT_TRUE(finish());
    EXPECT_EQ(chosen_, (std::vector{7, 8})) << "the last one's settings stay";
    const std::vector<std::string> texts = workers_.texts();
    ASSERT_EQ(texts.size(), 4U);
    EXPECT_EQ(texts[1], "Loaded and kept the preset new");
    EXPECT_NE(texts[2].find("2.json"), std::string::npos);
    EXPECT_EQ(texts[3], "Loaded the preset soft; yours of this name stays");
    ASSERT_EQ(entries().size(), 2U);
    EXPECT_EQ(radius_of(entries()[1].params), 3);
}

TEST_F(PresetsTest, ExportedOnesAreFiles) {
    presets_.save(preset("soft", 3), false);
    ASSERT_TRUE(finish());
    const std::string path = folder_.file("out.json");
    presets_.export_file("another", path);
    presets_.export_file("soft", path);
    ASSERT_TRUE(finish());
    EXPECT_EQ(radius_of(load_preset(path).params), 3);
    presets_.export_file("soft", path);
    ASSERT_TRUE(finish());
    EXPECT_EQ(saves_.question().path, path);
}

TEST_F(PresetsTest, ABrokenFileIsAWarning) {
    presets_.save(preset("soft", 3), false);
    ASSERT_TRUE(finish());
    std::ofstream(presets_folder() + "/broken.json") << "{";
    presets_.remove("soft");
    ASSERT_TRUE(finish());
    EXPECT_TRUE(entries().empty());
    EXPECT_EQ(workers_.notices.all().back().severity, ui::Severity::warning);
    EXPECT_NE(workers_.texts().back().find("broken.json"), std::string::npos);
}

}  // namespace
}  // namespace tonescope
