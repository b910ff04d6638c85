// The blend of `tuned` for images of any depth and range. A block takes a piece of a segment, the area between the
// centers of four tiles, all of whose pixels blend the same four tables; it has a form for each way in which they are
// at hand (TableForm).
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/cuda/kernels/bin_counts.cuh"
#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/packed_color.cuh"
#include "gpu/cuda/kernels/short_quotient.cuh"
#include "gpu/ops/clahe/tuned/deep_tables.cuh"
#include "gpu/ops/clahe/tuned/strip_plan.cuh"

namespace tonescope::clahe {

/// packed: four entries side by side for each value, in shared memory. interpolated: edges, in shared memory. grouped:
/// GroupedEntries, in shared memory, or apart where they do not hold a table. quads: four entries side by side in
/// device memory. apart: four tables in device memory.
enum class TableForm { packed, interpolated, grouped, quads, apart };

struct DeepBlendPolicy {
    static constexpr int kThreads = 256, kSharingThreads = 512, kGroupedThreads = 1024;
    /// Threads of a block, at most: tables that it makes in shared memory had better serve many.
    static constexpr int threads(TableForm form) {
        if (form == TableForm::grouped) return kGroupedThreads;
        return form == TableForm::packed || form == TableForm::interpolated ? kSharingThreads : kThreads;
    }
    /// Blocks of a multiprocessor at least: what bounds registers.
    static constexpr int min_blocks(TableForm form, int planes) {
        return threads(form) == kSharingThreads && planes == 1 ? 2 : 1;
    }
    static constexpr int kLargeSegment_px = 64 * 1024;  // smaller ones have kThreads
    static constexpr int kMostPackedValues = 8192;
    static constexpr int kMostEdges = 2048, kEdgeCopies = 8;  // copies of each edge, where there is room
    static constexpr int kMostVectors = 128;                  // of a piece across
    static constexpr int kQuadThreads = 256;
};

/// What the fast way of blending a pixel leaves open: an interpolated entry or a quotient may be one more where the 16
/// bits behind it are kLeast or more. The pixel is then blended again, with a second look at each case (careful). Such
/// pixels are rare.
struct OpenCases {
    static constexpr uint32_t kLeast = 0x10000 - 8;
    uint32_t most = 0;  // two halves, of bits that were added

    /// The lower halves of the words.
    __device__ void add(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
        most = __vmaxu2(most, __vmaxu2(__byte_perm(a, b, 0x5410), __byte_perm(c, d, 0x5410)));
    }
    __device__ void add(uint32_t word) { most = __vmaxu2(most, word & 0xffffu); }
    __device__ void add(const OpenCases& other) { most = __vmaxu2(most, other.most); }
    __device__ bool any() const { return most >= kLeast << 16 || most << 16 >= kLeast << 16; }
};

/// Division of a sum of weighted entries by the sum of the weights W. All weights are shifted up: across so that their
/// sum is below 2^16, and down so that W comes to 2^46 or more and stays below 2^47. With the factor
/// f = floor((2^78 - 1) / W), the upper word of the sum times f, again its upper word, is the quotient with 14 more
/// bits, and short of it by less than 2.5 in the last bit, which is 10 with two more zeros: only a quotient that near
/// the next one needs a second look.
class WeightQuotient {
  public:
    WeightQuotient() = default;
    WeightQuotient(uint32_t across, uint32_t down) {
        while (across << across_up_ < 1u << 15) ++across_up_;
        const uint64_t sum = uint64_t{across << across_up_} * down;
        while (sum << down_up_ < uint64_t{1} << 46) ++down_up_;
        weights_ = sum << down_up_;
        // 2^78 / W in two steps, without the last bits: (2^63 - 1) / W would have only 17.
        uint64_t quotient = 0, rest = 0;
        for (int bit = 77; bit >= 0; --bit) {
            rest = 2 * rest + 1;
            quotient = 2 * quotient + (rest >= weights_);
            if (rest >= weights_) rest -= weights_;
        }
        factor_ = uint32_t(quotient);
    }
    static bool takes(uint32_t across) { return across <= 65535; }

    __host__ __device__ uint32_t across_up() const { return across_up_; }
    __host__ __device__ uint32_t down_up() const { return down_up_; }
    /// What divide() is to add to a sum, so that the result is rounded and lies above `base`.
    __device__ uint64_t addend(uint32_t base) const { return weights_ / 2 + base * weights_; }
    /// floor(sum / W), below 2^16, in the upper half of the result, of sum = above * upper + below * lower + addend.
    template <bool kCareful>
    __device__ __forceinline__ uint32_t divide(uint32_t above, uint32_t upper, uint32_t below, uint32_t lower,
                                               uint64_t addend, OpenCases& open) const {
        const uint64_t sum = uint64_t{above} * upper + (uint64_t{below} * lower + addend);
        const uint32_t fine = __umulhi(uint32_t(sum >> 32), factor_) << 2;
        open.add(fine);
        if constexpr (!kCareful) return fine;
        const uint32_t quotient = fine >> 16;
        return (quotient + (sum >= (quotient + 1) * weights_)) << 16;
    }

  private:
    uint32_t across_up_ = 0, down_up_ = 0, factor_ = 0;
    uint64_t weights_ = 1;
};

struct DeepBlendPlan {
    const uint8_t* d_input;
    size_t pitch_bytes;
    BlendAxis x, y;
    int y_begin, y_end;   // rows of the image that are written
    int first_segment_y;  // that the rows lie in
    int segments_x = 0, segments_y = 0;
    int pieces_x = 0, pieces_y = 0, outer_pieces_y = 0;  // of a segment, and of one at the border
    RangeSource range;
    int wanted_bins;
    DeepTables tables;
    uint32_t table_words = 0;  // in shared memory, of a plane
    int edge_copies_log2 = 0;
    const uint2* d_quads = {};  // entries_stride for each segment, plane by plane
    int quad_segments = 0;      // of a plane
    WeightQuotient by_weights;
    bool wide;  // weights are too large for it: only with TableForm::apart
    int max_sample;

    __host__ __device__ int inner_segments() const { return (segments_x - 2) * (segments_y > 2 ? segments_y - 2 : 0); }
    int blocks() const {
        const int inner = inner_segments(), outer = segments_x * segments_y - inner;
        return pieces_x * (inner * pieces_y + outer * outer_pieces_y);
    }
    /// A tile of the four around a segment, by the tables' count.
    __device__ int tile(int segment_x, int segment_y, int corner) const {
        const int column = min(max(segment_x - 1 + corner % 2, 0), x.tiles - 1);
        const int row = min(max(segment_y - 1 + corner / 2, 0), y.tiles - 1);
        return (row - tables.first_row) * x.tiles + column;
    }
};

/// Upper left, upper right, lower left, lower right, less base() of SegmentTables.
struct FourEntries {
    uint32_t upper_left, upper_right, lower_left, lower_right;
    __device__ static FourEntries unpacked(uint2 four) {
        return {four.x & 0xffffu, four.x >> 16, four.y & 0xffffu, four.y >> 16};
    }
};

/// What is blended at a pixel: weights, shifted up as WeightQuotient wants them.
struct PixelBlend {
    uint32_t left, right, upper, lower;
    template <bool kCareful>
    __device__ __forceinline__ uint32_t narrow(const WeightQuotient& by_weights, const FourEntries& four,
                                               uint64_t addend, OpenCases& open) const {
        return by_weights.divide<kCareful>(four.upper_left * left + four.upper_right * right, upper,
                                           four.lower_left * left + four.lower_right * right, lower, addend, open) >>
               16;
    }
    /// Without the shifts, by plain division.
    __device__ uint32_t wide(const DeepBlendPlan& plan, const FourEntries& four) const {
        const uint64_t above = uint64_t{four.upper_left} * left + uint64_t{four.upper_right} * right;
        const uint64_t below = uint64_t{four.lower_left} * left + uint64_t{four.lower_right} * right;
        const uint64_t weights = uint64_t{plan.x.full} * plan.y.full;
        return uint32_t((above * upper + below * lower + weights / 2) / weights);
    }
};

/// The tables of a block's segment. `ready` makes them, with a barrier at the end; `four` looks a value up, and base()
/// is what is to be added to the result.
template <TableForm kForm>
class SegmentTables;

template <>
class SegmentTables<TableForm::packed> {
  public:
    __device__ void ready(const DeepBlendPlan& plan, int planes, int segment_x, int segment_y, uint32_t* s_words) {
        range_ = plan.range.get();
        const uint32_t eights = uint32_t(range_.size() + 7) / 8;
        for (int plane = 0; plane < planes; ++plane) {
            const uint16_t* d_tables[4];
            for (int corner = 0; corner < 4; ++corner)
                d_tables[corner] =
                    plan.tables.d_entries +
                    plan.tables.index(plane, plan.tile(segment_x, segment_y, corner)) * plan.tables.entries_stride;
            auto* s_four = reinterpret_cast<uint4*>(s_words + plane * plan.table_words);
            for (uint32_t i = threadIdx.x; i < eights; i += blockDim.x) {
                uint32_t words[4][4];
#pragma unroll
                for (int corner = 0; corner < 4; ++corner) {
                    const uint4 eight = __ldcg(reinterpret_cast<const uint4*>(d_tables[corner]) + i);
                    words[corner][0] = eight.x, words[corner][1] = eight.y;
                    words[corner][2] = eight.z, words[corner][3] = eight.w;
                }
#pragma unroll
                for (int pair = 0; pair < 4; ++pair)
                    s_four[4 * i + pair] = make_uint4(__byte_perm(words[0][pair], words[1][pair], 0x5410),
                                                      __byte_perm(words[2][pair], words[3][pair], 0x5410),
                                                      __byte_perm(words[0][pair], words[1][pair], 0x7632),
                                                      __byte_perm(words[2][pair], words[3][pair], 0x7632));
            }
        }
        s_words_ = s_words;
        __syncthreads();
    }
    template <bool kCareful>
    __device__ FourEntries four(const DeepBlendPlan& plan, int plane, int value, OpenCases&) const {
        return FourEntries::unpacked(
            reinterpret_cast<const uint2*>(s_words_ + plane * plan.table_words)[value - range_.lo]);
    }
    __device__ static uint32_t base() {
        return 0;
    }

  private:
    ValueRange range_;
    const uint32_t* s_words_;
};

// One instruction each, where the compiler finds two or three: a b + c, and the upper word of it.
__device__ __forceinline__ uint32_t mad_low(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t sum;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
__device__ __forceinline__ uint32_t mad_high(uint32_t a, uint32_t b, uint64_t c) {
    uint64_t sum;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(sum) : "r"(a), "r"(b), "l"(c));
    return uint32_t(sum >> 32);
}

/// With 16 more bits, an interpolated entry is at most what it stands for, and less than it by less than 5: edges are
/// rounded down by less than 1, a value's place in its bin by less than 3 in 2^32, to which the multiplication adds 1,
/// and its product by less than 1; 1 is taken away for what was added. Where that leaves the entry open (OpenCases),
/// the sums decide.
template <>
class SegmentTables<TableForm::interpolated> {
  public:
    __device__ void ready(const DeepBlendPlan& plan, int planes, int segment_x, int segment_y, uint32_t* s_words) {
        range_ = plan.range.get();
        bins_ = uint32_t(Binning(range_, plan.wanted_bins).bins());
        factor_ = (uint64_t{bins_} << 47) / uint32_t(range_.size());
        const int copies_log2 = plan.edge_copies_log2;
        segment_x_ = segment_x;
        segment_y_ = segment_y;
        const uint32_t copy = threadIdx.x & ((1u << copies_log2) - 1);
        half_bytes_ = 16u << copies_log2;
        s_bins_ = reinterpret_cast<const uint8_t*>(s_words) + copy * 16;
        for (int plane = 0; plane < planes; ++plane) {
            const ulonglong1* d_bins[4];
            for (int corner = 0; corner < 4; ++corner)
                d_bins[corner] = reinterpret_cast<const ulonglong1*>(
                    plan.tables.d_edges +
                    plan.tables.index(plane, plan.tile(segment_x, segment_y, corner)) * plan.tables.sums_stride);
            auto* s_halves = reinterpret_cast<ulonglong2*>(s_words + plane * plan.table_words);
            for (uint32_t i = threadIdx.x; i < (bins_ + 1) << copies_log2; i += blockDim.x) {
                const uint32_t bin = i >> copies_log2;
                ulonglong2* const s_bin = s_halves + ((bin * 2) << copies_log2) + copy;
                s_bin[0] = make_ulonglong2(__ldg(&d_bins[0][bin].x), __ldg(&d_bins[1][bin].x));
                s_bin[1u << copies_log2] = make_ulonglong2(__ldg(&d_bins[2][bin].x), __ldg(&d_bins[3][bin].x));
            }
        }
        __syncthreads();
    }
    template <bool kCareful>
    __device__ __forceinline__ FourEntries four(const DeepBlendPlan& plan, int plane, int value,
                                                OpenCases& open) const {
        const uint32_t nth = uint32_t(value - range_.lo + 1);
        // nth * factor_, whose lowest 15 bits do not count.
        const uint64_t low = uint64_t{nth} * uint32_t(factor_);
        const uint32_t high = mad_low(nth, uint32_t(factor_ >> 32), uint32_t(low >> 32));
        const uint32_t bin = high >> 15, within = __funnelshift_r(uint32_t(low), high, 15);
        const uint8_t* const s_bin = s_bins_ + plane * (plan.table_words * 4) + bin * (2 * half_bytes_);
        const auto upper = *reinterpret_cast<const ulonglong2*>(s_bin);
        const auto lower = *reinterpret_cast<const ulonglong2*>(s_bin + half_bytes_);
        // The step is added once more, since it stands where the sum's lower word does (EdgeStep).
        const auto entry = [&](uint64_t edge_step) { return mad_high(uint32_t(edge_step), within, edge_step); };
        const uint32_t a = entry(upper.x), b = entry(upper.y), c = entry(lower.x), d = entry(lower.y);
        if constexpr (kCareful)
            return {settled(plan, plane, value, a, 0), settled(plan, plane, value, b, 1),
                    settled(plan, plane, value, c, 2), settled(plan, plane, value, d, 3)};
        open.add(a, b, c, d);
        return {a >> 16, b >> 16, c >> 16, d >> 16};
    }
    __device__ uint32_t base() const { return uint32_t(range_.lo); }

  private:
    /// The entry beyond lo, by the sums where `near`, the interpolated one, leaves it open.
    __device__ __forceinline__ uint32_t settled(const DeepBlendPlan& plan, int plane, int value, uint32_t near,
                                                int corner) const {
        const uint32_t entry = near >> 16;
        if ((near & 0xffffu) < OpenCases::kLeast) return entry;
        const int tile = plan.tile(segment_x_, segment_y_, corner);
        return by_sums(plan.tables.d_sums + plan.tables.index(plane, tile) * plan.tables.sums_stride, entry,
                       uint32_t(value - range_.lo + 1), bins_, range_, plan.tables.pixels(tile));
    }
    /// `entry` or the next one, for value lo + nth - 1.
    __device__ static __noinline__ uint32_t by_sums(const uint32_t* d_sums, uint32_t entry, uint32_t nth, uint32_t bins,
                                                    ValueRange range, uint32_t pixels) {
        const uint32_t size = uint32_t(range.size()), bin = (nth * bins - 1) / size;
        const InterpolatedEntry exact(d_sums[bin], d_sums[bin + 1], nth * bins - bin * size, range, pixels);
        return entry + (exact.numerator >= (entry + 1) * exact.denominator);
    }

    ValueRange range_;
    uint32_t bins_;
    uint64_t factor_;
    int segment_x_, segment_y_;
    uint32_t half_bytes_;
    const uint8_t* s_bins_;
};

template <>
class SegmentTables<TableForm::quads> {
  public:
    __device__ void ready(const DeepBlendPlan& plan, int, int segment_x, int segment_y, uint32_t*) {
        lo_ = plan.range.get().lo;
        const int segment = (segment_y - plan.first_segment_y) * plan.segments_x + segment_x;
        d_quads_ = plan.d_quads + size_t(segment) * plan.tables.entries_stride;
    }
    template <bool kCareful>
    __device__ FourEntries four(const DeepBlendPlan& plan, int plane, int value, OpenCases&) const {
        return FourEntries::unpacked(__ldg(d_quads_ +
                                           size_t(plane) * size_t(plan.quad_segments) * plan.tables.entries_stride +
                                           uint32_t(value - lo_)));
    }
    __device__ static uint32_t base() { return 0; }

  private:
    int lo_;
    const uint2* d_quads_;
};

template <>
class SegmentTables<TableForm::apart> {
  public:
    __device__ void ready(const DeepBlendPlan& plan, int, int segment_x, int segment_y, uint32_t*) {
        lo_ = plan.range.get().lo;
        for (int corner = 0; corner < 4; ++corner) tiles_[corner] = plan.tile(segment_x, segment_y, corner);
    }
    template <bool kCareful>
    __device__ FourEntries four(const DeepBlendPlan& plan, int plane, int value, OpenCases&) const {
        const auto entry = [&](int corner) {
            return uint32_t(__ldg(plan.tables.d_entries +
                                  plan.tables.index(plane, tiles_[corner]) * plan.tables.entries_stride +
                                  uint32_t(value - lo_)));
        };
        return {entry(0), entry(1), entry(2), entry(3)};
    }
    __device__ static uint32_t base() { return 0; }

  private:
    int lo_;
    int tiles_[4];
};

template <>
class SegmentTables<TableForm::grouped> {
  public:
    __device__ void ready(const DeepBlendPlan& plan, int, int segment_x, int segment_y, uint32_t* s_words) {
        const ValueRange range = plan.range.get();
        lo_ = range.lo;
        const uint32_t stride = plan.tables.entries_stride / 8, groups = uint32_t(range.size() + 7) / 8;
        s_offsets_ = reinterpret_cast<uint4*>(s_words);
        s_bases_ = reinterpret_cast<uint2*>(s_offsets_ + stride);
        const uint32_t* d_offsets[4];
        const uint16_t* d_bases[4];
        for (int corner = 0; corner < 4; ++corner) {
            const size_t index = plan.tables.index(0, plan.tile(segment_x, segment_y, corner));
            d_offsets[corner] = plan.tables.d_offsets + index * stride;
            d_bases[corner] = plan.tables.d_bases + index * stride;
        }
#pragma unroll 4
        for (uint32_t i = threadIdx.x; i < groups; i += DeepBlendPolicy::kGroupedThreads) {
            s_offsets_[i] = make_uint4(__ldcg(d_offsets[0] + i), __ldcg(d_offsets[1] + i), __ldcg(d_offsets[2] + i),
                                       __ldcg(d_offsets[3] + i));
            s_bases_[i] = make_uint2(__ldcg(d_bases[0] + i) | uint32_t(__ldcg(d_bases[1] + i)) << 16,
                                     __ldcg(d_bases[2] + i) | uint32_t(__ldcg(d_bases[3] + i)) << 16);
        }
        __syncthreads();
    }
    template <bool kCareful>
    __device__ FourEntries four(const DeepBlendPlan&, int, int value, OpenCases&) const {
        const uint32_t entry = uint32_t(value - lo_), group = entry / 8;
        const uint4 offsets = s_offsets_[group];
        FourEntries entries = FourEntries::unpacked(s_bases_[group]);
        const GroupedEntries::Field field(entry % 8);
        entries.upper_left += field.of(offsets.x);
        entries.upper_right += field.of(offsets.y);
        entries.lower_left += field.of(offsets.z);
        entries.lower_right += field.of(offsets.w);
        return entries;
    }
    __device__ static uint32_t base() {
        return 0;
    }

  private:
    int lo_;
    uint4* s_offsets_;
    uint2* s_bases_;
};

/// Which segment a block works in, and which piece of it. The segments between four tiles come first, since those at
/// the border are half as large, or a quarter: they have half as many pieces, and what ends last had better be small.
struct SegmentPiece {
    int segment_x, segment_y, piece_x, piece_y, pieces_y;

    __device__ SegmentPiece(const DeepBlendPlan& plan, int index) {
        const int across = plan.segments_x, down = plan.segments_y, inner_across = across - 2;
        const int inner = plan.inner_segments(), inner_pieces = inner * plan.pieces_x * plan.pieces_y;
        const bool is_inner = index < inner_pieces;
        pieces_y = is_inner ? plan.pieces_y : plan.outer_pieces_y;
        const int pieces = plan.pieces_x * pieces_y, place = is_inner ? index : index - inner_pieces;
        const int piece = place % pieces, segment = place / pieces + (is_inner ? 0 : inner);
        piece_y = piece / plan.pieces_x;
        piece_x = piece - piece_y * plan.pieces_x;
        if (segment < inner) {
            segment_y = segment / inner_across + 1;
            segment_x = segment % inner_across + 1;
        } else if (segment < inner + 2 * across && down >= 2) {
            segment_y = segment < inner + across ? 0 : down - 1;
            segment_x = (segment - inner) % across;
        } else {
            const int side = segment - inner - (down >= 2 ? 2 * across : 0);
            segment_y = down >= 2 ? side / 2 + 1 : 0;
            segment_x = down >= 2 ? side % 2 * (across - 1) : side;
        }
        segment_y += plan.first_segment_y;
    }
};

/// Block: a piece. Shared memory: plan.table_words for every plane.
template <class Map, TableForm kForm, class Sink>
__global__ void __launch_bounds__(DeepBlendPolicy::threads(kForm), DeepBlendPolicy::min_blocks(kForm, Map::kPlanes))
    clahe_deep_blend_kernel(const DeepBlendPlan plan, const Sink sink) {
    using In = typename Map::In;
    using Out = typename Map::Out;
    constexpr int kPixels = kVector_bytes / int(sizeof(In));
    extern __shared__ uint4 s_memory[];
    // The piece: columns of vectors, and rows from y_begin to y_end.
    const SegmentPiece piece(plan, int(blockIdx.x));
    const int segment_x = piece.segment_x, segment_y = piece.segment_y;
    const int left = plan.x.begin(segment_x), right = min(plan.x.begin(segment_x + 1), plan.x.side_px);
    const int top = max(plan.y.begin(segment_y), plan.y_begin), bottom = min(plan.y.begin(segment_y + 1), plan.y_end);
    const int first_vector = left / kPixels, end_vector = (right + kPixels - 1) / kPixels;
    const int vectors_of_piece = (end_vector - first_vector + plan.pieces_x - 1) / plan.pieces_x;
    const int vector_begin = first_vector + piece.piece_x * vectors_of_piece;
    const int vectors = min(vectors_of_piece, end_vector - vector_begin);
    const int y_begin = top + (bottom - top) * piece.piece_y / piece.pieces_y;
    const int y_end = top + (bottom - top) * (piece.piece_y + 1) / piece.pieces_y;
    if (left >= right || vectors <= 0 || y_begin >= y_end) return;

    const int rows_at_once = int(blockDim.x) / vectors;
    const int row = int(threadIdx.x) / vectors, x = (vector_begin + int(threadIdx.x) - row * vectors) * kPixels;
    const bool works = row < rows_at_once;
    const bool whole = x >= left && x + kPixels <= right;
    uint4 next = {};
    const uint8_t* d_next = plan.d_input + size_t(y_begin + row) * plan.pitch_bytes + size_t(x) * sizeof(In);
    const size_t step_bytes = size_t(rows_at_once) * plan.pitch_bytes;
    if (works && whole && y_begin + row < y_end) next = __ldg(reinterpret_cast<const uint4*>(d_next));
    pdl_wait();

    const int first_right = (2 * x + plan.x.tile_px - 2 * plan.x.tile_px * segment_x) >> plan.x.halved;
    const uint32_t across_up = plan.by_weights.across_up(), down_up = plan.by_weights.down_up();
    const uint32_t right_weight = uint32_t(first_right) << across_up, step_weight = 2u >> plan.x.halved << across_up;
    const uint32_t all_across = plan.x.full << across_up;
    const auto blend_piece = [&](const auto& tables, auto is_wide) {
        const uint64_t addend = plan.by_weights.addend(tables.base());
        for (int y = y_begin + row; y < y_end; y += rows_at_once) {
            const uint4 vector = next;
            d_next += step_bytes;
            if (whole && y + rows_at_once < y_end) next = __ldg(reinterpret_cast<const uint4*>(d_next));
            const uint32_t second = plan.y.second_weight(y, segment_y);
            const uint32_t lower = second << down_up, upper = (plan.y.full - second) << down_up;
            const auto blended = [&]<bool kCareful>(std::bool_constant<kCareful>, In pixel, int i, OpenCases& open) {
                const uint32_t weight = right_weight + uint32_t(i) * step_weight;
                const PixelBlend blend{all_across - weight, weight, upper, lower};
                int values[Map::kPlanes];
#pragma unroll
                for (int plane = 0; plane < Map::kPlanes; ++plane) {
                    const FourEntries four =
                        tables.template four<kCareful>(plan, plane, Map::value(pixel, plane), open);
                    values[plane] =
                        int(is_wide() ? blend.wide(plan, four)
                                      : blend.template narrow<kCareful>(plan.by_weights, four, addend, open));
                }
                return Map::result(pixel, values, plan.max_sample);
            };
            const auto blended_carefully = [&](int i) {
                OpenCases none;
                const PitchedSource<In> source{plan.d_input, plan.pitch_bytes};
                return blended(std::true_type(), source.load(x + i, y), i, none);
            };
            if (!whole) {
#pragma unroll 1
                for (int i = max(left - x, 0); i < min(right - x, kPixels); ++i)
                    sink.store(x + i, y, blended_carefully(i));
                continue;
            }
            const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
            alignas(16) Out out[kPixels];
            OpenCases open[kPixels], any;
#pragma unroll
            for (int i = 0; i < kPixels; ++i) {
                out[i] = blended(std::false_type(), pixel_of<In>(words, i), i, open[i]);
                any.add(open[i]);
            }
            if (any.any()) {
                uint32_t open_pixels = 0;
#pragma unroll
                for (int i = 0; i < kPixels; ++i) open_pixels |= uint32_t{open[i].any()} << i;
                while (open_pixels != 0) {
                    const int next_open = __ffs(int(open_pixels)) - 1;
                    open_pixels &= open_pixels - 1;
                    const Out careful = blended_carefully(next_open);
#pragma unroll
                    for (int i = 0; i < kPixels; ++i)  // no index that the compiler does not know
                        if (i == next_open) out[i] = careful;
                }
            }
            if constexpr (sizeof(out) == 16)
                store_result(sink, uint32_t(x), uint32_t(y), *reinterpret_cast<const uint4*>(out));
            else
                store_result(sink, uint32_t(x), uint32_t(y), *reinterpret_cast<const uint32_t*>(out));
        }
    };
    constexpr auto kNarrow = [] { return false; };
    auto* const s_words = reinterpret_cast<uint32_t*>(s_memory);
    if constexpr (kForm == TableForm::grouped) {
        bool grouped = true;
        for (int corner = 0; corner < 4; ++corner)
            grouped = grouped && __ldcg(plan.tables.d_ungrouped +
                                        plan.tables.index(0, plan.tile(segment_x, segment_y, corner))) == 0;
        if (!grouped) {
            SegmentTables<TableForm::apart> tables;
            tables.ready(plan, Map::kPlanes, segment_x, segment_y, s_words);
            if (works) blend_piece(tables, kNarrow);
            return;
        }
    }
    SegmentTables<kForm> tables;
    tables.ready(plan, Map::kPlanes, segment_x, segment_y, s_words);
    if (!works) return;
    if constexpr (kForm == TableForm::apart)
        plan.wide ? blend_piece(tables, [] { return true; }) : blend_piece(tables, kNarrow);
    else
        blend_piece(tables, kNarrow);
}

/// Block (pairs of entries, segment, plane): puts the four tables of each segment side by side.
static __global__ void __launch_bounds__(DeepBlendPolicy::kQuadThreads)
    clahe_deep_quads_kernel(const DeepBlendPlan plan, uint2* d_quads) {
    pdl_wait();
    const uint32_t pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair * 2 >= uint32_t(plan.range.get().size())) return;
    const int segment = int(blockIdx.y), plane = int(blockIdx.z);
    const int segment_x = segment % plan.segments_x, segment_y = plan.first_segment_y + segment / plan.segments_x;
    uint32_t words[4];
#pragma unroll
    for (int corner = 0; corner < 4; ++corner)
        words[corner] =
            __ldcg(reinterpret_cast<const uint32_t*>(plan.tables.d_entries +
                                                     plan.tables.index(plane, plan.tile(segment_x, segment_y, corner)) *
                                                         plan.tables.entries_stride) +
                   pair);
    auto* d_pairs = reinterpret_cast<uint4*>(d_quads + (size_t(plane) * size_t(plan.quad_segments) + size_t(segment)) *
                                                           plan.tables.entries_stride);
    d_pairs[pair] = make_uint4(__byte_perm(words[0], words[1], 0x5410), __byte_perm(words[2], words[3], 0x5410),
                               __byte_perm(words[0], words[1], 0x7632), __byte_perm(words[2], words[3], 0x7632));
}

}  // namespace tonescope::clahe
