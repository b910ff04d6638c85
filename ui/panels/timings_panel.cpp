// Right, below the histograms: what each stage cost, and what the file says of itself.
#include <algorithm>
#include <cmath>

#include "ui/panels/stage_history.h"
#include "ui/panels/timings_text.h"
#include "ui/state.h"
#include "ui/widgets/table.h"

namespace tonescope::ui {
namespace {

constexpr float kTimingsLine = 20;
constexpr std::string_view kNoTime = "\xe2\x80\x93";

Table table_of(const Timings& timings) {
    double longest = 0;
    double fastest = 0;
    for (const StageRow& row : timings.stages) {
        longest = std::max({longest, row.last_ms, row.median_ms, row.best_ms});
        fastest = std::max(fastest, row.gb_s);
    }
    const int ms = decimals_for(longest);
    const int gb = fastest < 10 ? 2 : fastest < 100 ? 1 : 0;
    Table table{"stage, ms",
                {},
                {{"last", {}}, {"median", {}}, {"best", {}}, {"MPixel/s", {}}, {"GB/s", {}}, {"of copy", {}}},
                true};
    for (const StageRow& row : timings.stages) {
        const auto rate = static_cast<uint64_t>(std::llround(std::max(row.mpixel_s, 0.0)));
        const std::string share = share_text(row.gb_s, timings.copy_gb_s);
        table.names.push_back(row.stage);
        table.columns[0].cells.push_back(format("%.*f", ms, row.last_ms));
        table.columns[1].cells.push_back(format("%.*f", ms, row.median_ms));
        table.columns[2].cells.push_back(format("%.*f", ms, row.best_ms));
        table.columns[3].cells.push_back(row.mpixel_s > 0 ? with_separators(rate) : std::string(kNoTime));
        table.columns[4].cells.push_back(row.gb_s > 0 ? format("%.*f", gb, row.gb_s) : std::string(kNoTime));
        table.columns[5].cells.push_back(share.empty() ? std::string(kNoTime) : share);
    }
    return table;
}

void title_buttons(Ui& ui) {
    const bool paused = ui.timings.paused;
    const bool any = !ui.timings.shown(*ui.model).stages.empty();
    if (title_button(ui, "Copy", ButtonStyle::quiet, any, "Copy all times as text (Ctrl+Shift+T)")) copy_timings(ui);
    if (title_button(
            ui, paused ? "Go on" : "Pause", paused ? ButtonStyle::accent : ButtonStyle::quiet, any,
            paused ? "Show the newest times again (Ctrl+T)" : "What is shown stands still; measuring goes on (Ctrl+T)",
            title_button_width(ui, "Copy") + ui.px(4)))
        pause_timings(ui);
}

/// A click opens the stage's details, or closes them. Drawn before the table, which lies over it.
void row_button(Ui& ui, const StageRow& row, const Area& area) {
    std::string& open = ui.timings.stage;
    const ImVec2 min{area.x - ui.px(4), area.y - ui.px(2)};
    const ImVec2 max{area.right() + ui.px(4), area.bottom() + ui.px(2)};
    ImGui::SetCursorScreenPos(min);
    if (ImGui::InvisibleButton(("stage:" + row.stage).c_str(), {max.x - min.x, max.y - min.y}))
        open = open == row.stage ? std::string() : row.stage;
    if (open == row.stage || ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(min, max, open == row.stage ? ui.colors.selected : ui.colors.frame,
                                                  ui.px(3));
    focus_ring(ui, min, max);
}

}  // namespace

void pause_timings(Ui& ui) {
    ui.timings.paused = !ui.timings.paused;
    ui.timings.frozen = ui.timings.paused ? ui.model->timings : Timings{};
}

void copy_timings(Ui& ui) {
    copy_text(ui, timings_text(ui.timings.shown(*ui.model)), "Copied the timings");
}

void next_stage_details(Ui& ui) {
    const std::vector<StageRow>& stages = ui.timings.shown(*ui.model).stages;
    auto next = std::ranges::find(stages, ui.timings.stage, &StageRow::stage);
    next = next == stages.end() ? stages.begin() : next + 1;
    ui.timings.stage = next == stages.end() ? std::string() : next->stage;
}

void draw_timings(Ui& ui) {
    const Timings& timings = ui.timings.shown(*ui.model);
    const std::vector<StageRow>& stages = timings.stages;
    ui.panel = "timings";
    section(ui, "Timings");
    title_buttons(ui);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (stages.empty()) {
        draw_text(start, ui.theme.small, ui.colors.text_faint, "Nothing has run yet");
        ImGui::Dummy({width, ui.px(kTimingsLine)});
        return;
    }
    const float curve = width < ui.px(270) ? 0 : std::floor(std::min(width * 0.26F, ui.px(160)));
    const Table table = table_of(timings);
    for (size_t row = 0; row < stages.size(); ++row) {
        const Area area = table_row(ui, table, start, width, row);
        row_button(ui, stages[row], area);
        record(ui, "timing:" + stages[row].stage, area.min(), area.max(), table.columns[0].cells[row] + " ms");
    }
    ImGui::SetCursorScreenPos(start);
    draw_table(ui, table, width - curve);
    for (size_t row = 0; curve > 0 && row < stages.size(); ++row) {
        const Area area = table_row(ui, table, start, width, row);
        draw_curve(ui, stages[row], {area.right() - curve + ui.px(12), area.y, curve - ui.px(12), area.height});
    }
    const auto open = std::ranges::find(stages, ui.timings.stage, &StageRow::stage);
    if (open != stages.end()) draw_stage_details(ui, *open, timings.copy_gb_s);
}

void draw_details(Ui& ui) {
    const Model& model = *ui.model;
    if (model.details.rows.empty()) return;
    ui.panel = "details";
    section(ui, "Details");
    const Font& font = ui.theme.small;
    const float width = ImGui::GetContentRegionAvail().x;
    const float line = ui.px(kTimingsLine);
    float labels = 0;
    for (const auto& [label, value] : model.details.rows) labels = std::max(labels, text_width(font, label));
    labels = std::min(labels + ui.px(14), std::floor(width * 0.4F));
    for (const auto& [label, value] : model.details.rows) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const ImVec2 end{at.x + width, at.y + line - ui.px(2)};
        const std::string shown = shorten(font, value, width - labels, true);
        draw_text(at, font, ui.colors.text_quiet, shorten(font, label, labels - ui.px(6)));
        draw_text({at.x + labels, at.y}, font, ui.colors.text, shown);
        if (shown != value) tooltip_at(ui, at, end, value);
        record(ui, "detail:" + label, at, end, value, false);
        ImGui::Dummy({width, line});
    }
    if (model.details.depth_notice.empty()) return;
    skip(ui, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = text_height(font, model.details.depth_notice, width);
    draw_text(at, font, ui.colors.warning, model.details.depth_notice, width);
    record(ui, "depth notice", at, {at.x + width, at.y + height}, model.details.depth_notice, false);
    ImGui::Dummy({width, height + ui.px(4)});
}

void draw_result_panel(Ui& ui, const Area& area) {
    begin_area(ui, "##right", area, ui.colors.panel);
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) ui.focused_area = 2;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    const ImVec2 size = ImGui::GetContentRegionAvail();
    compat::begin_child("##results", {size.x + ui.px(kScrollMargin), size.y}, 0, size.x);
    draw_explanation(ui);
    draw_histograms(ui);
    draw_timings(ui);
    draw_frame_times(ui);
    draw_kernels(ui);
    draw_details(ui);
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::End();
}

}  // namespace tonescope::ui
