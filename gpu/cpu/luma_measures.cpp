#include "gpu/cpu/luma_measures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <numeric>

#include "gpu/core/parallel.h"
#include "gpu/cpu/compared_rows.h"

namespace tonescope {
namespace {

/// Rows that a thread works on before it looks at the stop token; whole blocks of them.
constexpr int kBandRows = 8 * kBlock_px;
constexpr int kInner_px = kBlock_px - 2;

/// Some rows of lumas.
class LumaRows {
  public:
    explicit LumaRows(const LumaSource& source) : source_(source), rows_(source_.image, source.max_sample) {}

    /// Those of [first, first + count) that the image has.
    void load(int first, int count) {
        first_ = std::max(first, 0);
        const int end = std::min(first + count, source_.image.spec.height);
        const auto width = size_t(source_.image.spec.width);
        lumas_.resize(width * size_t(std::max(end - first_, 0)));
        for (int y = first_; y < end; ++y) {
            int* const row = lumas_.data() + width * size_t(y - first_);
            rows_.each_luma(y, [&](int x, int value) { row[x] = value; });
        }
    }
    const int* row(int y) const { return lumas_.data() + size_t(source_.image.spec.width) * size_t(y - first_); }

  private:
    const LumaSource source_;
    const ComparedRows rows_;
    std::vector<int> lumas_;
    int first_ = 0;
};

/// Calls work(band, first, count) for bands of up to kBandRows of `rows` rows, with what `make` gives a thread.
void each_band(int rows, int threads, const std::stop_token& stop, auto make, auto work, auto merge) {
    std::mutex merging;
    parallel_pieces(threads, (rows + kBandRows - 1) / kBandRows, 1, [&](Pieces& pieces) {
        auto own = make();
        for (const int64_t band : pieces) {
            if (stop.stop_requested()) return;
            const int first = int(band) * kBandRows;
            work(own, int(band), first, std::min(kBandRows, rows - first));
        }
        const std::lock_guard lock(merging);
        merge(own);
    });
}

double sum_gradients(const LumaRows& lumas, const ImageSpec& spec, int y) {
    const int above = std::max(y - 1, 0), below = std::min(y + 1, spec.height - 1);
    const double per_row = below > above ? 1.0 / (below - above) : 0;
    const int *up = lumas.row(above), *down = lumas.row(below), *row = lumas.row(y);
    double sum = 0;
    const auto add = [&](int x, int left, int right) {
        const double dx = right > left ? double(row[right] - row[left]) / (right - left) : 0;
        const double dy = (down[x] - up[x]) * per_row;
        sum += std::sqrt(dx * dx + dy * dy);
    };
    add(0, 0, std::min(1, spec.width - 1));
    for (int x = 1; x < spec.width - 1; ++x) add(x, x - 1, x + 1);
    if (spec.width > 1) add(spec.width - 1, spec.width - 2, spec.width - 1);
    return sum;
}

}  // namespace

std::vector<uint64_t> count_lumas(const LumaSource& source, int threads, const std::stop_token& stop) {
    const ComparedRows rows(source.image, source.max_sample);
    std::vector<uint64_t> all(size_t(source.max_sample) + 1);
    each_band(
        source.image.spec.height, threads, stop, [&] { return std::vector<uint64_t>(all.size()); },
        [&](std::vector<uint64_t>& counts, int, int first, int count) {
            for (int y = first; y < first + count; ++y)
                rows.each_luma(y, [&](int, int value) { ++counts[size_t(value)]; });
        },
        [&](const std::vector<uint64_t>& counts) {
            for (size_t v = 0; v < all.size(); ++v) all[v] += counts[v];
        });
    return all;
}

double mean_gradient(const LumaSource& source, int threads, const std::stop_token& stop) {
    const ImageSpec& spec = source.image.spec;
    std::vector<double> sums(size_t((spec.height + kBandRows - 1) / kBandRows));  // added up in order
    each_band(
        spec.height, threads, stop, [&] { return LumaRows(source); },
        [&](LumaRows& lumas, int band, int first, int count) {
            lumas.load(first - 1, count + 2);
            for (int y = first; y < first + count; ++y) sums[size_t(band)] += sum_gradients(lumas, spec, y);
        },
        [](const LumaRows&) {});
    return std::accumulate(sums.begin(), sums.end(), 0.0) / double(spec.pixels());
}

std::vector<BlockRange> block_ranges(const LumaSource& source, int threads, const std::stop_token& stop) {
    const int columns = source.image.spec.width / kBlock_px, rows = source.image.spec.height / kBlock_px;
    std::vector<BlockRange> ranges(size_t(columns) * size_t(rows));
    if (ranges.empty()) return ranges;  // the image is narrower or lower than a block
    each_band(
        rows * kBlock_px, threads, stop, [&] { return LumaRows(source); },
        [&](LumaRows& lumas, int, int first, int count) {
            lumas.load(first, count);
            for (int y = first; y < first + count; ++y) {
                const int* row = lumas.row(y);
                BlockRange* range = &ranges[size_t(y / kBlock_px) * size_t(columns)];
                for (int k = 0; k < columns; ++k, row += kBlock_px, ++range) {
                    const auto [min, max] = std::minmax_element(row, row + kBlock_px);
                    *range = y % kBlock_px == 0 ? BlockRange{*min, *max}
                                                : BlockRange{std::min(range->min, *min), std::max(range->max, *max)};
                }
            }
        },
        [](const LumaRows&) {});
    return ranges;
}

std::optional<double> median_high_pass(const LumaSource& source, const std::vector<bool>& flat, int threads,
                                       const std::stop_token& stop) {
    const int columns = source.image.spec.width / kBlock_px, rows = source.image.spec.height / kBlock_px;
    std::vector<uint64_t> all(8 * size_t(source.max_sample) + 1);  // by the absolute value
    struct Own {
        LumaRows lumas;
        std::vector<uint64_t> counts;
    };
    each_band(
        rows * kBlock_px, threads, stop,
        [&] {
            return Own{LumaRows(source), std::vector<uint64_t>(all.size())};
        },
        [&](Own& own, int, int first, int count) {
            own.lumas.load(first, count);
            for (int top = first; top < first + count; top += kBlock_px)
                for (int column = 0; column < columns; ++column) {
                    if (!flat[size_t(top / kBlock_px) * size_t(columns) + size_t(column)]) continue;
                    for (int y = top + 1; y <= top + kInner_px; ++y) {
                        const int *a = own.lumas.row(y - 1), *b = own.lumas.row(y), *c = own.lumas.row(y + 1);
                        for (int x = column * kBlock_px + 1; x <= column * kBlock_px + kInner_px; ++x)
                            ++own.counts[size_t(std::abs(a[x - 1] - 2 * a[x] + a[x + 1] - 2 * b[x - 1] + 4 * b[x] -
                                                         2 * b[x + 1] + c[x - 1] - 2 * c[x] + c[x + 1]))];
                    }
                }
        },
        [&](const Own& own) {
            for (size_t v = 0; v < all.size(); ++v) all[v] += own.counts[v];
        });
    const uint64_t pixels = std::accumulate(all.begin(), all.end(), uint64_t{0});
    if (pixels == 0) return {};
    const double half = double(pixels) / 2;
    uint64_t below = 0;
    size_t level = 0;
    while (double(below + all[level]) < half) below += all[level++];
    const double share = (half - double(below)) / double(all[level]);  // of this level
    return level == 0 ? share / 2 : double(level) - 0.5 + share;
}

NeighborPairs compare_order(const LumaSource& before, const LumaSource& after, int threads,
                            const std::stop_token& stop) {
    const int width = after.image.spec.width, height = after.image.spec.height;
    struct Own {
        LumaRows before, after;
        int64_t reversed = 0;
    };
    NeighborPairs pairs;
    pairs.all = int64_t{width - 1} * height + int64_t{height - 1} * width;
    each_band(
        height, threads, stop,
        [&] {
            return Own{LumaRows(before), LumaRows(after)};
        },
        [&](Own& own, int, int first, int count) {
            own.before.load(first, count + 1);
            own.after.load(first, count + 1);
            const auto is_reversed = [](int b0, int b1, int a0, int a1) {
                return ((b0 < b1) & (a0 > a1)) | ((b0 > b1) & (a0 < a1));
            };
            for (int y = first; y < first + count; ++y) {
                const int *b = own.before.row(y), *a = own.after.row(y);
                int reversed = 0;
                for (int x = 0; x + 1 < width; ++x) reversed += is_reversed(b[x], b[x + 1], a[x], a[x + 1]);
                for (int x = 0; y + 1 < height && x < width; ++x)
                    reversed += is_reversed(b[x], b[width + x], a[x], a[width + x]);
                own.reversed += reversed;
            }
        },
        [&](const Own& own) { pairs.reversed += own.reversed; });
    return pairs;
}

}  // namespace tonescope
