// Report B, version 2: fewer blocks, each of which loops over the image: a thread goes on to the pixel one grid further
// right, then one grid further down, until it leaves the image. Global additions hardly matter any more. The report
// says that it may be slower than version 1, since the additions that remain meet in shared memory; its later versions
// count without the loop.
#include <algorithm>

#include "gpu/ops/he/he_stages.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
constexpr unsigned kStridingBlocksPerProcessor = 4;  // 1024 threads, which every GPU can hold

/// d_histograms: Map::kPlanes x 256, zero before.
template <class Map>
__global__ void he_histogram_loop_kernel(PitchedSource<typename Map::In> source, int width, int height,
                                         uint32_t* d_histograms) {
    __shared__ uint32_t s_histograms[Map::kPlanes * 256];
    const unsigned bin = threadIdx.y * blockDim.x + threadIdx.x;
    for (int plane = 0; plane < Map::kPlanes; ++plane) s_histograms[plane * 256 + bin] = 0;
    __syncthreads();
    for (int y = int(blockIdx.y * blockDim.y + threadIdx.y); y < height; y += int(gridDim.y * blockDim.y)) {
        for (int x = int(blockIdx.x * blockDim.x + threadIdx.x); x < width; x += int(gridDim.x * blockDim.x)) {
            const typename Map::In pixel = source.load(x, y);
            for (int plane = 0; plane < Map::kPlanes; ++plane)
                atomicAdd(&s_histograms[plane * 256 + Map::value(pixel, plane)], 1u);
        }
    }
    __syncthreads();
    for (int plane = 0; plane < Map::kPlanes; ++plane)
        atomicAdd(&d_histograms[plane * 256 + bin], s_histograms[plane * 256 + bin]);
}

void run_grid_stride(CudaJob& job) {
    const unsigned blocks = unsigned(job.device.multiProcessorCount) * kStridingBlocksPerProcessor;
    PixelGrid grid(job.input_spec.width, job.input_spec.height);
    grid.grid.x = std::min(grid.grid.x, blocks);
    grid.grid.y = std::min(grid.grid.y, std::max(1u, blocks / grid.grid.x));
    const auto count = [&]<class Map>(Map) {
        return histograms_by<Map>(he_histogram_loop_kernel<Map>, "he_histogram_loop_kernel", job, grid);
    };
    run_stages(job, count, tables_by_copy(job));
}
#endif

const VariantRegistration grid_stride_loop_variant({
    .op = "he",
    .id = "grid-stride",
    .name = "Shared memory and loop",
    .source = "B 2",
    .follows = "shared",
    .builds_on = "shared",
    .idea = "As many blocks as the GPU holds at a time loop over the image, so that a block counts thousands of pixels "
            "before it adds its bins to the image's.",
    .cost = "One atomic addition in shared memory a pixel; those in global memory no longer count.",
    .flaw = "Equal pixels of a warp still take turns at their bin in shared memory.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_grid_stride),
});

}  // namespace
}  // namespace tonescope::he
