// How many threads of a kernel a multiprocessor holds at a time, and what it runs out of first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tonescope {

/// Of a multiprocessor.
enum class OccupancyLimiter : uint8_t { threads, registers, shared_memory, blocks };
inline constexpr std::string_view kOccupancyLimiters[] = {"threads", "registers", "shared memory", "blocks"};

struct Occupancy {
    int max_warps = 0;  // that a multiprocessor holds; 0: nothing is known
    /// Resident warps with blocks of 1, 2, ... warps, with the same registers a thread and shared memory a block. 0:
    /// such a block does not run.
    std::vector<int> warps = {};
    int block_warps = 0;                          // of the blocks that were launched
    std::vector<OccupancyLimiter> limiters = {};  // of what these run out first; several where it is at the same time

    int resident_warps() const { return warps.empty() ? 0 : warps[size_t(block_warps) - 1]; }
    double percent(int resident) const { return 100.0 * resident / max_warps; }
    /// ", limited by registers and shared memory"; empty where nothing is known.
    std::string limit_text() const;
};

}  // namespace tonescope
