// What the multi-threaded Kuwahara filter shares between images of 8 bits and deep ones: boxes that slide over sums of
// columns, the choice at borders, and bands of rows that go to threads. What sums and boxes hold is a Kind.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/image.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"

namespace tonescope::kuwahara {

inline constexpr int kChunkColumns = 256;  // columns that pass through all steps together, in the L1 cache

/// How many of the positions [last - radius, last] lie in [0, size_px).
inline int inside(int last, int radius, int size_px) {
    return std::min(last, size_px - 1) - std::max(last - radius, 0) + 1;
}

/// Slides a box over the columns: out[i] = sum of columns[i - side + 1 ... i], continued from `sum`, which is that of
/// i = -1. Reads back to columns[-side]. Returns the last sum.
TONESCOPE_HOT_LOOP uint64_t slide_box(const uint64_t* columns, int side, int count, uint64_t sum,
                                      uint64_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = sum += columns[i] - columns[i - side];
    return sum;
}

/// Evaluated boxes of a row, in arrays side by side.
template <size_t words>
struct BoxRow {
    std::array<int64_t*, words> of;

    BoxRow from(int x) const {
        BoxRow row;
        for (size_t word = 0; word < words; ++word) row.of[word] = of[word] + x;
        return row;
    }
};

/// Filters bands of rows. Each thread has an object of its own. A Kind has the types Sample, Real (of 1 / n) and
/// Product (of a box's variance and the squares of two numbers of pixels), the numbers of words that a sum (kSumWords)
/// and an evaluated box (kBoxWords) take, and the loops slide(), evaluate(), choose(), scaled_variance() and
/// write_mean().
template <class Kind>
class BandFilter {
  public:
    BandFilter(const ImageView& input, int radius, const MutableImageView& output)
        : in_(input),
          out_(output),
          radius_(radius),
          box_columns_(input.spec.width + radius),
          black_(input.spec.row_bytes() / sizeof(Sample)) {
        const auto box_columns = size_t(box_columns_);
        for (auto& words : columns_) words.resize(size_t(radius) + 1 + box_columns);
        for (auto& words : boxes_) words.resize(size_t(radius + 1) * box_columns);
        n_.resize(box_columns);
        inverse_.resize(box_columns);
        half_.resize(box_columns);
    }

    TONESCOPE_HOT_LOOP void run(int y_begin, int y_end, const std::stop_token& stop, RunProgress* progress) {
        for (auto& words : columns_) std::ranges::fill(words, 0);
        for (int y = std::max(y_begin - radius_, 0); y < y_begin; ++y)
            Kind::slide(row(y), black_.data(), in_.spec.width, columns(0));
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
    using Sample = typename Kind::Sample;
    using Boxes = BoxRow<Kind::kBoxWords>;
    static constexpr int kChannels = Kind::kGray ? 1 : 4;

    const Sample* row(int y) const { return reinterpret_cast<const Sample*>(in_.row(y)); }
    /// Column x; radius + 1 zeros stand before column 0, and `radius` after the last one.
    std::array<uint64_t*, Kind::kSumWords> columns(int x) {
        std::array<uint64_t*, Kind::kSumWords> at;
        for (size_t word = 0; word < at.size(); ++word) at[word] = columns_[word].data() + radius_ + 1 + x;
        return at;
    }
    Boxes boxes_of(int last_row) {
        Boxes boxes;
        for (size_t word = 0; word < Kind::kBoxWords; ++word)
            boxes.of[word] = &boxes_[word][size_t(last_row % (radius_ + 1)) * size_t(box_columns_)];
        return boxes;
    }

    TONESCOPE_HOT_LOOP void make_boxes(int last_row, const Sample* added, const Sample* removed) {
        set_counts(inside(last_row, radius_, in_.spec.height));
        const Boxes boxes = boxes_of(last_row);
        uint64_t box_sums[Kind::kSumWords] = {};
        alignas(64) uint64_t sums[Kind::kSumWords][kChunkColumns];
        for (int x = 0; x < box_columns_; x += kChunkColumns) {
            const int count = std::min(kChunkColumns, box_columns_ - x);
            const auto at = columns(x);
            const size_t offset = size_t(x) * kChannels;
            if (x < in_.spec.width)
                Kind::slide(added + offset, removed + offset, std::min(count, in_.spec.width - x), at);
            for (size_t word = 0; word < Kind::kSumWords; ++word)
                box_sums[word] = slide_box(at[word], radius_ + 1, count, box_sums[word], sums[word]);
            Kind::evaluate(sums, &n_[size_t(x)], &inverse_[size_t(x)], &half_[size_t(x)], count, boxes.from(x));
        }
    }

    void set_counts(int rows) {
        using Real = typename Kind::Real;
        if (rows == count_rows_) return;
        count_rows_ = rows;
        for (int x = 0; x < box_columns_; ++x) {
            const int n = rows * inside(x, radius_, in_.spec.width);
            n_[size_t(x)] = uint32_t(n);
            inverse_[size_t(x)] = 1 / Real(n);
            half_[size_t(x)] = Real(n) / 2 + Real(0.25);
        }
    }

    TONESCOPE_HOT_LOOP void write_row(int y) {
        const int width = in_.spec.width;
        const bool rows_inside = y >= radius_ && y + radius_ < in_.spec.height;
        const int x_begin = rows_inside ? std::min(radius_, width) : width;
        const int x_end = std::max(x_begin, width - radius_);
        const Boxes top = boxes_of(y), bottom = boxes_of(y + radius_);
        write_at_border(0, x_begin, y, top, bottom);
        if (x_end > x_begin)
            Kind::choose(top.from(x_begin), bottom.from(x_begin), radius_, x_end - x_begin,
                         row(y) + size_t(x_begin) * kChannels, reinterpret_cast<Sample*>(out_.pixel(x_begin, y)));
        write_at_border(x_end, width, y, top, bottom);
    }

    /// Pixels whose quadrants may be cut off: variances are compared by cross-multiplication (README.md), of the two
    /// upper ones, of the two lower ones, and of the better ones of both. On a tie the earlier one stays.
    void write_at_border(int x_begin, int x_end, int y, const Boxes& top, const Boxes& bottom) {
        using Product = typename Kind::Product;
        struct CutBox {
            int64_t scaled_variance, n, last_x, is_lower;
            Product variance() const { return Product(scaled_variance); }
        };
        // Which box is better is hard to predict: no branch depends on it.
        const auto better = [](const CutBox& first, const CutBox& second) {
            const auto first_n = uint64_t(first.n), second_n = uint64_t(second.n);
            const bool is_second =
                first_n == second_n  // so it is for a whole row where columns are not cut off
                    ? second.scaled_variance < first.scaled_variance
                    : second.variance() * (first_n * first_n) < first.variance() * (second_n * second_n);
            const auto choose = [mask = -int64_t{is_second}](int64_t one, int64_t other) {
                return one ^ ((one ^ other) & mask);
            };
            return CutBox{choose(first.scaled_variance, second.scaled_variance), choose(first.n, second.n),
                          choose(first.last_x, second.last_x), choose(first.is_lower, second.is_lower)};
        };
        const int top_rows = inside(y, radius_, in_.spec.height);
        const int bottom_rows = inside(y + radius_, radius_, in_.spec.height);
        for (int x = x_begin; x < x_end; ++x) {
            const int left = inside(x, radius_, in_.spec.width), right = inside(x + radius_, radius_, in_.spec.width);
            const auto best_of = [&](const Boxes& boxes, int rows, bool is_lower) {
                return better(
                    {int64_t(Kind::scaled_variance(boxes, x)), left * rows, x, is_lower},
                    {int64_t(Kind::scaled_variance(boxes, x + radius_)), right * rows, x + radius_, is_lower});
            };
            const CutBox best = better(best_of(top, top_rows, false), best_of(bottom, bottom_rows, true));
            Kind::write_mean(best.is_lower != 0 ? bottom : top, int(best.last_x), row(y) + size_t(x) * kChannels,
                             reinterpret_cast<Sample*>(out_.pixel(x, y)));
        }
    }

    const ImageView in_;
    const MutableImageView out_;
    const int radius_, box_columns_;
    const std::vector<Sample> black_;                             // a row that stands for those outside of the image
    std::array<std::vector<uint64_t>, Kind::kSumWords> columns_;  // sums over the columns, see columns()
    std::array<std::vector<int64_t>, Kind::kBoxWords> boxes_;     // of radius + 1 rows, overwritten in turn
    std::vector<uint32_t> n_;                          // for each column, the pixels of a box in the row at hand
    std::vector<typename Kind::Real> inverse_, half_;  // 1 / n, n / 2 + 1/4
    int count_rows_ = 0;                               // rows of a box that n_ counts
};

template <class Kind>
TONESCOPE_HOT_LOOP void run_band(BandFilter<Kind>& filter, int y_begin, int y_end, const std::stop_token& stop,
                                 RunProgress* progress) {
    filter.run(y_begin, y_end, stop, progress);
}

template <class Kind>
void filter_bands(const ImageView& input, int radius, const MutableImageView& output, int threads,
                  const std::stop_token& stop, RunProgress* progress) {
    // A band also sums and evaluates `radius` rows that are not its own: bands are tall, but there is one a thread at
    // least.
    const int height = input.spec.height;
    threads = std::clamp(threads, 1, height);
    const int bands = threads * std::max(1, height / (threads * std::max(64, 12 * radius)));
    if (progress != nullptr) progress->start(height);
    parallel_pieces(threads, bands, 1, [&](Pieces& pieces) {
        BandFilter<Kind> filter(input, radius, output);
        for (const int64_t band : pieces) {
            const int y_begin = int(height * band / bands), y_end = int(height * (band + 1) / bands);
            run_hot<run_band<Kind>>(filter, y_begin, y_end, stop, progress);
        }
    });
}

/// The filter of deep images, as filter() has it.
void filter_deep(const ImageView& input, int radius, const MutableImageView& output, int threads,
                 const std::stop_token& stop, RunProgress* progress);

}  // namespace tonescope::kuwahara
