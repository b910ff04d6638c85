// The parameters `color` and `amount` that HE and CLAHE share, and what they make of a pixel.
#pragma once

#include <algorithm>
#include <iterator>

#include "gpu/core/color/lab.h"
#include "gpu/core/image.h"
#include "gpu/core/limits/work.h"
#include "gpu/core/luma.h"
#include "gpu/core/param.h"
#include "gpu/core/value_range.h"

namespace tonescope {

inline constexpr std::string_view kColorValues[] = {"luma", "channels", "gray", "ratio", "value", "lab"};

constexpr ParamInfo color_param(size_t offset) {
    return {
        .id = kColorId,
        .label = "Color",
        .help =
            "luma: red, green and blue move by what the luma moves, so that dark colors fade as they brighten; "
            "channels: "
            "red, green and blue each alone; gray: the changed luma alone; ratio: red, green and blue grow in the "
            "luma's "
            "ratio, which keeps hue and saturation; value: the same with V = max(R, G, B), as programs that filter "
            "the V of HSV do; lab: the lightness L* of CIE L*a*b* changes, a* and b* stay, as programs that filter L* "
            "do. Gray images look the same in all of them.",
        .kind = ParamKind::choice,
        .offset = offset,
        .max = int32_t(std::size(kColorValues)) - 1,
        .values = kColorValues};
}
constexpr ParamInfo amount_param(size_t offset) {
    return {.id = kAmountId,
            .label = "Amount",
            .unit = "%",
            .help =
                "How much of the result there is in the picture: 0 is the image as it was, 100 the result alone. Other "
                "programs call it opacity, strength or blend.",
            .offset = offset,
            .max = 100,
            .default_value = 100};
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

/// Calls call(lab) with the colors of such an image's samples.
decltype(auto) with_lab(const ImageSpec& image, auto&& call) {
    return is_deep(image.format) ? call(lab_tables<uint16_t>(image.max_sample).colors())
                                 : call(lab_tables<uint8_t>(image.max_sample).colors());
}

/// Of variants whose image is the lightness where `color` is `lab`: what `of_image` says of that gray image, between
/// "split colors" and "join colors".
template <class Params>
Work work_by_lightness(const WorkCase& c, Work (*of_image)(const WorkCase&)) {
    if (c.is_gray() || c.params.as<Params>().color != color_lab) return of_image(c);
    WorkCase plane = c;
    plane.image.format = is_deep(c.image.format) ? PixelFormat::gray16 : PixelFormat::gray8;
    plane.image.has_alpha = false;
    const double in = bytes_per_pixel(c.image.format), sample = bytes_per_sample(c.image.format);
    const bool deep = is_deep(c.image.format);
    return work_on_planes(c, 1, true, {.bytes = in + sample, .operations = deep ? 40. : 24.},
                          {.bytes = 2 * in + sample, .operations = deep ? 170. : 100.}, of_image(plane));
}

/// The value that is equalized: a gray image's, what `color` takes of a color, or the channel `plane`.
template <class Sample>
int value_of_color(const Sample* pixel, const ImageSpec& input, int32_t color, int plane) {
    if (is_gray(input.format)) return pixel[0];
    switch (color) {
        case color_channels:
            return pixel[plane];
        case color_value:
            return std::max({pixel[0], pixel[1], pixel[2]});
        case color_lab:
            return with_lab(input, [&](const auto& lab) { return lab.lightness(pixel[0], pixel[1], pixel[2]); });
        default:
            return luma(pixel[0], pixel[1], pixel[2]);
    }
}

/// Writes what becomes of `pixel` when its value is changed[0], or its channels are the three of `changed`: the samples
/// of color_output_spec's format.
template <class Sample>
void write_color(const Sample* pixel, const ImageSpec& input, const ColorChange& change, const int (&changed)[3],
                 Sample* to) {
    if (is_gray(input.format)) {
        to[0] = Sample(mixed_sample(changed[0], pixel[0], change.amount));
        return;
    }
    const int before = value_of_color(pixel, input, change.color, 0), max = input.max_sample;
    int rgb[3] = {pixel[0], pixel[1], pixel[2]};
    switch (change.color) {
        case color_channels:
            for (int c = 0; c < 3; ++c) rgb[c] = changed[c];
            break;
        case color_gray:
            to[0] = Sample(mixed_sample(changed[0], before, change.amount));
            if (!input.has_alpha) return;
            to[1] = to[2] = to[0];
            to[3] = pixel[3];
            return;
        case color_ratio:
        case color_value:
            for (int& sample : rgb) sample = scale_channel(sample, before, changed[0], max);
            break;
        case color_lab:
            with_lab(input, [&](const auto& lab) { lab.relight(rgb, changed[0]); });
            break;
        default:
            for (int& sample : rgb) sample = shift_channel(sample, changed[0] - before, max);
    }
    for (int c = 0; c < 3; ++c) to[c] = Sample(mixed_sample(rgb[c], pixel[c], change.amount));
    to[3] = pixel[3];
}

}  // namespace tonescope
