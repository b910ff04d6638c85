// What figures need of the lumas of an image or of two, each in one pass over the pixels on several threads.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope {

/// An image whose lumas are in samples of 0 to `max_sample`.
struct LumaSource {
    ImageView image;
    int max_sample = 255;
};

/// Sides of the blocks that EME and flat regions are made of, pixels.
inline constexpr int kBlock_px = 8;

/// Of each luma of 0 to max_sample the number of pixels.
std::vector<uint64_t> count_lumas(const LumaSource& source, int threads, const std::stop_token& stop);

/// The mean length of the gradient: central differences, at the borders one-sided ones, 0 along a side of one pixel.
double mean_gradient(const LumaSource& source, int threads, const std::stop_token& stop);

/// The least and the greatest luma of a block.
struct BlockRange {
    int min = 0, max = 0;
};
/// Of each whole block of kBlock_px x kBlock_px pixels, row by row. Empty where the image is smaller than one.
std::vector<BlockRange> block_ranges(const LumaSource& source, int threads, const std::stop_token& stop);

/// The median absolute value of a high pass (kernel 1 -2 1, -2 4 -2, 1 -2 1) at the inner pixels of some blocks,
/// interpolated within its level as one of rounded values: one in the middle of k levels counts from k - 1/2 to
/// k + 1/2, 0 from 0 to 1/2. `flat`: for each block, whether it is looked at. Empty where none is.
std::optional<double> median_high_pass(const LumaSource& source, const std::vector<bool>& flat, int threads,
                                       const std::stop_token& stop);

/// Pairs of neighboring pixels, and those of them of which one is darker in one image and brighter in the other.
struct NeighborPairs {
    int64_t all = 0, reversed = 0;
};
/// Both images have the same sides.
NeighborPairs compare_order(const LumaSource& before, const LumaSource& after, int threads,
                            const std::stop_token& stop);

}  // namespace tonescope
