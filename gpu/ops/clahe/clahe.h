// CLAHE: parameters, the geometry that follows from them, and the operator's functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/luma.h"
#include "gpu/core/registry.h"
#include "gpu/core/value_range.h"
#include "gpu/ops/no_data_param.h"

namespace tonescope::clahe {

enum Tiles : int32_t { tiles_size, tiles_grid };
enum TablesFrom : int32_t { tables_blended, tables_exact };
enum ClipUnit : int32_t { clip_slope, clip_count };
enum Excess : int32_t { excess_spread, excess_drop, excess_evenly };

// Ranges of the parameters.
inline constexpr int32_t kMinTile = 8, kMaxTile = 1024;
inline constexpr int32_t kMaxGrid = 64;
inline constexpr int32_t kLimitScale = 100, kMaxLimit = 256 * kLimitScale;  // no bin has more than all of a tile

struct Params {
    int32_t tiles;                    // Tiles
    int32_t tile_size;                // pixels
    int32_t grid_columns;             // tiles
    int32_t grid_rows;                // tiles
    int32_t clip_unit;                // ClipUnit
    int32_t clip_limit;               // kLimitScale-ths; 0 = no clipping
    int32_t clip_count;               // pixels a bin; 0 = no clipping
    int32_t excess;                   // Excess
    int32_t color;                    // ColorMode
    int32_t range = range_auto;       // RangeChoice
    int32_t bins = 0;                 // doublings of kLeastBins
    int32_t amount = 100;             // percent
    int32_t tables = tables_blended;  // TablesFrom
    NoDataParams no_data = {};

    ColorChange change() const { return {color, amount}; }
    /// RangeChoice, as `color` has it.
    int32_t range_choice() const { return range_under(color, range); }
    /// The value that is not counted and stays as it is, or kNothingLeftOut.
    int32_t left_out(const ImageSpec& image) const { return no_data.left_out(image, color); }
};

/// Where the tiles lie. Shared by all variants: derived from parameters, no pixel arithmetic.
struct Geometry {
    int tile_width = 0, tile_height = 0;      // Tx, Ty, pixels
    int columns = 0, rows = 0;                // tiles
    int padded_width = 0, padded_height = 0;  // grid mode: the image mirrored out to this; size mode: the image itself
    bool clips = false;                       // whether a limit holds
    Excess excess = excess_spread;            // what becomes of the rest of the excess
    int32_t clip_limit = 0, clip_count = 0;   // of the parameters, the one that is in use; the other one is 0
    int64_t clip = 0;                         // C, pixels a bin, where `clips`, of 256 bins

    TONESCOPE_HOST_DEVICE int64_t tile_pixels() const { return int64_t{tile_width} * tile_height; }
    /// C, pixels a bin, where `clips`.
    TONESCOPE_HOST_DEVICE int64_t clip_at(int bins) const {
        if (clip_limit == 0) return clip_count;
        const int64_t clip_of_slope = clip_limit * tile_pixels() / (int64_t{kLimitScale} * bins);
        return clip_of_slope < 1 ? 1 : clip_of_slope;
    }
    /// The same of a tile or window with `pixels` pixels of which `counted` count.
    TONESCOPE_HOST_DEVICE int64_t clip_at(int bins, int64_t counted, int64_t pixels) const {
        const int64_t clip_of_share = clip_at(bins) * counted / pixels;
        return clip_of_share < 1 ? 1 : clip_of_share;
    }
    /// What a tile covers of the padded image, whose border cuts off the last column and row.
    Rect tile(int row, int column) const {
        const int x = column * tile_width, y = row * tile_height;
        return {x, y, std::min(tile_width, padded_width - x), std::min(tile_height, padded_height - y)};
    }
    /// What the window of a pixel covers of the image, which is mirrored beyond its borders. Sides that are even have
    /// one pixel more before the middle.
    Rect window(int x, int y) const { return {x - tile_width / 2, y - tile_height / 2, tile_width, tile_height}; }
};
Geometry make_geometry(const ImageSpec& image, const Params& params);

/// How values are spread and counted.
struct Levels {
    ValueRange range;
    int32_t bins = 256;  // B
};
inline Levels make_levels(const ImageSpec& image, const Params& params, ValueRange range) {
    return {range, bin_count(is_deep(image.format), params.bins, range)};
}

/// The two tiles that a coordinate blends along one axis.
struct TileBlend {
    int first, second;
    int weight;  // of the second one, in 2 T-ths
};
constexpr TileBlend tile_blend(int position, int tile_px, int tiles) {
    const int u = 2 * position - tile_px;
    const int first = u < 0 ? -1 : u / (2 * tile_px);  // floor: u is at least -tile_px
    return {std::clamp(first, 0, tiles - 1), std::clamp(first + 1, 0, tiles - 1), u - 2 * tile_px * first};
}

/// The tile whose table stands for that of `tile`: itself where it counts pixels, else the one of its up to eight
/// neighbors that counts the most of them, of several the first one, row by row. Where none does, no pixel with a value
/// that counts needs the table. counted(tile): how many pixels a tile counts.
template <class Counted>
TONESCOPE_HOST_DEVICE int tile_for(const Geometry& g, int tile, Counted&& counted) {
    if (counted(tile) > 0) return tile;
    const int row = tile / g.columns, column = tile % g.columns;
    int found = tile;
    uint32_t most = 0;
    for (int y = row > 0 ? row - 1 : 0; y <= row + 1 && y < g.rows; ++y) {
        for (int x = column > 0 ? column - 1 : 0; x <= column + 1 && x < g.columns; ++x) {
            const uint32_t count = counted(y * g.columns + x);
            if (count > most) {
                most = count;
                found = y * g.columns + x;
            }
        }
    }
    return found;
}

/// The source coordinate that index p of a padded row or column of n pixels reads (mirrored without repeating the
/// edge).
constexpr int mirror_index(int p, int n) {
    if (n == 1) return 0;
    const int r = int(int64_t{p} % (2 * int64_t{n} - 2));
    return r >= n ? 2 * n - 2 - r : r;
}

/// The same for any position, also before the image.
constexpr int mirror_around(int position, int n) {
    return mirror_index(position < 0 ? -position : position, n);
}

/// Of a run's two stages: what they take for a pixel of a plane and for each of its tiles.
struct StageAmounts {
    Amounts pixel, tile;
};
/// Of `planes` planes, plus the tables, which the one stage writes and the other reads.
Work tile_work(const WorkCase& c, int planes, const StageAmounts& tables, const StageAmounts& blend);

// The operator's functions, for its registration in clahe.cpp.
void preview(const PreviewJob& job);
Explanation explain(const ExplainJob& job);
Conversion convert(const ParamBlock& before, const ParamBlock& after, const ImageSpec& image);

/// OperatorInfo::code.
CodeParts code(CodeTarget target, const ParamBlock& params);

}  // namespace tonescope::clahe
