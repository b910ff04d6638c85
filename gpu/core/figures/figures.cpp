#include "gpu/core/figures/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tonescope {

const std::optional<double>* FigureValues::after_of(std::string_view id) const {
    const auto found = std::ranges::find(figures, id, &FigureInfo::id);
    return found == figures.end() ? nullptr : &after[size_t(found - figures.begin())];
}

std::string figure_text(const FigureInfo& figure, const std::optional<double>& value, bool with_unit) {
    if (!value) return "none";
    char text[64] = "\u221e";
    if (std::isfinite(*value)) std::snprintf(text, sizeof text, "%.*f", figure.decimals, *value);
    return std::string(text) + (with_unit && !figure.unit.empty() ? " " + std::string(figure.unit) : "");
}

}  // namespace tonescope
