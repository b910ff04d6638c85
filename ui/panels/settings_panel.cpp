#include "ui/panels/settings_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr std::array<float, 9> kScales = {0, 0.75F, 1, 1.25F, 1.5F, 1.75F, 2, 2.5F, 3};
constexpr float kLabel = 110;

std::string scale_name(float scale) {
    return scale == 0 ? "Automatic" : format("%d %%", static_cast<int>(std::lround(scale * 100)));
}

/// The label of a row; leaves the cursor at its widget and returns the widget's width.
float row(const Frame& ui, ImVec2 at, const char* label, float width) {
    draw_text({at.x, middle(ui.theme.body, at.y, ui.px(kSegmentHeight))}, ui.theme.body, ui.colors.text_quiet, label);
    ImGui::SetCursorScreenPos({at.x + ui.px(kLabel), at.y});
    return width - ui.px(kLabel);
}

}  // namespace

void step_scale(Frame& ui, int by) {
    // From the automatic scale to its neighbours.
    const float now = ui.settings.scale > 0 ? ui.settings.scale : ui.theme.scale;
    float next = ui.settings.scale;
    if (by > 0) {
        const auto* larger = std::find_if(kScales.begin() + 1, kScales.end(), [&](float s) { return s > now + 0.01F; });
        if (larger != kScales.end()) next = *larger;
    } else {
        for (size_t k = 1; k < kScales.size(); ++k)
            if (kScales[k] < now - 0.01F) next = kScales[k];
    }
    ui.settings.scale = next;
}

void SettingsPanel::draw(Frame& ui) {
    ui.panel = "settings";
    if (!begin_popup(ui, popup_, "Settings", {ui.px(440), ui.px(214)})) return;
    Settings& settings = ui.settings;
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    constexpr std::string_view themes[] = {"dark", "light"};
    int clicked = segmented(ui, "Theme", themes, static_cast<int>(settings.theme), row(ui, at, "Theme", width));
    if (clicked >= 0) settings.theme = static_cast<ThemeKind>(clicked);
    at.y += ui.px(kSegmentHeight + 12);
    const float choice_width = row(ui, at, "Interface", width);
    if (begin_choice(ui, "Interface", scale_name(settings.scale), choice_width, scale_name(settings.scale))) {
        for (const float scale : kScales)
            if (choice_item(ui, "Interface", scale_name(scale), {}, {}, scale == settings.scale))
                settings.scale = scale;
        end_choice();
    }
    at.y += ui.px(kControlHeight + 12);
    constexpr std::string_view off_on[] = {"off", "on"};
    clicked = segmented(ui, "Presentation", off_on, ui.presenting ? 1 : 0, row(ui, at, "Presentation", width));
    if (clicked >= 0) ui.present(clicked == 1);
    at.y += ui.px(kSegmentHeight + 8);
    draw_text(at, ui.theme.small, ui.colors.text_faint,
              "For projectors: larger type, the pointer marked, no panels (" +
                  std::string(ui.commands->keys("presentation")) + "; " + std::string(ui.commands->keys("panels")) +
                  " brings the panels back)",
              width);
    end_popup(popup_);
}

}  // namespace tonescope::ui
