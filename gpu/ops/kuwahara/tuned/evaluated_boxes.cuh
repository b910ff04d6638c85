// A box once it is summed: its variance and its mean in 64 bits, and which of two boxes has the lower variance; and the
// evaluated boxes that a warp has in shared memory: all of one row, and the best ones of several rows.
#pragma once

#include <cstdint>

#include "gpu/cuda/kernels/shared_memory.cuh"
#include "gpu/ops/kuwahara/tuned/policy.h"
#include "gpu/ops/kuwahara/tuned/tensor_boxes.cuh"

namespace tonescope::kuwahara::tuned {

/// The scaled variance n Q - S^2 (n^2 times the variance of V) and the mean color: R, G, B or gray in the lower bytes
/// of `lower`. Up to radius 16 (kReach = 2) the scaled variance has 31 bits and fills `upper`; above, it has 39, and
/// its lowest 8 are the top byte of `lower`.
struct EvaluatedBox {
    uint32_t upper, lower;
};
inline constexpr uint32_t kColorBits = 0xffffff;  // of `lower`

/// The pixels of a box, and what its mean needs: floor((2 sum + n) / (2 n)) = floor((sum + floor(n / 2)) / n). The
/// accumulators of the colors hold sum + floor(n / 2), below 2^21. Read as a denormal float, times 1 / n and rounded
/// toward zero, that is the quotient's integer part in the same form. `inverse` is at most 3 * 2^-23 too large in
/// proportion: a quotient up to 255.5 then grows by less than 2^-13, while one that is no integer lies 1 / n >= 1 /
/// 4225 below the next.
struct BoxCount {
    uint32_t n = 0;
    float inverse = 0;

    __device__ static __forceinline__ BoxCount of(uint32_t n) {
        float inverse;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(float(n)));
        constexpr uint32_t kUlps = 2;  // the instruction is off by one unit in the last place at most
        return {n, __uint_as_float(__float_as_uint(inverse) + kUlps)};
    }
    /// floor(sum / n), where `sum` has floor(n / 2) added. The instruction is written out, for under -ftz=true
    /// __fmul_rz() would take denormal numbers for zero.
    __device__ __forceinline__ uint32_t mean(uint32_t sum) const {
        float quotient;
        asm("mul.rz.f32 %0, %1, %2;" : "=f"(quotient) : "f"(__uint_as_float(sum)), "f"(inverse));
        return __float_as_uint(quotient);
    }
};

template <class Pixel, int kReach>
__device__ __forceinline__ EvaluatedBox evaluate(const BoxSums<Pixel>& sums, int lane_column, const BoxCount& count) {
    const auto sum = [&](int plane) { return sums.sum(plane, lane_column); };
    const uint32_t value = sum(kValue), squares = sum(kSquareHigh) * 256 + sum(kSquareLow);
    uint32_t color;
    if constexpr (PlanesOf<Pixel>::kPlanes > kRed) {
        color = count.mean(sum(kGreen)) * 256 + count.mean(sum(kRed));
        color = count.mean(sum(kBlue)) * 65536 + color;
    } else {
        color = count.mean(value + count.n / 2);
    }
    if constexpr (kReach == 2) {
        return {count.n * squares - value * value, color};
    } else {
        const uint64_t scaled_variance = uint64_t{count.n} * squares - uint64_t{value} * value;
        return {uint32_t(scaled_variance >> 8), __byte_perm(color, uint32_t(scaled_variance), bytes::kThreeAndOne)};
    }
}

/// Whether a's variance is lower than b's, where both have the same n. The bits of the color are set in a, so that they
/// decide nothing.
template <int kReach>
__device__ __forceinline__ bool has_lower_variance(const EvaluatedBox& a, const EvaluatedBox& b) {
    if constexpr (kReach == 2) return a.upper < b.upper;
    return ((uint64_t{a.upper} << 32) | (a.lower | kColorBits)) < ((uint64_t{b.upper} << 32) | b.lower);
}

/// The same, and where `or_equal` also whether the variances are equal.
template <int kReach>
__device__ __forceinline__ bool has_lower_variance(const EvaluatedBox& a, const EvaluatedBox& b, bool or_equal) {
    if constexpr (kReach == 2) return (uint64_t{a.upper} << 32) < ((uint64_t{b.upper} << 32) | uint32_t(or_equal));
    const uint32_t mask = or_equal ? ~kColorBits : ~0u;
    return ((uint64_t{a.upper} << 32) | ((a.lower | kColorBits) & mask)) < ((uint64_t{b.upper} << 32) | b.lower | 1);
}

/// The scaled variance times `factor`, for comparing boxes of different n crosswise: below 2^63 (../README.md).
template <int kReach>
__device__ __forceinline__ uint64_t scaled_variance_times(const EvaluatedBox& box, uint32_t factor) {
    if constexpr (kReach == 2) return uint64_t{box.upper} * factor;
    return ((uint64_t{box.upper} << 8) | (box.lower >> 24)) * factor;
}

/// The pixel that a box's color and `alpha` make.
template <int kReach>
__device__ __forceinline__ uint32_t with_alpha(uint32_t lower, uint32_t alpha) {
    if constexpr (kReach == 2) return lower + (alpha << 24);
    return __byte_perm(lower, alpha, bytes::kThreeAndOne);
}

/// The boxes of one row, which the lanes of a warp show to each other: even columns, then odd ones. Each chunk is
/// rotated by 4 boxes more than the one before it, so that neither the lanes' own columns nor those `radius` to the
/// left collide in a bank.
struct BoxRow {
    static constexpr int kChunkPitch = kChunkColumns / 2, kParityPitch = kChunks * kChunkPitch;
    static constexpr int kBoxes = 2 * kParityPitch;
    static constexpr uint32_t kParityBytes = kParityPitch * sizeof(EvaluatedBox);
    /// From chunk `thread` to chunk `thread` + 4, for the lane columns that are in the latter.
    __device__ static constexpr uint32_t upper_bytes(int lane_column) {
        return LaneColumn::is_upper(lane_column) ? 4 * kChunkPitch * sizeof(EvaluatedBox) : 0;
    }
    /// The box of a column from -radius on. What stands before column 0 is of no use, but is read: it must be the
    /// warp's own memory.
    __device__ static int index(int column) {
        static_assert(kChunkColumns == 32);
        const int chunk = column >> 5;
        return (column & 1) * kParityPitch + chunk * kChunkPitch +
               ((((column & 31) >> 1) + 4 * chunk) & (kChunkPitch - 1));
    }
};

/// What is kept of a row: the best boxes of the columns that may be written, in pairs of an even and an odd column. A
/// lane has kPairs of them: pair p = 2 span + upper. Where the whole span is margin in the first chunk (the lower pair)
/// or the last one (the upper pair), the 8 lanes that have it there keep nothing: 24 do.
struct KeptRowShape {
    static constexpr int kPairs = kLaneColumns / 2;
    int margin_px, reach;
    __host__ __device__ bool is_short(int pair) const {
        const int span = pair / 2;
        return pair % 2 == 0 ? margin_px >= kSpanColumns * (span + 1) : span >= kSpans - (reach - 1);
    }
    /// Whether is_short() holds for some margin.
    __host__ __device__ static constexpr bool may_be_short(int pair, int reach) {
        return pair % 2 == 0 ? pair == 0 || reach > 2 : pair / 2 >= kSpans - (reach - 1);
    }
    __host__ __device__ int lanes(int pair) const { return is_short(pair) ? 24 : 32; }
    /// The pairs of all lanes.
    __host__ __device__ int pairs() const {
        int sum = 0;
        for (int pair = 0; pair < kPairs; ++pair) sum += lanes(pair);
        return sum;
    }
};

/// The boxes in front of a BoxRow in a warp's shared memory: `kept_rows` rows of best boxes or, where none are kept,
/// what BoxRow::index() reaches in front of the row with radii up to 64.
__host__ __device__ constexpr int kept_boxes(int kept_rows, int kept_pairs) {
    return kept_rows == 0 ? 2 * BoxRow::kChunkPitch : kept_rows * kept_pairs * 2;
}

/// An address in shared memory, in bytes, which stays in its register.
__device__ __forceinline__ uint32_t resident_address(const void* s_at) {
    uint32_t at = shared_address(s_at);
    prevent_rematerialization(at);
    return at;
}

__device__ __forceinline__ EvaluatedBox load_box(uint32_t at) {
    EvaluatedBox box;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(box.upper), "=r"(box.lower) : "r"(at) : "memory");
    return box;
}
__device__ __forceinline__ void store_box(uint32_t at, const EvaluatedBox& box) {
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(box.upper), "r"(box.lower) : "memory");
}

/// Loads two boxes where `there`, and else leaves them as they are.
__device__ __forceinline__ void load_boxes_if(bool there, uint32_t at, EvaluatedBox& a, EvaluatedBox& b) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; @p ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];}"
                 : "+r"(a.upper), "+r"(a.lower), "+r"(b.upper), "+r"(b.lower)
                 : "r"(at), "r"(uint32_t(there))
                 : "memory");
}
__device__ __forceinline__ void store_boxes_if(bool there, uint32_t at, const EvaluatedBox& a, const EvaluatedBox& b) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; @p st.shared.v4.u32 [%0], {%1, %2, %3, %4};}" ::"r"(at),
                 "r"(a.upper), "r"(a.lower), "r"(b.upper), "r"(b.lower), "r"(uint32_t(there))
                 : "memory");
}

/// The best boxes of the last `radius` rows, in a ring. A row is named by its distance from the ring's begin, in bytes.
template <int kReach>
class KeptRows {
  public:
    __device__ KeptRows(const EvaluatedBox* s_boxes, int margin_px, int radius, int lane) {
        const KeptRowShape shape{margin_px, kReach};
        const int group = group_of(lane), thread = thread_of(lane);
        int begin = 0;
#pragma unroll
        for (int pair = 0; pair < kPairs; ++pair) {
            const int missing = pair % 2 == 0 ? 0 : 3, skipped = pair % 2 == 0 ? 1 : 0;
            if (!shape.is_short(pair) || thread != missing) there_ |= 1u << pair;
            const int at = begin + (shape.is_short(pair) ? 3 * group + thread - skipped : lane);
            at_[pair] = resident_address(s_boxes) + uint32_t(at) * uint32_t(sizeof(uint4));
            prevent_rematerialization(at_[pair]);
            begin += shape.lanes(pair);
        }
        prevent_rematerialization(there_);
        pitch_ = uint32_t(begin) * uint32_t(sizeof(uint4));
        end_ = uint32_t(radius) * pitch_;
    }
    /// Loads the boxes of a row; of another warp's, with the distance to its memory added.
    __device__ __forceinline__ void load(uint32_t row, EvaluatedBox (&boxes)[kLaneColumns]) const {
#pragma unroll
        for (int pair = 0; pair < kPairs; ++pair)
            load_boxes_if(is_there(pair), at_[pair] + row, boxes[2 * pair], boxes[2 * pair + 1]);
    }
    /// Overwrites the oldest row.
    __device__ __forceinline__ void store(const EvaluatedBox (&boxes)[kLaneColumns]) {
#pragma unroll
        for (int pair = 0; pair < kPairs; ++pair)
            store_boxes_if(is_there(pair), at_[pair] + oldest_, boxes[2 * pair], boxes[2 * pair + 1]);
        oldest_ = after(oldest_);
    }
    __device__ __forceinline__ uint32_t oldest() const {
        return oldest_;
    }
    /// The row that was stored as the count-th, counted from 0.
    __device__ uint32_t stored_as(int count) const {
        return uint32_t(count) % (end_ / pitch_) * pitch_;
    }
    __device__ __forceinline__ uint32_t after(uint32_t row) const {
        return row + pitch_ == end_ ? 0 : row + pitch_;
    }
    __device__ __forceinline__ uint32_t before(uint32_t row) const {
        return (row == 0 ? end_ : row) - pitch_;
    }
    __device__ __forceinline__ uint32_t pitch() const {
        return pitch_;
    }

  private:
    static constexpr int kPairs = KeptRowShape::kPairs;
    __device__ __forceinline__ bool is_there(int pair) const {
        return !KeptRowShape::may_be_short(pair, kReach) || (there_ >> pair & 1) != 0;
    }

    uint32_t at_[kPairs], oldest_ = 0, pitch_, end_;  // bytes; at_: of the lane's pairs in shared memory
    uint32_t there_ = 0;                              // bit p: the lane keeps pair p
};

}  // namespace tonescope::kuwahara::tuned
