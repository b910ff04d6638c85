// The bar above the views: modes at the left, commands at the right, the mode's options between them; what has no room
// stands in rows below, and what these have no room for, in a menu.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "ui/views/views.h"

namespace tonescope::ui {
namespace {

// At 96 dpi: of a mode without its name, beside the outermost pieces, between pieces, and what a mode's options may
// take before the commands' names give way.
constexpr float kModeWidth = 36, kInset = 8, kApart = 16, kOptionsRoom = 330;
constexpr float kIcon = 16, kMenuRow = 32, kMenuPadding = 8;
constexpr float kMostRows = 4;
constexpr float kBarShare = 0.4F;  // of the height, at most, so that the views keep more than half
constexpr int kAnyRows = 9;

struct ActionButton {
    const char* command;
    Icon icon;
};
constexpr ActionButton kActionButtons[] = {
    {"undo", Icon::undo},      {"redo", Icon::redo},         {"palette", Icon::commands},
    {"shortcuts", Icon::help}, {"settings", Icon::settings},
};

/// Beside an icon.
float name_width(const Frame& ui, std::string_view name) {
    return std::ceil(text_width(ui.theme.body, name)) + ui.px(6);
}

/// `named`: with the commands' names beside the icons.
BarRow action_buttons(Frame& ui, bool named) {
    BarRow row(ui);
    row.gap = 2;
    const float side = ui.px(kSegmentHeight);
    for (const ActionButton& each : kActionButtons) {
        const std::string name = named ? ui.commands->title(each.command) : "";
        const float width = side + (named ? name_width(ui, name) : 0);
        row.add(width, [&ui, &each, side, name](ImVec2 at) {
            const bool usable = ui.commands->available(each.command);
            const std::string label = std::string("bar:") + each.command;
            if (icon_button(ui, at, label.c_str(), each.icon, side, usable, {}, name)) {
                ui.commands->run(each.command);
                ImGui::CloseCurrentPopup();  // where it is in the menu
            }
            tooltip(ui, ui.commands->help(each.command));
        });
    }
    return row;
}

/// Of each mode's button.
std::vector<float> mode_widths(const Frame& ui, bool named) {
    std::vector<float> widths;
    for (const ViewModeInfo& mode : view_modes())
        widths.push_back(named ? ui.px(kIcon + 16) + name_width(ui, mode.name) : ui.px(kModeWidth));
    return widths;
}

void draw_modes(Frame& ui, Views& views, ImVec2 at, const std::vector<float>& widths, bool named) {
    const std::span<const ViewModeInfo> modes = view_modes();
    Area area{at.x, at.y, 0, ui.px(kSegmentHeight)};
    const Area whole{at.x, at.y, std::accumulate(widths.begin(), widths.end(), 0.0F), area.height};
    fill(whole, ui.colors.frame, ui.px(kRadius));
    record(ui, "mode", whole, modes[views.shown_mode()].id, false);
    ui.keyboard.begin_group(ImGui::GetID("modes"), false);
    for (size_t k = 0; k < modes.size(); ++k) {
        const ViewModeInfo& mode = modes[k];
        const std::string label = "mode:" + std::string(mode.id);
        const bool usable = mode.can_show(*views.state.model);
        area.width = widths[k];
        begin_disabled(ui, !usable);
        if (hit_area(ui, label.c_str(), area, k == views.shown_mode(), mode.name)) views.choose_mode(ui, k);
        end_disabled(ui, !usable);
        const ImU32 ground_ink =
            switch_ground(ui, area.inset(ui.px(2)), k == views.shown_mode(), ui.colors.frame_active);
        const ImU32 ink = usable ? ground_ink : ui.colors.text_faint;
        const float icon_x = named ? area.x + ui.px(8) : std::round(area.center().x) - ui.px(kIcon / 2);
        const Area icon{icon_x, std::round(area.center().y) - ui.px(6), ui.px(kIcon), 2 * ui.px(6)};
        views.mode(k).draw_icon(ui, icon, ink);
        if (named) draw_line({icon.right() + ui.px(6), area.y, 0, area.height}, ui.theme.body, ink, mode.name);
        tooltip(ui, usable ? std::string(mode.help) + ui.keys(mode.id) : std::string(mode.need->help));
        record(ui, label, area, k == views.shown_mode() ? "on" : "", true, usable);
        area.x += area.width;
    }
    ui.keyboard.end_group();
}

/// Where a control stands in the bar, from the left end of its first row.
struct Spot {
    int row = 0;
    float x = 0;
};

/// Where the bar's pieces stand.
struct BarPlan {
    int rows = 1;
    bool end_up = true;                  // what is at the right end is in the first row, and not in the second
    std::vector<Spot> toggles, options;  // as many as have room
    bool holds_all = false;
};

/// What is to be placed; pixels.
struct BarPieces {
    const Frame& ui;
    float width, modes;  // of the bar, of the modes' buttons
    const BarRow& toggles;
    const BarRow& options;

    float apart() const { return ui.px(kApart); }
    bool fit(std::initializer_list<float> widths) const {
        return std::accumulate(widths.begin(), widths.end(), static_cast<float>(widths.size() - 1) * apart()) <= width;
    }
    BarPlan plan(float end, int most_rows) const;
};

/// Modes and `end` stay where they are whatever options there are: these stand between them where they fit, else in
/// rows below.
BarPlan BarPieces::plan(float end, int most_rows) const {
    BarPlan plan;
    plan.end_up = fit({modes, end});
    plan.rows = plan.end_up ? 1 : 2;
    const auto right = [&](int row) { return width - (row == (plan.end_up ? 0 : 1) ? end + apart() : 0); };
    Spot next{0, modes + ui.px(kInset)};
    const auto place = [&](const BarRow& controls) {
        std::vector<Spot> spots;
        const float start = next.x;
        for (const BarRow::Control& control : controls.controls()) {
            const bool begins = next.x == 0 || (spots.empty() && next.x == start);
            float x = next.x + (begins ? 0 : control.gap);
            if (x > 0 && x + control.width > right(next.row)) {
                ++next.row;
                x = 0;
            }
            if (next.row >= most_rows) break;
            spots.push_back({next.row, x});
            next.x = x + control.width;
            plan.rows = std::max(plan.rows, next.row + 1);
        }
        return spots;
    };
    const bool toggles_up = modes + apart() + toggles.width() <= right(0);
    if (!toggles_up) next = {1, 0};
    plan.toggles = place(toggles);
    if (toggles_up && plan.end_up && fit({modes, toggles.width(), options.width(), end})) {
        next = {0, width - end - apart() - options.width()};
        plan.options = place(options);
    } else {
        const Spot beside = toggles_up ? Spot{1, 0} : Spot{next.row, next.x + apart()};
        const Spot below = toggles_up ? beside : Spot{next.row + 1, 0};
        next = beside.x + options.width() <= right(beside.row) ? beside : below;
        plan.options = place(options);
        if (plan.options.size() < options.controls().size()) {
            next = beside;
            plan.options = place(options);
        }
    }
    plan.holds_all = plan.rows <= most_rows && plan.toggles.size() == toggles.controls().size() &&
                     plan.options.size() == options.controls().size();
    return plan;
}

/// A button with what has no room in the bar.
void draw_menu(Frame& ui, ImVec2 at, const BarPieces& pieces, const BarPlan& plan) {
    constexpr const char* id = "##bar menu";
    const float side = ui.px(kSegmentHeight);
    if (icon_button(ui, at, "bar:more", Icon::more, side)) ImGui::OpenPopup(id);
    tooltip(ui, "More");
    if (!ImGui::IsPopupOpen(id)) return;
    const BarRow actions = action_buttons(ui, true);
    const std::tuple<const BarRow&, size_t> parts[] = {
        {pieces.toggles, plan.toggles.size()}, {pieces.options, plan.options.size()}, {actions, 0}};
    const float pad = ui.px(kMenuPadding);
    const float row = ui.px(kMenuRow);
    ImVec2 size{0, 2 * pad};
    for (const auto& [controls, first] : parts)
        for (size_t k = first; k < controls.controls().size(); ++k) {
            size.x = std::max(size.x, controls.controls()[k].width);
            size.y += row;
        }
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float gap = ui.px(4);
    size.x += 2 * pad + (size.y > display.y - 2 * gap ? ImGui::GetStyle().ScrollbarSize : 0);
    size.y = std::min(size.y, display.y - 2 * gap);
    ImGui::SetNextWindowPos(
        {std::max(at.x + side - size.x, 0.0F), std::clamp(at.y + side + gap, gap, display.y - gap - size.y)});
    ImGui::SetNextWindowSize(size);
    if (!begin_menu(ui, id, pad)) return;
    const std::string panel = std::exchange(ui.panel, "bar menu");
    for (const auto& [controls, first] : parts)
        for (size_t k = first; k < controls.controls().size(); ++k) {
            const Area place = area_at_cursor(row);
            controls.draw(k, {place.x, place.y + std::floor((row - side) / 2)});
            end_area(place);
        }
    end_menu(ui);
    ui.panel = panel;
}

}  // namespace

float Views::draw_bar(Frame& ui, const Area& area) {
    const Area inner{area.x + ui.px(kInset), area.y, area.width - 2 * ui.px(kInset), area.height};
    BarRow toggles(ui);
    toggles.toggle("pin", "Pin", "pin", state.model->views.basis != Basis::image,
                   "Pins this result: others are compared with it, not with the image");
    toggles.toggle("explain", "Explain", "explain", explains(ui, state.model->run),
                   can_explain(state.model->run) ? "Explains the pixel under the mouse: its tiles, tables or quadrants"
                                                 : "This operator has nothing to explain");
    BarRow options(ui);
    mode(shown_mode_).add_options(ui, state, options);

    // Nothing of this depends on the mode, so that the buttons stay where they are when it changes.
    const auto sum = [](const std::vector<float>& widths) {
        return std::accumulate(widths.begin(), widths.end(), 0.0F);
    };
    const float step = ui.px(kBarRow) - ui.px(4);
    const auto most_rows = static_cast<int>(std::clamp((kBarShare * area.height - ui.px(4)) / step, 1.0F, kMostRows));
    BarPieces pieces{ui, inner.width, sum(mode_widths(ui, true)), toggles, options};
    const BarRow icons = action_buttons(ui, false);
    const BarRow with_names = action_buttons(ui, true);
    const bool names_modes = pieces.fit({pieces.modes, toggles.width(), icons.width()});
    const bool names_actions = pieces.fit({pieces.modes, toggles.width(), ui.px(kOptionsRoom), with_names.width()});
    const BarRow& actions = names_actions ? with_names : icons;
    std::vector<float> widths = mode_widths(ui, names_modes);
    pieces.modes = sum(widths);
    const float more = ui.px(kSegmentHeight);
    const bool has_options_room = pieces.fit({pieces.modes, toggles.width(), ui.px(kOptionsRoom), actions.width()});
    const BarRow none(ui);
    const int rows_alone = BarPieces{ui, inner.width, pieces.modes, toggles, none}.plan(actions.width(), kAnyRows).rows;
    const bool is_crowded = rows_alone + (has_options_room ? 0 : 1) > most_rows;
    const bool has_menu = is_crowded || !pieces.plan(actions.width(), most_rows).holds_all;
    const float end = has_menu ? more : actions.width();
    if (has_menu && !names_modes) {
        const float share = (inner.width - more - pieces.apart()) / static_cast<float>(widths.size());
        std::ranges::fill(widths, std::min(widths[0], std::floor(share)));
        pieces.modes = sum(widths);
    }
    // Where not all have one, the name of the mode that is shown stands behind the buttons.
    float widest = 0;
    for (const ViewModeInfo& info : view_modes()) widest = std::max(widest, name_width(ui, info.name));
    const Area name{inner.x + pieces.modes + ui.px(4), 0, widest, ui.px(kSegmentHeight)};
    const float name_end = pieces.modes + ui.px(4) + widest;
    const bool names_one = !names_modes && !has_menu && pieces.fit({name_end, toggles.width(), end});
    if (names_one) pieces.modes = name_end;

    const BarPlan plan = pieces.plan(end, most_rows);
    const float height = ui.px(kBarRow) + static_cast<float>(plan.rows - 1) * step;
    fill({area.x, area.y, area.width, height}, ui.colors.panel);
    const float top = area.y + std::floor((ui.px(kBarRow) - ui.px(kSegmentHeight)) / 2);
    draw_modes(ui, *this, {inner.x, top}, widths, names_modes);
    if (names_one) {
        const Area place{name.x, top, name.width, name.height};
        draw_line(place, ui.theme.body, ui.colors.text_quiet, view_modes()[shown_mode_].name, Align::center);
        record(ui, "mode name", place, view_modes()[shown_mode_].name, false);
    }
    const auto draw = [&](const BarRow& controls, const std::vector<Spot>& spots) {
        for (size_t k = 0; k < spots.size(); ++k)
            controls.draw(k, {inner.x + spots[k].x, top + static_cast<float>(spots[k].row) * step});
    };
    draw(toggles, plan.toggles);
    draw(options, plan.options);
    ImVec2 at{inner.right() - end, top + (plan.end_up ? 0 : step)};
    if (has_menu) {
        draw_menu(ui, at, pieces, plan);
    } else {
        for (size_t k = 0; k < actions.controls().size(); ++k) {
            at.x += actions.controls()[k].gap;
            actions.draw(k, at);
            at.x += actions.controls()[k].width;
        }
    }
    return height;
}

}  // namespace tonescope::ui
