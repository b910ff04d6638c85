// Region and mask: what of the image is filtered.
#include "gpu/core/text.h"
#include "ui/model/paths.h"
#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

constexpr ParamInfo kFeather = {.id = "feather",
                                .label = "Feather",
                                .unit = "px",
                                .help =
                                    "The result fades in over so many pixels inside the region's edge, but not at the "
                                    "image's border",
                                .max = kMaxFeather_px,
                                .logarithmic = true};

struct RowButton {
    const char *text, *command;
};

/// A row: a label, what is set, and buttons that run commands.
void draw_row(Frame& ui, const char* label, const std::string& value, bool is_set,
              std::initializer_list<RowButton> from_right) {
    const Area row = area_at_cursor(ui.px(kControlHeight));
    const Font& font = ui.theme.body;
    const float label_width = std::min(ui.px(kLabelColumn), row.width * 0.4F);
    draw_line(row, font, ui.colors.text_quiet, label);
    ui.prefix = std::string(label) + ":";
    ImGui::PushID(label);  // rows have buttons of one name
    float right = row.right();
    for (const auto& [text, command] : from_right) {
        const float width = text_width(font, text) + ui.px(16);
        right -= width;
        if (button(ui, {right, row.y}, text, width, ButtonStyle::normal, ui.commands->available(command)))
            ui.commands->run(command);
        tooltip(ui, ui.commands->help(command));
        right -= ui.px(6);
    }
    ImGui::PopID();
    ui.prefix.clear();
    const Area place{row.x + label_width, row.y, std::max(right - row.x - label_width, 1.0F), row.height};
    draw_line_cut(ui, place, font, is_set ? ui.colors.text : ui.colors.text_quiet, value, true);
    record(ui, std::string(label), place, value, false);
    end_area({row.x, row.y, 1, row.height + ui.px(6)});
}

void draw_region_rows(Frame& ui, const ResultPart& part) {
    const Rect& region = part.region;
    draw_row(ui, "Region", part.has_region() ? tonescope::size_text(region.width, region.height) : "all of it",
             part.has_region(), {{"Off", "filter-everywhere"}, {"Selection", "filter-selection"}});
    if (!part.has_region()) return;
    ui.slider.dragged = false;
    const auto feather = param_widget(ui, kFeather, part.feather_px, ImGui::GetContentRegionAvail().x);
    if (!feather) return;
    ResultPart changed = part;
    changed.feather_px = *feather;
    ui.ask(SetPart{changed, ui.slider.dragged ? ui.slider.gesture : 0});
}

void draw_mask_rows(Frame& ui, const ResultPart& part) {
    const bool has_mask = part.mask != nullptr;
    draw_row(ui, "Mask", has_mask ? file_name_of(part.mask_path) : "none", has_mask,
             {{"Off", "no-mask"}, {"Open...", "mask"}});
    if (!has_mask) return;
    constexpr std::string_view shades[] = {"white", "black"};
    const int clicked =
        labeled_choice(ui, "Filtered", shades, part.mask_inverse ? 1 : 0,
                       "Where the mask has this, the result takes the place of the image" + ui.keys("mask-inverse"));
    if (clicked < 0 || part.mask_inverse == (clicked == 1)) return;
    ResultPart changed = part;
    changed.mask_inverse = clicked == 1;
    ui.ask(SetPart{changed});
}

}  // namespace

void PartPanel::draw(Frame& ui, const RunModel& run) {
    const Area top = area_at_cursor(0);
    if (folding_section(ui, "Region and mask", ui.settings.part_shown)) {
        draw_region_rows(ui, run.part);
        draw_mask_rows(ui, run.part);
    }
    mask_place = {top.x, top.y, top.width, area_at_cursor(0).y - top.y};
}

}  // namespace tonescope::ui
