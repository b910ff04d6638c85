// The histograms in numbers.
#include <algorithm>
#include <cmath>

#include "ui/panels/histogram_parts.h"
#include "ui/widgets/charts.h"

namespace tonescope::ui {
namespace {

constexpr std::array<const char*, 5> kTitles = {"mean", "std. dev.", "entropy", "min", "max"};
constexpr std::array<const char*, 5> kNames = {"mean", "deviation", "entropy", "minimum", "maximum"};
/// Below this width the table stands upright, at 96 dpi.
constexpr float kMinWidth = 268;

std::vector<std::string> cells_of(const HistogramStatistics& s) {
    return {format("%.1f", s.mean), format("%.1f", s.deviation), format("%.2f", s.entropy_bits), std::to_string(s.min),
            std::to_string(s.max)};
}

std::string describe(const HistogramSide& side, Curve curve) {
    const HistogramStatistics s = side.statistics(curve);
    const auto name = [&](Curve c) {
        return std::string(side.has_color() ? kCurveNames[static_cast<size_t>(c)] : "gray");
    };
    std::string text = std::string(side.title) + ", " + name(curve) + ", " + with_separators(s.pixels) + " pixels";
    const auto bins = static_cast<double>(side.curve(curve).size());
    text += format("\nMean %.2f, standard deviation %.2f of %.0f levels", s.mean, s.deviation, bins - 1);
    text += format("\nEntropy %.3f bits a pixel, %.4g at most", s.entropy_bits, std::log2(bins));
    text += format("\nMinimum %d, maximum %d", s.min, s.max);
    return text;
}

}  // namespace

void draw_histogram_statistics(Frame& ui, Curve curve, std::span<const HistogramSide> sides) {
    const Area place = area_at_cursor(0);
    const bool lying = place.width >= ui.px(kMinWidth);
    const bool has_color = std::ranges::any_of(sides, [](const auto& s) { return s.has_color(); });
    Table table{std::string(has_color ? kCurveNames[static_cast<size_t>(curve)] : "gray"), {}};
    table.least_names = 44;
    table.gap = 7;
    if (lying)
        table.columns.assign(kTitles.begin(), kTitles.end());
    else
        for (const char* name : kNames) table.rows.push_back({name, {}});
    std::vector<std::string> values;
    for (const HistogramSide& side : sides) {
        std::vector<std::string> cells(kNames.size(), "\u2013");
        if (side.is_counted()) cells = cells_of(side.statistics(curve));
        std::string value = table.heading;
        for (size_t k = 0; k < cells.size(); ++k) {
            value += std::string(", ") + kNames[k] + " " + cells[k];
            if (!lying) table.rows[k].cells.push_back(cells[k]);
        }
        values.push_back(side.is_counted() ? value : "");
        if (lying)
            table.rows.push_back({std::string(side.id), std::move(cells), side.is_old});
        else
            table.columns.emplace_back(side.id);
        if (!lying && side.is_old) table.old_column = table.columns.size() - 1;
    }
    draw_table(ui, table);
    const float below = ImGui::GetCursorScreenPos().y;
    for (size_t k = 0; k < sides.size(); ++k) {
        const float half = place.width / 2;
        const Area area = lying ? table_row(ui, table, place.min(), place.width, k)
                                : Area{place.x + half * static_cast<float>(k), place.y, half, below - place.y};
        if (sides[k].is_counted() && ImGui::IsMouseHoveringRect(area.min(), area.max()))
            tooltip_at(ui, area, describe(sides[k], curve));
        const Dimmed dimmed(ui, sides[k].is_old);
        record(ui, "statistics:" + std::string(sides[k].id), area, values[k], false);
    }
}

}  // namespace tonescope::ui
