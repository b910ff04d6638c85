// Results of several values of one parameter, beside each other.
#include "app/viewer/application.h"

namespace tonescope {

void Application::update_grid(const ui::View& view) {
    grid_view_ = view;
    const ui::GridView& grid = view.grid;
    std::vector<RunSpec> runs;
    RunSpec spec = document_.run_spec(pipeline_.backend());
    ParamBlock& block = grid.of_variant ? spec.variant_params : spec.params;
    // Operator or variant may have changed since the view was drawn.
    const bool known = grid.info != nullptr && spec.variant != nullptr &&
                       find_param(grid.of_variant ? spec.variant->params : spec.op->params, grid.info->id) == grid.info;
    for (const int32_t value : grid.values) {
        if (!known || runs.size() == kCellRoles.size()) break;
        block.set(*grid.info, value);
        runs.push_back(spec);
    }
    grid_.set(pipeline_.image(), runs, pipeline_.device());
    changed_ |= grid_.update();
    for (size_t k = 0; k < kCellRoles.size(); ++k) {
        const uint64_t serial = k < grid_.cells().size() ? grid_.cells()[k].serial : 0;
        if (serial == grid_serials_[k]) continue;
        grid_serials_[k] = serial;
        pipeline_.show_cell(k, serial == 0 ? nullptr : grid_.cells()[k].result.picture);
    }
}

void Application::fill_grid() {
    model_.views.grid.info = grid_view_.grid.info;
    model_.views.grid.cells.clear();
    for (size_t k = 0; k < grid_.cells().size(); ++k) {
        const GridTask::Cell& cell = grid_.cells()[k];
        const GridTask::Result& result = cell.result;
        ui::GridCell& shown = model_.views.grid.cells.emplace_back();
        shown.value = grid_view_.grid.values[k];
        shown.busy = cell.busy;
        shown.error = cell.busy ? "" : result.error;
        if (!result.picture) continue;
        shown.picture = pipeline_.cell(k);
        shown.ms = result.ms;
        shown.is_stale = result.spec != cell.wanted;
        if (grid_view_.shows_numbers) shown.numbers = block_of(*result.picture->image, grid_view_.visible);
    }
}

}  // namespace tonescope
