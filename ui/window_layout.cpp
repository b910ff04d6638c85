#include "ui/window_layout.h"

#include <algorithm>
#include <cmath>

namespace tonescope::ui {
namespace {

// At 96 dpi
constexpr float kViewsMin = 320;
/// What the comparison's table needs: the right panel gives way to it.
constexpr float kBenchmarkMin = 900;
/// What lines of a source need; and where they have room beside the views, which need as much, in one column or in two.
constexpr float kSourceMin = 560, kSourceBeside = 1060, kTwoBeside = 1900;
constexpr float kStatus = 26, kSplitter = 5;

/// Takes the strip's place from the views.
void split_strip(Ui& ui, WindowLayout& l) {
    const RunModel& run = ui.model->run;
    if (!ui.presenting || run.op == nullptr || !ui.shows_image()) return;
    const float height = std::min(ui.presentation.height(ui, run, l.views.width), std::floor(l.views.height / 2));
    l.views.height -= height;
    l.strip = {l.views.x, l.views.bottom(), l.views.width, height};
}

/// Takes the source's place from the views: the picture and the source are seen together.
void split_source(const Ui& ui, WindowLayout& l) {
    if (!ui.shows_source()) return;
    const float split = ui.px(kSplitter);
    const float share = ui.settings.source_share;
    const float beside = ui.model->benchmark.shown                             ? kBenchmarkMin + kSourceMin
                         : ui.settings.source_look == SourceLook::side_by_side ? kTwoBeside
                                                                               : kSourceBeside;
    l.source_is_beside = l.views.width >= ui.px(beside);
    if (l.source_is_beside) {
        const float width = std::floor((l.views.width - split) * share);
        l.source = {l.views.right() - width, l.views.y, width, l.views.height};
        l.views.width -= width + split;
    } else {
        const float height = std::floor((l.views.height - split) * share);
        l.source = {l.views.x, l.views.bottom() - height, l.views.width, height};
        l.views.height -= height + split;
    }
}

/// A strip that is dragged, after its area has begun. True while it is.
bool drag_strip(Ui& ui, const Area& strip, ImGuiMouseCursor cursor) {
    mouse_area("strip", strip);
    const bool active = ImGui::IsItemActive();
    if (active || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(cursor);
        fill(strip, active ? ui.colors.accent_deep : ui.colors.frame);
    }
    return active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1);
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
    const float needed = ui.px(ui.model->benchmark.shown ? kBenchmarkMin : kSourceMin);
    const auto lacks_room = [&] { return display.x - left - right - 2 * split < needed; };
    // The times of stages, in the right column, belong to the source.
    if (ui.shows_source() && !ui.model->benchmark.shown && lacks_room()) {
        l.has_left = false;
        left = 0;
    }
    if ((ui.model->benchmark.shown || ui.shows_source()) && lacks_room()) {
        l.has_right = false;
        right = 0;
    }
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
    if (drag_strip(ui, strip, ImGuiMouseCursor_ResizeEW)) {
        const float mouse = ImGui::GetIO().MousePos.x;
        const float edge = (left ? mouse : ImGui::GetIO().DisplaySize.x - mouse) - strip.width / 2;
        width = std::clamp(edge / ui.theme.scale, kPanelMin, kPanelMax);
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        width = left ? kLeftDefault : kRightDefault;
    record(ui, label, strip);
    ImGui::End();
    ImGui::PopStyleVar();
}

void draw_source_splitter(Ui& ui, const WindowLayout& l) {
    const float split = ui.px(kSplitter);
    const Area& source = l.source;
    const bool beside = l.source_is_beside;
    const Area strip = beside ? Area{source.x - split, source.y, split, source.height}
                              : Area{source.x, source.y - split, source.width, split};
    ui.panel = "layout";
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_area(ui, "splitter:source", strip, ui.colors.line, ImGuiWindowFlags_NoFocusOnAppearing);
    float& share = ui.settings.source_share;
    if (drag_strip(ui, strip, beside ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS)) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const float whole = beside ? source.right() - l.views.x : source.bottom() - l.views.y;
        const float edge = (beside ? source.right() - mouse.x : source.bottom() - mouse.y) - split / 2;
        share = std::clamp(edge / (whole - split), kMinShare, 1 - kMinShare);
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) share = Settings{}.source_share;
    record(ui, "splitter:source", strip);
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace tonescope::ui
