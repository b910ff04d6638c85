// The pages "Variants" and "Memory modes": all rows side by side, as a table and as bar charts.
#include <array>

#include "ui/benchmark/rows.h"

namespace tonescope::ui {
namespace {

constexpr float kScaleWidth = 116, kTabListWidth = 220;
constexpr std::array<std::string_view, 5> kTabs = {"Table", "Time", "Throughput", "\u00d7 builds on",
                                                   "\u00d7 reference"};

class RowsPage : public BenchmarkPage {
  public:
    float toolbar_width(const Frame& ui) const override { return ui.px(kTimesWidth); }
    void draw_toolbar(Frame& ui, const BenchmarkModel&, const Area& area) override {
        draw_times_choice(ui, choice_.times, area);
    }
    void draw(Frame& ui, const BenchmarkModel& benchmark, const RunModel& run, const Area& area) override {
        const Shown shown{benchmark, run, choice_};
        Column column{area};
        const float tab_row = ui.px(kSegmentHeight + kPageGap);
        const float table = benchmark_table_height(ui, shown);
        const float both = table + ui.px(kPageGap) + tab_row + benchmark_chart_height(ui, shown);
        if (both <= area.height) {
            draw_benchmark_table(ui, shown, column.take(table));
            column.take(ui.px(kPageGap));
            tabs(ui, benchmark, column.take(tab_row), false);
            draw_benchmark_chart(ui, shown, column.left);
            return;
        }
        tabs(ui, benchmark, column.take(tab_row), true);
        if (choice_.tab == 0)
            draw_benchmark_table(ui, shown, column.left);
        else
            draw_benchmark_chart(ui, shown, column.left);
    }

  private:
    /// Which charts there are to choose from: with the table among them where it has no place of its own.
    void tabs(Frame& ui, const BenchmarkModel& benchmark, const Area& area, bool with_table) {
        std::array<std::string_view, kTabs.size()> all = kTabs;
        if (benchmark.by_memory_mode) all[3] = "\u00d7 pageable";
        const int first = with_table ? 0 : 1;
        const std::span<const std::string_view> names =
            std::span<const std::string_view>(all).subspan(static_cast<size_t>(first));
        const int current = std::max(choice_.tab, first);
        constexpr std::array<std::string_view, 2> scales = {"linear", "log"};
        const float scale_width = ui.px(kScaleWidth);
        const float room = area.width - scale_width - ui.px(kPageGap);
        const int chosen =
            choose_one(ui, "chart", names, current - first, {area.x, area.y, room, area.height}, ui.px(kTabListWidth));
        if (chosen >= 0) choice_.tab = chosen + first;
        if (current == 0) return;
        ImGui::SetCursorScreenPos({area.right() - scale_width, area.y});
        const int scale = segmented(ui, "Axis", scales, choice_.logarithmic ? 1 : 0, scale_width);
        if (scale >= 0) choice_.logarithmic = scale == 1;
    }

    RowsChoice choice_;
};

}  // namespace

std::unique_ptr<BenchmarkPage> make_rows_page() {
    return std::make_unique<RowsPage>();
}

}  // namespace tonescope::ui
