#include "tests/ui/scenes/scene_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/core/luma.h"
#include "tests/image_tools.h"
#include "tests/ui/scenes/timings_scenes.h"

namespace tonescope::ui {

std::vector<SavedFormat> saved_formats() {
    const ParamInfo compression{
        .id = "compression", .label = "Compression", .help = "How small", .min = 0, .max = 9, .default_value = 2};
    const ParamInfo quality{
        .id = "quality", .label = "Quality", .help = "How close", .min = 1, .max = 100, .default_value = 95};
    return {
        {.name = "PNG", .extensions = {"png"}, .options = {compression}},
        {.name = "JPEG", .extensions = {"jpg", "jpeg"}, .keeps_alpha = false, .is_lossy = true, .options = {quality}},
        {.name = "PNM", .extensions = {"pnm", "pgm", "ppm"}, .keeps_alpha = false, .gray_extensions = {"pgm"}}};
}

HostImage draw_hills(int width, int height, bool with_alpha) {
    HostImage image({width, height, PixelFormat::rgba8, with_alpha});
    constexpr int kHills = 4;
    std::vector<std::array<double, kHills>> tops(static_cast<size_t>(width));
    for (int x = 0; x < width; ++x)
        for (int hill = 0; hill < kHills; ++hill) {
            const double u = static_cast<double>(x) / width;
            tops[size_t(x)][size_t(hill)] =
                0.35 + 0.15 * hill + 0.07 * std::sin(u * (5 + 3 * hill) + hill * 2.1) + 0.02 * std::sin(u * 37 + hill);
        }
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double u = static_cast<double>(x) / width;
            const double v = static_cast<double>(y) / height;
            int front = kHills - 1;
            while (front >= 0 && v <= tops[size_t(x)][size_t(front)]) --front;
            const double shade = front < 0 ? 0.62 - 0.1 * v : 0.52 - 0.06 * front + 0.015 * std::sin(x * 0.7 + y * 1.3);
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

HostImage stretch(const HostImage& image) {
    HostImage result = copy_of(image);
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
    model.run.op = find_operator(op);
    model.run.backend = backend;
    model.run.variant = preferred_variant(op, backend);
    model.run.params = default_values(model.run.op->params);
    if (model.run.variant != nullptr) model.run.variant_params = default_values(model.run.variant->params);
}

FigureValues difference_figures(const DifferenceStatistics& difference) {
    FigureValues values;
    values.difference = difference;
    const auto add = [&](const char* id, std::optional<double> value) {
        values.figures.push_back(find_figure(id));
        values.before.emplace_back();
        values.after.push_back(value);
    };
    add("changed", 100.0 * static_cast<double>(difference.changed) / static_cast<double>(difference.pixels));
    add("mean_difference", difference.mean);
    add("largest_difference", difference.largest);
    add("psnr", difference.psnr_db);
    add("ssim", difference.ssim);
    return values;
}

FigureValues all_figures() {
    FigureValues values;
    for (const FigureInfo& figure : figures()) {
        const auto k = static_cast<double>(values.figures.size());
        values.figures.push_back(&figure);
        values.before.push_back(figure.of_pair ? std::nullopt : std::optional(k + 1));
        values.after.emplace_back(2 * k + 1);
    }
    return values;
}

Model make_model(const Upload& upload, const HostImage& before) {
    Model model;
    const HostImage after = stretch(before);
    model.views.before = upload(before.view());
    model.views.figure_table = figures();
    model.views.after = upload(after.view());
    model.views.before.serial = model.views.after.serial = 1;
    model.histogram.before = count(before);
    model.histogram.after = count(after);
    const ImageView result = after.view();
    model.histogram.clipping = measure_clipping(before.view(), &result, {}, 1);
    choose(model, "clahe", BackendKind::cpu);
    model.run.cuda_reason = "no NVIDIA driver is installed";
    model.run.device_name = "CPU, 8 threads";
    model.run.presenter = "copy";
    model.run.presenter_reason = "OpenGL runs in software (llvmpipe)";
    const std::string size = std::to_string(before.width()) + " \xc3\x97 " + std::to_string(before.height());
    const std::string channels = before.spec().channels() == 1 ? "gray" : before.spec().has_alpha ? "RGBA" : "RGB";
    for (const char* name :
         {"hills.png", "lighthouse.jpg", "\xce\xb8\xce\xac\xce\xbb\xce\xb1\xcf\x83\xcf\x83\xce\xb1.tga"})
        model.images.entries.push_back({name, std::string("/home/ada/Pictures/") + name, size + ", " + channels, "",
                                        ImageEntry::State::ready, model.views.before});
    model.images.current = 0;
    PictureSubject& subject = model.views.before_subject;
    subject.path = model.images.entries[0].path;
    subject.size = before.spec();
    model.views.after_subject = subject;
    model.views.after_subject.run = model.run;
    model.views.after_subject.ms = 5.81;
    model.details.rows = {{"File", "hills.png"},
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
    model.saving.suggested_result_path = "/home/ada/Pictures/hills_clahe.png";
    model.browser.folder = "/home/ada/Pictures";
    model.browser.home = "/home/ada";
    model.browser.opened_formats = "PNG, JPEG, BMP, GIF";
    model.browser.saved_formats = saved_formats();
    model.browser.recent_folders = {"/home/ada/Pictures/archive", "/home/ada/Scans"};
    for (const char* name : {"2025", "2026", "archive", "Scans of the old family album (unsorted)"})
        model.browser.entries.push_back({name, true, 0, "2026-03-01 14:05", {}});
    for (int k = 0; k < 40; ++k)
        model.browser.entries.push_back({"IMG_" + std::to_string(4100 + k * 7) + (k % 3 == 0 ? ".png" : ".jpg"), false,
                                         static_cast<uint64_t>(400'000 + k * 312'345),
                                         "2026-02-1" + std::to_string(k % 10) + " 08:" + std::to_string(10 + k),
                                         k < 6 ? model.views.before : Picture{}});
    return model;
}

}  // namespace tonescope::ui
