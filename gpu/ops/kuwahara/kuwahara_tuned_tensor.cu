// Kuwahara filter: each box is summed and judged once, its sums are made by the integer matrix units.
#include "gpu/core/registry.h"

#ifdef __CUDACC__
#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/cuda/kernels/launch.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/ops/kuwahara/border_columns.cuh"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/strip_filter.cuh"
#endif

namespace tonescope {
namespace {

#ifdef __CUDACC__

struct TunedPolicy {
    static constexpr int kStripWarps = ChainLink::kWarps;  // of a block; fewer where shared memory is short
    /// Warps of a block at the border, for each that a block has for strips: there, shared memory does not bound them.
    static constexpr int border_warps(int reach, bool keeps) { return keeps && reach > 2 ? 2 : 1; }
    static constexpr int threads(int reach, bool keeps) { return 32 * kStripWarps * border_warps(reach, keeps); }
    /// Blocks a multiprocessor, at least.
    static constexpr int blocks(int reach, bool keeps) { return keeps && reach > 2 ? 1 : 2; }
    static constexpr int border_run(int reach) { return reach <= 3 ? 2 : 4; }
    static constexpr int kMaxWaves = 4;  // of blocks that are resident together

    // What rows cost a warp, measured on an H200, in units of a strip's row that is judged and written.
    static constexpr float kAdded = 0.3F, kJudged = 0.75F, kChosen = 0.25F, kTwice = 1.6F;
    static constexpr float kBorderAdded = 0.35F;
    static constexpr float border(int radius) { return radius <= 8 ? 1.6F : 1.7F; }
};

/// Blocks that filter the border columns, a group of lanes for each of `border_segments` pieces, and blocks that filter
/// strips, a warp for each of a strip's `segments`. What a block has of one strip is a chain (strip_chain.cuh).
struct TunedPlan {
    BorderShape border;
    int strips = 0, segments = 0;
    int border_rows = 0, border_segments = 0;  // of both sides together
    int border_blocks = 0;
    int kept_boxes = 0, strip_bytes = 0, border_bytes = 0;  // of shared memory, for a warp
    int strip_warps = 0;                                    // of a block
    int strip_blocks() const { return (strips * segments + strip_warps - 1) / strip_warps; }
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
    plan.strip_bytes = (plan.kept_boxes + BoxRow::kBoxes) * int(sizeof(JudgedBox));
    plan.border_bytes = border_bytes(run);
    return plan;
}

/// What a strip's segment takes, in units of a row.
float strip_time(const FilterImage& image, const TunedPlan& plan, bool keeps) {
    using P = TunedPolicy;
    const auto height = float(image.height), radius = float(image.radius), segments = float(plan.segments);
    if (!keeps) return P::kTwice * height / segments + 2 * P::kAdded * radius;
    const auto chains = float((plan.segments + plan.strip_warps - 1) / plan.strip_warps + 1);
    return (height + chains * P::kJudged * radius) / segments + (P::kAdded + 0.25F * P::kChosen) * radius;
}

/// Divides the image into segments and border pieces, so that all are done soonest. `resident`: blocks at the same
/// time.
void divide(TunedPlan& plan, const FilterImage& image, bool keeps, int block_warps, int resident) {
    using P = TunedPolicy;
    const int radius = image.radius, height = image.height;
    const int most = std::max(height / (keeps ? std::max(Chain::kMinRows, radius) + 1 : Chain::kMinRows), 1);
    const int groups = block_warps * (32 / border_lanes(radius));  // of a border block
    float best = 0;
    const auto consider = [&](int waves, int segments) {
        TunedPlan other = plan;
        other.segments = std::clamp(segments, 1, most);
        const int left = waves * resident - other.strip_blocks();
        if (left < 1) return;
        const float strips = plan.strips == 0 ? 0 : strip_time(image, other, keeps);
        const float spare = (strips - P::kBorderAdded * float(radius)) / P::border(radius);
        const int pieces = std::max(left * groups / 2, 1);  // of a side, at most
        other.border_rows = std::max({(height + pieces - 1) / pieces, std::min(int(spare), height), 4});
        other.border_segments = 2 * ((height + other.border_rows - 1) / other.border_rows);
        other.border_blocks = (other.border_segments + groups - 1) / groups;
        const float border = P::border(radius) * float(other.border_rows) + P::kBorderAdded * float(radius);
        const float time = float(waves) * std::max(strips, border);
        if (best > 0 && time >= best) return;
        best = time;
        plan = other;
    };
    for (int waves = 1; waves <= P::kMaxWaves || best == 0; waves *= 2) {
        const int segments = plan.strips == 0 ? 1 : waves * resident * plan.strip_warps / plan.strips;
        for (int fewer = 0; fewer < 12; ++fewer) consider(waves, segments - fewer * std::max(segments / 24, 1));
    }
}

/// Of a strip's pixels, the rows that are filtered by segments `first` to `last` - 1, those of chain `index`. Chains of
/// fewer segments get fewer rows each, since each one judges about 3 / 4 radius rows that its neighbour judges too.
struct ChainRows {
    int segments, chains, height, common;
    __device__ int before(int segment, int chain) const {
        return int(int64_t{segment} * (height + chains * common) / segments) - chain * common;
    }
};

/// A warp's part of a strip.
struct StripTask {
    int strip, at;  // at: in the chain
    Chain chain;

    __device__ StripTask(const TunedPlan& plan, const FilterImage& image, int task) {
        strip = task / plan.segments;
        const int segment = task % plan.segments, warps = plan.strip_warps;
        const int others = strip * plan.segments % warps;  // of the strip before, in this one's first block
        const int index = (others + segment) / warps;
        const int first = max(index * warps - others, 0), last = min((index + 1) * warps - others, plan.segments);
        const ChainRows rows{plan.segments, (others + plan.segments + warps - 1) / warps, image.height,
                             3 * image.radius / 4};
        at = segment - first;
        chain = {rows.before(first, index) - image.radius, rows.before(last, index + 1), last - first, image.radius};
    }
};

template <class Pixel, int kReach, bool kKeeps>
__global__ void __launch_bounds__(TunedPolicy::threads(kReach, kKeeps), TunedPolicy::blocks(kReach, kKeeps))
    kuwahara_filter_tuned_kernel(const __grid_constant__ FilterImage image, const __grid_constant__ TunedPlan plan) {
    extern __shared__ uint4 s_memory[];
    const int warp = __shfl_sync(0xffffffff, int(threadIdx.x / 32), 0);
    const int radius = image.radius, block = int(blockIdx.x) - plan.border_blocks;
    if (block < 0) {
        const int lanes = border_lanes(radius);
        const int group = (int(blockIdx.x * (blockDim.x / 32)) + warp) * (32 / lanes) + int(threadIdx.x % 32) / lanes;
        const int y_begin = group / 2 * plan.border_rows;  // of a last group without rows: below the image
        BorderGroup<Pixel, TunedPolicy::border_run(kReach)> filter(
            image, plan.border, group % 2, y_begin, min(y_begin + plan.border_rows, image.height),
            s_memory + warp * (plan.border_bytes / int(sizeof(uint4))));
        pdl_wait();
        filter.filter(plan.border_rows);
        return;
    }
    const int task = block * plan.strip_warps + warp;
    if (warp >= plan.strip_warps || task >= plan.strips * plan.segments) return;
    const auto filter_of = [&](int strip, bool upward) {
        auto* const s_boxes = reinterpret_cast<JudgedBox*>(s_memory + warp * (plan.strip_bytes / int(sizeof(uint4))));
        return StripFilter<Pixel, kReach>(image, strip, plan.border.left_end, plan.border.right_begin, upward, s_boxes,
                                          plan.kept_boxes);
    };
    if constexpr (kKeeps) {
        const StripTask of(plan, image, task);
        const bool upward = of.chain.is_upward(of.at);
        int begin = of.chain.row(of.at), end = of.chain.row(of.at + 1);
        if (upward) {  // a box that begins in row y ends in row height - 1 - y - radius from below
            const int from_below = image.height - radius - end;
            end = image.height - radius - begin;
            begin = from_below;
        }
        auto filter = filter_of(of.strip, upward);
        pdl_wait();
        filter.run_keeping(begin, end, of.chain.at_start(of.at, warp, plan.strip_bytes),
                           of.chain.at_end(of.at, warp, plan.strip_bytes));
    } else {
        const int strip = task / plan.segments, segment = task % plan.segments;
        const auto row = [&](int at) { return int(int64_t{at} * image.height / plan.segments); };
        auto filter = filter_of(strip, false);
        pdl_wait();
        filter.run_twice(row(segment), row(segment + 1));
    }
}

/// Of the warps of a multiprocessor, those that its four schedulers share evenly: the fullest one sets the time.
int evenly_spread(int warps) {
    return warps < 4 ? warps : warps / 4 * 4;
}

/// Blocks of a multiprocessor that are resident together.
template <class Kernel>
int resident_blocks(const DeviceProperties& facts, Kernel kernel, const LaunchShape& shape) {
    if (shape.shared_bytes > facts.shared_per_block_optin_bytes) return 0;
    allow_shared_memory(facts, shape, kernel);
    int blocks = 0;
    TONESCOPE_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, int(shape.threads), shape.shared_bytes));
    return blocks;
}

/// False where shared memory does not suffice.
template <class Pixel, int kReach, bool kKeeps>
bool launch_tuned(const CudaJob& job, const FilterImage& image) {
    const auto kernel = &kuwahara_filter_tuned_kernel<Pixel, kReach, kKeeps>;
    TunedPlan plan = make_plan(image, kReach, kKeeps);
    LaunchShape shape{.stream = job.stream};
    int warps = 0, blocks = 1;
    for (int strip_warps = TunedPolicy::kStripWarps; strip_warps > 0; strip_warps /= 2) {
        LaunchShape other = shape;
        const int block_warps = strip_warps * TunedPolicy::border_warps(kReach, kKeeps);
        other.threads = unsigned(32 * block_warps);
        other.shared_bytes = size_t(std::max(plan.strip_bytes * strip_warps, plan.border_bytes * block_warps));
        const int resident = resident_blocks(job.facts, kernel, other);
        if (evenly_spread(resident * strip_warps) <= evenly_spread(warps)) continue;
        warps = resident * strip_warps;
        blocks = resident;
        plan.strip_warps = strip_warps;
        shape = other;
    }
    if (warps == 0 || (warps < 4 && kKeeps && kReach > 2)) return false;
    divide(plan, image, kKeeps, int(shape.threads / 32), job.facts.multiprocessors * blocks);
    shape.blocks = unsigned(plan.border_blocks + plan.strip_blocks());
    launch_pdl(job.facts, shape, kernel, image, plan);
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

const VariantRegistration kuwahara_tuned_tensor_variant({
    .op = "kuwahara",
    .id = "tuned",
    .name = "Tuned",
    .source = "",
    .backend = BackendKind::cuda,
    .order = 600,
    .preferred = true,
    .idea =
        "A quadrant is a box of (radius + 1)^2 pixels that four pixels share: each box is judged once. The integer "
        "matrix units add and subtract whole rows times a band of ones, so that boxes slide along strips of columns. "
        "Neighbouring segments of a strip go apart from one border or towards another, and use each other's boxes "
        "there.",
    .cost = "About as many instructions a pixel for every radius up to 16, a fifth more up to 32, and twice the boxes "
            "above.",
    .flaw =
        "Margins of strips are computed twice, each segment first adds up as many rows as the radius, and every "
        "fourth judges as many again; shared memory leaves few warps to hide waiting, and fewer the larger the radius.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_kuwahara_tuned),
});

}  // namespace
}  // namespace tonescope
