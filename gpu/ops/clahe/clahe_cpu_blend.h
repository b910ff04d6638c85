// Second stage of the multi-threaded CLAHE: every pixel blends the tables of the four nearest tiles.
#pragma once

#include <vector>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/clahe/clahe_cpu_tables.h"

namespace tonescope {

/// Pixels of one axis that blend the same two tiles.
struct ClaheSegment {
    int begin = 0, end = 0;     // pixels
    int first = 0, second = 0;  // tiles
    int weight_begin = 0;       // of the second tile at `begin`; it grows by 2 a pixel and stays below 2 tile_px
};

/// Cuts an axis of `size_px` pixels into segments no longer than `longest_px`.
std::vector<ClaheSegment> clahe_segments(int size_px, int tile_px, int tiles, int longest_px);

/// Fills job.output with job.threads threads. It is garbage once job.stop is set.
void blend_clahe(const CpuJob& job, const ClaheGeometry& geometry, ClahePlanes planes, int32_t color,
                 const ClaheTables& tables);

}  // namespace tonescope
