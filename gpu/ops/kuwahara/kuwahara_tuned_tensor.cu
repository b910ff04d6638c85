// Kuwahara filter: each box is summed and judged once, its sums are made by the integer matrix units.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/cuda/check.h"
#include "gpu/cuda/grid.cuh"
#include "gpu/cuda/launch.h"
#include "gpu/cuda/zeroed_words.h"
#include "gpu/ops/kuwahara/border_columns.cuh"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/strip_filter.cuh"
#endif

namespace tonescope {
namespace {

#ifdef __CUDACC__

struct TunedPolicy {
    static constexpr int kBlockWarps = 4;  // fewer where shared memory is short
    static constexpr int kLeastRows = 8;   // of a segment
    /// At the border, for each segment of a strip.
    static constexpr int border_segments(bool keeps) { return keeps ? 2 : 1; }
    /// Blocks a multiprocessor, at least.
    static constexpr int blocks(int reach, bool keeps) { return keeps && reach > 2 ? 1 : 2; }
    static constexpr int border_run(int reach) { return reach <= 3 ? 2 : 4; }
};

/// Strips times segments of rows, a warp each, and border columns times shorter segments, a group of lanes each: all at
/// work at the same time.
struct TunedPlan {
    BorderShape border;
    int strips = 0, segments = 0;
    int border_rows = 0, border_segments = 0;  // of both sides together
    int border_warps = 0;
    int kept_boxes = 0, warp_bytes = 0;  // shared memory of a warp
    Handover::Row* d_handed = nullptr;   // where bests are kept
    uint32_t* d_ready = nullptr;
    __host__ __device__ int warps() const { return border_warps + strips * segments; }
    __host__ __device__ int handovers() const { return strips * (segments - 1); }
    /// Below segment `segment`.
    __device__ Handover handover(int strip, int segment, int radius) const {
        if (segment < 0 || segment + 1 >= segments) return {};
        const int at = segment * strips + strip;
        return {d_handed + size_t(at) * size_t(radius), d_ready + at};
    }
};

int strips_of(const FilterImage& image, const BorderShape& border, int reach) {
    if (border.covers_all()) return 0;
    const StripShape shape(border.left_end, image.radius, reach);
    return (border.right_begin - shape.begin + shape.written_px - 1) / shape.written_px;
}

TunedPlan make_plan(const FilterImage& image, int reach, bool keeps) {
    const int radius = image.radius, run = TunedPolicy::border_run(reach);
    TunedPlan plan{.border = BorderShape(image.width, radius)};
    BorderShape& border = plan.border;
    plan.strips = strips_of(image, border, reach);
    BorderShape wider = border;  // as many columns as a group can take, if that saves a strip
    wider.left_end = std::min(image.width, border.most_px);
    wider.right_begin = std::max(wider.left_end, image.width - border.most_px);
    if (const int strips = strips_of(image, wider, reach); strips < plan.strips) {
        border = wider;
        plan.strips = strips;
    }
    const StripShape shape(border.left_end, radius, reach);
    plan.kept_boxes = kept_boxes(keeps ? radius : 0, KeptRow{shape.margin_px, reach}.pairs());
    plan.warp_bytes = std::max((plan.kept_boxes + BoxRow::kBoxes) * int(sizeof(JudgedBox)), border_bytes(run));
    return plan;
}

/// As many segments as `resident_warps` can work on at the same time.
void make_segments(TunedPlan& plan, const FilterImage& image, bool keeps, int resident_warps) {
    const int radius = image.radius, lanes = border_lanes(radius);
    const int least_rows = keeps ? std::max(TunedPolicy::kLeastRows, radius) : TunedPolicy::kLeastRows;
    const int rows = keeps ? image.height + radius : image.height, most = std::max(rows / least_rows, 1);
    const int64_t border_lanes_of_all = int64_t{2} * TunedPolicy::border_segments(keeps) * lanes;
    plan.segments = int(std::clamp<int64_t>(
        int64_t{32} * (resident_warps - 1) / (int64_t{32} * plan.strips + border_lanes_of_all), 1, most));
    const int wanted = std::min(TunedPolicy::border_segments(keeps) * plan.segments, image.height);
    plan.border_rows = (image.height + wanted - 1) / wanted;
    plan.border_segments = 2 * ((image.height + plan.border_rows - 1) / plan.border_rows);
    plan.border_warps = (plan.border_segments + 32 / lanes - 1) / (32 / lanes);
}

template <class Pixel, int kReach, bool kKeeps>
__global__ void __launch_bounds__(32 * TunedPolicy::kBlockWarps, TunedPolicy::blocks(kReach, kKeeps))
    kuwahara_filter_tuned_kernel(const __grid_constant__ FilterImage image, const __grid_constant__ TunedPlan plan) {
    extern __shared__ uint4 s_memory[];
    const int warp = __shfl_sync(0xffffffff, int(threadIdx.x / 32), 0);
    const int task = int(blockIdx.x * (blockDim.x / 32)) + warp - plan.border_warps;
    uint4* const s_warp = s_memory + warp * (plan.warp_bytes / int(sizeof(uint4)));
    if (task < 0) {
        const int lanes = border_lanes(image.radius);
        const int group = (task + plan.border_warps) * (32 / lanes) + int(threadIdx.x % 32) / lanes;
        const int y_begin = group / 2 * plan.border_rows;  // of a last group without rows: below the image
        BorderGroup<Pixel, TunedPolicy::border_run(kReach)> filter(
            image, plan.border, group % 2, y_begin, min(y_begin + plan.border_rows, image.height), s_warp);
        wait_for_kernel_before();
        filter.filter(plan.border_rows);
    } else if (task < plan.strips * plan.segments) {
        // From the bottom up: a warp waits only for one that has started before it.
        const int strip = task % plan.strips, segment = plan.segments - 1 - task / plan.strips;
        StripFilter<Pixel, kReach> filter(image, strip, plan.border.left_end, plan.border.right_begin,
                                          reinterpret_cast<JudgedBox*>(s_warp), plan.kept_boxes);
        wait_for_kernel_before();
        const auto row = [&](int at, int rows) { return int(int64_t{at} * rows / plan.segments); };
        if constexpr (kKeeps) {
            const int radius = image.radius, rows = image.height + radius;
            filter.run_keeping(row(segment, rows) - radius, row(segment + 1, rows) - radius,
                               plan.handover(strip, segment - 1, radius), plan.handover(strip, segment, radius));
        } else {
            filter.run_twice(row(segment, image.height), row(segment + 1, image.height));
        }
    }
}

/// Of the warps of a multiprocessor, those that its four schedulers share evenly: the fullest one sets the time.
int evenly_spread(int warps) {
    return warps < 4 ? warps : warps / 4 * 4;
}

/// Warps of a multiprocessor that are resident together.
template <class Kernel>
int resident_warps(const DeviceFacts& facts, Kernel kernel, const LaunchShape& shape) {
    if (shape.shared_bytes > facts.shared_per_block_optin_bytes) return 0;
    allow_shared_memory(facts, shape, kernel);
    int blocks = 0;
    TONESCOPE_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, int(shape.threads), shape.shared_bytes));
    return blocks * int(shape.threads) / 32;
}

/// False where shared memory does not suffice.
template <class Pixel, int kReach, bool kKeeps>
bool launch_tuned(const CudaJob& job, const FilterImage& image) {
    const auto kernel = &kuwahara_filter_tuned_kernel<Pixel, kReach, kKeeps>;
    TunedPlan plan = make_plan(image, kReach, kKeeps);
    LaunchShape shape{.stream = job.stream};
    int warps = 0;
    for (unsigned block_warps = TunedPolicy::kBlockWarps; block_warps > 0; block_warps /= 2) {
        LaunchShape other = shape;
        other.threads = 32 * block_warps;
        other.shared_bytes = size_t(plan.warp_bytes) * block_warps;
        const int others = resident_warps(job.facts, kernel, other);
        if (evenly_spread(others) <= evenly_spread(warps)) continue;
        warps = others;
        shape = other;
    }
    if (warps < 4 && kKeeps && kReach > 2) return false;
    make_segments(plan, image, kKeeps, job.facts.multiprocessors * std::max(warps, 1));
    if (kKeeps && plan.handovers() > 0) {
        const auto handovers = size_t(plan.handovers());
        plan.d_handed = job.scratch.get<Handover::Row>("kuwahara handed", handovers * size_t(image.radius));
        plan.d_ready = job.scratch.keep<ZeroedWords>("kuwahara ready").get(handovers, job.stream);
    }
    shape.blocks = (unsigned(plan.warps()) + shape.threads / 32 - 1) / (shape.threads / 32);
    launch_early(job.facts, shape, kernel, image, plan);
    return true;
}

template <class Pixel>
void run_tuned_on(CudaJob& job) {
    const int radius = job.params.as<KuwaharaParams>().radius;
    const FilterImage image{job.d_input,        job.input_pitch_bytes, job.output.d_data,     job.output.pitch_bytes,
                            job.output.surface, job.input_spec.width,  job.input_spec.height, radius};
    if (radius <= 16) {
        launch_tuned<Pixel, 2, true>(job, image);
    } else if (radius <= 32 && launch_tuned<Pixel, 3, true>(job, image)) {
        return;
    } else if (radius <= 48) {
        launch_tuned<Pixel, 4, false>(job, image);
    } else {
        launch_tuned<Pixel, 5, false>(job, image);
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

const RungRegistration kuwahara_tuned_tensor_rung({
    .op = "kuwahara",
    .id = "tuned",
    .name = "Tuned",
    .source = "",
    .backend = BackendKind::cuda,
    .order = 600,
    .preferred = true,
    .idea =
        "A quadrant is a box of (radius + 1)^2 pixels that four pixels share: each box is judged once. The integer "
        "matrix units add and subtract whole rows times a band of ones, so that boxes slide down strips of columns, "
        "and segments of a strip hand each other what they share.",
    .cost = "About as many instructions a pixel for every radius up to 16, a fifth more up to 32, and twice the boxes "
            "above.",
    .flaw = "Margins of strips are computed twice, and each segment first adds up as many rows as the radius; shared "
            "memory leaves few warps to hide waiting, and fewer the larger the radius.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_kuwahara_tuned),
});

}  // namespace
}  // namespace tonescope
