#include "gpu/cpu/luma_measures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <numeric>

#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/parallel.h"
#include "gpu/cpu/compared_rows.h"
#include "gpu/cpu/rows.h"

namespace tonescope {
namespace {

/// Rows that a thread works on before it looks at the stop token; whole blocks of them.
constexpr int kBandRows = 8 * kBlock_px;
constexpr int kInner_px = kBlock_px - 2;

TONESCOPE_HOT_LOOP void fill_gray(const uint8_t* gray, int n, uint16_t* lumas) {
    for (int i = 0; i < n; ++i) lumas[i] = gray[i];
}
template <class Luma>
TONESCOPE_HOT_LOOP void fill_color(const uint8_t* rgba, int n, Luma* lumas) {
    for (int i = 0; i < n; ++i) {
        const uint32_t word = load_word(rgba + 4 * i);
        lumas[i] = Luma(luma(int(word & 255), int(word >> 8 & 255), int(word >> 16 & 255)));
    }
}
TONESCOPE_HOT_LOOP void fill_deep_color(const uint16_t* rgba, int n, uint16_t* lumas) {
    for (int i = 0; i < n; ++i) lumas[i] = uint16_t(luma(rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]));
}

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
        for (int y = first_; y < end; ++y) fill(y, lumas_.data() + width * size_t(y - first_));
    }
    const uint16_t* row(int y) const { return lumas_.data() + size_t(source_.image.spec.width) * size_t(y - first_); }

  private:
    void fill(int y, uint16_t* lumas) const {
        const ImageSpec& spec = source_.image.spec;
        const uint8_t* const row = source_.image.row(y);
        const auto* const deep = reinterpret_cast<const uint16_t*>(row);
        if (spec.max_sample != source_.max_sample)
            rows_.each_luma(y, [&](int x, int value) { lumas[x] = uint16_t(value); });
        else if (!is_deep(spec.format))
            is_gray(spec.format) ? run_hot<fill_gray>(row, spec.width, lumas)
                                 : run_hot<fill_color<uint16_t>>(row, spec.width, lumas);
        else if (is_gray(spec.format))
            std::copy_n(deep, spec.width, lumas);
        else
            run_hot<fill_deep_color>(deep, spec.width, lumas);
    }
    const LumaSource source_;
    const ComparedRows rows_;
    std::vector<uint16_t> lumas_;
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
    const uint16_t *up = lumas.row(above), *down = lumas.row(below), *row = lumas.row(y);
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

/// The least and the greatest of the first `rows` rows, `stride` apart, at each of `n` columns.
TONESCOPE_HOT_LOOP void column_ranges(const uint16_t* first, size_t stride, int rows, int n, uint16_t* least,
                                      uint16_t* greatest) {
    for (int x = 0; x < n; ++x) least[x] = greatest[x] = first[x];
    for (int k = 1; k < rows; ++k) {
        const uint16_t* const row = first + size_t(k) * stride;
        for (int x = 0; x < n; ++x) {
            least[x] = std::min(least[x], row[x]);
            greatest[x] = std::max(greatest[x], row[x]);
        }
    }
}

/// Counts what the high pass has at the inner pixels of a block whose rows lie `stride` apart.
TONESCOPE_HOT_LOOP void count_high_pass(const uint16_t* block, size_t stride, uint32_t* counts) {
    for (int y = 1; y <= kInner_px; ++y) {
        const uint16_t *const above = block + size_t(y - 1) * stride, *const row = above + stride,
                              *const below = row + stride;
        // The kernel is the product of 1 -2 1 down and across.
        int down[kBlock_px], across[kBlock_px];
        for (int x = 0; x < kBlock_px; ++x) down[x] = above[x] - 2 * row[x] + below[x];
        for (int x = 0; x < kInner_px; ++x) across[x] = std::abs(down[x] - 2 * down[x + 1] + down[x + 2]);
        for (int x = 0; x < kInner_px; ++x) ++counts[across[x]];
    }
}

/// Of n neighboring pairs, (before[i], before_next[i]) and likewise after, those whose order is another one.
TONESCOPE_HOT_LOOP void count_reversed(const uint16_t* before, const uint16_t* before_next, const uint16_t* after,
                                       const uint16_t* after_next, int n, int64_t& reversed) {
    uint32_t sum = 0;
    for (int i = 0; i < n; ++i)
        sum += uint32_t(((before[i] < before_next[i]) & (after[i] > after_next[i])) |
                        ((before[i] > before_next[i]) & (after[i] < after_next[i])));
    reversed += sum;
}

}  // namespace

std::vector<uint64_t> count_lumas(const LumaSource& source, int threads, const std::stop_token& stop) {
    const ImageSpec& spec = source.image.spec;
    std::vector<uint64_t> all(size_t(source.max_sample) + 1);
    const auto add = [&](const auto& counts) {
        for (size_t v = 0; v < all.size(); ++v) all[v] += counts[v];
    };
    if (!is_deep(spec.format) && spec.max_sample == source.max_sample) {
        count_pieces<ByteCounter>(
            source.image, threads, stop,
            [&](ByteCounter& counter, const uint8_t* pixels, int n) {
                if (is_gray(spec.format)) return counter.add(pixels, n);
                uint8_t lumas[kChunk_px];
                run_hot<fill_color<uint8_t>>(pixels, n, &lumas[0]);
                counter.add(lumas, n);
            },
            [&](const ByteCounter& counter) {
                std::array<uint32_t, 256> counts{};
                counter.add_to(counts);
                add(counts);
            });
        return all;
    }
    struct Own {
        LumaRows lumas;
        std::vector<uint32_t> counts;
    };
    each_band(
        spec.height, threads, stop,
        [&] {
            return Own{LumaRows(source), std::vector<uint32_t>(all.size())};
        },
        [&](Own& own, int, int first, int count) {
            own.lumas.load(first, count);
            const uint16_t* const values = own.lumas.row(first);
            const size_t pixels = size_t(spec.width) * size_t(count);
            for (size_t i = 0; i < pixels; ++i) ++own.counts[values[i]];
        },
        [&](const Own& own) { add(own.counts); });
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
    struct Own {
        LumaRows lumas;
        std::vector<uint16_t> least, greatest;  // of each column in a row of blocks
    };
    const int across = columns * kBlock_px;
    each_band(
        rows * kBlock_px, threads, stop,
        [&] {
            return Own{LumaRows(source), std::vector<uint16_t>(size_t(across)), std::vector<uint16_t>(size_t(across))};
        },
        [&](Own& own, int, int first, int count) {
            own.lumas.load(first, count);
            for (int top = first; top < first + count; top += kBlock_px) {
                run_hot<column_ranges>(own.lumas.row(top), size_t(source.image.spec.width), kBlock_px, across,
                                       own.least.data(), own.greatest.data());
                BlockRange* range = &ranges[size_t(top / kBlock_px) * size_t(columns)];
                for (int x = 0; x < across; x += kBlock_px, ++range)
                    *range = {*std::min_element(&own.least[size_t(x)], &own.least[size_t(x)] + kBlock_px),
                              *std::max_element(&own.greatest[size_t(x)], &own.greatest[size_t(x)] + kBlock_px)};
            }
        },
        [](const Own&) {});
    return ranges;
}

std::optional<double> median_high_pass(const LumaSource& source, const std::vector<bool>& flat, int threads,
                                       const std::stop_token& stop) {
    const int columns = source.image.spec.width / kBlock_px, rows = source.image.spec.height / kBlock_px;
    std::vector<uint64_t> all(8 * size_t(source.max_sample) + 1);  // by the absolute value
    struct Own {
        LumaRows lumas;
        std::vector<uint32_t> counts;
    };
    each_band(
        rows * kBlock_px, threads, stop,
        [&] {
            return Own{LumaRows(source), std::vector<uint32_t>(all.size())};
        },
        [&](Own& own, int, int first, int count) {
            own.lumas.load(first, count);
            for (int top = first; top < first + count; top += kBlock_px)
                for (int column = 0; column < columns; ++column)
                    if (flat[size_t(top / kBlock_px) * size_t(columns) + size_t(column)])
                        run_hot<count_high_pass>(own.lumas.row(top) + column * kBlock_px,
                                                 size_t(source.image.spec.width), own.counts.data());
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
            for (int y = first; y < first + count; ++y) {
                const uint16_t *b = own.before.row(y), *a = own.after.row(y);
                run_hot<count_reversed>(b, b + 1, a, a + 1, width - 1, own.reversed);
                if (y + 1 < height) run_hot<count_reversed>(b, b + width, a, a + width, width, own.reversed);
            }
        },
        [&](const Own& own) { pairs.reversed += own.reversed; });
    return pairs;
}

}  // namespace tonescope
