// All four quadrants of a pixel are boxes of one shape: the top-left one ends at the pixel, the others end `radius`
// further right, further down, or both. So each box is summed and evaluated once, from sums over columns that slide
// down and a sum over these that slides right (running sums), and a pixel chooses among four evaluated boxes. A box is
// named by its last column and row; it is cut off at the border, and boxes that end past the right or bottom border are
// needed by the pixels before it.
#include <algorithm>
#include <vector>

#include "gpu/cpu/rows.h"
#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/kuwahara_cpu_bands.h"

namespace tonescope::kuwahara {
namespace {

// The inner loops, over neighboring columns of one row, become part of the function that calls them, and so are
// compiled for its instruction set. Counts are in pixels or boxes.

/// What one pixel adds to the sums; gray pixels have no colors.
struct PixelTerms {
    int32_t red, green, blue, v, v_squared;
};

template <bool kGray>
TONESCOPE_HOT_LOOP PixelTerms load_terms(const uint8_t* row, int x) {
    if constexpr (kGray) {
        const int32_t v = row[x];
        return {0, 0, 0, v, v * v};
    } else {
        const uint32_t word = load_word(row + 4 * x);
        const int32_t r = word & 255, g = word >> 8 & 255, b = word >> 16 & 255;
        const int32_t v = std::max(std::max(r, g), b);
        return {r, g, b, v, v * v};
    }
}

/// The difference of two terms as a field of a 64-bit word, from bit `shift` on.
TONESCOPE_HOT_LOOP uint64_t field(int32_t in, int32_t out, int shift) {
    return uint64_t(int64_t{in - out}) << shift;
}

/// Adds the pixels of `added` to the sums over columns and takes away those of `removed`. Sums over a column or a box
/// are fields of 64-bit words. `colors`: R, G and B in 21 bits each (at most 65 * 65 * 255 < 2^21); `values`: the sum
/// of V^2 in the lower half (at most 65 * 65 * 65025 < 2^29), that of V in the upper. Words are added and subtracted
/// whole: borrows between fields cancel, as the fields of every sum fit.
template <bool kGray>
TONESCOPE_HOT_LOOP void slide_columns(const uint8_t* added, const uint8_t* removed, int count,
                                      uint64_t* __restrict colors, uint64_t* __restrict values) {
    for (int i = 0; i < count; ++i) {
        const PixelTerms in = load_terms<kGray>(added, i), out = load_terms<kGray>(removed, i);
        if constexpr (!kGray)
            colors[i] += field(in.red, out.red, 0) + field(in.green, out.green, 21) + field(in.blue, out.blue, 42);
        values[i] += field(in.v_squared, out.v_squared, 0) + field(in.v, out.v, 32);
    }
}

/// An evaluated box: n^2 times the variance of V in the upper 40 bits, the mean color (gray: the mean value) in the
/// lower 24. The variance of 0 ... 255 is at most (255 / 2)^2, so the upper part is at most 4225^2 * 65025 / 4 < 2^39,
/// and the word positive.
using EvaluatedBox = int64_t;
constexpr EvaluatedBox kMeanBits = 0xffffff;

/// Evaluates boxes of n[i] pixels; inverse[i] = 1 / n[i], half[i] = n[i] / 2 + 1/4. Means are
/// floor((2 sum + n) / (2 n)) = floor((sum + n / 2 + 1/4) / n), in float: the quotient with 1/4 lies at least
/// 1 / (4 n) from every integer, which is above 2^-14.1 for n up to 4225, and float is off by less than 2^-14.9 below
/// 256.
template <bool kGray>
TONESCOPE_HOT_LOOP void evaluate_boxes(const uint64_t* colors, const uint64_t* values, const uint32_t* n,
                                       const float* inverse, const float* half, int count,
                                       EvaluatedBox* __restrict boxes) {
    for (int i = 0; i < count; ++i) {
        const uint32_t s = uint32_t(values[i] >> 32), q = uint32_t(values[i]);
        const uint64_t scaled_variance = uint64_t{n[i]} * q - uint64_t{s} * s;
        const auto mean = [&](uint32_t sum) { return uint32_t(int32_t((float(int32_t(sum)) + half[i]) * inverse[i])); };
        uint32_t means;
        if constexpr (kGray) {
            means = mean(s);
        } else {
            constexpr uint32_t kField = (1 << 21) - 1;
            means = mean(uint32_t(colors[i]) & kField) | mean(uint32_t(colors[i] >> 21) & kField) << 8 |
                    mean(uint32_t(colors[i] >> 42)) << 16;
        }
        boxes[i] = EvaluatedBox(scaled_variance << 24 | means);
    }
}

/// Pixels whose four quadrants hold the same number of pixels take the mean of the one with the lowest variance among
/// top[i], top[i + radius], bottom[i], bottom[i + radius]; alpha is that of `in`. With all mean bits set, a box is less
/// than another one only if its variance is lower: on a tie the earlier one stays.
template <bool kGray>
TONESCOPE_HOT_LOOP void choose_quadrants(const EvaluatedBox* top, const EvaluatedBox* bottom, int radius, int count,
                                         const uint8_t* in, uint8_t* __restrict out) {
    for (int i = 0; i < count; ++i) {
        EvaluatedBox best = top[i];
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

template <bool gray>
struct ByteKind {
    using Sample = uint8_t;
    using Real = float;
    using Product = uint64_t;
    static constexpr bool kGray = gray;
    enum : size_t { values, colors };
    static constexpr size_t kSumWords = gray ? 1 : 2, kBoxWords = 1;
    using Boxes = BoxRow<kBoxWords>;

    TONESCOPE_HOT_LOOP static void slide(const uint8_t* added, const uint8_t* removed, int count,
                                         const std::array<uint64_t*, kSumWords>& sums) {
        slide_columns<gray>(added, removed, count, sums[kSumWords - 1], sums[values]);
    }
    TONESCOPE_HOT_LOOP static void evaluate(const uint64_t (&sums)[kSumWords][kChunkColumns], const uint32_t* n,
                                            const float* inverse, const float* half, int count, const Boxes& boxes) {
        evaluate_boxes<gray>(sums[kSumWords - 1], sums[values], n, inverse, half, count, boxes.of[0]);
    }
    TONESCOPE_HOT_LOOP static void choose(const Boxes& top, const Boxes& bottom, int radius, int count,
                                          const uint8_t* in, uint8_t* out) {
        choose_quadrants<gray>(top.of[0], bottom.of[0], radius, count, in, out);
    }
    static uint64_t scaled_variance(const Boxes& boxes, int x) { return uint64_t(boxes.of[0][x]) >> 24; }
    static void write_mean(const Boxes& boxes, int x, const uint8_t* in, uint8_t* out) {
        const EvaluatedBox box = boxes.of[0][x];
        for (int c = 0; c < (gray ? 1 : 3); ++c) out[c] = uint8_t(box >> (8 * c));
        if constexpr (!gray) out[3] = in[3];
    }
};

/// The filter at a cost that does not depend on the radius (1 to 64). `output` is undefined once `stop` is set.
/// `progress` may be null. Each thread takes about 24 + 8 (radius + 1) bytes of memory a column, twice that of deep
/// images; throws std::bad_alloc where that is not to be had.
void filter(const ImageView& input, int radius, const MutableImageView& output, int threads,
            const std::stop_token& stop, RunProgress* progress = nullptr) {
    const auto run = is_deep(input.spec.format)   ? filter_deep
                     : is_gray(input.spec.format) ? filter_bands<ByteKind<true>>
                                                  : filter_bands<ByteKind<false>>;
    run(input, radius, output, threads, stop, progress);
}

void run_parallel(const CpuJob& job) {
    const ScopedStage stage(job.stages, "filter");
    filter(job.input, job.params.as<Params>().radius, job.output, job.threads, job.stop, job.progress);
}

const VariantRegistration parallel_variant({
    .op = "kuwahara",
    .id = "parallel",
    .name = "All cores",
    .follows = "cpu",
    .builds_on = "cpu",
    .preferred = true,
    .any_depth = true,
    .idea = "The four quadrants are one and the same box at four places, so each box is summed once, by sums that "
            "slide down and to the right, and a pixel chooses among four finished boxes; bands of rows go to threads.",
    .cost = "The same for every radius: two pixels enter and leave each sum, and a pixel compares four 64-bit words.",
    .flaw = "It keeps radius + 1 rows of finished boxes, 8 bytes each, which leave the L2 cache at large radii and "
            "widths, and each band works out as many rows of them as the radius that its neighbor has too.",
    .work =
        [](const WorkCase& c) {
            return Work{{"filter", c.pixels() * Amounts{.bytes = 2.0 * bytes_per_pixel(c.image.format),
                                                        .operations = c.is_gray() ? 50.0 : 90.0}}};
        },
    .run_cpu = run_parallel,
});

constexpr int64_t kMaxExact_px = 1 << 20;  // larger regions are filtered on a reduced copy

/// Positions first, first + step, ... of one axis: those that are shown, and up to `margin` more on either side, inside
/// the image.
struct Samples {
    Samples(int begin, int shown_px, int step, int margin, int size_px)
        : before(std::min(margin, begin / step)),
          first(begin - before * step),
          count(std::min((begin + shown_px - 1 - first) / step + 1 + margin, (size_px - 1 - first) / step + 1)) {}
    int before;  // samples before the first one that is shown
    int first;   // pixels
    int count;
};

}  // namespace

/// Small regions are filtered exactly and then sampled. Larger ones are sampled first, and the radius shrinks with
/// them.
void preview(const PreviewJob& job) {
    const int radius = job.params.as<Params>().radius;
    const Rect& region = job.region;
    const int64_t exact_px = (int64_t{region.width} + 2 * radius) * (int64_t{region.height} + 2 * radius);
    const bool exact = job.step == 1 || exact_px <= kMaxExact_px;
    const int sample_step = exact ? 1 : job.step;  // of what is filtered
    const int pick_step = exact ? job.step : 1;    // of what is shown, in samples
    const int sample_radius = exact ? radius : std::max(1, (radius + job.step / 2) / job.step);

    const Samples xs(region.x, region.width, sample_step, sample_radius, job.input.spec.width);
    const Samples ys(region.y, region.height, sample_step, sample_radius, job.input.spec.height);
    ImageSpec spec = job.input.spec;
    spec.width = xs.count;
    spec.height = ys.count;
    HostImage samples(spec);
    sample(job.input, xs.first, ys.first, sample_step, samples.mutable_view(), job.threads);
    HostImage filtered(samples.spec());
    filter(samples.view(), sample_radius, filtered.mutable_view(), job.threads, job.stop);
    sample(filtered.view(), xs.before, ys.before, pick_step, job.output, job.threads);
}

}  // namespace tonescope::kuwahara
