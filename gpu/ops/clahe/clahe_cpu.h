// The multi-threaded CLAHE in two stages, tables and blend, and what the preview and the explanation take from it.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/cpu/rows.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/color_param.h"

namespace tonescope::clahe {

/// Tables of tiles: [plane][row][column][256] bytes, undefined at first.
class Tables {
  public:
    Tables(int planes, int rows, int columns)
        : rows_(size_t(rows)),
          columns_(size_t(columns)),
          bytes_(std::make_unique_for_overwrite<uint8_t[]>(size_t(planes) * rows_ * columns_ * 256)) {}
    uint8_t* at(int plane, int row, int column) { return bytes_.get() + offset(plane, row, column); }
    const uint8_t* at(int plane, int row, int column) const { return bytes_.get() + offset(plane, row, column); }

  private:
    size_t offset(int plane, int row, int column) const {
        return ((size_t(plane) * rows_ + size_t(row)) * columns_ + size_t(column)) * 256;
    }
    size_t rows_, columns_;
    std::unique_ptr<uint8_t[]> bytes_;
};

/// Counts a plane's values in `area` of the padded image. The counts are incomplete once `stop` is set.
template <class Count>
void count_area(const ImageView& image, int32_t color, int plane, const Rect& area, const std::stop_token& stop,
                ByteCounters<Count>& counts);
/// Makes a table of 256 entries from 256 counts, whose sum is `pixels`, and leaves their clipped prefix sums there.
void finish_table(uint32_t* counts, uint32_t pixels, const Geometry& geometry, uint8_t* table);

/// First stage: fills the tables of all tiles with job.threads threads. They are garbage once job.stop is set.
void make_tables(const CpuJob& job, const Geometry& geometry, Tables& tables);

}  // namespace tonescope::clahe
