// What is known about an open image, as texts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#include "app/viewer/files/open_images.h"
#include "gpu/core/text.h"
#include "ui/model/files.h"

namespace tonescope {

inline std::string channels_text(int channels) {
    const char* names[] = {"gray", "gray with alpha", "RGB", "RGBA"};
    return names[std::clamp(channels, 1, 4) - 1];
}

/// "4032 × 3024, RGB"; empty while nothing is known.
inline std::string size_text(const OpenImage& image) {
    if (image.spec.empty()) return {};
    return size_text(image.spec.width, image.spec.height) + ", " + channels_text(image.details.file_channels);
}

inline std::string bytes_text(uint64_t bytes) {
    char text[32];
    if (bytes < 10'000) {
        std::snprintf(text, sizeof text, "%llu bytes", static_cast<unsigned long long>(bytes));
    } else if (bytes < 10'000'000) {
        std::snprintf(text, sizeof text, "%.0f kB", double(bytes) / 1e3);
    } else {
        std::snprintf(text, sizeof text, "%.1f MB", double(bytes) / 1e6);
    }
    return text;
}

/// "-1024 to 3071 HU": what the least and the greatest sample mean.
inline std::string values_text(const SampleScale& scale, int max_sample) {
    char text[64];
    const double last = scale.slope * max_sample + scale.intercept;
    std::snprintf(text, sizeof text, "%.6g to %.6g", scale.intercept, last);
    return text + (scale.unit.empty() ? "" : " " + scale.unit);
}

/// "center 40, width 400 HU": the file's own window in its own units.
inline std::string window_text(const SampleWindow& window, const SampleScale& scale, int max_sample) {
    const SampleRange range = window.range_in(max_sample);
    const double hundredth = scale.slope / SampleRange::kScale;
    char text[64];
    std::snprintf(text, sizeof text, "center %.6g, width %.6g",
                  hundredth * (range.low + range.width() / 2.0) + scale.intercept, std::abs(hundredth) * range.width());
    return text + (scale.unit.empty() ? "" : " " + scale.unit) + (window.inverse ? ", inverse" : "");
}

/// ", samples to 4095": what the bits of a file do not tell.
inline std::string depth_remark(const OpenImage& image) {
    if (image.details.reduced_to_8_bit) return ", reduced to 8";
    const bool is_told =
        image.spec.max_sample == 255 || image.spec.max_sample + 1 == 1 << image.details.bits_per_channel;
    return is_told ? "" : ", samples to " + std::to_string(image.spec.max_sample);
}

/// `image` may be null.
inline void fill_details(const OpenImage* image, ui::DetailsModel& model) {
    model = {};
    if (image == nullptr || !image->image) return;
    const ImageDetails& file = image->details;
    char megapixels[32];
    std::snprintf(megapixels, sizeof megapixels, "%.2f MPixel", double(image->spec.pixels()) * 1e-6);
    const std::string bits = std::to_string(file.bits_per_channel);
    model.rows = {{"Size", size_text(image->spec.width, image->spec.height) + " px"},
                  {"Pixels", megapixels},
                  {"Channels", channels_text(file.file_channels)},
                  {"Depth", bits + " bits a channel" + depth_remark(*image)},
                  {"Format", file.format},
                  {"File", image->name() + (image->replaced ? ", changed on disk since" : "")},
                  {"Folder", std::filesystem::path(image->path).parent_path().string()},
                  {"File size", bytes_text(file.file_bytes)}};
    if (file.pages > 1)
        model.rows.insert(model.rows.begin(),
                          {"Page", std::to_string(image->page + 1) + " of " + std::to_string(file.pages)});
    model.rows.insert(model.rows.end(), file.exif.begin(), file.exif.end());
    if (file.scale) model.rows.emplace_back("Values", values_text(*file.scale, image->spec.max_sample));
    if (file.scale && file.window)
        model.rows.emplace_back("File's window", window_text(*file.window, *file.scale, image->spec.max_sample));
    model.file_notice = notice_of(file);
    model.bits_per_channel = file.bits_per_channel;
}

}  // namespace tonescope
