// The multi-threaded Kuwahara filter of deep images: kuwahara_cpu_parallel.cpp with sums that need more bits. A box's
// variance and its means are words of their own.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "gpu/ops/kuwahara/kuwahara_cpu_bands.h"
#include "gpu/ops/kuwahara/quadrant.h"

namespace tonescope::kuwahara {
namespace {

/// Sums over a column or a box, a word each: `red_green` and `blue_v` hold two sums below 65 * 65 * 65535 < 2^29, in
/// the lower and the upper half, and `squares` that of V^2, below 2^45. Gray images have no red and green, and no blue.
enum SumWord : size_t { blue_v, squares, red_green, kSumWords };

template <bool kGray>
struct DeepTerms {
    uint64_t words[kSumWords];
};

template <bool kGray>
TONESCOPE_HOT_LOOP DeepTerms<kGray> load_deep_terms(const uint16_t* row, int x) {
    if constexpr (kGray) {
        const uint64_t v = row[x];
        return {{v << 32, v * v, 0}};
    } else {
        const uint64_t r = row[4 * x], g = row[4 * x + 1], b = row[4 * x + 2];
        const uint64_t v = std::max(std::max(r, g), b);
        return {{b | v << 32, v * v, r | g << 32}};
    }
}

/// Adds the pixels of `added` to the sums over columns and takes away those of `removed`. Words are added and
/// subtracted whole: borrows between halves cancel, as each half of every sum fits.
template <bool kGray>
TONESCOPE_HOT_LOOP void slide_deep_columns(const uint16_t* added, const uint16_t* removed, int count,
                                           uint64_t* __restrict sums_blue_v, uint64_t* __restrict sums_squares,
                                           uint64_t* __restrict sums_red_green) {
    for (int i = 0; i < count; ++i) {
        const auto in = load_deep_terms<kGray>(added, i), out = load_deep_terms<kGray>(removed, i);
        sums_blue_v[i] += in.words[blue_v] - out.words[blue_v];
        sums_squares[i] += in.words[squares] - out.words[squares];
        if constexpr (!kGray) sums_red_green[i] += in.words[red_green] - out.words[red_green];
    }
}

/// n^2 times the variance of V, below 2^55, and the mean color, 16 bits a channel (gray: the mean value).
struct DeepBoxes {
    int64_t* scaled_variances;
    uint64_t* means;
};

/// Evaluates boxes of n[i] pixels; inverse[i] = 1 / n[i], half[i] = n[i] / 2 + 1/4. Means in double: the quotient lies
/// at least 2^-15 from every integer.
template <bool kGray>
TONESCOPE_HOT_LOOP void evaluate_deep_boxes(const uint64_t (&sums)[kSumWords][kChunkColumns], const uint32_t* n,
                                            const double* inverse, const double* half, int count,
                                            const DeepBoxes& boxes) {
    for (int i = 0; i < count; ++i) {
        const uint64_t s = sums[blue_v][i] >> 32;
        boxes.scaled_variances[i] = int64_t(n[i] * sums[squares][i] - s * s);
    }
    for (int i = 0; i < count; ++i) {
        const auto mean = [&](uint64_t sum) {
            return uint64_t(uint32_t(int32_t((double(int32_t(sum)) + half[i]) * inverse[i])));
        };
        if constexpr (kGray) {
            boxes.means[i] = mean(sums[blue_v][i] >> 32);
        } else {
            const uint64_t rg = sums[red_green][i];
            boxes.means[i] = mean(rg & 0xffffffff) | mean(rg >> 32) << 16 | mean(sums[blue_v][i] & 0xffffffff) << 32;
        }
    }
}

/// Pixels whose four quadrants hold the same number of pixels take the mean of the one with the lowest variance among
/// top[i], top[i + radius], bottom[i], bottom[i + radius], the first one on a tie; alpha is that of `in`.
template <bool kGray>
TONESCOPE_HOT_LOOP void choose_deep_quadrants(const DeepBoxes& top, const DeepBoxes& bottom, int radius, int count,
                                              const uint16_t* in, uint16_t* __restrict out) {
    for (int i = 0; i < count; ++i) {
        int64_t least = top.scaled_variances[i];
        uint64_t mean = top.means[i];
        const auto compare = [&](int64_t variance, uint64_t other) {
            mean = variance < least ? other : mean;
            least = variance < least ? variance : least;
        };
        compare(top.scaled_variances[i + radius], top.means[i + radius]);
        compare(bottom.scaled_variances[i], bottom.means[i]);
        compare(bottom.scaled_variances[i + radius], bottom.means[i + radius]);
        if constexpr (kGray) {
            out[i] = uint16_t(mean);
        } else {
            uint64_t word;
            std::memcpy(&word, in + 4 * i, 8);
            word = (word >> 48 << 48) | mean;
            std::memcpy(out + 4 * i, &word, 8);
        }
    }
}

/// Filters bands of rows. Each thread has an object of its own.
template <bool kGray>
class DeepBandFilter {
  public:
    DeepBandFilter(const ImageView& input, int radius, const MutableImageView& output)
        : in_(input),
          out_(output),
          radius_(radius),
          box_columns_(input.spec.width + radius),
          black_(input.spec.row_bytes() / 2) {
        const auto box_columns = size_t(box_columns_);
        for (size_t word = 0; word < kWords; ++word) columns_[word].assign(size_t(radius) + 1 + box_columns, 0);
        scaled_variances_.resize(size_t(radius + 1) * box_columns);
        means_.resize(scaled_variances_.size());
        n_.resize(box_columns);
        inverse_.resize(box_columns);
        half_.resize(box_columns);
    }

    TONESCOPE_HOT_LOOP void run(int y_begin, int y_end, const std::stop_token& stop, RunProgress* progress) {
        for (std::vector<uint64_t>& words : columns_) std::ranges::fill(words, 0);
        for (int y = std::max(y_begin - radius_, 0); y < y_begin; ++y)
            slide_deep_columns<kGray>(row(y), black_.data(), in_.spec.width, columns(blue_v, 0), columns(squares, 0),
                                      columns(red_green, 0));
        for (int last_row = y_begin; last_row < y_end + radius_; ++last_row) {
            if (stop.stop_requested()) return;
            const int old_row = last_row - radius_ - 1;
            make_boxes(last_row, last_row < in_.spec.height ? row(last_row) : black_.data(),
                       old_row >= 0 && last_row > y_begin ? row(old_row) : black_.data());
            if (last_row - radius_ < y_begin) continue;
            write_row(last_row - radius_);
            if (progress != nullptr) progress->add(1);
        }
    }

  private:
    static constexpr size_t kWords = kGray ? size_t{red_green} : size_t{kSumWords};

    const uint16_t* row(int y) const { return reinterpret_cast<const uint16_t*>(in_.row(y)); }
    /// Column x; radius + 1 zeros stand before column 0, and `radius` after the last one.
    uint64_t* columns(size_t word, int x) { return word < kWords ? columns_[word].data() + radius_ + 1 + x : nullptr; }
    DeepBoxes boxes_of(int last_row, int x) {
        const size_t at = size_t(last_row % (radius_ + 1)) * size_t(box_columns_) + size_t(x);
        return {&scaled_variances_[at], &means_[at]};
    }

    TONESCOPE_HOT_LOOP void make_boxes(int last_row, const uint16_t* added, const uint16_t* removed) {
        set_counts(inside(last_row, radius_, in_.spec.height));
        uint64_t box_sums[kSumWords] = {};
        alignas(64) uint64_t sums[kSumWords][kChunkColumns];
        for (int x = 0; x < box_columns_; x += kChunkColumns) {
            const int count = std::min(kChunkColumns, box_columns_ - x);
            const size_t offset = size_t(x) * (kGray ? 1 : 4);
            if (x < in_.spec.width)
                slide_deep_columns<kGray>(added + offset, removed + offset, std::min(count, in_.spec.width - x),
                                          columns(blue_v, x), columns(squares, x), columns(red_green, x));
            for (size_t word = 0; word < kWords; ++word)
                box_sums[word] = slide_box(columns(word, x), radius_ + 1, count, box_sums[word], sums[word]);
            evaluate_deep_boxes<kGray>(sums, &n_[size_t(x)], &inverse_[size_t(x)], &half_[size_t(x)], count,
                                       boxes_of(last_row, x));
        }
    }

    void set_counts(int rows) {
        if (rows == count_rows_) return;
        count_rows_ = rows;
        for (int x = 0; x < box_columns_; ++x) {
            const int n = rows * inside(x, radius_, in_.spec.width);
            n_[size_t(x)] = uint32_t(n);
            inverse_[size_t(x)] = 1 / double(n);
            half_[size_t(x)] = double(n) / 2 + 0.25;
        }
    }

    TONESCOPE_HOT_LOOP void write_row(int y) {
        const int width = in_.spec.width;
        const bool rows_inside = y >= radius_ && y + radius_ < in_.spec.height;
        const int x_begin = rows_inside ? std::min(radius_, width) : width;
        const int x_end = std::max(x_begin, width - radius_);
        for (int x = 0; x < x_begin; ++x) write_at_border(x, y);
        if (x_end > x_begin)
            choose_deep_quadrants<kGray>(boxes_of(y, x_begin), boxes_of(y + radius_, x_begin), radius_, x_end - x_begin,
                                         reinterpret_cast<const uint16_t*>(in_.pixel(x_begin, y)),
                                         reinterpret_cast<uint16_t*>(out_.pixel(x_begin, y)));
        for (int x = x_end; x < width; ++x) write_at_border(x, y);
    }

    /// A pixel whose quadrants may be cut off: variances are compared by cross-multiplication, in 128 bits.
    void write_at_border(int x, int y) {
        int64_t best_scaled_variance = 0, best_n = 0;
        uint64_t mean = 0;
        for (int quadrant = 0; quadrant < 4; ++quadrant) {
            const int last_x = quadrant % 2 == 0 ? x : x + radius_, last_y = quadrant < 2 ? y : y + radius_;
            const DeepBoxes box = boxes_of(last_y, last_x);
            const int64_t n =
                int64_t{inside(last_x, radius_, in_.spec.width)} * inside(last_y, radius_, in_.spec.height);
            if (quadrant > 0 && Wide(*box.scaled_variances) * (best_n * best_n) >= Wide(best_scaled_variance) * (n * n))
                continue;
            best_scaled_variance = *box.scaled_variances;
            best_n = n;
            mean = *box.means;
        }
        auto* to = reinterpret_cast<uint16_t*>(out_.pixel(x, y));
        for (int c = 0; c < (kGray ? 1 : 3); ++c) to[c] = uint16_t(mean >> (16 * c));
        if constexpr (!kGray) to[3] = reinterpret_cast<const uint16_t*>(in_.pixel(x, y))[3];
    }

    const ImageView in_;
    const MutableImageView out_;
    const int radius_, box_columns_;
    const std::vector<uint16_t> black_;                     // a row that stands for those outside of the image
    std::array<std::vector<uint64_t>, kSumWords> columns_;  // sums over the columns, see columns()
    std::vector<int64_t> scaled_variances_;                 // of radius + 1 rows of boxes, overwritten in turn
    std::vector<uint64_t> means_;                           // likewise
    std::vector<uint32_t> n_;                               // for each column, the pixels of a box in the row at hand
    std::vector<double> inverse_, half_;                    // 1 / n, n / 2 + 1/4
    int count_rows_ = 0;                                    // rows of a box that n_ counts
};

}  // namespace

void filter_deep(const ImageView& input, int radius, const MutableImageView& output, int threads,
                 const std::stop_token& stop, RunProgress* progress) {
    const auto run =
        is_gray(input.spec.format) ? filter_bands<DeepBandFilter<true>> : filter_bands<DeepBandFilter<false>>;
    run(input, radius, output, threads, stop, progress);
}

}  // namespace tonescope::kuwahara
