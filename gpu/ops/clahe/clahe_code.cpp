// CLAHE in other libraries' words (OperatorInfo::code).
#include <cstdio>

#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/no_data_code.h"

namespace tonescope::clahe {
namespace {

constexpr std::string_view kOpenCvPython = R"(def filtered(plane):
    height, width = plane.shape
    columns, rows = {grid}
    return cv2.createCLAHE(clipLimit={limit}, tileGridSize=(columns, rows)).apply(plane)
)";
// Tiles of a given size: OpenCV divides what it gets into columns and rows, which then are whole tiles.
constexpr std::string_view kPythonWholeTiles = R"(def filtered(plane):
    height, width = plane.shape
    columns, rows = {grid}
    below, right = rows * {side} - height, columns * {side} - width
    whole = cv2.copyMakeBorder(plane, 0, below, 0, right, cv2.BORDER_REFLECT_101)
    clahe = cv2.createCLAHE(clipLimit={limit}, tileGridSize=(columns, rows))
    return clahe.apply(whole)[:height, :width]
)";
constexpr std::string_view kOpenCvCpp = R"(cv::Mat filtered(const cv::Mat& plane) {
    [[maybe_unused]] const int width = plane.cols, height = plane.rows;
    const int columns = {columns}, rows = {rows};
    cv::Mat result;
    cv::createCLAHE({limit}, cv::Size(columns, rows))->apply(plane, result);
    return result;
}
)";
constexpr std::string_view kCppWholeTiles = R"(cv::Mat filtered(const cv::Mat& plane) {
    const int width = plane.cols, height = plane.rows;
    const int columns = {columns}, rows = {rows};
    cv::Mat whole, result;
    cv::copyMakeBorder(plane, whole, 0, rows * {side} - height, 0, columns * {side} - width, cv::BORDER_REFLECT_101);
    cv::createCLAHE({limit}, cv::Size(columns, rows))->apply(whole, result);
    return result(cv::Rect(0, 0, width, height)).clone();
}
)";
constexpr std::string_view kScikitImage = R"(def filtered(plane):
    height, width = plane.shape
    tile_width, tile_height = {tile}
    clip_limit = {limit}
    result = exposure.equalize_adapthist(plane, kernel_size=(tile_height, tile_width), clip_limit=clip_limit, nbins=256)
    return np.round(255 * result).astype(np.uint8)
)";
// Exact tables, without a limit.
constexpr std::string_view kScikitWindows = R"(def filtered(plane):
    height, width = plane.shape
    window_width, window_height = {tile}
    left, above = window_width // 2, window_height // 2
    beyond = ((above, window_height - 1 - above), (left, window_width - 1 - left))
    window = np.ones((window_height, window_width), np.uint8)
    result = filters.rank.equalize(np.pad(plane, beyond, mode="reflect"), window)
    return result[above:above + height, left:left + width]
)";
// kornia 0.7 takes as many columns of tiles as rows.
constexpr std::string_view kKornia = R"(def filtered(plane):
    height, width = plane.shape
    tiles = max({grid})
    tile_width, tile_height = {tile}
    clip_limit = {limit}
    whole = np.pad(plane, ((0, tiles * tile_height - height), (0, tiles * tile_width - width)), mode="reflect")
    planes = torch.tensor(whole)[None, None].float() / 255
    result = kornia.enhance.equalize_clahe(planes, clip_limit=clip_limit, grid_size=(tiles, tiles))
    return (255 * result[0, 0]).round().byte().numpy()[:height, :width]
)";
constexpr std::string_view kImageJ =
    R"macro(run("Enhance Local Contrast (CLAHE)", "blocksize=" + {block} + " histogram=256 maximum={slope} mask=*None*{fast}");
)macro";
constexpr std::string_view kMatlab = R"(function result = filtered(plane)
    [height, width] = size(plane);
    columns = max({columns}, 2);  % adapthisteq takes no fewer
    rows = max({rows}, 2);
    limit = {limit};
    result = adapthisteq(plane, 'NumTiles', [rows columns], 'ClipLimit', limit, 'NBins', 256, 'Range', 'full', ...
                         'Distribution', 'uniform');
end
)";

std::string figure(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.8g", value);
    return std::string(text) + (std::string_view(text).find_first_of(".e") == std::string_view::npos ? ".0" : "");
}

/// `value` rounded up to a multiple of `by`, over `by`, as the language writes it.
std::string ceil_quotient(CodeTarget target, const std::string& value, int by) {
    const std::string divisor = std::to_string(by);
    if (target == CodeTarget::matlab) return "ceil(" + value + " / " + divisor + ")";
    if (target == CodeTarget::opencv_cpp) return "(" + value + " + " + std::to_string(by - 1) + ") / " + divisor;
    return "-(-" + value + " // " + divisor + ")";
}

struct Words {
    std::string columns, rows;            // of tiles
    std::string tile_width, tile_height;  // px
    std::string tile_pixels;
};

Words words_of(CodeTarget target, const Params& p) {
    if (p.tiles == tiles_size) {
        const std::string side = std::to_string(p.tile_size);
        return {ceil_quotient(target, "width", p.tile_size), ceil_quotient(target, "height", p.tile_size), side, side,
                "(" + side + " * " + side + ")"};
    }
    const std::string width = ceil_quotient(target, "width", p.grid_columns);
    const std::string height = ceil_quotient(target, "height", p.grid_rows);
    return {std::to_string(p.grid_columns), std::to_string(p.grid_rows), width, height,
            "((" + width + ") * (" + height + "))"};
}

/// The limit as a multiple of the mean bin, "" where there is none.
std::string slope(const Params& p, const Words& words) {
    if (p.clip_unit == clip_slope) return p.clip_limit == 0 ? "" : figure(p.clip_limit / double(kLimitScale));
    return p.clip_count == 0 ? "" : figure(256.0 * p.clip_count) + " / " + words.tile_pixels;
}

/// As the target counts it.
std::string limit(CodeTarget target, const Params& p, const Words& words) {
    const std::string mean = slope(p, words);
    switch (target) {
        case CodeTarget::scikit_image:  // the share of a tile's pixels
            return mean.empty() ? "0" : mean + " / 256";
        case CodeTarget::matlab:  // 0 is the mean bin, 1 all pixels of a tile
            return mean.empty() ? "1" : "max(" + mean + " - 1, 0) / 255";
        default:
            return mean.empty() ? "0.0" : mean;
    }
}

bool has_limit(const Params& p) {
    return (p.clip_unit == clip_slope ? p.clip_limit : p.clip_count) > 0;
}

std::string nearness(CodeTarget target, const Params& p) {
    if (p.tables == tables_exact && target == CodeTarget::scikit_image && !has_limit(p))
        return "Each plane is within one level of Tonescope's, where values go from 0 to 255.";
    if (p.tables == tables_exact && target == CodeTarget::imagej)
        return "Blocks have odd sides and end at the image's border, where Tonescope mirrors the image; the plugin "
               "clips "
               "until no bin passes the limit, and its darkest value becomes 0. Of colors it takes the brightness. "
               "This "
               "was not run.";
    const std::string drop =
        std::string(p.excess == excess_drop ? " What is left of the excess is spread, not dropped."
                    : p.excess == excess_evenly
                        ? " What is left of the excess is spread from the dark bins on, not evenly."
                        : "") +
        (p.range == range_used ? " The range of values is the whole one." : "") +
        (p.tables == tables_exact
             ? " The tables of tiles are blended: exact ones, of a window around each pixel, " +
                   std::string(target == CodeTarget::scikit_image ? "scikit-image has only without a limit."
                                                                  : "it does not have.")
             : "");
    switch (target) {
        case CodeTarget::opencv_python:
        case CodeTarget::opencv_cpp:
            return std::string(
                       p.excess == excess_spread
                           ? "Each plane is within one level of Tonescope's, two at very few pixels."
                           : "Each plane is within a few levels of Tonescope's, the nearer the larger the tiles.") +
                   std::string(p.tiles == tiles_grid ? ""
                                                     : " That is, beside tiles that the border cuts off, which are "
                                                       "filled up with mirrored pixels here.") +
                   drop;
        case CodeTarget::scikit_image:
            return "scikit-image stretches each plane to the whole range, before and after: on Tonescope's samples the "
                   "result is 8 to 35 levels away in the mean (without a limit, below one)." +
                   drop;
        case CodeTarget::kornia:
            return "kornia's tiles have even sides; it cuts fractions off its tables, and gives what is left of the "
                   "excess to the darkest bins: on Tonescope's samples the result is 0.3 to 1.6 levels away in the "
                   "mean with tiles of 64 and 128 pixels, and up to 7 at single pixels (tiles of 16: up to 63), more "
                   "beside tiles that the border cuts off." +
                   drop;
        case CodeTarget::imagej:
            return "Blocks have odd sides; of colors the plugin takes the brightness. This was not run.";
        case CodeTarget::matlab:
            return "MATLAB has its own way of spreading the excess. This was not run." + drop;
    }
    return {};
}

}  // namespace

CodeParts code(CodeTarget target, const ParamBlock& params) {
    const auto p = params.as<Params>();
    const auto planes = CodeParts::Planes(p.color);
    const Words words = words_of(target, p);
    const std::string note = nearness(target, p) + std::string(no_data_nearness(p.no_data)),
                      clip = limit(target, p, words);
    const auto with = [&](std::string_view text) {
        return CodeParts{filled(text, {{"grid", words.columns + ", " + words.rows},
                                       {"columns", words.columns},
                                       {"rows", words.rows},
                                       {"tile", words.tile_width + ", " + words.tile_height},
                                       {"limit", clip},
                                       {"side", std::to_string(p.tile_size)}}),
                         note, planes, p.amount};
    };
    switch (target) {
        case CodeTarget::opencv_python:
            return with(p.tiles == tiles_size ? kPythonWholeTiles : kOpenCvPython);
        case CodeTarget::opencv_cpp:
            return with(p.tiles == tiles_size ? kCppWholeTiles : kOpenCvCpp);
        case CodeTarget::scikit_image:
            return with(p.tables == tables_exact && !has_limit(p) ? kScikitWindows : kScikitImage);
        case CodeTarget::kornia:
            return with(kKornia);
        case CodeTarget::matlab:
            return with(kMatlab);
        case CodeTarget::imagej: {
            const std::string block = p.tiles == tiles_size
                                          ? std::to_string(p.tile_size | 1)
                                          : "(2 * floor(getWidth() / " + std::to_string(2 * p.grid_columns) + ") + 1)";
            const std::string most = p.clip_unit == clip_slope && p.clip_limit > 0
                                         ? figure(p.clip_limit / double(kLimitScale))
                                     : p.clip_unit == clip_slope || p.clip_count == 0
                                         ? "256"
                                         : "\" + " + figure(256.0 * p.clip_count) + " / pow(" + block + ", 2) + \"";
            const std::string fast = p.tables == tables_exact ? "" : " fast_(less_accurate)";
            return {filled(kImageJ, {{"block", block}, {"slope", most}, {"fast", fast}}), note, planes, p.amount};
        }
    }
    return {};
}

}  // namespace tonescope::clahe
