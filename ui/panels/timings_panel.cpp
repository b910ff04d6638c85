#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"
#include "ui/widgets/charts.h"

namespace tonescope::ui {
namespace {

constexpr float kPlotHeight = 64;
const std::string kNoTime = "\u2013";

std::string run_text(const StageRow& row, size_t run) {
    const size_t ago = row.history_ms.size() - 1 - run;
    const std::string when = ago == 0 ? "last run" : ago == 1 ? "1 run ago" : std::to_string(ago) + " runs ago";
    const double ms = row.history_ms[run];
    return when + ": " + format("%.*f ms", decimals_for(ms), ms);
}

/// The runs as points of an area whose lower edge is 0.
std::vector<ImVec2> points_of(const std::vector<float>& history_ms, const Area& area) {
    const float top = std::max(std::ranges::max(history_ms), 1e-6F);
    const size_t steps = std::max<size_t>(history_ms.size() - 1, 1);
    std::vector<ImVec2> points;
    for (size_t k = 0; k < history_ms.size(); ++k)
        points.emplace_back(area.x + area.width * static_cast<float>(k) / static_cast<float>(steps),
                            area.bottom() - area.height * history_ms[k] / top);
    return points;
}

/// Draws the runs and returns the one under the mouse, or -1.
int plot_runs(const Frame& ui, const StageRow& row, const Area& area, ImU32 ink) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::vector<ImVec2> points = points_of(row.history_ms, area);
    const float line = std::max(1.0F, 1.15F * ui.theme.scale);
    list.AddPolyline(points.data(), static_cast<int>(points.size()), ink, 0, line);
    if (!ImGui::IsWindowHovered() || !area.contains(ImGui::GetIO().MousePos)) return -1;
    const float part = (ImGui::GetIO().MousePos.x - area.x) / area.width;
    const auto run = static_cast<size_t>(std::lround(part * static_cast<float>(points.size() - 1)));
    list.AddCircleFilled(points[run], std::max(2.0F, ui.px(3)), ui.colors.accent);
    return static_cast<int>(run);
}

void facts(Frame& ui, const StageRow& row, double copy_gb_s) {
    const std::string rate = row.mpixel_s > 0
                                 ? with_separators(static_cast<uint64_t>(std::llround(row.mpixel_s))) + " MPixel/s"
                                 : std::string();
    std::string memory = row.gb_s > 0 ? format("%.2f GB/s", row.gb_s) : "not meaningful for this stage";
    if (const std::string share = share_text(row.gb_s, copy_gb_s); !share.empty())
        memory += ", " + share + format(" of a copy's %.1f", copy_gb_s);
    const Font& font = ui.theme.small;
    const float labels = ui.px(78);
    for (const auto& [label, value] : {std::pair<const char*, std::string>{"Throughput", rate}, {"Memory", memory}}) {
        if (value.empty()) continue;
        const Area area = area_at_cursor(ui.px(20));
        draw_text(area.min(), font, ui.colors.text_quiet, label);
        draw_line_cut(ui, {area.x + labels, area.y, area.width - labels, font.size_px}, font, ui.colors.text, value);
        record(ui, std::string("stage:") + label, {area.x, area.y, area.width, ui.px(18)}, value, false);
        end_area(area);
    }
    Area last = area_at_cursor(ui.px(20));
    last.y -= last.height;
    tooltip_at(ui, last,
               "What the stage reads and writes at least, over its median time, and what a copy within this memory "
               "reaches. More than a copy: the caches hold it.");
}

/// A small curve without axes; the mouse over it tells the run's time.
void draw_curve(Frame& ui, const StageRow& row, const Area& area) {
    if (row.history_ms.size() < 2) return;
    const int run = plot_runs(ui, row, area, ui.colors.text_quiet);
    const std::string text = run < 0 ? "" : run_text(row, static_cast<size_t>(run));
    record(ui, "curve:" + row.stage, area, text, false);
    if (run >= 0) draw_tooltip(ui, text);
}

/// At the cursor: a larger curve with its range, throughput and share of the memory's bandwidth (`copy_gb_s`; 0: not
/// known).
void draw_stage_details(Frame& ui, const StageRow& row, double copy_gb_s) {
    skip(ui, 2);
    Area frame = area_at_cursor(ui.px(kPlotHeight));
    fill(frame, ui.colors.backdrop, ui.px(kRadius));
    std::string value;
    if (row.history_ms.size() > 1) {
        const float head = ui.theme.small.size_px + ui.px(12);
        const Area plot{frame.x + ui.px(8), frame.y + head, frame.width - ui.px(16), frame.height - head - ui.px(6)};
        const int run = plot_runs(ui, row, plot, ui.colors.accent);
        const float worst = std::ranges::max(row.history_ms);
        const float best = std::ranges::min(row.history_ms);
        value = run >= 0 ? run_text(row, static_cast<size_t>(run))
                         : format("%zu runs, %.*f to %.*f ms", row.history_ms.size(), decimals_for(worst), best,
                                  decimals_for(worst), worst);
        const ImVec2 at{frame.x + ui.px(8), frame.y + ui.px(6)};
        draw_text(at, ui.theme.small, ui.colors.text_quiet, row.stage);
        const float room = frame.width - ui.px(24) - text_width(ui.theme.small, row.stage);
        draw_line_cut(ui, {frame.right() - ui.px(8) - room, at.y, room, ui.theme.small.size_px}, ui.theme.small,
                      ui.colors.text, value, false, Align::right);
    }
    record(ui, "stage history", frame, value, false);
    frame.height += ui.px(6);
    end_area(frame);
    facts(ui, row, copy_gb_s);
}

Table stage_table(const Timings& timings) {
    double longest = 0;
    double fastest = 0;
    for (const StageRow& row : timings.stages) {
        longest = std::max({longest, row.last_ms, row.median_ms, row.best_ms});
        fastest = std::max(fastest, row.gb_s);
    }
    const int ms = decimals_for(longest);
    const int gb = fastest < 10 ? 2 : fastest < 100 ? 1 : 0;
    Table table{"stage, ms", {"last", "median", "best", "MPixel/s", "GB/s", "of copy"}};
    table.last_is_total = true;
    for (const StageRow& row : timings.stages) {
        const auto rate = static_cast<uint64_t>(std::llround(std::max(row.mpixel_s, 0.0)));
        const std::string share = share_text(row.gb_s, timings.copy_gb_s);
        table.rows.push_back(
            {row.stage,
             {format("%.*f", ms, row.last_ms), format("%.*f", ms, row.median_ms), format("%.*f", ms, row.best_ms),
              row.mpixel_s > 0 ? with_separators(rate) : kNoTime, row.gb_s > 0 ? format("%.*f", gb, row.gb_s) : kNoTime,
              share.empty() ? kNoTime : share}});
    }
    return table;
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
    title_button(ui, "Copy", "copy-timings", ButtonStyle::quiet, "Copy all times as text" + ui.keys("copy-timings"));
    title_button(ui, paused_ ? "Resume" : "Pause", "pause-timings", paused_ ? ButtonStyle::accent : ButtonStyle::quiet,
                 (paused_ ? "Show the newest times again" : "What is shown stands still; measuring goes on") +
                     ui.keys("pause-timings"),
                 title_button_width(ui, "Copy") + ui.px(4));
    const Area place = area_at_cursor(ui.px(20));
    const float width = place.width;
    if (stages.empty()) {
        draw_text(place.min(), ui.theme.small, ui.colors.text_faint, "Nothing has run yet");
        end_area(place);
        return;
    }
    const float curve = width < ui.px(270) ? 0 : std::floor(std::min(width * 0.26F, ui.px(160)));
    const Table table = stage_table(timings);
    const auto row_of = [&](size_t row) { return table_row(ui, table, place.min(), width, row); };
    // Under the table: a click opens a stage's details, or closes them.
    ui.keyboard.begin_group(ImGui::GetID("stages"), true);
    for (size_t row = 0; row < stages.size(); ++row) {
        const std::string& stage = stages[row].stage;
        const Area area = row_of(row);
        const Dimmed dimmed_row(ui, timings.is_old);
        const Area around{area.x - ui.px(4), area.y - ui.px(2), area.width + 2 * ui.px(4), area.height + 2 * ui.px(2)};
        if (hit_area(ui, ("stage:" + stage).c_str(), around)) open_stage_ = open_stage_ == stage ? "" : stage;
        if (ImGui::IsItemHovered()) ui.stages.next_of_timings = stage;
        const bool marked = std::ranges::count(ui.stages.of_source, stage) > 0;
        row_ground(ui, around, open_stage_ == stage || marked, 3);
        if (marked) record(ui, "timing marked", around, stage, false);
        record(ui, "timing:" + stage, area, table.rows[row].cells[0] + " ms");
    }
    ui.keyboard.end_group();
    const Dimmed dimmed(ui, timings.is_old);
    ImGui::SetCursorScreenPos(place.min());
    draw_table(ui, table, width - curve);
    if (curve > 0) {
        draw_text_right({place.right(), place.y}, ui.theme.small, ui.colors.text_faint, "history");
        const Area total = row_of(stages.size() - 1);  // the table's line goes on
        fill({total.right() - curve, total.y - ui.px(6), curve, 1}, ui.colors.line_soft);
    }
    for (size_t row = 0; curve > 0 && row < stages.size(); ++row) {
        const Area area = row_of(row);
        draw_curve(ui, stages[row], {area.right() - curve + ui.px(12), area.y, curve - ui.px(12), area.height});
    }
    const auto open = std::ranges::find(stages, open_stage_, &StageRow::stage);
    if (open != stages.end()) draw_stage_details(ui, *open, timings.copy_gb_s);
}

}  // namespace tonescope::ui
