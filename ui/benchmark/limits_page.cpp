// The page "Limits": rooflines, what limits each variant in a sentence, and the occupancy of the chosen one's kernels.
#include <algorithm>
#include <cmath>

#include "ui/benchmark/occupancy_chart.h"
#include "ui/benchmark/roofline.h"
#include "ui/benchmark/rows.h"
#include "ui/benchmark/window_painter.h"

namespace tonescope::ui {
namespace {

// At 96 dpi
constexpr float kWide = 760, kListWidth = 330, kChoiceListWidth = 200, kReach = 14;
constexpr float kChartWidth = 300, kChartHeight = 190, kLeastChartHeight = 220;
constexpr std::string_view kOccupancy = "Occupancy";

/// The row whose kernels are shown: of the variant that is chosen where it has been measured, else the first one.
const BenchmarkRow* row_with_kernels(const BenchmarkModel& benchmark, const RunModel& run) {
    const BenchmarkRow* first = nullptr;
    for (const BenchmarkRow& row : benchmark.variants) {
        const bool is_known = std::ranges::any_of(
            row.kernel_resources, [](const KernelResources& kernel) { return kernel.occupancy.max_warps > 0; });
        if (!row.ran() || !is_known) continue;
        if (row.variant == run.variant) return &row;
        if (first == nullptr) first = &row;
    }
    return first;
}

class LimitsPage : public BenchmarkPage {
  public:
    std::string remarks(const BenchmarkModel& benchmark) const override {
        if (!benchmark.cpu_roofs.are_known())
            return "What the machine can do at most is measured after the first round.";
        return "What variants do is declared beside their kernels; roofs were measured on this machine. What is used "
               "by more than half is the limit, and so are page faults wherever nothing is used more; else it is "
               "latency: threads wait for data or for one another.";
    }
    float toolbar_width(const Frame& ui) const override { return choices_width(ui, titles()); }
    void draw_toolbar(Frame& ui, const BenchmarkModel& benchmark, const Area& area) override {
        charts_ = rooflines_of(benchmark.variants, benchmark.cpu_roofs, benchmark.cuda_roofs);
        const std::vector<std::string_view> all = titles();
        const float width = std::min(area.width, choices_width(ui, all));
        const int clicked =
            choose_one(ui, "Limits of", all, static_cast<int>(shown_index()),
                       {area.right() - width, area.y + ui.px(1), width, area.height}, ui.px(kChoiceListWidth));
        if (clicked >= 0) shown_ = all[static_cast<size_t>(clicked)];
    }
    void draw(Frame& ui, const BenchmarkModel& benchmark, const RunModel& run, const Area& area) override {
        if (charts_.empty()) {
            draw_text(area.min(), ui.theme.body, ui.colors.text_faint, "Nothing has been measured yet", area.width);
            return;
        }
        const Shown shown{benchmark, run, rows_};
        Area chart = area, list = area;
        if (area.width >= ui.px(kWide)) {
            list.width = std::max(ui.px(kListWidth), std::round(area.width * 0.34F));
            list.x = area.right() - list.width;
            chart.width = list.x - ui.px(2 * kPageGap) - area.x;
            draw_chosen(ui, shown, chart);
            ImGui::SetCursorScreenPos(list.min());
            begin_child("##limits", {list.width + ui.px(kScrollMargin), list.height}, 0, list.width);
            draw_sentences(ui, shown, list.width);
        } else {  // one below the other, in one list
            ImGui::SetCursorScreenPos(area.min());
            begin_child("##limits", {area.width + ui.px(kScrollMargin), area.height}, 0, area.width);
            chart = area_at_cursor(std::max(ui.px(kLeastChartHeight), std::round(area.height * 0.6F)));
            chart.width = area.width;
            draw_chosen(ui, shown, chart);
            ImGui::SetCursorScreenPos({chart.x, chart.bottom() + ui.px(kPageGap)});
            draw_sentences(ui, shown, area.width);
        }
        end_child(ui);
    }

  private:
    std::vector<std::string_view> titles() const {
        std::vector<std::string_view> all;
        for (const Roofline& chart : charts_) all.push_back(chart.title);
        all.push_back(kOccupancy);
        return all;
    }
    size_t shown_index() const {
        const std::vector<std::string_view> all = titles();
        const auto found = std::ranges::find(all, shown_);
        return found == all.end() ? 0 : static_cast<size_t>(found - all.begin());
    }

    void draw_chosen(Frame& ui, const Shown& shown, const Area& area) const {
        if (shown_index() < charts_.size())
            draw_chart(ui, shown, charts_[shown_index()], area);
        else
            draw_kernels(ui, shown, area);
    }

    static void draw_chart(Frame& ui, const Shown& shown, const Roofline& chart, const Area& area) {
        WindowPainter painter(ui, ui.theme.small);
        const RooflinePlot plot = plot_of(painter, chart, {area.x, area.y, area.width, area.height}, figure_text);
        std::optional<size_t> highlighted;
        for (size_t i = 0; i < chart.points.size(); ++i)
            if (shown.benchmark.variants[chart.points[i].row].variant == shown.run.variant) highlighted = i;
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const std::optional<size_t> pointed = ImGui::IsWindowHovered() && area.contains(mouse)
                                                  ? plot.nearest(mouse.x, mouse.y, ui.px(kReach))
                                                  : std::nullopt;
        draw_roofline(painter, chart, plot, pointed ? pointed : highlighted);
        record(ui, "roofline", area, chart.title, false);
        for (size_t i = 0; i < plot.points.size(); ++i) {
            const BenchmarkRow& row = shown.benchmark.variants[chart.points[i].row];
            const float reach = ui.px(kReach) / 2;
            const Area mark{static_cast<float>(plot.points[i].x) - reach, static_cast<float>(plot.points[i].y) - reach,
                            2 * reach, 2 * reach};
            record(ui, "roofline point:" + row.id(), mark, {}, false);
            if (pointed == i) tooltip_at(ui, mark, point_text(chart, chart.points[i], row));
        }
    }

    static std::string point_text(const Roofline& chart, const RooflinePoint& point, const BenchmarkRow& row) {
        std::string text = point.name + "\n" + figure_text(point.rate) + " billion instructions a second, " +
                           figure_text(point.intensity) + " a " + chart.byte + "\n";
        for (const Share& share : row.limit.shares)
            text += "\n" + std::string(share.resource->name) + "   " + share.text() + ", " + figure_text(share.rate) +
                    " " + std::string(share.resource->unit);
        return text + "\n\n" + row.limit.text(figure_text, true);
    }

    static void draw_sentences(Frame& ui, const Shown& shown, float list_width) {
        Area place = area_at_cursor(0);
        place.width = list_width;
        const float pad = ui.px(6);
        for (const BenchmarkRow& row : shown.benchmark.variants) {
            if (!row.ran()) continue;
            const std::string sentence = row.limit.text(figure_text, true);
            const float width = place.width - 2 * pad;
            place.height = pad + ui.theme.body.size_px + ui.px(3) + text_height(ui.theme.small, sentence, width) + pad;
            variant_row(ui, shown, row, place, "limit:");
            draw_line_cut(ui, {place.x + pad, place.y + pad, width, ui.theme.body.size_px}, ui.theme.body,
                          ui.colors.text, row.name());
            draw_text({place.x + pad, place.y + pad + ui.theme.body.size_px + ui.px(3)}, ui.theme.small,
                      ui.colors.text_quiet, sentence, width);
            place.y += place.height;
        }
        ImGui::SetCursorScreenPos(place.min());
        ImGui::Dummy({1, 0});
    }

    static void draw_kernels(Frame& ui, const Shown& shown, const Area& area) {
        const BenchmarkRow* row = row_with_kernels(shown.benchmark, shown.run);
        if (row == nullptr) {
            draw_text(
                area.min(), ui.theme.body, ui.colors.text_faint,
                "Occupancy needs a GPU: it says how many of the threads that a multiprocessor can hold are there.",
                area.width);
            record(ui, "occupancy", area, "none", false);
            return;
        }
        Column column{area};
        draw_line_cut(ui, column.take(ui.theme.strong.size_px + ui.px(16)), ui.theme.strong, ui.colors.text,
                      row->name() + ": threads that are resident, over threads a block");
        const Area cells = column.left;
        const auto known = [](const KernelResources& kernel) { return kernel.occupancy.max_warps > 0; };
        const auto charts = static_cast<int>(std::ranges::count_if(row->kernel_resources, known));
        const int across = std::clamp(static_cast<int>(cells.width / ui.px(kChartWidth)), 1, std::max(charts, 1));
        const float width = std::min(std::floor(cells.width / static_cast<float>(across)), ui.px(2 * kChartWidth)),
                    height = std::max(ui.px(kChartHeight), std::round(0.55F * width));
        WindowPainter painter(ui, ui.theme.small);
        ImGui::SetCursorScreenPos(cells.min());
        begin_child("##occupancy", {cells.width + ui.px(kScrollMargin), cells.height}, 0, cells.width);
        const Area first = area_at_cursor(height);
        int count = 0;
        for (const KernelResources& kernel : row->kernel_resources) {
            if (!known(kernel)) continue;
            const Area cell{first.x + static_cast<float>(count % across) * width,
                            first.y + static_cast<float>(count / across) * height, width - ui.px(kPageGap), height};
            draw_line_cut(ui, {cell.x, cell.y, cell.width, ui.theme.body.size_px}, ui.theme.body, ui.colors.text,
                          std::string(kernel.stage) + ": " + kernel.kernel);
            const float line = ui.theme.small.size_px + ui.px(4);
            const std::string text = format("%.0f %%", kernel.occupancy_percent) + kernel.occupancy.limit_text();
            draw_line_cut(ui, {cell.x, cell.y + ui.theme.body.size_px + ui.px(3), cell.width, line}, ui.theme.small,
                          ui.colors.text_quiet, text);
            const float top = ui.theme.body.size_px + line + ui.px(8);
            draw_occupancy(painter, kernel, {cell.x, cell.y + top, cell.width, cell.height - top - ui.px(8)});
            record(ui, "occupancy:" + kernel.kernel, cell, text, false);
            ++count;
        }
        ImGui::SetCursorScreenPos({first.x, first.y + static_cast<float>((count + across - 1) / across) * height});
        ImGui::Dummy({1, 0});
        end_child(ui);
    }

    std::vector<Roofline> charts_;
    std::string shown_;
    RowsChoice rows_;  // for the rows that explain themselves as on other pages
};

}  // namespace

std::unique_ptr<BenchmarkPage> make_limits_page() {
    return std::make_unique<LimitsPage>();
}

}  // namespace tonescope::ui
