// The parameter `color` that HE and CLAHE share.
#pragma once

#include "gpu/core/image.h"
#include "gpu/core/luma.h"
#include "gpu/core/param.h"

namespace tonescope {

inline constexpr std::string_view kColorValues[] = {"luma", "channels", "gray"};

constexpr ParamInfo color_param(size_t offset) {
    return {
        .id = "color",
        .label = "Color",
        .help =
            "luma: change the brightness and keep the hue; channels: red, green and blue each alone; gray: the changed "
            "brightness alone. Gray images look the same in all three.",
        .kind = ParamKind::choice,
        .offset = offset,
        .max = 2,
        .values = kColorValues};
}

/// Gray stays gray. With color = gray, color images become gray, or RGBA with R = G = B where there is alpha.
template <class Params>
ImageSpec color_output_spec(const ImageSpec& input, const ParamBlock& params) {
    ImageSpec output = input;
    if (params.as<Params>().color == color_gray && !input.has_alpha) output.format = PixelFormat::gray8;
    return output;
}

}  // namespace tonescope
