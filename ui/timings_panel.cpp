// Right, below the histograms: what each stage cost, and what the file says of itself.
#include <algorithm>
#include <cmath>

#include "ui/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kLine = 20;
constexpr std::string_view kNone = "\xe2\x80\x93";

/// Decimals that suit the largest number of a column, so that its points stand under each other.
int decimals_for(double largest) {
    return largest < 10 ? 3 : largest < 100 ? 2 : largest < 1000 ? 1 : 0;
}

struct Column {
    const char* title;
    std::vector<std::string> cells;
    float width = 0;
};

std::array<Column, 4> columns_of(const Ui& ui) {
    const std::vector<StageRow>& stages = ui.model->stages;
    double longest = 0;
    double fastest = 0;
    for (const StageRow& row : stages) {
        longest = std::max({longest, row.last_ms, row.median_ms});
        fastest = std::max(fastest, row.gb_s);
    }
    const int ms = decimals_for(longest);
    const int gb = fastest < 10 ? 2 : fastest < 100 ? 1 : 0;
    std::array<Column, 4> columns = {{{"last ms", {}}, {"median ms", {}}, {"MPixel/s", {}}, {"GB/s", {}}}};
    for (const StageRow& row : stages) {
        const auto rate = static_cast<uint64_t>(std::llround(std::max(row.mpixel_s, 0.0)));
        columns[0].cells.push_back(format("%.*f", ms, row.last_ms));
        columns[1].cells.push_back(format("%.*f", ms, row.median_ms));
        columns[2].cells.push_back(row.mpixel_s > 0 ? with_separators(rate) : std::string(kNone));
        columns[3].cells.push_back(row.gb_s > 0 ? format("%.*f", gb, row.gb_s) : std::string(kNone));
    }
    for (Column& column : columns) {
        column.width = text_width(ui.theme.small, column.title);
        for (const std::string& cell : column.cells)
            column.width = std::max(column.width, text_width(ui.theme.small, cell));
    }
    return columns;
}

/// Top of a row below the table's heading; the total stands a little apart.
float row_top(const Ui& ui, float start, size_t row, size_t count) {
    return start + ui.px(kLine) * static_cast<float>(row + 1) + (row + 1 == count ? ui.px(6) : 0);
}

void draw_table(Ui& ui, ImVec2 start, float width) {
    const std::vector<StageRow>& stages = ui.model->stages;
    const Font& font = ui.theme.small;
    const std::array<Column, 4> columns = columns_of(ui);
    // As many columns as leave room for the stages' names, the rest of the width spread between them.
    const float gap = ui.px(10);
    float needed = 0;
    size_t shown = 0;
    while (shown < columns.size() && needed + columns[shown].width + gap <= width - ui.px(66))
        needed += columns[shown++].width + gap;
    const float spare =
        std::clamp((width - ui.px(80) - needed) / static_cast<float>(std::max<size_t>(shown, 1)), 0.0F, ui.px(16));
    const float names = width - needed - spare * static_cast<float>(shown);
    draw_text(start, font, color::kTextFaint, "stage");
    const size_t count = stages.size();
    for (size_t row = 0; row < count; ++row) {
        const bool total = row + 1 == count;
        const float top = row_top(ui, start.y, row, count);
        if (total)
            ImGui::GetWindowDrawList()->AddRectFilled({start.x, top - ui.px(5)}, {start.x + width, top - ui.px(5) + 1},
                                                      color::kLineSoft);
        draw_text({start.x, top}, font, total ? color::kText : color::kTextQuiet,
                  shorten(font, stages[row].stage, names));
        record(ui, "timing:" + stages[row].stage, {start.x, top}, {start.x + width, top + ui.px(kLine) - ui.px(4)},
               columns[0].cells[row] + " ms", false);
    }
    float right = start.x + names;
    for (size_t k = 0; k < shown; ++k) {
        right += columns[k].width + gap + spare;
        draw_text_right({right, start.y}, font, color::kTextFaint, columns[k].title);
        for (size_t row = 0; row < count; ++row)
            draw_text_right({right, row_top(ui, start.y, row, count)}, font,
                            row + 1 == count || k == 0 ? color::kText : color::kTextQuiet, columns[k].cells[row]);
    }
}

}  // namespace

void draw_timings(Ui& ui) {
    const size_t count = ui.model->stages.size();
    ui.panel = "timings";
    section(ui, "Timings");
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (count == 0)
        draw_text(start, ui.theme.small, color::kTextFaint, "Nothing has run yet");
    else
        draw_table(ui, start, width);
    ImGui::Dummy({width, ui.px(kLine) * static_cast<float>(count + 1) + ui.px(count > 0 ? 8 : 0)});
}

void draw_details(Ui& ui) {
    const Model& model = *ui.model;
    if (model.details.empty()) return;
    ui.panel = "details";
    section(ui, "Details");
    const Font& font = ui.theme.small;
    const float width = ImGui::GetContentRegionAvail().x;
    const float line = ui.px(kLine);
    float labels = 0;
    for (const auto& [label, value] : model.details) labels = std::max(labels, text_width(font, label));
    labels = std::min(labels + ui.px(14), std::floor(width * 0.4F));
    for (const auto& [label, value] : model.details) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const ImVec2 end{at.x + width, at.y + line - ui.px(2)};
        const std::string shown = shorten(font, value, width - labels, true);
        draw_text(at, font, color::kTextQuiet, shorten(font, label, labels - ui.px(6)));
        draw_text({at.x + labels, at.y}, font, color::kText, shown);
        if (shown != value) tooltip_at(ui, at, end, value);
        record(ui, "detail:" + label, at, end, value, false);
        ImGui::Dummy({width, line});
    }
    if (model.depth_notice.empty()) return;
    skip(ui, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = text_height(font, model.depth_notice, width);
    draw_text(at, font, color::kWarning, model.depth_notice, width);
    record(ui, "depth notice", at, {at.x + width, at.y + height}, model.depth_notice, false);
    ImGui::Dummy({width, height + ui.px(4)});
}

void draw_result_panel(Ui& ui, const Area& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize({area.width, area.height});
    ImGui::Begin("##right", nullptr, kAreaFlags);
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) ui.focused_area = 2;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    const ImVec2 size = ImGui::GetContentRegionAvail();
    compat::begin_child("##results", {size.x + ui.px(kScrollMargin), size.y}, 0, size.x);
    draw_histograms(ui);
    draw_timings(ui);
    draw_details(ui);
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::End();
}

}  // namespace tonescope::ui
