// What is shown while something takes long, and how it is ended.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

Model busy_model(double busy_s, double progress) {
    Model model = scene("busy").model;
    model.work.seconds = busy_s;
    model.work.progress = progress;
    model.work.what = "Saving";
    return model;
}

TEST(Progress, ShowsAPartWhereItIsKnownAndMovesWhereNot) {
    Driver driver(1280, 800, 1);
    Model model = busy_model(0.1, 0.439);
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("progress"), nullptr) << "short work passes without a flash";
    EXPECT_EQ(driver.find("button:Cancel"), nullptr);
    model.work.seconds = 0.25;
    driver.frames(model, 2);
    ASSERT_NE(driver.find("progress"), nullptr);
    EXPECT_EQ(driver.find("progress")->value, "43 %");
    model.work.progress = -1;
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("progress")->value, "unknown");
    EXPECT_TRUE(driver.interface().animating());
    ASSERT_TRUE(driver.click(model, "button:Cancel"));
    EXPECT_NE(driver.last<CancelWork>(), nullptr);
}

TEST(Progress, IsThereWithoutAnImageToo) {
    Driver driver(1280, 800, 1);
    Model model = scene("start").model;
    driver.frames(model, 2);
    ASSERT_NE(driver.find("button:Open image..."), nullptr);
    model.work.busy = true;
    model.work.seconds = 1;
    model.work.what = "Pasting";
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("button:Open image..."), nullptr);
    ASSERT_NE(driver.find("progress"), nullptr);
    driver.tap(model, ImGuiKey_Escape);
    EXPECT_NE(driver.last<CancelWork>(), nullptr);

    model.images.entries.push_back({"large.png", "/large.png", "", "", ImageEntry::State::loading, {}});
    model.images.current = 0;
    model.work.progress = 0.25;
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("progress")->value, "25 %");
    EXPECT_NE(driver.find("button:Cancel"), nullptr);
}

TEST(Progress, EscapeEndsWhatRunsAfterEverythingElse) {
    Driver driver(1280, 800, 1);
    Model model = busy_model(1, -1);
    driver.frames(model, 2);
    driver.open_palette(model);
    driver.tap(model, ImGuiKey_Escape);
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("Command"), nullptr);
    EXPECT_EQ(driver.last<CancelWork>(), nullptr) << "the palette takes the key";
    driver.tap(model, key_of('S'));  // a rectangle is about to be selected
    driver.tap(model, ImGuiKey_Escape);
    EXPECT_EQ(driver.last<CancelWork>(), nullptr) << "the selection takes the key";
    driver.tap(model, ImGuiKey_Escape);
    EXPECT_NE(driver.last<CancelWork>(), nullptr);

    driver.actions().clear();
    model.work.seconds = 0.1;
    driver.tap(model, ImGuiKey_Escape);
    EXPECT_EQ(driver.last<CancelWork>(), nullptr) << "nothing that takes long";
}

TEST(ImageList, DrawsAndAsksForTheRowsInSightOnly) {
    Model model = scene("default").model;
    model.images.entries.clear();
    for (int k = 0; k < 10'000; ++k) {
        const std::string name = "IMG_" + std::to_string(10'000 + k) + ".png";
        model.images.entries.push_back({name, "/pictures/" + name, "", "", ImageEntry::State::ready, {}});
    }
    model.images.current = 0;
    Driver driver(1280, 800, 1);
    driver.frames(model, 3);
    const auto rows = [&] {
        return std::ranges::count_if(driver.interface().widgets(),
                                     [](const Widget& widget) { return widget.label.starts_with("image:"); });
    };
    EXPECT_GE(rows(), 2);
    EXPECT_LE(rows(), 10);
    ASSERT_NE(driver.last<WantThumbnails>(), nullptr);
    EXPECT_GE(driver.last<WantThumbnails>()->paths.size(), 2U);
    EXPECT_LE(driver.last<WantThumbnails>()->paths.size(), 10U);
    EXPECT_EQ(driver.last<WantThumbnails>()->paths[0], "/pictures/IMG_10000.png");

    driver.actions().clear();
    driver.frames(model, 3);
    EXPECT_EQ(driver.last<WantThumbnails>(), nullptr) << "not again in every frame";
    model.images.current = 7'000;
    driver.frames(model, 3);
    EXPECT_NE(driver.find("image:IMG_17000.png"), nullptr) << "the current image is in sight";
    EXPECT_EQ(driver.find("image:IMG_10000.png"), nullptr);
    ASSERT_NE(driver.last<WantThumbnails>(), nullptr);
    EXPECT_TRUE(std::ranges::count(driver.last<WantThumbnails>()->paths, "/pictures/IMG_17000.png"));
}

}  // namespace
}  // namespace tonescope::ui
