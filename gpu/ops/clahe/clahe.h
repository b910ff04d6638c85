// CLAHE (report A): parameters and the geometry that follows from them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "gpu/core/image.h"
#include "gpu/core/param.h"

namespace tonescope {

enum ClaheTiles : int32_t { tiles_size, tiles_grid };
enum ClaheClipUnit : int32_t { clip_slope, clip_count };
enum ClaheExcess : int32_t { excess_spread, excess_drop };

struct ClaheParams {
    int32_t tiles;         // ClaheTiles
    int32_t tile_size;     // pixels
    int32_t grid_columns;  // tiles
    int32_t grid_rows;     // tiles
    int32_t clip_unit;     // ClaheClipUnit
    int32_t clip_limit;    // hundredths; 0 = no clipping
    int32_t clip_count;    // pixels a bin; 0 = no clipping
    int32_t excess;        // ClaheExcess
    int32_t color;         // ColorMode
};

std::span<const ParamInfo> clahe_param_table();

/// Where the tiles lie. Shared by all variants: derived from parameters, no pixel arithmetic.
struct ClaheGeometry {
    int tile_width = 0, tile_height = 0;      // Tx, Ty, pixels
    int columns = 0, rows = 0;                // tiles
    int padded_width = 0, padded_height = 0;  // grid mode: the image mirrored out to this; size mode: the image itself
    bool clips = false;
    int64_t clip = 0;  // C, pixels a bin, where `clips`
};
ClaheGeometry clahe_geometry(const ImageSpec& image, const ClaheParams& params);

/// The two tiles that a coordinate blends along one axis.
struct ClaheBlend {
    int first, second;
    int weight;  // of the second one, in 2 T-ths
};
constexpr ClaheBlend clahe_blend(int position, int tile_px, int tiles) {
    const int u = 2 * position - tile_px;
    const int first = u < 0 ? -1 : u / (2 * tile_px);  // floor: u is at least -tile_px
    return {std::clamp(first, 0, tiles - 1), std::clamp(first + 1, 0, tiles - 1), u - 2 * tile_px * first};
}

/// The source coordinate that index p of a padded row or column of n pixels reads (mirrored without repeating the
/// edge).
constexpr int mirror_index(int p, int n) {
    if (n == 1) return 0;
    const int r = int(int64_t{p} % (2 * int64_t{n} - 2));
    return r >= n ? 2 * n - 2 - r : r;
}

}  // namespace tonescope
