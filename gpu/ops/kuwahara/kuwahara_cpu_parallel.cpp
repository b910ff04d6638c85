// All four quadrants of a pixel are boxes of one shape: the top-left one ends at the pixel, the others end `radius`
// further right, further down, or both. So each box is summed and evaluated once, from sums over columns that slide
// down and a sum over these that slides right (running sums), and a pixel chooses among four evaluated boxes. A box is
// named by its last column and row; it is cut off at the border, and boxes that end past the right or bottom border are
// needed by the pixels before it.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "gpu/ops/kuwahara/kuwahara.h"
#include "gpu/ops/kuwahara/kuwahara_cpu_loops.h"

namespace tonescope::kuwahara {
namespace {

constexpr int kChunk_px = 256;  // columns that pass through all steps together, in the L1 cache

/// How many of the positions [last - radius, last] lie in [0, size_px).
int inside(int last, int radius, int size_px) {
    return std::min(last, size_px - 1) - std::max(last - radius, 0) + 1;
}

/// Filters bands of rows. Each thread has an object of its own.
template <bool kGray>
class BandFilter {
  public:
    BandFilter(const ImageView& input, int radius, const MutableImageView& output)
        : in_(input),
          out_(output),
          radius_(radius),
          box_columns_(input.spec.width + radius),
          black_(input.spec.row_bytes()) {
        const auto box_columns = size_t(box_columns_);
        colors_.resize(kGray ? 0 : size_t(radius) + 1 + box_columns);
        values_.resize(size_t(radius) + 1 + box_columns);
        boxes_.resize(size_t(radius + 1) * box_columns);
        n_.resize(box_columns);
        inverse_.resize(box_columns);
        half_.resize(box_columns);
    }

    TONESCOPE_HOT_LOOP void run(int y_begin, int y_end, const std::stop_token& stop, RunProgress* progress) {
        std::ranges::fill(colors_, 0);
        std::ranges::fill(values_, 0);
        for (int y = std::max(y_begin - radius_, 0); y < y_begin; ++y)
            slide_columns<kGray>(in_.row(y), black_.data(), in_.spec.width, color_columns(0), value_columns(0));
        for (int last_row = y_begin; last_row < y_end + radius_; ++last_row) {
            if (stop.stop_requested()) return;
            const int old_row = last_row - radius_ - 1;
            make_boxes(last_row, last_row < in_.spec.height ? in_.row(last_row) : black_.data(),
                       old_row >= 0 && last_row > y_begin ? in_.row(old_row) : black_.data());
            if (last_row - radius_ < y_begin) continue;
            write_row(last_row - radius_);
            if (progress != nullptr) progress->add(1);
        }
    }

  private:
    /// Column x; radius + 1 zeros stand before column 0, and `radius` after the last one. Gray images have no colors.
    uint64_t* color_columns(int x) { return kGray ? nullptr : colors_.data() + radius_ + 1 + x; }
    uint64_t* value_columns(int x) { return values_.data() + radius_ + 1 + x; }
    EvaluatedBox* boxes_of(int last_row) { return &boxes_[size_t(last_row % (radius_ + 1)) * size_t(box_columns_)]; }

    TONESCOPE_HOT_LOOP void make_boxes(int last_row, const uint8_t* added, const uint8_t* removed) {
        constexpr size_t kPixelBytes = kGray ? 1 : 4;
        set_counts(inside(last_row, radius_, in_.spec.height));
        EvaluatedBox* boxes = boxes_of(last_row);
        uint64_t color_sum = 0, value_sum = 0;
        alignas(64) uint64_t colors[kChunk_px];
        alignas(64) uint64_t values[kChunk_px];
        for (int x = 0; x < box_columns_; x += kChunk_px) {
            const int count = std::min(kChunk_px, box_columns_ - x);
            const size_t offset = size_t(x) * kPixelBytes;
            if (x < in_.spec.width)
                slide_columns<kGray>(added + offset, removed + offset, std::min(count, in_.spec.width - x),
                                     color_columns(x), value_columns(x));
            if constexpr (!kGray) color_sum = slide_box(color_columns(x), radius_ + 1, count, color_sum, colors);
            value_sum = slide_box(value_columns(x), radius_ + 1, count, value_sum, values);
            evaluate_boxes<kGray>(colors, values, &n_[size_t(x)], &inverse_[size_t(x)], &half_[size_t(x)], count,
                                  boxes + x);
        }
    }

    void set_counts(int rows) {
        if (rows == count_rows_) return;
        count_rows_ = rows;
        for (int x = 0; x < box_columns_; ++x) {
            const int n = rows * inside(x, radius_, in_.spec.width);
            n_[size_t(x)] = uint32_t(n);
            inverse_[size_t(x)] = 1 / float(n);
            half_[size_t(x)] = float(n) / 2 + 0.25F;
        }
    }

    TONESCOPE_HOT_LOOP void write_row(int y) {
        const int width = in_.spec.width;
        const bool rows_inside = y >= radius_ && y + radius_ < in_.spec.height;
        const int x_begin = rows_inside ? std::min(radius_, width) : width;
        const int x_end = std::max(x_begin, width - radius_);
        for (int x = 0; x < x_begin; ++x) write_at_border(x, y);
        if (x_end > x_begin)
            choose_quadrants<kGray>(boxes_of(y) + x_begin, boxes_of(y + radius_) + x_begin, radius_, x_end - x_begin,
                                    in_.pixel(x_begin, y), out_.pixel(x_begin, y));
        for (int x = x_end; x < width; ++x) write_at_border(x, y);
    }

    /// A pixel whose quadrants may be cut off: variances are compared by cross-multiplication (README.md).
    void write_at_border(int x, int y) {
        uint64_t best_scaled_variance = 0, best_n = 0;
        EvaluatedBox best = 0;
        for (int quadrant = 0; quadrant < 4; ++quadrant) {
            const int last_x = quadrant % 2 == 0 ? x : x + radius_, last_y = quadrant < 2 ? y : y + radius_;
            const EvaluatedBox box = boxes_of(last_y)[last_x];
            const auto scaled_variance = uint64_t(box) >> 24;
            const auto n =
                uint64_t(inside(last_x, radius_, in_.spec.width)) * uint64_t(inside(last_y, radius_, in_.spec.height));
            if (quadrant > 0 && scaled_variance * (best_n * best_n) >= best_scaled_variance * (n * n)) continue;
            best_scaled_variance = scaled_variance;
            best_n = n;
            best = box;
        }
        uint8_t* to = out_.pixel(x, y);
        to[0] = uint8_t(best);
        if constexpr (kGray) return;
        to[1] = uint8_t(best >> 8);
        to[2] = uint8_t(best >> 16);
        to[3] = in_.pixel(x, y)[3];
    }

    const ImageView in_;
    const MutableImageView out_;
    const int radius_, box_columns_;
    const std::vector<uint8_t> black_;       // a row that stands for those outside of the image
    std::vector<uint64_t> colors_, values_;  // sums over the columns, see color_columns()
    std::vector<EvaluatedBox> boxes_;        // radius + 1 rows, which are overwritten in turn
    std::vector<uint32_t> n_;                // for each column, the pixels of a box in the row at hand
    std::vector<float> inverse_, half_;      // 1 / n, n / 2 + 1/4
    int count_rows_ = 0;                     // rows of a box that n_ counts
};

template <bool kGray>
TONESCOPE_HOT_LOOP void run_band(BandFilter<kGray>& filter, int y_begin, int y_end, const std::stop_token& stop,
                                 RunProgress* progress) {
    filter.run(y_begin, y_end, stop, progress);
}

template <bool kGray>
void filter_bands(const ImageView& input, int radius, const MutableImageView& output, int threads,
                  const std::stop_token& stop, RunProgress* progress) {
    // A band first sums `radius` rows that are not its own: bands are tall, but there is one a thread at least.
    const int height = input.spec.height;
    threads = std::clamp(threads, 1, height);
    const int bands = threads * std::max(1, height / (threads * std::max(64, 8 * radius)));
    std::vector<BandFilter<kGray>> filters(size_t(threads), BandFilter<kGray>(input, radius, output));
    if (progress != nullptr) progress->start(height);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int band = 0; band < bands; ++band) {
        const int y_begin = int(int64_t{height} * band / bands), y_end = int(int64_t{height} * (band + 1) / bands);
        run_hot<run_band<kGray>>(filters[size_t(omp_get_thread_num())], y_begin, y_end, stop, progress);
    }
}

void run_parallel(const CpuJob& job) {
    const ScopedStage stage(job.stages, "filter", 2 * uint64_t(job.input.spec.height) * job.input.spec.row_bytes());
    filter(job.input, job.params.as<Params>().radius, job.output, job.threads, job.stop, job.progress);
}

const VariantRegistration parallel_variant({
    .op = "kuwahara",
    .id = "parallel",
    .name = "Multi-threaded",
    .follows = "cpu",
    .preferred = true,
    .idea = "The four quadrants are one and the same box at four places, so each box is summed once, by sums that "
            "slide down and to the right, and a pixel chooses among four finished boxes; bands of rows go to threads.",
    .cost = "The same for every radius: two pixels enter and leave each sum, and a pixel compares four 64-bit words.",
    .flaw = "It keeps radius + 1 rows of finished boxes, 8 bytes each, which leave the L2 cache at large radii and "
            "widths, and each band works out `radius` rows of them that its neighbour has too.",
    .run_cpu = run_parallel,
});

}  // namespace

void filter(const ImageView& input, int radius, const MutableImageView& output, int threads,
            const std::stop_token& stop, RunProgress* progress) {
    const auto run = input.spec.format == PixelFormat::gray8 ? filter_bands<true> : filter_bands<false>;
    run(input, radius, output, threads, stop, progress);
}

}  // namespace tonescope::kuwahara
