#include "ui/widgets/widgets.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace tonescope::ui {
namespace {

constexpr double kTooltipDelay_s = 0.35;

void show_tooltip(Frame& ui, ImGuiID id, std::string_view text) {
    if (ui.tooltip.over != id) {
        ui.tooltip.over = id;
        ui.tooltip.since_s = ui.time_s;
    }
    ui.tooltip.seen = true;
    if (ui.time_s - ui.tooltip.since_s < kTooltipDelay_s) {
        ui.animating = true;
        return;
    }
    draw_tooltip(ui, text);
}

ImU32 frame_color(const Palette& colors, bool hovered, bool active) {
    return active ? colors.frame_active : hovered ? colors.frame_hovered : colors.frame;
}

int grow_string(ImGuiInputTextCallbackData* data) {
    if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
    auto& text = *static_cast<std::string*>(data->UserData);
    text.resize(static_cast<size_t>(data->BufTextLen));
    data->Buf = text.data();
    return 0;
}

}  // namespace

bool hit_area(const char* label, ImVec2 size, ImGuiButtonFlags flags) {
    return ImGui::InvisibleButton(label, size, flags | ImGuiButtonFlags_EnableNav);
}

bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags, float content_width) {
    if (content_width > 0) ImGui::SetNextWindowContentSize({content_width, 0});
    return ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened, flags);
}

void record(Frame& ui, std::string_view label, ImVec2 min, ImVec2 max, std::string_view value, bool interactive,
            bool enabled) {
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 clip_min = list.GetClipRectMin();
    const ImVec2 clip_max = list.GetClipRectMax();
    min = {std::max(min.x, clip_min.x), std::max(min.y, clip_min.y)};
    max = {std::min(max.x, clip_max.x), std::min(max.y, clip_max.y)};
    if (max.x - min.x < 2 || max.y - min.y < 2) return;
    ui.widgets.push_back({ui.prefix + std::string(label), min.x, min.y, max.x - min.x, max.y - min.y,
                          std::string(value), ui.panel, interactive, enabled});
}

void section(Frame& ui, const char* title, bool first) {
    first |= ImGui::GetCursorPosY() <= 0;
    if (!first) skip(ui, 8);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (!first) ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + 1}, ui.colors.line_soft);
    const float top = at.y + ui.px(first ? 5 : 11);
    draw_text({at.x, top}, ui.theme.strong, ui.colors.text, title);
    ImGui::Dummy({width, top - at.y + ui.theme.strong.size_px + ui.px(9)});
}

bool folding_section(Frame& ui, const char* title, bool& open) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    section(ui, title);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float height = ui.px(22);
    const ImVec2 min{start.x, below.y - ui.px(6) - height};
    ImGui::SetCursorScreenPos(min);
    if (hit_area(title, {width, height})) open = !open;
    const ImU32 ink = ImGui::IsItemHovered() ? ui.colors.text : ui.colors.text_quiet;
    focus_ring(ui, min, {min.x + width, min.y + height});
    const ImVec2 c{min.x + width - ui.px(7), std::floor(min.y + height / 2)};
    const float r = ui.px(4);
    const float down = open ? -1.0F : 1.0F;
    const ImVec2 chevron[] = {{c.x - r, c.y - down * r / 2}, {c.x, c.y + down * r / 2}, {c.x + r, c.y - down * r / 2}};
    ImGui::GetWindowDrawList()->AddPolyline(chevron, 3, ink, 0, std::max(1.0F, 1.3F * ui.theme.scale));
    record(ui, title, min, {min.x + width, min.y + height}, open ? "open" : "closed");
    ImGui::SetCursorScreenPos(below);
    return open;
}

float title_button_width(const Frame& ui, const char* text) {
    return std::ceil(text_width(ui.theme.body, text)) + ui.px(20);
}

bool title_button(Frame& ui, const char* text, ButtonStyle style, bool enabled, std::string_view help,
                  float from_right) {
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float width = title_button_width(ui, text);
    ImGui::SetCursorScreenPos(
        {below.x + ImGui::GetContentRegionAvail().x - width - from_right, below.y - ui.px(kControlHeight + 4)});
    const bool clicked = button(ui, text, width, style, enabled);
    tooltip(ui, help);
    ImGui::SetCursorScreenPos(below);
    return clicked;
}

void skip(const Frame& ui, float length) {
    const ImVec2 at = ImGui::GetCursorPos();
    ImGui::SetCursorPos({at.x, at.y + ui.px(length)});
}

void focus_ring(Frame& ui, ImVec2 min, ImVec2 max) {
    if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) return;
    ui.keyboard_item = {min.x, min.y, max.x - min.x, max.y - min.y};
    ImGui::GetWindowDrawList()->AddRect(min, max, ui.colors.accent, ui.px(4), 0, std::max(1.0F, ui.px(1.5F)));
}

void push_dialog_style(const Frame& ui, ImVec2 padding) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
}

void pop_dialog_style() {
    ImGui::PopStyleVar(3);
}

bool button(Frame& ui, const char* text, float width, ButtonStyle style, bool enabled) {
    const Font& font = ui.theme.body;
    const float height = ui.px(kControlHeight);
    if (width <= 0) width = std::ceil(text_width(font, text)) + ui.px(24);
    ImGui::BeginDisabled(!enabled);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{min.x + width, min.y + height};
    const bool clicked = hit_area(text, {width, height});
    const bool hovered = ImGui::IsItemHovered();
    const bool active = ImGui::IsItemActive();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImU32 fill = frame_color(ui.colors, hovered, active);
    if (style == ButtonStyle::accent) fill = hovered ? ui.colors.accent : ui.colors.accent_deep;
    if (style == ButtonStyle::quiet && !hovered && !active) fill = 0;
    const float alpha = ImGui::GetStyle().Alpha;
    if (fill != 0) list.AddRectFilled(min, max, fade(fill, alpha), ui.px(4));
    const ImU32 text_color = style == ButtonStyle::accent ? IM_COL32_WHITE : ui.colors.text;
    const std::string shown = shorten(font, text, width - ui.px(8));
    draw_text({min.x + (width - text_width(font, shown)) / 2, middle(font, min.y, height)}, font, text_color, shown);
    focus_ring(ui, min, max);
    ImGui::EndDisabled();
    record(ui, std::string("button:") + text, min, max, {}, true, enabled);
    return clicked && enabled;
}

bool icon_button(Frame& ui, const char* label, Icon icon, float size, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{min.x + size, min.y + size};
    const bool clicked = hit_area(label, {size, size});
    const bool hovered = ImGui::IsItemHovered();
    if (hovered || ImGui::IsItemActive())
        ImGui::GetWindowDrawList()->AddRectFilled(min, max, frame_color(ui.colors, true, ImGui::IsItemActive()),
                                                  ui.px(4));
    draw_icon(ui, icon, {(min.x + max.x) / 2, (min.y + max.y) / 2}, std::min(size * 0.5F, ui.px(12)),
              !enabled  ? ui.colors.text_faint
              : hovered ? ui.colors.text
                        : ui.colors.text_quiet);
    focus_ring(ui, min, max);
    ImGui::EndDisabled();
    record(ui, label, min, max, {}, true, enabled);
    return clicked && enabled;
}

bool input_string(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags) {
    // Dear ImGui keeps the undo steps of the field that was edited last, and takes them up when it is edited again,
    // even where another text stands in it by then: they would write outside of it. Such a field gets a new identity.
    ImGuiStorage& memory = *ImGui::GetStateStorage();
    const auto key = [id](const char* what) { return ImGui::GetID((std::string(id) + what).c_str()); };
    const ImGuiID text_key = key(" text"), frame_key = key(" frame"), turn_key = key(" turn");
    const auto digest = [&text] { return static_cast<int>(std::hash<std::string>{}(text)); };
    const bool edited = memory.GetInt(frame_key, -1) + 1 == ImGui::GetFrameCount();  // in the frame before
    int turn = memory.GetInt(turn_key);
    if (!edited && memory.GetInt(text_key) != digest()) memory.SetInt(turn_key, ++turn);
    ImGui::PushID(turn);
    const bool entered = ImGui::InputTextWithHint(id, hint, text.data(), text.capacity() + 1,
                                                  flags | ImGuiInputTextFlags_CallbackResize, grow_string, &text);
    ImGui::PopID();
    if (ImGui::IsItemActive()) memory.SetInt(frame_key, ImGui::GetFrameCount());
    memory.SetInt(text_key, digest());
    return entered;
}

bool text_field(Frame& ui, const char* label, const char* hint, std::string& text, float width, bool take_focus,
                bool select_all) {
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const float height = ui.px(kControlHeight);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(9), (height - ui.theme.body.size_px) / 2});
    ImGui::SetNextItemWidth(width);
    if (take_focus) ImGui::SetKeyboardFocusHere();
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue;
    if (select_all) flags |= ImGuiInputTextFlags_AutoSelectAll;
    const bool entered = input_string((std::string("##") + label).c_str(), hint, text, flags);
    ImGui::PopStyleVar();
    record(ui, label, min, {min.x + width, min.y + height}, text);
    return entered;
}

void draw_tooltip(Frame& ui, std::string_view text) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(7)});
    ImGui::BeginTooltip();
    const bool measuring = ImGui::IsWindowAppearing();  // nothing shows in its first frame
    ui.animating |= measuring;
    ImGui::PushFont(ui.theme.small.font, ui.theme.small.size_px);
    ImGui::PushTextWrapPos(ui.px(340));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    if (!measuring) {
        const std::string panel = std::exchange(ui.panel, "tooltip");
        record(ui, "tooltip", ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text, false);
        ui.panel = panel;
    }
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void tooltip(Frame& ui, std::string_view text) {
    if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    const ImVec2 at = ImGui::GetItemRectMin();
    show_tooltip(ui, ImGui::GetID(format("%d,%d", static_cast<int>(at.x), static_cast<int>(at.y)).c_str()), text);
}

void tooltip_at(Frame& ui, ImVec2 min, ImVec2 max, std::string_view text) {
    if (text.empty() || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
    show_tooltip(ui, ImGui::GetID(format("%d,%d", static_cast<int>(min.x), static_cast<int>(min.y)).c_str()), text);
}

}  // namespace tonescope::ui
