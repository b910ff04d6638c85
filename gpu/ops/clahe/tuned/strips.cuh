// The blend of `tuned`: warps that march down strips of the image, as README.md draws it. A lane owns one 16-byte
// vector of each row it takes: horizontal weights stay in its registers, vertical ones change by rows.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "gpu/cuda/kernels/grid.cuh"
#include "gpu/ops/clahe/tuned/strip_plan.cuh"

namespace tonescope::clahe {

/// Waits until no more than `kTurns` groups of the thread's copies are under way. __pipeline_wait_prior is an asm
/// statement without a memory clobber, so that the compiler could move a load of what was copied before it (Inline PTX
/// Assembly in CUDA, Incorrect Optimization).
template <int kTurns>
__device__ __forceinline__ void wait_for_copies() {
    __pipeline_wait_prior(kTurns);
    asm volatile("" ::: "memory");
}

/// A warp's packed tables, one for every segment across its strip and plane. The bytes of a word, from the lowest, are
/// the entries upper left, upper right, lower left, lower right. Tables come from device memory as they are (raw) and
/// are packed later. Whole warps call; each half of a warp copies raw tables of its own, 16 bytes a lane.
template <class Plan, int kPlanes, BlendQuotient kQuotient, int kWarps>
class PackedTables {
    using Policy = BlendPolicy;
    static constexpr int kTableWords = table_words(kQuotient);

  public:
    /// s_memory: what the block has behind the rows ahead (BlendPlan::shared_bytes).
    __device__ PackedTables(const Plan& plan, int warp, uint32_t* s_memory)
        : plan_(plan),
          s_packed_(s_memory + warp * kPlanes * plan.packed_words(kQuotient)),
          s_raw_(s_memory + kPlanes * (kWarps * plan.packed_words(kQuotient) + warp * plan.raw_words())) {}
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
            wait_for_copies<0>();
        else if (turns == 1)
            wait_for_copies<1>();
        else
            wait_for_copies<2>();
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

    const Plan& plan_;
    uint32_t *s_packed_, *s_raw_;
    int first_ = 0, count_ = 0;  // segments across
};

/// Where a lane works. A vector has kPixels pixels.
template <int kPixels, int kWarps>
struct StripPlace {
    int warp = int(threadIdx.x / 32);  // number in the block
    int strip_x, y_begin, y_end;       // the warp's part of the image; empty where y_begin >= y_end
    int x;                             // the first column of the lane's vectors
    int inside;                        // pixels of a vector inside the image; may be negative
    int first_y, step;                 // the lane's first row, and the rows that the warp takes at once

    __device__ explicit StripPlace(const auto& plan) {
        const int lane = int(threadIdx.x % 32);
        const int index = int(blockIdx.x) * kWarps + warp, chunk = index / plan.strips;
        strip_x = (index - chunk * plan.strips) * plan.lanes_across * kPixels;
        y_begin = chunk * plan.rows;
        y_end = min(y_begin + plan.rows, plan.y.side_px);
        x = strip_x + (lane & (plan.lanes_across - 1)) * kPixels;
        inside = min(plan.x.side_px - x, kPixels);
        first_y = y_begin + (lane >> plan.lanes_log2);
        step = 32 >> plan.lanes_log2;
    }
    __device__ bool is_whole() const { return inside == kPixels; }
};

/// What a lane's columns keep all the way down: the weights of the left table, in the lower half, and of the right one,
/// and the address of the packed table in shared memory.
template <int kPixels, BlendQuotient kQuotient>
struct LaneColumns {
    static constexpr uint32_t kTableBytes = table_words(kQuotient) * 4;
    uint32_t weights[kPixels], tables[kPixels];

    /// s_tables: address of the packed table of segment first_segment.
    __device__ LaneColumns(const auto& plan, int x, uint32_t s_tables, int first_segment) {
        const int period = 2 * plan.x.tile_px, segment = plan.x.segment(x);
        int phase = 2 * x + plan.x.tile_px - period * segment;
        uint32_t table = s_tables + uint32_t(segment - first_segment) * kTableBytes;
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            const uint32_t right = uint32_t(phase) >> plan.x.halved;
            weights[i] = __byte_perm(plan.x.full - right, right, bytes::kLowerHalves);
            tables[i] = table;
            phase += 2;
            const bool next = phase >= period;  // without a branch
            phase -= next ? period : 0;
            table += next ? kTableBytes : 0;
        }
    }
};

/// The lane's next vectors, in a ring in shared memory: asynchronous copies bring them there, one group of copies a
/// row, and nobody else reads them, so that no barrier is needed.
template <class Plan, class Map, int kPixels>
class RowsAhead {
    using Place = StripPlace<kPixels, BlendShape<Map>::kWarps>;
    static constexpr int kThreads = BlendShape<Map>::kThreads, kRows = BlendShape<Map>::kRowsAhead;

  public:
    __device__ RowsAhead(const Plan& plan, const Place& at, uint4* s_ring)
        : plan_(plan), at_(at), s_own_(s_ring + threadIdx.x), y_(at.first_y) {}

    __device__ void start() {
#pragma unroll
        for (int i = 0; i < kRows; ++i) ask(i);
    }
    /// The vector of the lane's next row, where it lies inside the image; its place in the ring is free for a new one.
    __device__ uint4 take() {
        wait_for_copies<kRows - 1>();
        const uint4 vector = s_own_[slot_ * kThreads];
        ask(slot_);
        slot_ = slot_ + 1 == kRows ? 0 : slot_ + 1;
        return vector;
    }
    /// A vector that the image's border cuts, pixel by pixel: what lies behind the border may never have been written.
    __device__ uint4 load_cut(int y) const {
        const uint8_t* d_row = plan_.d_input + uint32_t(y) * plan_.pitch_bytes;
        const auto word = [&](int index) {
            constexpr int kInWord = kPixels / 4;
            uint32_t pixels = 0;
#pragma unroll
            for (int i = 0; i < kInWord; ++i) {
                const int pixel = index * kInWord + i;
                if (pixel < at_.inside) pixels |= load_pixel<Map>(d_row, at_.x + pixel) << (8 * i);
            }
            return pixels;
        };
        return make_uint4(word(0), word(1), word(2), word(3));
    }

  private:
    __device__ void ask(int into) {
        if (at_.is_whole() && y_ < at_.y_end)
            __pipeline_memcpy_async(
                s_own_ + into * kThreads,
                plan_.d_input + (uint32_t(y_) * plan_.pitch_bytes + uint32_t(at_.x) * sizeof(typename Map::In)),
                kVector_bytes);
        __pipeline_commit();
        y_ += at_.step;
    }

    const Plan& plan_;
    const Place& at_;
    uint4* s_own_;
    int y_;  // row of the next vector to be asked for
    int slot_ = 0;
};

template <class Map>
__device__ VectorResult<Map> take_amount(VectorResult<Map> result, const uint32_t (&)[4], WholeResult) {
    return result;
}
template <class Map>
__device__ VectorResult<Map> take_amount(VectorResult<Map> result, const uint32_t (&words)[4], MixedResult amount) {
    return mixed_vector<Map>(result, words, amount.percent);
}

/// Blends the pixels of one vector: each looks up one word of four entries for every plane.
template <class Map, BlendQuotient kQuotient, int kPixels>
__device__ __forceinline__ auto blend_vector(const auto& plan, const LaneColumns<kPixels, kQuotient>& columns,
                                             uint32_t plane_bytes, const ColorsOf<Map>& colors, uint4 vector,
                                             uint32_t lower_weight) {
    const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
    const RowBlend<kQuotient> blend(plan, lower_weight);
    const auto blended = [&](PackedValue value, int i, int plane) {
        const uint32_t address = entry_address<kQuotient>(value, columns.tables[i]) + plane * plane_bytes;
        const uint32_t four = load_shared(address);
        const uint32_t weights = columns.weights[i];
        return blend(plan, __dp2a_lo(weights, four, 0u), __dp2a_hi(weights, four, 0u));
    };
    constexpr int kByte = RowBlend<kQuotient>::kByte;
    if constexpr (std::is_same_v<Map, ColorLightness>) {
        uint32_t results[4];
#pragma unroll
        for (int i = 0; i < kPixels; ++i)
            results[i] = colors.relit(words[i], [&](uint32_t before) {
                const uint32_t after = blended({before, 0}, i, 0);
                if (kQuotient == BlendQuotient::kFloat) return BlockLab::shift(before, after);
                return BlockLab::shift(before, __byte_perm(after, BlockLab::kNoLightness, bytes::as_lowest(kByte)));
            });
        return take_amount<Map>(make_uint4(results[0], results[1], results[2], results[3]), words, plan.amount);
    } else {
        uint32_t values[Map::kPlanes][kPixels];
#pragma unroll
        for (int plane = 0; plane < Map::kPlanes; ++plane)
#pragma unroll
            for (int i = 0; i < kPixels; ++i) values[plane][i] = blended(packed_value<Map>(words, i, plane), i, plane);
        return take_amount<Map>(packed_result<Map, kByte>(words, values), words, plan.amount);
    }
}

/// Blocks have BlendShape::kThreads threads and, of shared memory, BlendPlan::shared_bytes and
/// BlendShape::kTable_bytes.
template <class Map, BlendQuotient kQuotient, class Sink, class Amount>
__global__ void __launch_bounds__(BlendShape<Map>::kThreads, BlendShape<Map>::kBlocks)
    clahe_tuned_blend_kernel(const BlendPlan<Amount> plan, const Sink sink, const ColorTables<Map> color_tables) {
    using Shape = BlendShape<Map>;
    constexpr int kPixels = kVector_bytes / int(sizeof(typename Map::In)), kWarps = Shape::kWarps;
    extern __shared__ __align__(1024) uint4 s_blend[];  // entry_address needs the alignment
    auto* const s_words = reinterpret_cast<uint32_t*>(s_blend);
    const auto colors = block_colors<Map>(
        reinterpret_cast<uint8_t*>(s_blend) + plan.shared_bytes(kQuotient, Shape::kRowWords, Map::kPlanes, kWarps),
        color_tables, true);
    const StripPlace<kPixels, kWarps> at(plan);
    if (at.y_begin >= at.y_end) return;
    PackedTables<BlendPlan<Amount>, Map::kPlanes, kQuotient, kWarps> tables(plan, at.warp, s_words + Shape::kRowWords);
    const int first_segment = plan.x.segment(at.strip_x);
    const LaneColumns<kPixels, kQuotient> columns(plan, at.x, tables.address(), first_segment);
    RowsAhead<BlendPlan<Amount>, Map, kPixels> rows(plan, at, s_blend);
    rows.start();  // the image has been there since the tables' kernel began
    pdl_wait();

    const int last_x = min(at.strip_x + plan.lanes_across * kPixels, plan.x.side_px) - 1;
    int segment_y = plan.y.segment(at.y_begin), y = at.first_y;
    tables.start(first_segment, plan.x.segment(last_x), segment_y);
    for (;;) {
        __syncwarp();
        const int segment_end = min(plan.y.begin(segment_y + 1), at.y_end);
        if (segment_end < at.y_end) tables.request(segment_y + 1);
        __pipeline_commit();
        int turns = 0;
        for (; y < segment_end; y += at.step) {
            ++turns;
            uint4 vector = rows.take();
            if (at.inside <= 0) continue;
            if (!at.is_whole()) vector = rows.load_cut(y);
            const auto result = blend_vector<Map, kQuotient>(plan, columns, tables.plane_bytes(), colors, vector,
                                                             plan.y.second_weight(y, segment_y));
            if (at.is_whole())
                store_result(sink, uint32_t(at.x), uint32_t(y), result);
            else
                store_pixels(sink, uint32_t(at.x), uint32_t(y), result, uint32_t(at.inside));
        }
        if (segment_end >= at.y_end) return;
        ++segment_y;
        tables.push(turns);
    }
}

}  // namespace tonescope::clahe
