// Right, on top: the histograms and their statistics.
#include <algorithm>
#include <cmath>

#include "ui/panels/histogram_parts.h"
#include "ui/state.h"
#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

constexpr float kLetter = 22, kToggle = 27, kScale = 104;  // widths at 96 dpi

bool has_color(const Model& model) {
    return (model.histogram.before && model.histogram.before->has_color) ||
           (model.histogram.after && model.histogram.after->has_color);
}

/// Small switches for the curves, at the right of the section's title.
void legend(Ui& ui, float x, float y, float height) {
    const float side = ui.px(kLetter);
    std::array<bool, kCurves>& all = ui.histogram.shown;
    const bool fine = ui.settings.histogram.fine;
    for (size_t k = 0; k < kCurves; ++k, x += side) {
        bool& shown = all[k];
        ImGui::SetCursorScreenPos({x, y});
        if (ImGui::InvisibleButton(kCurveLetters[k], {side, height})) {
            if (ImGui::GetIO().KeyCtrl) {
                all.fill(false);
                shown = true;
            } else {
                shown = !shown;
            }
        }
        if (ImGui::IsItemHovered())
            ImGui::GetWindowDrawList()->AddRectFilled({x, y}, {x + side, y + height}, ui.colors.frame, ui.px(3));
        const Font& font = ui.theme.strong;
        const bool drawn = fine ? k == static_cast<size_t>(Curve::luma) : shown;
        draw_text({x + (side - text_width(font, kCurveLetters[k])) / 2, middle(font, y, height)}, font,
                  drawn ? curve_color(ui.colors, static_cast<Curve>(k)) : ui.colors.text_faint, kCurveLetters[k]);
        focus_ring(ui, {x, y}, {x + side, y + height});
        constexpr const char* names[] = {"Red", "Green", "Blue", "Luma (brightness)"};
        tooltip(ui,
                std::string(names[k]) + (fine ? "\nIn 1024 bins luma stands alone: channels have 256 values"
                                              : "\nCtrl+click shows it alone: statistics and stripes are then of it"));
        record(ui, std::string("histogram:") + kCurveLetters[k], {x, y}, {x + side, y + height}, shown ? "on" : "");
    }
}

/// The title's row: curves and scale.
void draw_heading(Ui& ui) {
    const ImVec2 top = ImGui::GetCursorScreenPos();
    section(ui, "Histogram", true);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float row = ui.px(kSegmentHeight);
    const float y = std::max(top.y, std::floor(top.y + ui.px(5) + (ui.theme.strong.size_px - row) / 2));
    const float scale = ui.px(kScale);
    constexpr std::string_view scales[] = {"linear", "log"};
    ImGui::SetCursorScreenPos({below.x + width - scale, y});
    const int clicked = segmented(ui, "Scale", scales, ui.model->histogram.logarithmic ? 1 : 0, scale);
    if (clicked >= 0) ui.ask(SetHistogramLog{clicked == 1});
    if (has_color(*ui.model)) legend(ui, below.x + width - scale - ui.px(6) - 4 * ui.px(kLetter), y, row);
    ImGui::SetCursorScreenPos({below.x, std::max(below.y, y + row + ui.px(5))});
}

using DrawIcon = void (*)(const Ui&, ImVec2 center, ImU32 ink);

void overlay_icon(const Ui& ui, ImVec2 c, ImU32 ink) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 filled[] = {
        {c.x - ui.px(8), c.y + ui.px(5)}, {c.x - ui.px(3), c.y - ui.px(4)}, {c.x + ui.px(2), c.y + ui.px(5)}};
    list.AddTriangleFilled(filled[0], filled[1], filled[2], fade(ink, 0.6F));
    const ImVec2 line[] = {
        {c.x - ui.px(3), c.y + ui.px(5)}, {c.x + ui.px(3), c.y - ui.px(5)}, {c.x + ui.px(8), c.y + ui.px(5)}};
    list.AddPolyline(line, 3, ink, 0, std::max(1.0F, 1.3F * ui.theme.scale));
}

void cumulative_icon(const Ui& ui, ImVec2 c, ImU32 ink) {
    const ImVec2 line[] = {{c.x - ui.px(8), c.y + ui.px(5)},
                           {c.x - ui.px(3), c.y + ui.px(4)},
                           {c.x + ui.px(2), c.y - ui.px(3)},
                           {c.x + ui.px(8), c.y - ui.px(5)}};
    ImGui::GetWindowDrawList()->AddPolyline(line, 4, ink, 0, std::max(1.0F, 1.3F * ui.theme.scale));
}

void fine_icon(const Ui& ui, ImVec2 c, ImU32 ink) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    constexpr float heights[] = {3, 6, 9, 11, 8, 4};
    const float wide = std::max(1.0F, ui.px(1));
    for (size_t k = 0; k < std::size(heights); ++k) {
        const float x = std::round(c.x + ui.px(3 * static_cast<float>(k) - 8));
        list.AddRectFilled({x, c.y + ui.px(6) - ui.px(heights[k])}, {x + wide, c.y + ui.px(6)}, ink);
    }
}

void stripes_icon(const Ui& ui, ImVec2 c, ImU32 ink) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float w = ui.px(8);
    const float h = ui.px(6);
    const float line = std::max(1.0F, 1.3F * ui.theme.scale);
    list.PushClipRect({c.x - w, c.y - h}, {c.x + w, c.y + h}, true);
    for (int k = -1; k <= 3; ++k) {
        const float x = c.x - w + ui.px(6) * static_cast<float>(k);
        list.AddLine({x, c.y + h}, {x + 2 * h, c.y - h}, ink, line);
    }
    list.PopClipRect();
}

struct Toggle {
    const char* label;
    DrawIcon icon;
    bool* on;
    const char* help;
};

void draw_toggle(Ui& ui, const Toggle& toggle, ImVec2 min) {
    const ImVec2 max{min.x + ui.px(kToggle), min.y + ui.px(kSegmentHeight)};
    ImGui::SetCursorScreenPos(min);
    if (ImGui::InvisibleButton(toggle.label, {max.x - min.x, max.y - min.y})) *toggle.on = !*toggle.on;
    const bool hovered = ImGui::IsItemHovered();
    const float inset = ui.px(1);
    if (*toggle.on || hovered)
        ImGui::GetWindowDrawList()->AddRectFilled({min.x + inset, min.y + inset}, {max.x - inset, max.y - inset},
                                                  *toggle.on ? ui.colors.accent_deep : ui.colors.frame, ui.px(3));
    toggle.icon(ui, {std::round((min.x + max.x) / 2), std::round((min.y + max.y) / 2)},
                *toggle.on ? IM_COL32_WHITE
                : hovered  ? ui.colors.text
                           : ui.colors.text_quiet);
    focus_ring(ui, min, max);
    tooltip(ui, toggle.help);
    record(ui, toggle.label, min, max, *toggle.on ? "on" : "");
}

void choose_area(Ui& ui, int area) {
    Selection& selection = ui.views.state.selection;
    if (area == 2) {
        selection.armed = selection.rect.width <= 0;
        return;
    }
    ui.settings.histogram.area = static_cast<HistogramArea>(area);
    selection = {};
}

/// What the histograms are of, and how they are drawn: one row, or two where that is too wide.
void draw_options(Ui& ui) {
    HistogramAppearance& look = ui.settings.histogram;
    const Toggle toggles[] = {
        {"histogram:overlaid", overlay_icon, &look.overlaid, "Before and after in one plot (H)"},
        {"histogram:cumulative", cumulative_icon, &look.cumulative, "Cumulative: pixels up to each value"},
        {"histogram:fine", fine_icon, &look.fine,
         "1024 bins of 10-bit luma, (77 R + 150 G + 29 B) >> 6; of gray images 4 v"},
        {"histogram:stripes", stripes_icon, &ui.histogram.stripes,
         "Stripes over clipped pixels (C): blue where luma is 0, orange where it is 255; or the channel that is shown "
         "alone"},
    };
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float row = ui.px(kSegmentHeight);
    const float icons = ui.px(kToggle) * static_cast<float>(std::size(toggles));
    constexpr std::string_view areas[] = {"image", "visible", "selected"};
    const bool one_row = segments_fit(ui, areas, width - icons - ui.px(6));
    const Selection& selection = ui.views.state.selection;
    const bool selected = selection.rect.width > 0 || selection.armed;
    const int current = selected ? 2 : static_cast<int>(look.area);
    const int clicked = segmented(ui, "Histogram of", areas, current, one_row ? width - icons - ui.px(6) : width);
    if (clicked >= 0) choose_area(ui, clicked);
    ImVec2 place{at.x + width - icons, one_row ? at.y : at.y + row + ui.px(4)};
    for (const Toggle& toggle : toggles) {
        draw_toggle(ui, toggle, place);
        place.x += ui.px(kToggle);
    }
    ImGui::SetCursorScreenPos({at.x, place.y + row + ui.px(6)});
}

/// Tells the application, through the view, what is to be counted. Empty: the whole image.
void ask_for_region(Ui& ui) {
    View& view = ui.views.state.view;
    view.fine_histogram = ui.settings.histogram.fine;
    const Rect& selected = ui.views.state.selection.rect;
    if (selected.width > 0)
        view.histogram_region = selected;
    else if (ui.settings.histogram.area == HistogramArea::visible)
        view.histogram_region = view.visible;
}

}  // namespace

Curve measured_curve(const Ui& ui) {
    const std::array<bool, kCurves>& shown = ui.histogram.shown;
    if (!has_color(*ui.model) || ui.settings.histogram.fine || std::ranges::count(shown, true) != 1) return Curve::luma;
    return static_cast<Curve>(std::ranges::find(shown, true) - shown.begin());
}

void draw_histograms(Ui& ui) {
    const Model& model = *ui.model;
    ui.panel = "histogram";
    draw_heading(ui);
    draw_options(ui);
    ask_for_region(ui);
    const HistogramSide sides[] = {{model.views.before_title(), model.views.reference.empty() ? "before" : "reference",
                                    model.histogram.before, model.histogram.fine_before},
                                   {"After", "after", model.histogram.after, model.histogram.fine_after}};
    const Rect& region = ui.views.state.view.histogram_region;
    const std::string size = region.width > 0 ? format("%d \xc3\x97 %d", region.width, region.height) : "";
    const float height = ImGui::GetWindowHeight();
    if (ui.settings.histogram.overlaid) {
        draw_histogram_plot(ui, "histogram:both", sides, std::clamp(std::floor(height * 0.26F), ui.px(116), ui.px(320)),
                            size);
    } else {
        const float each = std::clamp(std::floor(height * 0.17F), ui.px(76), ui.px(190));
        draw_histogram_plot(ui, "histogram:before", {sides, 1}, each, size);
        skip(ui, 6);
        draw_histogram_plot(ui, "histogram:after", {sides + 1, 1}, each, size);
    }
    skip(ui, 6);
    draw_histogram_statistics(ui, sides);
}

}  // namespace tonescope::ui
