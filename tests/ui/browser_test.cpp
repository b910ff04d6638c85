// The dialogs that open and save files.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

TEST(Browser, ListsFiltersAndOpens) {
    const Scene& s = scene("open");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    ASSERT_NE(driver.last<BrowseTo>(), nullptr);
    EXPECT_EQ(driver.last<BrowseTo>()->path, "/home/ada/Pictures");
    ASSERT_NE(driver.last<WantThumbnails>(), nullptr);
    driver.hold_control(true);
    driver.click(s.model, "entry:IMG_4100.png");
    driver.hold_control(false);
    ASSERT_TRUE(driver.click(s.model, "button:Open"));
    ASSERT_NE(driver.last<OpenPaths>(), nullptr);
    EXPECT_EQ(driver.last<OpenPaths>()->paths,
              (std::vector<std::string>{"/home/ada/Pictures/IMG_4100.png", "/home/ada/Pictures/IMG_4107.jpg"}));
    driver.frames(s.model, 2);
    EXPECT_EQ(driver.find("Filter"), nullptr);
}

TEST(Browser, BeginsWhereItWasElseBesideTheImageElseAtHome) {
    Model model = scene("default").model;
    model.browser.home = "/home/ada";
    model.saving.suggested_result_path = "/media/scans/hills_clahe.png";
    const auto begins_at = [&] {
        Driver driver(1280, 800, 1);
        driver.frames(model, 2);
        driver.click(model, "button:Open...");
        return driver.last<BrowseTo>() == nullptr ? "" : driver.last<BrowseTo>()->path;
    };
    EXPECT_EQ(begins_at(), "/home/ada/Pictures");
    model.browser.folder.clear();
    EXPECT_EQ(begins_at(), "/media/scans");
    model.saving.suggested_result_path.clear();
    EXPECT_EQ(begins_at(), "/home/ada");
}

TEST(Browser, TypingFiltersAndEnterOpens) {
    const Model& model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    driver.click(model, "button:Open...");
    driver.frames(model, 2);
    driver.type("4121");
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("entry:2025"), nullptr);
    EXPECT_NE(driver.find("entry:IMG_4121.png"), nullptr);
    driver.tap(model, ImGuiKey_Enter);
    ASSERT_NE(driver.last<OpenPaths>(), nullptr);
    EXPECT_EQ(driver.last<OpenPaths>()->paths, std::vector<std::string>{"/home/ada/Pictures/IMG_4121.png"});
}

TEST(Browser, DoubleClickEntersAFolderAndEscapeCloses) {
    const Scene& s = scene("open");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    driver.double_click(s.model, "entry:2026");
    EXPECT_EQ(driver.last<BrowseTo>()->path, "/home/ada/Pictures/2026");
    driver.tap(s.model, ImGuiKey_Escape);
    driver.frames(s.model, 2);
    EXPECT_EQ(driver.find("Filter"), nullptr);
}

TEST(Saving, NamesTheFileAndAsksBeforeReplacing) {
    const Scene& s = scene("save");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    EXPECT_EQ(driver.find("File name")->value, "hills_clahe.png");
    ASSERT_TRUE(driver.click(s.model, "button:Save"));
    ASSERT_NE(driver.last<SaveResult>(), nullptr);
    EXPECT_EQ(driver.last<SaveResult>()->path, "/home/ada/Pictures/hills_clahe.png");
    EXPECT_EQ(driver.last<ReplaceFile>(), nullptr);

    Model model = s.model;
    model.saving.question.path = "/home/ada/Pictures/hills_clahe.png";
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "button:Replace"));
    EXPECT_NE(driver.last<ReplaceFile>(), nullptr);
}

TEST(Saving, NoMeansCancel) {
    const Scene& s = scene("replace");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    ASSERT_TRUE(driver.click(s.model, "button:Cancel"));
    EXPECT_NE(driver.last<CancelSave>(), nullptr);
    EXPECT_EQ(driver.last<SaveResult>(), nullptr);
}

TEST(Saving, TheQuestionIsAboutTheFileThatItNames) {
    Model model = scene("save").model;
    model.saving.suggested_view_path = "/home/ada/Pictures/hills-view.png";
    Driver driver(1280, 800, 1);
    settle_scene(driver, scene("save"));
    ASSERT_TRUE(driver.click(model, "button:Save"));
    driver.frames(model, 3);
    driver.hold_shift(true);
    driver.tap_with_control(model, ImGuiKey_S);
    driver.hold_shift(false);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "button:Save"));
    ASSERT_NE(driver.last<SaveView>(), nullptr);
    driver.actions().clear();
    // The disk of the first one answers late.
    model.saving.question.path = "/home/ada/Pictures/hills_clahe.png";
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "button:Cancel"));
    EXPECT_NE(driver.last<CancelSave>(), nullptr);
    model.saving.question.path.clear();
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "button:Save"));
    EXPECT_NE(driver.last<SaveResult>(), nullptr) << "the dialog of this file comes back";
    EXPECT_EQ(driver.last<SaveView>(), nullptr);
}

TEST(Saving, TheQuestionWaitsUntilTheBrowserIsClosed) {
    Model model = scene("save").model;
    Driver driver(1280, 800, 1);
    settle_scene(driver, scene("save"));
    model.saving.question.path = "/home/ada/Pictures/older.png";
    for (int i = 0; i < 6; ++i) {
        driver.frame(model);
        ASSERT_NE(driver.find("File name"), nullptr);
        ASSERT_EQ(driver.find("button:Replace"), nullptr);
    }
    driver.tap(model, ImGuiKey_Escape);
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("File name"), nullptr);
    EXPECT_NE(driver.find("button:Replace"), nullptr);
}

TEST(Saving, TheQuestionIsInNoPictureOfTheViews) {
    Model model = scene("replace").model;
    model.views.picturing = true;
    Driver driver(1280, 800, 1);
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("button:Replace"), nullptr);
    model.views.picturing = false;
    driver.frames(model, 3);
    EXPECT_NE(driver.find("button:Replace"), nullptr);
}

}  // namespace
}  // namespace tonescope::ui
