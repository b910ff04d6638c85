#include "ui/widgets/suggestion_marks.h"

#include <algorithm>
#include <cmath>

#include "ui/model/caption.h"

namespace tonescope::ui {
namespace {

constexpr float kMarkWidth = 9, kMarkHeight = 6, kReach = 7;             // at 96 dpi
constexpr float kCurveWidth = 280, kCurveHeight = 120, kLabelLine = 18;  // of the picture in the tooltip

/// The curve of a mark with the mark's value and the one that is set.
void draw_curve(const Frame& ui, const ParamInfo& info, const SuggestionCurve& curve, int32_t marked, int32_t value,
                const Area& area) {
    const Font& font = ui.theme.small;
    double least = 0;
    double most = 0;
    bool is_known = false;
    for (const std::optional<double>& figure : curve.figures) {
        if (!figure) continue;
        least = is_known ? std::min(least, *figure) : *figure;
        most = is_known ? std::max(most, *figure) : *figure;
        is_known = true;
    }
    if (!is_known) return;
    const float line = ui.px(kLabelLine);
    draw_line({area.x, area.y, area.width, line}, font, ui.colors.text_quiet,
              figure_text(*curve.figure, least, false) + " to " + figure_text(*curve.figure, most, true));
    const Area plot{area.x, area.y + line, area.width, area.height - 2 * line};
    const auto [lowest, highest] = std::ranges::minmax(curve.values);
    const double first = slider_position(info, lowest);
    const double last = slider_position(info, highest);
    const auto x_of = [&](int32_t at) {
        const double share = (slider_position(info, at) - first) / std::max(last - first, 1e-9);
        return plot.x + plot.width * static_cast<float>(share);
    };
    const auto y_of = [&](double figure) {
        const double share = most > least ? (figure - least) / (most - least) : 0.5;
        return plot.bottom() - plot.height * static_cast<float>(share);
    };
    ImDrawList& list = *ImGui::GetWindowDrawList();
    fill({plot.x, plot.bottom(), plot.width, ui.line(1)}, ui.colors.line);
    const auto upright = [&](int32_t at, ImU32 color) {
        const float x = std::round(x_of(at));
        if (x >= plot.x && x <= plot.right()) fill({x, plot.y, ui.line(1), plot.height}, color);
    };
    upright(value, ui.colors.text_faint);
    upright(marked, ui.colors.accent);
    std::vector<ImVec2> points;
    for (size_t k = 0; k < curve.values.size(); ++k)
        if (curve.figures[k]) points.push_back({x_of(curve.values[k]), y_of(*curve.figures[k])});
    list.AddPolyline(points.data(), static_cast<int>(points.size()), ui.colors.text, 0, ui.line(1.5F));
    for (const ImVec2& point : points) list.AddCircleFilled(point, std::max(2.0F, ui.px(2)), ui.colors.text);
    const Area below{area.x, plot.bottom(), area.width, line};
    draw_line(below, font, ui.colors.text_quiet, format_value(info, lowest));
    draw_line(below, font, ui.colors.text_quiet, value_text(info, highest), Align::right);
}

}  // namespace

std::optional<int32_t> suggestion_marks(Frame& ui, const ParamSuggestions& suggestions, int32_t value,
                                        const Area& track, float grab_px) {
    const ParamInfo& info = *suggestions.param;
    std::optional<int32_t> taken;
    int number = 0;
    for (const SuggestionMark& mark : suggestions.marks) {
        ++number;
        if (mark.is_flat && !ui.settings.flat_suggestions) continue;
        const float span = track.width - 2 * grab_px;
        const float x = std::round(track.x + grab_px + span * static_cast<float>(slider_position(info, mark.value)));
        const float tip = std::floor(track.center().y) - ui.px(3);
        const Area reach{x - ui.px(kReach), tip - ui.px(kMarkHeight + 1), 2 * ui.px(kReach), ui.px(kMarkHeight + 2)};
        ImGui::PushID(number);
        if (hit_area(ui, "suggestion", reach)) taken = mark.value;
        ImGui::PopID();
        const bool hovered = ImGui::IsItemHovered();
        const float half = ui.px(kMarkWidth) / 2;
        ImGui::GetWindowDrawList()->AddTriangleFilled(
            {x - half, tip - ui.px(kMarkHeight)}, {x + half, tip - ui.px(kMarkHeight)}, {x, tip},
            hovered || mark.value == value ? ui.colors.accent : ui.colors.text_quiet);
        record(ui, std::string(info.label) + " suggestion " + std::to_string(number), reach, mark.reason);
        if (!hovered) continue;
        const SuggestionCurve& curve = suggestions.curves[mark.curve];
        tooltip(ui, mark.reason + (mark.is_flat ? "\nIts curve is flat: the value hardly matters for it" : "") +
                        "\nA click takes the value");
        tooltip_picture(ui, {ui.px(kCurveWidth), ui.px(kCurveHeight)},
                        [&ui, &info, &curve, marked = mark.value, value](const Area& area) {
                            draw_curve(ui, info, curve, marked, value, area);
                        });
    }
    return taken;
}

}  // namespace tonescope::ui
