// The results of several values of one parameter or of two, beside each other on screen, computed on a worker while the
// window goes on.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/system/tasks.h"
#include "app/viewer/live/inspection.h"
#include "app/viewer/live/worker_backends.h"
#include "gpu/present/presenter.h"
#include "ui/model/views.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits.
class Grid {
  public:
    /// What would run after these values were set, one after the other.
    using RunWith = std::function<RunSpec(const std::vector<ui::ParamValue>& values)>;

    explicit Grid(std::function<void()> wake)
        : backends_(std::make_shared<WorkerBackends>()), worker_(1, std::move(wake)) {}
    ~Grid() { worker_.abandon(); }

    /// Takes results that are finished, then asks for those that are to be shown, between frames. A cell that is asked
    /// for the same as before keeps its result or its job. Without an image or values, the grid gives back what it
    /// holds. `numbers`: where the values of pixels are shown, empty: nowhere. `device`: CUDA's index, -1: the first
    /// one. True when something has changed.
    bool update(const ui::GridView& wanted, const Rect& numbers, const std::shared_ptr<const HostImage>& image,
                const RunWith& run_with, int device) {
        worker_.drain();
        wanted_ = wanted;
        numbers_ = numbers;
        const std::vector<RunSpec> runs = image ? runs_of(wanted, run_with) : std::vector<RunSpec>();
        if (runs.empty() && !cells_.empty()) release_on(worker_, backends_);
        const size_t kept = image == image_ ? std::min(cells_.size(), runs.size()) : 0;
        changed_ |= kept != cells_.size();
        for (size_t k = kept; k < cells_.size(); ++k) cells_[k].stop.request_stop();
        cells_.resize(kept);
        cells_.resize(runs.size());
        image_ = runs.empty() ? nullptr : image;
        for (size_t k = 0; k < runs.size(); ++k) {
            if (k < kept && cells_[k].wanted == runs[k]) continue;
            cells_[k].stop.request_stop();
            cells_[k].wanted = runs[k];
            start(k, device);
        }
        return std::exchange(changed_, false);
    }
    /// Gives up what is not finished, until something else is asked for.
    void cancel() {
        for (Cell& cell : cells_) {
            if (!cell.busy) continue;
            cell.stop.request_stop();
            cell.busy = false;
            changed_ = true;
        }
    }
    bool busy() const { return std::ranges::any_of(cells_, &Cell::busy); }
    /// The share of cells that are finished, 0 to 1.
    double progress() const {
        const auto finished = std::ranges::count(cells_, false, &Cell::busy);
        return cells_.empty() ? 1 : double(finished) / double(cells_.size());
    }
    /// Null where the cell is empty, or there is no such cell.
    std::shared_ptr<const Pyramid> pyramid(size_t cell) const {
        return cell < cells_.size() ? cells_[cell].pyramid : nullptr;
    }
    /// Fills everything but the pictures. `pixel`: the one under the cursor.
    void fill(ui::GridModel& model, const std::optional<Pixel>& pixel, const ui::PictureSubject& image) const {
        model.view = wanted_;
        model.cells.clear();
        for (const Cell& cell : cells_) {
            ui::GridCell& shown = model.cells.emplace_back();
            shown.wanted = cell.wanted;
            shown.busy = cell.busy;
            shown.error = cell.busy ? "" : cell.error;
            if (!cell.pyramid) continue;
            const HostImage& picture = *cell.pyramid->image;
            shown.subject = image;
            shown.subject.run = cell.result.spec;
            shown.subject.ms = cell.result.ms;
            shown.is_stale = cell.result.spec != cell.wanted;
            if (numbers_.width > 0) shown.numbers = block_of(picture, numbers_);
            if (pixel) shown.pixel = value_at(picture, *pixel);
        }
    }

  private:
    /// More than four cells may hold so much.
    static constexpr size_t kMaxHeld_bytes = size_t{4} << 30;

    struct Cell {
        RunSpec wanted;
        WorkerBackends::Result result;           // the newest; of an earlier request while `wanted` is on its way
        std::shared_ptr<const Pyramid> pyramid;  // of the result; null: none yet, or none any more
        std::string error;                       // one line, in place of a picture
        bool busy = false;                       // `wanted` waits or runs
        std::stop_source stop;
    };
    static bool has(const RunSpec& spec, const ui::ParamPlace& param) {
        const auto& table = param.of_variant ? spec.variant->params : spec.op->params;
        return find_param(table, param.info->id) == param.info;
    }
    /// Row by row. Empty where operator or variant have changed since the view was drawn.
    static std::vector<RunSpec> runs_of(const ui::GridView& wanted, const RunWith& run_with) {
        if (!wanted.is_shown()) return {};
        const RunSpec set = run_with({});
        if (set.variant == nullptr || !has(set, wanted.columns.param)) return {};
        if (wanted.has_rows() && !has(set, wanted.rows.param)) return {};
        std::vector<RunSpec> runs;
        for (size_t cell = 0; cell < std::min(wanted.cell_count(), kMaxCells); ++cell)
            runs.push_back(run_with(wanted.values_of(cell)));
        return runs;
    }
    void start(size_t k, int device) {
        constexpr size_t kWholeCells = 4;
        changed_ = true;
        if (k >= kWholeCells && (k + 1) * (image_->size_bytes() / 3 * 4) > kMaxHeld_bytes) {
            cells_[k].pyramid.reset();
            cells_[k].error = "the image is too large for so many panes";
            return;
        }
        struct Made {
            WorkerBackends::Result result;
            std::shared_ptr<const Pyramid> pyramid;
        };
        cells_[k].busy = true;
        cells_[k].stop = worker_.start(
            [image = image_, spec = cells_[k].wanted, device, backends = backends_](std::stop_token stop) {
                Made made{backends->run(*image, spec, device, stop), nullptr};
                made.pyramid = make_pyramid(made.result.image, default_cpu_threads());
                return made;
            },
            [this, k](Outcome<Made> outcome) {
                Cell& cell = cells_[k];
                cell.busy = false;
                cell.error = outcome.error;
                cell.result = outcome.value ? std::move(outcome.value->result) : WorkerBackends::Result{cell.wanted};
                cell.pyramid = outcome.value ? std::move(outcome.value->pyramid) : nullptr;
                changed_ = true;
            });
    }

    ui::GridView wanted_;
    Rect numbers_;
    std::shared_ptr<const HostImage> image_;
    std::vector<Cell> cells_;
    bool changed_ = false;
    std::shared_ptr<WorkerBackends> backends_;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
