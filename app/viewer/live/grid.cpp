#include "app/viewer/live/grid.h"

#include "app/viewer/live/inspection.h"

namespace tonescope {

bool Grid::update(const ui::GridView& wanted, const Rect& numbers, const std::shared_ptr<const HostImage>& image,
                  const RunSpec& set, int device) {
    wanted_ = wanted;
    numbers_ = numbers;
    std::vector<RunSpec> runs;
    RunSpec spec = set;
    ParamBlock& block = wanted.of_variant ? spec.variant_params : spec.params;
    // Operator or variant may have changed since the view was drawn.
    const bool known =
        wanted.info != nullptr && spec.variant != nullptr &&
        find_param(wanted.of_variant ? spec.variant->params : spec.op->params, wanted.info->id) == wanted.info;
    for (const int32_t value : wanted.values) {
        if (!known || runs.size() == kCellRoles.size()) break;
        block.set(*wanted.info, value);
        runs.push_back(spec);
    }
    task_.set(image, runs, device);
    const bool changed = task_.update();
    for (size_t k = 0; k < kCellRoles.size(); ++k) {
        const uint64_t serial = k < task_.cells().size() ? task_.cells()[k].serial : 0;
        if (serial == shown_serials_[k]) continue;
        shown_serials_[k] = serial;
        cells_.show(k, serial == 0 ? nullptr : task_.cells()[k].result.picture);
    }
    return changed;
}

void Grid::fill(ui::GridModel& model) const {
    model.info = wanted_.info;
    model.cells.clear();
    for (size_t k = 0; k < task_.cells().size(); ++k) {
        const GridTask::Cell& cell = task_.cells()[k];
        const GridTask::Result& result = cell.result;
        ui::GridCell& shown = model.cells.emplace_back();
        shown.value = wanted_.values[k];
        shown.busy = cell.busy;
        shown.error = cell.busy ? "" : result.error;
        if (!result.picture) continue;
        shown.picture = cells_.picture(k);
        shown.ms = result.ms;
        shown.is_stale = result.spec != cell.wanted;
        if (numbers_.width > 0) shown.numbers = block_of(*result.picture->image, numbers_);
    }
}

}  // namespace tonescope
