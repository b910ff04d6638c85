// Right, at the bottom: what is known about the image and its file.
#include <algorithm>
#include <cmath>

#include "ui/model/files.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kDetailsLine = 20;

}  // namespace

void draw_details(Frame& ui, const DetailsModel& details) {
    if (details.rows.empty()) return;
    section(ui, "Details");
    const Font& font = ui.theme.small;
    const float width = ImGui::GetContentRegionAvail().x;
    const float line = ui.px(kDetailsLine);
    float labels = 0;
    for (const auto& [label, value] : details.rows) labels = std::max(labels, text_width(font, label));
    labels = std::min(labels + ui.px(14), std::floor(width * 0.4F));
    for (const auto& [label, value] : details.rows) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const ImVec2 end{at.x + width, at.y + line - ui.px(2)};
        const std::string shown = shorten(font, value, width - labels, true);
        draw_text(at, font, ui.colors.text_quiet, shorten(font, label, labels - ui.px(6)));
        draw_text({at.x + labels, at.y}, font, ui.colors.text, shown);
        if (shown != value) tooltip_at(ui, at, end, value);
        record(ui, "detail:" + label, at, end, value, false);
        ImGui::Dummy({width, line});
    }
    if (details.depth_notice.empty()) return;
    skip(ui, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = text_height(font, details.depth_notice, width);
    draw_text(at, font, ui.colors.warning, details.depth_notice, width);
    record(ui, "depth notice", at, {at.x + width, at.y + height}, details.depth_notice, false);
    ImGui::Dummy({width, height + ui.px(4)});
}

}  // namespace tonescope::ui
