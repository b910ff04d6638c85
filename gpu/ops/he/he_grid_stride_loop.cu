// Report B, version 2: fewer blocks, each of which loops over the image: a thread goes on to the pixel one grid further
// right, then one grid further down, until it leaves the image. Global additions hardly matter any more. The report
// says that it may be slower than version 1, since the additions that remain meet in shared memory; its later versions
// count without the loop.
#include <algorithm>

#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
constexpr unsigned kStridingThreadsPerProcessor = 1024;  // which every GPU can hold

/// d_histogram: 256 counters, zero before.
__global__ void he_histogram_loop_kernel(const uint8_t* d_in, size_t pitch, int width, int height,
                                         uint32_t* d_histogram) {
    __shared__ uint32_t s_histogram[256];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (unsigned bin = thread; bin < 256; bin += threads) s_histogram[bin] = 0;
    __syncthreads();
    for (int y = int(blockIdx.y * blockDim.y + threadIdx.y); y < height; y += int(gridDim.y * blockDim.y))
        for (int x = int(blockIdx.x * blockDim.x + threadIdx.x); x < width; x += int(gridDim.x * blockDim.x))
            atomicAdd(&s_histogram[d_in[size_t(y) * pitch + x]], 1u);
    __syncthreads();
    for (unsigned bin = thread; bin < 256; bin += threads) atomicAdd(&d_histogram[bin], s_histogram[bin]);
}

void run_grid_stride(CudaJob& job) {
    with_planes(job, [&](const Planes& planes) {
        const unsigned blocks = unsigned(job.device.multiProcessorCount) * kStridingThreadsPerProcessor /
                                block_size(job.variant_params).threads();
        const uint32_t* d_histograms =
            count_planes(job, planes, nullptr, [&](const Plane& plane, uint32_t* d_histogram) {
                PixelGrid grid = report_grid(job, plane);
                grid.grid.x = std::min(grid.grid.x, blocks);
                grid.grid.y = std::min(grid.grid.y, std::max(1u, blocks / grid.grid.x));
                he_histogram_loop_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
                    plane.d_in, plane.in_pitch, plane.width, plane.height, d_histogram);
                TONESCOPE_LAUNCHED("he_histogram_loop_kernel");
            });
        apply_from_memory(job, planes, tables_from_host(job, planes, d_histograms));
    });
}
#endif

const VariantRegistration grid_stride_loop_variant({
    .op = "he",
    .id = "grid-stride",
    .name = "Shared memory and loop",
    .source = "B 2",
    .follows = "shared",
    .builds_on = "shared",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .idea = "As many blocks as the GPU holds at a time loop over the image, so that a block counts thousands of pixels "
            "before it adds its bins to the image's.",
    .cost = "One atomic addition in shared memory a pixel; those in global memory no longer count.",
    .flaw = "A thread has one byte under way at a time, and its warp waits for it 75 % of the time (counted on an "
            "H200); equal pixels cost nothing, since additions of a warp to one word are one.",
    .work =
        [](const WorkCase& c) {
            return plane_work(
                c, {{"histogram", addition_by_value(c) + Amounts{.bytes = 1, .operations = 25.7}}, {"apply", kLookUp}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_grid_stride),
});

}  // namespace
}  // namespace tonescope::he
