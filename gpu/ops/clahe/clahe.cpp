#include "gpu/ops/clahe/clahe.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "gpu/core/figures/suggestions.h"
#include "gpu/core/text.h"
#include "gpu/ops/clahe/exact/windows.h"
#include "gpu/ops/color_param.h"
#include "gpu/ops/range_param.h"

namespace tonescope::clahe {
namespace {

constexpr std::string_view kTilesValues[] = {"size", "grid"};
constexpr std::string_view kTablesValues[] = {"blended", "exact"};
constexpr std::string_view kClipUnitValues[] = {"slope", "count"};
constexpr std::string_view kExcessValues[] = {"spread", "drop", "spread evenly"};

constexpr ParamInfo kTable[] = {
    {.id = "tiles",
     .label = "Tiles",
     .help = "size: square tiles of a given size; grid: a given number of tiles, as OpenCV's tileGridSize.",
     .kind = ParamKind::choice,
     .offset = offsetof(Params, tiles),
     .max = 1,
     .values = kTilesValues},
    {.id = "tile_size",
     .label = "Tile size",
     .unit = "px",
     .help = "Side of a tile. Small tiles bring out small details, and noise with them. In scikit-image: kernel_size.",
     .offset = offsetof(Params, tile_size),
     .min = kMinTile,
     .max = kMaxTile,
     .default_value = 64,
     .logarithmic = true,
     .active_if = "tiles",
     .active_value = tiles_size},
    {.id = "grid_columns",
     .label = "Across",
     .unit = "tiles",
     .help = "Tiles across the image.",
     .offset = offsetof(Params, grid_columns),
     .min = 1,
     .max = kMaxGrid,
     .default_value = 8,
     .active_if = "tiles",
     .active_value = tiles_grid},
    {.id = "grid_rows",
     .label = "Down",
     .unit = "tiles",
     .help = "Tiles down the image.",
     .offset = offsetof(Params, grid_rows),
     .min = 1,
     .max = kMaxGrid,
     .default_value = 8,
     .active_if = "tiles",
     .active_value = tiles_grid},
    {.id = "tables",
     .label = "Tables",
     .help =
         "blended: each tile has a table, and a pixel blends those of the four nearest tiles; exact: each pixel has "
         "the table of a window around it, of a tile's sides, which takes many times as long. Fiji's CLAHE is "
         "exact without \"fast\", libvips calls it hist_local; OpenCV, scikit-image and MATLAB blend.",
     .kind = ParamKind::choice,
     .offset = offsetof(Params, tables),
     .max = tables_exact,
     .values = kTablesValues,
     .common_max = tables_blended},
    {.id = "clip_unit",
     .label = "Clip limit as",
     .help =
         "slope: a multiple of the mean bin, which is the steepest slope that the curve may have (OpenCV clipLimit, "
         "Fiji maximum slope); count: a number of pixels.",
     .kind = ParamKind::choice,
     .offset = offsetof(Params, clip_unit),
     .max = 1,
     .values = kClipUnitValues},
    {.id = "clip_limit",
     .label = "Clip limit",
     .unit = "\u00d7 mean bin",
     .help = "How much local contrast may grow: 1 changes little, 3 is usual, 0 is no limit. OpenCV's clipLimit is "
             "the same number, scikit-image's clip_limit is this / 256, a count is this times a tile's pixels / 256.",
     .kind = ParamKind::decimal,
     .offset = offsetof(Params, clip_limit),
     .max = kMaxLimit,
     .default_value = 300,
     .scale = kLimitScale,
     .logarithmic = true,
     .active_if = "clip_unit",
     .active_value = clip_slope,
     .main = true},
    {.id = "clip_count",
     .label = "Clip count",
     .unit = "pixels",
     .help = "Most pixels that one bin of a tile's histogram keeps; 0 is no limit. OpenCV's clipLimit is this times "
             "256 / a tile's pixels, scikit-image's clip_limit is this / a tile's pixels.",
     .offset = offsetof(Params, clip_count),
     .max = 1 << 30,
     .default_value = 40,
     .logarithmic = true,
     .active_if = "clip_unit",
     .active_value = clip_count,
     .main = true},
    {.id = "excess",
     .label = "Remainder",
     .help =
         "The pixels above the limit (the excess) go to all bins alike. What this division leaves over: with spread, "
         "bins a whole step apart get one more, from the darkest on, as in OpenCV, which may leave bright bins "
         "without; "
         "with drop, it is left out, as in report A; with spread evenly, the bins that get one more lie evenly between "
         "the darkest and the brightest (OpenCV's issue 25837).",
     .kind = ParamKind::choice,
     .offset = offsetof(Params, excess),
     .max = excess_evenly,
     .values = kExcessValues},
    color_param(offsetof(Params, color)),
    range_param(offsetof(Params, range)),
    bins_param(offsetof(Params, bins)),
    amount_param(offsetof(Params, amount)),
    no_data_param(offsetof(Params, no_data.no_data)),
    no_data_value_param(offsetof(Params, no_data.value)),
};

using RuleKind = SuggestionRule::Kind;
constexpr SuggestionRule kSuggestedBy[] = {{"noise_gain", RuleKind::passes, 1.5},
                                           {"entropy", RuleKind::levels_off, 0.01}};

/// Of a grid, as many tiles as keep their size.
ParamBlock for_part(const ParamBlock& params, const ImageSpec& image, const Rect& part) {
    auto p = params.as<Params>();
    const auto tiles_on = [](int tiles, int64_t part_px, int64_t image_px) {
        return int32_t(std::max<int64_t>((2 * tiles * part_px + image_px) / (2 * image_px), 1));
    };
    p.grid_columns = tiles_on(p.grid_columns, part.width, image.width);
    p.grid_rows = tiles_on(p.grid_rows, part.height, image.height);
    return ParamBlock(p);
}

const SuggestionRegistration suggested_tile_size({"clahe", "tile_size", 512, kMinTile, kSuggestedBy, for_part});
const SuggestionRegistration suggested_clip_limit({"clahe", "clip_limit", kLimitScale, 40 * kLimitScale, kSuggestedBy,
                                                   for_part});

/// At least four significant digits where there are as many.
std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 1000 ? "%.4g" : "%.0f", value);
    return text;
}

std::string tiles_line(const Geometry& g, const Params& p) {
    if (p.tables == tables_exact)
        return "A window of " + size_text(g.tile_width, g.tile_height) + " px around each pixel, " +
               std::to_string(g.tile_pixels()) + " pixels";
    return size_text(g.columns, g.rows) + " tiles (across, down) of " + size_text(g.tile_width, g.tile_height) +
           " px, " + std::to_string(g.tile_pixels()) + " pixels each";
}

/// The limit as a slope, as a count and as other programs take it. OpenCV: C = clipLimit * A / 256, at least 1, for a
/// tile of A pixels; scikit-image: C = clip_limit * A, at least 1 (equalize_adapthist with its 256 bins). Both take 0
/// as no limit.
std::vector<std::string> limit_lines(const Geometry& g, const Params& p) {
    if (!g.clips) return {"No limit: contrast grows freely", "OpenCV: clipLimit 0", "scikit-image: clip_limit 0"};
    const auto tile_pixels = double(g.tile_pixels());
    const bool by_slope = p.clip_unit == clip_slope;
    const double slope = by_slope ? p.clip_limit / double(kLimitScale) : double(g.clip) * 256 / tile_pixels;
    const bool same_tiles = p.tiles == tiles_grid;
    return {by_slope ? "As count: at most " + std::to_string(g.clip) + " of a tile's " + number(tile_pixels) +
                           " pixels in a bin"
                     : "As slope: " + number(slope) + " \u00d7 the mean bin of a tile",
            "OpenCV: clipLimit " + number(slope) +
                (same_tiles ? ", tileGridSize " + size_text(g.columns, g.rows) : ", the same slope on a grid of tiles"),
            "scikit-image: clip_limit " + number(slope / 256) + ", the share of a tile's pixels"};
}

/// What a parameter comes to in other units and in other programs (OperatorInfo::conversions).
std::vector<std::string> conversions(const ParamInfo& info, const ParamBlock& params, const ImageSpec& image) {
    if (image.empty()) return {};
    const auto p = params.as<Params>();
    const Geometry g = make_geometry(image, p);
    switch (info.offset) {
        case offsetof(Params, tiles):
        case offsetof(Params, tile_size):
        case offsetof(Params, grid_columns):
        case offsetof(Params, grid_rows):
        case offsetof(Params, tables):
            return {tiles_line(g, p)};
        case offsetof(Params, clip_limit):
        case offsetof(Params, clip_count):
            return limit_lines(g, p);
        default:
            return {};
    }
}

}  // namespace

Work tile_work(const WorkCase& c, int planes, const StageAmounts& tables, const StageAmounts& blend) {
    const Geometry g = make_geometry(c.image, c.params.as<Params>());
    const double pixels = double(planes) * g.padded_width * g.padded_height,
                 tiles = double(planes) * g.columns * g.rows;
    const Amounts table{.bytes = 256};
    return {{"tables", pixels * tables.pixel + tiles * (tables.tile + table)},
            {"blend", pixels * blend.pixel + tiles * (blend.tile + table)}};
}

Work exact_cuda_work(const WorkCase& c, const Amounts& pixel) {
    const Geometry window = make_geometry(c.image, c.params.as<Params>());
    const double planes = plane_count(c.image, c.params.as<Params>().color), in = bytes_per_pixel(c.image.format);
    const double reached = planes * (window.tile_width - 1 + c.image.width) * (window.tile_height - 1 + c.image.height);
    constexpr Amounts bin{.bytes = 2}, entry{.bytes = 2};
    return {{"bins", reached * (bin + Amounts{.operations = 60}) + planes * c.pixels() * Amounts{.bytes = in}},
            {"windows", reached * bin + planes * c.pixels() * (entry + pixel)},
            {"pixels", planes * c.pixels() * entry +
                           c.pixels() * Amounts{.bytes = in + color_output_bytes<Params>(c),
                                                .operations = by_color(c, c.params.as<Params>().color, 30, 45, 50)}}};
}

namespace {

const OperatorRegistration registration({
    .id = "clahe",
    .name = "CLAHE",
    .summary =
        "Contrast limited adaptive histogram equalization: equalizes each neighborhood by itself, with a limit on "
        "how much contrast may grow, and blends between tiles or moves a window from pixel to pixel.",
    .params = kTable,
    .follows = "he",
    .output_spec = color_output_spec<Params>,
    .preview = preview,
    .conversions = conversions,
    .convert = convert,
    .explain = explain,
    .code = code,
});

}  // namespace

Geometry make_geometry(const ImageSpec& image, const Params& params) {
    Geometry g;
    g.padded_width = image.width;
    g.padded_height = image.height;
    if (params.tiles == tiles_size) {
        g.tile_width = g.tile_height = params.tile_size;
        g.columns = (image.width + params.tile_size - 1) / params.tile_size;
        g.rows = (image.height + params.tile_size - 1) / params.tile_size;
    } else {
        g.columns = params.grid_columns;
        g.rows = params.grid_rows;
        if (image.width % g.columns != 0 || image.height % g.rows != 0) {
            g.padded_width += g.columns - image.width % g.columns;
            g.padded_height += g.rows - image.height % g.rows;
        }
        g.tile_width = g.padded_width / g.columns;
        g.tile_height = g.padded_height / g.rows;
    }
    g.excess = Excess(params.excess);
    if (params.clip_unit == clip_slope) {
        g.clips = params.clip_limit > 0;
        g.clip_limit = params.clip_limit;
    } else {
        g.clips = params.clip_count > 0;
        g.clip_count = params.clip_count;
    }
    g.clip = g.clip_at(256);
    return g;
}

}  // namespace tonescope::clahe
