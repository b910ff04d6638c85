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
    fill(whole, ui.colors.frame, ui.px(kRadius));
    const auto count = static_cast<int>(values.size());
    record(ui, label, whole,
           current >= 0 && current < count ? values[static_cast<size_t>(current)] : std::string_view{}, false);
    const auto edge = [&](int n) {
        return start.x + std::round(width * static_cast<float>(n) / static_cast<float>(count));
    };
    int clicked = -1;
    ImGui::PushID(label);
    ui.keyboard.begin_group(ImGui::GetID("segments"), false);
    for (int k = 0; k < count; ++k) {
        const std::string_view value = values[static_cast<size_t>(k)];
        const bool usable = enabled.empty() || enabled[static_cast<size_t>(k)];
        const Area area{edge(k), start.y, edge(k + 1) - edge(k), whole.height};
        ImGui::PushID(k);
        begin_disabled(ui, !usable);
        if (hit_area(ui, "segment", area, k == current, value) && k != current) clicked = k;
        const ImU32 ink = switch_ground(ui, area.inset(ui.px(2)), k == current, ui.colors.frame_active);
        end_disabled(ui, !usable);
        draw_line(area, ui.theme.body, usable ? ink : ui.colors.text_faint, value, Align::center);
        ImGui::PopID();
        record(ui, std::string(label) + ":" + std::string(value), area, k == current ? "on" : "", true, usable);
    }
    ui.keyboard.end_group();
    ImGui::PopID();
    return clicked;
}

int labeled_choice(Frame& ui, const char* label, std::span<const std::string_view> values, int current,
                   std::string_view help) {
    const Area row = area_at_cursor(ui.px(kSegmentHeight));
    const float label_width = std::min(ui.px(kLabelColumn), row.width * 0.4F);
    draw_line(row, ui.theme.body, ui.colors.text_quiet, label);
    ImGui::SetCursorScreenPos({row.x + label_width, row.y});
    const int clicked = segmented(ui, label, values, current, row.width - label_width);
    tooltip_at(ui, row, help);
    end_area({row.x, row.y, 1, row.height + ui.px(6)});
    return clicked;
}

bool begin_choice(Frame& ui, const char* label, std::string_view shown, float width, std::string_view value,
                  bool enabled) {
    const Font& font = ui.theme.body;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const Area area{start.x, start.y, width, ui.px(kControlHeight)};
    record(ui, label, area, value, true, enabled);
    begin_disabled(ui, !enabled);
    const bool clicked = part_area(label, area);
    const bool lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
    const bool used = ui.keyboard.add({ImGui::GetID(label), area.min(), area.max(), TakesKeys::opens});
    end_disabled(ui, !enabled);
    fill(area, lit ? ui.colors.frame_hovered : ui.colors.frame, ui.px(kRadius));
    draw_line_cut(ui, {area.x + ui.px(8), area.y, width - ui.px(34), area.height}, font,
                  enabled ? ui.colors.text : ui.colors.text_faint, shown);
    const ImVec2 c{area.right() - ui.px(15), std::floor(area.center().y)};
    draw_icon(ui, Icon::chevron_down, c, 2 * ui.px(4), enabled ? ui.colors.text_quiet : ui.colors.text_faint);

    const std::string id = "##list of " + std::string(label);
    if (clicked || used) {
        ImGui::OpenPopup(id.c_str());
        ui.list_px = {};
    }
    if (!ImGui::IsPopupOpen(id.c_str())) return false;
    // Below the field, above it, or over it where neither has room for the whole list.
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float gap = ui.px(2);
    const float most = std::min(ui.px(560), display.y - 2 * gap);
    const float height = std::min(ui.list_px.y, most);
    const float least = std::min(std::max(width, ui.px(340)), display.x);
    float y = area.bottom() + gap;
    if (y + height > display.y - gap) y = area.y - gap - height;
    if (y < gap) y = display.y - gap - height;
    ImGui::SetNextWindowPos({std::max(std::min(area.x, display.x - std::max(least, ui.list_px.x)), 0.0F), y});
    ImGui::SetNextWindowSizeConstraints({least, 0}, {std::max(least, std::min(ui.px(460), display.x)), most});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(6), ui.px(6)});
    const bool open = ImGui::BeginPopup(id.c_str(), ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    if (!open) return false;
    ui.keyboard.enter_layer(ImGui::GetID("layer"));
    ui.keyboard.begin_group(ImGui::GetID("entries"), true);
    return true;
}

void end_choice(Frame& ui) {
    ui.list_px = {ImGui::GetWindowWidth(), ImGui::GetCursorPosY() + ui.px(6)};
    if (escape_pressed(ui)) ImGui::CloseCurrentPopup();
    ui.keyboard.end_group();
    end_dialog(ui);
}

bool choice_item(Frame& ui, const char* list_label, std::string_view text, std::string_view tag,
                 std::string_view detail, bool is_current, bool enabled) {
    const Font& font = ui.theme.body;
    const Font& small = ui.theme.small;
    const float width = std::max(ImGui::GetContentRegionAvail().x, ui.px(288));
    const float pad = ui.px(8);
    const float wrap = width - 2 * pad;
    const float detail_height = detail.empty() ? 0 : text_height(small, detail, wrap) + ui.px(4);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const Area area{min.x, min.y, width, ui.px(8) + font.size_px + detail_height + ui.px(6)};
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    begin_disabled(ui, !enabled);
    const std::string id = std::string(list_label) + std::string(text);
    const bool clicked = hit_area(ui, id.c_str(), area, is_current, text) && enabled;
    if (clicked) ImGui::CloseCurrentPopup();
    if (is_current && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
    end_disabled(ui, !enabled);
    row_ground(ui, area, is_current);
    // What cannot be chosen is still to be read: quieter, but not faded.
    const ImU32 quiet = enabled ? ui.colors.text_quiet : ui.colors.text_faint;
    const float tag_room = std::min(text_width(small, tag), std::floor(width * 0.55F));
    const float right = area.right() - pad;
    draw_line_cut(ui, {right - tag_room, min.y + ui.px(6), tag_room, small.size_px}, small, quiet, tag);
    draw_line_cut(ui, {min.x + pad, min.y + ui.px(6), wrap - tag_room - ui.px(10), font.size_px}, font,
                  enabled ? ui.colors.text : ui.colors.text_faint, text);
    draw_text({min.x + pad, min.y + ui.px(8) + font.size_px}, small, quiet, detail, wrap);
    ImGui::PopStyleVar();
    record(ui, std::string(list_label) + ":" + std::string(text), area, is_current ? "on" : "", true, enabled);
    return clicked;
}

int choose(Frame& ui, const char* label, std::span<const std::string_view> values, int current, float width) {
    const std::string_view shown = values[static_cast<size_t>(current)];
    if (!begin_choice(ui, label, shown, width, shown)) return -1;
    int chosen = -1;
    for (int k = 0; k < static_cast<int>(values.size()); ++k)
        if (choice_item(ui, label, values[static_cast<size_t>(k)], {}, {}, k == current)) chosen = k;
    end_choice(ui);
    return chosen;
}

int choose_format(Frame& ui, const char* label, std::span<const SavedFormat> formats, int current, float width) {
    const std::string_view shown =
        current < 0 ? "Format" : std::string_view(formats[static_cast<size_t>(current)].name);
    int chosen = -1;
    if (!begin_choice(ui, label, shown, width, shown)) return chosen;
    for (size_t k = 0; k < formats.size(); ++k) {
        std::string endings;
        for (const std::string& extension : formats[k].extensions)
            endings += (endings.empty() ? "." : "  .") + extension;
        const bool is_current = static_cast<int>(k) == current;
        if (choice_item(ui, label, formats[k].name, endings, formats[k].about, is_current))
            chosen = static_cast<int>(k);
    }
    end_choice(ui);
    return chosen;
}

}  // namespace tonescope::ui
