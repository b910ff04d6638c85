// Rows of two images as they are compared, which may have samples of different ranges.
#pragma once

#include <cstdint>

#include "gpu/core/image.h"
#include "gpu/core/luma.h"

namespace tonescope {

/// The pixels of a row in samples of 0 to `max_sample`. `image` must outlive it.
class ComparedRows {
  public:
    ComparedRows(const ImageView& image, int max_sample)
        : image_(image), max_sample_(max_sample), is_gray_(is_gray(image.spec.format)) {}

    /// Calls take(x, red, green, blue).
    void each(int y, auto take) const {
        if (!is_deep(image_.spec.format))
            each_of(image_.row(y), take);
        else
            each_of(reinterpret_cast<const uint16_t*>(image_.row(y)), take);
    }
    /// Calls take(x, luma).
    void each_luma(int y, auto take) const {
        if (is_gray_)
            each(y, [&](int x, int value, int, int) { take(x, value); });
        else
            each(y, [&](int x, int r, int g, int b) { take(x, luma(r, g, b)); });
    }

  private:
    template <class Sample>
    void each_of(const Sample* row, auto take) const {
        const int most = image_.spec.max_sample;
        if (most != max_sample_) {
            const auto scaled = [&](int v) { return int((int64_t{2} * v * max_sample_ + most) / (2 * most)); };
            each_pixel(row, [&](int x, int r, int g, int b) { take(x, scaled(r), scaled(g), scaled(b)); });
        } else {
            each_pixel(row, take);
        }
    }
    template <class Sample>
    void each_pixel(const Sample* row, auto take) const {
        if (is_gray_)
            for (int x = 0; x < image_.spec.width; ++x) take(x, row[x], row[x], row[x]);
        else
            for (int x = 0; x < image_.spec.width; ++x) take(x, row[4 * x], row[4 * x + 1], row[4 * x + 2]);
    }

    const ImageView& image_;
    const int max_sample_;
    const bool is_gray_;
};

}  // namespace tonescope
