// All four quadrants of a pixel are boxes of one shape: the top-left one ends at the pixel, the others end `radius`
// further right, further down, or both. So each box is summed and judged once, from sums over columns that slide down
// and a sum over these that slides right, and a pixel picks one of four finished boxes. A box is named by its last
// column and row; it is cut off at the border, and boxes that end past the right or bottom border are needed by the
// pixels before it.
#include "gpu/ops/kuwahara/kuwahara_cpu_bands.h"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "gpu/core/cpu_dispatch.h"

namespace tonescope {
namespace {

static_assert(std::endian::native == std::endian::little, "RGBA pixels are read as words with R in the lowest byte");

constexpr int kChunk_px = 256;  // columns that pass through all steps together, in the L1 cache

/// A finished box: n^2 times the variance of V in the upper 40 bits, the mean color (gray: the mean value) in the
/// lower 24. The variance of 0 ... 255 is at most (255 / 2)^2, so the upper part is at most 4225^2 * 65025 / 4 < 2^39,
/// and the word positive.
using Box = int64_t;
constexpr Box kMeanBits = 0xffffff;

TONESCOPE_HOT_LOOP uint32_t load_word(const uint8_t* pixel) {
    uint32_t word;
    std::memcpy(&word, pixel, 4);
    return word;
}

/// Sums over a column or a box, in fields of 64-bit words. `colors`: R, G and B in 21 bits each (at most 65 * 65 * 255
/// < 2^21); `values`: the sum of V^2 in the lower half (at most 65 * 65 * 65025 < 2^29), that of V in the upper. Words
/// are added and subtracted whole: borrows between fields cancel, as the fields of every sum fit.
struct PixelSums {
    uint64_t colors, values;
};

template <bool kGray>
TONESCOPE_HOT_LOOP PixelSums sums_of(const uint8_t* row, int x) {
    if constexpr (kGray) {
        const uint32_t v = row[x];
        return {0, uint64_t{v} << 32 | v * v};
    } else {
        const uint64_t word = load_word(row + 4 * x);
        const uint64_t r = word & 255, g = word >> 8 & 255, b = word >> 16 & 255;
        const uint32_t v = std::max(std::max(uint32_t(r), uint32_t(g)), uint32_t(b));
        return {r | g << 21 | b << 42, uint64_t{v} << 32 | v * v};
    }
}

/// Adds the pixels of `added` to the columns and takes away those of `removed`.
template <bool kGray, bool kAdd, bool kRemove>
TONESCOPE_HOT_LOOP void slide_columns(const uint8_t* added, const uint8_t* removed, int count,
                                      uint64_t* __restrict colors, uint64_t* __restrict values) {
    for (int i = 0; i < count; ++i) {
        PixelSums change{};
        if constexpr (kAdd) change = sums_of<kGray>(added, i);
        if constexpr (kRemove) {
            const PixelSums old = sums_of<kGray>(removed, i);
            change.colors -= old.colors;
            change.values -= old.values;
        }
        if constexpr (!kGray) colors[i] += change.colors;
        values[i] += change.values;
    }
}

template <bool kGray>
TONESCOPE_HOT_LOOP void slide_columns(const uint8_t* added, const uint8_t* removed, int count, uint64_t* colors,
                                      uint64_t* values) {
    if (added != nullptr && removed != nullptr)
        slide_columns<kGray, true, true>(added, removed, count, colors, values);
    else if (added != nullptr)
        slide_columns<kGray, true, false>(added, removed, count, colors, values);
    else if (removed != nullptr)
        slide_columns<kGray, false, true>(added, removed, count, colors, values);
}

/// Slides a box over the columns: out[i] = sum of columns[i - reach + 1 ... i], continued from `sum`.
TONESCOPE_HOT_LOOP uint64_t slide_box(const uint64_t* columns, int reach, int count, uint64_t sum,
                                      uint64_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = sum += columns[i] - columns[i - reach];
    return sum;
}

/// What a row of boxes needs to know about its pixel counts, a column each.
struct BoxCounts {
    std::vector<uint32_t> n;
    std::vector<float> inverse;  // 1 / n
    std::vector<float> half;     // n / 2 + 1/4
};

/// Means are floor((2 sum + n) / (2 n)) = floor((sum + n / 2 + 1/4) / n), in float: the quotient with 1/4 lies at least
/// 1 / (4 n) from every integer, which is above 2^-14.1 for n up to 4225, and float is off by less than 2^-14.9 below
/// 256.
template <bool kGray>
TONESCOPE_HOT_LOOP void finish_boxes(const uint64_t* colors, const uint64_t* values, const uint32_t* n,
                                     const float* inverse, const float* half, int count, Box* __restrict boxes) {
    for (int i = 0; i < count; ++i) {
        const uint32_t s = uint32_t(values[i] >> 32), q = uint32_t(values[i]);
        const uint64_t spread = uint64_t{n[i]} * q - uint64_t{s} * s;
        const auto mean = [&](uint32_t sum) { return uint32_t(int32_t((float(int32_t(sum)) + half[i]) * inverse[i])); };
        uint32_t means;
        if constexpr (kGray) {
            means = mean(s);
        } else {
            constexpr uint32_t kField = (1 << 21) - 1;
            means = mean(uint32_t(colors[i]) & kField) | mean(uint32_t(colors[i] >> 21) & kField) << 8 |
                    mean(uint32_t(colors[i] >> 42)) << 16;
        }
        boxes[i] = Box(spread << 24 | means);
    }
}

/// Pixels whose four quadrants hold the same number of pixels. With all mean bits set, a box is less than another one
/// only if its spread is less: on a tie the earlier one stays.
template <bool kGray>
TONESCOPE_HOT_LOOP void pick_inside(const Box* top, const Box* bottom, int radius, int count, const uint8_t* in,
                                    uint8_t* __restrict out) {
    for (int i = 0; i < count; ++i) {
        Box best = top[i];
        best = (top[i + radius] | kMeanBits) < best ? top[i + radius] : best;
        best = (bottom[i] | kMeanBits) < best ? bottom[i] : best;
        best = (bottom[i + radius] | kMeanBits) < best ? bottom[i + radius] : best;
        if constexpr (kGray) {
            out[i] = uint8_t(best);
        } else {
            const uint32_t word = uint32_t(best & kMeanBits) | (load_word(in + 4 * i) & 0xff000000);
            std::memcpy(out + 4 * i, &word, 4);
        }
    }
}

/// The loops above, compiled for one instruction set.
struct Loops {
    void (*slide_columns)(const uint8_t*, const uint8_t*, int, uint64_t*, uint64_t*);
    uint64_t (*slide_box)(const uint64_t*, int, int, uint64_t, uint64_t*);
    void (*finish)(const uint64_t*, const uint64_t*, const uint32_t*, const float*, const float*, int, Box*);
    void (*pick)(const Box*, const Box*, int, int, const uint8_t*, uint8_t*);
};

template <bool kGray>
struct Plain {
    static void slide(const uint8_t* a, const uint8_t* r, int n, uint64_t* c, uint64_t* v) {
        slide_columns<kGray>(a, r, n, c, v);
    }
    static uint64_t box(const uint64_t* c, int r, int n, uint64_t s, uint64_t* o) { return slide_box(c, r, n, s, o); }
    static void finish(const uint64_t* c, const uint64_t* v, const uint32_t* n, const float* i, const float* h, int k,
                       Box* b) {
        finish_boxes<kGray>(c, v, n, i, h, k, b);
    }
    static void pick(const Box* t, const Box* b, int r, int n, const uint8_t* in, uint8_t* out) {
        pick_inside<kGray>(t, b, r, n, in, out);
    }
    static constexpr Loops loops{slide, box, finish, pick};
};

template <bool kGray>
struct Avx2 {
    TONESCOPE_AVX2 static void slide(const uint8_t* a, const uint8_t* r, int n, uint64_t* c, uint64_t* v) {
        slide_columns<kGray>(a, r, n, c, v);
    }
    TONESCOPE_AVX2 static uint64_t box(const uint64_t* c, int r, int n, uint64_t s, uint64_t* o) {
        return slide_box(c, r, n, s, o);
    }
    TONESCOPE_AVX2 static void finish(const uint64_t* c, const uint64_t* v, const uint32_t* n, const float* i,
                                      const float* h, int k, Box* b) {
        finish_boxes<kGray>(c, v, n, i, h, k, b);
    }
    TONESCOPE_AVX2 static void pick(const Box* t, const Box* b, int r, int n, const uint8_t* in, uint8_t* out) {
        pick_inside<kGray>(t, b, r, n, in, out);
    }
    static constexpr Loops loops{slide, box, finish, pick};
};

/// How many of the positions [last - radius, last] lie in [0, size_px).
int inside(int last, int radius, int size_px) {
    return std::min(last, size_px - 1) - std::max(last - radius, 0) + 1;
}

/// Filters bands of rows. One object a thread.
class BandFilter {
  public:
    BandFilter(const ImageView& input, int radius, const MutableImageView& output)
        : in_(input), out_(output), radius_(radius), gray_(input.spec.format == PixelFormat::gray8) {
        const auto box_columns = size_t(input.spec.width + radius);
        colors_.resize(gray_ ? 0 : size_t(radius) + 1 + box_columns);
        values_.resize(size_t(radius) + 1 + box_columns);
        boxes_.resize(size_t(radius + 1) * box_columns);
        counts_.n.resize(box_columns);
        counts_.inverse.resize(box_columns);
        counts_.half.resize(box_columns);
        if (gray_)
            loops_ = cpu_has_avx2() ? Avx2<true>::loops : Plain<true>::loops;
        else
            loops_ = cpu_has_avx2() ? Avx2<false>::loops : Plain<false>::loops;
    }

    void run(int y_begin, int y_end, const std::stop_token& stop) {
        std::ranges::fill(colors_, 0);
        std::ranges::fill(values_, 0);
        for (int y = std::max(y_begin - radius_, 0); y < y_begin; ++y)
            loops_.slide_columns(in_.row(y), nullptr, in_.spec.width, color_columns(), value_columns());
        for (int last_row = y_begin; last_row < y_end + radius_; ++last_row) {
            if (stop.stop_requested()) return;
            const int old_row = last_row - radius_ - 1;
            make_boxes(last_row, last_row < in_.spec.height ? in_.row(last_row) : nullptr,
                       old_row >= 0 && last_row > y_begin ? in_.row(old_row) : nullptr);
            if (last_row - radius_ >= y_begin) pick_row(last_row - radius_);
        }
    }

  private:
    /// Column 0; radius + 1 zeros stand before it, and `radius` after the last one.
    uint64_t* color_columns() { return gray_ ? nullptr : colors_.data() + radius_ + 1; }
    uint64_t* value_columns() { return values_.data() + radius_ + 1; }
    Box* boxes_of(int last_row) { return &boxes_[size_t(last_row % (radius_ + 1)) * size_t(in_.spec.width + radius_)]; }

    void make_boxes(int last_row, const uint8_t* added, const uint8_t* removed) {
        const int width = in_.spec.width, pixel_bytes = bytes_per_pixel(in_.spec.format);
        set_counts(inside(last_row, radius_, in_.spec.height));
        Box* boxes = boxes_of(last_row);
        uint64_t color_sum = 0, value_sum = 0;
        alignas(64) uint64_t colors[kChunk_px];
        alignas(64) uint64_t values[kChunk_px];
        for (int x = 0; x < width + radius_; x += kChunk_px) {
            const int count = std::min(kChunk_px, width + radius_ - x);
            const size_t offset = size_t(x) * size_t(pixel_bytes);
            uint64_t* value_column = value_columns() + x;
            uint64_t* color_column = gray_ ? nullptr : color_columns() + x;
            if (x < width)
                loops_.slide_columns(added != nullptr ? added + offset : nullptr,
                                     removed != nullptr ? removed + offset : nullptr, std::min(count, width - x),
                                     color_column, value_column);
            if (!gray_) color_sum = loops_.slide_box(color_column, radius_ + 1, count, color_sum, colors);
            value_sum = loops_.slide_box(value_column, radius_ + 1, count, value_sum, values);
            loops_.finish(colors, values, &counts_.n[size_t(x)], &counts_.inverse[size_t(x)], &counts_.half[size_t(x)],
                          count, boxes + x);
        }
    }

    void set_counts(int rows) {
        if (rows == count_rows_) return;
        count_rows_ = rows;
        for (int x = 0; x < in_.spec.width + radius_; ++x) {
            const int n = rows * inside(x, radius_, in_.spec.width);
            counts_.n[size_t(x)] = uint32_t(n);
            counts_.inverse[size_t(x)] = 1 / float(n);
            counts_.half[size_t(x)] = float(n) / 2 + 0.25F;
        }
    }

    void pick_row(int y) {
        const int width = in_.spec.width;
        const bool rows_inside = y >= radius_ && y + radius_ < in_.spec.height;
        const int x_begin = rows_inside ? std::min(radius_, width) : width;
        const int x_end = std::max(x_begin, width - radius_);
        for (int x = 0; x < x_begin; ++x) pick_at_border(x, y);
        if (x_end > x_begin)
            loops_.pick(boxes_of(y) + x_begin, boxes_of(y + radius_) + x_begin, radius_, x_end - x_begin,
                        in_.pixel(x_begin, y), out_.pixel(x_begin, y));
        for (int x = x_end; x < width; ++x) pick_at_border(x, y);
    }

    /// A pixel whose quadrants may be cut off: spread / n^2 is compared by cross-multiplication. A product is at most
    /// 4225^4 * 65025 / 4 < 5.181e18 < 2^63.
    void pick_at_border(int x, int y) {
        const Box* rows[2] = {boxes_of(y), boxes_of(y + radius_)};
        uint64_t best_spread = 0, best_n = 0;
        Box best = 0;
        for (int k = 0; k < 4; ++k) {
            const int last_x = k % 2 == 0 ? x : x + radius_, last_y = k < 2 ? y : y + radius_;
            const Box box = rows[k / 2][last_x];
            const auto spread = uint64_t(box) >> 24;
            const auto n =
                uint64_t(inside(last_x, radius_, in_.spec.width)) * uint64_t(inside(last_y, radius_, in_.spec.height));
            if (k > 0 && spread * (best_n * best_n) >= best_spread * (n * n)) continue;
            best_spread = spread;
            best_n = n;
            best = box;
        }
        uint8_t* to = out_.pixel(x, y);
        to[0] = uint8_t(best);
        if (gray_) return;
        to[1] = uint8_t(best >> 8);
        to[2] = uint8_t(best >> 16);
        to[3] = in_.pixel(x, y)[3];
    }

    const ImageView in_;
    const MutableImageView out_;
    const int radius_;
    const bool gray_;
    Loops loops_;
    std::vector<uint64_t> colors_, values_;  // sums over the columns, see color_columns()
    std::vector<Box> boxes_;                 // radius + 1 rows of boxes, in turns
    BoxCounts counts_;
    int count_rows_ = 0;  // what counts_ is for
};

}  // namespace

void filter_kuwahara(const ImageView& input, int radius, const MutableImageView& output, int threads,
                     const std::stop_token& stop) {
    // A band first sums `radius` rows that are not its own: bands are tall, but at least one a thread.
    const int height = input.spec.height;
    threads = std::clamp(threads, 1, height);
    const int bands = threads * std::max(1, height / (threads * std::max(64, 8 * radius)));
    std::vector<BandFilter> filters(size_t(threads), BandFilter(input, radius, output));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int band = 0; band < bands; ++band) {
        const int y_begin = int(int64_t{height} * band / bands), y_end = int(int64_t{height} * (band + 1) / bands);
        filters[size_t(omp_get_thread_num())].run(y_begin, y_end, stop);
    }
}

}  // namespace tonescope
