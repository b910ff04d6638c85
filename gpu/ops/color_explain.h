// What HE and CLAHE explain alike: which values they map under the parameter `color`, and the pixel that results.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "gpu/core/explanation.h"
#include "gpu/core/luma.h"

namespace tonescope {

/// Gray images have one value whatever `color` says, color images their luma or three channels.
inline std::vector<ExplainedValue> color_values(const ImageView& image, Pixel at, int32_t color) {
    const uint8_t* pixel = image.pixel(at.x, at.y);
    if (image.spec.format == PixelFormat::gray8) return {{"Value", pixel[0]}};
    if (color != color_channels) return {{"Luma", luma(pixel[0], pixel[1], pixel[2])}};
    return {{"Red", pixel[0]}, {"Green", pixel[1]}, {"Blue", pixel[2]}};
}

/// The output's bytes once every value has its `after`.
inline std::array<uint8_t, 4> color_result(const ImageView& image, Pixel at, int32_t color,
                                           const std::vector<ExplainedValue>& values) {
    const uint8_t* pixel = image.pixel(at.x, at.y);
    const auto first = uint8_t(values[0].after);
    if (image.spec.format == PixelFormat::gray8) return {first};
    if (values.size() == 3) return {first, uint8_t(values[1].after), uint8_t(values[2].after), pixel[3]};
    if (color == color_gray && !image.spec.has_alpha) return {first};
    if (color == color_gray) return {first, first, first, pixel[3]};
    std::array<uint8_t, 4> result{0, 0, 0, pixel[3]};
    for (size_t c = 0; c < 3; ++c) result[c] = uint8_t(shift_channel(pixel[c], values[0].after - values[0].before));
    return result;
}

/// A table of 256 levels as a curve.
inline ExplainedCurve transfer_curve(std::string name, const uint8_t* table) {
    ExplainedCurve curve{std::move(name), std::vector<float>(256)};
    for (size_t v = 0; v < 256; ++v) curve.levels[v] = float(table[v]) / 255;
    return curve;
}

}  // namespace tonescope
