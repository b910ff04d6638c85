#include "ui/panels/timings/stage_history.h"

#include <algorithm>
#include <cmath>

#include "ui/panels/timings/timings_text.h"

namespace tonescope::ui {
namespace {

constexpr float kPlotHeight = 64;

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
    const float width = ImGui::GetContentRegionAvail().x;
    const float labels = ui.px(78);
    for (const auto& [label, value] : {std::pair<const char*, std::string>{"Throughput", rate}, {"Memory", memory}}) {
        if (value.empty()) continue;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        draw_text(at, font, ui.colors.text_quiet, label);
        draw_text({at.x + labels, at.y}, font, ui.colors.text, shorten(font, value, width - labels));
        const ImVec2 end{at.x + width, at.y + ui.px(18)};
        record(ui, std::string("stage:") + label, at, end, value, false);
        ImGui::Dummy({width, ui.px(20)});
    }
    tooltip_at(ui, {ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y - ui.px(20)},
               {ImGui::GetCursorScreenPos().x + width, ImGui::GetCursorScreenPos().y},
               "What the stage reads and writes at least, over its median time, and what a copy within this memory "
               "reaches. More than a copy: the caches hold it.");
}

}  // namespace

void draw_curve(Frame& ui, const StageRow& row, const Area& area) {
    if (row.history_ms.size() < 2) return;
    const int run = plot_runs(ui, row, area, ui.colors.text_quiet);
    if (run < 0) {
        record(ui, "curve:" + row.stage, area.min(), area.max(), {}, false);
        return;
    }
    const std::string text = run_text(row, static_cast<size_t>(run));
    record(ui, "curve:" + row.stage, area.min(), area.max(), text, false);
    draw_tooltip(ui, text);
}

void draw_stage_details(Frame& ui, const StageRow& row, double copy_gb_s) {
    skip(ui, 2);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ui.px(kPlotHeight);
    const Area frame{start.x, start.y, width, height};
    ImGui::GetWindowDrawList()->AddRectFilled(frame.min(), frame.max(), ui.colors.backdrop, ui.px(4));
    std::string value;
    if (row.history_ms.size() > 1) {
        const float head = ui.theme.small.size_px + ui.px(12);
        const Area plot{frame.x + ui.px(8), frame.y + head, width - ui.px(16), height - head - ui.px(6)};
        const int run = plot_runs(ui, row, plot, ui.colors.accent);
        const float worst = std::ranges::max(row.history_ms);
        const float best = std::ranges::min(row.history_ms);
        value = run >= 0 ? run_text(row, static_cast<size_t>(run))
                         : format("%zu runs, %.*f to %.*f ms", row.history_ms.size(), decimals_for(worst), best,
                                  decimals_for(worst), worst);
        const ImVec2 at{frame.x + ui.px(8), frame.y + ui.px(5)};
        draw_text(at, ui.theme.small, ui.colors.text_quiet, row.stage);
        draw_text_right({frame.right() - ui.px(8), at.y}, ui.theme.small, ui.colors.text,
                        shorten(ui.theme.small, value, width * 0.7F));
    }
    record(ui, "stage history", frame.min(), frame.max(), value, false);
    ImGui::Dummy({width, height + ui.px(6)});
    facts(ui, row, copy_gb_s);
}

}  // namespace tonescope::ui
