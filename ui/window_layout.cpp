#include "ui/window_layout.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

// At 96 dpi
constexpr float kViewsMin = 320;
/// What the comparison's table needs: the right panel gives way to it. And what is above its rows.
constexpr float kBenchmarkMin = 900, kBenchmarkHead = 190;
/// What lines of a source need; and where they have room beside the views or the comparison, in one column or in two.
constexpr float kSourceMin = 560, kSourceBeside = 1060, kBenchmarkBeside = 1200, kTwoBeside = 1900;
/// Where the height is too low for two, less of the width does.
constexpr float kLowHeight = 420, kLowBeside = 900;
constexpr float kStatus = 26, kSplitter = 5;
/// By which a key moves a strip between areas; with Shift by one pixel.
constexpr float kKeyStep = 16;

/// Takes the strip's place from the views.
void split_strip(Ui& ui, WindowLayout& l) {
    const RunModel& run = ui.model->run;
    if (!ui.presenting || run.op == nullptr || !ui.shows_image()) return;
    const float height = std::min(ui.presentation.height(ui, run, l.views.width), std::floor(l.views.height / 2));
    l.views.height -= height;
    l.strip = {l.views.x, l.views.bottom(), l.views.width, height};
}

/// What the source and the views above it share: of the comparison its rows.
float shared_height(const Ui& ui, float whole) {
    return std::max(whole - ui.px(kSplitter + (ui.model->benchmark.shown ? kBenchmarkHead : 0)), 1.0F);
}

/// Takes the source's place from the views: the picture and the source are seen together.
void split_source(const Ui& ui, WindowLayout& l) {
    if (!ui.shows_source()) return;
    const float split = ui.px(kSplitter);
    const float share = ui.settings.source_share;
    const float beside = ui.settings.source_look == SourceLook::side_by_side ? kTwoBeside
                         : ui.model->benchmark.shown                         ? kBenchmarkBeside
                         : l.views.height < ui.px(kLowHeight)                ? kLowBeside
                                                                             : kSourceBeside;
    l.source_is_beside = l.views.width >= ui.px(beside);
    if (l.source_is_beside) {
        const float width = std::floor((l.views.width - split) * share);
        l.source = {l.views.right() - width, l.views.y, width, l.views.height};
        l.views.width -= width + split;
    } else {
        const float height = std::floor(shared_height(ui, l.views.height) * share);
        l.source = {l.views.x, l.views.bottom() - height, l.views.width, height};
        l.views.height -= height + split;
    }
}

/// What becomes of a strip between two areas, after its own area has begun.
struct StripMove {
    std::optional<float> to;  // where its middle is now, pixels
    bool reset = false;
};

/// The mouse drags it, a double click resets it; where it has the keyboard, arrows move it and Delete resets it.
/// `upright`: it moves across.
StripMove move_strip(Ui& ui, const char* label, const Area& strip, bool upright) {
    part_area(label, strip);
    const ImGuiID id = ImGui::GetID(label);
    ui.keyboard.add({id, strip.min(), strip.max(), upright ? TakesKeys::across : TakesKeys::list});
    const bool active = ImGui::IsItemActive();
    if (active || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        fill(strip, active ? ui.colors.accent_deep : ui.colors.frame);
    }
    record(ui, label, strip);
    StripMove move;
    move.reset = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1)) move.to = upright ? mouse.x : mouse.y;
    if (!ui.keyboard.is_on(id)) return move;
    const KeyedSteps keys = keyed_steps(!upright);
    const float step = keys.fine ? 1 : ui.px(kKeyStep);
    const ImVec2 middle = strip.center();
    if (keys.count != 0) move.to = (upright ? middle.x : middle.y) + static_cast<float>(keys.count) * step;
    move.reset |= keys.reset;
    return move;
}

}  // namespace

WindowLayout arrange(Ui& ui, ImVec2 display) {
    WindowLayout l;
    const float status = ui.px(kStatus);
    const float split = ui.px(kSplitter);
    const float least = ui.px(kPanelMin);
    l.status = {0, display.y - status, display.x, status};
    const float height = display.y - status - 1;
    const float room = display.x - ui.px(kViewsMin) - split;
    l.has_left = ui.panels_shown() && room >= least;
    l.has_right = ui.panels_shown() && room - split >= 2 * least;
    float left = l.has_left ? std::min(ui.px(ui.settings.left_width), room) : 0;
    float right = l.has_right ? ui.px(ui.settings.right_width) : 0;
    const bool compares = ui.model->benchmark.shown, with_source = ui.shows_source();
    const float needed = ui.px(!compares ? kSourceMin : with_source ? kBenchmarkBeside : kBenchmarkMin);
    const auto give_way = [&](bool& shown, float& width) {
        if (display.x - left - right - 2 * split >= needed) return;
        shown = false;
        width = 0;
    };
    // The times of stages, in the right column, belong to the source.
    if (with_source && !compares) give_way(l.has_left, left);
    if (with_source || compares) give_way(l.has_right, right);
    if (with_source && compares) give_way(l.has_left, left);
    if (l.has_right && left + right > room - split) {
        left = l.has_left ? std::max(std::floor(left * (room - split) / (left + right)), least) : 0;
        right = std::max(room - split - left, least);
        left = l.has_left ? room - split - right : 0;
    }
    l.left = {0, 0, left, height};
    l.right = {display.x - right, 0, right, height};
    const float views_x = l.has_left ? left + split : 0;
    const float views_end = l.has_right ? l.right.x - split : display.x;
    l.views = {views_x, 0, views_end - views_x, height};
    split_strip(ui, l);
    l.middle = l.views;
    split_source(ui, l);
    return l;
}

void draw_column_splitter(Ui& ui, bool left, const Area& column) {
    const char* label = left ? "splitter:left" : "splitter:right";
    float& width = left ? ui.settings.left_width : ui.settings.right_width;
    const float split = ui.px(kSplitter);
    const Area strip{left ? column.right() : column.x - split, 0, split, column.height};
    ui.panel = "layout";
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_area(ui, label, strip, ui.colors.line, ImGuiWindowFlags_NoFocusOnAppearing);
    const StripMove move = move_strip(ui, label, strip, true);
    if (move.to) {
        const float edge = (left ? *move.to : ImGui::GetIO().DisplaySize.x - *move.to) - strip.width / 2;
        width = std::clamp(edge / ui.theme.scale, kPanelMin, kPanelMax);
    }
    if (move.reset) width = left ? kLeftDefault : kRightDefault;
    ImGui::End();
    ImGui::PopStyleVar();
}

void draw_source_splitter(Ui& ui, const WindowLayout& l) {
    const float split = ui.px(kSplitter);
    const Area &source = l.source, &middle = l.middle;
    const bool beside = l.source_is_beside;
    const Area strip = beside ? Area{source.x - split, source.y, split, source.height}
                              : Area{source.x, source.y - split, source.width, split};
    ui.panel = "layout";
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_area(ui, "splitter:source", strip, ui.colors.line, ImGuiWindowFlags_NoFocusOnAppearing);
    float& share = ui.settings.source_share;
    const StripMove move = move_strip(ui, "splitter:source", strip, beside);
    if (move.to) {
        const float shared = beside ? middle.width - split : shared_height(ui, middle.height);
        const float edge = (beside ? middle.right() : middle.bottom()) - *move.to - split / 2;
        share = std::clamp(edge / shared, kMinShare, 1 - kMinShare);
    }
    if (move.reset) share = Settings{}.source_share;
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace tonescope::ui
