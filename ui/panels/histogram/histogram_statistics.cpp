// The histograms in numbers.
#include <algorithm>

#include "gpu/core/histogram_statistics.h"
#include "ui/panels/histogram/histogram_parts.h"
#include "ui/widgets/charts/table.h"

namespace tonescope::ui {
namespace {

constexpr std::array<const char*, 7> kTitles = {"mean", "dev.", "bits", "min", "max", "shad.", "high."};
constexpr std::array<const char*, 7> kNames = {"mean",    "deviation", "entropy",   "minimum",
                                               "maximum", "shadows",   "highlights"};
/// Below this width the table stands upright, at 96 dpi.
constexpr float kMinWidth = 286;

/// Two digits behind the point where they have room.
std::string percent(double share) {
    const double value = share * 100;
    return format(value < 9.995 ? "%.2f%%" : value < 99.95 ? "%.1f%%" : "%.0f%%", value);
}

std::array<std::string, 7> cells_of(const HistogramStatistics& s) {
    return {format("%.1f", s.mean), format("%.1f", s.deviation), format("%.2f", s.entropy_bits), std::to_string(s.min),
            std::to_string(s.max),  percent(s.shadows),          percent(s.highlights)};
}

std::string describe(const Frame& ui, const HistogramSide& side, Curve curve) {
    const HistogramStatistics s = statistics_of(side.counts->curve(curve));
    const auto name = [&](Curve c) {
        return std::string(side.counts->has_color ? kCurveNames[static_cast<size_t>(c)] : "gray");
    };
    std::string text = std::string(side.title) + ", " + name(curve) + ", " + with_separators(s.pixels) + " pixels";
    text += format("\nMean %.2f, standard deviation %.2f levels", s.mean, s.deviation);
    text += format("\nEntropy %.3f bits a pixel, 8 at most", s.entropy_bits);
    text += format("\nMinimum %d, maximum %d", s.min, s.max);
    text += "\nClipped: shadows at 0, highlights at 255 (stripes: " + std::string(ui.commands->keys("clipping")) + ")";
    for (const Curve c : {Curve::red, Curve::green, Curve::blue, Curve::luma}) {
        if (!side.counts->has_color && c != Curve::luma) continue;
        const HistogramStatistics of = statistics_of(side.counts->curve(c));
        text += format("\n  %s: %.3f %% and %.3f %%", name(c).c_str(), 100 * of.shadows, 100 * of.highlights);
    }
    return text;
}

}  // namespace

void draw_histogram_statistics(Frame& ui, Curve curve, std::span<const HistogramSide> sides) {
    const float width = ImGui::GetContentRegionAvail().x;
    const bool lying = width >= ui.px(kMinWidth);
    Table table;
    table.least_names = 44;
    table.gap = 7;
    const bool has_color = std::ranges::any_of(sides, [](const auto& s) { return s.counts && s.counts->has_color; });
    const std::string heading(has_color ? kCurveNames[static_cast<size_t>(curve)] : "gray");
    table.heading = heading.c_str();
    if (lying)
        for (const char* title : kTitles) table.columns.push_back({title, {}});
    else
        table.names.assign(kNames.begin(), kNames.end());
    std::vector<std::string> values;
    for (const HistogramSide& side : sides) {
        std::array<std::string, 7> cells;
        cells.fill("\xe2\x80\x93");
        if (side.counts) cells = cells_of(statistics_of(side.counts->curve(curve)));
        std::string value = heading;
        for (size_t k = 0; k < cells.size(); ++k) {
            value += std::string(", ") + kNames[k] + " " + cells[k];
            if (lying) table.columns[k].cells.push_back(cells[k]);
        }
        values.push_back(side.counts ? value : "");
        if (lying)
            table.names.emplace_back(side.id);
        else
            table.columns.push_back({side.id.data(), {cells.begin(), cells.end()}});
    }
    const ImVec2 start = ImGui::GetCursorScreenPos();
    draw_table(ui, table);
    for (size_t k = 0; k < sides.size(); ++k) {
        Area area = table_row(ui, table, start, width, lying ? k : 0);
        if (!lying) {
            const float half = width / 2;
            area = {start.x + half * static_cast<float>(k), start.y, half, ImGui::GetCursorScreenPos().y - start.y};
        }
        const std::string label = "statistics:" + std::string(sides[k].id);
        if (sides[k].counts && ImGui::IsMouseHoveringRect(area.min(), area.max()))
            tooltip_at(ui, area.min(), area.max(), describe(ui, sides[k], curve));
        record(ui, label, area.min(), area.max(), values[k], false);
    }
}

}  // namespace tonescope::ui
