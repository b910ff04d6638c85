// Region and mask: where the result takes the place of the image.
#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

constexpr ParamInfo kFeather = {.id = "feather",
                                .label = "Feather",
                                .unit = "px",
                                .help =
                                    "The result fades in over so many pixels inside the region's edge, but not at the "
                                    "image's border.",
                                .max = kMaxFeather_px,
                                .logarithmic = true};

/// A row: a label, what is set, and two buttons that run commands.
void draw_row(Frame& ui, const char* label, const std::string& value, std::pair<const char*, const char*> set,
              std::pair<const char*, const char*> unset) {
    const Area row = area_at_cursor(ui.px(kControlHeight));
    const Font& font = ui.theme.body;
    const float label_width = std::min(ui.px(kLabelColumn), row.width * 0.4F);
    draw_line(row, font, ui.colors.text_quiet, label);
    float right = row.right();
    for (const auto& [text, command] : {unset, set}) {
        const float width = text_width(font, text) + ui.px(16);
        right -= width;
        const bool available = ui.commands->available(command);
        if (button(ui, {right, row.y}, text, width, ButtonStyle::normal, available)) ui.commands->run(command);
        tooltip(ui, ui.commands->help(command));
        right -= ui.px(6);
    }
    const Area place{row.x + label_width, row.y, std::max(right - row.x - label_width, 1.0F), row.height};
    draw_line_cut(ui, place, font, ui.colors.text, value, true);
    record(ui, std::string(label), place, value, false);
    end_area({row.x, row.y, 1, row.height + ui.px(6)});
}

}  // namespace

void draw_part(Frame& ui, const RunModel& run, const Selection& selection) {
    if (!folding_section(ui, "Region and mask", ui.settings.part_shown)) return;
    const ResultPart& part = run.part;
    const Rect& region = part.region;
    draw_row(ui, "Region",
             part.has_region()          ? tonescope::size_text(region.width, region.height)
             : selection.rect.width > 0 ? std::string("everywhere")
                                        : std::string("everywhere (S selects)"),
             {"Selection", "filter-selection"}, {"All", "filter-everywhere"});
    if (part.has_region()) {
        ui.slider.dragged = false;
        const auto feather = param_widget(ui, kFeather, part.feather_px, ImGui::GetContentRegionAvail().x);
        if (feather) {
            ResultPart changed = part;
            changed.feather_px = *feather;
            ui.ask(SetPart{changed, ui.slider.dragged ? ui.slider.gesture : 0});
        }
    }
    draw_row(ui, "Mask", part.mask == nullptr ? "none" : file_name_of(part.mask_path), {"Open...", "mask"},
             {"None", "no-mask"});
}

}  // namespace tonescope::ui
