#include "app/window/screens.h"

#include <algorithm>
#include <cstdint>

namespace tonescope {
namespace {

int64_t overlap_area(const WindowPlace& a, const WindowPlace& b) {
    const int64_t width = std::min(int64_t{a.x} + a.width, int64_t{b.x} + b.width) - std::max(a.x, b.x);
    const int64_t height = std::min(int64_t{a.y} + a.height, int64_t{b.y} + b.height) - std::max(a.y, b.y);
    return std::max<int64_t>(width, 0) * std::max<int64_t>(height, 0);
}

}  // namespace

size_t screen_of(const WindowPlace& window, std::span<const WindowPlace> screens) {
    size_t best = 0;
    for (size_t k = 1; k < screens.size(); ++k)
        if (overlap_area(window, screens[k]) > overlap_area(window, screens[best])) best = k;
    return best;
}

}  // namespace tonescope
