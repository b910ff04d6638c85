// Kuwahara filter: each box is summed and judged once, its sums are made by the integer matrix units.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/cuda/check.h"
#include "gpu/ops/kuwahara/border_columns.cuh"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/strip_filter.cuh"
#endif

namespace tonescope {
namespace {

#ifdef __CUDACC__

struct TunedPolicy {
    static constexpr int kMostKeptRadius = 16;  // above, both halves are summed up: less shared memory, more work
    static constexpr int kBlockWarps = 2;       // fewer where shared memory is short
    static constexpr int kBlocksKeeping = 6;    // a multiprocessor: 168 registers a thread
    static constexpr int kBlocksTwice = 4;      // 255 registers
    static constexpr int kLeastRows = 8;        // of a segment
    static constexpr int kBorderSegments = 2;   // at the border, for each segment of a strip
};

/// Strips times segments of rows, a warp each, and border columns times shorter segments, a group of lanes each: all at
/// work at the same time.
struct TunedPlan {
    BorderShape border;
    int strips, segments;
    int border_rows, border_segments;  // of both sides together
    int border_warps;
    __host__ __device__ int warps() const { return border_warps + strips * segments; }
};

TunedPlan make_plan(const FilterImage& image, int reach, int resident_warps) {
    const BorderShape border(image.width, image.radius);
    const int written_px = StripShape(image.radius, reach).written_px;
    const int strips = border.covers_all() ? 0 : (border.right_begin + written_px - 1) / written_px;
    const int64_t border_lanes_of_all = int64_t{2} * TunedPolicy::kBorderSegments * border_lanes(image.radius);
    const int most = (image.height + TunedPolicy::kLeastRows - 1) / TunedPolicy::kLeastRows;
    const int segments = int(std::clamp<int64_t>(
        int64_t{32} * (resident_warps - 1) / (int64_t{32} * strips + border_lanes_of_all), 1, most));
    const int wanted = std::min(TunedPolicy::kBorderSegments * segments, image.height);
    const int border_rows = (image.height + wanted - 1) / wanted;
    const int border_segments = 2 * ((image.height + border_rows - 1) / border_rows);
    const int groups = 32 / border_lanes(image.radius);
    return {border, strips, segments, border_rows, border_segments, (border_segments + groups - 1) / groups};
}

template <class Pixel, int kReach>
__global__ void __launch_bounds__(32 * TunedPolicy::kBlockWarps,
                                  kReach == 2 ? TunedPolicy::kBlocksKeeping : TunedPolicy::kBlocksTwice)
    kuwahara_filter_tuned_kernel(const __grid_constant__ FilterImage image, const __grid_constant__ TunedPlan plan) {
    extern __shared__ uint4 s_memory[];
    constexpr bool kKeeping = kReach == 2;
    const int warp = int(threadIdx.x / 32), task = int(blockIdx.x * (blockDim.x / 32)) + warp;
    auto* s_boxes = reinterpret_cast<JudgedBox*>(s_memory) + warp * strip_boxes(kKeeping ? image.radius : 0);
    if (task < plan.border_warps) {
        constexpr int kRun = kReach <= 3 ? 2 : 4;
        static_assert(BorderGroup<Pixel, kRun>::kPrefixes * sizeof(uint4) <= strip_boxes(0) * sizeof(JudgedBox));
        const int lanes = border_lanes(image.radius), group = task * (32 / lanes) + int(threadIdx.x % 32) / lanes;
        const int y_begin = group / 2 * plan.border_rows;  // of a last group without rows: below the image
        BorderGroup<Pixel, kRun>(image, plan.border, group % 2, y_begin, min(y_begin + plan.border_rows, image.height),
                                 reinterpret_cast<uint4*>(s_boxes))
            .filter(plan.border_rows);
    } else if (task < plan.warps()) {
        const int strip = (task - plan.border_warps) % plan.strips, segment = (task - plan.border_warps) / plan.strips;
        const auto row = [&](int at) { return int(int64_t{at} * image.height / plan.segments); };
        StripFilter<Pixel, kReach> filter(image, strip, plan.border.left_end, plan.border.right_begin, row(segment),
                                          row(segment + 1), s_boxes);
        if constexpr (kKeeping) {
            filter.run_keeping();
        } else {
            filter.run_twice();
        }
    }
}

template <class Pixel, int kReach>
void launch_tuned(const CudaJob& job, const FilterImage& image) {
    const auto kernel = kuwahara_filter_tuned_kernel<Pixel, kReach>;
    const size_t warp_bytes = sizeof(JudgedBox) * size_t(strip_boxes(kReach == 2 ? image.radius : 0));
    const int block_warps =
        std::clamp(int(job.facts.shared_per_block_optin_bytes / warp_bytes), 1, TunedPolicy::kBlockWarps);
    const size_t shared_bytes = warp_bytes * size_t(block_warps);
    TONESCOPE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes)));
    int blocks = 0;
    TONESCOPE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32 * block_warps, shared_bytes));
    const TunedPlan plan = make_plan(image, kReach, job.facts.multiprocessors * std::max(blocks, 1) * block_warps);
    const unsigned grid = unsigned(plan.warps() + block_warps - 1) / unsigned(block_warps);
    kernel<<<grid, 32 * unsigned(block_warps), shared_bytes, job.stream>>>(image, plan);
    TONESCOPE_LAUNCHED("kuwahara_filter_tuned_kernel");
}

template <class Pixel>
void run_tuned_on(CudaJob& job) {
    const int radius = job.params.as<KuwaharaParams>().radius;
    const FilterImage image{job.d_input,        job.input_pitch_bytes, job.output.d_data,     job.output.pitch_bytes,
                            job.output.surface, job.input_spec.width,  job.input_spec.height, radius};
    if (radius <= TunedPolicy::kMostKeptRadius) {
        launch_tuned<Pixel, 2>(job, image);
    } else if (radius <= 32) {
        launch_tuned<Pixel, 3>(job, image);
    } else if (radius <= 48) {
        launch_tuned<Pixel, 4>(job, image);
    } else {
        launch_tuned<Pixel, 5>(job, image);
    }
}

void run_kuwahara_tuned(CudaJob& job) {
    const auto stage = job.stage("filter", job.input_bytes() + job.output_bytes());
    if (job.input_spec.format == PixelFormat::gray8) {
        run_tuned_on<uint8_t>(job);
    } else {
        run_tuned_on<uchar4>(job);
    }
}

#endif

const RungRegistration registration({
    .op = "kuwahara",
    .id = "tuned",
    .name = "Tuned",
    .source = "",
    .backend = BackendKind::cuda,
    .order = 600,
    .preferred = true,
    .idea =
        "A quadrant is a box of (radius + 1)^2 pixels that four pixels share: each box is judged once. The integer "
        "matrix units add and subtract whole rows times a band of ones, so that boxes slide down strips of columns.",
    .cost = "About as many instructions a pixel for every radius up to 16, and for 17 to 64 with twice the boxes.",
    .flaw = "Margins of strips and of segments of rows are computed twice, which grows with the radius; a pixel still "
            "takes more instructions than the memory would leave time for.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_kuwahara_tuned),
});

}  // namespace
}  // namespace tonescope
