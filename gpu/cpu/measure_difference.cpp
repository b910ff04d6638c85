#include "gpu/cpu/measure_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <numeric>
#include <vector>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/cpu/compared_rows.h"
#include "gpu/cpu/rows.h"

namespace tonescope {
namespace {

constexpr int kWindow = 11;
/// Rows of windows that a thread works on before it looks at the stop token.
constexpr int kWindowRows = 64;
/// Rows of two images that a thread compares at a time.
constexpr int kComparedRows = 16;

std::array<double, kWindow> gaussian() {
    constexpr double sigma = 1.5;
    std::array<double, kWindow> weights{};
    for (int k = 0; k < kWindow; ++k) {
        const double d = k - kWindow / 2;
        weights[size_t(k)] = std::exp(-d * d / (2 * sigma * sigma));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
    return weights;
}

struct Moments {
    double *x, *y, *xx, *yy, *xy;
};

/// Adds a row of both images to the weighted sums of x, y, x^2, y^2 and xy.
TONESCOPE_HOT_LOOP void weigh_row(const double* __restrict x, const double* __restrict y, double w, size_t n,
                                  const Moments& sums) {
    double* const __restrict mx = sums.x;
    double* const __restrict my = sums.y;
    double* const __restrict xx = sums.xx;
    double* const __restrict yy = sums.yy;
    double* const __restrict xy = sums.xy;
    for (size_t i = 0; i < n; ++i) {
        const double wx = w * x[i], wy = w * y[i];
        mx[i] += wx;
        my[i] += wy;
        xx[i] += wx * x[i];
        yy[i] += wy * y[i];
        xy[i] += wx * y[i];
    }
}

/// The weighted sums of neighboring columns, from `from` on: windows side by side.
TONESCOPE_HOT_LOOP void weigh_neighbors(const double* __restrict from, const double* __restrict weights, size_t n,
                                        double* __restrict to) {
    for (size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (size_t k = 0; k < kWindow; ++k) sum += weights[k] * from[i + k];
        to[i] = sum;
    }
}

struct SsimConstants {
    double middle, c1, c2;
};

/// SSIM of windows of which these are the moments, lumas less `middle`.
TONESCOPE_HOT_LOOP void combine(const Moments& m, const SsimConstants& c, size_t n, double* __restrict to) {
    const double *mx = m.x, *my = m.y, *xx = m.xx, *yy = m.yy, *xy = m.xy;
    for (size_t i = 0; i < n; ++i) {
        const double var_x = xx[i] - mx[i] * mx[i], var_y = yy[i] - my[i] * my[i];
        const double cov = xy[i] - mx[i] * my[i];
        const double x = mx[i] + c.middle, y = my[i] + c.middle;
        to[i] = (2 * x * y + c.c1) * (2 * cov + c.c2) / ((x * x + y * y + c.c1) * (var_x + var_y + c.c2));
    }
}

/// SSIM of the windows whose top rows are [first, first + count), as a sum.
class SsimBand {
  public:
    SsimBand(const ImageView& before, const ImageView& after)
        : max_sample_(after.spec.max_sample),
          before_(before, max_sample_),
          after_(after, max_sample_),
          width_(size_t(before.spec.width)),
          weights_(gaussian()) {
        for (auto& rows : {&lumas_before_, &lumas_after_}) rows->resize(width_ * kWindow);
        for (std::vector<double>& moment : moments_) moment.resize(width_);
    }

    double sum(int first, int count) {
        for (int y = first; y < first + kWindow - 1; ++y) load(y);
        double total = 0;
        for (int y = first; y < first + count; ++y) {
            load(y + kWindow - 1);
            weigh_columns(y);
            total += sum_row();
        }
        return total;
    }

  private:
    double* row_of(std::vector<double>& rows, int y) { return rows.data() + size_t(y % kWindow) * width_; }

    /// Luma less the middle of the range: variances stay the same, and their sums of squares small.
    void load(int y) {
        const int middle = (max_sample_ + 1) / 2;
        const auto load_into = [&](const ComparedRows& rows, double* row) {
            rows.each_luma(y, [&](int x, int value) { row[x] = value - middle; });
        };
        load_into(before_, row_of(lumas_before_, y));
        load_into(after_, row_of(lumas_after_, y));
    }

    static Moments moments_in(std::array<std::vector<double>, 5>& rows) {
        return {rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data(), rows[4].data()};
    }

    /// Weighted sums over the rows of the window.
    void weigh_columns(int top) {
        for (std::vector<double>& moment : moments_) std::ranges::fill(moment, 0.0);
        for (int k = 0; k < kWindow; ++k)
            run_hot<weigh_row>(row_of(lumas_before_, top + k), row_of(lumas_after_, top + k), weights_[size_t(k)],
                               width_, moments_in(moments_));
    }

    double sum_row() {
        const double range = max_sample_;
        const SsimConstants constants{double((max_sample_ + 1) / 2), 0.01 * range * 0.01 * range,
                                      0.03 * range * 0.03 * range};
        const size_t windows = width_ - kWindow + 1;
        double total = 0;
        for (size_t begin = 0; begin < windows; begin += kBlock) {
            const size_t n = std::min(kBlock, windows - begin);
            double m[5][kBlock], ssim[kBlock];
            for (size_t j = 0; j < 5; ++j)
                run_hot<weigh_neighbors>(moments_[j].data() + begin, weights_.data(), n, m[j]);
            run_hot<combine>(Moments{m[0], m[1], m[2], m[3], m[4]}, constants, n, ssim);
            total += std::accumulate(ssim, ssim + n, 0.0);
        }
        return total;
    }

    static constexpr size_t kBlock = 256;
    const int max_sample_;
    const ComparedRows before_, after_;
    size_t width_;
    std::array<double, kWindow> weights_;
    std::vector<double> lumas_before_, lumas_after_;  // the last kWindow rows
    std::array<std::vector<double>, 5> moments_;
};

}  // namespace

std::optional<double> measure_ssim(const ImageView& before, const ImageView& after, int threads,
                                   const std::stop_token& stop) {
    const int columns = before.spec.width - kWindow + 1, rows = before.spec.height - kWindow + 1;
    if (columns <= 0 || rows <= 0) return {};
    const int bands = (rows + kWindowRows - 1) / kWindowRows;
    std::vector<double> sums(size_t(bands), 0.0);  // added up in order: the same result with any number of threads
    parallel_pieces(threads, bands, 1, [&](Pieces& pieces) {
        SsimBand band(before, after);
        for (const int64_t k : pieces) {
            if (stop.stop_requested()) return;
            const int first = int(k) * kWindowRows;
            sums[size_t(k)] = band.sum(first, std::min(kWindowRows, rows - first));
        }
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0) / (double(columns) * rows);
}

DifferenceStatistics measure_levels_apart(const ImageView& before, const ImageView& after, int threads,
                                          const std::stop_token& stop) {
    struct Sums {
        int64_t absolute = 0, squared = 0;
        std::vector<int64_t> pixels_by_most;  // by the largest difference among the channels
    };
    const int max_sample = after.spec.max_sample;
    const ComparedRows rows_before(before, max_sample), rows_after(after, max_sample);
    const size_t differences = size_t(max_sample) + 1;
    Sums all{.pixels_by_most = std::vector<int64_t>(differences)};
    std::mutex adding;
    parallel_pieces(threads, before.spec.height, kComparedRows, [&](Pieces& pieces) {
        Sums sums{.pixels_by_most = std::vector<int64_t>(differences)};
        std::vector<std::array<int, 3>> row(size_t(before.spec.width));
        for (const int64_t y : pieces) {
            if (stop.stop_requested()) return;
            rows_before.each(int(y), [&](int x, int r, int g, int b) { row[size_t(x)] = {r, g, b}; });
            rows_after.each(int(y), [&](int x, int r, int g, int b) {
                const auto& from = row[size_t(x)];
                int most = 0;
                for (const int d : {std::abs(r - from[0]), std::abs(g - from[1]), std::abs(b - from[2])}) {
                    most = std::max(most, d);
                    sums.absolute += d;
                    sums.squared += int64_t{d} * d;
                }
                ++sums.pixels_by_most[size_t(most)];
            });
        }
        const std::lock_guard lock(adding);
        all.absolute += sums.absolute;
        all.squared += sums.squared;
        for (size_t d = 0; d < differences; ++d) all.pixels_by_most[d] += sums.pixels_by_most[d];
    });
    const auto& [absolute, squared, pixels_by_most] = all;
    int64_t changed = 0;
    int largest = 0, nearly_largest = 0;
    for (int d = 1; d <= max_sample; ++d) {
        changed += pixels_by_most[size_t(d)];
        if (pixels_by_most[size_t(d)] > 0) largest = d;
    }
    for (int64_t within = 0; 1000 * within < 999 * changed;) within += pixels_by_most[size_t(++nearly_largest)];
    const auto values = double(before.spec.pixels() * 3);
    DifferenceStatistics result{before.spec.pixels(), changed, double(absolute) / values, largest,
                                std::numeric_limits<double>::infinity()};
    result.max_sample = max_sample;
    if (squared > 0) result.psnr_db = 10 * std::log10(double(max_sample) * max_sample * values / double(squared));
    result.nearly_largest = nearly_largest;
    return result;
}

DifferenceStatistics measure_difference(const ImageView& before, const ImageView& after, int threads,
                                        std::stop_token stop) {
    DifferenceStatistics result = measure_levels_apart(before, after, threads, stop);
    result.ssim = measure_ssim(before, after, threads, stop);
    return result;
}

}  // namespace tonescope
