// What becomes of the parameters when tiles or the limit are given in the other way: the result stays the same where a
// setting gives it, and is otherwise as near as a setting comes.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "gpu/core/text.h"
#include "gpu/ops/clahe/clahe.h"

namespace tonescope::clahe {
namespace {

/// How many pixels of a bin are kept: a limit that no bin can pass is none.
int64_t effective_clip(const Geometry& g) {
    return g.clips ? std::min(g.clip, g.tile_pixels()) : g.tile_pixels();
}

bool same_tiles(const Geometry& a, const Geometry& b) {
    return a.tile_width == b.tile_width && a.tile_height == b.tile_height && a.columns == b.columns &&
           a.rows == b.rows && a.padded_width == b.padded_width && a.padded_height == b.padded_height;
}

/// The tile size nearest to the sides of a grid's tiles.
Params as_size(Params p, const Geometry& grid) {
    p.tiles = tiles_size;
    p.tile_size = std::clamp((grid.tile_width + grid.tile_height + 1) / 2, kMinTile, kMaxTile);
    return p;
}

/// The grid whose tiles come nearest to the sides, and then to the number of tiles.
Params as_grid(Params p, const Geometry& size, const ImageSpec& image) {
    using Distance = std::tuple<int, int>;
    p.tiles = tiles_grid;
    Params best = p;
    Distance least{1 << 30, 0};
    for (p.grid_columns = 1; p.grid_columns <= kMaxGrid; ++p.grid_columns)
        for (p.grid_rows = 1; p.grid_rows <= kMaxGrid; ++p.grid_rows) {
            const Geometry g = make_geometry(image, p);
            const Distance distance{
                std::abs(g.tile_width - size.tile_width) + std::abs(g.tile_height - size.tile_height),
                std::abs(g.columns - size.columns) + std::abs(g.rows - size.rows)};
            if (distance >= least) continue;
            least = distance;
            best = p;
        }
    return best;
}

Params as_count(Params p, const Geometry& g) {
    p.clip_unit = clip_count;
    p.clip_count = g.clips ? int32_t(g.clip) : 0;
    return p;
}

/// The least slope that gives the limit, or the one that gives the nearest where none does.
Params as_slope(Params p, const ImageSpec& image, const Geometry& g) {
    p.clip_unit = clip_slope;
    if (!g.clips) {
        p.clip_limit = 0;
        return p;
    }
    const int64_t wanted = effective_clip(g), pixels = g.tile_pixels();
    const auto error = [&](int32_t limit) {
        p.clip_limit = limit;
        return std::abs(make_geometry(image, p).clip - wanted);
    };
    const auto limit = int32_t(std::clamp<int64_t>((wanted * kMaxLimit + pixels - 1) / pixels, 1, kMaxLimit));
    p.clip_limit = limit > 1 && error(limit - 1) < error(limit) ? limit - 1 : limit;
    return p;
}

/// `way`, with the tiles and the limit of `from` where it tells them in another way.
Params told_as(const Params& from, const Params& way, const ImageSpec& image) {
    const Geometry g = make_geometry(image, from);
    Params p = way;
    if (way.tiles != from.tiles) p = way.tiles == tiles_size ? as_size(p, g) : as_grid(p, g, image);
    if (way.clip_unit != from.clip_unit) p = way.clip_unit == clip_count ? as_count(p, g) : as_slope(p, image, g);
    return p;
}

std::string sides_text(const Geometry& g) {
    return size_text(g.tile_width, g.tile_height) + " px";
}

}  // namespace

Conversion convert(const ParamBlock& before, const ParamBlock& after, const ImageSpec& image) {
    const auto from = before.as<Params>(), way = after.as<Params>();
    const Params to = told_as(from, way, image);
    const Geometry was = make_geometry(image, from), is = make_geometry(image, to);
    Conversion conversion{ParamBlock(to), {}};
    if (was.tile_width != is.tile_width || was.tile_height != is.tile_height)
        conversion.note = "The nearest tiles are of " + sides_text(is) + "; they were " + sides_text(was);
    else if (to.tables == tables_blended && !same_tiles(was, is))
        conversion.note = "The tiles stay " + sides_text(is) +
                          (to.tiles == tiles_grid ? ", but a grid mirrors the image beyond its border"
                                                  : ", but end at the image's border, which the grid mirrored");
    else if (effective_clip(was) != effective_clip(is))
        conversion.note =
            "The nearest limit is " + std::to_string(is.clip) + " pixels a bin; it was " + std::to_string(was.clip);
    return conversion;
}

}  // namespace tonescope::clahe
