// "How it works" in the views: which pixel is explained, and what is marked in the image for it.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/widgets/explained_areas.h"

namespace tonescope::ui {
namespace {

/// Cells smaller than this on screen are not drawn, at 96 dpi.
constexpr float kMinCell = 10;

/// Thin lines that show on dark and on light ground.
void draw_cells(const Ui& ui, const ExplainedCells& cells, const ImageToScreen& map, const Area& area) {
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

bool explains(const Ui& ui) {
    return ui.settings.explains && can_explain(ui.model->run);
}

void toggle_explains(Ui& ui) {
    ui.settings.explains = !ui.settings.explains;
    ui.explain.kept.reset();
}

void toggle_kept(Ui& ui) {
    if (!explains(ui)) return;
    ExplainState& state = ui.explain;
    state.kept = state.kept ? std::nullopt : state.pixel;
}

void move_explained(Ui& ui, int dx, int dy) {
    std::optional<Pixel>& pixel = ui.explain.pixel;
    const ImageSpec& spec = ui.model->views.before.spec;
    if (!pixel || spec.empty()) return;
    pixel->x = std::clamp(pixel->x + dx, 0, spec.width - 1);
    pixel->y = std::clamp(pixel->y + dy, 0, spec.height - 1);
}

void report_explained(Ui& ui, const ImageSpec& spec) {
    ExplainState& state = ui.explain;
    const ViewState& view = ui.view;
    const std::optional<Pixel> under = view.hovered ? std::optional(Pixel{view.hover_x, view.hover_y}) : std::nullopt;
    if (under && under != state.pointed) state.pixel = under;
    state.pointed = under;
    Explain wanted;
    if (!spec.empty() && explains(ui)) {
        // Until the mouse has been there: the middle of the view.
        if (!state.pixel)
            state.pixel = Pixel{std::clamp(static_cast<int>(view.view.center_x), 0, spec.width - 1),
                                std::clamp(static_cast<int>(view.view.center_y), 0, spec.height - 1)};
        wanted = {true, *state.pixel, state.kept};
    }
    if (wanted == state.reported) return;
    state.reported = wanted;
    ui.ask(wanted);
}

void draw_explained(Ui& ui, const ImageToScreen& map, const Area& area) {
    const Explanation* explanation = ui.model->views.explanation.get();
    if (explanation == nullptr || !explains(ui)) return;
    draw_cells(ui, explanation->cells, map, area);
    draw_explained_areas(ui, *explanation, map, area);
    const Pixel& pixel = explanation->pixel;
    const bool under_mouse = ui.view.hovered && ui.view.hover_x == pixel.x && ui.view.hover_y == pixel.y;
    if (!under_mouse) draw_marker(ui, map, pixel.x, pixel.y);
}

}  // namespace tonescope::ui
