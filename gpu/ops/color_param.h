// The parameter `color` that HE and CLAHE share, and what it makes of a pixel.
#pragma once

#include "gpu/core/image.h"
#include "gpu/core/limits/work.h"
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
    if (params.as<Params>().color == color_gray && !input.has_alpha)
        output.format = is_deep(input.format) ? PixelFormat::gray16 : PixelFormat::gray8;
    return output;
}

/// How many values of a pixel are equalized, each alone. Gray images have one whatever `color` says.
inline int plane_count(const ImageSpec& input, int32_t color) {
    return !is_gray(input.format) && color == color_channels ? 3 : 1;
}

/// Bytes of a pixel of color_output_spec's format.
template <class Params>
double color_output_bytes(const WorkCase& c) {
    return bytes_per_pixel(color_output_spec<Params>(c.image, c.params).format);
}

/// What it takes per pixel: one of three, by what is equalized: a gray image, the luma of colors, or three channels.
inline double by_color(const WorkCase& c, int32_t color, double gray, double luma, double channels) {
    return c.is_gray() ? gray : plane_count(c.image, color) == 3 ? channels : luma;
}

/// Between the stages "split colors" and "join colors" of variants that work on gray planes: what a pixel of the image
/// takes in these two, which `needs` may leave out, and what `stages` take for each of `planes`.
inline Work work_on_planes(const WorkCase& c, int planes, bool needs, const Amounts& split, const Amounts& join,
                           const Work& stages) {
    Work work;
    if (needs) work.push_back({"split colors", c.pixels() * split});
    for (const StageWork& stage : stages) work.push_back({stage.stage, planes * stage.amounts});
    if (needs) work.push_back({"join colors", c.pixels() * join});
    return work;
}

/// The value that is equalized: a gray image's, the luma of a color, or the channel `plane`.
template <class Sample>
int color_value(const Sample* pixel, const ImageSpec& input, int32_t color, int plane) {
    if (is_gray(input.format)) return pixel[0];
    return color == color_channels ? pixel[plane] : luma(pixel[0], pixel[1], pixel[2]);
}

/// Writes what becomes of `pixel` when its value is changed[0], or its channels are the three of `changed`: the samples
/// of color_output_spec's format.
template <class Sample>
void write_color(const Sample* pixel, const ImageSpec& input, int32_t color, const int (&changed)[3], Sample* to) {
    to[0] = Sample(changed[0]);
    if (is_gray(input.format) || (color == color_gray && !input.has_alpha)) return;
    const int delta = changed[0] - luma(pixel[0], pixel[1], pixel[2]);
    for (int c = 0; c < 3; ++c)
        to[c] = Sample(color == color_channels ? changed[c]
                       : color == color_gray   ? changed[0]
                                               : shift_channel(pixel[c], delta, input.max_sample));
    to[3] = pixel[3];
}

}  // namespace tonescope
