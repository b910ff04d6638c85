#include "tests/ui/scenes/source_scenes.h"

#include "gpu/listing/listing.h"

namespace tonescope::ui {

Model make_source_model(const Model& base) {
    Model model = base;
    model.run.cuda_available = true;
    model.run.backend = BackendKind::cuda;
    model.run.variant = find_variant("clahe", "scan-padded");
    model.timings.stages = {{"tables", 0.204, 0.187, 653.2, 2.61, 0.18, {}},
                            {"blend", 0.118, 0.102, 174.1, 1.39, 0.1, {}},
                            {"total", 0.322, 0.289, 135.5, 0, 0.28, {}}};
    for (const SourcePart* part : find_source(*model.run.variant)->parts) {
        if (part->kind != SourceKind::kernel) continue;
        KernelResources& kernel = model.timings.kernels.emplace_back();
        kernel.kernel = part->name;
        kernel.stage = "tables";
        kernel.registers = 32;
        kernel.shared_bytes = 4096;
        kernel.spilled_bytes = 24;
        kernel.block_threads = 256;
        kernel.occupancy_percent = 87.5;
        kernel.occupancy.limiters = {OccupancyLimiter::registers};
    }
    return model;
}

void show_source(Driver& driver, SourceLook look) {
    auto settings = driver.interface().settings();
    settings.source_shown = true;
    settings.source_look = look;
    driver.interface().set_settings(settings);
}

void add_source_scenes(std::vector<Scene>& scenes, const Model& base) {
    const Model model = make_source_model(base);
    const auto add = [&](const char* name, const Model& shown, SourceLook look,
                         std::function<void(Driver&, const Model&)> act) {
        scenes.push_back({name,
                          shown,
                          {"Source of", "Find in the source", "source text", "Close the source"},
                          [=](Driver& driver, const Model& drawn) {
                              show_source(driver, look);
                              driver.frames(drawn, 3);
                              if (act) act(driver, drawn);
                              driver.frames(drawn, 3);
                          }});
    };
    add("source", model, SourceLook::plain, nullptr);
    add("source with the keyboard", model, SourceLook::plain,
        [](Driver& driver, const Model& drawn) { driver.click(drawn, "source text"); });
    add("source of the reference", base, SourceLook::joined, nullptr);
    add("source joined, found", model, SourceLook::joined, [](Driver& driver, const Model& drawn) {
        driver.click(drawn, "Find in the source");
        driver.type("scan");
        driver.frames(drawn, 3);
    });
    add("source side by side, selected", model, SourceLook::side_by_side, [](Driver& driver, const Model& drawn) {
        driver.click(drawn, "source text");
        driver.tap_with_control(drawn, key_of('A'));
    });
    add("source, a stage is pointed at", model, SourceLook::joined, [](Driver& driver, const Model& drawn) {
        driver.move_to("timing:blend", 0.3F, 0.5F);
        driver.frames(drawn, 3);
    });
    Model compared = model;
    for (const Scene& scene : scenes)
        if (scene.model.benchmark.shown && !scene.model.benchmark.running) compared.benchmark = scene.model.benchmark;
    add("source with the comparison", compared, SourceLook::joined, nullptr);
}

}  // namespace tonescope::ui
