#include "tests/ui/scenes.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/luma.h"
#include "tests/ui/compare_scenes.h"
#include "tests/ui/explain_scenes.h"
#include "tests/ui/histogram_scenes.h"
#include "tests/ui/timings_scenes.h"
#include "tests/ui/view_scenes.h"
#include "tests/ui/working_scenes.h"

namespace tonescope::ui {
namespace {

/// Hills in fog: smooth, low in contrast, with some colour.
HostImage draw_hills(int width, int height, bool with_alpha) {
    HostImage image({width, height, PixelFormat::rgba8, with_alpha});
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double u = static_cast<double>(x) / width;
            const double v = static_cast<double>(y) / height;
            double shade = 0.62 - 0.1 * v;
            for (int hill = 0; hill < 4; ++hill) {
                const double top = 0.35 + 0.15 * hill + 0.07 * std::sin(u * (5 + 3 * hill) + hill * 2.1) +
                                   0.02 * std::sin(u * 37 + hill);
                if (v > top) shade = 0.52 - 0.06 * hill + 0.015 * std::sin(x * 0.7 + y * 1.3);
            }
            uint8_t* p = image.mutable_view().row(y) + size_t(x) * 4;
            p[0] = static_cast<uint8_t>(255 * shade * 0.96);
            p[1] = static_cast<uint8_t>(255 * shade);
            p[2] = static_cast<uint8_t>(255 * std::min(shade * 1.07, 1.0));
            const double distance = std::hypot(u - 0.5, v - 0.5);
            p[3] = with_alpha ? static_cast<uint8_t>(255 * std::clamp(1.6 - 3 * distance, 0.0, 1.0)) : 255;
        }
    }
    return image;
}

/// Stands for an operator: stretches the contrast around the middle.
HostImage stretch(const HostImage& image) {
    HostImage result = image.clone();
    const int bytes = bytes_per_pixel(image.spec().format);
    for (int y = 0; y < image.height(); ++y) {
        uint8_t* row = result.mutable_view().row(y);
        for (int x = 0; x < image.width() * bytes; ++x)
            if (bytes == 1 || x % 4 != 3) row[x] = static_cast<uint8_t>(std::clamp((row[x] - 125) * 3 + 120, 0, 255));
    }
    return result;
}

HostImage to_gray(const HostImage& image) {
    HostImage gray({image.width(), image.height(), PixelFormat::gray8, false});
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const uint8_t* p = image.view().pixel(x, y);
            gray.mutable_view().row(y)[x] = static_cast<uint8_t>(luma(p[0], p[1], p[2]));
        }
    return gray;
}

DisplayHistogram count(const HostImage& image) {
    DisplayHistogram histogram;
    histogram.has_color = image.spec().format == PixelFormat::rgba8;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const uint8_t* p = image.view().pixel(x, y);
            if (!histogram.has_color) {
                ++histogram.luma[p[0]];
                continue;
            }
            for (size_t k = 0; k < 3; ++k) ++histogram.rgb[k][p[k]];
            ++histogram.luma[static_cast<size_t>(luma(p[0], p[1], p[2]))];
        }
    return histogram;
}

void choose(Model& model, std::string_view op, BackendKind backend) {
    model.op = find_operator(op);
    model.backend = backend;
    model.rung = preferred_rung(op, backend);
    model.params = default_values(model.op->params);
    if (model.rung != nullptr) model.rung_params = default_values(model.rung->params);
}

Model make_model(const Upload& upload, const HostImage& before) {
    Model model;
    const HostImage after = stretch(before);
    model.before = upload(before.view());
    model.after = upload(after.view());
    model.before.serial = model.after.serial = 1;
    model.histogram_before = count(before);
    model.histogram_after = count(after);
    choose(model, "clahe", BackendKind::cpu);
    model.cuda_reason = "no NVIDIA driver is installed";
    model.device_name = "CPU, 8 threads";
    model.presenter = "copy";
    model.presenter_reason = "OpenGL runs in software (llvmpipe)";
    const std::string size = std::to_string(before.width()) + " \xc3\x97 " + std::to_string(before.height());
    const std::string channels = before.spec().channels() == 1 ? "gray" : before.spec().has_alpha ? "RGBA" : "RGB";
    for (const char* name :
         {"hills.png", "lighthouse.jpg", "\xce\xb8\xce\xac\xce\xbb\xce\xb1\xcf\x83\xcf\x83\xce\xb1.tga"})
        model.images.push_back({name, std::string("/home/ada/Pictures/") + name, size + ", " + channels, "",
                                ImageEntry::State::ready, model.before});
    model.current = 0;
    model.details = {{"File", "hills.png"},
                     {"Folder", "/home/ada/Pictures/2026/spring/north"},
                     {"Format", "PNG"},
                     {"Size", size + " (0.8 MPixel)"},
                     {"Channels", channels},
                     {"Depth", "8 bits"},
                     {"On disk", "1.2 MB"},
                     {"Camera", "Leica M11"},
                     {"Exposure", "1/250 s, f/8"},
                     {"Taken", "2026-03-14 09:26"}};
    model.timings.stages = {{"histogram", 1.204, 1.187, 653.2, 2.61, 0, {}},
                            {"table", 0.083, 0.081, 0, 0, 0, {}},
                            {"apply", 4.518, 4.402, 174.1, 1.39, 0, {}},
                            {"total", 5.805, 5.670, 135.5, 0, 0, {}}};
    add_times(model, BackendKind::cpu);
    model.suggested_save_path = "/home/ada/Pictures/hills_clahe.png";
    model.browser.folder = "/home/ada/Pictures";
    model.browser.home = "/home/ada";
    for (const char* name : {"2025", "2026", "archive", "Scans of the old family album (unsorted)"})
        model.browser.entries.push_back({name, true, 0, "2026-03-01 14:05", {}});
    for (int k = 0; k < 40; ++k)
        model.browser.entries.push_back({"IMG_" + std::to_string(4100 + k * 7) + (k % 3 == 0 ? ".png" : ".jpg"), false,
                                         static_cast<uint64_t>(400'000 + k * 312'345),
                                         "2026-02-1" + std::to_string(k % 10) + " 08:" + std::to_string(10 + k),
                                         k < 6 ? model.before : Picture{}});
    return model;
}

void zoom_in(Driver& driver, const Model& model) {
    driver.frames(model, 2);
    driver.move_to("view:before", 0.4F, 0.6F);
    for (int k = 0; k < 14; ++k) {
        driver.wheel(1);
        driver.frame(model);
    }
    driver.frames(model, 2);
}

void press_with_control(Driver& driver, const Model& model, compat::KeyCode key) {
    driver.frames(model, 2);
    driver.hold_control(true);
    driver.tap(model, key);
    driver.hold_control(false);
    driver.frames(model, 3);
}

}  // namespace

std::vector<Scene> make_scenes(const Upload& upload, const HostImage& photo) {
    const HostImage color = photo.empty() ? draw_hills(1100, 720, false) : photo.clone();
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
        model.pixel = PixelInfo{340, 210, 3, 3, {126, 131, 140, 255}, {123, 138, 165, 255}};
        std::vector<std::string> labels = common;
        for (const char* label : {"Tiles:size", "Tile size", "Clip limit", "Excess", "Color"}) labels.push_back(label);
        add("default", model, labels, hover("view:before", 0.42F, 0.4F));
    }
    add("empty", {}, {"button:Open image..."}, nullptr);
    scenes.back().model.op = base.op;
    scenes.back().model.rung = base.rung;
    scenes.back().model.params = base.params;
    scenes.back().model.cuda_reason = base.cuda_reason;
    scenes.back().model.device_name = base.device_name;
    {
        Model model = base;
        model.params.set(*find_param(model.op->params, "tiles"), 1);
        model.params.set(*find_param(model.op->params, "clip_unit"), 1);
        add("grid", model, {"Columns", "Rows", "Clip count"}, nullptr);
    }
    for (const char* op : {"he", "kuwahara"}) {
        Model model = base;
        choose(model, op, BackendKind::cpu);
        add(op, model, common, nullptr);
    }
    {
        Model model = base;
        choose(model, "clahe", BackendKind::cuda);
        model.cuda_available = true;
        model.device_name = "NVIDIA H200";
        model.presenter = "interop";
        model.histogram_log = true;
        model.timings.stages = {{"upload", 0.412, 0.405, 1955, 7.8, 0, {}},       {"map", 0.012, 0.012, 0, 0, 0, {}},
                                {"histogram", 0.018, 0.017, 46588, 186.4, 0, {}}, {"table", 0.006, 0.006, 0, 0, 0, {}},
                                {"apply", 0.031, 0.030, 26400, 211.2, 0, {}},     {"unmap", 0.011, 0.011, 0, 0, 0, {}},
                                {"total", 0.490, 0.481, 1646, 0, 0, {}}};
        add_times(model, BackendKind::cuda);
        model.kernels = {{"histogram", "clahe_table_kernel", 1, 28, 8192, 256, 216, 8, 100},
                         {"apply", "clahe_blend_kernel", 1, 40, 0, 256, 3960, 6, 75}};
        std::vector<std::string> labels = common;
        for (const char* label : {"Memory", "Kernels", "kernel:clahe_table_kernel"}) labels.push_back(label);
        add("gpu", model, labels, nullptr);
        labels.pop_back();
        add("kernels closed", model, labels, [](Driver& driver, const Model& closed) {
            driver.frames(closed, 2);
            driver.click(closed, "Kernels");
        });
        add("memory", model, {"Memory:mapped", "Memory:pageable"}, [](Driver& driver, const Model& open) {
            driver.frames(open, 2);
            driver.click(open, "Memory");
        });
        model.rung = find_rung("clahe", "pinned");
        add("memory fixed", model, common, hover("Memory", 0.5F, 0.5F));
    }
    {
        Model model = base;
        const HostImage gray = to_gray(color);
        const HostImage result = stretch(gray);
        model.before = upload(gray.view());
        model.after = upload(result.view());
        model.histogram_before = count(gray);
        model.histogram_after = count(result);
        model.pixel = PixelInfo{340, 210, 1, 1, {126}, {98}};
        model.depth_notice = "16-bit samples are shown as 8-bit";
        add("histogram", model, {"histogram:before", "histogram:after", "Scale:log"},
            hover("histogram:before", 0.55F, 0.5F));
    }
    {
        Model model = base;
        const HostImage result = stretch(transparent);
        model.before = upload(transparent.view());
        model.after = upload(result.view());
        model.pixel = PixelInfo{340, 210, 4, 4, {126, 131, 140, 200}, {123, 138, 165, 200}};
        add("rgba", model, common, hover("view:after", 0.5F, 0.5F));
    }
    {
        Model model = base;
        model.pixel = PixelInfo{400, 300, 3, 3, {126, 131, 140, 255}, {123, 138, 165, 255}};
        add("zoomed", model, common, zoom_in);
    }
    {
        Model model = base;
        model.busy = true;
        model.busy_s = 1.7;
        model.progress = 0.43;
        model.busy_what = "Kuwahara";
        choose(model, "kuwahara", BackendKind::cpu);
        model.after_is_stale = true;
        add("busy", model, {"busy", "button:Cancel"}, nullptr);
    }
    {
        Model model = base;
        model.notices = {
            {1, Severity::error,
             "/home/ada/Pictures/holiday/truncated.jpg: the file ends early; open the original, or copy it "
             "again from the camera"},
            {2, Severity::warning, "The GPU ran out of memory: going on with the CPU"},
            {3, Severity::info, "Saved hills_clahe.png"}};
        model.images[1].state = ImageEntry::State::failed;
        model.images[1].error = "not an image";
        model.images[2].state = ImageEntry::State::loading;
        model.images[2].detail.clear();
        add("notices", model, {"Dismiss"}, nullptr);
    }
    {
        Model model = base;
        const std::string name =
            "A rather long name of a photograph taken from the lighthouse at Cape Finisterre, 2026.jpeg";
        for (int k = 0; k < 12; ++k) model.images.push_back(model.images[0]);
        model.images[0].name = name;
        model.images[0].path = "/home/ada/Pictures/" + name;
        model.current = 0;
        add("long names", model, {"image:" + name}, nullptr);
    }
    {
        Model model = base;
        model.before = model.after = {};
        model.histogram_before = model.histogram_after = std::nullopt;
        model.timings.stages.clear();
        model.details.clear();
        model.images.resize(1);
        model.images[0].state = ImageEntry::State::failed;
        model.images[0].error =
            "/home/ada/Pictures/hills.png: the file ends after 1,204 of 88,213 bytes; copy it again";
        model.images[0].thumbnail = {};
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
            press_with_control(driver, model, compat::kKeyO);
            driver.click(model, "entry:IMG_4107.jpg");
        });
    add("save", base, {"File name", "button:Save", "button:Cancel"},
        [](Driver& driver, const Model& model) { press_with_control(driver, model, compat::kKeyS); });
    {
        Model model = base;
        model.overwrite_path = "/home/ada/Pictures/hills_clahe.png";
        add("replace", model, {"button:Replace", "button:Cancel"}, nullptr);
    }
    add("keyboard", base, common, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.tap(model, compat::kKeyF6);
        for (int k = 0; k < 4; ++k) driver.tap(model, compat::kKeyDown);
        driver.frames(model, 2);
    });
    add("shortcuts", base, {"button:Close"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.type("?");
        driver.frames(model, 3);
    });
    add_working_scenes(scenes, base, scenes[1].model);
    add_comparison_scenes(scenes, base);
    add_histogram_scenes(scenes, base);
    add_timings_scenes(scenes, base);
    add_view_scenes(scenes, base, upload(to_gray(draw_hills(1024, 400, false)).view()));
    add_explain_scenes(scenes, base, color);
    return scenes;
}

}  // namespace tonescope::ui
