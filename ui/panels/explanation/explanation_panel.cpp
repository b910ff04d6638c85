#include "ui/panels/explanation/explanation_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/panels/explanation/explanation_plot.h"
#include "ui/widgets/charts/table.h"
#include "ui/widgets/explained_areas.h"

namespace tonescope::ui {
namespace {

constexpr float kLine = 20, kCardWidth = 320;  // at 96 dpi
constexpr float kCloseUpMargin_px = 1;         // image pixels around what is shown

/// "Luma 126 > 143", one behind the other.
void draw_values(Frame& ui, const Explanation& explanation) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const Font& font = ui.theme.small;
    const float icon = ui.px(9);
    float x = start.x;
    std::string text;
    for (const ExplainedValue& value : explanation.values) {
        const std::string before = std::to_string(value.before);
        const std::string after = std::to_string(value.after);
        draw_text({x, start.y}, font, ui.colors.text_quiet, value.name);
        x += text_width(font, value.name) + ui.px(6);
        draw_text({x, start.y}, font, ui.colors.text, before);
        x += text_width(font, before) + ui.px(5);
        draw_icon(ui, Icon::arrow_right, {x + icon / 2, start.y + font.size_px / 2}, icon, ui.colors.text_quiet);
        x += icon + ui.px(5);
        draw_text({x, start.y}, font, ui.colors.text, after);
        x += text_width(font, after) + ui.px(14);
        text.append(text.empty() ? "" : ", ").append(value.name + " " + before + " to " + after);
    }
    if (text.empty()) return;
    record(ui, "explanation:values", start, {start.x + width, start.y + font.size_px}, text, false);
    ImGui::Dummy({width, ui.px(kLine) + ui.px(2)});
}

float plot_height(const Frame& ui) {
    return std::clamp(std::floor(ImGui::GetIO().DisplaySize.y * 0.2F), ui.px(110), ui.px(220));
}

/// Where a picture of this section stands; the cursor goes below.
Area frame_at_cursor(const Frame& ui) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const Area frame{start.x, start.y, ImGui::GetContentRegionAvail().x, plot_height(ui)};
    ImGui::GetWindowDrawList()->AddRectFilled(frame.min(), frame.max(), ui.colors.backdrop, ui.px(4));
    ImGui::Dummy({frame.width, frame.height});
    return frame;
}

void draw_plot(Frame& ui, const Explanation& explanation, const ExplainedPlot& plot) {
    const Area frame = frame_at_cursor(ui);
    const Area area{frame.x + ui.px(1), frame.y + ui.px(24), frame.width - ui.px(2), frame.height - ui.px(25)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(frame.min(), frame.max(), true);
    draw_explained_plot(ui, plot, area);
    list.PopClipRect();
    draw_text({frame.x + ui.px(8), frame.y + ui.px(5)}, ui.theme.small, ui.colors.text_quiet,
              shorten(ui.theme.small, plot.name + ", " + explanation.plot_of, frame.width - ui.px(16)));
    record(ui, "explanation:plot", frame.min(), frame.max(),
           explanation.plot_of + "; " + format("%d to %d", plot.bin, plot.out), false);
    skip(ui, 5);
    draw_explained_legend(ui, plot);
}

/// The pixel's surroundings, magnified, with the areas.
void draw_close_up(Frame& ui, const Explanation& explanation, const Picture& image) {
    const Area frame = frame_at_cursor(ui);
    const Rect& part = explanation.surroundings;
    ImageToScreen map;
    map.zoom = std::min(double{frame.width} / (part.width + 2 * double{kCloseUpMargin_px}),
                        double{frame.height} / (part.height + 2 * double{kCloseUpMargin_px}));
    if (map.zoom > 2) map.zoom = std::floor(map.zoom);
    map.origin_x = std::round(frame.x + frame.width / 2.0 - (part.x + part.width / 2.0) * map.zoom);
    map.origin_y = std::round(frame.y + frame.height / 2.0 - (part.y + part.height / 2.0) * map.zoom);
    ImGui::GetWindowDrawList()->PushClipRect(frame.min(), frame.max(), true);
    draw_picture(ui, image, map, frame);
    draw_explained_areas(ui, explanation, map, frame);
    draw_marker(ui, map, explanation.pixel.x, explanation.pixel.y);
    ImGui::GetWindowDrawList()->PopClipRect();
    record(ui, "explanation:close-up", frame.min(), frame.max(), format("%.4g", map.zoom), false);
    skip(ui, 7);
}

void draw_figures(Frame& ui, const ExplainedTable& source) {
    if (source.rows.empty()) return;
    Table table{source.heading.c_str(), {}, {}, source.last_is_total};
    for (const std::string& title : source.columns) table.columns.push_back({title.c_str(), {}});
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    for (size_t row = 0; row < source.rows.size(); ++row) {
        table.names.push_back(source.rows[row].name);
        for (size_t k = 0; k < table.columns.size(); ++k) table.columns[k].cells.push_back(source.rows[row].cells[k]);
    }
    for (size_t row = 0; row < source.rows.size(); ++row) {
        if (!source.rows[row].strong) continue;
        const Area area = table_row(ui, table, start, width, row);
        ImGui::GetWindowDrawList()->AddRectFilled({area.x - ui.px(4), area.y - ui.px(2)},
                                                  {area.right() + ui.px(4), area.bottom() + ui.px(1)},
                                                  ui.colors.selected, ui.px(3));
    }
    draw_table(ui, table);
    for (size_t row = 0; row < source.rows.size(); ++row) {
        const Area area = table_row(ui, table, start, width, row);
        std::string value;
        for (const std::string& cell : source.rows[row].cells) value.append(value.empty() ? "" : " | ").append(cell);
        record(ui, "explanation:row " + source.rows[row].name, area.min(), area.max(), value, false);
    }
}

/// Two lines at least: what stands below does not move with the mouse.
void draw_note(Frame& ui, const std::string& note) {
    if (note.empty()) return;
    skip(ui, 2);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = std::max(text_height(ui.theme.small, note, width), 2 * ui.theme.small.size_px);
    draw_text(at, ui.theme.small, ui.colors.text_faint, note, width);
    ImGui::Dummy({width, height + ui.px(3)});
}

void draw_plots(Frame& ui, const Explanation& explanation, size_t& chosen) {
    const std::vector<ExplainedPlot>& plots = explanation.plots;
    if (plots.empty()) return;
    chosen = std::min(chosen, plots.size() - 1);
    if (plots.size() > 1) {
        std::vector<std::string_view> names;
        for (const ExplainedPlot& plot : plots) names.push_back(plot.name);
        const int clicked =
            segmented(ui, "Explained", names, static_cast<int>(chosen), ImGui::GetContentRegionAvail().x);
        if (clicked >= 0) chosen = static_cast<size_t>(clicked);
        skip(ui, 6);
    }
    draw_plot(ui, explanation, plots[chosen]);
}

}  // namespace

void ExplanationPanel::draw_section(Frame& ui, const ViewsModel& views) {
    ui.panel = "explanation";
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    section(ui, "How it works", true);
    const Explanation* explanation = views.explanation.get();
    if (explanation != nullptr) {
        const std::string where = format("Pixel %d, %d", explanation->pixel.x, explanation->pixel.y);
        const ImVec2 at{top.x + width, top.y + ui.px(7)};
        draw_text_right(at, ui.theme.small, ui.colors.text_quiet, where);
        record(ui, "explanation:pixel", {at.x - text_width(ui.theme.small, where), at.y},
               {at.x, at.y + ui.theme.small.size_px}, where, false);
        draw_values(ui, *explanation);
        draw_plots(ui, *explanation, plot_);
        if (explanation->surroundings.width > 0)
            draw_close_up(ui, *explanation, views.reference.empty() ? views.before : views.original);
        draw_figures(ui, explanation->table);
        if (!explanation->plots.empty()) draw_note(ui, explanation->plots[plot_].note);
        draw_note(ui, explanation->note);
    }
}

void ExplanationPanel::draw(Frame& ui, const ViewsModel& views) {
    draw_section(ui, views);
    skip(ui, 6);
    const ImVec2 end = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(end, {end.x + ImGui::GetContentRegionAvail().x, end.y + 1},
                                              ui.colors.line_soft);
    skip(ui, 6);
}

void ExplanationPanel::draw_card(Frame& ui, const ViewsModel& views, const Area& area) {
    const float width = ui.px(kCardWidth);
    const float margin = ui.px(8);
    const float top = area.y + margin;
    ImGui::SetNextWindowPos({area.right() - width - margin, top});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(area.bottom() - top - margin, 1.0F)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    ImGui::Begin(
        "##explanation", nullptr,
        kFixedFlags | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize);
    draw_section(ui, views);
    ImGui::End();
    ImGui::PopStyleVar(2);
}

}  // namespace tonescope::ui
