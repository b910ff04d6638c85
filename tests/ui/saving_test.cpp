// The dialog that saves: what was typed, formats with their options, folders, and originals.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_model.h"
#include "tests/ui/scenes/scene_test.h"
#include "ui/browser/browser.h"

namespace tonescope::ui {
namespace {

/// The save dialog is open.
class SaveDialog : public testing::Test {
  protected:
    SaveDialog() { settle_scene(driver_, scene("save")); }

    void retype(const char* name) {
        driver_.click(model_, "File name");
        driver_.tap_with_control(model_, ImGuiKey_A);
        driver_.type(name);
        driver_.frames(model_, 2);
    }
    /// The user goes there.
    void show_folder(const char* folder) {
        model_.browser.folder = folder;
        ++model_.browser.visit;
        driver_.frames(model_, 2);
    }
    void close() {
        driver_.tap(model_, ImGuiKey_Escape);
        driver_.frames(model_, 2);
    }
    void reopen() {
        driver_.tap_with_control(model_, ImGuiKey_S);
        driver_.frames(model_, 2);
    }
    void ask_about(const SaveQuestion& question) {
        model_.saving.question = question;
        driver_.frames(model_, 3);
    }
    std::string name() const {
        const Widget* field = driver_.find("File name");
        return field == nullptr ? "no dialog" : field->value;
    }
    std::string begins_in() const { return driver_.last<BrowseTo>()->path; }

    Model model_ = scene("save").model;
    Driver driver_{1280, 800, 1};
};

TEST_F(SaveDialog, AnOriginalIsReplacedInASecondStepAlone) {
    const SaveQuestion question{"/home/ada/Pictures/hills.png", "/home/ada/Pictures/hills-2.png", true};
    close();
    ask_about(question);
    EXPECT_EQ(driver_.find("button:Replace"), nullptr);
    EXPECT_EQ(driver_.find("button:Replace for good"), nullptr);
    ASSERT_TRUE(driver_.click(model_, "button:Replace the original..."));
    driver_.frames(model_, 2);
    EXPECT_EQ(driver_.last<ReplaceFile>(), nullptr);
    EXPECT_EQ(driver_.find("question")->value, "Replace the original hills.png for good?");
    EXPECT_TRUE(driver_.find("question:text")->value.starts_with("Only this window still has the original"));
    model_.saving.question.is_held = false;
    driver_.frames(model_, 2);
    EXPECT_TRUE(driver_.find("question:text")->value.starts_with("Nothing of the original is left"));
    model_.saving.question.is_held = true;
    ASSERT_TRUE(driver_.click(model_, "button:Keep the original"));
    driver_.frames(model_, 2);
    ASSERT_TRUE(driver_.click(model_, "button:Replace the original..."));
    driver_.frames(model_, 2);
    ASSERT_TRUE(driver_.click(model_, "button:Replace for good"));
    EXPECT_NE(driver_.last<ReplaceFile>(), nullptr);

    ask_about({});
    ask_about(question);
    ASSERT_TRUE(driver_.click(model_, "button:Save as new file")) << "the next question begins anew";
    EXPECT_NE(driver_.last<SaveBeside>(), nullptr);
}

TEST_F(SaveDialog, WhatWasTypedComesBack) {
    retype("kept.jpg");
    show_folder("/home/ada/Elsewhere");
    close();
    reopen();
    EXPECT_EQ(begins_in(), "/home/ada/Elsewhere");
    EXPECT_EQ(name(), "kept.jpg");
    ASSERT_TRUE(driver_.click(model_, "button:Save"));
    EXPECT_EQ(driver_.last<SaveResult>()->path, "/home/ada/Elsewhere/kept.jpg");
    show_folder("/home/ada/Pictures");
    ask_about({"/home/ada/Elsewhere/kept.jpg", "", false});
    close();
    EXPECT_NE(driver_.last<CancelSave>(), nullptr);
    ask_about({});
    EXPECT_EQ(begins_in(), "/home/ada/Elsewhere");
    EXPECT_EQ(name(), "kept.jpg");
}

TEST_F(SaveDialog, BeginsWhereTheLastFileWasSaved) {
    show_folder("/home/ada/Elsewhere");
    ASSERT_TRUE(driver_.click(model_, "button:Save"));
    model_.saving.suggested_result_path = "/home/ada/Pictures/moon-he.png";  // another image
    driver_.frames(model_, 2);
    reopen();
    EXPECT_EQ(name(), "moon-he.png");
    EXPECT_EQ(begins_in(), "/home/ada/Elsewhere");
    EXPECT_EQ(driver_.interface().settings().folders.save, "/home/ada/Elsewhere");
    show_folder("/home/ada/Pictures");
    ASSERT_TRUE(driver_.click(model_, "button:Save"));
    model_.saving.suggested_result_path = "/home/ada/Scans/7-he.png";
    driver_.frames(model_, 2);
    reopen();
    EXPECT_EQ(begins_in(), "/home/ada/Scans") << "the last one was saved beside its image";
}

TEST_F(SaveDialog, FormatAndEndingFollowEachOther) {
    EXPECT_EQ(driver_.find("Format")->value, "PNG");
    EXPECT_NE(driver_.find("Compression"), nullptr);
    ASSERT_TRUE(driver_.click(model_, "Format"));
    driver_.frames(model_, 2);
    ASSERT_TRUE(driver_.click(model_, "Format:JPEG"));
    driver_.frames(model_, 2);
    EXPECT_EQ(name(), "hills_clahe.jpg");
    EXPECT_EQ(driver_.find("Compression"), nullptr);
    ASSERT_TRUE(driver_.click(model_, "Quality"));  // in its middle
    driver_.frames(model_, 2);
    retype("new.png");
    EXPECT_EQ(driver_.find("Format")->value, "PNG");
    retype("new.jpeg");
    driver_.tap(model_, ImGuiKey_Enter);
    ASSERT_NE(driver_.last<SaveResult>(), nullptr);
    EXPECT_EQ(driver_.last<SaveResult>()->path, "/home/ada/Pictures/new.jpeg");
    ASSERT_TRUE(driver_.last<SaveResult>()->options.contains("quality"));
    EXPECT_NEAR(driver_.last<SaveResult>()->options.at("quality"), 50, 5);
    EXPECT_FALSE(driver_.last<SaveResult>()->options.contains("compression")) << "it has its default";
}

TEST_F(SaveDialog, TakesPaths) {
    retype("~/out/a");
    ASSERT_TRUE(driver_.click(model_, "button:Save"));
    EXPECT_EQ(driver_.last<SaveResult>()->path, "/home/ada/out/a.png");
    driver_.frames(model_, 2);
    reopen();
    retype("../Scans/");
    driver_.tap(model_, ImGuiKey_Enter);
    EXPECT_EQ(begins_in(), "/home/ada/Scans/") << "of a folder";
    EXPECT_NE(driver_.find("File name"), nullptr);
}

TEST_F(SaveDialog, SavesTheSessionWhereItWasSuggested) {
    close();
    model_.saving.suggested_session_path = "/home/ada/Work/session.tonescope";
    driver_.run_command(model_, "Save the session");
    driver_.frames(model_, 2);
    EXPECT_EQ(begins_in(), "/home/ada/Work");
    EXPECT_EQ(driver_.last<BrowseTo>()->kinds, kSessionFiles);
    show_folder("/home/ada/Work");
    EXPECT_EQ(name(), "session.tonescope");
    retype("../Scans/hills");
    driver_.tap(model_, ImGuiKey_Enter);
    ASSERT_NE(driver_.last<SaveSession>(), nullptr);
    EXPECT_EQ(driver_.last<SaveSession>()->path, "/home/ada/Scans/hills.tonescope");
    driver_.frames(model_, 2);
    driver_.run_command(model_, "Save the session");
    driver_.frames(model_, 2);
    EXPECT_EQ(begins_in(), "/home/ada/Work") << "not where the last one went";
    close();
    driver_.run_command(model_, "Open images or a session");
    driver_.frames(model_, 2);
    EXPECT_EQ(driver_.last<BrowseTo>()->kinds, kImageFiles | kSessionFiles);
}

TEST(Saving, WhatIsLostIsSaid) {
    const std::vector<SavedFormat> formats = saved_formats();
    EXPECT_EQ(save_remark("a.png", formats).text, "Saved as PNG");
    EXPECT_EQ(save_remark("a.JPG", formats, {true, true, 16}).text,
              "Saved as JPEG; pixels change a little, transparency is lost and 16 bits a channel are reduced to 8");
    std::vector<SavedFormat> deep_formats = formats;
    deep_formats[0].keeps_depth = true;
    EXPECT_EQ(save_remark("a.png", deep_formats, {false, true, 12, true}).text, "Saved as PNG");
    EXPECT_EQ(save_remark("a.ppm", deep_formats, {false, true, 12, true}).text,
              "Saved as PNM; 12 bits a channel are reduced to 8, as the window shows them");
    EXPECT_TRUE(save_remark("a.pgm", formats).can_save);
    EXPECT_FALSE(save_remark("a.pgm", formats, {false, true}).can_save);
    EXPECT_TRUE(save_remark("a.ppm", formats, {false, true}).can_save);
    for (const char* name : {"a.docx", "a", ""}) EXPECT_FALSE(save_remark(name, formats).can_save) << name;
    EXPECT_EQ(with_format("a.b.JPEG", formats[0], formats), "a.b.png");
    EXPECT_EQ(with_format("scan.v2", formats[1], formats), "scan.v2.jpg");
}

}  // namespace
}  // namespace tonescope::ui
