#include <algorithm>
#include <array>
#include <cmath>

#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

constexpr std::array<float, 9> kScales = {0, 0.75F, 1, 1.25F, 1.5F, 1.75F, 2, 2.5F, 3};
constexpr float kLabel = 110;

std::string scale_name(float scale) {
    return scale == 0 ? "Automatic" : format("%d %%", static_cast<int>(std::lround(scale * 100)));
}

/// The label of a row, which moves the place on; leaves the cursor at the row's widget and returns the widget's width.
float next_row(const Frame& ui, Area& place, const char* label, float height) {
    draw_line({place.x, place.y, 0, ui.px(kSegmentHeight)}, ui.theme.body, ui.colors.text_quiet, label);
    ImGui::SetCursorScreenPos({place.x + ui.px(kLabel), place.y});
    place.y += ui.px(height);
    return place.width - ui.px(kLabel);
}

}  // namespace

void step_scale(Frame& ui, int by) {
    // From the automatic scale to its neighbors.
    const float now = ui.settings.scale > 0 ? ui.settings.scale : ui.theme.scale;
    for (size_t k = 1; k < kScales.size(); ++k) {
        const float scale = kScales[by > 0 ? k : kScales.size() - k];
        if (by > 0 ? scale <= now + 0.01F : scale >= now - 0.01F) continue;
        ui.settings.scale = scale;
        return;
    }
}

void draw_settings(Frame& ui, bool& requested) {
    ui.panel = "settings";
    if (!begin_popup(ui, requested, "Settings", {ui.px(440), ui.px(214)})) return;
    Settings& settings = ui.settings;
    Area place = area_at_cursor(0);
    constexpr std::string_view themes[] = {"dark", "light"};
    float width = next_row(ui, place, "Theme", kSegmentHeight + 12);
    int clicked = segmented(ui, "Theme", themes, static_cast<int>(settings.theme), width);
    if (clicked >= 0) settings.theme = static_cast<ThemeKind>(clicked);
    width = next_row(ui, place, "Interface size", kControlHeight + 12);
    std::string shown = scale_name(settings.scale);
    if (ui.theme.scale < settings.scale) shown += "; this window has room for " + scale_name(ui.theme.scale);
    if (begin_choice(ui, "Interface size", shown, width, scale_name(settings.scale))) {
        for (const float scale : kScales)
            if (choice_item(ui, "Interface size", scale_name(scale), {}, {}, scale == settings.scale))
                settings.scale = scale;
        end_choice(ui);
    }
    constexpr std::string_view off_on[] = {"off", "on"};
    width = next_row(ui, place, "Presentation", kSegmentHeight + 8);
    clicked = segmented(ui, "Presentation", off_on, ui.presenting ? 1 : 0, width);
    if (clicked >= 0) ui.present(clicked == 1);
    draw_text(place.min(), ui.theme.small, ui.colors.text_faint,
              "For projectors: larger type, the pointer marked, no panels (" +
                  std::string(ui.commands->keys("presentation")) + "; " + std::string(ui.commands->keys("panels")) +
                  " brings the panels back)",
              place.width);
    end_popup(ui);
}

}  // namespace tonescope::ui
