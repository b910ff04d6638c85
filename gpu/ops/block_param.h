// The variant parameter `block`: how many threads a block has across and down, one a pixel.
#pragma once

#include <cstdint>
#include <iterator>

#include "gpu/core/limits/work.h"
#include "gpu/core/param.h"

namespace tonescope {

/// The parameters of a variant begin with it.
struct BlockParams {
    int32_t block;  // index of kBlocks
};

struct BlockSize {
    unsigned width, height;  // threads
    constexpr unsigned threads() const { return width * height; }
};
inline constexpr BlockSize kBlocks[] = {{8, 8}, {16, 16}, {32, 8}, {32, 16}, {32, 32}};
inline constexpr std::string_view kBlockValues[] = {"8x8", "16x16", "32x8", "32x16", "32x32"};

/// `default_block`, `largest_block`: indexes of kBlocks.
constexpr ParamInfo block_param(int32_t default_block, int32_t largest_block = int32_t(std::size(kBlocks)) - 1) {
    return {
        .id = "block",
        .label = "Block",
        .unit = "threads",
        .help = "Width \u00d7 height of a block of threads, one a pixel. A warp, 32 threads, has 4, 2 or 1 rows of it.",
        .kind = ParamKind::choice,
        .offset = 0,
        .max = largest_block,
        .default_value = default_block,
        .values = std::span(kBlockValues, size_t(largest_block) + 1)};
}

/// What a run of a variant with this parameter is launched with.
inline BlockSize block_size(const ParamBlock& variant_params) {
    return kBlocks[variant_params.as<BlockParams>().block];
}
inline double block_threads(const WorkCase& c) {
    return block_size(c.variant_params).threads();
}

}  // namespace tonescope
