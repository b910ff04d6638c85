// Figures that judge an image or what has become of it. One table of them serves the panel, the command line, reports,
// sweeps and the docs.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/statistics.h"

namespace tonescope {

class Measures;

enum class FigureSide : uint8_t { before, after };

struct FigureInfo {
    std::string_view id;     // "noise_gain"
    std::string_view label;  // "Noise gain"
    std::string_view unit;   // "bits"; empty: none
    int decimals;            // that are shown
    bool of_pair;            // of after beside before; else of either alone
    bool of_difference;      // how much the two differ, whatever is in them
    std::string_view definition, source;
    /// Empty where it is not defined: of images that are too small, or of a pair without a before. A figure of a pair
    /// takes no notice of the side.
    std::optional<double> (*function)(Measures&, FigureSide);
};

/// On the CPU (gpu/cpu), in the order in which they are shown. Luma is that of gpu/core/luma.h, the value of a gray
/// image; neighbors are the pixels to the right and below; samples of before are scaled to the range of after where
/// they have another one. Each figure is of the pixels that are given: of a part of an image as if that were an image.
std::span<const FigureInfo> figures();
/// Null: there is none.
const FigureInfo* find_figure(std::string_view id);

/// Values of some figures; empty where they are not defined.
struct FigureValues {
    std::vector<const FigureInfo*> figures;
    std::vector<std::optional<double>> before, after;  // before: of a figure of a pair, none
    std::optional<DifferenceStatistics> difference;    // where one of the figures has needed it
    /// Null: it was not measured.
    const std::optional<double>* after_of(std::string_view id) const;
};

/// On the CPU (gpu/cpu), with `threads` threads; the values do not depend on their number. `before` may be null, and
/// has otherwise the sides of `after`. Garbage once `stop` is set.
FigureValues measure_figures(std::span<const FigureInfo* const> wanted, const ImageView* before, const ImageView& after,
                             int threads, std::stop_token stop = {});

/// "7.43", "none" where it is not defined, an infinity sign; `with_unit`: "7.43 bits".
std::string figure_text(const FigureInfo& figure, const std::optional<double>& value, bool with_unit);

}  // namespace tonescope
