// What the variants of report B share, and report C's in part: counting with a thread a pixel, the table by the host,
// looking up. Blocks of threads are two-dimensional, one thread a pixel; the parameter `block` says how large they are.
// Without nvcc this header holds that alone.
#pragma once

#include <algorithm>

#include "gpu/ops/block_param.h"
#include "gpu/ops/he/he_planes.cuh"
#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {

/// How often a warp, whose 32 pixels lie in one or several rows of its block, reads or writes them: for a pixel.
inline double requests_of_rows(const WorkCase& c) {
    return 1.0 / std::min(block_size(c.variant_params).width, 32U);
}

// What the kernels below take for a pixel. A block clears and adds up 256 bins, or copies 256 entries, however many
// pixels it has.
inline Amounts count_by_block(const WorkCase& c) {
    return addition_by_value(c) +
           Amounts{.bytes = 1, .requests = requests_of_rows(c), .shared_bytes = 0.6, .operations = 40} +
           256 / block_threads(c) *
               Amounts{.shared_bytes = 8.5, .operations = 15.5, .global_atomics = 1 / 8.0, .word_atomics = 1 / 256.0};
}
/// An addition in device memory to the counter of its value.
inline Amounts count_in_memory(const WorkCase& c) {
    return {.bytes = 1, .global_atomics = c.values.additions / 32, .word_atomics = c.values.most_frequent};
}
inline constexpr Amounts kLookUp{.bytes = 2, .operations = 36};
inline Amounts look_up_shared(const WorkCase& c) {
    return Amounts{.bytes = 2, .requests = 2 * requests_of_rows(c), .shared_bytes = 9.2, .operations = 43} +
           256 / block_threads(c) * Amounts{.shared_bytes = 4.8, .operations = 10};
}

inline constexpr ParamInfo kBlockTable[] = {block_param(2)};

}  // namespace tonescope::he

#ifdef __CUDACC__
#include <string>

#include "gpu/core/error.h"

namespace tonescope::he {
namespace {  // kernels of its own in each file that includes this one

/// The block's pixels are counted in shared memory, and every bin is then added to the image's histogram, empty or not.
__global__ void he_histogram_shared_kernel(const uint8_t* d_in, size_t pitch, int width, int height,
                                           uint32_t* d_histogram) {
    __shared__ uint32_t s_histogram[256];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (unsigned bin = thread; bin < 256; bin += threads) s_histogram[bin] = 0;
    __syncthreads();
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < width && y < height) atomicAdd(&s_histogram[d_in[size_t(y) * pitch + x]], 1u);
    __syncthreads();
    for (unsigned bin = thread; bin < 256; bin += threads) atomicAdd(&d_histogram[bin], s_histogram[bin]);
}

/// One thread looks one pixel up.
__global__ void he_apply_kernel(const uint8_t* d_in, size_t in_pitch, uint8_t* d_out, size_t out_pitch, int width,
                                int height, const uint8_t* d_table) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    d_out[size_t(y) * out_pitch + x] = d_table[d_in[size_t(y) * in_pitch + x]];
}

/// The same with the table in shared memory.
__global__ void he_apply_shared_table_kernel(const uint8_t* d_in, size_t in_pitch, uint8_t* d_out, size_t out_pitch,
                                             int width, int height, const uint8_t* d_table) {
    __shared__ uint8_t s_table[256];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (unsigned entry = thread; entry < 256; entry += threads) s_table[entry] = d_table[entry];
    __syncthreads();
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    d_out[size_t(y) * out_pitch + x] = s_table[d_in[size_t(y) * in_pitch + x]];
}

}  // namespace

/// A thread for each pixel, in the blocks that the job asks for.
inline PixelGrid report_grid(const CudaJob& job, const Plane& plane) {
    const BlockSize block = block_size(job.variant_params);
    return {plane.width, plane.height, {block.width, block.height}};
}

/// Stage "histogram": sets 256 counters a plane to zero, in scratch memory unless they are given, and calls
/// launch(plane, d_histogram) for each plane.
template <class Launch>
uint32_t* count_planes(CudaJob& job, const Planes& planes, uint32_t* d_histograms, Launch&& launch) {
    const auto stage = job.stage("histogram");
    const size_t counters = planes.all().size() * 256;
    if (d_histograms == nullptr) d_histograms = job.scratch.get<uint32_t>("he histograms", 3 * 256);
    TONESCOPE_CUDA(cudaMemsetAsync(d_histograms, 0, counters * sizeof(uint32_t), job.stream));
    for (size_t k = 0; k < planes.all().size(); ++k) launch(planes.all()[k], d_histograms + k * 256);
    return d_histograms;
}

/// Stage "histogram" with a shared histogram a block.
inline uint32_t* count_by_blocks(CudaJob& job, const Planes& planes, uint32_t* d_histograms = nullptr) {
    return count_planes(job, planes, d_histograms, [&](const Plane& plane, uint32_t* d_histogram) {
        const PixelGrid grid = report_grid(job, plane);
        he_histogram_shared_kernel<<<grid.grid, grid.block, 0, job.stream>>>(plane.d_in, plane.in_pitch, plane.width,
                                                                             plane.height, d_histogram);
        TONESCOPE_LAUNCHED("he_histogram_shared_kernel");
    });
}

/// Where the GPU and the host hand each other counts and tables: 256 a plane.
struct HostTables {
    uint32_t counts[3 * 256];
    uint8_t tables[3 * 256];
};

/// From the counts to the tables. `user`: the HostTables. Called by the driver's thread, so it may not call CUDA.
template <int kPlanes>
void CUDART_CB fill_tables(void* user) {
    auto& h = *static_cast<HostTables*>(user);
    for (int plane = 0; plane < kPlanes; ++plane) {
        const uint32_t* counts = h.counts + plane * 256;
        uint32_t pixels = 0, first_count = 0;
        for (int v = 0; v < 256; ++v) {
            if (first_count == 0) first_count = counts[v];
            pixels += counts[v];
        }
        uint32_t cdf = 0;
        for (int v = 0; v < 256; ++v) {
            cdf += counts[v];
            h.tables[plane * 256 + v] = equalized(cdf, first_count, pixels, v);
        }
    }
}
/// Queues it as a host function, so that the calling thread does not wait.
inline void queue_tables(CudaJob& job, const Planes& planes, HostTables& h_tables) {
    TONESCOPE_CUDA(
        cudaLaunchHostFunc(job.stream, planes.all().size() == 3 ? fill_tables<3> : fill_tables<1>, &h_tables));
}

/// Report B makes the table on the host: 256 additions are little work, but the counts travel there and the table back.
/// Queues the counts' way to pinned memory and fill_tables behind it. (The report's first versions had the table in
/// pageable memory: that would make the calling thread wait, and 256 bytes are too few to matter otherwise.)
inline HostTables& tables_on_host(CudaJob& job, const Planes& planes, const uint32_t* d_histograms) {
    auto& memory = job.scratch.keep<PinnedMemory>("he tables on the host");
    memory.reserve(sizeof(HostTables));
    auto& h_tables = *memory.as<HostTables>();
    TONESCOPE_CUDA(cudaMemcpyAsync(h_tables.counts, d_histograms, planes.all().size() * 256 * sizeof(uint32_t),
                                   cudaMemcpyDeviceToHost, job.stream));
    queue_tables(job, planes, h_tables);
    return h_tables;
}

/// Stage "table": the same, and the tables' way to device memory.
inline const uint8_t* tables_from_host(CudaJob& job, const Planes& planes, const uint32_t* d_histograms) {
    const auto stage = job.stage("table");
    const HostTables& h_tables = tables_on_host(job, planes, d_histograms);
    auto* d_tables = job.scratch.get<uint8_t>("he tables", 3 * 256);
    TONESCOPE_CUDA(
        cudaMemcpyAsync(d_tables, h_tables.tables, planes.all().size() * 256, cudaMemcpyHostToDevice, job.stream));
    return d_tables;
}

/// Counts and tables in managed memory: one address on both sides. Throws UserError where there is none.
inline HostTables& managed_tables(CudaJob& job, std::string_view variant) {
    if (!job.device.has_managed_memory())
        throw UserError("he " + std::string(variant) + ": " + std::string(job.device.name) +
                        " has no managed memory; take another --variant");
    auto& memory = job.scratch.keep<ManagedMemory>("he managed tables");
    memory.reserve(sizeof(HostTables));
    return *memory.as<HostTables>();
}

/// Stage "apply": calls launch(plane, grid, k) for each plane, k being its number.
template <class Launch>
void apply_planes(CudaJob& job, const Planes& planes, Launch&& launch) {
    const auto stage = job.stage("apply");
    for (size_t k = 0; k < planes.all().size(); ++k) {
        const Plane& plane = planes.all()[k];
        launch(plane, report_grid(job, plane), int(k));
    }
}

/// Stage "apply" with he_apply_kernel.
inline void apply_from_memory(CudaJob& job, const Planes& planes, const uint8_t* d_tables) {
    apply_planes(job, planes, [&](const Plane& plane, const PixelGrid& grid, int k) {
        he_apply_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
            plane.d_in, plane.in_pitch, plane.d_out, plane.out_pitch, plane.width, plane.height, d_tables + k * 256);
        TONESCOPE_LAUNCHED("he_apply_kernel");
    });
}

/// Stage "apply" with he_apply_shared_table_kernel.
inline void apply_from_shared(CudaJob& job, const Planes& planes, const uint8_t* d_tables) {
    apply_planes(job, planes, [&](const Plane& plane, const PixelGrid& grid, int k) {
        he_apply_shared_table_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
            plane.d_in, plane.in_pitch, plane.d_out, plane.out_pitch, plane.width, plane.height, d_tables + k * 256);
        TONESCOPE_LAUNCHED("he_apply_shared_table_kernel");
    });
}

/// The whole of version 3: a histogram and the table in each block's shared memory.
inline void run_shared_tables(CudaJob& job) {
    with_planes(job, [&](const Planes& planes) {
        const uint32_t* d_histograms = count_by_blocks(job, planes);
        apply_from_shared(job, planes, tables_from_host(job, planes, d_histograms));
    });
}

}  // namespace tonescope::he
#endif
