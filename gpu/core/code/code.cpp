#include "gpu/core/code/code.h"

#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/part/result_part.h"
#include "gpu/core/registry.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

using Planes = CodeParts::Planes;

constexpr size_t kWidth = 100;  // characters of a comment's line

constexpr std::string_view kPython = R"(#!/usr/bin/env python3
{comment}
# Usage: python3 PROGRAM.py INPUT OUTPUT
import sys

{imports}

RED, GREEN, BLUE = {order}


{function}
{filter_image}
if len(sys.argv) != 3:
    sys.exit("usage: python3 PROGRAM.py INPUT OUTPUT")
{read}
if image.dtype != np.uint8:
    sys.exit(f"{sys.argv[1]}: its samples are not of 8 bits")
{write}
)";

/// `to_lab`, `from_lab`: statements that make `lightness`, 0 to 255, of `colors`, and `colors` of `changed`.
struct PythonLibrary {
    std::string_view imports, order, read, write, to_lab, from_lab;
};

constexpr PythonLibrary kOpenCv = {
    "import cv2\nimport numpy as np",
    "2, 1, 0",
    "image = cv2.imread(sys.argv[1], cv2.IMREAD_UNCHANGED)\nif image is None:\n"
    "    sys.exit(f\"{sys.argv[1]}: it cannot be read\")",
    "if not cv2.imwrite(sys.argv[2], filtered_image(image)):\n    sys.exit(f\"{sys.argv[2]}: it cannot be written\")",
    "lab = cv2.cvtColor(colors, cv2.COLOR_BGR2Lab)\n    lightness = np.ascontiguousarray(lab[..., 0])",
    "lab[..., 0] = changed\n    colors = cv2.cvtColor(lab, cv2.COLOR_Lab2BGR)"};
constexpr PythonLibrary kScikitImage = {"import numpy as np\nfrom skimage import color, exposure, filters, io",
                                        "0, 1, 2",
                                        "image = io.imread(sys.argv[1])",
                                        "io.imsave(sys.argv[2], filtered_image(image), check_contrast=False)",
                                        "lab = color.rgb2lab(colors)\n"
                                        "    lightness = np.round(2.55 * lab[..., 0]).astype(np.uint8)",
                                        "lab[..., 0] += (changed - lightness.astype(float)) / 2.55\n"
                                        "    colors = np.round(255 * color.lab2rgb(lab)).astype(np.uint8)"};
constexpr PythonLibrary kKornia = {"import kornia\nimport numpy as np\nimport torch\nfrom PIL import Image",
                                   "0, 1, 2",
                                   "image = np.asarray(Image.open(sys.argv[1]))",
                                   "Image.fromarray(filtered_image(image)).save(sys.argv[2])",
                                   "planes = torch.from_numpy(colors.copy()).permute(2, 0, 1)[None].float() / 255\n"
                                   "    lab = kornia.color.rgb_to_lab(planes)\n"
                                   "    lightness = (2.55 * lab[0, 0]).round().byte().numpy()",
                                   "lab[0, 0] += torch.from_numpy(changed - lightness.astype(np.float32)) / 2.55\n"
                                   "    colors = (255 * kornia.color.lab_to_rgb(lab)[0]).round().byte()"
                                   ".permute(1, 2, 0).numpy()"};

constexpr std::string_view kPythonLuma = R"(
def filtered_image(image):
    if image.ndim == 2:
        return filtered(image)
    red, green, blue = (image[..., c].astype(int) for c in (RED, GREEN, BLUE))
    luma = (77 * red + 150 * green + 29 * blue + 128) >> 8
    change = filtered(luma.astype(np.uint8)).astype(int) - luma
    result = image.copy()
    result[..., :3] = np.clip(image[..., :3] + change[..., None], 0, 255)
    return result

)";
constexpr std::string_view kPythonChannels = R"(
def filtered_image(image):
    if image.ndim == 2:
        return filtered(image)
    result = image.copy()
    for c in (RED, GREEN, BLUE):
        result[..., c] = filtered(np.ascontiguousarray(image[..., c]))
    return result

)";
constexpr std::string_view kPythonGray = R"(
def filtered_image(image):
    if image.ndim == 2:
        return filtered(image)
    red, green, blue = (image[..., c].astype(int) for c in (RED, GREEN, BLUE))
    result = filtered(((77 * red + 150 * green + 29 * blue + 128) >> 8).astype(np.uint8))
    return result if image.shape[2] == 3 else np.dstack([result, result, result, image[..., 3]])

)";
/// `before`: what is filtered of `red`, `green` and `blue`.
constexpr std::string_view kPythonScaled = R"(
def filtered_image(image):
    if image.ndim == 2:
        return filtered(image)
    red, green, blue = (image[..., c].astype(int) for c in (RED, GREEN, BLUE))
    before = {before}
    after = filtered(before.astype(np.uint8)).astype(int)[..., None]
    before = before[..., None]
    scaled = (image[..., :3] * after + before // 2) // np.maximum(before, 1)
    result = image.copy()
    result[..., :3] = np.where(before == 0, after, np.minimum(scaled, 255))
    return result

)";
constexpr std::string_view kPythonLab = R"(
def filtered_image(image):
    if image.ndim == 2:
        return filtered(image)
    colors = np.ascontiguousarray(image[..., :3])
    {to_lab}
    changed = filtered(lightness)
    {from_lab}
    result = image.copy()
    result[..., :3] = colors
    return result

)";
/// Behind a function `whole_image`, which was called filtered_image.
constexpr std::string_view kPythonAmount = R"(
def filtered_image(image):
    result = whole_image(image)
    before = image.astype(int)
{gray}    return (({amount} * result.astype(int) + {rest} * before + 50) // 100).astype(np.uint8)

)";
/// Behind a function `region_image`, which was called filtered_image.
constexpr std::string_view kPythonRegion = R"(
def filtered_image(image):
    rows, columns = image.shape[:2]
    left, top, right, bottom = {left}, {top}, min({right}, columns), min({bottom}, rows)
    feather = {feather}
    before = image.astype(int)
{gray}    after = before.copy()
    after[top:bottom, left:right] = region_image(np.ascontiguousarray(image[top:bottom, left:right]))
    x, y = np.arange(columns), np.arange(rows)[:, None]
    edge = np.full((rows, columns), feather)
    for inside, fades in ((x - left, left > 0), (y - top, top > 0),
                          (right - 1 - x, right < columns), (bottom - 1 - y, bottom < rows)):
        edge = np.where(fades | (inside < 0), np.minimum(edge, inside), edge)
    weight = np.where(edge >= feather, 255, (255 * (2 * edge + 1) + feather) // max(2 * feather, 1))
    weight = np.where(edge < 0, 0, weight).reshape((rows, columns) + (1,) * (before.ndim - 2))
    return ((weight * after + (255 - weight) * before + 127) // 255).astype(np.uint8)

)";
constexpr std::string_view kPythonGrayBefore = R"(    if image.ndim == 3:
        red, green, blue = (image[..., c].astype(int) for c in (RED, GREEN, BLUE))
        before = (77 * red + 150 * green + 29 * blue + 128) >> 8
        if image.shape[2] == 4:
            before = np.dstack([before, before, before, image[..., 3]])
)";
constexpr std::string_view kPythonWhole = R"(
def filtered_image(image):
    return filtered(image)

)";

constexpr std::string_view kCpp = R"({comment}
// c++ -std=c++17 PROGRAM.cpp $(pkg-config --cflags --libs opencv4)
// Usage: PROGRAM INPUT OUTPUT
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

{function}{filter_image}
int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: " << argv[0] << " INPUT OUTPUT\n";
        return 2;
    }
    const cv::Mat image = cv::imread(argv[1], cv::IMREAD_UNCHANGED);
    if (image.empty() || image.depth() != CV_8U) {
        std::cerr << argv[1] << ": no image of 8 bits that can be read\n";
        return 1;
    }
    return cv::imwrite(argv[2], filtered_image(image)) ? 0 : 1;
}
)";
constexpr std::string_view kCppLuma = R"(
cv::Mat luma_of(const cv::Mat& image) {
    cv::Mat luma(image.size(), CV_8U);
    for (int y = 0; y < image.rows; ++y)
        for (int x = 0; x < image.cols; ++x) {
            const uchar* const pixel = image.ptr(y, x);  // blue, green, red
            luma.at<uchar>(y, x) = uchar((77 * pixel[2] + 150 * pixel[1] + 29 * pixel[0] + 128) >> 8);
        }
    return luma;
}
)";
constexpr std::string_view kCppByLuma = R"(
cv::Mat filtered_image(const cv::Mat& image) {
    if (image.channels() == 1) return filtered(image);
    const cv::Mat before = luma_of(image), after = filtered(before);
    cv::Mat result = image.clone();
    for (int y = 0; y < image.rows; ++y)
        for (int x = 0; x < image.cols; ++x)
            for (int c = 0; c < 3; ++c)
                result.ptr(y, x)[c] =
                    cv::saturate_cast<uchar>(image.ptr(y, x)[c] + after.at<uchar>(y, x) - before.at<uchar>(y, x));
    return result;
}
)";
constexpr std::string_view kCppChannels = R"(
cv::Mat filtered_image(const cv::Mat& image) {
    std::vector<cv::Mat> planes;
    cv::split(image, planes);
    for (size_t c = 0; c < std::min<size_t>(planes.size(), 3); ++c) planes[c] = filtered(planes[c]);
    cv::Mat result;
    cv::merge(planes, result);
    return result;
}
)";
constexpr std::string_view kCppGray = R"(
cv::Mat filtered_image(const cv::Mat& image) {
    if (image.channels() == 1) return filtered(image);
    const cv::Mat gray = filtered(luma_of(image));
    if (image.channels() == 3) return gray;
    cv::Mat alpha, result;
    cv::extractChannel(image, alpha, 3);
    cv::merge(std::vector<cv::Mat>{gray, gray, gray, alpha}, result);
    return result;
}
)";
/// Behind luma_of() or kCppValue. `before`: the function that makes what is filtered.
constexpr std::string_view kCppScaled = R"(
cv::Mat filtered_image(const cv::Mat& image) {
    if (image.channels() == 1) return filtered(image);
    const cv::Mat before = {before}(image), after = filtered(before);
    cv::Mat result = image.clone();
    for (int y = 0; y < image.rows; ++y)
        for (int x = 0; x < image.cols; ++x)
            for (int c = 0; c < 3; ++c) {
                const int old_value = before.at<uchar>(y, x), new_value = after.at<uchar>(y, x);
                result.ptr(y, x)[c] =
                    old_value == 0
                        ? uchar(new_value)
                        : uchar(std::min(255, (image.ptr(y, x)[c] * new_value + old_value / 2) / old_value));
            }
    return result;
}
)";
constexpr std::string_view kCppValue = R"(
cv::Mat value_of(const cv::Mat& image) {
    cv::Mat value(image.size(), CV_8U);
    for (int y = 0; y < image.rows; ++y)
        for (int x = 0; x < image.cols; ++x) {
            const uchar* const pixel = image.ptr(y, x);
            value.at<uchar>(y, x) = std::max({pixel[0], pixel[1], pixel[2]});
        }
    return value;
}
)";
constexpr std::string_view kCppLab = R"(
cv::Mat filtered_image(const cv::Mat& image) {
    if (image.channels() == 1) return filtered(image);
    std::vector<cv::Mat> planes;
    cv::split(image, planes);
    cv::Mat colors, lab, lightness;
    cv::merge(std::vector<cv::Mat>(planes.begin(), planes.begin() + 3), colors);
    cv::cvtColor(colors, lab, cv::COLOR_BGR2Lab);
    cv::extractChannel(lab, lightness, 0);
    cv::insertChannel(filtered(lightness), lab, 0);
    cv::cvtColor(lab, colors, cv::COLOR_Lab2BGR);
    if (planes.size() == 3) return colors;
    std::vector<cv::Mat> result;
    cv::split(colors, result);
    result.push_back(planes[3]);
    cv::merge(result, colors);
    return colors;
}
)";
/// Behind a function `whole_image`, which was called filtered_image. `before`: what the result is mixed with.
constexpr std::string_view kCppAmount = R"(
cv::Mat filtered_image(const cv::Mat& image) {
    cv::Mat result = whole_image(image);
    const cv::Mat gray = {gray};
    const int channels = result.channels();
    for (int y = 0; y < image.rows; ++y)
        for (int x = 0; x < image.cols; ++x)
            for (int c = 0; c < channels; ++c) {
                const int before = gray.empty() || c == 3 ? image.ptr(y, x)[c] : gray.at<uchar>(y, x);
                uchar& sample = result.ptr(y, x)[c];
                sample = uchar(({amount} * sample + {rest} * before + 50) / 100);
            }
    return result;
}
)";
constexpr std::string_view kCppWhole = R"(
cv::Mat filtered_image(const cv::Mat& image) {
    return filtered(image);
}
)";

constexpr std::string_view kImageJ = R"({comment}
// Usage: ImageJ -batch PROGRAM.ijm INPUT,OUTPUT.png
paths = split(getArgument(), ",");
open(paths[0]);
{function}saveAs("PNG", paths[1]);
close();
)";

constexpr std::string_view kMatlab = R"({comment}
% Usage: filter_image INPUT OUTPUT, in a file filter_image.m
function filter_image(input, output)
    image = imread(input);
    if ~isa(image, 'uint8')
        error('%s: its samples are not of 8 bits', input);
    end
{filter_image}    imwrite(result, output);
end

{function})";
constexpr std::string_view kMatlabLuma = R"(    if ismatrix(image)
        result = filtered(image);
    else
        colors = int32(image);
        luma = bitshift(77 * colors(:, :, 1) + 150 * colors(:, :, 2) + 29 * colors(:, :, 3) + 128, -8);
        result = uint8(colors + (int32(filtered(uint8(luma))) - luma));
    end
)";
constexpr std::string_view kMatlabChannels = R"(    result = image;
    for c = 1:size(image, 3)
        result(:, :, c) = filtered(image(:, :, c));
    end
)";
constexpr std::string_view kMatlabGray = R"(    if ~ismatrix(image)
        colors = int32(image);
        image = uint8(bitshift(77 * colors(:, :, 1) + 150 * colors(:, :, 2) + 29 * colors(:, :, 3) + 128, -8));
    end
    result = filtered(image);
)";
/// `before`: what is filtered of `colors`.
constexpr std::string_view kMatlabScaled = R"(    if ismatrix(image)
        result = filtered(image);
    else
        colors = int32(image);
        before = {before};
        after = int32(filtered(uint8(before)));
        result = uint8(idivide(colors .* after + idivide(before, int32(2)), max(before, 1)));
        black = repmat(before == 0, 1, 1, 3);
        shown = repmat(uint8(after), 1, 1, 3);
        result(black) = shown(black);
    end
)";
constexpr std::string_view kMatlabLab = R"(    if ismatrix(image)
        result = filtered(image);
    else
        lab = rgb2lab(image);
        before = uint8(2.55 * lab(:, :, 1));
        lab(:, :, 1) = lab(:, :, 1) + (double(filtered(before)) - double(before)) / 2.55;
        result = im2uint8(lab2rgb(lab));
    end
)";
constexpr std::string_view kMatlabAmount =
    "    result = uint8(idivide({amount} * int32(result) + {rest} * int32(image) + 50, int32(100)));\n";
constexpr std::string_view kMatlabWhole = "    result = filtered(image);\n";

/// By what becomes of colors. `scaled`: for ratio and value, with {before}, which `before_luma` or `before_value` are.
struct PlaneTexts {
    std::string_view luma, channels, gray, scaled, lab, whole;
    std::string_view before_luma, before_value;
};
std::string by_planes(Planes planes, const PlaneTexts& texts) {
    switch (planes) {
        case Planes::luma:
            return std::string(texts.luma);
        case Planes::channels:
            return std::string(texts.channels);
        case Planes::gray:
            return std::string(texts.gray);
        case Planes::ratio:
            return filled(texts.scaled, {{"before", std::string(texts.before_luma)}});
        case Planes::value:
            return filled(texts.scaled, {{"before", std::string(texts.before_value)}});
        case Planes::lab:
            return std::string(texts.lab);
        case Planes::whole:
            return std::string(texts.whole);
    }
    return {};
}

/// Its last function under another name, for one of the old name behind it.
std::string renamed(std::string text, std::string_view name) {
    constexpr std::string_view kName = "filtered_image";
    return text.replace(text.rfind(kName), kName.size(), name);
}

/// With a function behind it that mixes its result with the image.
std::string with_amount(const std::string& text, const CodeParts& parts, std::string_view mixing,
                        const std::string& gray) {
    if (parts.amount == 100) return text;
    return renamed(text, "whole_image") + filled(mixing, {{"amount", std::to_string(parts.amount)},
                                                          {"rest", std::to_string(100 - parts.amount)},
                                                          {"gray", gray}});
}

std::string with_region(const std::string& text, const ResultPart& part, const std::string& gray) {
    if (!part.has_region()) return text;
    const Rect& region = part.region;
    return renamed(text, "region_image") + filled(kPythonRegion, {{"left", std::to_string(region.x)},
                                                                  {"top", std::to_string(region.y)},
                                                                  {"right", std::to_string(region.x + region.width)},
                                                                  {"bottom", std::to_string(region.y + region.height)},
                                                                  {"feather", std::to_string(part.feather_px)},
                                                                  {"gray", gray}});
}

std::string python(const PythonLibrary& library, const std::string& comment, const CodeParts& parts,
                   const ResultPart& part) {
    const auto text = [](std::string_view one) { return std::string(one); };
    const std::string lab =
        filled(kPythonLab, {{"to_lab", text(library.to_lab)}, {"from_lab", text(library.from_lab)}});
    const std::string image = by_planes(
        parts.planes, {kPythonLuma, kPythonChannels, kPythonGray, kPythonScaled, lab, kPythonWhole,
                       "(77 * red + 150 * green + 29 * blue + 128) >> 8", "np.maximum(np.maximum(red, green), blue)"});
    const std::string gray = parts.planes == Planes::gray ? text(kPythonGrayBefore) : "";
    return filled(kPython, {{"comment", comment},
                            {"imports", text(library.imports)},
                            {"order", text(library.order)},
                            {"read", text(library.read)},
                            {"write", text(library.write)},
                            {"function", parts.function},
                            {"filter_image", with_region(with_amount(image, parts, kPythonAmount, gray), part, gray)}});
}

std::string cpp(const std::string& comment, const CodeParts& parts) {
    const auto needs = [&](Planes planes, std::string_view function) {
        return std::string(parts.planes == planes ? function : "");
    };
    const std::string functions = needs(Planes::luma, kCppLuma) + needs(Planes::gray, kCppLuma) +
                                  needs(Planes::ratio, kCppLuma) + needs(Planes::value, kCppValue);
    const std::string image = by_planes(
        parts.planes, {kCppByLuma, kCppChannels, kCppGray, kCppScaled, kCppLab, kCppWhole, "luma_of", "value_of"});
    const std::string gray =
        parts.planes == Planes::gray ? "image.channels() == 1 ? cv::Mat() : luma_of(image)" : "cv::Mat()";
    return filled(kCpp, {{"comment", comment},
                         {"function", parts.function},
                         {"filter_image", functions + with_amount(image, parts, kCppAmount, gray)}});
}

std::string matlab(const std::string& comment, const CodeParts& parts) {
    std::string image = by_planes(
        parts.planes, {kMatlabLuma, kMatlabChannels, kMatlabGray, kMatlabScaled, kMatlabLab, kMatlabWhole,
                       "bitshift(77 * colors(:, :, 1) + 150 * colors(:, :, 2) + 29 * colors(:, :, 3) + 128, -8)",
                       "max(colors, [], 3)"});
    if (parts.amount < 100)
        image += filled(kMatlabAmount,
                        {{"amount", std::to_string(parts.amount)}, {"rest", std::to_string(100 - parts.amount)}});
    return filled(kMatlab, {{"comment", comment}, {"function", parts.function}, {"filter_image", image}});
}

/// "color=luma, radius=4": the parameters that count.
std::string parameters_text(const OperatorInfo& op, const ParamBlock& params) {
    std::string text;
    for (const ParamInfo& info : op.params)
        if (is_active(op.params, info, params))
            text += (text.empty() ? "" : ", ") + std::string(info.id) + "=" + format_value(info, params.get(info));
    return text;
}

/// What of the part the program leaves out.
std::string part_text(const ResultPart& part, bool has_region) {
    std::string text;
    if (part.has_region() && has_region)
        text += " Of the image, the region " + region_text(part.region) + " is filtered.";
    else if (part.has_region())
        text += " The region " + region_text(part.region) + " is not part of this program: it filters the whole image.";
    if (part.mask != nullptr) text += " The mask is not part of this program.";
    return text;
}

std::string comment_of(const OperatorInfo& op, const CodeTargetInfo& target, std::string_view mark,
                       const ParamBlock& params, const CodeParts& parts, const ResultPart& part) {
    const bool is_macro = target.id == "imagej", is_python = mark == "#";
    const std::string text = std::string(op.name) + (is_macro ? " in an " : " with ") + std::string(target.name) +
                             ", for Tonescope's " + parameters_text(op, params) + ". " + parts.nearness +
                             part_text(part, is_python) +
                             (is_macro && parts.amount < 100 ? " The whole result is saved, not a share of it." : "") +
                             (!is_macro && parts.planes == Planes::lab
                                  ? " L*, a* and b* are the library's, in its own precision; colors differ by a few "
                                    "levels where they are dark or clipped."
                                  : "");
    std::string lines;
    const auto fits = [&](const std::string& line) { return line.size() + mark.size() <= kWidth; };
    for (const std::string& line : wrap(text, fits))
        lines += (lines.empty() ? "" : "\n") + std::string(mark) + " " + line;
    return lines;
}

}  // namespace

std::string filled(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>> values) {
    std::string out;
    while (!text.empty()) {
        const size_t open = std::min(text.find('{'), text.size());
        out += text.substr(0, open);
        text.remove_prefix(open);
        bool known = false;
        for (const auto& [name, value] : values) {
            if (!text.starts_with("{" + std::string(name) + "}")) continue;
            out += value;
            text.remove_prefix(name.size() + 2);
            known = true;
            break;
        }
        if (!known && !text.empty()) {
            out += text.front();
            text.remove_prefix(1);
        }
    }
    return out;
}

bool has_code(const OperatorInfo& op, CodeTarget target, const ParamBlock& params) {
    return op.code != nullptr && !op.code(target, params).function.empty();
}

std::string program_for(const OperatorInfo& op, CodeTarget target, const ParamBlock& params, const ResultPart& part) {
    const CodeTargetInfo& info = kCodeTargets[size_t(target)];
    if (!has_code(op, target, params)) {
        std::vector<std::string> others;
        for (const CodeTargetInfo& other : kCodeTargets)
            if (has_code(op, CodeTarget(&other - kCodeTargets), params)) others.emplace_back(other.id);
        throw UserError(std::string(op.id) + ": " + std::string(info.name) + " has nothing like it" +
                        (others.empty() ? "" : "; there is code for " + spell_out(others)));
    }
    const CodeParts parts = op.code(target, params);
    const auto comment = [&](std::string_view mark) { return comment_of(op, info, mark, params, parts, part); };
    switch (target) {
        case CodeTarget::opencv_python:
            return python(kOpenCv, comment("#"), parts, part);
        case CodeTarget::scikit_image:
            return python(kScikitImage, comment("#"), parts, part);
        case CodeTarget::kornia:
            return python(kKornia, comment("#"), parts, part);
        case CodeTarget::opencv_cpp:
            return cpp(comment("//"), parts);
        case CodeTarget::imagej:
            return filled(kImageJ, {{"comment", comment("//")}, {"function", parts.function}});
        case CodeTarget::matlab:
            return matlab(comment("%"), parts);
    }
    return {};
}

}  // namespace tonescope
