#include <algorithm>
#include <cmath>

#include "gpu/ops/no_data_param.h"
#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

/// The widgets of one table of parameters.
struct ParamColumn {
    Frame& ui;
    const RunModel& run;
    const ImageSpec& image;
    bool of_variant;
    std::span<const ParamInfo> table = of_variant ? run.variant->params : run.op->params;
    const ParamBlock& block = of_variant ? run.variant_params : run.params;
    std::optional<ParamPlace> changed = {};  // by the user, in this frame

    void draw();
    void draw_param(const ParamInfo& info, float width);
    void draw_dependents(const ParamInfo& choice);
};

void ParamColumn::draw_param(const ParamInfo& info, float width) {
    const bool is_picked = info.id == kNoDataId;
    const float pick_width = is_picked ? text_width(ui.theme.body, "Pick") + ui.px(20) : 0;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (const auto param = draw_parameter(ui, run, {&info, of_variant}, image, width - pick_width)) changed = param;
    if (!is_picked) return;
    const ImVec2 below = ImGui::GetCursorScreenPos();
    if (button(ui, {at.x + width - pick_width + ui.px(6), at.y}, "Pick", pick_width - ui.px(6), ButtonStyle::normal,
               ui.commands->available("pick-no-data")))
        ui.commands->run("pick-no-data");
    tooltip(ui, ui.commands->help("pick-no-data"));
    ImGui::SetCursorScreenPos(below);
}

/// The parameters that depend on one choice take turns in the same place: those of one value stand in rows of two, and
/// the place is as high as the largest set, so that no parameter below moves.
void ParamColumn::draw_dependents(const ParamInfo& choice) {
    Area area = area_at_cursor(0);
    std::map<int32_t, std::vector<const ParamInfo*>> sets;
    for (const ParamInfo& info : table)
        if (info.active_if == choice.id) sets[info.active_value].push_back(&info);
    const bool has_below = std::any_of(&choice + 1, table.data() + table.size(),
                                       [](const ParamInfo& info) { return info.active_if.empty(); });
    for (const auto& [value, set] : sets) {
        const bool active = is_active(table, *set.front(), block);
        float y = area.y;
        for (size_t k = 0; k < set.size(); k += 2) {
            const bool pair = k + 1 < set.size();
            const float each = pair ? std::floor((area.width - ui.px(16)) / 2) : area.width;
            for (size_t n = k; active && n < std::min(k + 2, set.size()); ++n) {
                ImGui::SetCursorScreenPos({n == k ? area.x : area.right() - each, y});
                draw_param(*set[n], each);
            }
            y += param_height(ui, *set[k]);
        }
        if (has_below || active) area.height = std::max(area.height, y - area.y);
    }
    end_area(area);
}

void ParamColumn::draw() {
    ImGui::PushID(of_variant ? "variant" : "operator");
    const std::vector<ParamPlace> active = active_params(run);
    for (const ParamInfo& info : table) {
        const bool matters = std::ranges::find(active, ParamPlace{&info, of_variant}) != active.end();
        if (!info.active_if.empty() || !matters) continue;
        draw_param(info, ImGui::GetContentRegionAvail().x);
        if (info.kind == ParamKind::choice) draw_dependents(info);
    }
    ImGui::PopID();
}

}  // namespace

std::optional<ParamPlace> draw_parameter(Frame& ui, const RunModel& run, const ParamPlace& param,
                                         const ImageSpec& image, float width) {
    ui.slider.dragged = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const int32_t value = value_of(run, param);
    const auto changed = param_widget(ui, *param.info, value, width, conversions(run, param, value, image),
                                      ui.settings.suggestions_shown ? suggestions_of(run, param) : nullptr);
    if (changed) ui.ask(SetParam{param.info, param.of_variant, *changed, ui.slider.dragged ? ui.slider.gesture : 0});
    if (Area{at.x, at.y, width, param_height(ui, *param.info)}.contains(ui.keyboard.min())) ui.keyboard_param = param;
    return changed ? std::optional(param) : std::nullopt;
}

std::optional<ParamPlace> draw_parameters(Frame& ui, const RunModel& run, const ImageSpec& image) {
    const bool has_variant_params = run.variant != nullptr && !run.variant->params.empty();
    if (run.op->params.empty() && !has_variant_params) return {};
    section(ui, "Parameters");
    title_button(ui, "Presets...", "presets", ButtonStyle::quiet,
                 "Save and load parameters by name" + ui.keys("presets"));
    title_button(ui, "Reset", "reset", ButtonStyle::quiet, "All parameters back to their defaults",
                 title_button_width(ui, "Presets...") + ui.px(4));
    ParamColumn column{ui, run, image, false};
    column.draw();
    if (!has_variant_params) return column.changed;
    ParamColumn of_variant{ui, run, image, true};
    of_variant.draw();
    return of_variant.changed ? of_variant.changed : column.changed;
}

}  // namespace tonescope::ui
