// Widgets to choose one of several: segments side by side, and lists that open.
#include <algorithm>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {

bool segments_fit(const Frame& ui, std::span<const std::string_view> values, float width) {
    const float each = width / static_cast<float>(std::max<size_t>(values.size(), 1));
    return std::all_of(values.begin(), values.end(),
                       [&](std::string_view value) { return text_width(ui.theme.body, value) + ui.px(10) <= each; });
}

int segmented(Frame& ui, const char* label, std::span<const std::string_view> values, int current, float width,
              std::span<const bool> enabled) {
    const float height = ui.px(kSegmentHeight);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(start, {start.x + width, start.y + height}, ui.colors.frame, ui.px(4));
    const auto count = static_cast<int>(values.size());
    record(ui, label, start, {start.x + width, start.y + height},
           current >= 0 && current < count ? values[static_cast<size_t>(current)] : std::string_view{}, false);
    int clicked = -1;
    ImGui::PushID(label);
    for (int k = 0; k < count; ++k) {
        const std::string_view value = values[static_cast<size_t>(k)];
        const bool usable = enabled.empty() || enabled[static_cast<size_t>(k)];
        const auto edge = [&](int n) {
            return start.x + std::round(width * static_cast<float>(n) / static_cast<float>(count));
        };
        const ImVec2 min{edge(k), start.y};
        const ImVec2 max{edge(k + 1), start.y + height};
        ImGui::SetCursorScreenPos(min);
        ImGui::PushID(k);
        ImGui::BeginDisabled(!usable);
        if (hit_area("segment", {max.x - min.x, height}) && k != current) clicked = k;
        const bool hovered = ImGui::IsItemHovered();
        const float inset = ui.px(2);
        const ImVec2 in_min{min.x + inset, min.y + inset};
        const ImVec2 in_max{max.x - inset, max.y - inset};
        if (k == current)
            list.AddRectFilled(in_min, in_max, ui.colors.accent_deep, ui.px(3));
        else if (hovered)
            list.AddRectFilled(in_min, in_max, ui.colors.frame_active, ui.px(3));
        const Font& font = ui.theme.body;
        const ImU32 ink = k == current ? IM_COL32_WHITE : hovered ? ui.colors.text : ui.colors.text_quiet;
        draw_text({(min.x + max.x - text_width(font, value)) / 2, middle(font, min.y, height)}, font, ink, value);
        focus_ring(ui, min, max);
        ImGui::EndDisabled();
        ImGui::PopID();
        record(ui, std::string(label) + ":" + std::string(value), min, max, k == current ? "on" : "", true, usable);
    }
    ImGui::PopID();
    return clicked;
}

bool begin_choice(Frame& ui, const char* label, std::string_view shown, float width, std::string_view value,
                  bool enabled) {
    const Font& font = ui.theme.body;
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const float height = ui.px(kControlHeight);
    const ImVec2 max{min.x + width, min.y + height};
    // Drawn and noted before the list opens, which then is the current window.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    record(ui, label, min, max, value, true, enabled);
    const std::string preview = shorten(font, shown, width - ui.px(34));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(6), ui.px(6)});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(9), (height - font.size_px) / 2});
    ImGui::SetNextItemWidth(width);
    ImGui::SetNextWindowSizeConstraints({std::max(width, ui.px(300)), 0}, {ui.px(460), ui.px(560)});
    if (!enabled) ImGui::BeginDisabled();
    bool open = ImGui::BeginCombo((std::string("##") + label).c_str(), preview.c_str(),
                                  ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLargest);
    if (!enabled) {
        if (open) ImGui::EndCombo();
        open = false;
        ImGui::EndDisabled();
    }
    ImGui::PopStyleVar(2);
    const ImVec2 c{max.x - ui.px(15), std::floor((min.y + max.y) / 2)};
    const float r = ui.px(4);
    const ImVec2 chevron[] = {{c.x - r, c.y - r / 2}, {c.x, c.y + r / 2}, {c.x + r, c.y - r / 2}};
    list.AddPolyline(chevron, 3, enabled ? ui.colors.text_quiet : ui.colors.text_faint, 0,
                     std::max(1.0F, 1.3F * ui.theme.scale));
    return open;
}

bool choice_item(Frame& ui, const char* list_label, std::string_view text, std::string_view tag,
                 std::string_view detail, bool is_current, bool enabled) {
    const Font& font = ui.theme.body;
    const Font& small = ui.theme.small;
    const float width = std::max(ImGui::GetContentRegionAvail().x, ui.px(288));
    const float pad = ui.px(8);
    const float wrap = width - 2 * pad;
    const float detail_height = detail.empty() ? 0 : text_height(small, detail, wrap) + ui.px(3);
    const float height = ui.px(8) + font.size_px + detail_height + ui.px(5);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{min.x + width, min.y + height};
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginDisabled(!enabled);
    const std::string id = "##" + std::string(list_label) + std::string(text);
    const bool clicked = ImGui::Selectable(id.c_str(), is_current, 0, {width, height});
    if (is_current && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
    const std::string shown_tag = shorten(small, tag, width * 0.45F);
    const float room = wrap - text_width(small, shown_tag) - ui.px(10);
    draw_text({min.x + pad, min.y + ui.px(5)}, font, ui.colors.text, shorten(font, text, room));
    draw_text_right({max.x - pad, min.y + ui.px(6)}, small, ui.colors.text_quiet, shown_tag);
    draw_text({min.x + pad, min.y + ui.px(8) + font.size_px}, small, ui.colors.text_quiet, detail, wrap);
    ImGui::EndDisabled();
    ImGui::PopStyleVar();
    record(ui, std::string(list_label) + ":" + std::string(text), min, max, is_current ? "on" : "", true, enabled);
    return clicked && enabled;
}

void end_choice() {
    ImGui::EndCombo();
}

}  // namespace tonescope::ui
