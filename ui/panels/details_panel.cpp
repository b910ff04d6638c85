// What is known: about the variant at the left, about the image and its file at the right.
#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace tonescope::ui {

void draw_variant(Frame& ui, const RunModel& run) {
    if (run.variant == nullptr) return;
    if (ui.presenting)  // an audience reads along
        section(ui, "About the variant");
    else if (!folding_section(ui, "About the variant", ui.settings.variant_shown))
        return;
    const VariantInfo& variant = *run.variant;
    const float indent = ui.px(38);
    Area area = area_at_cursor(0);
    const auto line = [&](const char* label, const std::string& text) {
        const Area place{area.x, area.bottom(), area.width, text_height(ui.theme.small, text, area.width)};
        draw_text(place.min(), ui.theme.small, ui.colors.text_quiet, text, area.width);
        record(ui, label, place, text, false);
        area.height += place.height + ui.px(4);
    };
    if (const VariantInfo* basis = basis_of(variant)) line("Builds on", "Builds on " + title_of(*basis));
    if (const std::string same = same_kernels_text(variant); !same.empty()) line("Same kernels", same);
    for (const auto& [label, text] :
         {std::pair{"Idea", variant.idea}, {"Cost", variant.cost}, {"Flaw", variant.flaw}}) {
        if (text.empty()) continue;
        draw_text({area.x, area.bottom()}, ui.theme.small, ui.colors.text_faint, label);
        draw_text({area.x + indent, area.bottom()}, ui.theme.small, ui.colors.text_quiet, text, area.width - indent);
        area.height += text_height(ui.theme.small, text, area.width - indent) + ui.px(4);
    }
    record(ui, "Variant text", area, variant.source, false);
    end_area(area);
}

void draw_details(Frame& ui, const DetailsModel& details) {
    if (details.rows.empty()) return;
    section(ui, "Details");
    const Font& font = ui.theme.small;
    const float width = ImGui::GetContentRegionAvail().x;
    float labels = 0;
    for (const auto& [label, value] : details.rows) labels = std::max(labels, text_width(font, label));
    labels = std::min(labels + ui.px(14), std::floor(width * 0.4F));
    for (const auto& [label, value] : details.rows) {
        Area row = area_at_cursor(ui.px(20) - ui.px(2));
        draw_line_cut(ui, {row.x, row.y, labels - ui.px(6), font.size_px}, font, ui.colors.text_quiet, label);
        draw_line_cut(ui, {row.x + labels, row.y, width - labels, font.size_px}, font, ui.colors.text, value, true);
        record(ui, "detail:" + label, row, value, false);
        row.height += ui.px(2);
        end_area(row);
    }
    if (details.file_notice.empty()) return;
    skip(ui, 4);
    Area note = area_at_cursor(text_height(font, details.file_notice, width));
    draw_text(note.min(), font, ui.colors.warning, details.file_notice, width);
    record(ui, "file notice", note, details.file_notice, false);
    note.height += ui.px(4);
    end_area(note);
}

}  // namespace tonescope::ui
