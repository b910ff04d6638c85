// The multi-threaded CLAHE of deep images, and of any image whose values do not spread over 0 to 255: its pieces, which
// the preview and the explanation use too.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "gpu/ops/clahe/clahe.h"

namespace tonescope::clahe {

/// Whether the tables of 256 bytes serve (clahe_cpu.h): 8 bits, from 0 to 255.
bool has_byte_tables(const ImageSpec& image, const Params& params);

/// The bin of each value of the range, at value - lo.
std::vector<uint16_t> bins_of_values(const Levels& levels);
/// Counts what a plane has in `area` of the padded image, every other pixel in another histogram of B bins, which may
/// be the same. Incomplete once `stop` is set.
void count_bins(const ImageView& image, int32_t color, int plane, const Rect& area, const Levels& levels,
                std::span<const uint16_t> bins, const std::stop_token& stop, uint32_t* counts, uint32_t* odd_counts);
/// Clips B counts, whose sum is `pixels`, and sums them up in place.
void sum_bins(uint32_t* counts, uint32_t pixels, const Geometry& geometry, const Levels& levels);
/// The table of a tile with these sums: R entries, of value lo first.
void fill_entries(const uint32_t* sums, uint32_t pixels, const Levels& levels, uint16_t* entries);

/// The whole run on such an image.
void run_deep(const CpuJob& job);

}  // namespace tonescope::clahe
