// Widgets made from a parameter's table entry.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ui/model/caption.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/suggestion_marks.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kLabelHeight = 18, kTrackHeight = 18, kRowGap = 3, kGrab = 6;
constexpr float kFormatOption = 180, kFormatOptionGap = 14;

std::string help_text(const ParamInfo& info, std::span<const std::string> conversions) {
    std::string text(info.help);
    for (const std::string& line : conversions) text += "\n\xe2\x80\xa2 " + line;
    const bool is_choice = info.kind == ParamKind::choice;
    if (!is_choice) text += "\n" + format_value(info, info.min) + " to " + value_text(info, info.max);
    text += (is_choice ? "\nDefault " : ", default ") + format_value(info, info.default_value);
    text += is_choice ? "\nRight-click or Delete resets"
                      : "\nDouble-click or Enter to type, right-click or Delete to reset, Shift to move finely";
    return text;
}

/// Logarithmic sliders that start at 0 treat this many steps as their unit near 0.
double knee(const ParamInfo& info) {
    return std::max(info.scale, 1);
}

/// The unit of a number's third digit.
double three_digits(double value) {
    return std::pow(10.0, std::floor(std::log10(std::max(std::abs(value), 1.0))) - 2);
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
    ui.slider.typed_here = ui.slider.focus_text = true;
    ui.keyboard.go_to(id);
    ui.slider.text = format_value(info, value);
}

/// The field in which a value is typed, at the right end of the label's line.
std::optional<int32_t> typing_field(Frame& ui, ImGuiID id, const ParamInfo& info, ImVec2 right_top, float width) {
    ImGui::SetCursorScreenPos({right_top.x - width, right_top.y});
    ImGui::SetNextItemWidth(width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(4), (ui.px(kLabelHeight) - ui.theme.body.size_px) / 2});
    const bool opening = ui.slider.focus_text;
    ui.slider.typed_here = true;
    if (opening) ImGui::SetKeyboardFocusHere();
    const bool entered = input_string("##typed", "", ui.slider.text,
                                      ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue, false);
    ImGui::PopStyleVar();
    const bool left = !opening && (!ImGui::IsItemActive() || ui.keyboard.is_elsewhere(id));
    const bool escaped = key_pressed(ImGuiKey_Escape);
    record(ui, std::string(info.label) + " value", between(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()),
           ui.slider.text);
    // Focus set here reaches the field a frame later.
    if (opening && ImGui::IsItemActive()) ui.slider.focus_text = false;
    if (!entered && !left) return std::nullopt;
    ui.slider.typing = 0;
    return escaped ? std::nullopt : typed_value(info, ui.slider.text);
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

/// What one press of an arrow comes to, in the table's steps: one unit, or a tenth of it where there are decimals.
/// Large values of a logarithmic slider move by what the mouse can hit.
int32_t key_step(const ParamInfo& info, int32_t value, bool fine) {
    double step = std::max(info.scale / 10, 1);
    if (info.logarithmic) step = std::max(step, three_digits(value));
    return std::max(1, static_cast<int32_t>(fine ? step / 10 : step));
}

/// Where the keys move the slider that has the keyboard.
std::optional<int32_t> keyed_value(Frame& ui, const ParamInfo& info, int32_t value) {
    const KeyedSteps keys = keyed_steps();
    if (keys.begin) ++ui.slider.gesture;  // what a held key does is one step of undo
    const int64_t moved = value + int64_t{keys.count} * key_step(info, value, keys.fine);
    const int64_t to = keys.to_least  ? info.min
                       : keys.to_most ? info.max
                                      : std::clamp<int64_t>(moved, info.min, info.max);
    return to == value ? std::nullopt : std::optional(clamp_value(info, to));
}

/// The part that is dragged. Returns the new value. `whole`: with the label above it.
std::optional<int32_t> track(Frame& ui, ImGuiID id, const ParamInfo& info, int32_t value, const Area& area,
                             const Area& whole) {
    SliderState& slider = ui.slider;
    const ImGuiIO& io = ImGui::GetIO();
    part_area("track", area);
    const bool used = ui.keyboard.add({id, whole.min(), whole.max(), TakesKeys::across});
    const bool hovered = ImGui::IsItemHovered();
    const bool active = ImGui::IsItemActive();
    const bool by_mouse = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    const float grab = ui.px(kGrab);
    const double span = std::max(1.0F, area.width - 2 * grab);
    std::optional<int32_t> changed;
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && slider.pressed == id) {
        changed = slider.value_before;  // the first click may have moved it
        start_typing(ui, id, info, slider.value_before);
    } else if (used || (ImGui::IsItemActivated() && io.KeyCtrl)) {
        start_typing(ui, id, info, value);
    } else if (active && by_mouse && slider.typing != id) {
        changed = dragged_value(ui, id, info, value, area.x + grab, span);
    } else if (ui.keyboard.is_on(id) && slider.typing != id) {
        changed = keyed_value(ui, info, value);
    }
    if (changed == value) changed.reset();
    slider.dragged = changed.has_value();
    draw_slider(ui, area, slider_position(info, changed.value_or(value)), active || hovered,
                {grab, 24, ui.colors.frame_hovered, slider_position(info, info.default_value)});
    record(ui, info.label, area, value_text(info, value));
    return changed;
}

/// The value at the right of the label; a click types a new one.
void value_box(Frame& ui, ImGuiID id, const ParamInfo& info, int32_t value, ImVec2 right_top) {
    const std::string shown = value_text(info, value);
    const float width = text_width(ui.theme.body, shown) + ui.px(8);
    const Area area{right_top.x - width, right_top.y, width, ui.px(kLabelHeight)};
    if (part_area("value", area)) start_typing(ui, id, info, value);
    if (ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
        fill(area, ui.colors.frame, ui.px(kRadius));
    }
    draw_line({area.x, area.y, width - ui.px(4), area.height}, ui.theme.body, ui.colors.text, shown, Align::right);
    record(ui, std::string(info.label) + " value", area, shown);
}

bool right_clicked(const Area& area) {
    return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(area.min(), area.max()) &&
           ImGui::IsMouseClicked(ImGuiMouseButton_Right);
}

std::optional<int32_t> slider(Frame& ui, const ParamInfo& info, int32_t value, const Area& area,
                              const ParamSuggestions* suggestions) {
    const float label_height = ui.px(kLabelHeight);
    ImGui::PushID(info.id.data(), info.id.data() + info.id.size());
    const ImGuiID id = ImGui::GetID("slider");
    std::optional<int32_t> changed;
    if (std::exchange(ui.slider.type_next, false)) start_typing(ui, id, info, value);
    if (ui.slider.typing == id) {
        changed = typing_field(ui, id, info, {area.right(), area.y}, std::min(ui.px(96), area.width * 0.6F));
        if (changed == value) changed.reset();
    } else {
        value_box(ui, id, info, value, {area.right(), area.y});
    }
    const float room = area.width - text_width(ui.theme.body, value_text(info, value)) - ui.px(14);
    // Less than a few letters of the label say nothing; the tooltip has it all.
    if (room >= std::min(ui.px(44), text_width(ui.theme.body, info.label)))
        draw_line_cut(ui, {area.x, area.y, room, label_height}, ui.theme.body, ui.colors.text_quiet, info.label);
    const Area below{area.x, area.y + label_height, area.width, ui.px(kTrackHeight)};
    const auto suggested =
        suggestions == nullptr ? std::nullopt : suggestion_marks(ui, *suggestions, value, below, ui.px(kGrab));
    if (const auto moved = track(ui, id, info, value, below, area)) changed = moved;
    if (suggested && *suggested != value) changed = suggested;
    ImGui::PopID();
    if (right_clicked(area)) {
        ui.slider.typing = 0;
        if (value != info.default_value) changed = info.default_value;
    }
    return changed;
}

std::optional<int32_t> choice(Frame& ui, const ParamInfo& info, int32_t value, const Area& area) {
    const float label_width = std::min(ui.px(kLabelColumn), area.width * 0.4F);
    const float control_width = area.width - label_width;
    draw_line_cut(ui, {area.x, area.y, label_width - ui.px(4), area.height}, ui.theme.body, ui.colors.text_quiet,
                  info.label);
    ImGui::SetCursorScreenPos({area.x + label_width, area.y});
    const bool step = std::exchange(ui.slider.type_next, false);
    const std::string label(info.label);
    const bool fits = segments_fit(ui, info.values, control_width);
    int clicked = fits ? segmented(ui, label.c_str(), info.values, value, control_width)
                       : choose(ui, label.c_str(), info.values, value, control_width);
    if (clicked < 0 && step) clicked = (value + 1) % static_cast<int>(info.values.size());
    if (right_clicked(area) && value != info.default_value) clicked = info.default_value;
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
        const double unit = three_digits(value);
        if (!fine && unit > 1 && position > 0 && position < 1) value = std::round(value / unit) * unit;
    }
    return static_cast<int32_t>(std::llround(std::clamp(value, low, high)));
}

void draw_slider(const Frame& ui, const Area& area, double position, bool lit, const SliderLook& look) {
    const float y = std::floor(area.center().y);
    const float half = std::max(1.0F, ui.px(2));
    const float span = area.width - 2 * look.grab_px;
    const auto x_of = [&](double at) { return area.x + look.grab_px + span * static_cast<float>(at); };
    const float at = x_of(position);
    fill({area.x, y - half, area.width, 2 * half}, look.ground, half);
    fill({area.x, y - half, at - area.x, 2 * half}, lit ? ui.colors.accent : ui.colors.accent_deep, half);
    if (look.mark)
        fill({std::round(x_of(*look.mark)), y + half + ui.px(2), std::max(1.0F, ui.px(1)), ui.px(5) - ui.px(2)},
             ui.colors.text_faint);
    ImGui::GetWindowDrawList()->AddCircleFilled({at, y}, look.grab_px, lit ? ui.colors.text : ui.colors.grab,
                                                look.corners);
}

float param_height(const Frame& ui, const ParamInfo& info) {
    const float height =
        info.kind == ParamKind::choice ? ui.px(kSegmentHeight) : ui.px(kLabelHeight) + ui.px(kTrackHeight);
    return height + ui.px(kRowGap);
}

std::optional<int32_t> param_widget(Frame& ui, const ParamInfo& info, int32_t value, float width,
                                    std::span<const std::string> conversions, const ParamSuggestions* suggestions) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const Area whole{start.x, start.y, width, param_height(ui, info)};
    const Area area{start.x, start.y, width, whole.height - ui.px(kRowGap)};
    const bool is_choice = info.kind == ParamKind::choice;
    const std::optional<int32_t> changed =
        is_choice ? choice(ui, info, value, area) : slider(ui, info, value, area, suggestions);
    if (!ImGui::IsAnyItemActive() && !ui.tooltip.picture.draw) tooltip_at(ui, area, help_text(info, conversions));
    end_area(whole);
    return changed;
}

std::optional<std::pair<size_t, int32_t>> param_pair(Frame& ui, std::span<const ParamInfo, 2> infos,
                                                     std::span<const int32_t, 2> values) {
    const Area place = area_at_cursor(0);
    const float each = std::floor((place.width - ui.px(16)) / 2);
    std::optional<std::pair<size_t, int32_t>> changed;
    ui.slider.dragged = false;
    for (size_t k = 0; k < infos.size(); ++k) {
        ImGui::SetCursorScreenPos({k == 0 ? place.x : place.right() - each, place.y});
        const int32_t value = std::clamp(values[k], infos[k].min, infos[k].max);
        if (const auto to = param_widget(ui, infos[k], value, each)) changed = {k, *to};
        if (changed) break;  // SliderState::dragged is of this one
    }
    end_area({place.x, place.y, 1, param_height(ui, infos[0])});
    return changed;
}

float format_options(Frame& ui, const SavedFormat& format, SaveOptions& chosen) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float x = start.x;
    for (const ParamInfo& info : format.options) {
        const auto found = chosen.find(info.id);
        const int32_t value = found == chosen.end() ? info.default_value : clamp_value(info, found->second);
        ImGui::SetCursorScreenPos({x, start.y});
        if (const auto changed = param_widget(ui, info, value, ui.px(kFormatOption))) {
            chosen[std::string(info.id)] = *changed;
            if (*changed == info.default_value) chosen.erase(std::string(info.id));
        }
        x += ui.px(kFormatOption + kFormatOptionGap);
    }
    ImGui::SetCursorScreenPos(start);
    return x - start.x;
}

}  // namespace tonescope::ui
