// The dialogs that open and save files.
#include <gtest/gtest.h>

#include "tests/ui/scene_test.h"

namespace tonescope::ui {
namespace {

TEST(Browser, ListsFiltersAndOpens) {
    const Scene& s = scene("open");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    ASSERT_NE(driver.last<BrowseTo>(), nullptr);
    EXPECT_EQ(driver.last<BrowseTo>()->folder, "/home/ada/Pictures");
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
    driver.tap(model, compat::kKeyEnter);
    ASSERT_NE(driver.last<OpenPaths>(), nullptr);
    EXPECT_EQ(driver.last<OpenPaths>()->paths, std::vector<std::string>{"/home/ada/Pictures/IMG_4121.png"});
}

TEST(Browser, DoubleClickEntersAFolderAndEscapeCloses) {
    const Scene& s = scene("open");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    driver.double_click(s.model, "entry:2026");
    EXPECT_EQ(driver.last<BrowseTo>()->folder, "/home/ada/Pictures/2026");
    driver.tap(s.model, compat::kKeyEscape);
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
    EXPECT_FALSE(driver.last<SaveResult>()->overwrite);

    Model model = s.model;
    model.overwrite_path = "/home/ada/Pictures/hills_clahe.png";
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "button:Replace"));
    EXPECT_TRUE(driver.last<SaveResult>()->overwrite);
}

TEST(Saving, NoMeansCancel) {
    const Scene& s = scene("replace");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    ASSERT_TRUE(driver.click(s.model, "button:Cancel"));
    EXPECT_NE(driver.last<CancelSave>(), nullptr);
    EXPECT_EQ(driver.last<SaveResult>(), nullptr);
}

}  // namespace
}  // namespace tonescope::ui
