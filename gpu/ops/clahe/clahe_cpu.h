// The multi-threaded CLAHE in two stages, tables and blend, and what the preview and the explanation take from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/cpu/rows.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/color_param.h"

namespace tonescope::clahe {

/// Tables of tiles: [plane][row][column][256] entries, undefined at first.
template <class Entry>
class TileTables {
  public:
    TileTables(int planes, int rows, int columns)
        : rows_(size_t(rows)),
          columns_(size_t(columns)),
          entries_(std::make_unique_for_overwrite<Entry[]>(size_t(planes) * rows_ * columns_ * 256)) {}
    Entry* at(int plane, int row, int column) { return entries_.get() + offset(plane, row, column); }
    const Entry* at(int plane, int row, int column) const { return entries_.get() + offset(plane, row, column); }

  private:
    size_t offset(int plane, int row, int column) const {
        return ((size_t(plane) * rows_ + size_t(row)) * columns_ + size_t(column)) * 256;
    }
    size_t rows_, columns_;
    std::unique_ptr<Entry[]> entries_;
};
using Tables = TileTables<uint8_t>;

/// Pixels of one axis that blend the same two tiles.
struct Segment {
    int begin = 0, end = 0;  // pixels
    TileBlend blend;         // at `begin`; its weight grows by 2 a pixel and stays below 2 tile_px
};

/// Cuts an axis of `size_px` pixels into segments no longer than `longest_px`.
inline std::vector<Segment> segments_of(int size_px, int tile_px, int tiles, int longest_px) {
    std::vector<Segment> segments;
    for (int begin = 0; begin < size_px;) {
        const TileBlend blend = tile_blend(begin, tile_px, tiles);
        const int left_px = (2 * tile_px - blend.weight + 1) / 2;  // until the weight reaches 2 tile_px
        const int end = std::min({begin + left_px, size_px, begin + longest_px});
        segments.push_back({begin, end, blend});
        begin = end;
    }
    return segments;
}

/// Asks for the pixels from x_begin to x_end of a row that comes some rows after row y, where these are few: longer
/// pieces of rows are fetched ahead by the processor itself.
inline void prefetch_ahead(const ImageView& image, int x_begin, int x_end, int y) {
    constexpr int kAheadRows = 8;
    constexpr size_t kNarrow_bytes = 4096;
    const size_t bytes = size_t(x_end - x_begin) * size_t(bytes_per_pixel(image.spec.format));
    if (bytes > kNarrow_bytes || y + kAheadRows >= image.spec.height) return;
    for (size_t i = 0; i < bytes; i += 64) prefetch(image.pixel(x_begin, y + kAheadRows) + i);
}

/// Counts a plane's values in `area` of the padded image. The counts are incomplete once `stop` is set.
template <class Count>
void count_area(const ImageView& image, int32_t color, int plane, const Rect& area, const std::stop_token& stop,
                ByteCounters<Count>& counts);
/// First stage: fills the tables of all tiles with job.threads threads. They are garbage once job.stop is set.
void make_tables(const CpuJob& job, const Geometry& geometry, Tables& tables);

}  // namespace tonescope::clahe
