// Region and mask: what of the image is filtered.
#include <algorithm>

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

/// A number of the region: where it begins, or how long it is, one of both along this length of the image.
ParamInfo number_of(const char* id, const char* label, const char* help, bool is_length, int begin, int image) {
    return {.id = id,
            .label = label,
            .unit = "px",
            .help = help,
            .min = is_length ? 1 : 0,
            .max = is_length ? std::max(image - begin, 1) : std::max(image - 1, 0),
            .default_value = is_length ? std::max(image - begin, 1) : 0};
}

/// The region in numbers: all of the image where there is none.
void draw_numbers(Frame& ui, const ResultPart& part, const ImageSpec& image) {
    if (image.empty()) return;
    const Rect all{0, 0, image.width, image.height};
    Rect region = part.has_region() ? part.region : all;
    region.x = std::clamp(region.x, 0, image.width - 1);
    region.y = std::clamp(region.y, 0, image.height - 1);
    const auto change = [&](int& begin, int& length, int whole, std::span<const ParamInfo, 2> infos) {
        const int32_t values[] = {begin, length};
        const auto changed = param_pair(ui, infos, values);
        if (!changed) return;
        (changed->first == 0 ? begin : length) = changed->second;
        length = std::clamp(length, 1, whole - begin);
        ResultPart next = part;
        next.region = region == all ? Rect{} : region;
        if (!next.has_region()) next.feather_px = 0;
        ui.ask(SetPart{next, ui.slider.dragged ? ui.slider.gesture : 0});
    };
    const ParamInfo across[] = {
        number_of("region_x", "X", "Pixels of the image at the left of the region", false, region.x, image.width),
        number_of("region_width", "Width", "Columns of the region", true, region.x, image.width)};
    const ParamInfo down[] = {
        number_of("region_y", "Y", "Pixels of the image above the region", false, region.y, image.height),
        number_of("region_height", "Height", "Rows of the region", true, region.y, image.height)};
    ImGui::PushID("region");
    ui.prefix = "Region:";
    change(region.x, region.width, image.width, across);
    change(region.y, region.height, image.height, down);
    ui.prefix.clear();
    ImGui::PopID();
    skip(ui, 4);
}

void draw_region_rows(Frame& ui, const ResultPart& part, const ImageSpec& image) {
    const Rect& region = part.region;
    draw_row(ui, "Region", part.has_region() ? tonescope::size_text(region.width, region.height) : "all of it",
             part.has_region(), {{"Off", "filter-everywhere"}, {"Selection", "filter-selection"}});
    draw_numbers(ui, part, image);
    if (!part.has_region()) return;
    ui.slider.dragged = false;
    const auto feather = param_widget(ui, kFeather, part.feather_px, ImGui::GetContentRegionAvail().x);
    if (!feather) return;
    ResultPart changed = part;
    changed.feather_px = *feather;
    ui.ask(SetPart{changed, ui.slider.dragged ? ui.slider.gesture : 0});
}

void draw_mask_rows(Frame& ui, const ResultPart& part) {
    const bool is_named = !part.mask_path.empty(), has_mask = part.mask != nullptr;
    draw_row(ui, "Mask",
             has_mask   ? file_name_of(part.mask_path)
             : is_named ? "not read"
                        : "none",
             is_named, {{"Off", "no-mask"}, {"Open...", "mask"}});
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

void PartPanel::draw(Frame& ui, const RunModel& run, const ImageSpec& image) {
    const Area top = area_at_cursor(0);
    if (folding_section(ui, "Region and mask", ui.settings.part_shown)) {
        draw_region_rows(ui, run.part, image);
        draw_mask_rows(ui, run.part);
    }
    mask_place = {top.x, top.y, top.width, area_at_cursor(0).y - top.y};
}

}  // namespace tonescope::ui
