#include "ui/widgets/param_widgets.h"
#include "ui/widgets/keys.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kLabelHeight = 20, kTrackHeight = 18, kRowGap = 6;

std::string value_text(const ParamInfo& info, int32_t value) {
    std::string text = format_value(info, value);
    if (!info.unit.empty()) text.append(" ").append(info.unit);
    return text;
}

std::string help_text(const ParamInfo& info, std::span<const std::string> conversions) {
    std::string text(info.help);
    for (const std::string& line : conversions) text += "\n\xe2\x80\xa2 " + line;
    const bool is_choice = info.kind == ParamKind::choice;
    if (!is_choice) text += "\n" + format_value(info, info.min) + " to " + value_text(info, info.max);
    text += (is_choice ? "\nDefault " : ", default ") + format_value(info, info.default_value);
    text += is_choice ? "\nRight-click or Delete resets"
                      : "\nDouble-click to type, right-click or Delete to reset, Shift to drag finely";
    return text;
}

/// Logarithmic sliders that start at 0 treat this many steps as their unit near 0.
double knee(const ParamInfo& info) {
    return std::max(info.scale, 1);
}

/// What the user typed, in the table's steps and range; nothing where it is no number.
std::optional<int32_t> typed_value(const ParamInfo& info, std::string text) {
    std::replace(text.begin(), text.end(), ',', '.');
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || !std::isfinite(number)) return std::nullopt;
    const double steps = std::clamp(number * info.scale, static_cast<double>(info.min), static_cast<double>(info.max));
    return clamp_value(info, std::llround(steps));
}

void start_typing(Frame& ui, ImGuiID id, const ParamInfo& info, int32_t value) {
    ui.slider.typing = id;
    ui.slider.focus_text = true;
    ui.slider.text = format_value(info, value);
}

/// The field in which a value is typed, at the right end of the label's line.
std::optional<int32_t> typing_field(Frame& ui, const ParamInfo& info, ImVec2 right_top, float width) {
    ImGui::SetCursorScreenPos({right_top.x - width, right_top.y});
    ImGui::SetNextItemWidth(width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(4), (ui.px(kLabelHeight) - ui.theme.body.size_px) / 2});
    const bool opening = ui.slider.focus_text;
    if (opening) ImGui::SetKeyboardFocusHere();
    const bool entered = input_string("##typed", "", ui.slider.text,
                                      ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopStyleVar();
    const bool left = !opening && !ImGui::IsItemActive();
    const bool escaped = key_pressed(ImGuiKey_Escape);
    record(ui, std::string(info.label) + " value", ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ui.slider.text);
    // Focus set here reaches the field a frame later.
    if (opening && ImGui::IsItemActive()) ui.slider.focus_text = false;
    if (!entered && !left) return std::nullopt;
    ui.slider.typing = 0;
    return escaped ? std::nullopt : typed_value(info, ui.slider.text);
}

void draw_track(const Frame& ui, const ParamInfo& info, double position, ImVec2 min, ImVec2 max, bool hovered,
                bool active) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = std::floor((min.y + max.y) / 2);
    const float half = std::max(1.0F, ui.px(2));
    const float grab = ui.px(6);
    const float from = min.x + grab;
    const float span = max.x - min.x - 2 * grab;
    const float at = from + span * static_cast<float>(position);
    const ImU32 ink = active || hovered ? ui.colors.text : ui.colors.grab;
    list.AddRectFilled({min.x, y - half}, {max.x, y + half}, ui.colors.frame_hovered, half);
    list.AddRectFilled({min.x, y - half}, {at, y + half}, active || hovered ? ui.colors.accent : ui.colors.accent_deep,
                       half);
    const float mark = std::round(from + span * static_cast<float>(slider_position(info, info.default_value)));
    list.AddRectFilled({mark, y + half + ui.px(2)}, {mark + std::max(1.0F, ui.px(1)), y + half + ui.px(5)},
                       ui.colors.text_faint);
    list.AddCircleFilled({at, y}, grab, ink, 24);
}

/// Where a drag stands, and the value there; nothing while the mouse has not moved the grab.
std::optional<int32_t> dragged_value(Frame& ui, ImGuiID id, const ParamInfo& info, int32_t value, float from,
                                     double span) {
    SliderState& slider = ui.slider;
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActivated()) {
        slider.pressed = id;
        slider.value_before = value;
        ++slider.gesture;
        const double here = (io.MousePos.x - from) / span;
        slider.position = slider_position(info, value);
        if (std::abs(here - slider.position) * span <= ui.px(8)) return std::nullopt;  // on the grab
        slider.position = here;
    } else {
        if (io.MouseDelta.x == 0) return std::nullopt;
        slider.position += io.MouseDelta.x / span * (io.KeyShift ? 0.1 : 1.0);
    }
    return clamp_value(info, slider_value(info, std::clamp(slider.position, 0.0, 1.0), io.KeyShift));
}

/// The part that is dragged. Returns the new value.
std::optional<int32_t> track(Frame& ui, ImGuiID id, const ParamInfo& info, int32_t value, ImVec2 min, ImVec2 max) {
    SliderState& slider = ui.slider;
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::SetCursorScreenPos(min);
    hit_area("track", {max.x - min.x, max.y - min.y});
    const bool hovered = ImGui::IsItemHovered();
    const bool active = ImGui::IsItemActive();
    const bool by_mouse = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    const float grab = ui.px(6);
    const double span = std::max(1.0F, max.x - min.x - 2 * grab);
    std::optional<int32_t> changed;
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && slider.pressed == id) {
        changed = slider.value_before;  // the first click may have moved it
        start_typing(ui, id, info, slider.value_before);
    } else if (ImGui::IsItemActivated() && (io.KeyCtrl || !by_mouse)) {  // without the mouse: Enter or Space
        start_typing(ui, id, info, value);
    } else if (active && by_mouse && slider.typing != id) {
        changed = dragged_value(ui, id, info, value, min.x + grab, span);
    }
    if (changed == value) changed.reset();
    slider.dragged = changed.has_value();
    draw_track(ui, info, slider_position(info, changed.value_or(value)), min, max, hovered, active);
    focus_ring(ui, min, max);
    record(ui, info.label, min, max, value_text(info, value));
    return changed;
}

/// The value at the right of the label; a click types a new one.
void value_box(Frame& ui, ImGuiID id, const ParamInfo& info, int32_t value, ImVec2 right_top) {
    const float height = ui.px(kLabelHeight);
    const std::string shown = value_text(info, value);
    const float width = text_width(ui.theme.body, shown) + ui.px(8);
    const ImVec2 min{right_top.x - width, right_top.y};
    const ImVec2 max{right_top.x, right_top.y + height};
    ImGui::SetCursorScreenPos(min);
    if (hit_area("value", {width, height})) start_typing(ui, id, info, value);
    if (ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
        ImGui::GetWindowDrawList()->AddRectFilled(min, max, ui.colors.frame, ui.px(3));
    }
    focus_ring(ui, min, max);
    draw_text_right({max.x - ui.px(4), middle(ui.theme.body, min.y, height)}, ui.theme.body, ui.colors.text, shown);
    record(ui, std::string(info.label) + " value", min, max, shown);
}

bool right_clicked(ImVec2 min, ImVec2 max) {
    return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max) &&
           ImGui::IsMouseClicked(ImGuiMouseButton_Right);
}

std::optional<int32_t> slider(Frame& ui, const ParamInfo& info, int32_t value, float width,
                              std::span<const std::string> conversions) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float label_height = ui.px(kLabelHeight);
    const ImVec2 end{start.x + width, start.y + label_height + ui.px(kTrackHeight)};
    ImGui::PushID(info.id.data(), info.id.data() + info.id.size());
    const ImGuiID id = ImGui::GetID("slider");
    std::optional<int32_t> changed;
    if (std::exchange(ui.slider.type_next, false)) start_typing(ui, id, info, value);
    if (ui.slider.typing == id) {
        changed = typing_field(ui, info, {end.x, start.y}, std::min(ui.px(96), width * 0.6F));
        if (changed == value) changed.reset();
    } else {
        value_box(ui, id, info, value, {end.x, start.y});
    }
    const float room = width - text_width(ui.theme.body, value_text(info, value)) - ui.px(14);
    draw_text({start.x, middle(ui.theme.body, start.y, label_height)}, ui.theme.body, ui.colors.text_quiet,
              shorten(ui.theme.body, info.label, room));
    if (const auto moved = track(ui, id, info, value, {start.x, start.y + label_height}, end)) changed = moved;
    ImGui::PopID();
    if (right_clicked(start, end)) {
        ui.slider.typing = 0;
        if (value != info.default_value) changed = info.default_value;
    }
    if (!ImGui::IsAnyItemActive()) tooltip_at(ui, start, end, help_text(info, conversions));
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({width, param_height(ui, info)});
    return changed;
}

std::optional<int32_t> choice(Frame& ui, const ParamInfo& info, int32_t value, float width,
                              std::span<const std::string> conversions) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = ui.px(kSegmentHeight);
    const float label_width = std::min(ui.px(kLabelColumn), width * 0.4F);
    const float control_width = width - label_width;
    draw_text({start.x, middle(ui.theme.body, start.y, height)}, ui.theme.body, ui.colors.text_quiet,
              shorten(ui.theme.body, info.label, label_width - ui.px(4)));
    ImGui::SetCursorScreenPos({start.x + label_width, start.y});
    int clicked = -1;
    if (std::exchange(ui.slider.type_next, false)) clicked = (value + 1) % static_cast<int>(info.values.size());
    const std::string label(info.label);
    if (segments_fit(ui, info.values, control_width)) {
        const int segment = segmented(ui, label.c_str(), info.values, value, control_width);
        if (segment >= 0) clicked = segment;
    } else if (begin_choice(ui, label.c_str(), format_value(info, value), control_width, format_value(info, value))) {
        for (size_t k = 0; k < info.values.size(); ++k)
            if (choice_item(ui, label.c_str(), info.values[k], {}, {}, static_cast<int32_t>(k) == value))
                clicked = static_cast<int>(k);
        end_choice();
    }
    const ImVec2 end{start.x + width, start.y + height};
    if (!ImGui::IsAnyItemActive()) tooltip_at(ui, start, end, help_text(info, conversions));
    if (right_clicked(start, end) && value != info.default_value) clicked = info.default_value;
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({width, param_height(ui, info)});
    return clicked < 0 ? std::nullopt : std::optional<int32_t>(clicked);
}

}  // namespace

double slider_position(const ParamInfo& info, int32_t value) {
    const double low = info.min;
    const double high = info.max;
    if (high <= low) return 0;
    if (!info.logarithmic) return (value - low) / (high - low);
    if (info.min > 0) return std::log(value / low) / std::log(high / low);
    return std::log1p((value - low) / knee(info)) / std::log1p((high - low) / knee(info));
}

int32_t slider_value(const ParamInfo& info, double position, bool fine) {
    const double low = info.min;
    const double high = info.max;
    double value = low + position * (high - low);
    if (info.logarithmic) {
        value = info.min > 0 ? low * std::pow(high / low, position)
                             : low + knee(info) * std::expm1(position * std::log1p((high - low) / knee(info)));
        // Three digits are as exact as the mouse; the ends stay what they are.
        const double unit = std::pow(10.0, std::floor(std::log10(std::max(std::abs(value), 1.0))) - 2);
        if (!fine && unit > 1 && position > 0 && position < 1) value = std::round(value / unit) * unit;
    }
    return static_cast<int32_t>(std::llround(std::clamp(value, low, high)));
}

float param_height(const Frame& ui, const ParamInfo& info) {
    const float height =
        info.kind == ParamKind::choice ? ui.px(kSegmentHeight) : ui.px(kLabelHeight) + ui.px(kTrackHeight);
    return height + ui.px(kRowGap);
}

std::optional<int32_t> param_widget(Frame& ui, const ParamInfo& info, int32_t value, float width,
                                    std::span<const std::string> conversions) {
    return info.kind == ParamKind::choice ? choice(ui, info, value, width, conversions)
                                          : slider(ui, info, value, width, conversions);
}

}  // namespace tonescope::ui
