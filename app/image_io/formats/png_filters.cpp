// PNG's filters undone in several rows at once. A pixel needs its left neighbor, so within a row each waits for the one
// before; but the rows below can follow some pixels behind, each in its own lanes of one vector.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

constexpr int kRowsPerCheck = 64;  // of whether the load was stopped

enum Filter : uint8_t { kNone, kSub, kUp, kAverage, kPaeth };
// How far a row stays behind the one above it. With two pixels a result has a step's time to become the next row's
// upper neighbor.
constexpr int kLag_px = 2;

/// A pixel of every row, the upper row first. Pixels are words, which hold `samples` bytes and then anything.
template <int kRows>
struct Lanes {
    typedef uint32_t Words __attribute__((vector_size(kRows * 4)));
    typedef uint8_t Bytes __attribute__((vector_size(kRows * 4)));
    typedef int16_t Samples __attribute__((vector_size(kRows * 8)));
};

/// Rows that lie below each other.
struct Rows {
    const uint8_t* filtered;  // the filter byte of the first row
    size_t filtered_pitch;
    const uint8_t* above;  // of the image; zeros above the first row
    uint8_t* out;
    size_t out_pitch;
    int width, count;
};

TONESCOPE_HOT_LOOP uint32_t load_pixel(const uint8_t* from, bool gray) {
    if (gray) return *from;
    uint32_t word;
    std::memcpy(&word, from, 4);
    return word;
}

TONESCOPE_HOT_LOOP void store_pixel(uint8_t* to, uint32_t word, bool gray) {
    std::memcpy(to, &word, gray ? 1 : 4);
}

/// The lanes of the rows that have this filter, all bits set.
template <int kRows>
TONESCOPE_HOT_LOOP void mark(typename Lanes<kRows>::Samples& lanes, const Rows& rows, Filter filter) {
    for (int i = 0; i < kRows * 4; ++i) {
        const int row = i / 4;
        lanes[i] = int16_t(row < rows.count && rows.filtered[size_t(row) * rows.filtered_pitch] == filter ? -1 : 0);
    }
}

/// `rows.count` may be less than kRows. The filters are valid.
template <int kRows, int kSamples>
TONESCOPE_HOT_LOOP void undo_rows(const Rows& rows) {
    using Words = typename Lanes<kRows>::Words;
    using Bytes = typename Lanes<kRows>::Bytes;
    using Samples = typename Lanes<kRows>::Samples;
    constexpr bool kGray = kSamples == 1;
    constexpr int kOut_bytes = kGray ? 1 : 4;

    Samples is_sub, is_up, is_average, is_paeth;
    mark<kRows>(is_sub, rows, kSub);
    mark<kRows>(is_up, rows, kUp);
    mark<kRows>(is_average, rows, kAverage);
    mark<kRows>(is_paeth, rows, kPaeth);

    // All samples of the pixels left of a row's first one are 0, and stay 0 for every filter.
    Samples left{}, up{};
    Words last{}, second_last{};
    // At step t row k is at pixel t - k * kLag_px; at an edge some rows are beside the image.
    const auto step = [&](int t, auto at_edge) __attribute__((always_inline)) {
        const auto outside = [&](int row, int x) { return at_edge && (x < 0 || x >= rows.width || row >= rows.count); };
        Words filtered{};
        for (int row = 0; row < kRows; ++row) {
            const int x = t - row * kLag_px;
            if (outside(row, x)) continue;
            filtered[row] =
                load_pixel(rows.filtered + size_t(row) * rows.filtered_pitch + 1 + size_t(x) * kSamples, kGray);
        }
        Words above{};
        if (!outside(0, t)) above[0] = load_pixel(rows.above + size_t(t) * kOut_bytes, kGray);
        if constexpr (kRows == 2) above = __builtin_shufflevector(above, second_last, 0, 2);
        if constexpr (kRows == 4) above = __builtin_shufflevector(above, second_last, 0, 4, 5, 6);

        const Samples up_left = up;
        up = __builtin_convertvector(reinterpret_cast<Bytes>(above), Samples);
        const Samples d_left = up - up_left, d_up = left - up_left, d_up_left = d_left + d_up;
        const Samples to_left = d_left > -d_left ? d_left : -d_left;
        const Samples to_up = d_up > -d_up ? d_up : -d_up;
        const Samples to_up_left = d_up_left > -d_up_left ? d_up_left : -d_up_left;
        const Samples upper = to_up < to_up_left ? to_up : to_up_left;
        const Samples nearest = to_left < upper ? to_left : upper;
        const Samples paeth = to_left == nearest ? left : to_up == nearest ? up : up_left;
        const Samples predicted =
            (paeth & is_paeth) | (left & is_sub) | (up & is_up) | (((left + up) >> 1) & is_average);

        left = (__builtin_convertvector(reinterpret_cast<Bytes>(filtered), Samples) + predicted) & 255;
        second_last = last;
        last = reinterpret_cast<Words>(__builtin_convertvector(left, Bytes));
        const Words pixels = kSamples == 3 ? last | 0xFF000000u : last;
        for (int row = 0; row < kRows; ++row) {
            const int x = t - row * kLag_px;
            if (outside(row, x)) continue;
            store_pixel(rows.out + size_t(row) * rows.out_pitch + size_t(x) * kOut_bytes, pixels[row], kGray);
        }
    };
    constexpr int kRamp = kLag_px * (kRows - 1);
    const int steps = rows.width + kRamp;
    int t = 0;
    for (const int end = rows.count == kRows ? kRamp : steps; t < end; ++t) step(t, std::true_type{});
    for (; t < rows.width; ++t) step(t, std::false_type{});
    for (; t < steps; ++t) step(t, std::true_type{});
}

template <int kSamples>
TONESCOPE_AVX2 void undo_4_rows(const Rows& rows) {
    undo_rows<4, kSamples>(rows);
}

template <int kSamples>
void undo_2_rows(const Rows& rows) {
    undo_rows<2, kSamples>(rows);
}

}  // namespace

bool undo_png_filters(const uint8_t* rows, int samples, RowTarget image, const FileReader& file, bool avx2) {
    const ImageSpec& spec = image.spec();
    const size_t pitch = size_t(spec.width) * size_t(samples) + 1;
    const auto pick = [&](auto one, auto three, auto four) { return samples == 1 ? one : samples == 3 ? three : four; };
    const auto undo = avx2 ? pick(undo_4_rows<1>, undo_4_rows<3>, undo_4_rows<4>)
                           : pick(undo_2_rows<1>, undo_2_rows<3>, undo_2_rows<4>);
    const int at_once = avx2 ? 4 : 2;
    const std::vector<uint8_t> zeros(spec.row_bytes());
    const uint8_t* above = zeros.data();
    for (int y = 0; y < spec.height; y += at_once) {
        if (y % kRowsPerCheck == 0) file.check();
        const uint8_t* first = rows + size_t(y) * pitch;
        const int count = std::min(at_once, spec.height - y);
        for (int row = 0; row < count; ++row)
            if (first[size_t(row) * pitch] > kPaeth) return false;
        uint8_t* const out = image.row(y);
        undo({first, pitch, above, out, spec.row_bytes(), spec.width, count});
        above = out + size_t(count - 1) * spec.row_bytes();
        image.done(y + count);
    }
    return true;
}

}  // namespace tonescope::image_io
