// Report B, version 1, with a barrier forgotten: the one between counting and adding the block's histogram to the
// image's. The first warps to have counted add up bins that other warps are still to count in, so that pixels are
// missing. How many, and which, depends on the order in which warps happen to run: the result changes from run to run,
// from image to image and from GPU to GPU, and may even be right. compute-sanitizer's racecheck (CUDA 13.0) does not
// report it, because one side of the race is an atomic addition.
#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
__global__ void he_missing_barrier_histogram_kernel(const uint8_t* d_in, size_t pitch, int width, int height,
                                                    uint32_t* d_histogram) {
    __shared__ uint32_t s_histogram[256];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (unsigned bin = thread; bin < 256; bin += threads) s_histogram[bin] = 0;
    __syncthreads();
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < width && y < height) atomicAdd(&s_histogram[d_in[size_t(y) * pitch + x]], 1u);
    // missing: __syncthreads();
    for (unsigned bin = thread; bin < 256; bin += threads) atomicAdd(&d_histogram[bin], s_histogram[bin]);
}

void run_missing_barrier(CudaJob& job) {
    with_planes(job, [&](const Planes& planes) {
        const uint32_t* d_histograms =
            count_planes(job, planes, nullptr, [&](const Plane& plane, uint32_t* d_histogram) {
                const PixelGrid grid = report_grid(job, plane);
                he_missing_barrier_histogram_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
                    plane.d_in, plane.in_pitch, plane.width, plane.height, d_histogram);
                TONESCOPE_LAUNCHED("he_missing_barrier_histogram_kernel");
            });
        apply_from_memory(job, planes, tables_from_host(job, planes, d_histograms));
    });
}
#endif

const VariantRegistration missing_barrier_variant({
    .op = "he",
    .id = "missing-barrier",
    .name = "A missing barrier (wrong)",
    .source = "B 1 barrier",
    .follows = "shared",
    .builds_on = "shared",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .wrong_by_design = true,
    .idea = "No barrier between counting and adding up: each warp goes on as soon as it has counted its own pixels.",
    .cost = "What version 1 costs, less a wait for the slowest warp.",
    .flaw = "Wrong results that change from run to run: bins are added up before all warps have counted in them.",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"histogram", count_by_block(c)}, {"apply", kLookUp}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_missing_barrier),
});

}  // namespace
}  // namespace tonescope::he
