// The stages of report B's variants, which other variants of histogram equalization share: counting with a thread a
// pixel, the table by the host, looking up. Blocks have 256 threads, one a bin, in two dimensions, one a pixel.
// Without nvcc this header is empty, so that the variants' files include it plainly.
#pragma once

#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/block.cuh"
#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/kernels/scan.cuh"
#include "gpu/cuda/runtime/check.h"
#include "gpu/ops/he/he.h"

namespace tonescope::he {

/// `cdf`: pixels of `value` or less; `first_count`: of the lowest value that occurs; `pixels`: of the image. With
/// d = pixels - first_count: floor((510 (cdf - first_count) + d) / (2 d)), in 64 bits since 510 * pixels passes 2^32.
TONESCOPE_HOST_DEVICE inline uint8_t equalized(uint32_t cdf, uint32_t first_count, uint32_t pixels, int value) {
    const uint64_t rest = pixels - first_count;
    if (rest == 0) return uint8_t(value);  // an image of one value stays as it is
    if (cdf == 0) return 0;                // below every pixel
    return uint8_t((510 * uint64_t(cdf - first_count) + rest) / (2 * rest));
}

/// Calls run(Map{}) with the map that the image and the parameters ask for.
template <class Run>
void with_map(const CudaJob& job, Run&& run) {
    with_color_map(job.input_spec, job.params.as<Params>().color, run);
}

/// Counts an image into d_histograms, Map::kPlanes x 256, zero before.
template <class Map>
using HistogramKernel = void(PitchedSource<typename Map::In> source, int width, int height, uint32_t* d_histograms);

/// The block's pixels are counted in shared memory, and every bin is then added to the image's histogram, empty or not.
template <class Map>
__global__ void he_histogram_shared_kernel(PitchedSource<typename Map::In> source, int width, int height,
                                           uint32_t* d_histograms) {
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
template <class Map, class Sink, class Lookup>
__global__ void he_apply_kernel(PitchedSource<typename Map::In> source, Sink sink, int width, int height,
                                Lookup lookup) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    const typename Map::In pixel = source.load(x, y);
    int values[Map::kPlanes];
    for (int plane = 0; plane < Map::kPlanes; ++plane) values[plane] = lookup(plane, Map::value(pixel, plane));
    sink.store(x, y, Map::result(pixel, values));
}

/// Tables in memory that every thread can read: the device's, or the host's where that is mapped.
struct TablesInMemory {
    const uint8_t* __restrict__ d_tables;
    __device__ int operator()(int plane, int value) const { return d_tables[plane * 256 + value]; }
};

/// Queues setting Map::kPlanes x 256 counters to zero, in scratch memory unless they are given.
template <class Map>
uint32_t* cleared_histograms(CudaJob& job, uint32_t* d_histograms = nullptr) {
    if (d_histograms == nullptr) d_histograms = job.scratch.get<uint32_t>("he histograms", Map::kPlanes * 256);
    TONESCOPE_CUDA(cudaMemsetAsync(d_histograms, 0, Map::kPlanes * 256 * sizeof(uint32_t), job.stream));
    return d_histograms;
}

/// Stage "histogram", into memory of its own unless d_histograms has room for Map::kPlanes x 256 counters.
template <class Map>
const uint32_t* histograms_by(HistogramKernel<Map>* kernel, const char* name, CudaJob& job, const PixelGrid& grid,
                              uint32_t* d_histograms = nullptr) {
    const auto stage = job.stage("histogram", job.input_bytes());
    d_histograms = cleared_histograms<Map>(job, d_histograms);
    kernel<<<grid.grid, grid.block, 0, job.stream>>>(source_of<typename Map::In>(job), job.input_spec.width,
                                                     job.input_spec.height, d_histograms);
    TONESCOPE_LAUNCHED(name);
    return d_histograms;
}

/// Stage "histogram" with a shared histogram a block.
template <class Map>
const uint32_t* histograms_by_blocks(CudaJob& job, dim3 block = {32, 8}) {
    return histograms_by<Map>(he_histogram_shared_kernel<Map>, "he_histogram_shared_kernel", job,
                              PixelGrid(job.input_spec.width, job.input_spec.height, block));
}

/// Where the stream and the host hand each other counts and tables: 256 a plane.
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

/// Report B makes the table on the host: 256 additions are little work, but the counts travel there and the table back.
/// Queues the counts' way to pinned memory and behind it a host function, so that the calling thread does not wait. The
/// tables stand in the result once the stream has come so far.
template <class Map>
HostTables& tables_on_host(CudaJob& job, const uint32_t* d_histograms) {
    auto& memory = job.scratch.keep<PinnedMemory>("he tables on the host");
    memory.reserve(sizeof(HostTables));
    auto& h_tables = *memory.as<HostTables>();
    TONESCOPE_CUDA(cudaMemcpyAsync(h_tables.counts, d_histograms, Map::kPlanes * 256 * sizeof(uint32_t),
                                   cudaMemcpyDeviceToHost, job.stream));
    TONESCOPE_CUDA(cudaLaunchHostFunc(job.stream, fill_tables<Map::kPlanes>, &h_tables));
    return h_tables;
}

/// Stage "apply": calls launch(grid, source, sink).
template <class Map, class Launch>
void apply_by(CudaJob& job, Launch&& launch) {
    const auto stage = job.stage("apply", job.input_bytes() + job.output_bytes());
    with_sink<typename Map::Out>(job.output, [&](auto sink) {
        launch(PixelGrid(job.input_spec.width, job.input_spec.height), source_of<typename Map::In>(job), sink);
    });
}

/// Stage "apply" with he_apply_kernel.
template <class Map, class Lookup>
void apply(CudaJob& job, Lookup lookup) {
    apply_by<Map>(job, [&](const PixelGrid& grid, auto source, auto sink) {
        he_apply_kernel<Map><<<grid.grid, grid.block, 0, job.stream>>>(source, sink, job.input_spec.width,
                                                                       job.input_spec.height, lookup);
        TONESCOPE_LAUNCHED("he_apply_kernel");
    });
}

/// A run of report B: count(map) gives the histograms; then stage "table", where place(h_tables, table_bytes)
/// queues the tables' way to where the pixels are looked up and gives the lookup of he_apply_kernel; then "apply".
template <class Count, class Place>
void run_stages(CudaJob& job, Count&& count, Place&& place) {
    with_map(job, [&]<class Map>(Map map) {
        const uint32_t* d_histograms = count(map);
        const auto lookup = [&] {
            const auto stage = job.stage("table");
            return place(tables_on_host<Map>(job, d_histograms), size_t{Map::kPlanes * 256});
        }();
        apply<Map>(job, lookup);
    });
}

/// The same with histograms_by_blocks.
template <class Place>
void run_with_block_histograms(CudaJob& job, Place&& place) {
    run_stages(
        job, [&]<class Map>(Map) { return histograms_by_blocks<Map>(job); }, place);
}

/// Copies the tables to device memory.
inline auto tables_by_copy(CudaJob& job) {
    return [&job](const HostTables& h_tables, size_t bytes) {
        auto* d_tables = job.scratch.get<uint8_t>("he tables", bytes);
        TONESCOPE_CUDA(cudaMemcpyAsync(d_tables, h_tables.tables, bytes, cudaMemcpyHostToDevice, job.stream));
        return TablesInMemory{d_tables};
    };
}

/// The same for a registration: kTables(job) gives `place`.
template <auto kTables>
void run_block_histograms(CudaJob& job) {
    run_with_block_histograms(job, kTables(job));
}

}  // namespace tonescope::he
#endif
