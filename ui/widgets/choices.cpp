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
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const Area whole{start.x, start.y, width, ui.px(kSegmentHeight)};
    fill(whole, ui.colors.frame, ui.px(4));
    const auto count = static_cast<int>(values.size());
    record(ui, label, whole,
           current >= 0 && current < count ? values[static_cast<size_t>(current)] : std::string_view{}, false);
    const auto edge = [&](int n) {
        return start.x + std::round(width * static_cast<float>(n) / static_cast<float>(count));
    };
    int clicked = -1;
    ImGui::PushID(label);
    for (int k = 0; k < count; ++k) {
        const std::string_view value = values[static_cast<size_t>(k)];
        const bool usable = enabled.empty() || enabled[static_cast<size_t>(k)];
        const Area area{edge(k), start.y, edge(k + 1) - edge(k), whole.height};
        ImGui::PushID(k);
        ImGui::BeginDisabled(!usable);
        if (hit_area("segment", area) && k != current) clicked = k;
        const ImU32 ink = switch_ground(ui, area.inset(ui.px(2)), k == current, ui.colors.frame_active);
        ImGui::EndDisabled();
        draw_line(area, ui.theme.body, usable ? ink : ui.colors.text_faint, value, Align::center);
        focus_ring(ui, area);
        ImGui::PopID();
        record(ui, std::string(label) + ":" + std::string(value), area, k == current ? "on" : "", true, usable);
    }
    ImGui::PopID();
    return clicked;
}

bool begin_choice(Frame& ui, const char* label, std::string_view shown, float width, std::string_view value,
                  bool enabled) {
    const Font& font = ui.theme.body;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const Area area{start.x, start.y, width, ui.px(kControlHeight)};
    // Drawn and noted before the list opens, which then is the current window.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    record(ui, label, area, value, true, enabled);
    const std::string preview = cut_text(ui, {area.x, area.y, width - ui.px(34), area.height}, font, shown);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(6), ui.px(6)});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(9), (area.height - font.size_px) / 2});
    ImGui::SetNextItemWidth(width);
    ImGui::SetNextWindowSizeConstraints({std::max(width, ui.px(340)), 0}, {ui.px(460), ui.px(560)});
    if (!enabled) ImGui::BeginDisabled();
    bool open = ImGui::BeginCombo((std::string("##") + label).c_str(), preview.c_str(),
                                  ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLargest);
    if (!enabled) {
        if (open) ImGui::EndCombo();
        open = false;
        ImGui::EndDisabled();
    }
    ImGui::PopStyleVar(2);
    const ImVec2 c{area.right() - ui.px(15), std::floor(area.center().y)};
    const float r = ui.px(4);
    const ImVec2 chevron[] = {{c.x - r, c.y - r / 2}, {c.x, c.y + r / 2}, {c.x + r, c.y - r / 2}};
    list.AddPolyline(chevron, 3, enabled ? ui.colors.text_quiet : ui.colors.text_faint, 0, ui.line(1.3F));
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
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const Area area{min.x, min.y, width, ui.px(8) + font.size_px + detail_height + ui.px(5)};
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginDisabled(!enabled);
    const std::string id = "##" + std::string(list_label) + std::string(text);
    const bool clicked = ImGui::Selectable(id.c_str(), is_current, 0, area.size());
    ImGui::EndDisabled();
    if (is_current && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
    // What cannot be chosen is still to be read: quieter, but not faded.
    const ImU32 quiet = enabled ? ui.colors.text_quiet : ui.colors.text_faint;
    const float tag_room = std::min(text_width(small, tag), std::floor(width * 0.55F));
    const float right = area.right() - pad;
    draw_line_cut(ui, {right - tag_room, min.y + ui.px(6), tag_room, small.size_px}, small, quiet, tag);
    draw_line_cut(ui, {min.x + pad, min.y + ui.px(5), wrap - tag_room - ui.px(10), font.size_px}, font,
                  enabled ? ui.colors.text : ui.colors.text_faint, text);
    draw_text({min.x + pad, min.y + ui.px(8) + font.size_px}, small, quiet, detail, wrap);
    ImGui::PopStyleVar();
    record(ui, std::string(list_label) + ":" + std::string(text), area, is_current ? "on" : "", true, enabled);
    return clicked && enabled;
}

int choose(Frame& ui, const char* label, std::span<const std::string_view> values, int current, float width) {
    const std::string_view shown = values[static_cast<size_t>(current)];
    if (!begin_choice(ui, label, shown, width, shown)) return -1;
    int chosen = -1;
    for (int k = 0; k < static_cast<int>(values.size()); ++k)
        if (choice_item(ui, label, values[static_cast<size_t>(k)], {}, {}, k == current)) chosen = k;
    ImGui::EndCombo();
    return chosen;
}

}  // namespace tonescope::ui
