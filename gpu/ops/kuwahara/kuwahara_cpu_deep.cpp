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
enum BoxWord : size_t { scaled_variances, means, kBoxWords };
using DeepBoxes = BoxRow<kBoxWords>;

/// Evaluates boxes of n[i] pixels; inverse[i] = 1 / n[i], half[i] = n[i] / 2 + 1/4. Means in double: the quotient lies
/// at least 2^-15 from every integer.
template <bool kGray>
TONESCOPE_HOT_LOOP void evaluate_deep_boxes(const uint64_t (*sums)[kChunkColumns], const uint32_t* n,
                                            const double* inverse, const double* half, int count,
                                            int64_t* __restrict variances, int64_t* __restrict colors) {
    for (int i = 0; i < count; ++i) {
        const uint64_t s = sums[blue_v][i] >> 32;
        variances[i] = int64_t(n[i] * sums[squares][i] - s * s);
    }
    for (int i = 0; i < count; ++i) {
        const auto mean = [&](uint64_t sum) {
            return uint64_t(uint32_t(int32_t((double(int32_t(sum)) + half[i]) * inverse[i])));
        };
        if constexpr (kGray) {
            colors[i] = int64_t(mean(sums[blue_v][i] >> 32));
        } else {
            const uint64_t rg = sums[red_green][i];
            colors[i] =
                int64_t(mean(rg & 0xffffffff) | mean(rg >> 32) << 16 | mean(sums[blue_v][i] & 0xffffffff) << 32);
        }
    }
}

/// Pixels whose four quadrants hold the same number of pixels take the mean of the one with the lowest variance among
/// top[i], top[i + radius], bottom[i], bottom[i + radius], the first one on a tie; alpha is that of `in`.
template <bool kGray>
TONESCOPE_HOT_LOOP void choose_deep_quadrants(const DeepBoxes& top, const DeepBoxes& bottom, int radius, int count,
                                              const uint16_t* in, uint16_t* __restrict out) {
    const int64_t *const top_variances = top.of[scaled_variances], *const top_means = top.of[means];
    const int64_t *const bottom_variances = bottom.of[scaled_variances], *const bottom_means = bottom.of[means];
    for (int i = 0; i < count; ++i) {
        int64_t least = top_variances[i], mean = top_means[i];
        const auto compare = [&](int64_t variance, int64_t other) {
            mean = variance < least ? other : mean;
            least = variance < least ? variance : least;
        };
        compare(top_variances[i + radius], top_means[i + radius]);
        compare(bottom_variances[i], bottom_means[i]);
        compare(bottom_variances[i + radius], bottom_means[i + radius]);
        if constexpr (kGray) {
            out[i] = uint16_t(mean);
        } else {
            uint64_t word;
            std::memcpy(&word, in + 4 * i, 8);
            word = (word >> 48 << 48) | uint64_t(mean);
            std::memcpy(out + 4 * i, &word, 8);
        }
    }
}

template <bool gray>
struct DeepKind {
    using Sample = uint16_t;
    using Real = double;
    using Product = Wide;
    static constexpr bool kGray = gray;
    static constexpr size_t kSumWords = gray ? size_t{red_green} : size_t{kuwahara::kSumWords};
    static constexpr size_t kBoxWords = kuwahara::kBoxWords;

    TONESCOPE_HOT_LOOP static void slide(const uint16_t* added, const uint16_t* removed, int count,
                                         const std::array<uint64_t*, kSumWords>& sums) {
        slide_deep_columns<gray>(added, removed, count, sums[blue_v], sums[squares], sums[kSumWords - 1]);
    }
    TONESCOPE_HOT_LOOP static void evaluate(const uint64_t (&sums)[kSumWords][kChunkColumns], const uint32_t* n,
                                            const double* inverse, const double* half, int count,
                                            const DeepBoxes& boxes) {
        evaluate_deep_boxes<gray>(sums, n, inverse, half, count, boxes.of[scaled_variances], boxes.of[means]);
    }
    TONESCOPE_HOT_LOOP static void choose(const DeepBoxes& top, const DeepBoxes& bottom, int radius, int count,
                                          const uint16_t* in, uint16_t* out) {
        choose_deep_quadrants<gray>(top, bottom, radius, count, in, out);
    }
    static int64_t scaled_variance(const DeepBoxes& boxes, int x) { return boxes.of[scaled_variances][x]; }
    static void write_mean(const DeepBoxes& boxes, int x, const uint16_t* in, uint16_t* out) {
        const auto mean = uint64_t(boxes.of[means][x]);
        for (int c = 0; c < (gray ? 1 : 3); ++c) out[c] = uint16_t(mean >> (16 * c));
        if constexpr (!gray) out[3] = in[3];
    }
};

}  // namespace

void filter_deep(const ImageView& input, int radius, const MutableImageView& output, int threads,
                 const std::stop_token& stop, RunProgress* progress) {
    const auto run = is_gray(input.spec.format) ? filter_bands<DeepKind<true>> : filter_bands<DeepKind<false>>;
    run(input, radius, output, threads, stop, progress);
}

}  // namespace tonescope::kuwahara
