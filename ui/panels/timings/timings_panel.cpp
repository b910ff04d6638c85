#include "ui/panels/timings/timings_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/panels/timings/stage_history.h"
#include "ui/panels/timings/timings_text.h"
#include "ui/widgets/charts/table.h"
#include "ui/widgets/widgets.h"

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

void title_buttons(Frame& ui, bool paused, bool any) {
    if (title_button(ui, "Copy", ButtonStyle::quiet, any, "Copy all times as text" + ui.keys("copy-timings")))
        ui.commands->run("copy-timings");
    if (title_button(ui, paused ? "Go on" : "Pause", paused ? ButtonStyle::accent : ButtonStyle::quiet, any,
                     (paused ? "Show the newest times again" : "What is shown stands still; measuring goes on") +
                         ui.keys("pause-timings"),
                     title_button_width(ui, "Copy") + ui.px(4)))
        ui.commands->run("pause-timings");
}

/// A click opens the stage's details, or closes them. Drawn before the table, which lies over it.
void row_button(Frame& ui, const StageRow& row, const Area& area, std::string& open) {
    const ImVec2 min{area.x - ui.px(4), area.y - ui.px(2)};
    const ImVec2 max{area.right() + ui.px(4), area.bottom() + ui.px(2)};
    ImGui::SetCursorScreenPos(min);
    if (hit_area(("stage:" + row.stage).c_str(), {max.x - min.x, max.y - min.y}))
        open = open == row.stage ? std::string() : row.stage;
    if (open == row.stage || ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(min, max, open == row.stage ? ui.colors.selected : ui.colors.frame,
                                                  ui.px(3));
    focus_ring(ui, min, max);
}

}  // namespace

void TimingsPanel::pause(const Timings& now) {
    paused_ = !paused_;
    frozen_ = paused_ ? now : Timings{};
}

void TimingsPanel::open_next_stage(const Timings& now) {
    const std::vector<StageRow>& stages = shown(now).stages;
    auto next = std::ranges::find(stages, open_stage_, &StageRow::stage);
    next = next == stages.end() ? stages.begin() : next + 1;
    open_stage_ = next == stages.end() ? std::string() : next->stage;
}

void TimingsPanel::draw(Frame& ui, const Timings& now) {
    const Timings& timings = shown(now);
    const std::vector<StageRow>& stages = timings.stages;
    section(ui, "Timings");
    title_buttons(ui, paused_, !stages.empty());
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
        row_button(ui, stages[row], area, open_stage_);
        record(ui, "timing:" + stages[row].stage, area.min(), area.max(), table.columns[0].cells[row] + " ms");
    }
    ImGui::SetCursorScreenPos(start);
    draw_table(ui, table, width - curve);
    for (size_t row = 0; curve > 0 && row < stages.size(); ++row) {
        const Area area = table_row(ui, table, start, width, row);
        draw_curve(ui, stages[row], {area.right() - curve + ui.px(12), area.y, curve - ui.px(12), area.height});
    }
    const auto open = std::ranges::find(stages, open_stage_, &StageRow::stage);
    if (open != stages.end()) draw_stage_details(ui, *open, timings.copy_gb_s);
}

}  // namespace tonescope::ui
