// The table of pages, and what they share.
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/benchmark/page.h"

namespace tonescope::ui {

std::unique_ptr<BenchmarkPage> make_rows_page();
std::unique_ptr<BenchmarkPage> make_timeline_page();
std::unique_ptr<BenchmarkPage> make_limits_page();
std::unique_ptr<BenchmarkPage> make_sweep_page();

namespace {

constexpr BenchmarkPageInfo kPages[] = {
    {"variants", "Variants", "Compares all variants of the operator", make_rows_page},
    {"memory-modes", "Memory modes",
     "Compares the chosen variant in every memory mode: pageable, pinned, mapped, managed and overlapped",
     make_rows_page},
    {"timeline", "Timeline", "What a run of the chosen variant does when, on the host and in each stream",
     make_timeline_page},
    {"limits", "Limits", "What limits each variant on this machine: rooflines, and the occupancy of kernels",
     make_limits_page},
    {"sweep", "Sweep",
     "Compares variants over sizes, contents or values of a parameter, or repeats an experiment of a report",
     make_sweep_page},
};

}  // namespace

std::span<const BenchmarkPageInfo> benchmark_pages() {
    return kPages;
}

float choices_width(const Frame& ui, std::span<const std::string_view> values) {
    float width = 0;
    for (const std::string_view value : values)
        width = std::max(width, std::ceil(text_width(ui.theme.body, value)) + ui.px(16));
    return width * static_cast<float>(values.size());
}

int choose_one(Frame& ui, const char* label, std::span<const std::string_view> values, int current, const Area& area,
               float list_width) {
    const float width = std::min(choices_width(ui, values), area.width);
    ImGui::SetCursorScreenPos({area.x, area.y});
    return segments_fit(ui, values, width) ? segmented(ui, label, values, current, width)
                                           : choose(ui, label, values, current, std::min(area.width, list_width));
}

void draw_times_choice(Frame& ui, TimesOf& times, const Area& area) {
    constexpr std::array<std::string_view, 3> names = {"Kernels", "Without copies", "Total"};  // as in TimesOf
    ImGui::SetCursorScreenPos({area.x, area.y + ui.px(1)});
    const int clicked = segmented(ui, "Time of", names, static_cast<int>(times), area.width);
    if (clicked >= 0) times = static_cast<TimesOf>(clicked);
    tooltip_at(ui, area,
               "What throughput, speed-ups and charts count: the time in which the device computes, also what the "
               "host does between, or also the copies between CPU and GPU memory");
}

BenchmarkTime BenchmarkRow::*member_of(TimesOf times) {
    return times == TimesOf::kernels   ? &BenchmarkRow::kernels
           : times == TimesOf::compute ? &BenchmarkRow::compute
                                       : &BenchmarkRow::total;
}

std::string figure_text(double value) {
    if (value >= 999.5) return with_separators(static_cast<uint64_t>(std::llround(value)));
    if (value >= 99.95) return format("%.0f", value);
    if (value >= 9.995) return format("%.1f", value);
    if (value >= 0.9995) return format("%.2f", value);
    return format("%.3f", value);
}

std::string interval_text(const std::optional<Interval>& interval) {
    return interval ? figure_text(interval->low) + "\u2013" + figure_text(interval->high) : "\u2013";
}

}  // namespace tonescope::ui
