// "How it works" in the views: which pixel is explained, and what is marked in the image for it.
#include <algorithm>
#include <cmath>

#include "ui/views/view_parts.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// Cells smaller than this on screen are not drawn, at 96 dpi.
constexpr float kMinCell = 10;
/// Nor areas.
constexpr float kMinArea = 14;
constexpr ImU32 kWeakInk = IM_COL32(255, 255, 255, 235), kStrongInk = IM_COL32(255, 214, 64, 255);
constexpr ImU32 kHalo = IM_COL32(0, 0, 0, 110);

Area rect_on_screen(const ImageToScreen& map, const Rect& rect) {
    const ImVec2 min = map.at(rect.x, rect.y);
    const ImVec2 max = map.at(rect.x + rect.width, rect.y + rect.height);
    const float x = std::round(min.x);
    const float y = std::round(min.y);
    return {x, y, std::round(max.x) - x, std::round(max.y) - y};
}

Area common_part(const Area& a, const Area& b) {
    const float x = std::max(a.x, b.x);
    const float y = std::max(a.y, b.y);
    return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

/// Thin lines that show on dark and on light ground.
void draw_cells(const Ui& ui, const ExplainedCells& cells, const ImageToScreen& map, const Area& area) {
    if (cells.width <= 0) return;
    const double least = map.zoom * std::min(cells.width, cells.height);
    if (least < double{ui.px(kMinCell)}) return;
    const auto strength = static_cast<float>(std::clamp(least / double{ui.px(4 * kMinCell)}, 0.4, 1.0));
    const ImU32 light = color::fade(IM_COL32(255, 255, 255, 90), strength);
    const ImU32 dark = color::fade(IM_COL32(0, 0, 0, 90), strength);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Area shown = common_part(area, rect_on_screen(map, {0, 0, cells.extent_width, cells.extent_height}));
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

void draw_outline(const Ui& ui, const Area& box, bool strong) {
    if (std::max(box.width, box.height) < ui.px(kMinArea)) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = strong ? std::max(3.0F, ui.px(3)) : std::max(1.0F, ui.px(1));
    const auto frame = [&](float inset, float width, ImU32 ink) {
        const float d = inset + width / 2;
        list.AddRect({box.x + d, box.y + d}, {box.right() - d, box.bottom() - d}, ink, 0, 0, width);
    };
    frame(0, line, strong ? kStrongInk : kWeakInk);
    frame(line, 1, kHalo);  // inside, where no neighbour's line is
}

/// In the corner that is farthest from the pixel, where there is room.
void draw_label(const Ui& ui, const Area& box, ImVec2 pixel, const std::string& text, bool strong) {
    const Font& font = ui.theme.small;
    const float width = text_width(font, text) + ui.px(8);
    const float height = font.size_px + ui.px(4);
    const float inset = ui.px(4);
    if (text.empty() || width + 2 * inset > box.width || height + 2 * inset > box.height) return;
    const bool at_left = pixel.x > box.x + box.width / 2;
    const bool at_top = pixel.y > box.y + box.height / 2;
    const ImVec2 min{std::round(at_left ? box.x + inset : box.right() - inset - width),
                     std::round(at_top ? box.y + inset : box.bottom() - inset - height)};
    ImGui::GetWindowDrawList()->AddRectFilled(min, {min.x + width, min.y + height}, IM_COL32(20, 20, 21, 200),
                                              ui.px(3));
    draw_text({min.x + ui.px(4), middle(font, min.y, height)}, font, strong ? kStrongInk : IM_COL32(235, 236, 240, 255),
              text);
}

std::string label_of(const ExplainedArea& area) {
    if (!area.is_kept) return area.label;
    return area.label.empty() ? "kept" : area.label + ", kept";
}

}  // namespace

bool can_explain(const Model& model) {
    return model.run.op != nullptr && model.run.op->explain != nullptr;
}

bool explains(const Ui& ui) {
    return ui.settings.explains && can_explain(*ui.model);
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

void draw_explained_areas(Ui& ui, const ImageToScreen& map, const Area& area) {
    const Explanation& explanation = *ui.model->views.explanation;
    const Area box = rect_on_screen(map, {explanation.pixel.x, explanation.pixel.y, 1, 1});
    const ImVec2 pixel{box.x + box.width / 2, box.y + box.height / 2};
    for (const bool strong : {false, true})
        for (const ExplainedArea& part : explanation.areas)
            if (part.strong == strong) draw_outline(ui, rect_on_screen(map, part.rect), strong);
    const std::string panel = std::exchange(ui.panel, "overlay");
    int number = 0;
    for (const ExplainedArea& part : explanation.areas) {
        const Area whole = rect_on_screen(map, part.rect);
        draw_label(ui, common_part(whole, area), pixel, label_of(part), part.strong);
        record(ui, "explained:" + std::to_string(++number), whole.min(), whole.max(),
               label_of(part) + (part.strong ? " strong" : ""), false);
    }
    ui.panel = panel;
}

void draw_explained(Ui& ui, const ImageToScreen& map, const Area& area) {
    const Explanation* explanation = ui.model->views.explanation.get();
    if (explanation == nullptr || !explains(ui)) return;
    draw_cells(ui, explanation->cells, map, area);
    draw_explained_areas(ui, map, area);
    const Pixel& pixel = explanation->pixel;
    const bool under_mouse = ui.view.hovered && ui.view.hover_x == pixel.x && ui.view.hover_y == pixel.y;
    if (!under_mouse) draw_marker(ui, map, pixel.x, pixel.y);
}

}  // namespace tonescope::ui
