// The tables of a warp's strip in shared memory, four to a word.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "gpu/ops/clahe/tuned/strip_plan.cuh"

namespace tonescope::clahe {

/// A warp's packed tables, one for every segment across its strip and plane. The bytes of a word, from the lowest, are
/// the entries upper left, upper right, lower left, lower right. Tables come from device memory as they are (raw) and
/// are packed later. Whole warps call; each half of a warp copies raw tables of its own, 16 bytes a lane.
template <int kPlanes, BlendQuotient kQuotient>
class PackedTables {
    using Policy = BlendPolicy;
    static constexpr int kTableWords = table_words(kQuotient);

  public:
    /// s_memory: what the block has behind the rows ahead (BlendPlan::shared_bytes).
    __device__ PackedTables(const BlendPlan& plan, int warp, uint32_t* s_memory)
        : plan_(plan),
          s_packed_(s_memory + warp * kPlanes * plan.packed_words(kQuotient)),
          s_raw_(s_memory + kPlanes * (Policy::kWarps * plan.packed_words(kQuotient) + warp * plan.raw_words())) {}
    __device__ uint32_t address() const { return shared_address(s_packed_); }
    __device__ uint32_t plane_bytes() const { return uint32_t(plan_.packed_words(kQuotient)) * 4; }

    /// Packs the tables of the segments `first` to `last` across, at segment_y. They must be in device memory by now.
    __device__ void start(int first, int last, int segment_y) {
        first_ = first;
        count_ = last - first + 1;
        for (int plane = 0; plane < kPlanes; ++plane)
            fetch(plane, max(segment_y - 1, 0), min(segment_y, plan_.y.tiles - 1));
        __syncwarp();
        for (int plane = 0; plane < kPlanes; ++plane) {
            push(plane, first_raw(plane));
            push(plane, raw(plane));
        }
    }
    /// Asks for the lower tables of a segment, asynchronously.
    __device__ void request(int segment_y) const {
        for (int plane = 0; plane < kPlanes; ++plane) {
            const uint8_t* d_row = row_of(plane, min(segment_y, plan_.y.tiles - 1));
#pragma unroll 1
            for (int table = first_of_half_warp(); table <= count_; table += 2)
                __pipeline_memcpy_async(raw(plane) + own_words() + table * Policy::kRawWords, d_row + tile_bytes(table),
                                        kVector_bytes);
        }
    }
    /// The lower entries become the upper ones, and what was requested becomes the lower ones. `turns` groups of copies
    /// were begun after the request; they may be under way still.
    __device__ void push(int turns) const {
        if (turns == 0)
            __pipeline_wait_prior(0);
        else if (turns == 1)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(2);
        __syncwarp();
        for (int plane = 0; plane < kPlanes; ++plane) push(plane, raw(plane));
    }

  private:
    __device__ static int first_of_half_warp() {
        return int(threadIdx.x % 32 / 16);
    }
    __device__ static unsigned own_words() {
        return threadIdx.x % 16 * 4;
    }
    __device__ uint32_t* packed(int plane) const {
        return s_packed_ + plane * plan_.packed_words(kQuotient);
    }
    __device__ uint32_t* raw(int plane) const {
        return s_raw_ + plane * plan_.raw_words();
    }
    /// The upper tables of the first segment come to the end of the packed tables' own memory: what is not packed yet
    /// stays ahead of what push writes.
    __device__ uint32_t* first_raw(int plane) const {
        return packed(plane) + count_ * kTableWords - (count_ + 1) * Policy::kRawWords;
    }
    /// The lane's bytes of the first table in a row of tiles.
    __device__ const uint8_t* row_of(int plane, int row) const {
        return plan_.d_tables + plane * plan_.plane_bytes + own_words() * 4 + size_t(row) * size_t(plan_.x.tiles) * 256;
    }
    __device__ int tile_bytes(int table) const {
        return min(max(first_ - 1 + table, 0), plan_.x.tiles - 1) * 256;
    }

    /// Loads the raw tables of two rows of tiles at once.
    __device__ void fetch(int plane, int upper, int lower) const {
        const uint8_t *d_upper = row_of(plane, upper), *d_lower = row_of(plane, lower);
        uint32_t *s_upper = first_raw(plane) + own_words(), *s_lower = raw(plane) + own_words();
#pragma unroll 3
        for (int table = first_of_half_warp(); table <= count_; table += 2) {
            const int at = tile_bytes(table);
            const uint4 one = *reinterpret_cast<const uint4*>(d_upper + at),
                        other = *reinterpret_cast<const uint4*>(d_lower + at);
            *reinterpret_cast<uint4*>(s_upper + table * Policy::kRawWords) = one;
            *reinterpret_cast<uint4*>(s_lower + table * Policy::kRawWords) = other;
        }
    }
    __device__ void push(int plane, const uint32_t* s_from) const {
        s_from += threadIdx.x % 32;
        uint32_t* s_table = packed(plane) + threadIdx.x % 32 * 4;
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
                    replace_lower(s_table, left.x, right[i].x);
                    replace_lower(s_table + 128, left.y, right[i].y);
                    left = right[i];
                    s_table += kTableWords;
                }
        }
    }
    /// Moves the lower entries of four words up; `left` and `right` are the new lower ones.
    __device__ static void replace_lower(uint32_t* s_four, uint32_t left, uint32_t right) {
        uint4& four = *reinterpret_cast<uint4*>(s_four);
        const uint32_t low = __byte_perm(left, right, bytes::kInterleaveLower);
        const uint32_t high = __byte_perm(left, right, bytes::kInterleaveUpper);
        four = make_uint4(
            __byte_perm(four.x, low, bytes::kUpperThenLower), __byte_perm(four.y, low, bytes::kUpperHalves),
            __byte_perm(four.z, high, bytes::kUpperThenLower), __byte_perm(four.w, high, bytes::kUpperHalves));
    }

    const BlendPlan& plan_;
    uint32_t *s_packed_, *s_raw_;
    int first_ = 0, count_ = 0;  // segments across
};

}  // namespace tonescope::clahe
