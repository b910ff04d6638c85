// Middle: what is shown while there is no image, and while something takes time.
#include <algorithm>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

std::string progress_text(double done) {
    return format("%d %%", static_cast<int>(std::floor(done * 100)));
}

void centered(const Ui& ui, const Area& area, float y, const Font& font, ImU32 col, std::string_view text) {
    const std::string shown = shorten(font, text, area.width - ui.px(32), true);
    draw_text({area.x + (area.width - text_width(font, shown)) / 2, y}, font, col, shown);
}

/// What runs is known to have got this far, or a piece that moves where nobody knows.
void progress_bar(Ui& ui, const Area& bar) {
    constexpr double kPiece = 0.25;
    constexpr double kTurn_s = 1.6;
    const double done = ui.model->work.progress;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(bar.min(), bar.max(), color::kFrame);
    const double at = std::fmod(ui.time_s, kTurn_s) / kTurn_s * (1 + kPiece);
    const double from = done < 0 ? std::max(at - kPiece, 0.0) : 0;
    const double to = done < 0 ? std::min(at, 1.0) : std::min(done, 1.0);
    list.AddRectFilled({bar.x + bar.width * static_cast<float>(from), bar.y},
                       {bar.x + bar.width * static_cast<float>(to), bar.bottom()}, color::kAccent);
    ui.animating = true;
    record(ui, "progress", bar.min(), bar.max(), done < 0 ? "unknown" : progress_text(done), false);
}

void cancel_button(Ui& ui, float width, ButtonStyle style) {
    if (button(ui, "Cancel", width, style)) ui.ask(CancelWork{});
    tooltip(ui, "Ends it (Esc). What was there before stays");
}

void draw_working(Ui& ui, const Area& area, const std::string& what) {
    const Model& model = *ui.model;
    const ImVec2 c{std::floor(area.x + area.width / 2), std::floor(area.y + area.height / 2)};
    spinner(ui, {c.x, c.y - ui.px(28)}, ui.px(13), color::kAccent);
    const std::string percent = model.work.progress < 0 ? "" : "   " + progress_text(model.work.progress);
    centered(ui, area, c.y + ui.px(4), ui.theme.body, color::kTextQuiet, what + percent);
    const float width = std::floor(std::min(ui.px(260), area.width - ui.px(32)));
    progress_bar(ui, {std::floor(c.x - width / 2), c.y + ui.px(30), width, std::max(3.0F, ui.px(3))});
    ImGui::SetCursorScreenPos({c.x - ui.px(40), c.y + ui.px(46)});
    cancel_button(ui, ui.px(80), ButtonStyle::normal);
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

bool long_work(const Model& model) {
    return model.work.busy && model.work.seconds > 0.2;
}

void draw_empty_state(Ui& ui, const Area& area) {
    const Model& model = *ui.model;
    if (model.images.current >= 0 && model.images.current < static_cast<int>(model.images.entries.size())) {
        const ImageEntry& image = model.images.entries[static_cast<size_t>(model.images.current)];
        if (image.state == ImageEntry::State::failed)
            draw_failed(ui, area, image);
        else if (long_work(model))
            draw_working(ui, area, "Opening " + image.name);
        ui.start_page_shown = false;
        return;
    }
    if (!long_work(model)) return draw_start_page(ui, area);
    draw_working(ui, area, model.work.what);
    ui.start_page_shown = false;
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
    cancel_button(ui, cancel_width, ButtonStyle::quiet);
    right -= ui.px(6);
    // The number has a fixed place, so that nothing moves while it counts.
    const float percent_width = text_width(font, "100 %") + ui.px(8);
    if (model.work.progress >= 0 && right - percent_width - ui.px(14) >= left_limit) {
        draw_text_right({right, y}, font, color::kTextQuiet, progress_text(model.work.progress));
        right -= percent_width;
    }
    const std::string what = shorten(font, model.work.what, right - ui.px(20) - left_limit, true);
    draw_text_right({right, y}, font, color::kTextQuiet, what);
    right -= text_width(font, what) + ui.px(what.empty() ? 7 : 14);
    spinner(ui, {right, std::floor(strip.y + strip.height / 2)}, ui.px(6), color::kAccent);
    const float from = strip.bottom() - std::max(2.0F, ui.px(2));
    progress_bar(ui, {strip.x, from, strip.width, strip.bottom() - from});
    record(ui, "busy", {strip.x, from}, strip.max(), model.work.what, false);
}

}  // namespace tonescope::ui
