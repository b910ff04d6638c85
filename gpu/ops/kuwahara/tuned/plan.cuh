// How the image is shared out: blocks that filter the border columns, a group of lanes for each of several pieces, and
// blocks that filter strips, a warp for each segment. All blocks should end at the same time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gpu/ops/kuwahara/tuned/border_columns.cuh"

namespace tonescope::kuwahara::tuned {

// Segments of a strip that follow one another form a chain: warps of one block filter them, every other one from the
// bottom up, and find in each other's shared memory what they need of the other. README.md draws it.

/// A neighbor of a segment in its chain.
struct ChainLink {
    int barrier = 0;        // 0: there is no neighbor
    uint32_t distance = 0;  // from the warp's shared memory to the neighbor's, bytes, modulo 2^32
    int rows = 0;           // that the neighbor evaluates
    __device__ explicit operator bool() const { return barrier != 0; }
    /// Waits for the neighbor. All lanes of both warps call.
    __device__ void meet() const { wait_at(barrier); }
    /// The same at another barrier, for the second time may come before all lanes have left the first (radius 1).
    __device__ void meet_again() const { wait_at(barrier + kBorders); }

  private:
    static constexpr int kBorders = Policy::kStripWarps - 1;
    __device__ static void wait_at(int barrier) {
        __syncwarp();
        wait_at_one_of(barrier, std::make_integer_sequence<int, 2 * kBorders>{});
    }
    /// The instructions have constant numbers: with one in a register, the compiler would take all barriers there are.
    template <int... kIndices>
    __device__ static void wait_at_one_of(int barrier, std::integer_sequence<int, kIndices...>) {
        ((barrier == kIndices + 1 ? wait<kIndices + 1>() : void()), ...);
    }
    template <int kBarrier>
    __device__ static void wait() {
        asm volatile("bar.sync %0, 64;" ::"n"(kBarrier) : "memory");
    }
};

/// `segments`, 1 to Policy::kStripWarps, share the boxes' rows `begin` to `end` - 1.
struct Chain {
    int begin, end, segments, radius;

    /// The first row of segment `at`; the end, where `at` is the number of segments. A segment has `radius` rows at
    /// least.
    __device__ int row(int at) const {
        const int rows = end - begin, even = begin + int(int64_t{at} * rows / segments);
        const int fewer = min(Policy::rows_for_second_neighbor(radius),
                              max(rows / segments - max(radius, Policy::kMinSegmentRows), 0));
        return segments < 4 || at % 2 == 0 ? even : at == 1 ? even + fewer : even - fewer;
    }
    /// Whether a segment is filtered from the bottom up.
    __device__ static bool is_upward(int at) { return at % 2 == 0; }
    /// The neighbor where segment `at`, filtered by warp `warp` of the block, starts. Warps have `warp_bytes` each.
    __device__ ChainLink at_start(int at, int warp, int warp_bytes) const {
        return link(at, is_upward(at) ? at + 1 : at - 1, warp, warp_bytes);
    }
    /// The neighbor where it ends.
    __device__ ChainLink at_end(int at, int warp, int warp_bytes) const {
        return link(at, is_upward(at) ? at - 1 : at + 1, warp, warp_bytes);
    }

  private:
    __device__ ChainLink link(int at, int other, int warp, int warp_bytes) const {
        if (other < 0 || other >= segments) return {};
        return {1 + warp + min(other - at, 0), uint32_t((other - at) * warp_bytes), row(other + 1) - row(other)};
    }
};

struct Plan {
    BorderShape border;
    int strips = 0, segments = 0;              // segments: of a strip
    int border_rows = 0, border_segments = 0;  // of both sides together
    int border_blocks = 0;
    int kept_boxes = 0, strip_bytes = 0, border_bytes = 0;  // of shared memory, for a warp
    int strip_warps = 0;                                    // of a block
    int strip_blocks() const { return (strips * segments + strip_warps - 1) / strip_warps; }
    /// Segments of a chain at most: what a block has of one strip.
    __host__ __device__ int chain_segments() const { return strip_warps; }
};

inline int strips_of(const FilterImage& image, const BorderShape& border, int reach) {
    if (border.covers_all()) return 0;
    const StripShape shape(border.left_end, image.radius, reach);
    return (border.right_begin - shape.begin + shape.written_px - 1) / shape.written_px;
}

/// Phase 1: where border and strips lie, and the shared memory of a warp. The border gets as many columns as a group
/// can take, where that saves a strip.
inline Plan lay_out(const FilterImage& image, int reach, bool keeps) {
    const int radius = image.radius;
    Plan plan{.border = BorderShape(image.width, radius)};
    BorderShape& border = plan.border;
    plan.strips = strips_of(image, border, reach);
    BorderShape wider = border;
    wider.left_end = std::min(image.width, border.max_px);
    wider.right_begin = std::max(wider.left_end, image.width - border.max_px);
    if (const int strips = strips_of(image, wider, reach); strips < plan.strips) {
        border = wider;
        plan.strips = strips;
    }
    const StripShape shape(border.left_end, radius, reach);
    plan.kept_boxes = kept_boxes(keeps ? radius : 0, KeptRowShape{shape.margin_px, reach}.pairs());
    plan.strip_bytes = (plan.kept_boxes + BoxRow::kBoxes) * int(sizeof(EvaluatedBox));
    plan.border_bytes = border_bytes(Policy::border_run(reach));
    return plan;
}

/// The time that a strip's segment takes, in units of a row (Policy).
inline float segment_time(const FilterImage& image, const Plan& plan, bool keeps) {
    using P = Policy;
    const auto height = float(image.height), radius = float(image.radius), segments = float(plan.segments);
    if (!keeps) return P::kRowOfTwo * height / segments + 2 * P::kAddedRow * radius;
    const auto chains = float((plan.segments + plan.chain_segments() - 1) / plan.chain_segments() + 1);
    return (height + chains * P::kEvaluatedRow * radius) / segments + (P::kAddedRow + 0.25F * P::kWrittenRow) * radius;
}

/// Phase 2: divides strips into segments and the border into pieces, for the least time of the slowest block. Blocks
/// have `block_warps` at the border; `resident` of them run at the same time, a wave.
inline void divide(Plan& plan, const FilterImage& image, bool keeps, int block_warps, int resident) {
    using P = Policy;
    const int radius = image.radius, height = image.height;
    const int min_rows = keeps ? std::max(P::kMinSegmentRows, radius) + 1 : P::kMinSegmentRows;
    const int max_segments = std::max(height / min_rows, 1);
    const int groups = block_warps * (32 / border_lanes(radius));  // of a border block
    float best = 0;
    const auto consider = [&](int waves, int segments) {
        Plan other = plan;
        other.segments = std::clamp(segments, 1, max_segments);
        const int left = waves * resident - other.strip_blocks();
        if (left < 1) return;
        // The border's pieces fill the blocks that are left, or take as long as a segment where that is fewer blocks.
        const float strips = plan.strips == 0 ? 0 : segment_time(image, other, keeps);
        const float spare = (strips - P::kAddedBorderRow * float(radius)) / P::border_row(radius);
        const int pieces = std::max(left * groups / 2, 1);  // of a side, at most
        other.border_rows = std::max({(height + pieces - 1) / pieces, std::min(int(spare), height), P::kMinBorderRows});
        other.border_segments = 2 * ((height + other.border_rows - 1) / other.border_rows);
        other.border_blocks = (other.border_segments + groups - 1) / groups;
        const float border = P::border_row(radius) * float(other.border_rows) + P::kAddedBorderRow * float(radius);
        const float time = float(waves) * std::max(strips, border);
        if (best > 0 && time >= best) return;
        best = time;
        plan = other;
    };
    for (int waves = 1; waves <= P::kMaxWaves || best == 0; waves *= 2) {
        const int segments = plan.strips == 0 ? 1 : waves * resident * plan.strip_warps / plan.strips;
        const int step = std::max(segments / P::kSegmentCountStep, 1);
        for (int fewer = 0; fewer < P::kSegmentCounts; ++fewer) consider(waves, segments - fewer * step);
    }
}

/// Which rows of a strip's pixels its chains filter. Chains of fewer segments get fewer rows each, since each one
/// evaluates boxes that its neighbor evaluates too.
struct ChainRows {
    int segments, chains, height, common;
    /// The row that segment `segment` begins with, where it is the first of chain `chain`.
    __device__ int before(int segment, int chain) const {
        return int(int64_t{segment} * (height + chains * common) / segments) - chain * common;
    }
};

/// A warp's part of a strip: a segment of a chain.
struct StripTask {
    int strip, at;  // at: the segment's place in the chain
    Chain chain;

    __device__ StripTask(const Plan& plan, const FilterImage& image, int task) {
        strip = task / plan.segments;
        const int segment = task % plan.segments, length = plan.chain_segments();
        const int others = strip * plan.segments % length;  // of the strip before, in this one's first block
        const int index = (others + segment) / length;
        const int first = max(index * length - others, 0), last = min((index + 1) * length - others, plan.segments);
        const ChainRows rows{plan.segments, (others + plan.segments + length - 1) / length, image.height,
                             Policy::rows_evaluated_twice(image.radius)};
        at = segment - first;
        chain = {rows.before(first, index) - image.radius, rows.before(last, index + 1), last - first, image.radius};
    }
};

}  // namespace tonescope::kuwahara::tuned
