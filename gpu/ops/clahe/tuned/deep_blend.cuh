// The blend of `tuned` for images of any depth and range. A block takes a piece of a segment, the area between the
// centers of four tiles, all of whose pixels blend the same four tables; it has a form for each way in which they are
// at hand (TableForm).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "gpu/cuda/kernels/bin_counts.cuh"
#include "gpu/cuda/kernels/color.cuh"
#include "gpu/cuda/kernels/packed_color.cuh"
#include "gpu/cuda/kernels/shared_memory.cuh"
#include "gpu/cuda/kernels/short_quotient.cuh"
#include "gpu/ops/clahe/tuned/deep_form.h"
#include "gpu/ops/clahe/tuned/deep_tables.cuh"
#include "gpu/ops/clahe/tuned/strip_plan.cuh"

namespace tonescope::clahe {

struct DeepBlendPolicy {
    static constexpr int kThreads = 256, kSharingThreads = 512, kGroupedThreads = 1024;
    /// Threads of a block, at most: tables that it makes in shared memory had better serve many.
    static constexpr int threads(TableForm form) {
        if (form == TableForm::grouped) return kGroupedThreads;
        return form == TableForm::quads || form == TableForm::apart ? kThreads : kSharingThreads;
    }
    /// Blocks of a multiprocessor at least: what bounds registers.
    static constexpr int min_blocks(TableForm form, int planes) {
        return threads(form) == kSharingThreads && planes == 1 ? 2 : 1;
    }
    static constexpr int kLargeSegment_px = 64 * 1024;  // smaller ones have kThreads
    static constexpr int kQuadThreads = 256;
};

/// What interpolating from edges leaves open: an entry may be one more where the 16 bits behind it are kLeast or more.
/// The pixel is then blended again, with a second look at each case (careful). Such pixels are rare.
struct OpenCases {
    static constexpr uint32_t kLeast = 0x10000 - 8;
    uint32_t most = 0;  // two halves, of bits that were added

    /// The lower halves of the words.
    __device__ void add(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
        most = __vmaxu2(most, __vmaxu2(__byte_perm(a, b, 0x5410), __byte_perm(c, d, 0x5410)));
    }
    __device__ void add(const OpenCases& other) { most = __vmaxu2(most, other.most); }
    __device__ bool any() const { return most >= kLeast << 16 || most << 16 >= kLeast << 16; }
};

/// How large sums of weighted entries become: below 2^31; below 2^32 once the sum of the weights is odd; below 2^47; or
/// more.
enum class SumSize { narrow, shifted, long_, wide };

/// Division of a sum of weighted entries by the sum of the weights W, exact.
///
/// A narrow sum has a factor as WordQuotient (quotients.cuh), for numerators below 2^31: with 2^s < W <= 2^(s + 1) it
/// exceeds 2^(32 + s) / W by e / W, e < W, and the sum times e is below 2^(32 + s).
///
/// A shifted sum is divided by 2^a first, if W = 2^a d and d is odd. Of the word n that is left, with
/// 2^s <= d < 2^(s + 1) and m = floor((2^(32 + s) - 1) / d), floor(n / d) is floor(m (n + 1) / 2^(32 + s)) where
/// e = 2^(32 + s) - m d <= 2^s, since e (n + 1) / 2^(32 + s) <= 1; otherwise floor((m + 1) n / 2^(32 + s)), since
/// (d - e) n / 2^(32 + s) < 1. (A. D. Robison, "N-bit unsigned division via N-bit multiply-add", ARITH 2005.)
///
/// Of a long sum the 24 highest bits and a factor of at most 25 bits, both rounded down, give the quotient or one less,
/// and the remainder says which.
class WeightQuotient {
  public:
    WeightQuotient(uint32_t across, uint32_t down, uint32_t max_sample) {
        const uint64_t weights = uint64_t{across} * down, word = uint64_t{1} << 32;
        if (weights >= uint64_t{1} << 31 || across > 65535) return;
        weights_ = uint32_t(weights);
        half_ = weights / 2;
        const uint64_t most_sum = max_sample * weights + half_;
        const int zeros = std::countr_zero(weights);
        if (2 * most_sum < word) {
            size_ = SumSize::narrow;
            while (uint64_t{2} << shift_ < weights) ++shift_;
            factor_ = uint32_t(((word << shift_) + weights - 1) / weights);
        } else if ((most_sum >> zeros) + 1 < word) {
            size_ = SumSize::shifted;
            const uint64_t divisor = weights >> zeros;
            zeros_ = uint32_t(zeros);
            shift_ = uint32_t(std::bit_width(divisor)) - 1;
            const uint64_t below = ((word << shift_) - 1) / divisor;
            const bool adds_one = (word << shift_) - below * divisor <= uint64_t{1} << shift_;
            factor_ = uint32_t(adds_one ? below : below + 1);
            half_ += uint64_t{adds_one} << zeros;
        } else {
            const auto bits = uint32_t(std::bit_width(weights));
            size_ = SumSize::long_;
            shift_ = bits > 8 ? bits - 8 : 0;
            factor_ = uint32_t((word << shift_) / weights);
        }
    }
    __host__ __device__ SumSize size() const { return size_; }

    /// floor((above * upper + below * lower + floor(W / 2)) / W), below 2^16.
    template <SumSize kSize>
    __device__ __forceinline__ uint32_t divide(uint32_t above, uint32_t upper, uint32_t below, uint32_t lower) const {
        if constexpr (kSize == SumSize::narrow)
            return __umulhi(above * upper + (below * lower + uint32_t(half_)), factor_) >> shift_;
        const uint64_t sum = product_and_sum(above, upper, product_and_sum(below, lower, half_));
        const auto low = uint32_t(sum), high = uint32_t(sum >> 32);
        if constexpr (kSize == SumSize::shifted) return __umulhi(__funnelshift_r(low, high, zeros_), factor_) >> shift_;
        const uint32_t near = __umulhi(__funnelshift_r(low, high, shift_), factor_);
        // The remainder, low - near W, is below 2 W: W - 1 less it is negative where one is missing.
        return near + ((near * weights_ + (weights_ - 1 - low)) >> 31);
    }

  private:
    /// a b + c, as one instruction also where the compiler does not see that a and b are words.
    __device__ static uint64_t product_and_sum(uint32_t a, uint32_t b, uint64_t c) {
        uint64_t sum;
        asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(sum) : "r"(a), "r"(b), "l"(c));
        return sum;
    }

    SumSize size_ = SumSize::wide;
    uint32_t weights_ = 0, factor_ = 0, shift_ = 0, zeros_ = 0;
    uint64_t half_ = 0;  // floor(W / 2), and what else is added to a sum
};

/// How blocks share out one axis of the image: a cell lies within a segment. Cells are whole segments, or each half of
/// a tile has as many of them, which makes cells alike.
struct BlendCells {
    int of_half_tile = 0;  // 0: whole segments
    int cells = 0;         // along the axis

    BlendCells() = default;
    BlendCells(const BlendAxis& axis, int of_half)
        : of_half_tile(of_half), cells(count(axis, of_half)), by_of_half_(uint32_t(of_half == 0 ? 1 : of_half)) {}
    static int count(const BlendAxis& axis, int of_half_tile) {
        return of_half_tile == 0 ? axis.tiles + 1 : 2 * of_half_tile * axis.tiles;
    }
    /// Pixels of a cell, at most.
    static int most_px(const BlendAxis& axis, int of_half_tile) {
        return of_half_tile == 0 ? axis.tile_px : ((axis.tile_px + 1) / 2 + of_half_tile - 1) / of_half_tile;
    }
    __device__ int segment(int cell) const { return of_half_tile == 0 ? cell : (share(cell) + 1) / 2; }
    /// Where a cell begins, in pixels; where it ends, the next one begins.
    __host__ __device__ int begin(const BlendAxis& axis, int cell) const {
        if (of_half_tile == 0) return axis.begin(cell);
        const auto half_begin = [&](int half) {
            return half % 2 == 0 ? half / 2 * axis.tile_px : axis.begin(half / 2 + 1);
        };
        const int half = share(cell), first = half_begin(half);
        return first + share((half_begin(half + 1) - first) * (cell - half * of_half_tile));
    }

  private:
    /// n / of_half_tile.
    __host__ __device__ int share(int n) const {
#ifdef __CUDA_ARCH__
        return int(by_of_half_.divide(uint32_t(n)));
#else
        return n / of_half_tile;
#endif
    }
    Reciprocal<uint32_t> by_of_half_{1};
};

/// The segments of one axis that a band of the image has. Those at its ends reach to its borders: beyond the outermost
/// centers of tiles, the weight of what lies behind them is 0.
struct WholeSegments {
    int first = 1, last = 1;
    int begin_px = 0, end_px = 0;

    /// 0: the first one, 1: one between, 2: the last one.
    __host__ __device__ int kind(int segment) const { return segment == first ? 0 : segment == last ? 2 : 1; }
    __host__ __device__ int of_kind(int kind) const {
        return kind == 0 ? 1 : kind == 2 ? int(last > first) : last > first ? last - first - 1 : 0;
    }
    __host__ __device__ int begin(const BlendAxis& axis, int segment) const {
        return segment == first ? begin_px : axis.begin(segment);
    }
    __host__ __device__ int end(const BlendAxis& axis, int segment) const {
        if (segment == last) return end_px;
        const int end = axis.begin(segment + 1);
        return end < end_px ? end : end_px;
    }
};

/// How blocks share out the image where each reads large tables, so that none of them reads some for the half of a
/// segment.
struct BlendShares {
    WholeSegments x, y;
    int parts_across = 1;
    int parts[3][3] = {};  // blocks of a segment, by the kinds of its row and its column

    struct Cell {
        int segment_x, segment_y, left, right, y_begin, y_end;
    };
    __host__ __device__ int of_row(int kind) const {
        int sum = 0;
        for (int kind_x = 0; kind_x < 3; ++kind_x) sum += x.of_kind(kind_x) * parts[kind][kind_x];
        return sum;
    }
    int blocks() const {
        int sum = 0;
        for (int kind = 0; kind < 3; ++kind) sum += y.of_kind(kind) * of_row(kind);
        return sum;
    }
    __device__ Cell cell(const BlendAxis& axis_x, const BlendAxis& axis_y, int block) const {
        const auto take = [&](const WholeSegments& segments, int of_first, int of_middle) {
            if (block < of_first) return segments.first;
            block -= of_first;
            int middle = block / of_middle;
            if (middle > segments.of_kind(1)) middle = segments.of_kind(1);
            block -= middle * of_middle;
            return segments.first + 1 + middle;
        };
        const int segment_y = take(y, of_row(0), of_row(1)), kind_y = y.kind(segment_y);
        const int segment_x = take(x, parts[kind_y][0], parts[kind_y][1]), kind_x = x.kind(segment_x);
        const int down = block / parts_across, across = block - down * parts_across;
        const auto border = [](const WholeSegments& segments, const BlendAxis& axis, int segment, int part,
                               int of_parts) {
            const int begin = segments.begin(axis, segment), end = segments.end(axis, segment);
            return begin + int(int64_t{end - begin} * part / of_parts);
        };
        const auto column = [&](int part) { return border(x, axis_x, segment_x, part, parts_across); };
        const auto row = [&](int part) {
            return border(y, axis_y, segment_y, part, parts[kind_y][kind_x] / parts_across);
        };
        return {segment_x, segment_y, column(across), column(across + 1), row(down), row(down + 1)};
    }
};

struct DeepBlendPlan {
    const uint8_t* d_input;
    size_t pitch_bytes;
    BlendAxis x, y;
    int y_begin, y_end;  // rows of the image that are written
    BlendCells cells_x = {}, cells_y = {};
    Reciprocal<uint32_t> by_cells_across{1};
    int first_cell_y = 0;  // that the rows lie in
    BlendShares shares = {};
    RangeSource range;
    int wanted_bins;
    DeepTables tables;
    uint32_t table_words = 0;                 // in shared memory, of a plane
    int copies_log2 = 0;                      // of an edge or a line there
    int segments_x = 0, first_segment_y = 0;  // of d_quads
    const uint2* d_quads = {};                // entries_stride for each segment, plane by plane
    int quad_segments = 0;                    // of a plane
    WeightQuotient by_weights;
    ColorMixing mixed;

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

/// What is blended at a pixel: weights.
struct PixelBlend {
    uint32_t left, right, upper, lower;
    template <SumSize kSize>
    __device__ __forceinline__ uint32_t operator()(const DeepBlendPlan& plan, const FourEntries& four) const {
        if constexpr (kSize == SumSize::wide) {
            const uint64_t above = uint64_t{four.upper_left} * left + uint64_t{four.upper_right} * right;
            const uint64_t below = uint64_t{four.lower_left} * left + uint64_t{four.lower_right} * right;
            const uint64_t weights = uint64_t{plan.x.full} * plan.y.full;
            return uint32_t((above * upper + below * lower + weights / 2) / weights);
        }
        return plan.by_weights.divide<kSize>(four.upper_left * left + four.upper_right * right, upper,
                                             four.lower_left * left + four.lower_right * right, lower);
    }
};

/// The tables of a block's segment. `ready` makes them, with a barrier at the end; `four` looks a value up, and base()
/// is what is to be added to the result; `weighted` does a part of the blending too.
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
        const int copies_log2 = plan.copies_log2;
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
        const uint64_t place = nth * factor_;
        const uint32_t bin = uint32_t(place >> 47), within = uint32_t(place >> 15);
        const uint8_t* const s_bin = s_bins_ + plane * (plan.table_words * 4) + bin * (2 * half_bytes_);
        const auto upper = *reinterpret_cast<const ulonglong2*>(s_bin);
        const auto lower = *reinterpret_cast<const ulonglong2*>(s_bin + half_bytes_);
        // The step is added once more, since it stands where the sum's lower word does (EdgeStep).
        const auto entry = [&](uint64_t edge_step) {
            return uint32_t((uint64_t{uint32_t(edge_step)} * within + edge_step) >> 32);
        };
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
class SegmentTables<TableForm::lines> {
  public:
    __device__ void ready(const DeepBlendPlan& plan, int planes, int segment_x, int segment_y, uint32_t* s_words) {
        const uint32_t copies = 1u << plan.copies_log2;
        binning_ = Binning(plan.range.get(), plan.wanted_bins);
        stride_bytes_ = copies * 32;
        lines_address_ = shared_address(s_words) + (threadIdx.x & (copies - 1)) * 16;
        for (int plane = 0; plane < planes; ++plane) {
            const uint2* d_lines[4];
            for (int corner = 0; corner < 4; ++corner)
                d_lines[corner] = reinterpret_cast<const uint2*>(
                    plan.tables.d_lines +
                    plan.tables.index(plane, plan.tile(segment_x, segment_y, corner)) * plan.tables.lines_stride);
            auto* s_halves = reinterpret_cast<uint4*>(s_words + plane * plan.table_words);
            for (uint32_t i = threadIdx.x; i < 2 * uint32_t(binning_.bins()); i += blockDim.x) {
                const uint2 left = __ldcg((i % 2 == 0 ? d_lines[0] : d_lines[2]) + i / 2);
                const uint2 right = __ldcg((i % 2 == 0 ? d_lines[1] : d_lines[3]) + i / 2);
                for (uint32_t copy = 0; copy < copies; ++copy)  // the threads of a warp write to different banks
                    s_halves[i * copies + ((copy + threadIdx.x) & (copies - 1))] =
                        make_uint4(left.x, left.y, right.x, right.y);
            }
        }
        __syncthreads();
    }
    template <bool kCareful>
    __device__ __forceinline__ FourEntries four(const DeepBlendPlan& plan, int plane, int value, OpenCases&) const {
        const uint32_t bin_address =
            lines_address_ + plane * (plan.table_words * 4) + binning_.scaled(value) * stride_bytes_;
        const uint4 upper = load_shared_vector(bin_address),
                    lower = load_shared_vector(bin_address + stride_bytes_ / 2);
        const auto entry = [&](uint32_t edge, uint32_t step) { return EntryLine{edge, step}.entry(uint32_t(value)); };
        return {entry(upper.x, upper.y), entry(upper.z, upper.w), entry(lower.x, lower.y), entry(lower.z, lower.w)};
    }
    __device__ static uint32_t base() { return 0; }

  private:
    Binning binning_;
    uint32_t stride_bytes_, lines_address_;  // of a bin, and of the thread's copy of the first one
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
        const uint32_t stride = plan.tables.entries_stride, size = uint32_t(range.size());
        auto* const s_nibbles = reinterpret_cast<uint4*>(s_words);  // of eight values
        auto* const s_bytes = s_nibbles + stride / 8;               // of sixteen
        auto* const s_bases = reinterpret_cast<uint2*>(s_bytes + stride / 16);
        nibbles_ = shared_address(s_nibbles);
        bytes_ = shared_address(s_bytes);
        bases_ = shared_address(s_bases);
        size_t first[4];
        for (int corner = 0; corner < 4; ++corner)
            first[corner] = plan.tables.index(0, plan.tile(segment_x, segment_y, corner)) * stride;
        constexpr uint32_t kThreads = DeepBlendPolicy::kGroupedThreads;
#pragma unroll 2
        for (uint32_t i = threadIdx.x; i < (size + 7) / 8; i += kThreads) {
            uint32_t eight[4];
#pragma unroll
            for (int corner = 0; corner < 4; ++corner)
                eight[corner] = __ldcg(plan.tables.d_nibbles + first[corner] / 8 + i);
            // Bytes of values 0, 2, 4, 6 and 1, 3, 5, 7: the upper entry's bits and the lower one's.
            constexpr uint32_t kLow = 0x0f0f0f0fu;
            const auto even = [&](uint32_t upper, uint32_t lower) { return (upper & kLow) | (lower << 4 & ~kLow); };
            const auto odd = [&](uint32_t upper, uint32_t lower) { return (upper >> 4 & kLow) | (lower & ~kLow); };
            const uint32_t even_left = even(eight[0], eight[2]), even_right = even(eight[1], eight[3]);
            const uint32_t odd_left = odd(eight[0], eight[2]), odd_right = odd(eight[1], eight[3]);
            const uint32_t values02 = __byte_perm(even_left, even_right, 0x5140),
                           values46 = __byte_perm(even_left, even_right, 0x7362),
                           values13 = __byte_perm(odd_left, odd_right, 0x5140),
                           values57 = __byte_perm(odd_left, odd_right, 0x7362);
            s_nibbles[i] = make_uint4(__byte_perm(values02, values13, 0x5410), __byte_perm(values02, values13, 0x7632),
                                      __byte_perm(values46, values57, 0x5410), __byte_perm(values46, values57, 0x7632));
        }
#pragma unroll 2
        for (uint32_t i = threadIdx.x; i < (size + 15) / 16; i += kThreads) {
            uint32_t four[4];
#pragma unroll
            for (int corner = 0; corner < 4; ++corner)
                four[corner] = __ldcg(reinterpret_cast<const uint32_t*>(plan.tables.d_bytes + first[corner] / 8) + i);
            const uint32_t upper01 = __byte_perm(four[0], four[1], 0x5140),
                           upper23 = __byte_perm(four[0], four[1], 0x7362),
                           lower01 = __byte_perm(four[2], four[3], 0x5140),
                           lower23 = __byte_perm(four[2], four[3], 0x7362);
            s_bytes[i] = make_uint4(__byte_perm(upper01, lower01, 0x5410), __byte_perm(upper01, lower01, 0x7632),
                                    __byte_perm(upper23, lower23, 0x5410), __byte_perm(upper23, lower23, 0x7632));
        }
        for (uint32_t i = threadIdx.x; i < (size + 31) / 32; i += kThreads) {
            const auto base = [&](int corner) {
                return uint32_t(__ldcg(plan.tables.d_bases + first[corner] / GroupedEntries::kValues + i));
            };
            s_bases[i] = make_uint2(base(0) | base(1) << 16, base(2) | base(3) << 16);
        }
        __syncthreads();
    }
    /// The upper entries and the lower ones, weighted.
    __device__ __forceinline__ uint2 weighted(int value, uint32_t left, uint32_t right) const {
        const auto entry = uint32_t(value - lo_);
        const uint32_t nibbles = load_shared_half(nibbles_ + entry * 2), bytes = load_shared(bytes_ + (entry & ~3u));
        const uint2 bases = load_shared_pair(bases_ + (entry >> 2 & ~7u));
        const uint32_t above = bytes + ((nibbles | nibbles << 12) & 0x0f0f0f0fu), both = left | right << 16;
        return make_uint2(__dp2a_lo(both, above, (bases.x & 0xffffu) * left + (bases.x >> 16) * right),
                          __dp2a_hi(both, above, (bases.y & 0xffffu) * left + (bases.y >> 16) * right));
    }

  private:
    int lo_;
    uint32_t nibbles_, bytes_, bases_;  // shared addresses
};

/// BlendAxis::second_weight(), also beyond the segment.
__device__ inline uint32_t clamped_weight(const BlendAxis& axis, int position, int segment) {
    const int weight = (2 * position + axis.tile_px - 2 * axis.tile_px * segment) >> axis.halved;
    return uint32_t(min(max(weight, 0), int(axis.full)));
}

/// Block: a cell. Shared memory: plan.table_words for every plane.
template <class Map, TableForm kForm, class Sink>
__global__ void __launch_bounds__(DeepBlendPolicy::threads(kForm), DeepBlendPolicy::min_blocks(kForm, Map::kPlanes))
    clahe_deep_blend_kernel(const DeepBlendPlan plan, const Sink sink) {
    using In = typename Map::In;
    using Out = typename Map::Out;
    constexpr int kPixels = kVector_bytes / int(sizeof(In));
    // Pixels that are blended together: few need few registers, but a second look is had at all of a vector.
    constexpr int kWordPixels = std::max(int(4 / sizeof(Out)), 1);
    constexpr int kAtOnce = kForm == TableForm::interpolated ? kPixels : std::min(kPixels, std::max(kWordPixels, 2));
    extern __shared__ uint4 s_memory[];
    int segment_x, segment_y, left, right, y_begin, y_end;
    if constexpr (kForm == TableForm::grouped) {
        const auto cell = plan.shares.cell(plan.x, plan.y, int(blockIdx.x));
        segment_x = cell.segment_x, segment_y = cell.segment_y;
        left = cell.left, right = cell.right, y_begin = cell.y_begin, y_end = cell.y_end;
    } else {
        const auto row_of_cells = int(plan.by_cells_across.divide(blockIdx.x));
        const int cell_y = plan.first_cell_y + row_of_cells,
                  cell_x = int(blockIdx.x) - row_of_cells * plan.cells_x.cells;
        segment_x = plan.cells_x.segment(cell_x), segment_y = plan.cells_y.segment(cell_y);
        left = plan.cells_x.begin(plan.x, cell_x);
        right = min(plan.cells_x.begin(plan.x, cell_x + 1), plan.x.side_px);
        y_begin = max(plan.cells_y.begin(plan.y, cell_y), plan.y_begin);
        y_end = min(plan.cells_y.begin(plan.y, cell_y + 1), plan.y_end);
    }
    if (left >= right || y_begin >= y_end) return;

    const int first_vector = left / kPixels, vectors = (right + kPixels - 1) / kPixels - first_vector;
    int rows_at_once = int(short_division(blockDim.x, uint32_t(vectors)));
    asm volatile("" : "+r"(rows_at_once));  // or the compiler computes this, and other values, again in each round
    const int row = int(short_division(threadIdx.x, uint32_t(vectors))),
              x = (first_vector + int(threadIdx.x) - row * vectors) * kPixels;
    const bool works = row < rows_at_once;
    // Vectors at the ends have pixels of other cells too, which are blended but not written.
    const int begin = max(left - x, 0), end = min(right - x, kPixels);
    const bool whole = begin == 0 && end == kPixels, inside = x + kPixels <= plan.x.side_px;
    uint4 next = {};
    const uint8_t* d_next = plan.d_input + size_t(y_begin + row) * plan.pitch_bytes + size_t(x) * sizeof(In);
    size_t step_bytes = size_t(rows_at_once) * plan.pitch_bytes;
    asm volatile("" : "+l"(step_bytes));
    const auto ask = [&] {
        if (inside) {
            next = __ldg(reinterpret_cast<const uint4*>(d_next));
        } else {  // beyond the image, its last pixel
            alignas(16) In pixels[kPixels];
            int last = end - 1;
            asm volatile("" : "+r"(last));  // or the compiler holds an address for each pixel
#pragma unroll
            for (int i = 0; i < kPixels; ++i) pixels[i] = reinterpret_cast<const In*>(d_next)[min(i, last)];
            next = *reinterpret_cast<const uint4*>(pixels);
        }
    };
    if (works && y_begin + row < y_end) ask();
    pdl_wait();

    uint32_t right_weights[kPixels];
#pragma unroll
    for (int i = 0; i < kPixels; ++i)
        right_weights[i] = kForm == TableForm::grouped ? clamped_weight(plan.x, x + i, segment_x)
                                                       : plan.x.second_weight(x + i, segment_x);
    const auto blend_cell = [&]<SumSize kSize>(std::integral_constant<SumSize, kSize>, const auto& tables) {
        struct Values {
            int of[Map::kPlanes];
        };
        for (int y = y_begin + row; y < y_end; y += rows_at_once) {
            const uint4 vector = next;
            d_next += step_bytes;
            asm volatile("" : "+l"(d_next));  // or there are two such pointers
            if (y + rows_at_once < y_end) ask();
            const uint32_t lower = kForm == TableForm::grouped ? clamped_weight(plan.y, y, segment_y)
                                                               : plan.y.second_weight(y, segment_y),
                           upper = plan.y.full - lower;
            const auto blended = [&]<bool kCareful>(std::bool_constant<kCareful>, In pixel, uint32_t right_weight,
                                                    OpenCases& open) {
                const PixelBlend blend{plan.x.full - right_weight, right_weight, upper, lower};
                Values values;
#pragma unroll
                for (int plane = 0; plane < Map::kPlanes; ++plane) {
                    const int value = Map::value(pixel, plane);
                    if constexpr (std::is_same_v<std::decay_t<decltype(tables)>, SegmentTables<TableForm::grouped>>) {
                        const uint2 rows = tables.weighted(value, blend.left, blend.right);
                        values.of[plane] = int(plan.by_weights.divide<kSize>(rows.x, upper, rows.y, lower));
                    } else {
                        const FourEntries four = tables.template four<kCareful>(plan, plane, value, open);
                        values.of[plane] = int(blend.template operator()<kSize>(plan, four) + tables.base());
                    }
                }
                return values;
            };
            const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
            alignas(16) uint32_t out[kPixels * sizeof(Out) / 4];
#pragma unroll
            for (int first = 0; first < kPixels; first += kAtOnce) {
                Values values[kAtOnce];
                OpenCases open[kAtOnce], any;
#pragma unroll
                for (int i = 0; i < kAtOnce; ++i) {
                    values[i] =
                        blended(std::false_type(), pixel_of<In>(words, first + i), right_weights[first + i], open[i]);
                    any.add(open[i]);
                }
                if (any.any()) {
                    uint32_t open_pixels = 0;
#pragma unroll
                    for (int i = 0; i < kAtOnce; ++i)
                        open_pixels |= uint32_t{open[i].any() && first + i >= begin && first + i < end} << i;
                    while (open_pixels != 0) {
                        const int next_open = __ffs(int(open_pixels)) - 1;
                        open_pixels &= open_pixels - 1;
                        OpenCases none;
                        const PitchedSource<In> source{plan.d_input, plan.pitch_bytes};
                        const int open_x = x + first + next_open;
                        const Values careful = blended(std::true_type(), source.load(open_x, y),
                                                       plan.x.second_weight(open_x, segment_x), none);
#pragma unroll
                        for (int i = 0; i < kAtOnce; ++i)  // no index that the compiler does not know
                            if (i == next_open) values[i] = careful;
                    }
                }
                const auto results = [&](const ColorMixing& mixed) {
                    alignas(16) Out pixels[kAtOnce];
#pragma unroll
                    for (int i = 0; i < kAtOnce; ++i)
                        pixels[i] = Map::result(pixel_of<In>(words, first + i), values[i].of, mixed);
#pragma unroll
                    for (size_t i = 0; i < sizeof(pixels) / 4; ++i) {
                        uint32_t word = reinterpret_cast<const uint32_t*>(pixels)[i];
                        asm("" : "+r"(word));  // or halves of words are moved behind the branches
                        out[first * sizeof(Out) / 4 + i] = word;
                    }
                };
                if (plan.mixed.amount == 100) {  // mixing takes eight instructions a sample
                    ColorMixing all;
                    all.max_sample = plan.mixed.max_sample;
                    results(all);
                } else {
                    results(plan.mixed);
                }
            }
            if (whole) {
                if constexpr (sizeof(out) == 16)
                    store_result(sink, uint32_t(x), uint32_t(y), *reinterpret_cast<const uint4*>(out));
                else
                    store_result(sink, uint32_t(x), uint32_t(y), *reinterpret_cast<const uint32_t*>(out));
            } else {
#pragma unroll
                for (int i = 0; i < kPixels; ++i)
                    if (i >= begin && i < end) sink.store(x + i, y, reinterpret_cast<const Out*>(out)[i]);
            }
        }
    };
    const auto blend_sums = [&](const auto& tables) {
        if (!works) return;
        if (plan.by_weights.size() == SumSize::narrow)
            blend_cell(std::integral_constant<SumSize, SumSize::narrow>(), tables);
        else if (plan.by_weights.size() == SumSize::shifted)
            blend_cell(std::integral_constant<SumSize, SumSize::shifted>(), tables);
        else if (kForm != TableForm::apart || plan.by_weights.size() == SumSize::long_)
            blend_cell(std::integral_constant<SumSize, SumSize::long_>(), tables);
        else if constexpr (kForm == TableForm::apart)
            blend_cell(std::integral_constant<SumSize, SumSize::wide>(), tables);
    };
    auto* const s_words = reinterpret_cast<uint32_t*>(s_memory);
    if constexpr (kForm == TableForm::grouped) {
        bool grouped = true;
        for (int corner = 0; corner < 4; ++corner)
            grouped = grouped && __ldcg(plan.tables.d_ungrouped +
                                        plan.tables.index(0, plan.tile(segment_x, segment_y, corner))) == 0;
        if (!grouped) {
            SegmentTables<TableForm::apart> tables;
            tables.ready(plan, Map::kPlanes, segment_x, segment_y, s_words);
            return blend_sums(tables);
        }
    }
    SegmentTables<kForm> tables;
    tables.ready(plan, Map::kPlanes, segment_x, segment_y, s_words);
    blend_sums(tables);
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
