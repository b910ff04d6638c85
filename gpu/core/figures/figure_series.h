// Figures of several results of one image.
#pragma once

#include <memory>
#include <span>
#include <stop_token>

#include "gpu/core/figures/figures.h"

namespace tonescope {

/// measure_figures() of images beside one `before`: what is measured of that alone is measured once. Several threads
/// may measure at the same time.
class FigureSeries {
  public:
    /// What `before` views outlives the series.
    explicit FigureSeries(const ImageView& before);
    ~FigureSeries();

    /// `after` has the sides of `before`. Garbage once `stop` is set.
    FigureValues measure(std::span<const FigureInfo* const> wanted, const ImageView& after, int threads,
                         std::stop_token stop = {}) const;

  private:
    struct Known;
    const std::unique_ptr<Known> known_;
};

}  // namespace tonescope
