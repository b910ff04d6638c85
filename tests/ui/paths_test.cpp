// Paths that are typed or pasted into the file dialog.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"
#include "ui/browser/browser.h"

namespace tonescope::ui {
namespace {

TEST(TypedPaths, AreUnderstoodAsPeopleWriteThem) {
    const auto path = [](std::string_view text) { return typed_path(text, "/home/ada/Pictures", "/home/ada"); };
    EXPECT_EQ(path("moon.png"), "/home/ada/Pictures/moon.png");
    EXPECT_EQ(path("../a/./b.png"), "/home/ada/a/b.png");
    EXPECT_EQ(path(" /data/x.png\n"), "/data/x.png");
    EXPECT_EQ(path("~"), "/home/ada/");
    EXPECT_EQ(path("~/x.png"), "/home/ada/x.png");
    EXPECT_EQ(path("~x.png"), "/home/ada/Pictures/~x.png");
    EXPECT_EQ(path(".."), "/home/ada/");
    EXPECT_EQ(path("sub/"), "/home/ada/Pictures/sub/");
    EXPECT_EQ(path("file:///data/my%20%C3%BC.png\r\n"), "/data/my \u00fc.png");
    EXPECT_EQ(path("file://localhost/data/100%.png"), "/data/100%.png");
    EXPECT_EQ(path("'/data/it.png'"), "/data/it.png");
    EXPECT_EQ(path("\"a b.png\""), "/home/ada/Pictures/a b.png");
    for (const char* text : {"/", "a/b", "~", "~/x", "..", "file:///x"}) EXPECT_TRUE(looks_like_path(text)) << text;
    for (const char* text : {"", "moon", "~x", "a.png"}) EXPECT_FALSE(looks_like_path(text)) << text;
}

TEST(TypedPaths, InEitherFieldOpenTheirFile) {
    for (const char* field : {"Folder", "Filter"}) {
        Model model = scene("open").model;
        Driver driver(1280, 800, 1);
        settle_scene(driver, scene("open"));
        driver.click(model, field);
        driver.tap_with_control(model, ImGuiKey_A);
        driver.type("~/Scans/7.png");
        driver.frames(model, 2);
        EXPECT_NE(driver.find("entry:2026"), nullptr) << "a path is no filter";
        driver.tap(model, ImGuiKey_Enter);
        EXPECT_EQ(driver.last<BrowseTo>()->path, "/home/ada/Scans/7.png") << field;
        model.browser.folder = "/home/ada/Scans";
        model.browser.entries = {{"7.png", false, 1, "", {}}};
        model.browser.chosen = "7.png";
        ++model.browser.visit;
        driver.frames(model, 3);
        ASSERT_NE(driver.last<OpenPaths>(), nullptr) << field;
        EXPECT_EQ(driver.last<OpenPaths>()->paths, std::vector<std::string>{"/home/ada/Scans/7.png"});
        EXPECT_EQ(driver.find("Filter"), nullptr);
        EXPECT_EQ(driver.interface().settings().folders.open, "/home/ada/Scans");
    }
}

TEST(RecentFolders, AreOffered) {
    const Scene& s = scene("open");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    ASSERT_TRUE(driver.click(s.model, "Recent folders"));
    driver.frames(s.model, 2);
    ASSERT_TRUE(driver.click(s.model, "Recent folders:Scans"));
    EXPECT_EQ(driver.last<BrowseTo>()->path, "/home/ada/Scans");
}

}  // namespace
}  // namespace tonescope::ui
