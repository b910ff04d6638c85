// The grid: several values of a parameter beside each other.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

using Values = std::vector<int32_t>;

/// A driver of a scene in the grid.
struct Grid {
    explicit Grid(const char* name = "default", int width = 1600, int height = 1000)
        : model(scene(name).model), driver(width, height, 1) {
        driver.frames(model, 3);
        tap('7');
    }
    void tap(char letter) {
        driver.tap(model, key_of(letter));
        driver.frames(model, 2);
    }
    const GridAxis& shown() { return driver.interface().view().grid.columns; }
    const GridAxis& rows() { return driver.interface().view().grid.rows; }
    const ParamInfo* param(const char* id) const { return find_param(model.run.op->params, id); }

    Model model;
    Driver driver;
};

TEST(Grid, StartsWithTheMainParameterAroundItsValue) {
    Grid grid;
    EXPECT_EQ(grid.shown().param.info, grid.param("clip_limit"));
    EXPECT_EQ(grid.shown().values, (Values{150, 300, 600, 1200}));
    EXPECT_EQ(grid.driver.find("pane 1:Clip limit value")->value, "1.50 \u00d7 mean bin");
    EXPECT_NE(grid.driver.find("pane 2:in use"), nullptr) << "the value that is set";
    EXPECT_EQ(grid.driver.find("pane 2:button:Use"), nullptr);
    grid.tap('1');
    EXPECT_EQ(grid.shown().param.info, nullptr) << "nothing is computed for other modes";
    grid.tap('7');
    EXPECT_EQ(grid.shown().values, (Values{150, 300, 600, 1200}));
}

TEST(Grid, TakesTheParameterChangedLast) {
    Model model = scene("default").model;
    Driver driver(1600, 1000, 1);
    driver.frames(model, 3);
    driver.move_to("Tile size", 0.8F);
    driver.frame(model);
    driver.press(0, true);
    driver.frames(model, 2);
    driver.press(0, false);
    driver.frames(model, 2);
    ASSERT_NE(driver.last<SetParam>(), nullptr);
    driver.move_to("view:before");
    driver.frame(model);
    driver.press(0, true);
    driver.frame(model);
    driver.press(0, false);
    driver.frames(model, 2);
    driver.tap(model, key_of('7'));
    driver.frames(model, 2);
    EXPECT_EQ(driver.interface().view().grid.columns.param.info->id, "tile_size");
}

TEST(Grid, PanesShareTheView) {
    Grid grid;
    grid.driver.move_to("view:pane 3", 0.3F, 0.4F);
    grid.driver.wheel(6);
    grid.driver.frames(grid.model, 2);
    EXPECT_FALSE(grid.driver.interface().view().fit);
    const std::string zoom = grid.driver.find("view:pane 3")->value;
    for (const char* pane : {"view:pane 1", "view:pane 2", "view:pane 4"})
        EXPECT_EQ(grid.driver.find(pane)->value, zoom);
    const Widget& first = *grid.driver.find("view:pane 1");
    for (const char* name : {"view:pane 2", "view:pane 3", "view:pane 4"}) {
        EXPECT_EQ(grid.driver.find(name)->width, first.width);
        EXPECT_EQ(grid.driver.find(name)->height, first.height);
    }
    ASSERT_NE(grid.driver.last<Hover>(), nullptr);
    EXPECT_TRUE(grid.driver.last<Hover>()->inside);
    grid.driver.hold(ImGuiKey_L, true);
    grid.driver.frames(grid.model, 2);
    for (const char* loupe : {"loupe:pane 1", "loupe:pane 2", "loupe:pane 3", "loupe:pane 4"})
        EXPECT_NE(grid.driver.find(loupe), nullptr) << loupe;
}

TEST(Grid, ValuesAreUsedByButtonAndByKey) {
    Grid grid;
    ASSERT_TRUE(grid.driver.click(grid.model, "pane 3:button:Use"));
    ASSERT_NE(grid.driver.last<SetParam>(), nullptr);
    EXPECT_EQ(grid.driver.last<SetParam>()->info, grid.param("clip_limit"));
    EXPECT_EQ(grid.driver.last<SetParam>()->value, 600);
    grid.model.run.params.set(*grid.param("clip_limit"), 600);
    grid.driver.frames(grid.model, 2);
    EXPECT_NE(grid.driver.find("pane 3:in use"), nullptr);
    EXPECT_EQ(grid.shown().values, (Values{150, 300, 600, 1200})) << "the panes stay";
    grid.driver.hold_shift(true);
    grid.tap('1');
    grid.driver.hold_shift(false);
    EXPECT_EQ(grid.driver.last<SetParam>()->value, 150);
    grid.tap('G');
    EXPECT_EQ(grid.shown().values, (Values{300, 600, 1200, 2400})) << "around the value that is set";
}

TEST(Grid, ValuesAreChangedByMouseAndByKey) {
    Grid grid;
    ASSERT_TRUE(grid.driver.click(grid.model, "pane 4:Clip limit value"));
    grid.driver.frames(grid.model, 2);
    grid.driver.type("8");
    grid.driver.frame(grid.model);
    grid.driver.tap(grid.model, ImGuiKey_Enter);
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.shown().values, (Values{150, 300, 600, 800}));
    EXPECT_EQ(grid.driver.last<SetParam>(), nullptr) << "what is set stays";
    grid.driver.hold_control(true);
    grid.tap('1');
    grid.driver.hold_control(false);
    grid.driver.frames(grid.model, 2);
    grid.driver.type("0.5");
    grid.driver.frame(grid.model);
    grid.driver.tap(grid.model, ImGuiKey_Enter);
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.shown().values, (Values{50, 300, 600, 800}));
    grid.driver.click(grid.model, "pane 2:Clip limit", 0);
    EXPECT_NE(grid.shown().values[1], 300);
    EXPECT_EQ(grid.driver.last<SetParam>(), nullptr);
}

TEST(Grid, TwoToFourPanesAndTheImage) {
    Grid grid;
    ASSERT_TRUE(grid.driver.click(grid.model, "Panes"));
    ASSERT_TRUE(grid.driver.click(grid.model, "Panes:2"));
    EXPECT_EQ(grid.shown().values, (Values{150, 300}));
    EXPECT_EQ(grid.driver.find("view:pane 3"), nullptr);
    EXPECT_EQ(grid.driver.interface().settings().grid_panes, 2);
    grid.driver.type("]");
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.shown().values, (Values{150, 300, 600}));
    grid.tap('I');
    EXPECT_TRUE(grid.driver.interface().settings().grid_image);
    EXPECT_EQ(grid.shown().values, (Values{150, 300}));
    EXPECT_NE(grid.driver.find("view:pane 3"), nullptr);
    EXPECT_EQ(grid.driver.find("pane 1:Clip limit"), nullptr) << "it shows the image";
    grid.driver.hold_shift(true);
    grid.tap('1');
    EXPECT_EQ(grid.driver.last<SetParam>(), nullptr) << "which has no value to use";
    grid.tap('2');
    grid.driver.hold_shift(false);
    ASSERT_NE(grid.driver.last<SetParam>(), nullptr);
    EXPECT_EQ(grid.driver.last<SetParam>()->value, 150);
}

TEST(Grid, OneStepFromAParameterOfThePalette) {
    Grid grid;
    grid.tap('1');
    grid.driver.run_command(grid.model, "values color");
    EXPECT_EQ(grid.driver.interface().view().mode, "grid");
    EXPECT_EQ(grid.shown().param.info, grid.param("color"));
    EXPECT_EQ(grid.shown().values, (Values{0, 1, 2, 3})) << "the first choices";
    ASSERT_TRUE(grid.driver.click(grid.model, "pane 3:button:Use"));
    EXPECT_EQ(grid.driver.last<SetParam>()->value, 2);
    ASSERT_TRUE(grid.driver.click(grid.model, "Grid parameter"));
    ASSERT_TRUE(grid.driver.click(grid.model, "Grid parameter:Tile size"));
    EXPECT_EQ(grid.shown().param.info, grid.param("tile_size"));
    EXPECT_EQ(grid.shown().values, (Values{32, 64, 128, 256}));
}

TEST(Grid, AParameterThatStopsToMatterIsLeft) {
    Grid grid;
    EXPECT_EQ(grid.shown().param.info, grid.param("clip_limit"));
    grid.model.run.params.set(*grid.param("clip_unit"), 1);
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.shown().param.info, grid.param("clip_count"));
    grid.model.run.op = find_operator("kuwahara");
    grid.model.run.params = default_values(grid.model.run.op->params);
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.shown().param.info, grid.param("radius"));
    EXPECT_EQ(grid.shown().values, (Values{2, 4, 8, 16}));
}

TEST(Grid, ASecondParameterHasRows) {
    Grid grid("several values of two parameters");
    settle_scene(grid.driver, scene("several values of two parameters"));
    EXPECT_EQ(grid.shown().values, (Values{150, 300, 600, 1200}));
    EXPECT_EQ(grid.rows().param.info, grid.param("tile_size"));
    EXPECT_EQ(grid.rows().values, (Values{32, 64, 128}));
    EXPECT_NE(grid.driver.find("view:pane 12"), nullptr);
    EXPECT_EQ(grid.driver.find("view:pane 13"), nullptr);
    EXPECT_NE(grid.driver.find("pane 6:in use"), nullptr) << "both values are set";
    const Widget& second = *grid.driver.find("view:pane 2");
    EXPECT_EQ(grid.driver.find("view:pane 10")->x, second.x) << "below each other";
    // The status line speaks of the pane under the mouse.
    grid.driver.move_to("view:pane 9");
    grid.model.views.pixel = PixelInfo{1, 2, {3, {7, 8, 9}}, {3, {50, 60, 70}}};
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.driver.find("status:value")->value, "") << "of another pixel";
    const Hover at = *grid.driver.last<Hover>();
    grid.model.views.pixel->x = at.x;
    grid.model.views.pixel->y = at.y;
    grid.driver.frame(grid.model);
    EXPECT_EQ(grid.driver.find("status:value")->value, "7 8 9 > 150 2 3");
    EXPECT_EQ(grid.driver.find("status:pane")->value, "Clip limit 1.50 \u00d7 mean bin, Tile size 128 px");
    // Both values are used, in one step to undo.
    grid.driver.actions().clear();
    grid.tap('U');
    std::vector<SetParam> set;
    for (const Action& action : grid.driver.actions())
        if (const auto* param = std::get_if<SetParam>(&action)) set.push_back(*param);
    ASSERT_EQ(set.size(), 2U);
    EXPECT_EQ(set[0].value, 150);
    EXPECT_EQ(set[1].value, 128);
    EXPECT_EQ(set[0].gesture, set[1].gesture);
    EXPECT_NE(set[0].gesture, 0U);

    ASSERT_TRUE(grid.driver.click(grid.model, "Rows"));
    ASSERT_TRUE(grid.driver.click(grid.model, "Rows:2"));
    EXPECT_EQ(grid.rows().values, (Values{32, 64}));
    EXPECT_EQ(grid.driver.interface().settings().grid_rows, 2);
    ASSERT_TRUE(grid.driver.click(grid.model, "row 2:Tile size value"));
    grid.driver.frames(grid.model, 2);
    grid.driver.type("200");
    grid.driver.frame(grid.model);
    grid.driver.tap(grid.model, ImGuiKey_Enter);
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.rows().values, (Values{32, 200}));
    ASSERT_TRUE(grid.driver.click(grid.model, "Row parameter"));
    ASSERT_TRUE(grid.driver.click(grid.model, "Row parameter:Clip limit"));
    EXPECT_EQ(grid.shown().param.info, grid.param("tile_size")) << "the two change places";
    EXPECT_EQ(grid.rows().param.info, grid.param("clip_limit"));
    ASSERT_TRUE(grid.driver.click(grid.model, "Row parameter"));
    ASSERT_TRUE(grid.driver.click(grid.model, "Row parameter:One row"));
    EXPECT_EQ(grid.rows().param.info, nullptr);
    EXPECT_NE(grid.driver.find("pane 1:Tile size"), nullptr);
    // The columns' own parameter goes to the rows with its values, and the columns take another one.
    const Values values = grid.shown().values;
    ASSERT_TRUE(grid.driver.click(grid.model, "Row parameter"));
    ASSERT_TRUE(grid.driver.click(grid.model, "Row parameter:Tile size"));
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.rows().param.info, grid.param("tile_size"));
    EXPECT_TRUE(std::ranges::equal(grid.rows().values, std::span(values).first(grid.rows().values.size())));
    EXPECT_EQ(grid.shown().param.info, grid.param("clip_limit"));
}

/// Whatever has room for it: in a smaller font, or in several lines.
TEST(Grid, ValuesOfManyColumnsAreWhole) {
    const Model model = scene("sheet").model;
    for (const char* param : {"clip_limit", "color"})
        for (const auto& [width, height, scale] : {std::tuple(1280, 720, 1.0F), {2560, 1440, 2.0F}, {1600, 900, 1.0F}})
            for (int columns = 4; columns <= kMaxPanes; ++columns) {
                SCOPED_TRACE(std::string(param) + ", " + std::to_string(columns) + " columns, " +
                             std::to_string(width));
                Driver driver(width, height, scale);
                Settings settings = driver.interface().settings();
                settings.grid_panes = columns;
                driver.interface().set_settings(settings);
                driver.frames(model, 3);
                driver.tap(model, key_of('7'));
                driver.frames(model, 2);
                driver.click(model, "Row parameter");
                driver.click(model, "Row parameter:Tile size");
                driver.frames(model, 3);
                driver.run_command(model, std::string("values ") + param);
                driver.frames(model, 3);
                const GridAxis& axis = driver.interface().view().grid.columns;
                ASSERT_EQ(axis.param.info->id, param);
                size_t said = 0;
                for (size_t k = 0; k < axis.values.size(); ++k) {
                    const Widget* value = driver.find("column " + std::to_string(k + 1) + ":value");
                    if (value == nullptr) continue;  // it has a slider
                    ++said;
                    EXPECT_EQ(value->value, format_value(*axis.param.info, axis.values[k]));
                }
                EXPECT_TRUE(width != 1280 || columns < 7 || said == axis.values.size()) << said;
            }
}

TEST(Grid, ManyValuesOfTwoParameters) {
    Grid grid("sheet");
    settle_scene(grid.driver, scene("sheet"));
    EXPECT_EQ(grid.shown().values.size(), 12U);
    EXPECT_EQ(grid.rows().values.size(), 12U);
    EXPECT_NE(grid.driver.find("view:pane 144"), nullptr);
    EXPECT_EQ(grid.driver.find("view:pane 145"), nullptr);
    EXPECT_EQ(grid.driver.interface().view().grid.figure, find_figure("entropy"));
    const Widget& corner = *grid.driver.find("view:pane 144");
    EXPECT_GT(corner.width, 20);
    EXPECT_LE(corner.y + corner.height, 1000);
    EXPECT_EQ(grid.driver.find("pane 1:figure")->value, "4.000");
    EXPECT_EQ(grid.driver.find("pane 144:figure")->value, "none");
    EXPECT_EQ(grid.driver.find("pane 100:figure"), nullptr) << "it is not known yet";
    EXPECT_EQ(grid.driver.find("pane 1:button:Use"), nullptr) << "small panes have no heads";
}

TEST(Grid, AClickTakesACellOver) {
    Grid grid("several values");
    ASSERT_TRUE(grid.driver.click(grid.model, "view:pane 3"));
    ASSERT_NE(grid.driver.last<SetParam>(), nullptr);
    EXPECT_EQ(grid.driver.last<SetParam>()->value, 600);
    EXPECT_EQ(grid.driver.last<PinResult>(), nullptr);
    grid.driver.actions().clear();
    ASSERT_TRUE(grid.driver.click(grid.model, "view:pane 2"));
    EXPECT_EQ(grid.driver.last<SetParam>(), nullptr) << "it is in use";
    // A drag moves the view.
    grid.driver.move_to("view:pane 1", 0.3F, 0.5F);
    grid.driver.frame(grid.model);
    grid.driver.press(0, true);
    grid.driver.frame(grid.model);
    grid.driver.move_to("view:pane 1", 0.6F, 0.5F);
    grid.driver.frame(grid.model);
    grid.driver.press(0, false);
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.driver.last<SetParam>(), nullptr);
    // With Shift, what was in use is pinned, and both are seen beside each other.
    grid.driver.hold_shift(true);
    ASSERT_TRUE(grid.driver.click(grid.model, "view:pane 1"));
    grid.driver.hold_shift(false);
    grid.driver.frames(grid.model, 2);
    EXPECT_NE(grid.driver.last<PinResult>(), nullptr);
    ASSERT_NE(grid.driver.last<SetParam>(), nullptr);
    EXPECT_EQ(grid.driver.last<SetParam>()->value, 150);
    EXPECT_EQ(grid.driver.interface().view().mode, "side-by-side");
}

TEST(Grid, AFigureOfOneParameterIsACurve) {
    Grid grid("several values");
    EXPECT_EQ(grid.driver.find("grid:curve"), nullptr);
    ASSERT_TRUE(grid.driver.click(grid.model, "Pane figure"));
    ASSERT_TRUE(grid.driver.click(grid.model, "Pane figure:Noise gain"));
    EXPECT_EQ(grid.driver.interface().settings().grid_figure, "noise_gain");
    EXPECT_EQ(grid.driver.interface().view().grid.figure, find_figure("noise_gain"));
    for (GridCell& cell : grid.model.views.grid.cells) {
        cell.is_measured = &cell != &grid.model.views.grid.cells[3];
        cell.figure = 1.25;
    }
    grid.model.views.grid.view.figure = find_figure("noise_gain");
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.driver.find("grid:curve")->value, "3 of 4");
    EXPECT_EQ(grid.driver.find("pane 1:figure")->value, "1.25");
    EXPECT_EQ(grid.driver.find("pane 4:figure"), nullptr);
    ASSERT_TRUE(grid.driver.click(grid.model, "grid:map"));
    EXPECT_EQ(grid.driver.find("grid:curve"), nullptr);
    ASSERT_TRUE(grid.driver.click(grid.model, "Pane figure"));
    ASSERT_TRUE(grid.driver.click(grid.model, "Pane figure:No figure"));
    EXPECT_EQ(grid.driver.interface().view().grid.figure, nullptr);
}

TEST(Grid, APlotHasNone) {
    Grid grid("plot");
    EXPECT_FALSE(grid.driver.find("mode:grid")->enabled);
    EXPECT_EQ(grid.shown().param.info, nullptr);
}

TEST(Grid, TimesErrorsAndWorkShow) {
    Grid grid("several values");
    EXPECT_EQ(grid.driver.find("pane 1:time")->value, "12.3 ms");
    EXPECT_EQ(grid.driver.find("pane 3:time")->value, "failed");
    EXPECT_EQ(grid.driver.find("pane 4:time")->value, "") << "not yet 0.2 s";
    grid.model.work.busy = true;
    grid.model.work.seconds = 0.3;
    grid.driver.frames(grid.model, 2);
    EXPECT_EQ(grid.driver.find("pane 4:time")->value, "busy");
    EXPECT_EQ(grid.driver.find("pane 1:time")->value, "12.3 ms");
    ASSERT_TRUE(grid.driver.click(grid.model, "button:Cancel"));
    EXPECT_NE(grid.driver.last<CancelWork>(), nullptr);
}

TEST(Parameters, AreResetByTheKeyboard) {
    Model model = scene("default").model;
    const ParamInfo* limit = find_param(model.run.op->params, "clip_limit");
    model.run.params.set(*limit, 700);
    Driver driver(1280, 800, 1);
    driver.frames(model, 3);
    driver.tap(model, ImGuiKey_F6);
    driver.tap(model, ImGuiKey_UpArrow);  // from the buttons below to the first item
    for (int steps = 0; steps < 30 && driver.last<SetParam>() == nullptr; ++steps) {
        driver.tap(model, ImGuiKey_DownArrow);
        driver.frame(model);
        driver.tap(model, ImGuiKey_Delete);
        driver.frame(model);
    }
    ASSERT_NE(driver.last<SetParam>(), nullptr) << "the arrows lead to the parameter";
    EXPECT_EQ(driver.last<SetParam>()->info, limit) << "the others have their defaults";
    EXPECT_EQ(driver.last<SetParam>()->value, limit->default_value);
}

TEST(Parameters, SayWhatTheirValueComesToWithoutTheMouseMovingAgain) {
    const Model model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 3);
    driver.move_to("Clip limit");
    driver.frame(model);
    int frames = 0;
    while (driver.interface().animating() && ++frames < 200) driver.frame(model);
    ASSERT_NE(driver.find("tooltip"), nullptr) << "an idle window draws nothing more";
    EXPECT_NE(driver.find("tooltip")->value.find("at most 48 of a tile's 4096 pixels"), std::string::npos);
    EXPECT_NE(driver.find("tooltip")->value.find("OpenCV: clipLimit 3"), std::string::npos);
}

TEST(Presets, AreExportedAndImported) {
    Model model = scene("presets").model;
    Driver driver(1280, 800, 1);
    settle_scene(driver, scene("presets"));
    ASSERT_TRUE(driver.click(model, "button:Export..."));
    driver.frames(model, 3);
    ASSERT_NE(driver.last<BrowseTo>(), nullptr);
    EXPECT_EQ(driver.last<BrowseTo>()->kinds, kPresetFiles);
    EXPECT_EQ(driver.find("Preset name"), nullptr) << "one dialog at a time";
    EXPECT_EQ(driver.find("File name")->value, "Strong.json");
    ASSERT_TRUE(driver.click(model, "button:Save"));
    ASSERT_NE(driver.last<ExportPreset>(), nullptr);
    EXPECT_EQ(driver.last<ExportPreset>()->name, "Strong");
    EXPECT_EQ(driver.last<ExportPreset>()->path, model.browser.folder + "/Strong.json");
    model.saving.question.path = driver.last<ExportPreset>()->path;
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "button:Replace"));
    EXPECT_NE(driver.last<ReplaceFile>(), nullptr);
    model.saving.question.path.clear();
    driver.frames(model, 3);

    driver.tap_with_control(model, ImGuiKey_P);
    ASSERT_TRUE(driver.click(model, "button:Import..."));
    model.browser.entries = {{"friend.json", false, 120, "2026-03-01 14:05", {}}};
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "entry:friend.json"));
    ASSERT_TRUE(driver.click(model, "button:Import"));
    ASSERT_NE(driver.last<ImportPreset>(), nullptr);
    EXPECT_EQ(driver.last<ImportPreset>()->path, model.browser.folder + "/friend.json");
}

}  // namespace
}  // namespace tonescope::ui
