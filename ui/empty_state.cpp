// Middle: what is shown while there is no image, and while something takes time.
#include <algorithm>
#include <cmath>

#include "ui/widgets.h"

namespace tonescope::ui {
namespace {

void centered(const Ui& ui, const Area& area, float y, const Font& font, ImU32 col, std::string_view text) {
    const std::string shown = shorten(font, text, area.width - ui.px(32), true);
    draw_text({area.x + (area.width - text_width(font, shown)) / 2, y}, font, col, shown);
}

void draw_loading(Ui& ui, const Area& area, const ImageEntry& image) {
    // Short loads pass without a flash of text.
    if (!ui.model->busy || ui.model->busy_s <= 0.2) return;
    const ImVec2 c{std::floor(area.x + area.width / 2), std::floor(area.y + area.height / 2)};
    spinner(ui, {c.x, c.y - ui.px(24)}, ui.px(13), color::kAccent);
    centered(ui, area, c.y + ui.px(8), ui.theme.body, color::kTextQuiet, "Opening " + image.name);
    ImGui::SetCursorScreenPos({c.x - ui.px(40), c.y + ui.px(38)});
    if (button(ui, "Cancel", ui.px(80))) ui.ask(CancelWork{});
}

void draw_failed(const Ui& ui, const Area& area, const ImageEntry& image) {
    const float top = std::floor(area.y + area.height / 2) - ui.px(110);
    const float wrap = std::min(area.width - ui.px(48), ui.px(520));
    const float width = std::min(text_width(ui.theme.body, image.error), wrap);
    draw_icon(ui, Icon::picture, {std::floor(area.x + area.width / 2), top + ui.px(30)}, ui.px(56), color::kTextFaint);
    centered(ui, area, top + ui.px(80), ui.theme.title, color::kText, "This image cannot be shown");
    draw_text({area.x + (area.width - width) / 2, top + ui.px(114)}, ui.theme.body, color::kTextQuiet, image.error,
              wrap);
}

}  // namespace

void draw_empty_state(Ui& ui, const Area& area) {
    const Model& model = *ui.model;
    if (model.current >= 0 && model.current < static_cast<int>(model.images.size())) {
        const ImageEntry& image = model.images[static_cast<size_t>(model.current)];
        if (image.state == ImageEntry::State::failed)
            draw_failed(ui, area, image);
        else
            draw_loading(ui, area, image);
        ui.start_page_shown = false;
        return;
    }
    draw_start_page(ui, area);
}

float busy_width(const Ui& ui, const Area& strip) {
    return std::min(ui.px(240), std::floor(strip.width * 0.68F));
}

void draw_busy(Ui& ui, const Area& strip) {
    const Model& model = *ui.model;
    const Font& font = ui.theme.small;
    const float y = middle(font, strip.y, strip.height);
    const float left_limit = strip.right() - busy_width(ui, strip);
    const float cancel_width = text_width(ui.theme.body, "Cancel") + ui.px(16);
    float right = strip.right() - ui.px(4) - cancel_width;
    ImGui::SetCursorScreenPos({right, strip.y + ui.px(1)});
    if (button(ui, "Cancel", cancel_width, ButtonStyle::quiet)) ui.ask(CancelWork{});
    right -= ui.px(6);
    // The number has a fixed place, so that nothing moves while it counts.
    const float percent_width = text_width(font, "100 %") + ui.px(8);
    if (model.progress >= 0 && right - percent_width - ui.px(14) >= left_limit) {
        draw_text_right({right, y}, font, color::kTextQuiet,
                        format("%d %%", static_cast<int>(std::lround(model.progress * 100))));
        right -= percent_width;
    }
    const std::string what = shorten(font, model.busy_what, right - ui.px(20) - left_limit, true);
    draw_text_right({right, y}, font, color::kTextQuiet, what);
    right -= text_width(font, what) + ui.px(what.empty() ? 7 : 14);
    spinner(ui, {right, std::floor(strip.y + strip.height / 2)}, ui.px(6), color::kAccent);
    const float from = strip.bottom() - std::max(2.0F, ui.px(2));
    if (model.progress >= 0) {
        const float width = strip.width * static_cast<float>(std::clamp(model.progress, 0.0, 1.0));
        ImGui::GetWindowDrawList()->AddRectFilled({strip.x, from}, {strip.x + width, strip.bottom()}, color::kAccent);
    }
    record(ui, "busy", {strip.x, from}, strip.max(), model.busy_what, false);
}

}  // namespace tonescope::ui
