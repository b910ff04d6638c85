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

/// A kind of pixel: 1, 3 or 4 samples of 8 or, deep, of 16 bits, which the file holds with the upper byte first.
template <int samples, bool deep>
struct Pixel {
    static constexpr bool kGray = samples == 1, kOpaque = samples == 3, kDeep = deep;
    static constexpr int kFile_bytes = samples * (deep ? 2 : 1);
    static constexpr int kOut_bytes = (kGray ? 1 : 4) * (deep ? 2 : 1);
    /// Holds what the file has of a pixel, and then anything.
    using Word = std::conditional_t<kGray, uint16_t, std::conditional_t<deep, uint64_t, uint32_t>>;
    static constexpr Word kAlpha = kOpaque ? Word(deep ? 0xFFFFull << 48 : 0xFF000000u) : Word(0);
};

/// A pixel of every row, the upper row first; filters take every byte by itself.
template <class Word, int kRows>
struct Lanes {
    static constexpr int kBytes = kRows * int(sizeof(Word));
    typedef Word Words __attribute__((vector_size(kBytes)));
    typedef uint8_t Bytes __attribute__((vector_size(kBytes)));
    typedef int16_t Samples __attribute__((vector_size(2 * kBytes)));
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

template <int bytes, class Word>
TONESCOPE_HOT_LOOP Word load_word(const uint8_t* from) {
    Word word = 0;
    std::memcpy(&word, from, bytes);
    return word;
}

/// The two bytes of each sample change places, in a word or in a vector of them.
template <class Word, class Words>
TONESCOPE_HOT_LOOP Words swap_bytes(Words words) {
    constexpr Word kLower = Word(0x00FF00FF00FF00FF);
    return static_cast<Words>((words & kLower) << 8 | (words >> 8 & kLower));
}

/// The lanes of the rows that have this filter, all bits set.
template <class Kind, int kRows>
TONESCOPE_HOT_LOOP void mark(typename Lanes<typename Kind::Word, kRows>::Samples& lanes, const Rows& rows,
                             Filter filter) {
    for (int i = 0; i < Lanes<typename Kind::Word, kRows>::kBytes; ++i) {
        const int row = i / int(sizeof(typename Kind::Word));
        lanes[i] = int16_t(row < rows.count && rows.filtered[size_t(row) * rows.filtered_pitch] == filter ? -1 : 0);
    }
}

/// `rows.count` may be less than kRows. The filters are valid.
template <class Kind, int kRows>
TONESCOPE_HOT_LOOP void undo_rows(const Rows& rows) {
    using Word = typename Kind::Word;
    using Words = typename Lanes<Word, kRows>::Words;
    using Bytes = typename Lanes<Word, kRows>::Bytes;
    using Samples = typename Lanes<Word, kRows>::Samples;
    constexpr int kRead_bytes = Kind::kGray ? Kind::kOut_bytes : int(sizeof(Word));

    Samples is_sub, is_up, is_average, is_paeth;
    mark<Kind, kRows>(is_sub, rows, kSub);
    mark<Kind, kRows>(is_up, rows, kUp);
    mark<Kind, kRows>(is_average, rows, kAverage);
    mark<Kind, kRows>(is_paeth, rows, kPaeth);

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
            filtered[row] = load_word<kRead_bytes, Word>(rows.filtered + size_t(row) * rows.filtered_pitch + 1 +
                                                         size_t(x) * Kind::kFile_bytes);
        }
        Words above{};
        if (!outside(0, t)) {
            const Word word = load_word<Kind::kOut_bytes, Word>(rows.above + size_t(t) * Kind::kOut_bytes);
            above[0] = Kind::kDeep ? swap_bytes<Word>(word) : word;
        }
        if constexpr (kRows == 2) above = __builtin_shufflevector(above, second_last, 0, 2);
        if constexpr (kRows == 4) above = __builtin_shufflevector(above, second_last, 0, 4, 5, 6);
        if constexpr (kRows == 8) above = __builtin_shufflevector(above, second_last, 0, 8, 9, 10, 11, 12, 13, 14);

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
        const Words pixels = (Kind::kDeep ? swap_bytes<Word>(last) : last) | Kind::kAlpha;
        for (int row = 0; row < kRows; ++row) {
            const int x = t - row * kLag_px;
            if (outside(row, x)) continue;
            const Word word = pixels[row];
            std::memcpy(rows.out + size_t(row) * rows.out_pitch + size_t(x) * Kind::kOut_bytes, &word,
                        Kind::kOut_bytes);
        }
    };
    constexpr int kRamp = kLag_px * (kRows - 1);
    const int steps = rows.width + kRamp;
    int t = 0;
    for (const int end = rows.count == kRows ? kRamp : steps; t < end; ++t) step(t, std::true_type{});
    for (; t < rows.width; ++t) step(t, std::false_type{});
    for (; t < steps; ++t) step(t, std::true_type{});
}

/// As many rows as fill a vector once their bytes are widened.
template <class Kind>
inline constexpr int kRowsWithAvx2 = 16 / sizeof(typename Kind::Word);
template <class Kind>
inline constexpr int kRowsWithout = 8 / sizeof(typename Kind::Word);

template <class Kind>
TONESCOPE_AVX2 void undo_with_avx2(const Rows& rows) {
    undo_rows<Kind, kRowsWithAvx2<Kind>>(rows);
}

template <class Kind>
void undo_without(const Rows& rows) {
    undo_rows<Kind, kRowsWithout<Kind>>(rows);
}

struct Undo {
    void (*run)(const Rows& rows);
    int rows, file_bytes;  // at once; a pixel
};

template <class Kind>
Undo choose_undo(bool avx2) {
    return avx2 ? Undo{undo_with_avx2<Kind>, kRowsWithAvx2<Kind>, Kind::kFile_bytes}
                : Undo{undo_without<Kind>, kRowsWithout<Kind>, Kind::kFile_bytes};
}

template <bool deep>
Undo choose_undo(int samples, bool avx2) {
    return samples == 1   ? choose_undo<Pixel<1, deep>>(avx2)
           : samples == 3 ? choose_undo<Pixel<3, deep>>(avx2)
                          : choose_undo<Pixel<4, deep>>(avx2);
}

}  // namespace

bool undo_png_filters(const uint8_t* rows, int samples, RowTarget image, const FileReader& file, bool avx2) {
    const ImageSpec& spec = image.spec();
    const Undo undo = is_deep(spec.format) ? choose_undo<true>(samples, avx2) : choose_undo<false>(samples, avx2);
    const size_t pitch = size_t(spec.width) * size_t(undo.file_bytes) + 1;
    const std::vector<uint8_t> zeros(spec.row_bytes());
    const uint8_t* above = zeros.data();
    for (int y = 0; y < spec.height; y += undo.rows) {
        if (y % kRowsPerCheck == 0) file.check();
        const uint8_t* first = rows + size_t(y) * pitch;
        const int count = std::min(undo.rows, spec.height - y);
        for (int row = 0; row < count; ++row)
            if (first[size_t(row) * pitch] > kPaeth) return false;
        uint8_t* const out = image.row(y);
        undo.run({first, pitch, above, out, spec.row_bytes(), spec.width, count});
        above = out + size_t(count - 1) * spec.row_bytes();
        image.done(y + count);
    }
    return true;
}

}  // namespace tonescope::image_io
