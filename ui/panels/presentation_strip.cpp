// What an audience reads below the views: operator, variant, parameters, time, and one slider where it is wanted.
#include <algorithm>
#include <cmath>

#include "ui/model/caption.h"
#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

constexpr float kStripPad = 14, kRowGap = 8, kChipPad = 8, kChipGap = 6, kSliderMost = 560;
/// The strip shows as much as stays within this share of the window's height.
constexpr float kMostOfWindow = 0.28F;

/// A parameter with its value, which a click brings up to be changed.
struct Chip {
    ParamPlace place;
    std::string label, value;
    Area area;  // from the strip's top left corner
};

struct StripLayout {
    Font font;  // of the parameters
    std::vector<Chip> chips;
    float slider_y = 0, height = 0;
    bool has_head = true;
};

StripLayout flow(const Frame& ui, const RunModel& run, const std::optional<ParamPlace>& slider,
                 std::span<const ParamPlace> params, const Font& font, float width) {
    StripLayout l{font, {}};
    const float pad = ui.px(kStripPad);
    const float left = pad - ui.px(kChipPad);
    const float row = font.size_px + ui.px(kRowGap);
    ImVec2 at{left, pad + ui.theme.title.size_px + ui.px(kRowGap)};
    for (const ParamPlace& place : params) {
        const std::string label = place.choice == nullptr ? place.name() : std::string(place.choice->label);
        Chip chip{place, label, value_text(*place.info, value_of(run, place)), {}};
        const float wide = std::min(std::ceil(text_width(font, chip.label + " " + chip.value)) + 2 * ui.px(kChipPad),
                                    width - 2 * left);
        if (at.x > left && at.x + wide > width - left) at = {left, at.y + row};
        chip.area = {at.x, at.y, wide, row};
        at.x += wide + ui.px(kChipGap);
        l.chips.push_back(chip);
    }
    l.height = (l.chips.empty() ? at.y : at.y + row) + pad - ui.px(kRowGap);
    if (!slider) return l;
    l.slider_y = l.height;
    l.height += param_height(ui, *slider->info);
    return l;
}

StripLayout lay_out(const Frame& ui, const RunModel& run, const std::optional<ParamPlace>& slider, float width) {
    std::vector<ParamPlace> all = active_params(run);
    std::vector<const ParamInfo*> told;  // by a number
    for (const ParamPlace& place : all) told.push_back(place.choice);
    std::erase_if(all, [&](const ParamPlace& place) { return std::ranges::count(told, place.info) > 0; });
    std::vector<ParamPlace> changed;
    for (const ParamPlace& place : all)
        if (value_of(run, place) != place.info->default_value) changed.push_back(place);
    const float most = ImGui::GetIO().DisplaySize.y * kMostOfWindow;
    for (const auto& [params, font] :
         {std::pair{&all, &ui.theme.title}, {&all, &ui.theme.body}, {&changed, &ui.theme.body}})
        if (StripLayout l = flow(ui, run, slider, *params, *font, width); l.height <= most) return l;
    StripLayout least = flow(ui, run, slider, {}, ui.theme.body, width);
    if (!slider) return least;
    const float head = ui.theme.title.size_px + ui.px(kRowGap);  // the captions above say as much
    least.has_head = false;
    least.slider_y -= head;
    least.height -= head;
    return least;
}

/// Operator, variant and time.
void draw_head_line(Frame& ui, const RunModel& run, const ViewsModel& views, const Area& head) {
    const Font& title = ui.theme.title;
    const PictureSubject& result = views.result_subject();
    float room = head.width;
    if (result.ms >= 0) {
        const Dimmed dimmed(ui, views.after_is_stale);
        const std::string time = time_text(result.ms);
        room -= text_width(title, time) + ui.px(20);
        draw_line(head, title, ui.colors.text, time, Align::right);
        record(ui, "presented:time", head, time, false);
    }
    const float name = draw_line_cut(ui, {head.x, head.y, room, head.height}, title, ui.colors.accent, run.op->name);
    record(ui, "presented:operator", {head.x, head.y, name, head.height}, run.op->name, false);
    if (run.variant == nullptr) return;
    const Area beside{head.x + name + ui.px(16), head.y, room - name - ui.px(16), head.height};
    draw_line_cut(ui, beside, title, ui.colors.text_quiet, run.variant->name);
    record(ui, "presented:variant", beside, run.variant->name, false);
}

void draw_chip(Frame& ui, const Chip& chip, const Font& font, const Area& area, bool chosen) {
    const float pad = ui.px(kChipPad);
    draw_line_cut(ui, {area.x + pad, area.y, area.width - 2 * pad, area.height}, font,
                  chosen ? IM_COL32_WHITE : ui.colors.text, chip.label + " " + chip.value);
    tooltip(ui, "Shows the slider of this parameter" + ui.keys("tune"));
    record(ui, "presented:" + chip.label, area, chip.value);
}

}  // namespace

std::optional<ParamPlace> PresentationStrip::shown_slider(const RunModel& run) const {
    const std::vector<ParamPlace> params = active_params(run);
    return slider_ && std::ranges::find(params, *slider_) != params.end() ? slider_ : std::nullopt;
}

float PresentationStrip::height(const Frame& ui, const RunModel& run, float width) const {
    return lay_out(ui, run, shown_slider(run), width).height;
}

void PresentationStrip::show_next(const RunModel& run) {
    const std::vector<ParamPlace> params = active_params(run);
    if (params.empty()) return;
    const auto place_of = [&](const std::optional<ParamPlace>& param) {
        return param ? std::ranges::find(params, *param) : params.end();
    };
    auto next = place_of(slider_);
    if (next != params.end())
        ++next;
    else if (next = place_of(last_changed_); next == params.end())
        next = params.begin();
    slider_ = next == params.end() ? std::nullopt : std::optional(*next);
}

std::optional<ParamPlace> PresentationStrip::draw(Frame& ui, const RunModel& run, const ViewsModel& views,
                                                  const Area& area) {
    ui.panel = "presentation";
    begin_area(ui, "##presentation", area, ui.colors.raised);
    ui.keyboard.enter_area(WindowArea::middle);
    const std::optional<ParamPlace> slider = shown_slider(run);
    const StripLayout l = lay_out(ui, run, slider, area.width);
    const float pad = ui.px(kStripPad);
    const Area head{area.x + pad, area.y + pad, area.width - 2 * pad, ui.theme.title.size_px};
    if (l.has_head) draw_head_line(ui, run, views, head);
    for (const Chip& chip : l.chips) {
        const Area at{area.x + chip.area.x, area.y + chip.area.y, chip.area.width, chip.area.height};
        const bool chosen = slider == chip.place;
        if (hit_area(ui, ("presented " + chip.label).c_str(), at))
            slider_ = chosen ? std::nullopt : std::optional(chip.place);
        if (chosen || ImGui::IsItemHovered())
            fill(at, chosen ? ui.colors.accent_deep : ui.colors.frame_hovered, ui.px(kRadius));
        draw_chip(ui, chip, l.font, at, chosen);
    }
    std::optional<ParamPlace> changed;
    if (slider) {
        ImGui::SetCursorScreenPos({head.x, area.y + l.slider_y});
        changed = draw_parameter(ui, run, *slider, views.before.spec, std::min(head.width, ui.px(kSliderMost)));
    }
    ImGui::End();
    return changed;
}

}  // namespace tonescope::ui
