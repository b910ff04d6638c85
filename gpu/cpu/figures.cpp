#include "gpu/core/figures/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "gpu/core/figures/figure_series.h"
#include "gpu/core/statistics.h"
#include "gpu/cpu/luma_measures.h"
#include "gpu/cpu/measure_difference.h"

namespace tonescope {

struct Lumas {
    int min = 0, max = 0;
    double mean = 0, deviation = 0, entropy_bits = 0;
};

/// What is measured of one image.
struct SideMeasures {
    std::optional<Lumas> lumas;
    std::optional<std::vector<BlockRange>> blocks;
    std::optional<double> gradient;
};
/// Of the image before also the blocks that count as flat, and their noise.
struct BeforeMeasures : SideMeasures {
    std::optional<std::vector<bool>> flat;
    std::optional<std::optional<double>> noise;
};

/// What several figures need, measured when the first of them asks for it.
class Measures {
  public:
    /// `known`: what has been measured of `before` in samples of the same range.
    Measures(const ImageView* before, const ImageView& after, int threads, std::stop_token stop,
             BeforeMeasures known = {})
        : before_(before != nullptr ? std::optional(*before) : std::nullopt),
          after_(after),
          threads_(threads),
          stop_(std::move(stop)),
          of_before_(std::move(known)) {}
    const BeforeMeasures& of_before() const { return of_before_; }

    bool has(FigureSide side) const { return side == FigureSide::after || before_; }
    int max_sample() const { return after_.spec.max_sample; }

    const Lumas& lumas(FigureSide side) {
        return kept(of(side).lumas, [&] { return lumas_of(count_lumas(source(side), threads_, stop_)); });
    }
    const std::vector<BlockRange>& blocks(FigureSide side) {
        return kept(of(side).blocks, [&] { return block_ranges(source(side), threads_, stop_); });
    }
    double gradient(FigureSide side) {
        return kept(of(side).gradient, [&] { return mean_gradient(source(side), threads_, stop_); });
    }
    std::optional<double> noise(FigureSide side) {
        const auto measure = [&] {
            return median_high_pass(source(side), kept(of_before_.flat, [&] { return flat_blocks(); }), threads_,
                                    stop_);
        };
        return side == FigureSide::before ? kept(of_before_.noise, measure) : measure();
    }
    NeighborPairs order() {
        return compare_order(source(FigureSide::before), source(FigureSide::after), threads_, stop_);
    }
    const DifferenceStatistics& difference() {
        return kept(difference_, [&] { return measure_levels_apart(*before_, after_, threads_, stop_); });
    }
    std::optional<double> ssim() {
        return kept(ssim_, [&] { return measure_ssim(*before_, after_, threads_, stop_); });
    }
    /// With as much of it as was needed.
    std::optional<DifferenceStatistics> known_difference() const {
        std::optional<DifferenceStatistics> known = difference_;
        if (known && ssim_) known->ssim = *ssim_;
        return known;
    }
    double clipped_share(FigureSide side, bool only_new) {
        const Clipping& clipping = kept(clipping_, [&] {
            const ImageView& first = before_ ? *before_ : after_;
            return measure_clipping(first, &after_, {0, first.spec.max_sample}, threads_, stop_);
        });
        const ClippingCounts& counts = side == FigureSide::before ? clipping.before : *clipping.after;
        return 100.0 * double(only_new ? counts.either_added : counts.either) / double(counts.pixels);
    }

  private:
    SideMeasures& of(FigureSide side) {
        return side == FigureSide::before ? static_cast<SideMeasures&>(of_before_) : of_after_;
    }
    template <class T>
    static T& kept(std::optional<T>& value, auto make) {
        if (!value) value = make();
        return *value;
    }
    LumaSource source(FigureSide side) const { return {side == FigureSide::before ? *before_ : after_, max_sample()}; }
    static Lumas lumas_of(const std::vector<uint64_t>& counts) {
        Lumas result;
        double pixels = 0, sum = 0, squares = 0;
        result.min = -1;
        for (size_t v = 0; v < counts.size(); ++v) {
            if (counts[v] == 0) continue;
            if (result.min < 0) result.min = int(v);
            result.max = int(v);
            pixels += double(counts[v]);
            sum += double(counts[v]) * double(v);
        }
        result.min = std::max(result.min, 0);
        if (pixels == 0) return result;
        result.mean = sum / pixels;
        for (size_t v = 0; v < counts.size(); ++v) {
            if (counts[v] == 0) continue;
            const double p = double(counts[v]) / pixels, d = double(v) - result.mean;
            squares += p * d * d;
            result.entropy_bits -= p * std::log2(p);
        }
        result.deviation = std::sqrt(squares);
        return result;
    }
    /// The quarter of the blocks of before with the least range, and those of the same range; without blocks that hold
    /// the least or the greatest luma, where noise may be cut off.
    std::vector<bool> flat_blocks() {
        const std::vector<BlockRange>& all = blocks(FigureSide::before);
        const auto is_whole = [&](const BlockRange& block) { return block.min > 0 && block.max < max_sample(); };
        std::vector<int> ranges;
        for (const BlockRange& block : all)
            if (is_whole(block)) ranges.push_back(block.max - block.min);
        std::vector<bool> flat(all.size());
        if (ranges.empty()) return flat;
        const auto quarter = ranges.begin() + ptrdiff_t((ranges.size() - 1) / 4);
        std::ranges::nth_element(ranges, quarter);
        for (size_t k = 0; k < all.size(); ++k) flat[k] = is_whole(all[k]) && all[k].max - all[k].min <= *quarter;
        return flat;
    }

    const std::optional<ImageView> before_;
    const ImageView after_;
    const int threads_;
    const std::stop_token stop_;
    BeforeMeasures of_before_;
    SideMeasures of_after_;
    std::optional<DifferenceStatistics> difference_;
    std::optional<std::optional<double>> ssim_;
    std::optional<Clipping> clipping_;
};

namespace {

using Value = std::optional<double>;

Value michelson(Measures& measures, FigureSide side) {
    const auto& lumas = measures.lumas(side);
    return lumas.max == 0 ? 0 : double(lumas.max - lumas.min) / (lumas.max + lumas.min);
}

Value eme(Measures& measures, FigureSide side) {
    const std::vector<BlockRange>& blocks = measures.blocks(side);
    if (blocks.empty()) return {};
    const double level = measures.max_sample() / 255.0;
    double sum = 0;
    for (const BlockRange& block : blocks) sum += 20 * std::log((block.max + level) / (block.min + level));
    return sum / double(blocks.size());
}

Value noise_gain(Measures& measures, FigureSide) {
    const Value before = measures.noise(FigureSide::before);
    if (!before) return {};
    return *measures.noise(FigureSide::after) / *before;
}

Value tone_reversals(Measures& measures, FigureSide) {
    const NeighborPairs pairs = measures.order();
    if (pairs.all == 0) return {};
    return 100.0 * double(pairs.reversed) / double(pairs.all);
}

constexpr FigureInfo kFigures[] = {
    {"mean", "Mean", "levels", 2, false, false, "Mean luma, in levels of the image's samples.", "Arithmetic mean.",
     [](Measures& m, FigureSide side) -> Value { return m.lumas(side).mean; }},
    {"entropy", "Entropy", "bits", 3, false, false,
     "Information in the histogram of the lumas: the sum of -p log2 p over the shares p of its levels.",
     "C. E. Shannon, A mathematical theory of communication, 1948; as skimage.measure.shannon_entropy.",
     [](Measures& m, FigureSide side) -> Value { return m.lumas(side).entropy_bits; }},
    {"michelson", "Michelson contrast", "", 3, false, false,
     "(greatest - least) / (greatest + least) of the lumas, 0 to 1. One black pixel makes it 1, so that it says most "
     "of "
     "a small part.",
     "A. A. Michelson, Studies in optics, 1927.", michelson},
    {"rms", "RMS contrast", "", 4, false, false,
     "Standard deviation of the lumas as a share of the greatest sample: 0 to 0.5.",
     "E. Peli, Contrast in complex images, Journal of the Optical Society of America A 7(10), 1990.",
     [](Measures& m, FigureSide side) -> Value { return m.lumas(side).deviation / m.max_sample(); }},
    {"eme", "EME", "", 2, false, false,
     "Measure of enhancement: the mean over the whole blocks of 8 x 8 pixels of 20 ln((greatest + c) / (least + c)) of "
     "their lumas, where c is one of 255 levels, so that black is no division by zero.",
     "S. S. Agaian, B. Silver and K. A. Panetta, Transform coefficient histogram-based image enhancement algorithms "
     "using contrast entropy, IEEE Transactions on Image Processing 16(3), 2007, which has no c.",
     eme},
    {"gradient", "Mean gradient", "levels/px", 3, false, false,
     "Mean length of the gradient of the lumas, by central differences, at the borders by one-sided ones.",
     "The differences are numpy.gradient's.", [](Measures& m, FigureSide side) -> Value { return m.gradient(side); }},
    {"clipped", "Clipped", "%", 3, false, false,
     "Share of the pixels that have a channel (gray: a value) at 0 or at the greatest sample.",
     "Counted as in the panel Clipped pixels with its thresholds at the ends.",
     [](Measures& m, FigureSide side) -> Value { return m.clipped_share(side, false); }},
    {"newly_clipped", "Newly clipped", "%", 3, true, false,
     "Share of the pixels that have a channel at an end of the range at which no channel of the same pixel was before.",
     "Counted as in the panel Clipped pixels with its thresholds at the ends.",
     [](Measures& m, FigureSide) -> Value { return m.clipped_share(FigureSide::after, true); }},
    {"noise_gain", "Noise gain", "", 2, true, false,
     "Noise in flat regions, after over before: the median absolute value of a high pass of the lumas (kernel 1 -2 1, "
     "-2 4 -2, 1 -2 1) at the inner pixels of the flat blocks, interpolated within its level. Flat are, of the 8 x 8 "
     "blocks of before without a black or white pixel, the quarter with the least range.",
     "J. Immerk\u00e6r, Fast noise variance estimation, Computer Vision and Image Understanding 64(2), 1996, for the "
     "kernel; F. R. Hampel, The influence curve and its role in robust estimation, 1974, for the median.",
     noise_gain},
    {"tone_reversals", "Tone reversals", "%", 3, true, false,
     "Share of the pairs of pixels beside or below each other of which one is darker before and brighter after.",
     "In the way of the lightness order error of S. Wang, J. Zheng, H.-M. Hu and B. Li, Naturalness preserved "
     "enhancement algorithm for non-uniform illumination images, IEEE Transactions on Image Processing 22(9), 2013.",
     tone_reversals},
    {"changed", "Changed", "%", 2, true, true, "Share of the pixels that differ in at least one color channel.",
     "Counted.",
     [](Measures& m, FigureSide) -> Value {
         return 100.0 * double(m.difference().changed) / double(m.difference().pixels);
     }},
    {"mean_difference", "Mean difference", "levels", 2, true, true, "Mean absolute difference of the color channels.",
     "Arithmetic mean.", [](Measures& m, FigureSide) -> Value { return m.difference().mean; }},
    {"largest_difference", "Largest difference", "levels", 0, true, true,
     "Largest absolute difference of a color channel.", "Maximum.",
     [](Measures& m, FigureSide) -> Value { return m.difference().largest; }},
    {"psnr", "PSNR", "dB", 2, true, true,
     "Peak signal-to-noise ratio of the color channels: 10 log10(M\u00b2 / mean squared difference), where M is the "
     "greatest sample. Infinite where nothing differs.",
     "As skimage.metrics.peak_signal_noise_ratio.",
     [](Measures& m, FigureSide) -> Value { return m.difference().psnr_db; }},
    {"ssim", "SSIM", "", 4, true, true,
     "Structural similarity of the lumas, mean over all positions of an 11 x 11 Gaussian window with a standard "
     "deviation of 1.5 pixels: 1 where nothing differs.",
     "Z. Wang, A. C. Bovik, H. R. Sheikh and E. P. Simoncelli, Image quality assessment: from error visibility to "
     "structural similarity, IEEE Transactions on Image Processing 13(4), 2004.",
     [](Measures& m, FigureSide) -> Value { return m.ssim(); }},
};

}  // namespace

std::span<const FigureInfo> figures() {
    return kFigures;
}

const FigureInfo* find_figure(std::string_view id) {
    const auto found = std::ranges::find(kFigures, id, &FigureInfo::id);
    return found == std::end(kFigures) ? nullptr : found;
}

static FigureValues values_of(std::span<const FigureInfo* const> wanted, Measures& measures,
                              const std::stop_token& stop) {
    FigureValues values{{wanted.begin(), wanted.end()}, {}, {}, {}};
    for (const FigureInfo* figure : wanted) {
        const auto value_of = [&](FigureSide side) {
            const bool is_defined = measures.has(side) && (!figure->of_pair || measures.has(FigureSide::before));
            return is_defined && !stop.stop_requested() ? figure->function(measures, side) : Value();
        };
        values.before.push_back(figure->of_pair ? Value() : value_of(FigureSide::before));
        values.after.push_back(value_of(FigureSide::after));
    }
    values.difference = measures.known_difference();
    return values;
}

FigureValues measure_figures(std::span<const FigureInfo* const> wanted, const ImageView* before, const ImageView& after,
                             int threads, std::stop_token stop) {
    Measures measures(before, after, threads, stop);
    return values_of(wanted, measures, stop);
}

struct FigureSeries::Known {
    const ImageView before;
    std::mutex mutex = {};
    int max_sample = 0;  // of the range that it was measured in
    BeforeMeasures measures = {};
};

FigureSeries::FigureSeries(const ImageView& before) : known_(new Known{before}) {}
FigureSeries::~FigureSeries() = default;

FigureValues FigureSeries::measure(std::span<const FigureInfo* const> wanted, const ImageView& after, int threads,
                                   std::stop_token stop) const {
    BeforeMeasures before;
    {
        const std::lock_guard lock(known_->mutex);
        if (known_->max_sample == after.spec.max_sample) before = known_->measures;
    }
    Measures measures(&known_->before, after, threads, stop, std::move(before));
    FigureValues values = values_of(wanted, measures, stop);
    if (!stop.stop_requested()) {
        const std::lock_guard lock(known_->mutex);
        known_->max_sample = after.spec.max_sample;
        known_->measures = measures.of_before();
    }
    return values;
}

}  // namespace tonescope
