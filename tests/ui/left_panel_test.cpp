// The left panel: everything that is tuned is in sight, what is read stands below and is kept as the user left it.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

Model clahe_with(const char* tiles_scene) {
    Model model = scene(tiles_scene).model;
    model.run.input = {1536, 1024, PixelFormat::rgba8, false};
    EXPECT_EQ(model.run.op->id, "clahe");
    EXPECT_EQ(model.images.entries.size(), 3U);
    return model;
}

class ClaheParameters : public testing::TestWithParam<const char*> {};

TEST_P(ClaheParameters, AreAllInSightWithThreeImagesOpen) {
    const Model model = clahe_with(GetParam());
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    const Widget* footer = driver.find("button:Open...");
    ASSERT_NE(footer, nullptr);
    for (const ParamPlace& param : active_params(model.run)) {
        SCOPED_TRACE(param.info->id);
        const Widget* widget = driver.find(param.info->label);
        ASSERT_NE(widget, nullptr);
        // Widgets are recorded as far as they are not cut off.
        EXPECT_GE(widget->height, param.info->kind == ParamKind::choice ? 26 : 18);
        EXPECT_LE(widget->y + widget->height, footer->y);
    }
}

INSTANTIATE_TEST_SUITE_P(Tiles, ClaheParameters, testing::Values("default", "grid"));

TEST(LeftPanel, HasBinsForDeepImagesOnly) {
    Model model = clahe_with("default");
    for (const PixelFormat format : {PixelFormat::gray8, PixelFormat::gray16}) {
        model.run.input.format = format;
        Driver driver(1280, 900, 1);
        driver.frames(model, 3);
        EXPECT_EQ(driver.find("Bins") != nullptr, is_deep(format));
    }
}

TEST(LeftPanel, StandsInTheOrderOfItsUse) {
    const Model model = clahe_with("default");
    Driver driver(1280, 900, 1);
    driver.frames(model, 3);
    float y = 0;
    for (const char* label :
         {"image:hills.png", "Operator", "Variant", "Run on", "Tiles", "Clip limit", "About the variant"}) {
        const Widget* widget = driver.find(label);
        ASSERT_NE(widget, nullptr) << label;
        EXPECT_GT(widget->y, y) << label;
        y = widget->y;
    }
}

TEST(LeftPanel, WhatTheVariantIsAboutOpensAndIsKept) {
    const Model model = clahe_with("default");
    Settings kept;
    {
        Driver driver(1280, 900, 1);
        driver.frames(model, 3);
        EXPECT_EQ(driver.find("Variant text"), nullptr);
        ASSERT_TRUE(driver.click(model, "About the variant"));
        driver.frames(model, 2);
        EXPECT_NE(driver.find("Variant text"), nullptr);
        ASSERT_NE(driver.find("Builds on"), nullptr);
        EXPECT_EQ(driver.find("Builds on")->value, "Builds on " + title_of(*basis_of(*model.run.variant)));
        kept = driver.interface().settings();
        EXPECT_TRUE(kept.variant_shown);
    }
    Driver later(1280, 900, 1);
    later.interface().set_settings(kept);
    later.frames(model, 3);
    EXPECT_NE(later.find("Variant text"), nullptr);
    ASSERT_TRUE(later.click(model, "About the variant"));
    later.frames(model, 2);
    EXPECT_EQ(later.find("Variant text"), nullptr);
    EXPECT_FALSE(later.interface().settings().variant_shown);
}

TEST(LeftPanel, APresentationShowsWhatTheVariantIsAboutAsSoonAsPanelsAreBack) {
    const Model model = clahe_with("default");
    Driver driver(1280, 900, 1);
    driver.frames(model, 3);
    driver.run_command(model, "Presentation: larger");
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("Operator"), nullptr);
    driver.tap(model, ImGuiKey_Tab);
    driver.frames(model, 3);
    EXPECT_NE(driver.find("Operator"), nullptr);
    EXPECT_NE(driver.find("Variant text"), nullptr);
    EXPECT_FALSE(driver.interface().settings().variant_shown);
    driver.run_command(model, "Presentation: larger");
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("Variant text"), nullptr);
}

TEST(PresetList, ShowsWhatTheMouseRestsOnAndTakesWhatIsClicked) {
    const Model& model = scene("palette").model;
    Driver driver(1280, 900, 1);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.move_to("use preset:Strong"));
    driver.frames(model, 2);
    EXPECT_EQ(driver.last<PreviewPreset>(), nullptr) << "on the way across";
    driver.frames(model, 12);
    ASSERT_NE(driver.last<PreviewPreset>(), nullptr);
    EXPECT_EQ(driver.last<PreviewPreset>()->name, "Strong");
    EXPECT_EQ(driver.last<PreviewPreset>()->params, model.presets.entries[0].params);
    EXPECT_EQ(driver.last<SetPreset>(), nullptr);
    ASSERT_TRUE(driver.move_to("use preset:X-ray"));
    driver.frames(model, 12);
    EXPECT_EQ(driver.last<PreviewPreset>()->name, "X-ray");
    driver.move_to(640, 400);
    driver.frames(model, 2);
    EXPECT_EQ(driver.last<PreviewPreset>()->op, nullptr);
    const size_t asked = driver.actions().size();
    driver.frames(model, 20);
    EXPECT_EQ(driver.actions().size(), asked) << "each is asked for once";

    ASSERT_TRUE(driver.move_to("use preset:Strong"));
    driver.frames(model, 12);
    ASSERT_TRUE(driver.click(model, "Presets"));  // the list folds
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("use preset:Strong"), nullptr);
    EXPECT_EQ(driver.last<PreviewPreset>()->op, nullptr);
    ASSERT_TRUE(driver.click(model, "Presets"));
    driver.frames(model, 2);
    ASSERT_TRUE(driver.click(model, "use preset:Strong"));
    ASSERT_NE(driver.last<SetPreset>(), nullptr);
    EXPECT_EQ(driver.last<SetPreset>()->params, model.presets.entries[0].params);
}

TEST(LeftPanel, GoesThroughThePagesOfAFile) {
    Model model = scene("default").model;
    ImageEntry& image = model.images.entries[size_t(model.images.current)];
    Driver driver(1280, 900, 1);
    const auto page_after = [&](ImGuiKey key) {
        driver.actions().clear();
        driver.tap(model, key);
        return driver.last<ShowPage>() == nullptr ? -1 : driver.last<ShowPage>()->page;
    };
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("Page"), nullptr) << "of one page there is nothing to choose";
    EXPECT_EQ(page_after(ImGuiKey_PageDown), -1);
    image.pages = 12;
    driver.frames(model, 3);
    ASSERT_NE(driver.find("Page"), nullptr);
    EXPECT_EQ(driver.find("Page")->value, "1");
    EXPECT_EQ(page_after(ImGuiKey_PageDown), 1);
    EXPECT_EQ(page_after(ImGuiKey_PageUp), -1) << "it is the first one";
    image.page = 11;
    EXPECT_EQ(page_after(ImGuiKey_PageUp), 10);
    EXPECT_EQ(page_after(ImGuiKey_PageDown), -1) << "it is the last one";
    driver.actions().clear();
    ASSERT_TRUE(driver.move_to("Page", 0.25F));
    driver.press(0, true);
    driver.frames(model, 2);
    driver.press(0, false);
    driver.frames(model, 2);
    ASSERT_NE(driver.last<ShowPage>(), nullptr);
    EXPECT_NEAR(driver.last<ShowPage>()->page, 3, 1);
}

}  // namespace
}  // namespace tonescope::ui
