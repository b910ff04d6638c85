// First stage of the multi-threaded CLAHE: a table of 256 entries for every tile.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/core/registry.h"
#include "gpu/ops/clahe/clahe.h"
#include "gpu/ops/clahe/clahe_cpu_planes.h"

namespace tonescope {

/// Tables of all tiles: [plane][row][column][256] bytes, undefined at first.
class ClaheTables {
  public:
    ClaheTables(int planes, int rows, int columns)
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

/// Fills `tables` with job.threads threads. They are garbage once job.stop is set.
void make_clahe_tables(const CpuJob& job, const ClaheGeometry& geometry, ClahePlanes planes, bool spread,
                       ClaheTables& tables);

/// Makes a table of 256 entries from 256 counts, whose sum is `pixels`, and leaves their clipped prefix sums there.
void finish_clahe_table(uint32_t* counts, uint32_t pixels, const ClaheGeometry& geometry, bool spread, uint8_t* table);

}  // namespace tonescope
