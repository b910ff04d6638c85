// Which parameter the grid shows, with which values; and its options in the bar.
#include <algorithm>
#include <cmath>

#include "ui/state.h"
#include "ui/views/view_options.h"
#include "ui/views/view_parts.h"
#include "ui/widgets/param_widgets.h"

namespace tonescope::ui {
namespace {

/// The one changed last, or the operator's main one, or the first that has a range.
ParamPlace default_param(const Ui& ui) {
    const std::vector<ParamPlace> params = active_params(ui.model->run);
    if (std::ranges::find(params, ui.view.grid.last_changed) != params.end()) return ui.view.grid.last_changed;
    const auto main = std::ranges::find_if(params, [](const ParamPlace& p) { return p.info->main; });
    if (main != params.end()) return *main;
    const auto numeric =
        std::ranges::find_if(params, [](const ParamPlace& p) { return p.info->kind != ParamKind::choice; });
    return numeric != params.end() ? *numeric : params.front();
}

std::string place_name(const ParamPlace& param) {
    return std::string(param.info->label) + (param.of_variant ? " (variant)" : "");
}

}  // namespace

void follow_grid(Ui& ui) {
    GridState& grid = ui.view.grid;
    const std::vector<ParamPlace> params = active_params(ui.model->run);
    if (std::ranges::find(params, grid.param) == params.end()) {
        grid.param = default_param(ui);
        grid.values.clear();
    }
    const int panes = ui.settings.grid_panes - (ui.settings.grid_image ? 1 : 0);
    std::vector<int32_t> fresh = grid_values(*grid.param.info, value_of(ui.model->run, grid.param), panes);
    if (grid.values.size() < fresh.size()) grid.values = std::move(fresh);
    grid.values.resize(std::min(grid.values.size(), static_cast<size_t>(panes)));
}

void show_grid(Ui& ui, const ParamPlace& param) {
    choose_view_mode(ui, ViewMode::grid);
    ui.view.grid.param = param;
    spread_grid(ui);
    ui.focus_request = 0;
}

void spread_grid(Ui& ui) {
    ui.view.grid.values.clear();
}

void toggle_grid_image(Ui& ui) {
    ui.settings.grid_image = !ui.settings.grid_image;
}

bool can_use_grid_pane(const Ui& ui, int pane) {
    const int value = pane - (ui.settings.grid_image ? 1 : 0);
    return value >= 0 && value < static_cast<int>(ui.view.grid.values.size());
}

void use_grid_pane(Ui& ui, int pane) {
    const GridState& grid = ui.view.grid;
    const auto value = static_cast<size_t>(pane - (ui.settings.grid_image ? 1 : 0));
    ui.ask(SetParam{grid.param.info, grid.param.of_variant, grid.values[value]});
}

Options grid_options(Ui& ui, float room) {
    follow_grid(ui);
    const float gap = ui.px(6);
    const float panes = ui.px(84);
    const float image = std::ceil(text_width(ui.theme.body, "Image")) + ui.px(20);
    const float spread = std::ceil(text_width(ui.theme.body, "Spread")) + ui.px(20);
    const float choice = std::clamp(room - panes - image - spread - 3 * gap, ui.px(64), ui.px(150));
    return {choice + panes + image + spread + 3 * gap, [=, &ui](ImVec2 at) {
                const ParamPlace current = ui.view.grid.param;
                const std::string name = place_name(current);
                ImGui::SetCursorScreenPos({at.x, at.y - std::floor(ui.px(kControlHeight - kSegmentHeight) / 2)});
                if (begin_choice(ui, "Grid parameter", name, choice, current.info->id)) {
                    for (const ParamPlace& param : active_params(ui.model->run))
                        if (choice_item(ui, "Grid parameter", place_name(param), {}, {}, param == current))
                            show_grid(ui, param);
                    end_choice();
                } else {
                    tooltip(ui, "The parameter whose values are shown beside each other");
                }
                at.x += choice + gap;
                ImGui::SetCursorScreenPos(at);
                constexpr std::string_view numbers[] = {"2", "3", "4"};
                const int clicked = segmented(ui, "Panes", numbers, ui.settings.grid_panes - 2, panes);
                if (clicked >= 0) ui.settings.grid_panes = clicked + 2;
                tooltip_at(ui, at, {at.x + panes, at.y + ui.px(kSegmentHeight)}, "How many panes there are ([ and ])");
                at.x += panes + gap;
                ImGui::SetCursorScreenPos(at);
                if (toggle(ui, "grid:image", "Image", ui.settings.grid_image, image,
                           "Shows the image itself in the first pane (I)"))
                    toggle_grid_image(ui);
                ImGui::SetCursorScreenPos({at.x + image + gap, at.y});
                if (toggle(ui, "grid:spread", "Spread", false, spread, "New values around the one that is set (G)"))
                    spread_grid(ui);
            }};
}

}  // namespace tonescope::ui
