// The difference of after and before, with a legend and its statistics below.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/views/view_parts.h"
#include "ui/views/view_transform.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kFooterRow = 26, kLegendWidth = 150;  // at 96 dpi

struct Fact {
    const char* label;
    std::string name, value, help;
};

std::vector<Fact> facts_of(const std::optional<DifferenceStatistics>& known) {
    const char* waiting = "\xe2\x80\x93";
    const auto text = [&](std::string value) { return known ? std::move(value) : std::string(waiting); };
    const DifferenceStatistics s = known.value_or(DifferenceStatistics{.pixels = 1});
    const double share = 100.0 * static_cast<double>(s.changed) / static_cast<double>(std::max<int64_t>(s.pixels, 1));
    return {
        {"difference:changed", "Changed", text(format("%.2f %%", share)),
         with_separators(static_cast<uint64_t>(s.changed)) + " of " + with_separators(static_cast<uint64_t>(s.pixels)) +
             " pixels differ in at least one channel"},
        {"difference:mean", "Mean", text(format("%.2f", s.mean)), "Mean absolute difference of the channels, levels"},
        {"difference:largest", "Largest", text(format("%d", s.largest)), "Largest absolute difference, levels"},
        {"difference:psnr", "PSNR",
         text(std::isfinite(s.psnr_db) ? format("%.2f dB", s.psnr_db) : std::string("\xe2\x88\x9e")),
         "Peak signal-to-noise ratio of the channels: 10 log10(255\xc2\xb2 / mean squared difference)"},
        {"difference:ssim", "SSIM", text(s.ssim ? format("%.4f", *s.ssim) : std::string("none")),
         "Structural similarity of the lumas: 11\xc3\x97"
         "11 Gaussian window, standard deviation 1.5 pixels (Wang, "
         "Bovik, Sheikh and Simoncelli, 2004)"},
    };
}

/// The gradient from the least to the largest difference that is told apart, with numbers at its ends.
void draw_legend(Ui& ui, ImVec2 at, float width, float height) {
    const DifferenceAppearance& look = ui.view.look;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& font = ui.theme.small;
    const std::string most = format("%.3g", 255.0 / double{look.gain});
    const std::string left = look.is_signed ? "\xe2\x80\x93" + most : "0";
    const std::string right = look.is_signed ? "+" + most : most;
    const float text_y = middle(font, at.y, height);
    const float left_width = text_width(font, left) + ui.px(6);
    const float right_width = text_width(font, right) + ui.px(6);
    draw_text({at.x, text_y}, font, ui.colors.text_quiet, left);
    draw_text_right({at.x + width, text_y}, font, ui.colors.text_quiet, right);
    const float bar_height = ui.px(10);
    const ImVec2 min{at.x + left_width, std::floor(at.y + (height - bar_height) / 2)};
    const ImVec2 max{at.x + width - right_width, min.y + bar_height};
    constexpr int steps = 24;
    const auto ink = [&](int k) -> ImU32 {
        const double position = static_cast<double>(k) / steps;
        if (look.false_color) {
            const auto c = difference_color(look.is_signed, position);
            return IM_COL32(c[0], c[1], c[2], 255);
        }
        const auto v = static_cast<int>(std::lround(position * 255));
        return IM_COL32(v, v, v, 255);
    };
    const float step = (max.x - min.x) / steps;
    for (int k = 0; k < steps; ++k) {
        const float x = min.x + step * static_cast<float>(k);
        list.AddRectFilledMultiColor({x, min.y}, {x + step, max.y}, ink(k), ink(k + 1), ink(k + 1), ink(k));
    }
    list.AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, IM_COL32(255, 255, 255, 40));
    record(ui, "difference:legend", at, {at.x + width, at.y + height}, left + " to " + right, false);
}

/// Places the legend and the facts in rows. Only measures where `draw` is false. Returns the height.
float footer(Ui& ui, const Area& area, bool draw) {
    const float row = ui.px(kFooterRow);
    const float pad = ui.px(12);
    const float gap = ui.px(18);
    const Font& font = ui.theme.small;
    const float legend = std::min(ui.px(kLegendWidth), area.width - 2 * pad);
    float x = area.x + pad;
    float y = area.y;
    const float end = area.right() - pad;
    if (draw) draw_legend(ui, {x, y}, legend, row);
    x += legend + gap;
    for (const Fact& fact : facts_of(ui.model->views.difference)) {
        const float name_width = text_width(font, fact.name) + ui.px(6);
        const float width = name_width + text_width(font, fact.value);
        if (x + width > end && x > area.x + pad) {
            x = area.x + pad;
            y += row;
        }
        if (draw) {
            draw_text({x, middle(font, y, row)}, font, ui.colors.text_faint, fact.name);
            draw_text({x + name_width, middle(font, y, row)}, font, ui.colors.text, fact.value);
            const ImVec2 min{x, y};
            const ImVec2 max{x + width, y + row};
            tooltip_at(ui, min, max, fact.help);
            record(ui, fact.label, min, max, ui.model->views.difference ? fact.value : "", false);
        }
        x += width + gap;
    }
    return y + row - area.y;
}

void queue_difference(Ui& ui, const Area& clip, const ImageToScreen& map, const Picture& after, double left, double top,
                      double step) {
    const Model& model = *ui.model;
    const DifferenceView view{model.views.before, after, left, top, step, placement(map, clip), ui.view.look};
    draw_directly(ui, [&model, view] { model.views.draw_difference(view); });
}

void draw_differences(Ui& ui, const Area& pane, const ImageToScreen& map) {
    const Model& model = *ui.model;
    if (!model.views.draw_difference || model.views.before.empty() || model.views.after.empty()) return;
    queue_difference(ui, pane, map, model.views.after, 0, 0, 1);
    const Rect& region = model.views.preview_region;
    if (const int step = preview_step(model); step > 0) {
        const ImVec2 min = map.at(region.x, region.y);
        const ImVec2 max = map.at(region.x + region.width, region.y + region.height);
        const float x = std::max(min.x, pane.x);
        const float y = std::max(min.y, pane.y);
        queue_difference(ui, {x, y, std::min(max.x, pane.right()) - x, std::min(max.y, pane.bottom()) - y}, map,
                         model.views.preview, region.x, region.y, step);
    }
}

}  // namespace

void draw_difference(Ui& ui, const Area& area) {
    ViewState& state = ui.view;
    const Model& model = *ui.model;
    const float strip = ui.px(kStripHeight);
    const float below = footer(ui, {area.x, 0, area.width, 0}, false);
    const Area pane{area.x, area.y + strip, area.width, std::max(area.height - strip - below, 1.0F)};
    settle(state.view, state.spec, {pane.width, pane.height});
    const Minimap minimap = minimap_item(ui, pane);
    const PaneMouse mouse = pane_item("view:difference", pane);
    navigate(ui, pane, mouse, true);
    report_hover(ui);
    std::string value = state.look.is_signed ? "signed" : "absolute";
    if (state.look.false_color) value += ", false colour";
    record(ui, "view:difference", pane.min(), pane.max(),
           state.show_original ? "original" : value + format(", gain %.3g", double{state.look.gain}));
    if (state.show_original) {
        draw_pane(ui, pane, Side::after, false);
    } else {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImageToScreen map = map_view(state.view, pane);
        list.PushClipRect(pane.min(), pane.max(), true);
        draw_differences(ui, pane, map);
        draw_pixel_grid(map, pane, state.view.visible);
        draw_selection(ui, map, pane);
        draw_number_differences(ui, map, pane, model.views.numbers_before, model.views.numbers_after);
        draw_explained(ui, map, pane);
        list.PopClipRect();
    }
    if (mouse.hovered) draw_loupe_pair(ui, pane);
    draw_minimap(ui, minimap, pane, Side::after);
    draw_result_strip(ui, {area.x, area.y, area.width, strip}, "Difference");
    const Area foot{area.x, pane.bottom(), area.width, below};
    ImGui::GetWindowDrawList()->AddRectFilled(foot.min(), foot.max(), ui.colors.panel);
    footer(ui, foot, true);
}

}  // namespace tonescope::ui
