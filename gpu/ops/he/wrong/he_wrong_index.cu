// Report B, version 0, with an error in the index that is easily made: a row counts as long as the grid is wide, and
// not as long as the image is. Both agree where the image's width is a multiple of the block's, so that tests with such
// images pass. Elsewhere rows drift apart: pixels between them are neither counted nor written, and the last rows never
// come. The result is black where nothing was written. The kernels check their index against the image's size, so that
// the error stays inside the image.
#include "gpu/ops/he/he_report.cuh"

namespace tonescope::he {
namespace {

#ifdef __CUDACC__
/// d_in: rows without gaps. d_histogram: 256 counters, zero before.
__global__ void he_wrong_index_histogram_kernel(const uint8_t* d_in, int width, int height, uint32_t* d_histogram) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    const size_t i = size_t(x) + size_t(y) * (gridDim.x * blockDim.x);  // right: size_t(y) * width
    if (x >= width || y >= height || i >= size_t(width) * height) return;
    atomicAdd(&d_histogram[d_in[i]], 1u);
}

__global__ void he_wrong_index_apply_kernel(const uint8_t* d_in, uint8_t* d_out, int width, int height,
                                            const uint8_t* d_table) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    const size_t i = size_t(x) + size_t(y) * (gridDim.x * blockDim.x);
    if (x >= width || y >= height || i >= size_t(width) * height) return;
    d_out[i] = d_table[d_in[i]];
}

/// The planes without gaps between their rows, as the report's images were: in, and out.
struct DensePlanes {
    uint8_t *d_in, *d_out;
};

void run_wrong_index(CudaJob& job) {
    with_planes(job, [&](const Planes& planes) {
        const size_t plane_bytes = planes.all()[0].size_bytes(), width = size_t(job.input_spec.width);
        auto* d_dense = job.scratch.get<uint8_t>("he dense planes", 2 * planes.size_bytes());
        const auto dense = [&](int k) {
            return DensePlanes{d_dense + size_t(2 * k) * plane_bytes, d_dense + size_t(2 * k + 1) * plane_bytes};
        };
        {
            const auto stage = job.stage("close gaps");
            TONESCOPE_CUDA(cudaMemsetAsync(d_dense, 0, 2 * planes.size_bytes(), job.stream));
            for (int k = 0; k < int(planes.all().size()); ++k) {
                const Plane& plane = planes.all()[size_t(k)];
                TONESCOPE_CUDA(cudaMemcpy2DAsync(dense(k).d_in, width, plane.d_in, plane.in_pitch, width,
                                                 size_t(plane.height), cudaMemcpyDefault, job.stream));
            }
        }
        int k = 0;
        const uint32_t* d_histograms =
            count_planes(job, planes, nullptr, [&](const Plane& plane, uint32_t* d_histogram) {
                const PixelGrid grid = report_grid(job, plane);
                he_wrong_index_histogram_kernel<<<grid.grid, grid.block, 0, job.stream>>>(dense(k++).d_in, plane.width,
                                                                                          plane.height, d_histogram);
                TONESCOPE_LAUNCHED("he_wrong_index_histogram_kernel");
            });
        const uint8_t* d_tables = tables_from_host(job, planes, d_histograms);
        apply_planes(job, planes, [&](const Plane& plane, const PixelGrid& grid, int at) {
            he_wrong_index_apply_kernel<<<grid.grid, grid.block, 0, job.stream>>>(
                dense(at).d_in, dense(at).d_out, plane.width, plane.height, d_tables + at * 256);
            TONESCOPE_LAUNCHED("he_wrong_index_apply_kernel");
            TONESCOPE_CUDA(cudaMemcpy2DAsync(plane.d_out, plane.out_pitch, dense(at).d_out, width, width,
                                             size_t(plane.height), cudaMemcpyDefault, job.stream));
        });
    });
}
#endif

const VariantRegistration wrong_index_variant({
    .op = "he",
    .id = "wrong-index",
    .name = "Rows as long as the grid (wrong)",
    .source = "B 0 index",
    .follows = "no-optimization",
    .builds_on = "no-optimization",
    .memory = MemoryMode::pageable,
    .params = kBlockTable,
    .wrong_by_design = true,
    .idea = "A pixel's index is x + y times the width of the grid of threads.",
    .cost = "What version 0 costs, and two copies, since the error needs an image without gaps between its rows.",
    .flaw = "Wrong results unless the width is a multiple of the block's: pixels are left out, and what is counted is "
            "not the image.",
    .work =
        [](const WorkCase& c) {
            return plane_work(c, {{"close gaps", {.bytes = 4}},
                                  {"histogram", count_in_memory(c) + Amounts{.operations = 32}},
                                  {"apply", {.bytes = 4, .operations = 36}}});
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_wrong_index),
});

}  // namespace
}  // namespace tonescope::he
