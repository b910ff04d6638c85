// What CLAHE's parameters come to in other units and in other programs.
#include <cstddef>
#include <cstdio>

#include "gpu/ops/clahe/clahe.h"

namespace tonescope::clahe {
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

std::string tiles_line(const Geometry& g) {
    return sides(g.columns, g.rows) + " tiles (across, down) of " + sides(g.tile_width, g.tile_height) + " px, " +
           std::to_string(g.tile_pixels()) + " pixels each";
}

/// The limit as a slope, as a count and as other programs take it. OpenCV: C = clipLimit * A / 256, at least 1, for a
/// tile of A pixels; scikit-image: C = clip_limit * A, at least 1 (equalize_adapthist with its 256 bins). Both take 0
/// as no limit.
std::vector<std::string> limit_lines(const Geometry& g, const Params& p) {
    if (!g.clips) return {"No limit: contrast grows freely", "OpenCV: clipLimit 0", "scikit-image: clip_limit 0"};
    const auto tile_pixels = double(g.tile_pixels());
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

std::vector<std::string> conversions(const ParamInfo& info, const ParamBlock& params, const ImageSpec& image) {
    if (image.empty()) return {};
    const auto p = params.as<Params>();
    const Geometry g = make_geometry(image, p);
    switch (info.offset) {
        case offsetof(Params, tiles):
        case offsetof(Params, tile_size):
        case offsetof(Params, grid_columns):
        case offsetof(Params, grid_rows):
            return {tiles_line(g)};
        case offsetof(Params, clip_limit):
        case offsetof(Params, clip_count):
            return limit_lines(g, p);
        default:
            return {};
    }
}

}  // namespace tonescope::clahe
