#include "ui/views/view_parts.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {
namespace {

/// First image pixel of one axis that a pane shows, and how many it shows.
void visible_span(double center, double zoom, double pane, int size, int& first, int& count) {
    const double low = std::floor(center - pane / 2 / zoom);
    const double high = std::ceil(center + pane / 2 / zoom);
    first = static_cast<int>(std::clamp(low, 0.0, static_cast<double>(size)));
    count = static_cast<int>(std::clamp(high, 0.0, static_cast<double>(size))) - first;
}

}  // namespace

double fit_zoom(const ImageSpec& spec, const PaneSize& pane) {
    if (spec.empty()) return 1;
    constexpr double margin = 2;
    const double zoom = std::min((pane.width - 2 * margin) / spec.width, (pane.height - 2 * margin) / spec.height);
    return std::clamp(zoom, kMinZoom, kMaxZoom);
}

void settle(View& view, const ImageSpec& spec, const PaneSize& pane) {
    if (spec.empty()) {
        view.visible = {};
        return;
    }
    if (view.fit) {
        view.zoom = fit_zoom(spec, pane);
        view.center_x = spec.width / 2.0;
        view.center_y = spec.height / 2.0;
    }
    view.zoom = std::clamp(view.zoom, kMinZoom, kMaxZoom);
    view.center_x = std::clamp(view.center_x, 0.0, static_cast<double>(spec.width));
    view.center_y = std::clamp(view.center_y, 0.0, static_cast<double>(spec.height));
    visible_span(view.center_x, view.zoom, pane.width, spec.width, view.visible.x, view.visible.width);
    visible_span(view.center_y, view.zoom, pane.height, spec.height, view.visible.y, view.visible.height);
}

void zoom_at(View& view, double factor, double at_x, double at_y) {
    const double zoom = std::clamp(view.zoom * factor, kMinZoom, kMaxZoom);
    view.center_x += at_x / view.zoom - at_x / zoom;
    view.center_y += at_y / view.zoom - at_y / zoom;
    view.zoom = zoom;
    view.fit = false;
}

void pan(View& view, double dx, double dy) {
    view.center_x -= dx / view.zoom;
    view.center_y -= dy / view.zoom;
    view.fit = false;
}

}  // namespace tonescope::ui
