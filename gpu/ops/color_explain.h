// What HE and CLAHE explain alike: which values they map under the parameter `color`, and the pixel that results.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "gpu/core/explanation.h"
#include "gpu/ops/color_param.h"

namespace tonescope {

inline std::vector<ExplainedValue> color_values(const ImageView& image, Pixel at, int32_t color) {
    const uint8_t* pixel = image.pixel(at.x, at.y);
    if (has_three_planes(image.spec, color)) return {{"Red", pixel[0]}, {"Green", pixel[1]}, {"Blue", pixel[2]}};
    const char* name = image.spec.format == PixelFormat::gray8 ? "Value" : "Luma";
    return {{name, color_value(pixel, image.spec, color, 0)}};
}

/// The output's bytes once every value has its `after`.
inline std::array<uint8_t, 4> color_result(const ImageView& image, Pixel at, int32_t color,
                                           const std::vector<ExplainedValue>& values) {
    int changed[3] = {};
    for (size_t k = 0; k < values.size(); ++k) changed[k] = values[k].after;
    std::array<uint8_t, 4> result{};
    write_color(image.pixel(at.x, at.y), image.spec, color, changed, result.data());
    return result;
}

/// A table of 256 levels as a curve.
inline ExplainedCurve transfer_curve(std::string name, const uint8_t* table) {
    ExplainedCurve curve{std::move(name), std::vector<float>(256)};
    for (size_t v = 0; v < 256; ++v) curve.levels[v] = float(table[v]) / 255;
    return curve;
}

}  // namespace tonescope
