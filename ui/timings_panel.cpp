// Right, below the histograms: what each stage cost, and what the file says of itself.
#include <algorithm>
#include <cmath>

#include "ui/table.h"

namespace tonescope::ui {
namespace {

constexpr float kLine = 20;
constexpr std::string_view kNone = "\xe2\x80\x93";

/// Decimals that suit the largest number of a column, so that its points stand under each other.
int decimals_for(double largest) {
    return largest < 10 ? 3 : largest < 100 ? 2 : largest < 1000 ? 1 : 0;
}

Table table_of(const std::vector<StageRow>& stages) {
    double longest = 0;
    double fastest = 0;
    for (const StageRow& row : stages) {
        longest = std::max({longest, row.last_ms, row.median_ms});
        fastest = std::max(fastest, row.gb_s);
    }
    const int ms = decimals_for(longest);
    const int gb = fastest < 10 ? 2 : fastest < 100 ? 1 : 0;
    Table table{"stage", {}, {{"last ms", {}}, {"median ms", {}}, {"MPixel/s", {}}, {"GB/s", {}}}, true};
    for (const StageRow& row : stages) {
        const auto rate = static_cast<uint64_t>(std::llround(std::max(row.mpixel_s, 0.0)));
        table.names.push_back(row.stage);
        table.columns[0].cells.push_back(format("%.*f", ms, row.last_ms));
        table.columns[1].cells.push_back(format("%.*f", ms, row.median_ms));
        table.columns[2].cells.push_back(row.mpixel_s > 0 ? with_separators(rate) : std::string(kNone));
        table.columns[3].cells.push_back(row.gb_s > 0 ? format("%.*f", gb, row.gb_s) : std::string(kNone));
    }
    return table;
}

}  // namespace

void draw_timings(Ui& ui) {
    const std::vector<StageRow>& stages = ui.model->stages;
    ui.panel = "timings";
    section(ui, "Timings");
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (stages.empty()) {
        draw_text(start, ui.theme.small, color::kTextFaint, "Nothing has run yet");
        ImGui::Dummy({width, ui.px(kLine)});
        return;
    }
    const Table table = table_of(stages);
    draw_table(ui, table);
    for (size_t row = 0; row < stages.size(); ++row) {
        const Area area = table_row(ui, table, start, width, row);
        record(ui, "timing:" + stages[row].stage, area.min(), area.max(), table.columns[0].cells[row] + " ms", false);
    }
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
    draw_explanation(ui);
    draw_histograms(ui);
    draw_timings(ui);
    draw_kernels(ui);
    draw_details(ui);
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::End();
}

}  // namespace tonescope::ui
