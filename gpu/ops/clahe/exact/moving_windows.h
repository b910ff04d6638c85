// Windows that move over a plane of bins along a row, down, and back along the next row: their histograms, and what a
// clip limit keeps of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <vector>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/free_memory.h"

namespace tonescope::clahe {

/// The bins of a plane's pixels, with all that windows reach beyond it; row by row, or column by column.
template <class Bin>
class BinPlane {
  public:
    BinPlane(int width, int height, bool by_columns)
        : across_(by_columns ? size_t(height) : 1), down_(by_columns ? 1 : size_t(width)) {
        const size_t pixels = size_t(width) * size_t(height);
        check_memory(pixels * sizeof(Bin));
        bins_ = std::make_unique_for_overwrite<Bin[]>(pixels);
    }
    Bin* at(int x, int y) { return bins_.get() + size_t(x) * across_ + size_t(y) * down_; }
    const Bin* at(int x, int y) const { return bins_.get() + size_t(x) * across_ + size_t(y) * down_; }

  private:
    size_t across_, down_;  // from a pixel to the next one
    std::unique_ptr<Bin[]> bins_;
};

/// Of the windows around the pixels of a row, what is left of the counts, of which none is above the limit.
struct RowCounts {
    explicit RowCounts(int count) : bin(size_t(count)), upto(bin.size()), own(bin.size()), all(bin.size()) {}
    std::vector<uint16_t> bin;     // of the pixel
    std::vector<uint32_t> upto;    // kept in the bins up to and with that one
    std::vector<uint32_t> own;     // kept in that one
    std::vector<uint32_t> all;     // kept in all bins
    std::vector<uint32_t> pixels;  // that count; empty where all do
};

/// A strip of `count` windows beside each other, which begin at column `x` of the plane.
struct Strip {
    int x = 0, count = 0, window_width = 0, window_height = 0;
    uint32_t clip = 0;  // no bin keeps more

    int columns() const { return count + window_width - 1; }
    int64_t window_pixels() const { return int64_t{window_width} * window_height; }
};

namespace moving {

template <class Count>
struct VectorOf;
template <>
struct VectorOf<uint16_t> {
    typedef uint16_t Counts __attribute__((vector_size(32)));
    typedef int16_t Masks __attribute__((vector_size(32)));
};
template <>
struct VectorOf<uint32_t> {
    typedef uint32_t Counts __attribute__((vector_size(32)));
    typedef int32_t Masks __attribute__((vector_size(32)));
};

/// Where a window's count of a bin stands, and which bin's count stands at a place: vectors of columns' counts are
/// widened half by half, in an order that takes one instruction each. From 8 to 16 bits, bins 8 to 15 of each 32 change
/// places with bins 16 to 23.
template <class Column, class Count>
constexpr size_t place_of(size_t bin) {
    if constexpr (sizeof(Column) == sizeof(Count)) return bin;
    constexpr size_t kHalf = 8 / sizeof(Column);
    return (bin & ~(3 * kHalf)) | (bin & kHalf) << 1 | (bin >> 1 & kHalf);
}
template <class Column, class Count>
struct BinsOfPlaces {
    alignas(32) std::make_signed_t<Count> bins[256];
    constexpr BinsOfPlaces() : bins() {
        for (size_t place = 0; place < 256; ++place)
            bins[place] = std::make_signed_t<Count>(place_of<Column, Count>(place));
    }
};
template <class Column, class Count>
inline constexpr BinsOfPlaces<Column, Count> kBinsOfPlaces;

typedef uint8_t Bytes __attribute__((vector_size(32)));
using Words = VectorOf<uint16_t>::Counts;
using LongWords = VectorOf<uint32_t>::Counts;

TONESCOPE_HOT_LOOP void widen(const Bytes& v, Words (&wide)[2]) {
    const Bytes zeros{};
    wide[0] = Words(__builtin_shufflevector(v, zeros, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48,
                                            17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55));
    wide[1] = Words(__builtin_shufflevector(v, zeros, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24,
                                            56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63));
}
TONESCOPE_HOT_LOOP void widen(const Words& v, LongWords (&wide)[2]) {
    const Words zeros{};
    wide[0] = LongWords(__builtin_shufflevector(v, zeros, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27));
    wide[1] = LongWords(__builtin_shufflevector(v, zeros, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31));
}
TONESCOPE_HOT_LOOP void widen(const LongWords& v, LongWords (&wide)[1]) {
    wide[0] = v;
}

TONESCOPE_HOT_LOOP uint32_t sum_of(const VectorOf<uint32_t>::Counts& v) {
    typedef uint32_t Four __attribute__((vector_size(16)));
    const Four four = __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
    const Four two = four + __builtin_shufflevector(four, four, 2, 3, 0, 1);
    return two[0] + two[1];
}
TONESCOPE_HOT_LOOP uint32_t sum_of(const VectorOf<uint16_t>::Counts& v) {
    const auto pairs = VectorOf<uint32_t>::Counts(v);
    return sum_of((pairs & 0xffff) + (pairs >> 16));
}

/// The next histogram of 256 bins, by place_of(): that of the window, with a column that enters and one that leaves it.
/// Returns what is kept in all bins and up to `bin`.
template <class Column, class Count>
TONESCOPE_HOT_LOOP void move_window(const Column* entering, const Column* leaving, uint16_t bin, Count clip,
                                    Count* counts, uint32_t& upto, uint32_t& all) {
    using Counts = typename VectorOf<Count>::Counts;
    using Masks = typename VectorOf<Count>::Masks;
    using Lane = std::make_signed_t<Count>;
    constexpr int kParts = sizeof(Count) / sizeof(Column), kLanes = 32 / sizeof(Count);
    typedef Column Columns __attribute__((vector_size(32)));
    const Counts most = Counts{} + clip;
    const Masks after = Masks{} + Lane(bin + 1);
    Counts sum_upto{}, sum_all{};
    for (int begin = 0; begin < 256; begin += kParts * kLanes) {
        Columns in, out;
        std::memcpy(&in, entering + begin, sizeof in);
        std::memcpy(&out, leaving + begin, sizeof out);
        Counts wide_in[kParts], wide_out[kParts];
        widen(in, wide_in);
        widen(out, wide_out);
        for (int part = 0; part < kParts; ++part) {
            const int place = begin + part * kLanes;
            Counts now;
            Masks bins;
            std::memcpy(&now, counts + place, sizeof now);
            std::memcpy(&bins, kBinsOfPlaces<Column, Count>.bins + place, sizeof bins);
            now += wide_in[part] - wide_out[part];
            std::memcpy(counts + place, &now, sizeof now);
            const Counts kept = now < most ? now : most;
            sum_all += kept;
            sum_upto += kept & Counts(bins < after);
        }
    }
    upto = sum_of(sum_upto);
    all = sum_of(sum_all);
}

/// Over a row from its first pixel to its last one, or back. `columns`: histograms of the strip's columns.
template <class Column, class Count>
TONESCOPE_HOT_LOOP void move_along(const Column* columns, const Strip& strip, bool forth, Count clip, Count* counts,
                                   RowCounts& row) {
    const Column *entering = columns, *leaving = columns;  // the first window is where it was
    for (int k = 0; k < strip.count; ++k) {
        const auto i = size_t(forth ? k : strip.count - 1 - k);
        if (k > 0) {
            const Column* edge = columns + 256 * (forth ? i - 1 : i);
            const Column* other_edge = edge + 256 * size_t(strip.window_width);
            entering = forth ? other_edge : edge;
            leaving = forth ? edge : other_edge;
        }
        const uint16_t bin = row.bin[i];
        move_window(entering, leaving, bin, clip, counts, row.upto[i], row.all[i]);
        row.own[i] = std::min(counts[place_of<Column, Count>(bin)], clip);
    }
}

}  // namespace moving

/// At most 256 bins. Each column of the strip has a histogram, so that a window moves by adding one and subtracting
/// another, and moving a column down takes two steps: the cost of a pixel does not depend on the window's sides
/// (S. Perreault, P. Hebert: Median filtering in constant time, IEEE Transactions on Image Processing 16(9), 2007).
/// `Column` holds a window's height, `Count` its pixels.
template <class Column, class Count>
class ColumnWindows {
  public:
    using Bin = uint8_t;
    static constexpr bool kByColumns = false;
    static size_t bytes_of(const Strip& strip, int /*bins*/) { return 256 * sizeof(Column) * size_t(strip.columns()); }

    ColumnWindows(const BinPlane<Bin>& plane, const Strip& strip, int /*bins*/)
        : plane_(&plane), strip_(strip), columns_(256 * size_t(strip.columns())) {}

    /// The windows that begin at row `y` of the plane. False once `stop` is set.
    bool start(int y, const std::stop_token& stop) {
        y_ = y;
        for (int j = 0; j < strip_.window_height; ++j) {
            if (j % 64 == 63 && stop.stop_requested()) return false;
            const Bin* bins = plane_->at(strip_.x, y + j);
            for (size_t c = 0; c < size_t(strip_.columns()); ++c) ++columns_[256 * c + bins[c]];
        }
        for (size_t c = 0; c < size_t(strip_.window_width); ++c)
            for (size_t b = 0; b < 256; ++b) counts_[place_of(b)] = Count(counts_[place_of(b)] + columns_[256 * c + b]);
        return true;
    }
    void count_row(RowCounts& row) {
        const Bin* bins = plane_->at(strip_.x + strip_.window_width / 2, y_ + strip_.window_height / 2);
        std::copy_n(bins, strip_.count, row.bin.begin());
        const auto clip = Count(std::min(strip_.clip, uint32_t{Count(-1)}));
        run_hot<moving::move_along<Column, Count>>(columns_.data(), strip_, at_ == 0, clip, counts_, row);
        at_ = at_ == 0 ? size_t(strip_.count) - 1 : 0;
    }
    void move_down() {
        const Bin *leaving = plane_->at(strip_.x, y_), *entering = plane_->at(strip_.x, y_ + strip_.window_height);
        for (size_t c = 0; c < size_t(strip_.columns()); ++c) {
            --columns_[256 * c + leaving[c]];
            ++columns_[256 * c + entering[c]];
        }
        for (size_t c = at_; c < at_ + size_t(strip_.window_width); ++c) {
            --counts_[place_of(leaving[c])];
            ++counts_[place_of(entering[c])];
        }
        ++y_;
    }

  private:
    static constexpr size_t place_of(size_t bin) { return moving::place_of<Column, Count>(bin); }

    const BinPlane<Bin>* plane_;
    Strip strip_;
    int y_ = 0;
    size_t at_ = 0;  // the window whose histogram `counts_` is
    std::vector<Column> columns_;
    alignas(32) Count counts_[256] = {};  // by place_of()
};

/// Any number of bins: a window moves by counting the pixels that enter and leave it, one after the other.
class PixelWindows {
  public:
    using Bin = uint16_t;
    static constexpr bool kByColumns = true;
    static size_t bytes_of(const Strip& /*strip*/, int bins) { return sizeof(uint32_t) * size_t(bins); }

    PixelWindows(const BinPlane<Bin>& plane, const Strip& strip, int bins)
        : plane_(&plane),
          strip_(strip),
          counts_((size_t(bins) + kGroup - 1) / kGroup * kGroup),
          kept_(counts_.size() / kGroup) {}

    bool start(int y, const std::stop_token& stop) {
        y_ = y;
        for (int i = 0; i < strip_.window_width; ++i) {
            if (i % 16 == 15 && stop.stop_requested()) return false;
            enter(strip_.x + i);
        }
        return true;
    }
    void count_row(RowCounts& row) {
        const bool forth = at_ == 0;
        for (int k = 0; k < strip_.count; ++k) {
            if (k > 0) {
                const int edge = strip_.x + at_ - (forth ? 0 : 1), other_edge = edge + strip_.window_width;
                leave(forth ? edge : other_edge);
                enter(forth ? other_edge : edge);
                at_ += forth ? 1 : -1;
            }
            const auto i = size_t(at_);
            const uint16_t bin = *plane_->at(strip_.x + at_ + strip_.window_width / 2, y_ + strip_.window_height / 2);
            row.bin[i] = bin;
            row.own[i] = std::min(counts_[bin], strip_.clip);
            row.all[i] = all_;
            run_hot<sum_up_to>(counts_.data(), kept_.data(), bin, strip_.clip, row.upto[i]);
        }
    }
    void move_down() {
        for (int i = 0; i < strip_.window_width; ++i) {
            const Bin* column = plane_->at(strip_.x + at_ + i, y_);
            subtract(column[0]);
            add(column[strip_.window_height]);
        }
        ++y_;
    }

  private:
    static constexpr size_t kGroup = 256;  // bins whose sum is kept too

    TONESCOPE_HOT_LOOP static void sum_up_to(const uint32_t* counts, const uint32_t* kept, size_t bin, uint32_t clip,
                                             uint32_t& sum) {
        const size_t group = bin / kGroup;
        uint32_t found = 0;
        for (size_t g = 0; g < group; ++g) found += kept[g];
        for (size_t b = group * kGroup; b <= bin; ++b) found += std::min(counts[b], clip);
        sum = found;
    }
    void add(Bin bin) {
        const uint32_t is_kept = counts_[bin]++ < strip_.clip ? 1 : 0;
        kept_[bin / kGroup] += is_kept;
        all_ += is_kept;
    }
    void subtract(Bin bin) {
        const uint32_t was_kept = --counts_[bin] < strip_.clip ? 1 : 0;
        kept_[bin / kGroup] -= was_kept;
        all_ -= was_kept;
    }
    void enter(int x) {
        const Bin* column = plane_->at(x, y_);
        for (int j = 0; j < strip_.window_height; ++j) add(column[j]);
    }
    void leave(int x) {
        const Bin* column = plane_->at(x, y_);
        for (int j = 0; j < strip_.window_height; ++j) subtract(column[j]);
    }

    const BinPlane<Bin>* plane_;
    Strip strip_;
    int y_ = 0, at_ = 0;  // the window that is counted, `at_` of the strip
    uint32_t all_ = 0;    // kept in all bins
    std::vector<uint32_t> counts_, kept_;
};

/// Any number of bins, where a value is left out: a window has as many pixels as count, and a limit that goes with
/// them, so that its bins are added up anew at each pixel.
class CountedWindows {
  public:
    using Bin = uint32_t;
    static constexpr Bin kNone = UINT32_MAX;  // of a pixel that does not count
    static constexpr bool kByColumns = true;
    static size_t bytes_of(const Strip& /*strip*/, int bins) { return sizeof(uint32_t) * size_t(bins); }

    CountedWindows(const BinPlane<Bin>& plane, const Strip& strip, int bins)
        : plane_(&plane), strip_(strip), counts_(size_t(bins)) {}

    bool start(int y, const std::stop_token& stop) {
        y_ = y;
        for (int i = 0; i < strip_.window_width; ++i) {
            if (i % 16 == 15 && stop.stop_requested()) return false;
            add_column(strip_.x + i, 1);
        }
        return true;
    }
    void count_row(RowCounts& row) {
        row.pixels.resize(row.bin.size());
        const bool forth = at_ == 0;
        for (int k = 0; k < strip_.count; ++k) {
            if (k > 0) {
                const int edge = strip_.x + at_ - (forth ? 0 : 1), other_edge = edge + strip_.window_width;
                add_column(forth ? edge : other_edge, -1);
                add_column(forth ? other_edge : edge, 1);
                at_ += forth ? 1 : -1;
            }
            const auto i = size_t(at_);
            const Bin own = *plane_->at(strip_.x + at_ + strip_.window_width / 2, y_ + strip_.window_height / 2);
            const size_t bin = own == kNone ? 0 : own;
            const auto clip = uint32_t(std::max<int64_t>(1, strip_.clip * counted_ / strip_.window_pixels()));
            row.bin[i] = uint16_t(bin);
            row.own[i] = std::min(counts_[bin], clip);
            run_hot<add_up>(counts_.data(), bin + 1, clip, row.upto[i]);
            run_hot<add_up>(counts_.data() + bin + 1, counts_.size() - bin - 1, clip, row.all[i]);
            row.all[i] += row.upto[i];
            row.pixels[i] = uint32_t(std::max<int64_t>(1, counted_));  // without any, nobody asks
        }
    }
    void move_down() {
        for (int i = 0; i < strip_.window_width; ++i) {
            const Bin* column = plane_->at(strip_.x + at_ + i, y_);
            add(column[0], -1);
            add(column[strip_.window_height], 1);
        }
        ++y_;
    }

  private:
    TONESCOPE_HOT_LOOP static void add_up(const uint32_t* counts, size_t bins, uint32_t clip, uint32_t& sum) {
        uint32_t found = 0;
        for (size_t b = 0; b < bins; ++b) found += std::min(counts[b], clip);
        sum = found;
    }
    void add(Bin bin, int times) {
        if (bin == kNone) return;
        counts_[bin] += uint32_t(times);
        counted_ += times;
    }
    void add_column(int x, int times) {
        const Bin* column = plane_->at(x, y_);
        for (int j = 0; j < strip_.window_height; ++j) add(column[j], times);
    }

    const BinPlane<Bin>* plane_;
    Strip strip_;
    int y_ = 0, at_ = 0;   // the window that is counted, `at_` of the strip
    int64_t counted_ = 0;  // pixels of that window
    std::vector<uint32_t> counts_;
};

}  // namespace tonescope::clahe
