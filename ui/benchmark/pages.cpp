// The table of pages, and what they share.
#include <algorithm>
#include <cmath>

#include "ui/benchmark/page.h"

namespace tonescope::ui {

std::unique_ptr<BenchmarkPage> make_rows_page();
std::unique_ptr<BenchmarkPage> make_limits_page();

namespace {

constexpr BenchmarkPageInfo kPages[] = {
    {"variants", "Variants", "Compares all variants of the operator", make_rows_page},
    {"memory-modes", "Memory modes",
     "Compares the chosen variant in every memory mode: pageable, pinned, mapped, managed and overlapped",
     make_rows_page},
    {"limits", "Limits", "What limits each variant on this machine: rooflines, and the occupancy of kernels",
     make_limits_page},
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
