#include "gpu/core/benchmark/cases.h"

#include <algorithm>

namespace tonescope {

size_t main_axis(std::span<const CaseAxis> axes) {
    const bool has_param = std::ranges::any_of(axes, &CaseAxis::is_param);
    size_t last = 0;
    bool has_numbers = false;
    for (size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].is_param != has_param || (has_numbers && axes[i].positions.empty())) continue;
        last = i;
        has_numbers = !axes[i].positions.empty();
    }
    return last;
}

std::string title_beside(std::span<const CaseAxis> axes, std::span<const size_t> place, size_t axis) {
    std::string title;
    for (size_t i = 0; i < axes.size(); ++i) {
        if (i == axis) continue;
        const std::string& label = axes[i].labels[place[i]];
        // Images and sizes say by themselves what they are.
        title += (title.empty() ? "" : ", ") + (axes[i].is_param ? axes[i].title + " " + label : label);
    }
    return title;
}

}  // namespace tonescope
