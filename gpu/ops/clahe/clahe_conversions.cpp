// What CLAHE's parameters come to in other units and in other programs.
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"

namespace tonescope {
namespace {

constexpr int kBins = 256;

/// At least four significant digits where there are as many.
std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 1000 ? "%.4g" : "%.0f", value);
    return text;
}

std::string sides(int width, int height) {
    return std::to_string(width) + " \u00d7 " + std::to_string(height);
}

std::string tiles_line(const ClaheGeometry& g) {
    return sides(g.columns, g.rows) + " tiles (across, down) of " + sides(g.tile_width, g.tile_height) + " px, " +
           std::to_string(int64_t{g.tile_width} * g.tile_height) + " pixels each";
}

/// The limit as a slope, as a count and as other programs take it. OpenCV: C = clipLimit * A / 256, at least 1, for a
/// tile of A pixels; scikit-image: C = clip_limit * A, at least 1 (equalize_adapthist with its 256 bins). Both take 0
/// as no limit.
std::vector<std::string> limit_lines(const ClaheGeometry& g, const ClaheParams& p) {
    if (!g.clips) return {"No limit: contrast grows freely", "OpenCV: clipLimit 0", "scikit-image: clip_limit 0"};
    const double tile_pixels = double(g.tile_width) * g.tile_height;
    const bool by_slope = p.clip_unit == clip_slope;
    const double slope = by_slope ? p.clip_limit / 100.0 : double(g.clip) * kBins / tile_pixels;
    const bool same_tiles = p.tiles == tiles_grid;
    return {by_slope ? "As count: at most " + std::to_string(g.clip) + " of a tile's " + number(tile_pixels) +
                           " pixels in a bin"
                     : "As slope: " + number(slope) + " x the mean bin of a tile",
            "OpenCV: clipLimit " + number(slope) +
                (same_tiles ? ", tileGridSize " + sides(g.columns, g.rows) : ", the same slope on a grid of tiles"),
            "scikit-image: clip_limit " + number(slope / kBins) + ", the share of a tile's pixels"};
}

}  // namespace

std::vector<std::string> clahe_conversions(const ParamInfo& info, const ParamBlock& params, const ImageSpec& image) {
    if (image.empty()) return {};
    const auto p = params.as<ClaheParams>();
    const ClaheGeometry g = clahe_geometry(image, p);
    switch (info.offset) {
        case offsetof(ClaheParams, tiles):
        case offsetof(ClaheParams, tile_size):
        case offsetof(ClaheParams, grid_columns):
        case offsetof(ClaheParams, grid_rows):
            return {tiles_line(g)};
        case offsetof(ClaheParams, clip_limit):
        case offsetof(ClaheParams, clip_count):
            return limit_lines(g, p);
        default:
            return {};
    }
}

}  // namespace tonescope
