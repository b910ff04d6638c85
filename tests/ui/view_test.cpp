// View modes, and what lies over the views.
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/core/text.h"
#include "tests/ui/view_mode_test.h"
#include "ui/views/view_modes.h"
#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

TEST(Modes, KeysAndClicksChoose) {
    Model model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 3);
    for (const ViewModeInfo& mode : view_modes()) {
        driver.tap(model, key_of(mode.keys[0]));
        driver.frame(model);
        EXPECT_EQ(driver.interface().view().mode, mode.id);
        EXPECT_EQ(driver.find("mode")->value, mode.id);
    }
    for (const ViewModeInfo& mode : view_modes()) {
        ASSERT_TRUE(driver.click(model, "mode:" + std::string(mode.id)));
        EXPECT_EQ(driver.interface().view().mode, mode.id);
    }
}

TEST(Modes, TheImagesShapeChoosesAtFirst) {
    const auto mode_for = [](int width, int height, int window_width) {
        Model model = scene("default").model;
        model.views.before = model.views.after = no_upload({nullptr, 0, {width, height, PixelFormat::gray8, false}});
        Driver driver(window_width, 720, 1);
        driver.frames(model, 3);
        return driver.interface().view().mode;
    };
    EXPECT_EQ(mode_for(1500, 1000, 1280), "stacked");
    EXPECT_EQ(mode_for(1000, 1500, 1280), "side-by-side");
    EXPECT_EQ(mode_for(1500, 1000, 2560), "side-by-side");
}

TEST(Modes, StepsThroughAFolderKeepTheLayout) {
    Model model = scene("default").model;
    const auto show = [&](int width, int height) {
        model.views.before = model.views.after = no_upload({nullptr, 0, {width, height, PixelFormat::gray8, false}});
    };
    Driver driver(1280, 720, 1);
    show(1500, 1000);
    driver.frames(model, 3);
    EXPECT_EQ(driver.interface().view().mode, "stacked");
    show(1000, 1500);
    driver.frames(model, 3);
    EXPECT_EQ(driver.interface().view().mode, "stacked") << "a step to the next image";
    ++model.views.before_subject.opening;
    driver.frames(model, 3);
    EXPECT_EQ(driver.interface().view().mode, "side-by-side") << "something else was opened";
}

TEST(Modes, ALongImageIsAPixelThick) {
    Model model = scene("default").model;
    Picture& before = model.views.before;
    before = model.views.after = no_upload({nullptr, 0, {30000, 20, PixelFormat::gray8, false}});
    before.tiles[0].texture = 1001;
    model.images.entries.resize(1);
    model.images.entries[0].thumbnail = before;
    model.images.entries[0].thumbnail.tiles[0].texture = 1002;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("status:zoom")->value, "2.2 %");
    EXPECT_EQ(texture_height(1001), 1) << "in the view";
    EXPECT_EQ(texture_height(1002), 1) << "in the list";
    before = model.views.after = no_upload({nullptr, 0, {65535, 1, PixelFormat::gray8, false}});
    driver.frames(model, 3);
    EXPECT_EQ(driver.interface().view().visible.width, 65535) << "it fits";
    EXPECT_EQ(driver.find("status:zoom")->value, "1.0 %");
    EXPECT_EQ(texture_height(1), 1);
    driver.move_to("view:after");
    driver.wheel(3);
    driver.frames(model, 3);
    ASSERT_NE(driver.find("minimap"), nullptr);
    EXPECT_EQ(texture_height(1), 1) << "in the map too";
}

TEST(Modes, TheViewStaysTheSame) {
    InMode at('1');
    at.driver.move_to("view:before", 0.3F, 0.3F);
    at.driver.wheel(6);
    at.driver.frames(at.model, 2);
    const View before = at.view();
    for (const ViewModeInfo& mode : view_modes()) {
        at.driver.tap(at.model, key_of(mode.keys[0]));
        at.driver.frame(at.model);
        EXPECT_EQ(at.view().zoom, before.zoom) << mode.id;
        EXPECT_EQ(at.view().center_x, before.center_x) << mode.id;
        EXPECT_EQ(at.view().center_y, before.center_y) << mode.id;
    }
}

TEST(Modes, APlotHasNothingToLieOver) {
    InMode at('6', "plot");
    EXPECT_NE(at.driver.find("view:before"), nullptr);
    EXPECT_EQ(at.driver.find("view:difference"), nullptr);
    EXPECT_FALSE(at.driver.find("mode:wipe")->enabled);
    at.driver.click(at.model, "mode:flicker");
    EXPECT_EQ(at.driver.find("view:flicker"), nullptr);
    at.driver.tap(at.model, key_of('5'));
    at.driver.frame(at.model);
    EXPECT_EQ(at.driver.find("view:before"), nullptr);
    EXPECT_NE(at.driver.find("view:after"), nullptr);
}

TEST(Modes, TheOriginalShowsInEachOfThem) {
    for (const auto& [digit, label] : {std::pair{'2', "view:after"},
                                       {'3', "view:wipe"},
                                       {'4', "view:flicker"},
                                       {'5', "view:after"},
                                       {'6', "view:difference"}}) {
        InMode at(digit);
        at.driver.hold(ImGuiKey_B, true);
        at.driver.frame(at.model);
        EXPECT_EQ(at.value(label), "original") << digit;
    }
}

TEST(Wipe, TheLineFollowsTheMouse) {
    InMode at('3');
    const Widget view = *at.driver.find("view:wipe");
    const ImVec2 line = at.middle("wipe:line");
    EXPECT_NEAR(line.x, view.x + view.width / 2, 1);
    const View before = at.view();
    at.drag({line.x, view.y + view.height * 0.2F}, {line.x - 120, view.y + view.height * 0.25F});
    EXPECT_NEAR(at.middle("wipe:line").x, line.x - 120, 1);
    EXPECT_EQ(at.view().center_x, before.center_x) << "the image stays";
    at.drag({line.x + 100, line.y}, {line.x + 150, line.y});
    EXPECT_NEAR(at.middle("wipe:line").x, line.x - 120, 1) << "away from the line the image moves";
    EXPECT_LT(at.view().center_x, before.center_x);
}

TEST(Wipe, TurnsAndSwaps) {
    InMode at('3');
    EXPECT_EQ(at.value("view:wipe"), "90");
    const ImVec2 line = at.middle("wipe:line");
    const ImVec2 grip = at.middle("wipe:turn");
    const float far = std::hypot(grip.x - line.x, grip.y - line.y);
    const float turn = 20 * 3.14159265F / 180;
    at.drag(grip, {line.x + far * std::cos(turn), line.y + far * std::sin(turn)});
    EXPECT_EQ(at.value("view:wipe"), "20");
    EXPECT_NEAR(at.middle("wipe:line").x, line.x, 1);
    at.drag(at.middle("wipe:turn"), {line.x + far, line.y + 2});
    EXPECT_EQ(at.value("view:wipe"), "0") << "it snaps to the horizontal";
    at.driver.tap(at.model, key_of('R'));
    at.driver.frame(at.model);
    EXPECT_EQ(at.value("view:wipe"), "45");
    ASSERT_TRUE(at.driver.click(at.model, "wipe:turn by 45"));
    EXPECT_EQ(at.value("view:wipe"), "90");
    at.driver.tap(at.model, key_of('X'));
    at.driver.frame(at.model);
    EXPECT_EQ(at.value("view:wipe"), "90 swapped");
    ASSERT_TRUE(at.driver.click(at.model, "wipe:swap"));
    EXPECT_EQ(at.value("view:wipe"), "90");
}

TEST(Wipe, EachSideShowsItsPicture) {
    Model model = scene("default").model;
    model.images.entries.clear();
    model.images.current = -1;
    model.views.before.tiles[0].texture = 1001;
    model.views.after.tiles[0].texture = 1002;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    driver.tap(model, key_of('3'));
    driver.frames(model, 2);
    const Widget& line = *driver.find("wipe:line");
    const float x = line.x + line.width / 2 - 1;
    EXPECT_GT(textured_left_of(x, 1001), 0);
    EXPECT_EQ(textured_left_of(x, 1002), 0);
    driver.tap(model, key_of('X'));
    driver.frame(model);
    EXPECT_EQ(textured_left_of(x, 1001), 0);
    EXPECT_GT(textured_left_of(x, 1002), 0);
}

TEST(Flicker, TakesTurnsAtTheInterval) {
    InMode at('4');
    EXPECT_TRUE(at.driver.interface().animating());
    int changes = 0;
    std::string shown = at.value("view:flicker");
    for (int frame = 0; frame < 60 * 4; ++frame) {  // 4 s at half a second each
        at.driver.frame(at.model);
        changes += at.value("view:flicker") != shown;
        shown = at.value("view:flicker");
    }
    EXPECT_NEAR(changes, 8, 1);
    at.driver.tap(at.model, ImGuiKey_Space);
    at.driver.frames(at.model, 40);
    shown = at.value("view:flicker");
    EXPECT_FALSE(at.driver.interface().animating()) << "an idle window draws nothing";
    for (int frame = 0; frame < 120; ++frame) {
        at.driver.frame(at.model);
        ASSERT_EQ(at.value("view:flicker"), shown);
    }
    EXPECT_EQ(at.value("flicker:interval"), "0.50 s");
    at.driver.type("]");
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("flicker:interval"), "0.71 s");
    at.driver.click(at.model, "flicker:interval", 1);
    at.driver.frame(at.model);
    EXPECT_EQ(at.value("flicker:interval"), "0.50 s");
}

TEST(Minimap, ShowsOnlyWhenAPartIsVisibleAndMovesTheView) {
    InMode at('5');
    EXPECT_EQ(at.driver.find("minimap"), nullptr);
    at.driver.move_to("view:after");
    at.driver.wheel(9);
    at.driver.frames(at.model, 3);
    ASSERT_NE(at.driver.find("minimap"), nullptr);
    const double zoom = at.view().zoom;
    const Widget map = *at.driver.find("minimap");
    at.drag({map.x + map.width / 2, map.y + map.height / 2}, {map.x + map.width * 0.25F, map.y + map.height * 0.75F});
    EXPECT_EQ(at.view().zoom, zoom);
    EXPECT_NEAR(at.view().center_x, at.model.views.before.spec.width * 0.25, at.model.views.before.spec.width * 0.02);
    EXPECT_NEAR(at.view().center_y, at.model.views.before.spec.height * 0.75, at.model.views.before.spec.height * 0.02);
    EXPECT_TRUE(at.view().minified) << "the map itself is drawn small";
}

TEST(View, SaysWhenTheResultIsOfEarlierSettings) {
    InMode at('1');
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.driver.find("result:earlier"), nullptr);
    at.model.views.after_is_stale = at.model.work.busy = true;
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.driver.find("result:earlier"), nullptr) << "the run may still come to its end";
    at.model.work.busy = false;
    at.driver.frames(at.model, 2);
    EXPECT_NE(at.driver.find("result:earlier"), nullptr);
    at.model.views.after = {};
    at.driver.frames(at.model, 2);
    EXPECT_NE(at.driver.find("result:earlier"), nullptr) << "stopped before the first result";
}

TEST(Loupe, ShowsBothWhileItsKeyIsHeld) {
    InMode at('5');
    at.driver.move_to("view:after", 0.4F, 0.5F);
    at.driver.frame(at.model);
    EXPECT_EQ(at.driver.find("loupe:after"), nullptr);
    at.driver.hold(ImGuiKey_L, true);
    at.driver.frames(at.model, 2);
    ASSERT_NE(at.driver.find("loupe:before"), nullptr);
    ASSERT_NE(at.driver.find("loupe:after"), nullptr);
    const double zoom = at.view().zoom;
    const double magnified = std::stod(at.value("loupe:after"));
    EXPECT_GT(magnified, zoom);
    at.driver.wheel(3);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.view().zoom, zoom) << "the wheel belongs to the loupe";
    EXPECT_GT(std::stod(at.value("loupe:after")), magnified);
    at.driver.hold(ImGuiKey_L, false);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.driver.find("loupe:after"), nullptr);
}

// Captions ----------------------------------------------------------------------------------------------------------

TEST(Captions, TheTimeStaysLongerThanTheVariantAndTheDefaults) {
    const Caption caption = caption_of(scene("default").model.views.after_subject);
    std::vector<std::string> left;
    for (Caption rest = caption; !rest.parts.empty();) left.push_back(rest.drop_least());
    ASSERT_EQ(left.size(), 4U) << caption.text();
    EXPECT_EQ(left[0], kDefaultValues);
    EXPECT_EQ(left[1], scene("default").model.run.variant->name);
    EXPECT_TRUE(left[2].ends_with(" ms")) << left[2];
    EXPECT_EQ(left[3], "CLAHE");
}

TEST(Captions, UnitsGoBeforeTheTimeAndAnyParameter) {
    PictureSubject subject = scene("default").model.views.after_subject;
    subject.run->params.set(*find_param(subject.run->op->params, "tile_size"), 32);
    subject.run->params.set(*find_param(subject.run->op->params, "clip_limit"), 650);
    Caption caption = caption_of(subject);
    EXPECT_EQ(caption.drop_least(), subject.run->variant->name);
    EXPECT_TRUE(caption.text().starts_with("CLAHE, Tile size 32 px, Clip limit 6.50 \u00d7 mean bin, "))
        << caption.text();
    EXPECT_EQ(caption.drop_least(), " px \u00d7 mean bin");
    EXPECT_TRUE(caption.text().starts_with("CLAHE, Tile size 32, Clip limit 6.50, ")) << caption.text();
    EXPECT_TRUE(caption.drop_least().ends_with(" ms"));
    EXPECT_EQ(caption.drop_least(), "Clip limit 6.50");
}

TEST(Captions, AreWholeInAPictureOfTheViews) {
    for (const char mode : {'1', '2', '3', '5', '7'})
        for (const int width : {700, 900, 1280}) {
            SCOPED_TRACE(std::string(1, mode) + " at " + std::to_string(width));
            Model model = scene("default").model;
            Driver driver(width, 720, 1);
            driver.frames(model, 3);
            driver.tap(model, key_of(mode));
            driver.frames(model, 2);
            model.views.picturing = true;
            driver.frames(model, 3);
            std::string all;
            for (const DrawnText& text : drawn_texts(driver, model)) {
                if (text.window != "##views") continue;
                all += text.text;
                EXPECT_EQ(text.text.find("\u2026"), std::string::npos) << text.text;
                EXPECT_LE(text.area.bottom(), text.clip.bottom() + 1) << text.text;
            }
            EXPECT_NE(all.find("CLAHE"), std::string::npos) << "the captions are there";
        }
}

TEST(KeptView, ComesBackInAnotherWindow) {
    Model model = scene("default").model;
    const auto change = [&](Driver& driver) {
        driver.frames(model, 3);
        driver.tap(model, key_of('6'));
        driver.run_command(model, "Difference: automatic or fixed gain");
        driver.tap(model, key_of('3'));
        driver.run_command(model, "Wipe: turn the line");
        driver.run_command(model, "Wipe: swap the sides");
        driver.tap(model, key_of('7'));
        driver.run_command(model, "Select the visible part");
        driver.run_command(model, "Stripes over clipped pixels");
        driver.run_command(model, "Zoom to 200");
        driver.frames(model, 3);
    };
    KeptView kept;
    Settings settings;
    GridView grid;
    {
        Driver first(1280, 800, 1);
        change(first);
        kept = first.interface().kept_view();
        settings = first.interface().settings();
        grid = first.interface().view().grid;
    }
    EXPECT_FALSE(kept.fit);
    EXPECT_EQ(kept.zoom, 2);
    EXPECT_GT(kept.selection.width, 0);
    EXPECT_TRUE(kept.clipping_marked);
    EXPECT_EQ(kept.modes.at("wipe").at("swapped"), (std::variant<bool, double, std::string>(true)));
    EXPECT_EQ(kept.modes.at("difference").at("automatic_gain"), (std::variant<bool, double, std::string>(false)));
    EXPECT_TRUE(kept.modes.at("grid").contains("columns"));

    Driver second(1280, 800, 1);
    second.frames(model, 3);
    EXPECT_NE(second.interface().kept_view(), kept);
    second.interface().set_settings(settings);
    const uint64_t image = model.views.before_subject.image++;
    second.interface().restore_view(kept, image);
    second.frames(model, 3);
    EXPECT_TRUE(second.interface().kept_view().fit) << "its image is not there yet";
    model.views.before_subject.image = image;
    second.frames(model, 3);
    EXPECT_EQ(second.interface().kept_view(), kept);
    EXPECT_EQ(second.interface().view().grid, grid);
    second.tap(model, key_of('F'));
    second.frames(model, 2);
    EXPECT_TRUE(second.interface().view().fit) << "it is taken once";
}

TEST(KeptView, WhatLiesOutsideOfTheImageIsCutOff) {
    Model model = scene("default").model;
    Driver driver(1280, 800, 1);
    const ImageSpec& spec = model.views.before.spec;
    KeptView kept{false, 1e9, -50, 1e9, {spec.width - 10, -5, 65535, 20}, false, Pixel{spec.width, 0}, {}};
    kept.modes["grid"] = {{"columns", "clip_limit=1,no number,99999"}, {"rows", "unknown=3"}};
    driver.interface().restore_view(kept, model.views.before_subject.image);
    driver.frames(model, 3);
    const KeptView now = driver.interface().kept_view();
    EXPECT_EQ(now.selection, (Rect{spec.width - 10, 0, 10, 15}));
    EXPECT_FALSE(now.explained);
    EXPECT_GE(now.center_x, 0);
    EXPECT_LE(now.center_y, spec.height);
    EXPECT_EQ(now.zoom, kMaxZoom);
    driver.tap(model, key_of('7'));
    driver.frames(model, 2);
    EXPECT_FALSE(driver.interface().view().grid.has_rows());
}

TEST(Caption, ANumberOfAChoiceHasItsName) {
    Model model = scene("default").model;
    model.run.params.set(*find_param(model.run.op->params, "no_data"), 3);
    int told = 0;
    for (const ParamPlace& param : active_params(model.run)) {
        if (param.choice == nullptr) {
            EXPECT_EQ(param.name(), param.info->label);
            EXPECT_EQ(param.text(param.info->max), param_text(*param.info, param.info->max));
            continue;
        }
        ++told;
        EXPECT_EQ(param.name(), "No data value");
        EXPECT_EQ(param.text(7), "No data 7");
    }
    EXPECT_EQ(told, 1);
}

TEST(Caption, AChoiceThatNamesANumberIsToldByIt) {
    int told = 0;
    for (const OperatorInfo* op : operators())
        for (const ParamInfo& number : op->params)
            for (const ParamInfo& choice : op->params) {
                if (number.active_if != choice.id ||
                    lower_case(number.label) != choice.values[size_t(number.active_value)])
                    continue;
                ParamBlock params = default_values(op->params);
                params.set(choice, number.active_value);
                params.set(number, 12);
                const std::vector<Caption::Part> changed = changed_params(op->params, params);
                ASSERT_EQ(changed.size(), 1U);
                EXPECT_EQ(changed.front().text, std::string(choice.label) + " 12");
                ++told;
            }
    EXPECT_GT(told, 0);
}

}  // namespace
}  // namespace tonescope::ui
