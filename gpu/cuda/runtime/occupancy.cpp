#include "gpu/cuda/runtime/occupancy.h"

#include <cuda_occupancy.h>

#include <utility>

namespace tonescope {

Occupancy occupancy_of(const cudaDeviceProp& device, const cudaFuncAttributes& kernel, int block_threads,
                       size_t dynamic_shared_bytes) {
    constexpr std::pair<unsigned, OccupancyLimiter> kFactors[] = {
        {OCC_LIMIT_WARPS, OccupancyLimiter::threads},
        {OCC_LIMIT_REGISTERS, OccupancyLimiter::registers},
        {OCC_LIMIT_SHARED_MEMORY, OccupancyLimiter::shared_memory},
        {OCC_LIMIT_BLOCKS, OccupancyLimiter::blocks}};
    const cudaOccDeviceProp properties(device);
    const cudaOccFuncAttributes attributes(kernel);
    const cudaOccDeviceState state;
    Occupancy occupancy;
    for (int threads = 32; threads <= device.maxThreadsPerBlock; threads += 32) {
        cudaOccResult result{};
        // The formulas do not look at the blocks that the kernel was compiled for.
        const bool is_known =
            threads <= kernel.maxThreadsPerBlock &&
            cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, threads,
                                                    dynamic_shared_bytes) == CUDA_OCC_SUCCESS;
        occupancy.warps.push_back(is_known ? result.activeBlocksPerMultiprocessor * (threads / 32) : 0);
        if (threads < block_threads || threads - 32 >= block_threads) continue;
        if (!is_known) return {};
        occupancy.max_warps = device.maxThreadsPerMultiProcessor / 32;
        occupancy.block_warps = threads / 32;
        for (const auto& [factor, limiter] : kFactors)
            if ((result.limitingFactors & factor) != 0) occupancy.limiters.push_back(limiter);
    }
    return occupancy;
}

}  // namespace tonescope
