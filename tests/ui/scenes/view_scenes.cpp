#include "tests/ui/scenes/view_scenes.h"

#include <algorithm>

#include "tests/ui/scenes/scene_model.h"

namespace tonescope::ui {
namespace {

/// Types the key of a mode and then others.
std::function<void(Driver&, const Model&)> type_keys(std::string keys) {
    return [keys = std::move(keys)](Driver& driver, const Model& model) {
        driver.frames(model, 3);
        for (const char key : keys) {
            if ((key >= 'A' && key <= 'Z') || (key >= '0' && key <= '9'))
                driver.tap(model, key_of(key));
            else
                driver.type(std::string_view(&key, 1));
            driver.frame(model);
        }
        driver.frames(model, 3);
    };
}

PixelBlock numbers(const Rect& region, int seed) {
    PixelBlock block{.region = region, .channels = 3, .values = {}};
    for (int y = 0; y < region.height; ++y)
        for (int x = 0; x < region.width; ++x) {
            const auto v = static_cast<uint8_t>(90 + (x * 31 + y * 17 + x * y * seed) % 120);
            block.values.push_back({v, static_cast<uint8_t>(v + 9), static_cast<uint8_t>(v - 12), 255});
        }
    return block;
}

}  // namespace

void add_view_scenes(std::vector<Scene>& scenes, const Model& base, const Picture& plot) {
    const auto add = [&](const char* name, const Model& model, std::vector<std::string> labels,
                         std::function<void(Driver&, const Model&)> act) {
        scenes.push_back({name, model, std::move(labels), std::move(act)});
    };
    Model measured = base;
    measured.views.figures = difference_figures({792'000, 781'204, 14.83, 97, 21.406, 0.8231});

    add("side by side", base, {"mode:side-by-side", "view:before", "view:after"}, type_keys("1"));
    add("stacked", base, {"mode:stacked", "view:before", "view:after"}, type_keys("2"));
    add("wipe", base, {"view:wipe", "wipe:line", "wipe:turn", "wipe:swap"}, type_keys("3"));
    add("wipe turned", base, {"view:wipe", "wipe:line", "wipe:turn"}, type_keys("3RX"));
    add("flicker", base, {"view:flicker", "flicker:run", "flicker:interval"}, type_keys("4"));
    add("single", base, {"mode:single", "view:after"}, type_keys("5"));
    const std::vector<std::string> difference = {"view:difference", "difference:legend", "difference:gain",
                                                 "difference:ssim"};
    add("difference", measured, difference, type_keys("6"));
    Model judged = base;
    judged.views.figures = all_figures();
    add("figures", judged, {"figure:mean", "figure:ssim"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.run_command(model, "figures open");
        driver.frames(model, 2);
    });
    Model deep = measured;
    for (Picture* picture : {&deep.views.before, &deep.views.after}) picture->spec.max_sample = 65535;
    add("difference in false color", deep, difference, type_keys("6M"));
    add("absolute difference", base, difference, type_keys("6AM]]"));

    Model pinned = base;
    pinned.views.original = base.views.before;
    pinned.views.original_subject = base.views.before_subject;
    pinned.views.basis = Basis::pinned;
    pinned.views.before_subject = base.views.after_subject;
    pinned.views.before_subject.run->params.set(*find_param(base.run.op->params, "clip_limit"), 200);
    add("pinned", pinned, {"pin", "view:wipe"}, type_keys("3"));

    Model unlinked = base;
    unlinked.run.op = find_operator("histogram");
    unlinked.run.params = default_values(unlinked.run.op->params);
    unlinked.run.variant = preferred_variant("histogram", BackendKind::cpu);
    unlinked.run.variant_params =
        unlinked.run.variant != nullptr ? default_values(unlinked.run.variant->params) : ParamBlock{};
    unlinked.views.after = plot;
    unlinked.views.after.serial = base.views.after.serial;
    add("plot", unlinked, {"mode:difference", "view:before", "view:after"}, type_keys("6"));

    Model several = base;
    const ParamPlace limit{find_param(base.run.op->params, "clip_limit")};
    const ParamPlace size{find_param(base.run.op->params, "tile_size")};
    several.views.grid.view.columns = {limit, {150, 300, 600, 1200}};
    const auto add_cell = [&](Model& model, int32_t value) -> GridCell& {
        GridCell& cell = model.views.grid.cells.emplace_back();
        cell.subject = base.views.after_subject;
        cell.subject.run->params.set(*limit.info, value);
        cell.wanted = *cell.subject.run;
        cell.pixel = {3, {static_cast<uint8_t>(value % 250), 2, 3}};
        return cell;
    };
    for (const int32_t value : {150, 300, 600, 1200}) {
        GridCell& cell = add_cell(several, value);
        cell.picture = value < 600 ? base.views.after : Picture{};
        cell.subject.ms = value < 600 ? 12.34 : -1;
        cell.error = value == 600 ? "CUDA: out of memory" : "";
        cell.busy = value == 1200;
    }
    add("several values", several,
        {"view:pane 1", "view:pane 4", "Grid parameter", "Panes", "pane 1:button:Use", "pane 2:in use"},
        type_keys("7"));
    Model table = base;
    table.views.grid.view = {{limit, {150, 300, 600, 1200}}, {size, {32, 64, 128}}};
    for (int k = 0; k < 12; ++k) add_cell(table, 150 << k % 4).picture = base.views.after;
    add("several values of two parameters", table,
        {"view:pane 1", "view:pane 12", "Row parameter", "column 1:Clip limit", "row 3:Tile size"},
        [](Driver& driver, const Model& model) {
            type_keys("7")(driver, model);
            driver.click(model, "Row parameter");
            driver.click(model, "Row parameter:Tile size");
            driver.frames(model, 3);
        });
    Model narrow = table;
    for (SampleWindow* const window : {&narrow.views.windows.before, &narrow.views.windows.after})
        window->set({20 * SampleRange::kScale, 200 * SampleRange::kScale}, 255);
    add("pane pointed at", narrow, {"pane 2:pointed at"}, [](Driver& driver, const Model& model) {
        type_keys("7")(driver, model);
        driver.tap_with_control(model, key_of('1'));
        driver.type("9");
        driver.tap(model, ImGuiKey_Enter);
        driver.tap(model, ImGuiKey_Escape);
        for (int k = 0; k < 2; ++k) driver.tap_with_control(model, ImGuiKey_RightArrow);
        driver.frames(model, 3);
    });
    Model sheet = base;
    sheet.views.grid.view = {{limit, grid_values(*limit.info, 300, 12)}, {size, grid_values(*size.info, 64, 12)}};
    sheet.views.grid.view.figure = find_figure("entropy");
    for (int k = 0; k < 144; ++k) {
        GridCell& cell = add_cell(sheet, sheet.views.grid.view.columns.values[static_cast<size_t>(k % 12)]);
        if (k < 96) cell.picture = base.views.after;
        cell.busy = k >= 96 && k < 143;
        cell.is_measured = !cell.busy;
        if (k < 96) cell.figure = 4 + k * 0.03;
    }
    add("sheet", sheet, {"view:pane 1", "view:pane 144", "pane 1:figure", "Pane figure", "grid:map"},
        [](Driver& driver, const Model& model) {
            Settings settings = driver.interface().settings();
            settings.grid_panes = settings.grid_rows = kMaxPanes;
            settings.grid_figure = "entropy";
            driver.interface().set_settings(settings);
            type_keys("7")(driver, model);
            driver.click(model, "Row parameter");
            driver.click(model, "Row parameter:Tile size");
            driver.frames(model, 3);
        });
    add("several values and the image", several, {"view:pane 1", "pane 2:Clip limit", "grid:image"}, type_keys("7I"));

    Model close = base;
    const Rect region{base.views.before.spec.width / 2 - 20, base.views.before.spec.height / 2 - 20, 40, 40};
    close.views.numbers_before = numbers(region, 3);
    close.views.numbers_after = numbers(region, 7);
    const auto zoom = [](std::string keys) {
        return [keys = std::move(keys)](Driver& driver, const Model& model) {
            type_keys(keys + std::string(16, '+'))(driver, model);
        };
    };
    add("numbers", close, {"minimap", "view:before"}, zoom("1"));
    add("numbers of the difference", close, {"minimap", "view:difference"}, zoom("6"));

    const auto with_loupe = [](const char* keys, const char* label) {
        return [=](Driver& driver, const Model& model) {
            type_keys(keys)(driver, model);
            driver.move_to(label, 0.45F, 0.4F);
            driver.hold(ImGuiKey_L, true);
            driver.frames(model, 4);
        };
    };
    add("loupe", base, {"loupe:before", "loupe:after"}, with_loupe("1", "view:before"));
    add("loupe in the wipe", base, {"loupe:before", "loupe:after"}, with_loupe("3", "view:wipe"));
}

}  // namespace tonescope::ui
