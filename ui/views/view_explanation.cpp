// "How it works" in the views: which pixel is explained, and what is marked in the image for it.
#include <algorithm>
#include <cmath>

#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

/// Cells smaller than this on screen are not drawn, at 96 dpi.
constexpr float kMinCell = 10;

/// Thin lines that show on dark and on light ground.
void draw_cells(const Frame& ui, const ExplainedCells& cells, const ImageToScreen& map, const Area& area) {
    if (cells.width <= 0) return;
    const double least = map.zoom * std::min(cells.width, cells.height);
    if (least < double{ui.px(kMinCell)}) return;
    const auto strength = static_cast<float>(std::clamp(least / double{ui.px(4 * kMinCell)}, 0.4, 1.0));
    const ImU32 light = fade(IM_COL32(255, 255, 255, 90), strength);
    const ImU32 dark = fade(IM_COL32(0, 0, 0, 90), strength);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Area shown = common_part(area, map.rect({0, 0, cells.extent_width, cells.extent_height}));
    if (shown.width <= 0 || shown.height <= 0) return;
    const auto first = [&](double from, double origin, int cell) {
        return std::max(0, static_cast<int>(std::floor((from - origin) / map.zoom / cell)));
    };
    for (int k = first(shown.x, map.origin_x, cells.width); k * cells.width <= cells.extent_width; ++k) {
        const float x = std::round(map.at(k * cells.width, 0).x);
        if (x > shown.right()) break;
        list.AddRectFilled({x, shown.y}, {x + 1, shown.bottom()}, light);
        list.AddRectFilled({x + 1, shown.y}, {x + 2, shown.bottom()}, dark);
    }
    for (int k = first(shown.y, map.origin_y, cells.height); k * cells.height <= cells.extent_height; ++k) {
        const float y = std::round(map.at(0, k * cells.height).y);
        if (y > shown.bottom()) break;
        list.AddRectFilled({shown.x, y}, {shown.right(), y + 1}, light);
        list.AddRectFilled({shown.x, y + 1}, {shown.right(), y + 2}, dark);
    }
}

}  // namespace

void ExplainedPixel::move(int dx, int dy, const ImageSpec& image) {
    if (!pixel || image.empty()) return;
    pixel->x = std::clamp(pixel->x + dx, 0, image.width - 1);
    pixel->y = std::clamp(pixel->y + dy, 0, image.height - 1);
}

void report_explained(Frame& ui, ViewState& state, bool shows_image) {
    ExplainedPixel& explained = state.explained;
    if (state.hovered && state.hovered != explained.pointed) explained.pixel = state.hovered;
    explained.pointed = state.hovered;
    Explain wanted;
    if (shows_image && explains(ui, state.model->run)) {
        const ImageSpec& spec = state.model->views.before.spec;
        if (!explained.pixel)  // until the mouse has been there, the middle of the view
            explained.pixel = Pixel{std::clamp(static_cast<int>(state.view.center_x), 0, spec.width - 1),
                                    std::clamp(static_cast<int>(state.view.center_y), 0, spec.height - 1)};
        wanted = {true, *explained.pixel, explained.kept};
    }
    if (wanted == explained.reported) return;
    explained.reported = wanted;
    ui.ask(wanted);
}

void draw_explained(Frame& ui, const ViewState& state, const ImageToScreen& map, const Area& area) {
    const Explanation* explanation = state.model->views.explanation.get();
    if (explanation == nullptr || !explains(ui, state.model->run)) return;
    draw_cells(ui, explanation->cells, map, area);
    draw_explained_areas(ui, *explanation, map, area);
    if (state.hovered != explanation->pixel) draw_marker(ui, map, explanation->pixel.x, explanation->pixel.y);
}

}  // namespace tonescope::ui
