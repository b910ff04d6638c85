// What runs, how far it is, and the button that ends it.
#include <algorithm>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {

std::string progress_text(double done) {
    return format("%d %%", static_cast<int>(std::floor(done * 100)));
}

void progress_bar(Frame& ui, const WorkModel& work, const Area& bar) {
    constexpr double kPiece = 0.25;
    constexpr double kTurn_s = 1.6;
    const double done = work.progress;
    fill(bar, ui.colors.frame);
    const double at = std::fmod(ui.time_s, kTurn_s) / kTurn_s * (1 + kPiece);
    const double from = done < 0 ? std::max(at - kPiece, 0.0) : 0;
    const double to = done < 0 ? std::min(at, 1.0) : std::min(done, 1.0);
    fill(between({bar.x + bar.width * static_cast<float>(from), bar.y},
                 {bar.x + bar.width * static_cast<float>(to), bar.bottom()}),
         ui.colors.accent);
    ui.animating |= done < 0;
    record(ui, "progress", bar, done < 0 ? "unknown" : progress_text(done), false);
}

void cancel_button(Frame& ui, ImVec2 at, float width, ButtonStyle style) {
    if (button(ui, at, "Cancel", width, style)) ui.ask(CancelWork{});
    tooltip(ui, "Ends it" + ui.keys("back") + ". What was there before stays");
}

float busy_width(const Frame& ui, const Area& strip) {
    return std::min(ui.px(240), std::floor(strip.width * 0.68F));
}

void draw_busy(Frame& ui, const WorkModel& work, const Area& strip) {
    const Font& font = ui.theme.small;
    const float y = middle(font, strip.y, strip.height);
    const float left_limit = strip.right() - busy_width(ui, strip);
    const float cancel_width = text_width(ui.theme.body, "Cancel") + ui.px(16);
    float right = strip.right() - ui.px(4) - cancel_width;
    cancel_button(ui, {right, strip.y + ui.px(1)}, cancel_width, ButtonStyle::quiet);
    right -= ui.px(6);
    // The number has a fixed place, so that nothing moves while it counts.
    const float percent_width = text_width(font, "100 %") + ui.px(8);
    if (work.progress >= 0 && right - percent_width - ui.px(14) >= left_limit) {
        draw_text_right({right, y}, font, ui.colors.text_quiet, progress_text(work.progress));
        right -= percent_width;
    }
    const float room = right - ui.px(20) - left_limit;
    const float what = draw_line_cut(ui, {right - room, strip.y, room, strip.height}, font, ui.colors.text_quiet,
                                     work.what, true, Align::right);
    right -= what + ui.px(what > 0 ? 14 : 7);
    spinner(ui, {right, std::floor(strip.y + strip.height / 2)}, ui.px(6), ui.colors.accent);
    const float thick = std::max(2.0F, ui.px(2));
    const Area bar{strip.x, strip.bottom() - thick, strip.width, thick};
    progress_bar(ui, work, bar);
    record(ui, "busy", bar, work.what, false);
}

}  // namespace tonescope::ui
