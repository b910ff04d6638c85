// All four quadrants of a pixel are boxes of one shape: the top-left one ends at the pixel, the others end `radius`
// further right, further down, or both. So each box is summed and judged once, from sums over columns that slide down
// and a sum over these that slides right, and a pixel picks one of four finished boxes. A box is named by its last
// column and row; it is cut off at the border, and boxes that end past the right or bottom border are needed by the
// pixels before it.
#include "gpu/ops/kuwahara/kuwahara_cpu_bands.h"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "gpu/ops/kuwahara/kuwahara_cpu_loops.h"

namespace tonescope {
namespace {

constexpr int kChunk_px = 256;  // columns that pass through all steps together, in the L1 cache

/// What a row of boxes needs to know about its pixel counts, a column each.
struct BoxCounts {
    std::vector<uint32_t> n;
    std::vector<float> inverse;  // 1 / n
    std::vector<float> half;     // n / 2 + 1/4
};

/// How many of the positions [last - radius, last] lie in [0, size_px).
int inside(int last, int radius, int size_px) {
    return std::min(last, size_px - 1) - std::max(last - radius, 0) + 1;
}

/// Filters bands of rows. One object a thread.
class BandFilter {
  public:
    BandFilter(const ImageView& input, int radius, const MutableImageView& output)
        : in_(input),
          out_(output),
          radius_(radius),
          gray_(input.spec.format == PixelFormat::gray8),
          loops_(kuwahara_loops(gray_)) {
        const auto box_columns = size_t(input.spec.width + radius);
        colors_.resize(gray_ ? 0 : size_t(radius) + 1 + box_columns);
        values_.resize(size_t(radius) + 1 + box_columns);
        boxes_.resize(size_t(radius + 1) * box_columns);
        counts_.n.resize(box_columns);
        counts_.inverse.resize(box_columns);
        counts_.half.resize(box_columns);
    }

    void run(int y_begin, int y_end, const std::stop_token& stop, RunProgress* progress) {
        std::ranges::fill(colors_, 0);
        std::ranges::fill(values_, 0);
        for (int y = std::max(y_begin - radius_, 0); y < y_begin; ++y)
            loops_.slide_columns(in_.row(y), nullptr, in_.spec.width, color_columns(), value_columns());
        for (int last_row = y_begin; last_row < y_end + radius_; ++last_row) {
            if (stop.stop_requested()) return;
            const int old_row = last_row - radius_ - 1;
            make_boxes(last_row, last_row < in_.spec.height ? in_.row(last_row) : nullptr,
                       old_row >= 0 && last_row > y_begin ? in_.row(old_row) : nullptr);
            if (last_row - radius_ < y_begin) continue;
            pick_row(last_row - radius_);
            if (progress != nullptr) progress->add(1);
        }
    }

  private:
    /// Column 0; radius + 1 zeros stand before it, and `radius` after the last one.
    uint64_t* color_columns() { return gray_ ? nullptr : colors_.data() + radius_ + 1; }
    uint64_t* value_columns() { return values_.data() + radius_ + 1; }
    KuwaharaBox* boxes_of(int last_row) {
        return &boxes_[size_t(last_row % (radius_ + 1)) * size_t(in_.spec.width + radius_)];
    }

    void make_boxes(int last_row, const uint8_t* added, const uint8_t* removed) {
        const int width = in_.spec.width, pixel_bytes = bytes_per_pixel(in_.spec.format);
        set_counts(inside(last_row, radius_, in_.spec.height));
        KuwaharaBox* boxes = boxes_of(last_row);
        uint64_t color_sum = 0, value_sum = 0;
        alignas(64) uint64_t colors[kChunk_px];
        alignas(64) uint64_t values[kChunk_px];
        for (int x = 0; x < width + radius_; x += kChunk_px) {
            const int count = std::min(kChunk_px, width + radius_ - x);
            const size_t offset = size_t(x) * size_t(pixel_bytes);
            uint64_t* value_column = value_columns() + x;
            uint64_t* color_column = gray_ ? nullptr : color_columns() + x;
            if (x < width)
                loops_.slide_columns(added != nullptr ? added + offset : nullptr,
                                     removed != nullptr ? removed + offset : nullptr, std::min(count, width - x),
                                     color_column, value_column);
            if (!gray_) color_sum = loops_.slide_box(color_column, radius_ + 1, count, color_sum, colors);
            value_sum = loops_.slide_box(value_column, radius_ + 1, count, value_sum, values);
            loops_.finish(colors, values, &counts_.n[size_t(x)], &counts_.inverse[size_t(x)], &counts_.half[size_t(x)],
                          count, boxes + x);
        }
    }

    void set_counts(int rows) {
        if (rows == count_rows_) return;
        count_rows_ = rows;
        for (int x = 0; x < in_.spec.width + radius_; ++x) {
            const int n = rows * inside(x, radius_, in_.spec.width);
            counts_.n[size_t(x)] = uint32_t(n);
            counts_.inverse[size_t(x)] = 1 / float(n);
            counts_.half[size_t(x)] = float(n) / 2 + 0.25F;
        }
    }

    void pick_row(int y) {
        const int width = in_.spec.width;
        const bool rows_inside = y >= radius_ && y + radius_ < in_.spec.height;
        const int x_begin = rows_inside ? std::min(radius_, width) : width;
        const int x_end = std::max(x_begin, width - radius_);
        for (int x = 0; x < x_begin; ++x) pick_at_border(x, y);
        if (x_end > x_begin)
            loops_.pick(boxes_of(y) + x_begin, boxes_of(y + radius_) + x_begin, radius_, x_end - x_begin,
                        in_.pixel(x_begin, y), out_.pixel(x_begin, y));
        for (int x = x_end; x < width; ++x) pick_at_border(x, y);
    }

    /// A pixel whose quadrants may be cut off: spread / n^2 is compared by cross-multiplication. A product is at most
    /// 4225^4 * 65025 / 4 < 5.181e18 < 2^63.
    void pick_at_border(int x, int y) {
        const KuwaharaBox* rows[2] = {boxes_of(y), boxes_of(y + radius_)};
        uint64_t best_spread = 0, best_n = 0;
        KuwaharaBox best = 0;
        for (int k = 0; k < 4; ++k) {
            const int last_x = k % 2 == 0 ? x : x + radius_, last_y = k < 2 ? y : y + radius_;
            const KuwaharaBox box = rows[k / 2][last_x];
            const auto spread = uint64_t(box) >> 24;
            const auto n =
                uint64_t(inside(last_x, radius_, in_.spec.width)) * uint64_t(inside(last_y, radius_, in_.spec.height));
            if (k > 0 && spread * (best_n * best_n) >= best_spread * (n * n)) continue;
            best_spread = spread;
            best_n = n;
            best = box;
        }
        uint8_t* to = out_.pixel(x, y);
        to[0] = uint8_t(best);
        if (gray_) return;
        to[1] = uint8_t(best >> 8);
        to[2] = uint8_t(best >> 16);
        to[3] = in_.pixel(x, y)[3];
    }

    const ImageView in_;
    const MutableImageView out_;
    const int radius_;
    const bool gray_;
    const KuwaharaLoops& loops_;
    std::vector<uint64_t> colors_, values_;  // sums over the columns, see color_columns()
    std::vector<KuwaharaBox> boxes_;         // radius + 1 rows of boxes, in turns
    BoxCounts counts_;
    int count_rows_ = 0;  // what counts_ is for
};

}  // namespace

void filter_kuwahara(const ImageView& input, int radius, const MutableImageView& output, int threads,
                     const std::stop_token& stop, RunProgress* progress) {
    // A band first sums `radius` rows that are not its own: bands are tall, but at least one a thread.
    const int height = input.spec.height;
    threads = std::clamp(threads, 1, height);
    const int bands = threads * std::max(1, height / (threads * std::max(64, 8 * radius)));
    std::vector<BandFilter> filters(size_t(threads), BandFilter(input, radius, output));
    if (progress != nullptr) progress->start(height);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int band = 0; band < bands; ++band) {
        const int y_begin = int(int64_t{height} * band / bands), y_end = int(int64_t{height} * (band + 1) / bands);
        filters[size_t(omp_get_thread_num())].run(y_begin, y_end, stop, progress);
    }
}

}  // namespace tonescope
