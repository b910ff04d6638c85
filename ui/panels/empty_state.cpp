#include "ui/panels/empty_state.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/progress.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

void draw_working(Frame& ui, const WorkModel& work, const Area& area, const std::string& what) {
    const ImVec2 c{std::floor(area.x + area.width / 2), std::floor(area.y + area.height / 2)};
    spinner(ui, {c.x, c.y - ui.px(28)}, ui.px(13), ui.colors.accent);
    const std::string percent = work.progress < 0 ? "" : "   " + progress_text(work.progress);
    draw_text_centered(ui, area, c.y + ui.px(4), ui.theme.body, ui.colors.text_quiet, what + percent);
    const float width = std::floor(std::min(ui.px(260), area.width - ui.px(32)));
    progress_bar(ui, work, {std::floor(c.x - width / 2), c.y + ui.px(30), width, std::max(3.0F, ui.px(3))});
    ImGui::SetCursorScreenPos({c.x - ui.px(40), c.y + ui.px(46)});
    cancel_button(ui, ui.px(80), ButtonStyle::normal);
}

void draw_failed(const Frame& ui, const Area& area, const ImageEntry& image) {
    const float top = std::floor(area.y + area.height / 2) - ui.px(110);
    const float wrap = std::min(area.width - ui.px(48), ui.px(520));
    const float width = std::min(text_width(ui.theme.body, image.error), wrap);
    draw_icon(ui, Icon::picture, {std::floor(area.x + area.width / 2), top + ui.px(30)}, ui.px(56),
              ui.colors.text_faint);
    draw_text_centered(ui, area, top + ui.px(80), ui.theme.title, ui.colors.text, "This image cannot be shown");
    draw_text({area.x + (area.width - width) / 2, top + ui.px(114)}, ui.theme.body, ui.colors.text_quiet, image.error,
              wrap);
}

}  // namespace

void draw_empty_state(Frame& ui, const ImagesModel& images, const WorkModel& work, const Area& area) {
    const ImageEntry* image = images.shown();
    if (image != nullptr && image->state == ImageEntry::State::failed)
        draw_failed(ui, area, *image);
    else if (work.is_long())
        draw_working(ui, work, area, image != nullptr ? "Opening " + image->name : work.what);
}

}  // namespace tonescope::ui
