// Occupancy against what can be worked out by hand. Needs no GPU.
#include "gpu/cuda/runtime/occupancy.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

using Limiters = std::vector<OccupancyLimiter>;

/// A multiprocessor of an H200: 65,536 registers, 228 KiB of shared memory, 64 warps, 32 blocks.
cudaDeviceProp h200() {
    cudaDeviceProp device{};
    device.major = 9;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiProcessor = 2048;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 48 << 10;
    device.sharedMemPerMultiprocessor = 228 << 10;
    device.sharedMemPerBlockOptin = 227 << 10;
    device.reservedSharedMemPerBlock = 1 << 10;
    device.multiProcessorCount = 132;
    return device;
}

cudaFuncAttributes kernel(int registers, size_t shared_bytes, int max_threads = 1024) {
    cudaFuncAttributes attributes{};
    attributes.numRegs = registers;
    attributes.sharedSizeBytes = shared_bytes;
    attributes.maxThreadsPerBlock = max_threads;
    attributes.maxDynamicSharedSizeBytes = 48 << 10;
    return attributes;
}

TEST(Occupancy, OfSmallKernelsIsLimitedByThreads) {
    const Occupancy occupancy = occupancy_of(h200(), kernel(16, 0), 256, 0);
    EXPECT_EQ(occupancy.max_warps, 64);
    EXPECT_EQ(occupancy.block_warps, 8);
    EXPECT_EQ(occupancy.resident_warps(), 64);
    EXPECT_EQ(occupancy.percent(occupancy.resident_warps()), 100);
    EXPECT_EQ(occupancy.limiters, Limiters{OccupancyLimiter::threads});
    EXPECT_EQ(occupancy.limit_text(), ", limited by threads");
}

TEST(Occupancy, IsLimitedByRegisters) {
    // 64 registers x 256 threads are 16,384: four blocks.
    const Occupancy occupancy = occupancy_of(h200(), kernel(64, 0), 256, 0);
    EXPECT_EQ(occupancy.resident_warps(), 32);
    EXPECT_EQ(occupancy.limiters, Limiters{OccupancyLimiter::registers});
}

TEST(Occupancy, IsLimitedBySharedMemory) {
    // 40 KiB, and 1 KiB that CUDA takes: five blocks in 228 KiB.
    const Occupancy occupancy = occupancy_of(h200(), kernel(16, 40 << 10), 256, 0);
    EXPECT_EQ(occupancy.resident_warps(), 5 * 8);
    EXPECT_EQ(occupancy.limiters, Limiters{OccupancyLimiter::shared_memory});
    const Occupancy dynamic = occupancy_of(h200(), kernel(16, 0), 256, 40 << 10);
    EXPECT_EQ(dynamic.warps, occupancy.warps);
}

TEST(Occupancy, IsLimitedByBlocks) {
    const Occupancy occupancy = occupancy_of(h200(), kernel(16, 0), 32, 0);
    EXPECT_EQ(occupancy.resident_warps(), 32);
    EXPECT_EQ(occupancy.limiters, Limiters{OccupancyLimiter::blocks});
}

TEST(Occupancy, NamesAllThatRunOutAtOnce) {
    // 32 registers x 2048 threads are all of them.
    const Occupancy occupancy = occupancy_of(h200(), kernel(32, 0), 1024, 0);
    EXPECT_EQ(occupancy.resident_warps(), 64);
    EXPECT_EQ(occupancy.limit_text(), ", limited by threads and registers");
}

TEST(Occupancy, CurveHoldsEveryBlockSize) {
    const Occupancy occupancy = occupancy_of(h200(), kernel(32, 0, 512), 96, 0);
    ASSERT_EQ(occupancy.warps.size(), 32);
    EXPECT_EQ(occupancy.block_warps, 3);
    EXPECT_EQ(occupancy.warps[0], 32);  // 32 blocks of a warp
    EXPECT_EQ(occupancy.warps[1], 64);
    EXPECT_EQ(occupancy.warps[2], 21 * 3);  // 64 / 3
    EXPECT_EQ(occupancy.warps[4], 12 * 5);
    EXPECT_EQ(occupancy.warps[15], 64);
    EXPECT_EQ(occupancy.warps[16], 0);  // more threads than it was compiled for
}

TEST(Occupancy, OfUnknownDevicesIsUnknown) {
    cudaDeviceProp device = h200();
    device.major = 1;
    EXPECT_EQ(occupancy_of(device, kernel(32, 0), 256, 0).max_warps, 0);
    EXPECT_EQ(occupancy_of(device, kernel(32, 0), 256, 0).limit_text(), "");
}

}  // namespace
}  // namespace tonescope
