// Kuwahara filter: each box is summed and evaluated once, and its sums are made by the integer matrix units. README.md
// in this folder explains it.
#include "gpu/ops/kuwahara/kuwahara.h"

#ifdef __CUDACC__
#include "gpu/core/error.h"
#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/ops/kuwahara/tuned/deep.cuh"
#include "gpu/ops/kuwahara/tuned/strip_filter.cuh"
#endif

namespace tonescope::kuwahara::tuned {
namespace {

#ifdef __CUDACC__

extern __shared__ uint4 s_memory[];

/// A warp's part of the border: as many groups of lanes as it has room for.
template <class Pixel, int kReach>
__device__ __forceinline__ void filter_border(const FilterImage& image, const Plan& plan, int warp) {
    const int lanes = border_lanes(image.radius);
    const int group = (int(blockIdx.x * (blockDim.x / 32)) + warp) * (32 / lanes) + int(threadIdx.x % 32) / lanes;
    const int y_begin = group / 2 * plan.border_rows;  // a last group without rows begins below the image
    BorderGroup<Pixel, Policy::border_run(kReach)> filter(image, plan.border, group % 2, y_begin,
                                                          min(y_begin + plan.border_rows, image.height),
                                                          s_memory + warp * (plan.border_bytes / int(sizeof(uint4))));
    pdl_wait();
    filter.filter(plan.border_rows);
}

template <class Pixel, int kReach>
__device__ __forceinline__ StripFilter<Pixel, kReach> strip_filter(const FilterImage& image, const Plan& plan,
                                                                   int strip, bool upward, int warp) {
    auto* const s_boxes = reinterpret_cast<EvaluatedBox*>(s_memory + warp * (plan.strip_bytes / int(sizeof(uint4))));
    return {image, strip, plan.border.left_end, plan.border.right_begin, upward, s_boxes, plan.kept_boxes};
}

/// A warp's segment, whose boxes are evaluated once.
template <class Pixel, int kReach>
__device__ __forceinline__ void filter_segment(const FilterImage& image, const Plan& plan, int task, int warp) {
    const StripTask of(plan, image, task);
    const bool upward = of.chain.is_upward(of.at);
    int begin = of.chain.row(of.at), end = of.chain.row(of.at + 1);
    if (upward) {  // a box that begins in row y ends in row height - 1 - y - radius from below
        const int from_below = image.height - image.radius - end;
        end = image.height - image.radius - begin;
        begin = from_below;
    }
    auto filter = strip_filter<Pixel, kReach>(image, plan, of.strip, upward, warp);
    pdl_wait();
    filter.filter_keeping(begin, end, of.chain.at_start(of.at, warp, plan.strip_bytes),
                          of.chain.at_end(of.at, warp, plan.strip_bytes));
}

/// A warp's segment, whose boxes are evaluated once for each half.
template <class Pixel, int kReach>
__device__ __forceinline__ void filter_segment_twice(const FilterImage& image, const Plan& plan, int task, int warp) {
    const int strip = task / plan.segments, segment = task % plan.segments;
    const auto row = [&](int at) { return int(int64_t{at} * image.height / plan.segments); };
    auto filter = strip_filter<Pixel, kReach>(image, plan, strip, false, warp);
    pdl_wait();
    filter.filter_twice(row(segment), row(segment + 1));
}

template <class Pixel, int kReach, bool kKeeps>
__global__ void __launch_bounds__(Policy::threads(kReach, kKeeps), Policy::min_blocks(kReach, kKeeps))
    kuwahara_filter_tuned_kernel(const __grid_constant__ FilterImage image, const __grid_constant__ Plan plan) {
    const int warp = __shfl_sync(kFullWarp, int(threadIdx.x / 32), 0);  // the same register in all lanes
    const int block = int(blockIdx.x) - plan.border_blocks;
    if (block < 0) return filter_border<Pixel, kReach>(image, plan, warp);
    const int task = block * plan.strip_warps + warp;
    if (warp >= plan.strip_warps || task >= plan.strips * plan.segments) return;
    if constexpr (kKeeps) {
        filter_segment<Pixel, kReach>(image, plan, task, warp);
    } else {
        filter_segment_twice<Pixel, kReach>(image, plan, task, warp);
    }
}

/// The warps of a multiprocessor that its four schedulers share evenly: the fullest scheduler sets the time.
int evenly_spread(int warps) {
    return warps < 4 ? warps : warps / 4 * 4;
}

/// Chooses the warps of a block, divides the image and launches. False where shared memory leaves too few warps for
/// boxes to be kept.
template <class Pixel, int kReach, bool kKeeps>
bool launch_filter(const CudaJob& job, const FilterImage& image) {
    const auto kernel = &kuwahara_filter_tuned_kernel<Pixel, kReach, kKeeps>;
    Plan plan = lay_out(image, kReach, kKeeps);
    LaunchShape shape{.stream = job.stream};
    int warps = 0, blocks = 1;  // of a multiprocessor
    for (int strip_warps = Policy::kStripWarps; strip_warps > 0; strip_warps /= 2) {
        LaunchShape other = shape;
        const int block_warps = strip_warps * Policy::border_warps(kReach, kKeeps);
        other.threads = unsigned(32 * block_warps);
        other.shared_bytes = size_t(std::max(plan.strip_bytes * strip_warps, plan.border_bytes * block_warps));
        const int resident = resident_blocks(job.device, other, kernel);
        if (evenly_spread(resident * strip_warps) <= evenly_spread(warps)) continue;
        warps = resident * strip_warps;
        blocks = resident;
        plan.strip_warps = strip_warps;
        shape = other;
    }
    if (warps == 0 || (warps < 4 && kKeeps && kReach > 2)) return false;
    divide(plan, image, kKeeps, int(shape.threads / 32), job.device.multiProcessorCount * blocks);
    shape.blocks = unsigned(plan.border_blocks + plan.strip_blocks());
    launch_pdl(job.device, shape, kernel, image, plan);
    return true;
}

/// kReach follows from the radius (tensor_boxes.cuh). Where boxes are kept, shared memory grows with the radius.
template <class Pixel>
void launch_for_radius(CudaJob& job) {
    const int radius = job.params.as<Params>().radius;
    const FilterImage image{job.d_input,        job.input_pitch_bytes, job.output.d_data,     job.output.pitch_bytes,
                            job.output.surface, job.input_spec.width,  job.input_spec.height, radius};
    bool launched = false;
    if (radius <= 16) {
        launched = launch_filter<Pixel, 2, Policy::kKeepBoxes>(job, image);
    } else if (radius <= 32) {
        launched = launch_filter<Pixel, 3, Policy::kKeepBoxes>(job, image);
    }
    if (launched) return;
    launched = radius <= 48 ? launch_filter<Pixel, 4, false>(job, image) : launch_filter<Pixel, 5, false>(job, image);
    if (!launched) throw DeviceError("Kuwahara, tuned: this GPU has too little shared memory; choose another variant");
}

void run_tuned(CudaJob& job) {
    if (is_deep(job.input_spec.format)) return run_tuned_deep(job);
    const auto stage = job.stage("filter", job.input_bytes() + job.output_bytes());
    with_source(job, [&]<class Pixel>(PitchedSource<Pixel>) { launch_for_radius<Pixel>(job); });
}

#endif

const VariantRegistration tuned_variant({
    .op = "kuwahara",
    .id = "tuned",
    .name = "Tuned: matrix units (8 bits)",
    .follows = "kept-boxes",
    .builds_on = "kept-boxes",
    .preferred = true,
    .any_depth = true,
    .idea = "A quadrant is a box of (radius + 1)\u00b2 pixels that four pixels share: each box is evaluated once. The "
            "integer matrix units add and subtract whole rows times a band of ones, so that boxes slide along strips "
            "of columns. Neighboring segments of a strip go apart from one border or toward another, and use each "
            "other's boxes there. In deep images, running sums of columns in 64 bits take the place of the matrix "
            "units, and segments stand alone.",
    .cost = "About as many instructions a pixel for every radius up to 16, a fifth more up to 32, and twice the boxes "
            "above.",
    .flaw = "Margins of strips are computed twice, each segment first adds up as many rows as the radius, and every "
            "fourth evaluates as many again; shared memory leaves room for 12 % of the warps (counted on an H200), "
            "and less the larger the radius.",
    .work =
        [](const WorkCase& c) {
            if (is_deep(c.image.format)) return tuned_deep_work(c);
            return Work{
                {"filter", c.pixels() * Amounts{.bytes = 2.0 * bytes_per_pixel(c.image.format),
                                                .shared_bytes = QuadrantCost{0, 0.5, c.is_gray() ? 41.0 : 44.5}.at(c),
                                                .operations = QuadrantCost{0, 0.9, c.is_gray() ? 42.0 : 57.8}.at(c)}}};
        },
    .run_cuda = TONESCOPE_CUDA_RUN(run_tuned),
});

}  // namespace
}  // namespace tonescope::kuwahara::tuned
