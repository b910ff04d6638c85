// Kernels and launches that several variants of histogram equalization share. Blocks have 256 threads, one a bin, in
// two dimensions, one a pixel.
#pragma once

#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/ops/he/he.h"

namespace tonescope {

/// The block's pixels are counted in shared memory, and every bin is then added to the image's histogram, empty or not.
/// d_histograms: Map::kPlanes x 256, zero before.
template <class Map, class Source>
__global__ void he_histogram_shared_kernel(Source source, int width, int height, uint32_t* d_histograms) {
    __shared__ uint32_t s_histograms[Map::kPlanes * 256];
    const unsigned bin = threadIdx.y * blockDim.x + threadIdx.x;
    for (int plane = 0; plane < Map::kPlanes; ++plane) s_histograms[plane * 256 + bin] = 0;
    __syncthreads();
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < width && y < height) {
        const typename Map::In pixel = source.load(x, y);
        for (int plane = 0; plane < Map::kPlanes; ++plane)
            atomicAdd(&s_histograms[plane * 256 + Map::value(pixel, plane)], 1u);
    }
    __syncthreads();
    for (int plane = 0; plane < Map::kPlanes; ++plane)
        atomicAdd(&d_histograms[plane * 256 + bin], s_histograms[plane * 256 + bin]);
}

/// One thread looks one pixel up. `lookup(plane, value)` knows where the tables are.
template <class Map, class Source, class Sink, class Lookup>
__global__ void he_apply_kernel(Source source, Sink sink, int width, int height, Lookup lookup) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const typename Map::In pixel = source.load(x, y);
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane) values[plane] = lookup(plane, Map::value(pixel, plane));
    sink.store(x, y, Map::result(pixel, values));
}

/// Tables in memory that every thread can read: the device's, or the host's where that is mapped.
struct HeTablesInMemory {
    const uint8_t* __restrict__ d_tables;
    __device__ int operator()(int plane, int value) const { return d_tables[plane * 256 + value]; }
};

/// Queues setting Map::kPlanes x 256 counters to zero.
template <class Map>
uint32_t* he_cleared_histograms(CudaJob& job) {
    auto* d_histograms = job.scratch.get<uint32_t>("he histograms", Map::kPlanes * 256);
    TONESCOPE_CUDA(cudaMemsetAsync(d_histograms, 0, Map::kPlanes * 256 * sizeof(uint32_t), job.stream));
    return d_histograms;
}

inline dim3 he_grid(int width, int height, dim3 block) {
    return {(unsigned(width) + block.x - 1) / block.x, (unsigned(height) + block.y - 1) / block.y};
}

/// Stage "histogram" with a shared histogram a block.
template <class Map>
const uint32_t* he_histograms_by_blocks(CudaJob& job, dim3 block = {32, 8}) {
    const auto stage = job.stage("histogram", job.input_bytes());
    uint32_t* d_histograms = he_cleared_histograms<Map>(job);
    const int width = job.input_spec.width, height = job.input_spec.height;
    he_histogram_shared_kernel<Map><<<he_grid(width, height, block), block, 0, job.stream>>>(
        source_of<typename Map::In>(job), width, height, d_histograms);
    TONESCOPE_LAUNCHED("he_histogram_shared_kernel");
    return d_histograms;
}

/// Stage "apply".
template <class Map, class Lookup>
void he_apply(CudaJob& job, Lookup lookup) {
    const auto stage = job.stage("apply", job.input_bytes() + job.output_bytes());
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        const PixelGrid grid(job.input_spec.width, job.input_spec.height);
        he_apply_kernel<Map><<<grid.grid, grid.block, 0, job.stream>>>(
            source_of<typename Map::In>(job), sink, job.input_spec.width, job.input_spec.height, lookup);
        TONESCOPE_LAUNCHED("he_apply_kernel");
    });
}

/// Calls run(Map{}) with the map that the image and the parameters ask for.
template <class Run>
void he_with_color_map(const CudaJob& job, Run&& run) {
    with_color_map(job.input_spec, job.params.as<HeParams>().color, run);
}

}  // namespace tonescope
