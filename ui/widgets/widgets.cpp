#include "ui/widgets/widgets.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "ui/widgets/keys.h"
#include "ui/widgets/text_end.h"

namespace tonescope::ui {
namespace {

constexpr double kTooltipDelay_s = 0.35;

/// `at` tells one part of a window from another.
void add_to_tooltip(Frame& ui, ImVec2 at, std::string_view text) {
    TooltipState& tooltip = ui.tooltip;
    if (text.empty() || tooltip.text.find(text) != std::string::npos) return;
    if (text.find(tooltip.text) != std::string_view::npos) tooltip.text.clear();
    if (!tooltip.text.empty()) {
        tooltip.text.append("\n").append(text);
        return;
    }
    tooltip.text = text;
    const ImGuiID id = ImGui::GetID(format("%d,%d", static_cast<int>(at.x), static_cast<int>(at.y)).c_str());
    if (tooltip.over != id) tooltip.since_s = ui.time_s;
    tooltip.over = id;
}

ImU32 frame_color(const Palette& colors, bool hovered, bool active) {
    return active ? colors.frame_active : hovered ? colors.frame_hovered : colors.frame;
}

/// Where the section that was opened ends, if it stands in this region: as much of it shows as has room, from its title
/// on.
void end_opened_section(Frame& ui) {
    if (ui.opened_section.drawn != ImGui::GetWindowDrawList()) return;
    ui.opened_section.drawn = nullptr;
    const float top = ui.opened_section.top - ImGui::GetWindowPos().y;
    const float bottom = ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y, height = ImGui::GetWindowHeight();
    if (top < 0 || bottom - top > height)
        ImGui::SetScrollFromPosY(top, 0);
    else if (bottom > height)
        ImGui::SetScrollFromPosY(bottom, 1);
}

int grow_string(ImGuiInputTextCallbackData* data) {
    if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
    auto& text = *static_cast<std::string*>(data->UserData);
    text.resize(static_cast<size_t>(data->BufTextLen));
    data->Buf = text.data();
    return 0;
}

}  // namespace

void record(Frame& ui, std::string_view label, const Area& area, std::string_view value, bool interactive,
            bool enabled) {
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    const Area shown = common_part(area, between(list.GetClipRectMin(), list.GetClipRectMax()));
    if (shown.width < 2 || shown.height < 2) return;
    ui.widgets.push_back({ui.prefix + std::string(label), shown.x, shown.y, shown.width, shown.height,
                          std::string(value), ui.panel, interactive, enabled, ui.shows_old, ui.keyboard.depth()});
}

void record_overlay(Frame& ui, std::string_view label, const Area& area, std::string_view value, bool interactive) {
    const std::string panel = std::exchange(ui.panel, "overlay");
    record(ui, label, area, value, interactive);
    ui.panel = panel;
}

Dimmed::Dimmed(Frame& ui, bool is_old) : ui_(ui), was_old_(ui.shows_old) {
    ui.shows_old = was_old_ || is_old;
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, ImGui::GetStyle().Alpha * (is_old && !was_old_ ? 0.5F : 1.0F));
}

Dimmed::~Dimmed() {
    ImGui::PopStyleVar();
    ui_.shows_old = was_old_;
}

void fill(const Area& area, ImU32 color, float rounding) {
    ImGui::GetWindowDrawList()->AddRectFilled(area.min(), area.max(), color, rounding);
}

Area area_at_cursor(float height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    return {at.x, at.y, ImGui::GetContentRegionAvail().x, height};
}

void end_area(const Area& area) {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::Dummy(area.size());
}

void skip(const Frame& ui, float length) {
    const ImVec2 at = ImGui::GetCursorPos();
    ImGui::SetCursorPos({at.x, at.y + ui.px(length)});
}

bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags, float content_width) {
    if (content_width > 0) ImGui::SetNextWindowContentSize({content_width, 0});
    return ImGui::BeginChild(id, size, 0, flags | ImGuiWindowFlags_NoNav);
}

void end_child(Frame& ui) {
    end_opened_section(ui);
    const ImDrawList* child = ImGui::GetWindowDrawList();
    ImGui::EndChild();
    ui.keyboard.follow(child);
}

void scroll_to_row(int index, float row_height, float height) {
    const float top = static_cast<float>(index) * row_height;
    const float scroll = ImGui::GetScrollY();
    if (top < scroll)
        ImGui::SetScrollY(top);
    else if (top + row_height > scroll + height)
        ImGui::SetScrollY(top + row_height - height);
}

void section(Frame& ui, const char* title, bool first) {
    end_opened_section(ui);
    first |= ImGui::GetCursorPosY() <= 0;
    if (!first) skip(ui, 6);
    Area area = area_at_cursor(1);
    if (!first) fill(area, ui.colors.line_soft);
    // Level with what folding_section() and title_button() draw beside it.
    const float top = ui.px(first ? 6 : 9);
    draw_text({area.x, area.y + top}, ui.theme.strong, ui.colors.text, title);
    area.height = top + ui.theme.strong.size_px + ui.px(first ? 8 : 10);
    end_area(area);
}

bool folding_section(Frame& ui, const char* title, bool& open) {
    constexpr int kSettles_frames = 3;
    const float top = ImGui::GetCursorScreenPos().y;
    section(ui, title);
    const Area below = area_at_cursor(0);
    const float height = ui.px(22);
    const Area area{below.x, below.y - ui.px(6) - height, below.width, height};
    if (hit_area(ui, title, area)) open = !open;
    const ImU32 ink = ImGui::IsItemHovered() ? ui.colors.text : ui.colors.text_quiet;
    draw_icon(ui, open ? Icon::chevron_up : Icon::chevron_down,
              {area.right() - ui.px(8), std::floor(area.y + height / 2)}, 2 * ui.px(4), ink);
    record(ui, title, area, open ? "open" : "closed");
    ImGui::SetCursorScreenPos(below.min());
    // A command may have opened it as well.
    const ImGuiID id = ImGui::GetID(title);
    int& was_open = *ImGui::GetStateStorage()->GetIntRef(id, open ? 1 : 0);
    OpenedSection& opened = ui.opened_section;
    if (open && was_open == 0) opened = {.id = id, .frames = kSettles_frames};
    was_open = open ? 1 : 0;
    if (open && opened.id == id && opened.frames > 0) {
        --opened.frames;
        opened.drawn = ImGui::GetWindowDrawList();
        opened.top = top;
    }
    return open;
}

void push_dialog_style(const Frame& ui, ImVec2 padding) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(kRadius));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
}

void pop_dialog_style() {
    ImGui::PopStyleVar(3);
}

bool begin_dialog(Frame& ui, const char* id, ImVec2 size, ImVec2 padding, ImGuiWindowFlags flags) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    size = {std::floor(std::min(size.x, display.x - ui.px(16))), std::floor(std::min(size.y, display.y - ui.px(16)))};
    ImGui::SetNextWindowPos({std::floor((display.x - size.x) / 2), std::floor((display.y - size.y) / 2)});
    ImGui::SetNextWindowSize(size);
    push_dialog_style(ui, padding);
    flags |= ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
             ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
    const bool shown = ImGui::BeginPopupModal(id, nullptr, flags);
    pop_dialog_style();
    if (!shown) return false;
    // What lies below has no say any more; Dear ImGui asserts that nothing new appears below a dialog in its first
    // frame.
    if (ImGui::IsWindowAppearing()) ui.tooltip.text.clear();
    ui.keyboard.enter_layer(ImGui::GetID("layer"));
    return true;
}

void end_dialog(Frame& ui) {
    ui.keyboard.leave_layer();
    ImGui::EndPopup();
}

bool begin_menu(Frame& ui, const char* id, float padding) {
    push_dialog_style(ui, {padding, padding});
    const bool open = ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav);
    pop_dialog_style();
    if (!open) return false;
    ui.keyboard.enter_layer(ImGui::GetID("layer"));
    ui.keyboard.begin_group(ImGui::GetID("entries"), true);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    return true;
}

void end_menu(Frame& ui) {
    if (escape_pressed(ui)) ImGui::CloseCurrentPopup();
    ImGui::PopStyleVar();
    ui.keyboard.end_group();
    end_dialog(ui);
}

bool escape_pressed(const Frame& ui) {
    return key_pressed(ImGuiKey_Escape) && ui.slider.typing == 0 && ui.keyboard.in_top_layer() &&
           !ImGui::IsWindowAppearing();
}

bool begin_popup(Frame& ui, bool& requested, const char* title, ImVec2 size) {
    if (std::exchange(requested, false)) ImGui::OpenPopup(title);
    if (!begin_dialog(ui, title, size, {ui.px(20), ui.px(16)})) return false;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const Area area = area_at_cursor(0);
    draw_text(area.min(), ui.theme.title, ui.colors.text, title);
    if (close_cross(ui, area)) ImGui::CloseCurrentPopup();
    ImGui::SetCursorScreenPos({area.x, area.y + ui.px(40)});
    return true;
}

void end_popup(Frame& ui, bool close) {
    if (close || escape_pressed(ui)) ImGui::CloseCurrentPopup();
    ImGui::PopStyleVar();
    end_dialog(ui);
}

bool part_area(const char* label, const Area& area) {
    ImGui::SetCursorScreenPos(area.min());
    return ImGui::InvisibleButton(label, area.size());
}

bool mouse_area(Frame& ui, const char* label, const Area& area, std::string_view by_keys, ImGuiButtonFlags flags) {
    Widget place{label, area.x, area.y, area.width, area.height, std::string(by_keys), ui.panel};
    place.layer = ui.keyboard.depth();
    ui.mouse_places.push_back(std::move(place));
    ImGui::SetCursorScreenPos(area.min());
    return ImGui::InvisibleButton(label, area.size(), flags);
}

bool menu_requested(const Frame& ui, ImGuiID id) {
    if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) return true;
    return ui.keyboard.is_on(id) && ImGui::GetIO().KeyShift && key_pressed(ImGuiKey_F10);
}

bool hit_area(Frame& ui, const char* label, const Area& area, bool chosen, std::string_view text) {
    const bool clicked = part_area(label, area);
    const bool used =
        ui.keyboard.add({ImGui::GetID(label), area.min(), area.max(), TakesKeys::none, chosen, std::string(text)});
    return clicked || used;
}

bool list_control(Frame& ui, const char* label, const Area& area, bool take) {
    const ImGuiID id = ImGui::GetID(label);
    if (take) ui.keyboard.go_to(id);
    ui.keyboard.add({id, area.min(), area.max(), TakesKeys::list});
    return ui.keyboard.is_on(id);
}

void begin_disabled(Frame& ui, bool off) {
    ImGui::BeginDisabled(off);
    ui.keyboard.begin_disabled(off);
}

void end_disabled(Frame& ui, bool off) {
    ui.keyboard.end_disabled(off);
    ImGui::EndDisabled();
}

void mark_area(Frame& ui, WindowArea which, const Area& area) {
    if (ui.keyboard.area() != which) return;
    const Area line{area.x, area.y, area.width, std::max(2.0F, ui.px(2))};
    fill(line, ui.colors.accent);
    const std::string panel = std::exchange(ui.panel, "keyboard");
    record(ui, "focus area", line, name_of(which), false);
    ui.panel = panel;
}

void row_ground(const Frame& ui, const Area& area, bool selected, float rounding) {
    if (selected || ImGui::IsItemHovered())
        fill(area, selected ? ui.colors.selected : ui.colors.frame, ui.px(rounding));
}

bool row_area(Frame& ui, const char* label, const Area& area, bool selected, std::string_view text) {
    const bool clicked = hit_area(ui, label, area, selected, text);
    row_ground(ui, area, selected);
    return clicked;
}

ImU32 switch_ground(const Frame& ui, const Area& area, bool on, ImU32 hovered_fill, ImU32 off_fill, float rounding) {
    const bool hovered = ImGui::IsItemHovered();
    const ImU32 ground = on ? ui.colors.accent_deep : hovered ? hovered_fill : off_fill;
    if (ground != 0) fill(area, ground, ui.px(rounding));
    return on ? IM_COL32_WHITE : hovered ? ui.colors.text : ui.colors.text_quiet;
}

bool button(Frame& ui, ImVec2 at, const char* text, float width, ButtonStyle style, bool enabled) {
    const Font& font = ui.theme.body;
    begin_disabled(ui, !enabled);
    const Area area{at.x, at.y, width, ui.px(kControlHeight)};
    const bool clicked = hit_area(ui, text, area);
    if (style == ButtonStyle::accent && enabled) ui.keyboard.set_default(ImGui::GetID(text));
    const bool hovered = ImGui::IsItemHovered();
    const bool active = ImGui::IsItemActive();
    ImU32 ground = frame_color(ui.colors, hovered, active);
    const bool accented = style == ButtonStyle::accent && enabled;
    if (accented) ground = hovered ? ui.colors.accent_hovered : ui.colors.accent_deep;
    if (style == ButtonStyle::quiet && !hovered && !active) ground = 0;
    if (ground != 0) fill(area, fade(ground, ImGui::GetStyle().Alpha), ui.px(kRadius));
    end_disabled(ui, !enabled);
    const ImU32 ink = !enabled ? ui.colors.text_faint : accented ? IM_COL32_WHITE : ui.colors.text;
    draw_line_cut(ui, area.inset(ui.px(4)), font, ink, text, false, Align::center);
    record(ui, std::string("button:") + text, area, {}, true, enabled);
    return clicked && enabled;
}

bool icon_button(Frame& ui, ImVec2 at, const char* label, Icon icon, float size, bool enabled, std::string_view by_keys,
                 std::string_view name) {
    const float name_width = name.empty() ? 0 : std::ceil(text_width(ui.theme.body, name)) + ui.px(6);
    const Area area{at.x, at.y, size + name_width, size};
    begin_disabled(ui, !enabled);
    const bool clicked = by_keys.empty() ? hit_area(ui, label, area) : mouse_area(ui, label, area, by_keys);
    end_disabled(ui, !enabled);
    const bool hovered = enabled && ImGui::IsItemHovered();
    const bool active = ImGui::IsItemActive();
    if (hovered || active) fill(area, frame_color(ui.colors, true, active), ui.px(kRadius));
    const ImU32 ink = !enabled ? ui.colors.text_faint : hovered ? ui.colors.text : ui.colors.text_quiet;
    draw_icon(ui, icon, {area.x + size / 2, area.center().y}, std::min(size * 0.5F, ui.px(12)), ink);
    draw_line({area.x + size, area.y, 0, size}, ui.theme.body, ink, name);
    record(ui, label, area, {}, true, enabled);
    return clicked && enabled;
}

bool close_cross(Frame& ui, const Area& title) {
    const float side = ui.px(26);
    return icon_button(ui, {title.right() - side, title.y - ui.px(2)}, "Close", Icon::close, side, true, "Esc");
}

float title_button_width(const Frame& ui, const char* text) {
    return std::ceil(text_width(ui.theme.body, text)) + ui.px(20);
}

void title_button(Frame& ui, const char* text, std::string_view command, ButtonStyle style, std::string_view help,
                  float from_right) {
    Area below = area_at_cursor(0);
    const float width = title_button_width(ui, text), height = ui.px(kControlHeight + 4);
    below.y += std::max(height - ImGui::GetCursorPosY(), 0.0F);  // the first title of a panel is lower than a button
    if (button(ui, {below.right() - width - from_right, below.y - height}, text, width, style,
               ui.commands->available(command)))
        ui.commands->run(command);
    tooltip(ui, help);
    ImGui::SetCursorScreenPos(below.min());
}

bool input_string(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags, bool leave) {
    // Dear ImGui keeps the undo steps of the field that was edited last, and takes them up when it is edited again,
    // even where another text stands in it by then: they would write outside of it. Such a field gets a new identity.
    ImGuiStorage& memory = *ImGui::GetStateStorage();
    const auto key = [id](const char* what) { return ImGui::GetID((std::string(id) + what).c_str()); };
    const ImGuiID text_key = key(" text"), frame_key = key(" frame"), turn_key = key(" turn");
    const auto digest = [&text] { return static_cast<int>(std::hash<std::string>{}(text)); };
    const bool edited = memory.GetInt(frame_key, -1) + 1 == ImGui::GetFrameCount();  // in the frame before
    int turn = memory.GetInt(turn_key);
    // It also loses the keyboard, which there is no other way to take from it.
    if (edited ? leave : memory.GetInt(text_key) != digest()) memory.SetInt(turn_key, ++turn);
    ImGui::PushID(turn);
    end_safely(text);
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
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), (height - ui.theme.body.size_px) / 2});
    ImGui::SetNextItemWidth(width);
    const ImGuiID id = ImGui::GetID(label);
    if (take_focus) ui.keyboard.go_to(id);
    if (ui.keyboard.is_on(id) && !ImGui::IsAnyItemActive()) {
        ImGui::SetKeyboardFocusHere();
        ui.animating = true;  // it opens in the next frame
    }
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue;
    if (select_all) flags |= ImGuiInputTextFlags_AutoSelectAll;
    const bool entered =
        input_string((std::string("##") + label).c_str(), hint, text, flags, ui.keyboard.is_elsewhere(id));
    ImGui::PopStyleVar();
    ui.keyboard.add({id, min, {min.x + width, min.y + height}, TakesKeys::typing});
    record(ui, label, {min.x, min.y, width, height}, text);
    return entered;
}

void draw_tooltip(Frame& ui, std::string_view text, const TooltipPicture& picture) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(8)});
    ImGui::BeginTooltip();
    const bool measuring = ImGui::IsWindowAppearing();  // nothing shows in its first frame
    ui.animating |= measuring;
    const float wrap = std::min(ui.px(340), ImGui::GetIO().DisplaySize.x - ui.px(44));
    const float width = std::min(std::ceil(text_width(ui.theme.small, text)), wrap);
    draw_text(ImGui::GetCursorScreenPos(), ui.theme.small, ui.colors.text, text, wrap);
    ImGui::Dummy({width, text_height(ui.theme.small, text, wrap)});
    if (!measuring) {
        const std::string panel = std::exchange(ui.panel, "tooltip");
        record(ui, "tooltip", between(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()), text, false);
        ui.panel = panel;
    }
    if (picture.draw) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::Dummy(picture.size);
        if (!measuring) picture.draw({at.x, at.y, picture.size.x, picture.size.y});
    }
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void tooltip_picture(Frame& ui, ImVec2 size, std::function<void(const Area&)> draw) {
    ui.tooltip.picture = {size, std::move(draw)};
}

void tooltip(Frame& ui, std::string_view text) {
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) add_to_tooltip(ui, ImGui::GetItemRectMin(), text);
}

void tooltip_at(Frame& ui, const Area& area, std::string_view text) {
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(area.min(), area.max()))
        add_to_tooltip(ui, area.min(), text);
}

void show_tooltip(Frame& ui) {
    TooltipState& tooltip = ui.tooltip;
    const ImGuiIO& io = ImGui::GetIO();
    if (tooltip.text.empty()) tooltip.over = 0;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        tooltip.pressed_on = tooltip.over;
    else if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)
        tooltip.pressed_on.reset();
    if (tooltip.over == 0) return;
    if (tooltip.pressed_on.value_or(tooltip.over) != tooltip.over)
        tooltip.since_s = ui.time_s;
    else if (ui.time_s - tooltip.since_s < kTooltipDelay_s)
        ui.animating = true;
    else
        draw_tooltip(ui, tooltip.text, tooltip.picture);
}

}  // namespace tonescope::ui
