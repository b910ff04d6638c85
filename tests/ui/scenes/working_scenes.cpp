#include "tests/ui/scenes/working_scenes.h"

namespace tonescope::ui {
void add_working_scenes(std::vector<Scene>& scenes, const Model& base, Model empty) {
    const auto add = [&](const char* name, Model model, std::vector<std::string> labels,
                         std::function<void(Driver&, const Model&)> act) {
        scenes.push_back({name, std::move(model), std::move(labels), std::move(act)});
    };
    const auto command = [](const char* typed) {
        return [=](Driver& driver, const Model& model) { driver.run_command(model, typed); };
    };
    const auto in_light = [](Driver& driver, const Model& model) {
        Settings settings = driver.interface().settings();
        settings.theme = ThemeKind::light;
        driver.interface().set_settings(settings);
        driver.frames(model, 3);
    };
    Model model = base;
    const OperatorInfo* clahe = find_operator("clahe");
    model.run.can_undo = true;
    model.presets.folder = "/home/ada/.config/tonescope/presets";
    for (const char* name : {"Strong", "Soft, for portraits taken in the fog of early mornings", "X-ray"}) {
        PresetEntry& preset = model.presets.entries.emplace_back(
            PresetEntry{name, clahe, default_values(clahe->params), model.presets.folder + "/p.json"});
        preset.params.set(*find_param(clahe->params, "clip_limit"), 500 + 10 * int32_t(model.presets.entries.size()));
        preset.params.set(*find_param(clahe->params, "color"), 1);
    }
    for (const char* name : {"lighthouse.jpg", "gone.png"})
        model.start_page.recent.push_back({std::string("/home/ada/Pictures/2026/") + name, name,
                                           "/home/ada/Pictures/2026", std::string_view(name) == "gone.png",
                                           model.views.before});
    add("palette", model, {"Command", "command:Open images or a session...", "command:Batch..."},
        [](Driver& driver, const Model& open) { driver.open_palette(open); });
    add("palette typed", model, {"command:Operator: Kuwahara"},
        [](Driver& driver, const Model& open) { driver.open_palette(open, "op k"); });
    add("presets", model, {"Preset name", "preset:Strong", "button:Save"}, command("presets"));
    model.batch.suggested_folder = "/home/ada/Pictures/2026";
    model.batch.suggested_output = "/home/ada/Pictures/2026/results/{stem}.png";
    add("batch", model, {"Images of the batch:a folder", "Results of the batch", "button:Start batch"},
        command("batch..."));
    add("batch of a folder", model, {"Folder of the batch", "button:Choose...", "button:Start batch"},
        [command](Driver& driver, const Model& open) {
            command("batch...")(driver, open);
            driver.click(open, "Images of the batch:a folder");
        });
    Model batch = model;
    batch.batch.state = BatchModel::State::running;
    batch.batch.what = "CLAHE, Clip limit 4.00 \u00d7 mean bin";
    batch.batch.folder = "/home/ada/Pictures/2026/results";
    batch.batch.files = 90;
    batch.batch.done = 37;
    batch.batch.failed = 1;
    batch.batch.seconds = 4;
    for (const char* name : {"a very long name of a photograph that was taken in the evening.jpg", "b.jpg"})
        batch.batch.under_way.push_back({name, "filtering", 0.4});
    batch.batch.failures = {"cannot open /home/ada/Pictures/2026/gone.jpg: it does not exist"};
    add("batch under way", batch, {"batch", "button:Pause batch", "button:Stop batch"}, command("batch..."));
    add("batch behind the window", batch, {"status:batch"}, nullptr);
    batch.batch.asks_to_quit = true;
    add("batch when the window is closed", batch, {"button:Stop and close", "button:Keep on"},
        [](Driver& driver, const Model& open) { driver.frames(open, 5); });
    batch.batch.asks_to_quit = false;
    batch.batch.state = BatchModel::State::done;
    batch.batch.done = 90;
    batch.batch.under_way.clear();
    add("batch done", batch, {"button:Start batch", "button:Copy the failures"}, command("batch..."));
    batch.batch.state = BatchModel::State::asks;
    batch.batch.failures.clear();
    batch.batch.existing = 12;
    for (int i = 0; i < 12; ++i)
        batch.batch.obstacles.push_back(
            {"/home/ada/Pictures/2026/results/photograph of an evening " + std::to_string(i) + ".png",
             "photograph of an evening " + std::to_string(i) + "-2.png"});
    add("batch asks", batch,
        {"button:Overwrite them", "button:Use other names", "button:Skip them", "button:Cancel batch"},
        command("batch..."));
    Model part = model;
    part.run.can_redo = true;
    part.run.command_line = "tonescope --headless -i hills.tiff -o part.png --region 100,80,400,300 --mask sky.png";
    part.run.params.set(*find_param(clahe->params, "tile_size"), 100);
    part.run.part = {.region = {100, 80, 400, 300},
                     .feather_px = 16,
                     .mask = std::make_shared<HostImage>(ImageSpec{
                         base.views.before.spec.width, base.views.before.spec.height, PixelFormat::gray8, false}),
                     .mask_path = "/home/ada/Pictures/sky.png"};
    for (SampleWindow* const window : {&part.views.windows.before, &part.views.windows.after})
        window->set({20 * SampleRange::kScale, 200 * SampleRange::kScale}, 255);
    ImageEntry& paged = part.images.entries[static_cast<size_t>(part.images.current)];
    paged.pages = 4;
    paged.page = 1;
    add("region and mask", part, {"Region:X", "Feather", "Filtered:black", "Page"},
        [](Driver& driver, const Model& open) {
            Settings settings = driver.interface().settings();
            settings.part_shown = true;
            driver.interface().set_settings(settings);
            driver.frames(open, 3);
            driver.click(open, "Tile size");
            driver.tap(open, ImGuiKey_Tab);
            driver.hold_shift(true);
            driver.tap(open, ImGuiKey_Tab);
            driver.hold_shift(false);
        });
    add("settings", model, {"Theme:light", "Interface size", "Presentation:on"}, command("settings"));
    add("zoom menu", model, {"zoom:Fit", "zoom:800 %"}, [](Driver& driver, const Model& open) {
        driver.frames(open, 2);
        driver.tap(open, key_of('Z'));
        driver.frames(open, 3);
    });
    add("light", model, {"view:before", "Operator"}, in_light);
    const std::vector<std::string> strip = {"view:before", "presented:operator", "presented:variant", "presented:time",
                                            "presented:Clip limit"};
    add("presentation", model, strip, command("presentation"));
    add("presentation with a slider", model, {"presented:Tiles", "Tiles"},
        [command](Driver& driver, const Model& open) {
            command("presentation")(driver, open);
            driver.tap(open, key_of('T'));
            driver.move_to("view:before", 0.6F, 0.5F);
            driver.frames(open, 2);
        });
    add("light palette", model, {"Command"}, [in_light](Driver& driver, const Model& open) {
        in_light(driver, open);
        driver.open_palette(open);
    });
    model = std::move(empty);
    model.browser.opened_formats = base.browser.opened_formats;
    for (const char* name : {"balloons.jpg", "cells-16.tiff", "fog.png", "night.png", "page.png", "planet.png",
                             "radiograph-12.tiff", "radiograph.png"})
        model.start_page.samples.push_back(
            {std::string("/usr/share/tonescope/assets/") + name, name, "", false, base.views.before});
    add("start", model, {"sample:fog.png", "button:Open image..."}, nullptr);
    for (int k = 0; k < 9; ++k) {
        const std::string name = "IMG_" + std::to_string(4100 + k * 7) + ".jpg";
        model.start_page.recent.push_back({"/home/ada/Pictures/2026/" + name, name, "/home/ada/Pictures/2026", k == 2,
                                           k == 2 ? Picture{} : base.views.before});
    }
    add("start with recent files", model, {"sample:fog.png", "recent:IMG_4100.jpg"}, nullptr);
    add("light start", model, {"sample:fog.png"}, in_light);
}

}  // namespace tonescope::ui
