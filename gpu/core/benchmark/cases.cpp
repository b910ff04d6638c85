#include "gpu/core/benchmark/cases.h"

namespace tonescope {

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
