#include "tests/ui/scenes/scenes.h"

#include "tests/image_tools.h"
#include "tests/ui/scenes/compare_scenes.h"
#include "tests/ui/scenes/explain_scenes.h"
#include "tests/ui/scenes/histogram_scenes.h"
#include "tests/ui/scenes/scene_model.h"
#include "tests/ui/scenes/source_scenes.h"
#include "tests/ui/scenes/sweep_scenes.h"
#include "tests/ui/scenes/timings_scenes.h"
#include "tests/ui/scenes/view_scenes.h"
#include "tests/ui/scenes/working_scenes.h"

namespace tonescope::ui {
namespace {

void zoom_in(Driver& driver, const Model& model) {
    driver.frames(model, 2);
    driver.move_to("view:before", 0.4F, 0.6F);
    for (int k = 0; k < 14; ++k) {
        driver.wheel(1);
        driver.frame(model);
    }
    driver.frames(model, 2);
}

}  // namespace

std::vector<Scene> make_scenes(const Upload& upload, const HostImage& photo) {
    const HostImage color = photo.empty() ? draw_hills(1100, 720, false) : copy_of(photo);
    const HostImage transparent = draw_hills(800, 800, true);
    const Model base = make_model(upload, color);
    const std::vector<std::string> common = {"view:before",    "view:after", "Operator",       "Variant",
                                             "Run on:CPU",     "Run on:GPU", "button:Open...", "button:Save result...",
                                             "image:hills.png"};
    std::vector<Scene> scenes;
    const auto add = [&](const char* name, Model model, std::vector<std::string> labels,
                         std::function<void(Driver&, const Model&)> act) {
        scenes.push_back({name, std::move(model), std::move(labels), std::move(act)});
    };
    const auto hover = [](const char* label, float x, float y) {
        return [=](Driver& driver, const Model& model) {
            driver.frames(model, 2);
            driver.move_to(label, x, y);
            driver.frames(model, 30);
        };
    };

    {
        Model model = base;
        model.views.pixel = PixelInfo{340, 210, {3, {126, 131, 140, 255}}, {3, {123, 138, 165, 255}}};
        std::vector<std::string> labels = common;
        for (const char* label : {"Tiles:size", "Tile size", "Clip limit", "Remainder", "Color"})
            labels.push_back(label);
        add("default", model, labels, hover("view:before", 0.42F, 0.4F));
    }
    add("empty", {}, {"button:Open image..."}, nullptr);
    scenes.back().model.run.op = base.run.op;
    scenes.back().model.run.variant = base.run.variant;
    scenes.back().model.run.params = base.run.params;
    scenes.back().model.run.cuda_reason = base.run.cuda_reason;
    scenes.back().model.run.device_name = base.run.device_name;
    {
        Model model = base;
        model.run.params.set(*find_param(model.run.op->params, "tiles"), 1);
        model.run.params.set(*find_param(model.run.op->params, "clip_unit"), 1);
        add("grid", model, {"Across", "Down", "Clip count"}, nullptr);
    }
    for (const char* op : {"he", "kuwahara"}) {
        Model model = base;
        choose(model, op, BackendKind::cpu);
        add(op, model, common, nullptr);
    }
    {
        Model model = base;
        choose(model, "clahe", BackendKind::cuda);
        model.run.cuda_available = true;
        model.run.device_name = "NVIDIA H200";
        model.run.presenter = "interop";
        model.timings.stages = {{"upload", 0.412, 0.405, 1955, 7.8, 0, {}},       {"map", 0.012, 0.012, 0, 0, 0, {}},
                                {"histogram", 0.018, 0.017, 46588, 186.4, 0, {}}, {"table", 0.006, 0.006, 0, 0, 0, {}},
                                {"apply", 0.031, 0.030, 26400, 211.2, 0, {}},     {"unmap", 0.011, 0.011, 0, 0, 0, {}},
                                {"total", 0.490, 0.481, 1646, 0, 0, {}}};
        add_times(model, BackendKind::cuda);
        model.timings.kernels = {{"histogram", "clahe_table_simple_kernel", 1, 28, 8192, 256, 216, 8, 100},
                                 {"apply", "clahe_blend_kernel", 1, 40, 0, 256, 3960, 6, 75}};
        std::vector<std::string> labels = common;
        for (const char* label : {"Memory", "Kernels", "kernel:clahe_table_simple_kernel"}) labels.push_back(label);
        add("gpu", model, labels, [](Driver& driver, const Model& linear) {
            driver.frames(linear, 2);
            driver.click(linear, "Scale:log");
        });
        labels.pop_back();
        add("kernels closed", model, labels, [](Driver& driver, const Model& closed) {
            driver.frames(closed, 2);
            driver.click(closed, "Kernels");
        });
        add("memory", model, {"Memory:mapped", "Memory:pageable"}, [](Driver& driver, const Model& open) {
            driver.frames(open, 2);
            driver.click(open, "Memory");
        });
        model.run.variant = find_variant("clahe", "pinned");
        add("memory fixed", model, common, hover("Memory", 0.5F, 0.5F));
    }
    {
        Model model = base;
        const HostImage gray = to_gray(color);
        const HostImage result = stretch(gray);
        model.views.before = upload(gray.view());
        model.views.after = upload(result.view());
        model.histogram.before = count(gray);
        model.histogram.after = count(result);
        model.views.pixel = PixelInfo{340, 210, {1, {126}}, {1, {98}}};
        model.details.file_notice = "16 bits a channel, reduced to 8";
        add("histogram", model, {"histogram:before", "histogram:after", "Scale:log", "status:notice"},
            hover("histogram:before", 0.55F, 0.5F));
    }
    {
        Model model = base;
        const HostImage result = stretch(transparent);
        model.views.before = upload(transparent.view());
        model.views.after = upload(result.view());
        model.views.pixel = PixelInfo{340, 210, {4, {126, 131, 140, 200}}, {4, {123, 138, 165, 200}}};
        add("rgba", model, common, hover("view:after", 0.5F, 0.5F));
    }
    {
        Model model = base;
        model.views.pixel = PixelInfo{400, 300, {3, {126, 131, 140, 255}}, {3, {123, 138, 165, 255}}};
        add("zoomed", model, common, zoom_in);
    }
    {
        Model model = base;
        model.work.busy = true;
        model.work.seconds = 1.7;
        model.work.progress = 0.43;
        model.work.what = "Kuwahara";
        choose(model, "kuwahara", BackendKind::cpu);
        model.views.after_is_stale = true;
        add("busy", model, {"busy", "button:Cancel"}, nullptr);
    }
    {
        Model model = base;
        model.notices = {
            {1, Severity::error,
             "/home/ada/Pictures/holiday/truncated.jpg: the file ends early; open the original, or copy it "
             "again from the camera"},
            {2, Severity::warning, "The GPU ran out of memory: continuing on the CPU"},
            {3, Severity::info, "Saved hills_clahe.png"}};
        model.images.entries[1].state = ImageEntry::State::failed;
        model.images.entries[1].error = "not an image";
        model.images.entries[2].state = ImageEntry::State::loading;
        model.images.entries[2].detail.clear();
        add("notices", model, {"Dismiss"}, nullptr);
    }
    {
        Model model = base;
        const std::string name =
            "A rather long name of a photograph taken from the lighthouse at Cape Finisterre, 2026.jpeg";
        for (int k = 0; k < 12; ++k) model.images.entries.push_back(model.images.entries[0]);
        model.images.entries[0].name = name;
        model.images.entries[0].path = "/home/ada/Pictures/" + name;
        model.images.current = 0;
        add("long names", model, {"image:" + name}, nullptr);
    }
    {
        Model model = base;
        model.views.before = model.views.after = {};
        model.histogram.before = model.histogram.after = std::nullopt;
        model.timings.stages.clear();
        model.details.rows.clear();
        model.images.entries.resize(1);
        model.images.entries[0].state = ImageEntry::State::failed;
        model.images.entries[0].error =
            "/home/ada/Pictures/hills.png: the file ends after 1,204 of 88,213 bytes; copy it again";
        model.images.entries[0].thumbnail = {};
        add("failed", model, {"image:hills.png"}, nullptr);
    }
    add("operators", base, {"Operator:CLAHE", "Operator:Kuwahara"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.click(model, "Operator");
    });
    add("variants", base, {}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.click(model, "Variant");
    });
    add("help text", base, common, hover("Clip limit", 0.5F, 0.5F));
    add("typing", base, {"Clip limit value"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.double_click(model, "Clip limit");
        driver.frames(model, 2);
    });
    add("open", base, {"Folder", "Filter", "button:Open", "button:Cancel", "entry:2025"},
        [](Driver& driver, const Model& model) {
            driver.tap_with_control(model, ImGuiKey_O);
            driver.click(model, "entry:IMG_4107.jpg");
        });
    add("save", base, {"File name", "button:Save", "button:Cancel"},
        [](Driver& driver, const Model& model) { driver.tap_with_control(model, ImGuiKey_S); });
    {
        Model model = base;
        model.saving.question.path = "/home/ada/Pictures/hills_clahe.png";
        add("replace", model, {"button:Replace", "button:Cancel"}, nullptr);
        model.saving.question.free_path = "/home/ada/Pictures/hills_clahe-2.png";
        model.saving.question.is_original = true;
        add("replace the original", model, {"button:Replace the original...", "button:Cancel"}, nullptr);
    }
    add("keyboard", base, common, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.tap(model, ImGuiKey_F6);
        for (int k = 0; k < 4; ++k) driver.tap(model, ImGuiKey_DownArrow);
        driver.frames(model, 2);
    });
    add("shortcuts", base, {"button:Close"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.type("?");
        driver.frames(model, 3);
    });
    add_working_scenes(scenes, base, scenes[1].model);
    add_benchmark_scenes(scenes, base);
    add_sweep_scenes(scenes, base);
    add_histogram_scenes(scenes, base);
    add_timings_scenes(scenes, base);
    add_view_scenes(scenes, base, upload(to_gray(draw_hills(1024, 400, false)).view()));
    add_explain_scenes(scenes, base, color);
    add_source_scenes(scenes, base);
    return scenes;
}

}  // namespace tonescope::ui
