// The tables of a warp's strip in shared memory, four to a word.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "gpu/ops/clahe/tuned/strip_plan.cuh"

namespace tonescope::clahe {

/// A warp's packed tables. The bytes of a word, from the lowest: upper left, upper right, lower left, lower right.
/// Tables come from device memory as they are (request) and are packed later (push). For whole warps; what was
/// requested is there for those that waited for their own copies and then for each other.
template <int kTableWords>
class PackedTables {
    using Policy = BlendPolicy;

  public:
    /// For tables of `plane`, of which the first is that of segment `first`; `count`: tables across. s_words:
    /// plan.tables packed tables, s_raw: plan.tables + 1 raw ones.
    __device__ PackedTables(const BlendPlan& plan, int plane, uint32_t* s_words, uint32_t* s_raw, int first, int count)
        : plan_(plan),
          d_tables_(plan.d_tables + plane * plan.plane_bytes + threadIdx.x % 16 * kVector_bytes),
          s_words_(s_words),
          s_raw_(s_raw),
          first_(first),
          count_(count) {}

    /// Loads two rows at once, for push_first and push.
    __device__ void fetch(int upper, int lower) const {
        const uint8_t *d_upper = d_tables_ + row_bytes(upper), *d_lower = d_tables_ + row_bytes(lower);
        uint32_t *s_upper = first_raw() + threadIdx.x % 16 * 4, *s_lower = s_raw_ + threadIdx.x % 16 * 4;
#pragma unroll 3
        for (int table = int(threadIdx.x % 32 / 16); table <= count_; table += 2) {
            const int at = tile_bytes(table);
            const uint4 one = *reinterpret_cast<const uint4*>(d_upper + at),
                        other = *reinterpret_cast<const uint4*>(d_lower + at);
            *reinterpret_cast<uint4*>(s_upper + table * Policy::kRawWords) = one;
            *reinterpret_cast<uint4*>(s_lower + table * Policy::kRawWords) = other;
        }
    }
    /// For push, asynchronously.
    __device__ void request(int row) const {
        const uint8_t* d_row = d_tables_ + row_bytes(row);
#pragma unroll 1
        for (int table = int(threadIdx.x % 32 / 16); table <= count_; table += 2)
            __pipeline_memcpy_async(s_raw_ + threadIdx.x % 16 * 4 + table * Policy::kRawWords,
                                    d_row + tile_bytes(table), kVector_bytes);
    }

    /// The lower entries become the upper ones; the requested tables become the lower ones.
    __device__ void push() const {
        push(s_raw_);
    }
    /// The same with the upper row of fetch.
    __device__ void push_first() const {
        push(first_raw());
    }

  private:
    /// The first push may come from the end of the packed tables' own memory: what is not packed yet stays ahead of
    /// what it writes.
    __device__ uint32_t* first_raw() const {
        return s_words_ + count_ * kTableWords - (count_ + 1) * Policy::kRawWords;
    }
    __device__ size_t row_bytes(int row) const {
        return size_t(row) * size_t(plan_.x.tiles) * 256;
    }
    __device__ int tile_bytes(int table) const {
        return min(max(first_ - 1 + table, 0), plan_.x.tiles - 1) * 256;
    }
    __device__ void push(const uint32_t* s_from) const {
        s_from += threadIdx.x % 32;
        uint32_t* s_table = s_words_ + threadIdx.x % 32 * 4;
        const auto load = [&] {
            const uint2 eight = make_uint2(s_from[0], s_from[32]);
            s_from += Policy::kRawWords;
            return eight;
        };
        uint2 left = load();
        for (int table = 0; table < count_; table += Policy::kTablesAtOnce) {
            uint2 right[Policy::kTablesAtOnce];
#pragma unroll
            for (int i = 0; i < Policy::kTablesAtOnce; ++i)
                if (table + i < count_) right[i] = load();
            __syncwarp();
#pragma unroll
            for (int i = 0; i < Policy::kTablesAtOnce; ++i)
                if (table + i < count_) {
                    replace(s_table, left.x, right[i].x);
                    replace(s_table + 128, left.y, right[i].y);
                    left = right[i];
                    s_table += kTableWords;
                }
        }
    }
    /// Four words, whose new entries stand in `left` and `right`.
    __device__ static void replace(uint32_t* s_four, uint32_t left, uint32_t right) {
        uint4& four = *reinterpret_cast<uint4*>(s_four);
        const uint32_t low = __byte_perm(left, right, bytes::kInterleaveLower);
        const uint32_t high = __byte_perm(left, right, bytes::kInterleaveUpper);
        four = make_uint4(
            __byte_perm(four.x, low, bytes::kUpperThenLower), __byte_perm(four.y, low, bytes::kUpperHalves),
            __byte_perm(four.z, high, bytes::kUpperThenLower), __byte_perm(four.w, high, bytes::kUpperHalves));
    }
    const BlendPlan& plan_;
    const uint8_t* d_tables_;  // the lane's part of the first table
    uint32_t *s_words_, *s_raw_;
    int first_, count_;
};

}  // namespace tonescope::clahe
