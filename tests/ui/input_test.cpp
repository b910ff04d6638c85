// Input leads to the right actions.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"
#include "ui/views/view_parts.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

TEST(Slider, DragSetsAndRightClickResets) {
    const Scene& s = scene("default");
    Model model = s.model;
    const ParamInfo& tile = *find_param(model.run.op->params, "tile_size");
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    ASSERT_TRUE(driver.move_to("Tile size", 0.5F));
    driver.frame(model);
    driver.press(0, true);
    driver.frames(model, 2);
    ASSERT_TRUE(driver.move_to("Tile size", 1.2F));
    driver.frames(model, 2);
    driver.press(0, false);
    driver.frame(model);
    const auto* set = driver.last<SetParam>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->info, &tile);
    EXPECT_EQ(set->value, tile.max);
    EXPECT_FALSE(set->of_variant);

    model.run.params.set(tile, 300);
    driver.actions().clear();
    driver.click(model, "Tile size", 1);
    set = driver.last<SetParam>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->value, tile.default_value);
}

TEST(Slider, ShiftDragsTenTimesFiner) {
    const auto moved_by = [](bool shift) {
        Model model = scene("kuwahara").model;
        const ParamInfo& radius = *find_param(model.run.op->params, "radius");
        model.run.params.set(radius, 32);
        Driver driver(1280, 800, 1);
        driver.frames(model, 2);
        // Where the grab stands: a press there moves nothing.
        const auto at = static_cast<float>(slider_position(radius, 32));
        driver.move_to("Radius", 0.02F + 0.96F * at);
        driver.frame(model);
        driver.press(0, true);
        driver.frame(model);
        EXPECT_EQ(driver.last<SetParam>(), nullptr);
        driver.hold_shift(shift);
        driver.frame(model);
        driver.move_to("Radius", 0.02F + 0.96F * at + 0.3F);
        driver.frame(model);
        return driver.last<SetParam>() != nullptr ? driver.last<SetParam>()->value - 32 : 0;
    };
    EXPECT_GT(moved_by(false), 15);
    EXPECT_GT(moved_by(true), 0);
    EXPECT_LT(moved_by(true), 5);
}

TEST(Slider, DoubleClickTypes) {
    const Scene& s = scene("typing");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    driver.actions().clear();
    driver.type("7.25");
    driver.frame(s.model);
    driver.tap(s.model, ImGuiKey_Enter);
    const auto* set = driver.last<SetParam>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->info->id, "clip_limit");
    EXPECT_EQ(set->value, 725);
    driver.frames(s.model, 2);
    EXPECT_EQ(driver.find("Clip limit value")->value, "3.00 \u00d7 mean bin");
}

TEST(Slider, PositionsAndValuesAgree) {
    for (const OperatorInfo* op : operators()) {
        for (const ParamInfo& info : op->params) {
            if (info.kind == ParamKind::choice) continue;
            EXPECT_EQ(slider_value(info, 0, false), info.min) << info.id;
            EXPECT_EQ(slider_value(info, 1, false), info.max) << info.id;
            EXPECT_EQ(slider_value(info, slider_position(info, info.default_value), true), info.default_value)
                << info.id;
        }
    }
}

TEST(Choices, ChangeOperatorBackendAndMode) {
    Model model = scene("gpu").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    driver.click(model, "Operator");
    ASSERT_TRUE(driver.click(model, "Operator:Kuwahara"));
    ASSERT_NE(driver.last<SetOperator>(), nullptr);
    EXPECT_EQ(driver.last<SetOperator>()->op->id, "kuwahara");
    ASSERT_TRUE(driver.click(model, "Run on:CPU"));
    ASSERT_NE(driver.last<SetBackend>(), nullptr);
    EXPECT_EQ(driver.last<SetBackend>()->backend, BackendKind::cpu);
    ASSERT_TRUE(driver.click(model, "Tiles:grid"));
    ASSERT_NE(driver.last<SetParam>(), nullptr);
    EXPECT_EQ(driver.last<SetParam>()->info->id, "tiles");
    EXPECT_EQ(driver.last<SetParam>()->value, 1);
}

TEST(Choices, WithoutGpuTheButtonDoesNothing) {
    Driver driver(1280, 800, 1);
    const Model& model = scene("default").model;
    driver.frames(model, 2);
    ASSERT_TRUE(driver.click(model, "Run on:GPU"));
    EXPECT_EQ(driver.last<SetBackend>(), nullptr);
    EXPECT_FALSE(driver.find("Run on:GPU")->enabled);
}

TEST(Choices, MemoryOfTheGpu) {
    Model model = scene("gpu").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("Memory")->value, "pinned");
    driver.click(model, "Memory");
    ASSERT_TRUE(driver.click(model, "Memory:managed"));
    ASSERT_NE(driver.last<SetMemory>(), nullptr);
    EXPECT_EQ(driver.last<SetMemory>()->memory, MemoryMode::managed);
}

TEST(Choices, MemoryThatAVariantFixesCannotBeChosen) {
    for (const auto& [op, variant] : {std::pair{"clahe", "pinned"}, {"he", "mapped"}, {"he", "cpu"}}) {
        Model model = scene("gpu").model;
        model.run.op = find_operator(op);
        model.run.variant = find_variant(op, variant);
        model.run.params = default_values(model.run.op->params);
        model.run.variant_params = default_values(model.run.variant->params);
        model.run.backend = model.run.variant->backend;
        model.run.memory = model.run.variant->memory.value_or(MemoryMode::pinned);
        Driver driver(1280, 800, 1);
        driver.frames(model, 2);
        ASSERT_NE(driver.find("Memory"), nullptr);
        EXPECT_FALSE(driver.find("Memory")->enabled) << variant;
        driver.click(model, "Memory");
        EXPECT_EQ(driver.find("Memory:pageable"), nullptr) << variant;
    }
}

TEST(Kernels, TheTableOpensAndCloses) {
    const Model& model = scene("gpu").model;
    Driver driver(1280, 1400, 1);
    driver.frames(model, 2);
    const Widget* kernel = driver.find("kernel:clahe_blend_kernel");
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(kernel->value, "75 %");
    ASSERT_TRUE(driver.click(model, "Kernels"));
    EXPECT_EQ(driver.find("kernel:clahe_blend_kernel"), nullptr);
    EXPECT_EQ(driver.find("Kernels")->value, "closed");
}

TEST(Views, WheelKeepsThePointUnderTheMouse) {
    View view;
    view.fit = false;
    view.zoom = 1.5;
    view.center_x = 400;
    view.center_y = 300;
    const double before = view.center_x + 120 / view.zoom;
    zoom_at(view, 3, 120, -40);
    EXPECT_NEAR(view.center_x + 120 / view.zoom, before, 1e-9);
    for (int k = 0; k < 60; ++k) zoom_at(view, 2, 0, 0);
    EXPECT_EQ(view.zoom, kMaxZoom);
    for (int k = 0; k < 60; ++k) zoom_at(view, 0.5, 0, 0);
    EXPECT_EQ(view.zoom, kMinZoom);
    pan(view, 1e9, -1e9);
    settle(view, {800, 600, PixelFormat::rgba8, false}, {500, 500});
    EXPECT_EQ(view.center_x, 0);
    EXPECT_EQ(view.center_y, 600);
}

TEST(Views, KeysAndMouse) {
    const Model& model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 3);
    const View& view = driver.interface().view();
    EXPECT_TRUE(view.fit);
    const double fitted = view.zoom;
    driver.move_to("view:after");
    driver.wheel(3);
    driver.frames(model, 2);
    EXPECT_NEAR(view.zoom, fitted * 2, 1e-9);
    const double center = view.center_x;
    driver.press(0, true);
    driver.frame(model);
    driver.move_to("view:after", 0.75F);
    driver.frame(model);
    driver.press(0, false);
    driver.frame(model);
    EXPECT_LT(view.center_x, center);
    driver.hold_control(true);
    driver.tap(model, ImGuiKey_0);
    driver.hold_control(false);
    EXPECT_EQ(view.zoom, 1);
    driver.tap(model, ImGuiKey_F);
    EXPECT_TRUE(view.fit);
    driver.tap(model, ImGuiKey_DownArrow);
    ASSERT_NE(driver.last<StepImage>(), nullptr);
    EXPECT_EQ(driver.last<StepImage>()->by, 1);
    driver.hold(ImGuiKey_B, true);
    driver.frame(model);
    EXPECT_EQ(driver.find("view:after")->value, "original");
    driver.hold(ImGuiKey_B, false);
    EXPECT_NE(driver.find("Operator"), nullptr);
    driver.tap(model, ImGuiKey_Tab);
    EXPECT_EQ(driver.find("Operator"), nullptr);
    ASSERT_NE(driver.last<Hover>(), nullptr);
    EXPECT_TRUE(driver.last<Hover>()->inside);
}

TEST(Views, SingleKeysRestWhileAPanelHasTheFocus) {
    const Model& model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    driver.click(model, "Value range:auto");
    driver.tap(model, ImGuiKey_DownArrow);
    EXPECT_EQ(driver.last<StepImage>(), nullptr);
    driver.tap(model, ImGuiKey_Escape);
    driver.tap(model, ImGuiKey_DownArrow);
    EXPECT_NE(driver.last<StepImage>(), nullptr);
}

TEST(Notices, InfoGoesErrorsStay) {
    const Scene& s = scene("notices");
    Driver driver(1280, 800, 1);
    driver.frames(s.model, 60 * 5);
    EXPECT_EQ(driver.last<DismissNotice>(), nullptr);
    driver.frames(s.model, 60 * 2);
    ASSERT_NE(driver.last<DismissNotice>(), nullptr);
    EXPECT_EQ(driver.last<DismissNotice>()->id, 3U);
    driver.actions().clear();
    Model model = s.model;
    model.notices.pop_back();
    driver.click(model, "Dismiss");
    EXPECT_EQ(driver.last<DismissNotice>()->id, 1U);
}

}  // namespace
}  // namespace tonescope::ui
