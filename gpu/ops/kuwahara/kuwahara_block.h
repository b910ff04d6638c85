// The variant parameter `block` of report E's versions: how many pixels a block of threads has, one a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "gpu/core/param.h"

namespace tonescope::kuwahara {

struct BlockParams {
    int32_t block;  // index of kBlocks
};

struct BlockSize {
    unsigned width, height;  // threads
};
inline constexpr BlockSize kBlocks[] = {{8, 8}, {16, 16}, {32, 8}};
inline constexpr std::string_view kBlockValues[] = {"8x8", "16x16", "32x8"};

inline constexpr ParamInfo kBlockTable[] = {
    {.id = "block",
     .label = "Block",
     .unit = "threads",
     .help = "Width x height of a block of threads, one a pixel. A warp, 32 threads, has 4, 2 or 1 rows of it.",
     .kind = ParamKind::choice,
     .offset = offsetof(BlockParams, block),
     .max = std::size(kBlockValues) - 1,
     .default_value = 1,
     .values = kBlockValues},
};

}  // namespace tonescope::kuwahara
