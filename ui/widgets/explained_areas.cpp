#include "ui/widgets/explained_areas.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

/// Smaller areas on screen are not drawn, at 96 dpi.
constexpr float kMinArea = 14;
constexpr ImU32 kWeakInk = IM_COL32(255, 255, 255, 235), kStrongInk = IM_COL32(255, 214, 64, 255);
constexpr ImU32 kHalo = IM_COL32(0, 0, 0, 110);

void draw_outline(const Frame& ui, const Area& box, bool strong) {
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
void draw_label(const Frame& ui, const Area& box, ImVec2 pixel, const std::string& text, bool strong) {
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

bool explains(const Frame& ui, const RunModel& run) {
    return ui.settings.explains && can_explain(run);
}

void draw_explained_areas(Frame& ui, const Explanation& explanation, const ImageToScreen& map, const Area& area) {
    const Area box = map.rect({explanation.pixel.x, explanation.pixel.y, 1, 1});
    const ImVec2 pixel{box.x + box.width / 2, box.y + box.height / 2};
    for (const bool strong : {false, true})
        for (const ExplainedArea& part : explanation.areas)
            if (part.strong == strong) draw_outline(ui, map.rect(part.rect), strong);
    const std::string panel = std::exchange(ui.panel, "overlay");
    int number = 0;
    for (const ExplainedArea& part : explanation.areas) {
        const Area whole = map.rect(part.rect);
        draw_label(ui, common_part(whole, area), pixel, label_of(part), part.strong);
        record(ui, "explained:" + std::to_string(++number), whole.min(), whole.max(),
               label_of(part) + (part.strong ? " strong" : ""), false);
    }
    ui.panel = panel;
}

std::array<MarkStroke, 2> mark_strokes(const Frame& ui) {
    return {{{ui.px(1) + 2, IM_COL32(0, 0, 0, 150)}, {ui.px(1), IM_COL32(255, 255, 255, 230)}}};
}

void draw_cross(ImVec2 center, float inner, float outer, const MarkStroke& stroke) {
    for (const ImVec2& d : {ImVec2{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
        ImGui::GetWindowDrawList()->AddLine({center.x + d.x * inner, center.y + d.y * inner},
                                            {center.x + d.x * outer, center.y + d.y * outer}, stroke.ink, stroke.width);
}

void draw_marker(const Frame& ui, const ImageToScreen& map, int x, int y) {
    const ImVec2 min = map.at(x, y);
    const ImVec2 max = map.at(x + 1, y + 1);
    const ImVec2 center{std::round((min.x + max.x) / 2), std::round((min.y + max.y) / 2)};
    const float inner = std::max(ui.px(4), (max.x - min.x) / 2 + ui.px(2));
    for (const MarkStroke& stroke : mark_strokes(ui)) {
        draw_cross(center, inner, inner + ui.px(7), stroke);
        if (map.zoom >= 6)
            ImGui::GetWindowDrawList()->AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, stroke.ink, 0, 0,
                                                stroke.width);
    }
}

}  // namespace tonescope::ui
