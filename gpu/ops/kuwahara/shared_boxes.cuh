// The judged boxes that a warp has in shared memory: one row of all, and of some rows the best ones.
#pragma once

#include <cstdint>

#include "gpu/ops/kuwahara/box_choice.cuh"
#include "gpu/ops/kuwahara/strip_layout.cuh"

namespace tonescope {

/// Boxes of one row, shared by the lanes of a warp: even columns, then odd ones. Each chunk is rotated by 4 boxes more
/// than the one before it, so that neither the lanes' own columns nor those `radius` to the left collide in a bank.
struct BoxRow {
    static constexpr int kChunkPitch = kChunkColumns / 2, kParityPitch = kChunks * kChunkPitch;
    static constexpr int kBoxes = 2 * kParityPitch;
    /// From chunk q's box to that of chunk q + 4, where the slot is of the upper chunks; bytes.
    __device__ static constexpr uint32_t upper_bytes(int slot) {
        return Slot::is_upper(slot) ? 4 * kChunkPitch * sizeof(JudgedBox) : 0;
    }
    /// column: from -radius on. What stands before the first box is of no use, but is read: it must be the warp's own.
    __device__ static int index(int column) {
        static_assert(kChunkColumns == 32);
        const int chunk = column >> 5;
        return (column & 1) * kParityPitch + chunk * kChunkPitch +
               ((((column & 31) >> 1) + 4 * chunk) & (kChunkPitch - 1));
    }
};

/// What is kept of a row: the best boxes of the columns that may be written, in pairs of slots. Pair p = 2 tile + upper
/// four chunks. Where a whole tile is margin, 8 of the lanes keep nothing.
struct KeptRow {
    int margin_px, reach;
    /// Whether 24 lanes keep the pair: those that do not have the first chunk's lower or the last one's upper columns.
    __host__ __device__ bool is_short(int pair) const {
        const int tile = pair / 2;
        return pair % 2 == 0 ? margin_px >= kTileColumns * (tile + 1) : tile >= kTiles - (reach - 1);
    }
    /// With some margin.
    __host__ __device__ static constexpr bool may_be_short(int pair, int reach) {
        return pair % 2 == 0 ? pair == 0 || reach > 2 : pair / 2 >= kTiles - (reach - 1);
    }
    __host__ __device__ int lanes(int pair) const { return is_short(pair) ? 24 : 32; }
    /// Pairs of boxes.
    __host__ __device__ int pairs() const {
        int sum = 0;
        for (int pair = 0; pair < kSlots / 2; ++pair) sum += lanes(pair);
        return sum;
    }
};

/// Shared memory of a warp, boxes, in front of a BoxRow: `kept_rows` rows of the upper half's best. Where they are
/// computed twice, nothing but what BoxRow::index() reaches in front of the row, with radii up to 64.
__host__ __device__ constexpr int kept_boxes(int kept_rows, int kept_pairs) {
    return kept_rows == 0 ? 2 * BoxRow::kChunkPitch : kept_rows * kept_pairs * 2;
}

/// In shared memory, bytes; not worked out again at every use.
__device__ __forceinline__ uint32_t shared_address(const void* s_at) {
    auto at = uint32_t(__cvta_generic_to_shared(s_at));
    keep(at);
    return at;
}

__device__ __forceinline__ JudgedBox load_box(uint32_t at) {
    JudgedBox box;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(box.upper), "=r"(box.lower) : "r"(at) : "memory");
    return box;
}
__device__ __forceinline__ void store_box(uint32_t at, const JudgedBox& box) {
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(box.upper), "r"(box.lower) : "memory");
}

/// Two boxes, where `there`; else those that were in them.
__device__ __forceinline__ void load_boxes_if(bool there, uint32_t at, JudgedBox& a, JudgedBox& b) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; @p ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];}"
                 : "+r"(a.upper), "+r"(a.lower), "+r"(b.upper), "+r"(b.lower)
                 : "r"(at), "r"(uint32_t(there))
                 : "memory");
}
__device__ __forceinline__ void store_boxes_if(bool there, uint32_t at, const JudgedBox& a, const JudgedBox& b) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; @p st.shared.v4.u32 [%0], {%1, %2, %3, %4};}" ::"r"(at),
                 "r"(a.upper), "r"(a.lower), "r"(b.upper), "r"(b.lower), "r"(uint32_t(there))
                 : "memory");
}

/// The last `radius` rows of bests. The lane's pairs stand at addresses that the compiler cannot work out again.
template <int kReach>
class KeptRows {
  public:
    __device__ KeptRows(const JudgedBox* s_boxes, int margin_px, int radius, int lane) {
        const KeptRow shape{margin_px, kReach};
        const int g = lane / 4, q = lane % 4;
        int begin = 0;
#pragma unroll
        for (int pair = 0; pair < kSlots / 2; ++pair) {
            const int missing = pair % 2 == 0 ? 0 : 3, skipped = pair % 2 == 0 ? 1 : 0;
            if (!shape.is_short(pair) || q != missing) there_ |= 1u << pair;
            const int at = begin + (shape.is_short(pair) ? 3 * g + q - skipped : lane);
            at_[pair] = shared_address(s_boxes) + uint32_t(at) * uint32_t(sizeof(uint4));
            keep(at_[pair]);
            begin += shape.lanes(pair);
        }
        keep(there_);
        pitch_ = uint32_t(begin) * uint32_t(sizeof(uint4));
        end_ = uint32_t(radius) * pitch_;
    }
    /// The row at `at` (bytes): of the oldest row, oldest(), or of another warp, row() and the distance to its memory.
    __device__ __forceinline__ void load(uint32_t at, JudgedBox (&boxes)[kSlots]) const {
#pragma unroll
        for (int pair = 0; pair < kSlots / 2; ++pair)
            load_boxes_if(is_there(pair), at_[pair] + at, boxes[2 * pair], boxes[2 * pair + 1]);
    }
    /// In place of the oldest one.
    __device__ __forceinline__ void store(const JudgedBox (&boxes)[kSlots]) {
#pragma unroll
        for (int pair = 0; pair < kSlots / 2; ++pair)
            store_boxes_if(is_there(pair), at_[pair] + oldest_, boxes[2 * pair], boxes[2 * pair + 1]);
        oldest_ = after(oldest_);
    }
    __device__ __forceinline__ uint32_t oldest() const {
        return oldest_;
    }
    /// Of the bests that were stored as the count-th, counted from 0.
    __device__ uint32_t row(int count) const {
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
    __device__ __forceinline__ bool is_there(int pair) const {
        return !KeptRow::may_be_short(pair, kReach) || (there_ >> pair & 1) != 0;
    }

    uint32_t at_[kSlots / 2], oldest_ = 0, pitch_, end_;  // bytes
    uint32_t there_ = 0;                                  // a bit a pair
};

}  // namespace tonescope
