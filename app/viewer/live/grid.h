// The results of several values of one parameter, beside each other on screen, computed on a worker while the window
// goes on.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/options/report.h"
#include "app/system/tasks.h"
#include "app/viewer/live/inspection.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/present/presenter.h"
#include "ui/model/views.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits.
class Grid {
  public:
    explicit Grid(std::function<void()> wake) : backends_(std::make_shared<Backends>()), worker_(1, std::move(wake)) {}
    ~Grid() { worker_.abandon(); }

    /// Takes results that are finished, then asks for those that are to be shown, between frames. A cell that is asked
    /// for the same as before keeps its result or its job. Without an image or values, the grid gives back what it
    /// holds. `numbers`: where the values of pixels are shown, empty: nowhere. `set`: all but the parameter that
    /// differs. `device`: CUDA's index, -1: the first one. True when something has changed.
    bool update(const ui::GridView& wanted, const Rect& numbers, const std::shared_ptr<const HostImage>& image,
                const RunSpec& set, int device) {
        worker_.drain();
        wanted_ = wanted;
        numbers_ = numbers;
        const std::vector<RunSpec> runs = image ? runs_of(wanted, set) : std::vector<RunSpec>();
        if (runs.empty() && !cells_.empty()) release();
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
        return cell < cells_.size() ? cells_[cell].result.pyramid : nullptr;
    }
    /// Fills everything but the pictures.
    void fill(ui::GridModel& model) const {
        model.info = wanted_.info;
        model.cells.clear();
        for (size_t k = 0; k < cells_.size(); ++k) {
            const Cell& cell = cells_[k];
            ui::GridCell& shown = model.cells.emplace_back();
            shown.value = wanted_.values[k];
            shown.busy = cell.busy;
            shown.error = cell.busy ? "" : cell.result.error;
            if (!cell.result.pyramid) continue;
            shown.ms = cell.result.ms;
            shown.is_stale = cell.result.spec != cell.wanted;
            if (numbers_.width > 0) shown.numbers = block_of(*cell.result.pyramid->image, numbers_);
        }
    }

  private:
    struct Result {
        RunSpec spec;
        std::shared_ptr<const Pyramid> pyramid;  // null: none yet, or none any more
        double ms = 0;                           // of the run, without copies to and from a GPU
        std::string error;                       // one line, in place of a picture
    };
    /// The grid's own backends beside the live session's, made when they are first needed.
    struct Backends {
        std::unique_ptr<Backend> cpu, cuda;
    };
    struct Cell {
        RunSpec wanted;
        Result result;      // the newest; of an earlier request while `wanted` is on its way
        bool busy = false;  // `wanted` waits or runs
        std::stop_source stop;
    };
    /// Empty where operator or variant have changed since the view was drawn.
    static std::vector<RunSpec> runs_of(const ui::GridView& wanted, RunSpec spec) {
        if (wanted.info == nullptr || spec.variant == nullptr) return {};
        const auto& table = wanted.of_variant ? spec.variant->params : spec.op->params;
        if (find_param(table, wanted.info->id) != wanted.info) return {};
        std::vector<RunSpec> runs;
        for (const int32_t value : wanted.values) {
            if (runs.size() == kCellRoles.size()) break;
            (wanted.of_variant ? spec.variant_params : spec.params).set(*wanted.info, value);
            runs.push_back(spec);
        }
        return runs;
    }
    static Result run(Backends& backends, const HostImage& image, const RunSpec& spec, int device,
                      std::stop_token stop) {
        const bool on_cpu = spec.variant->backend == BackendKind::cpu;
        std::unique_ptr<Backend>& backend = on_cpu ? backends.cpu : backends.cuda;
        if (!backend) backend = on_cpu ? make_cpu_backend() : make_cuda_backend(device);
        const auto begin = std::chrono::steady_clock::now();
        RunResult result = backend->run(image.view(), spec, stop);
        const double ms = sum_ms(result.stages, false, ms_since(begin));
        if (stop.stop_requested()) throw Canceled{};
        return {spec,
                make_pyramid(std::make_shared<const HostImage>(std::move(result.image)), default_cpu_threads()),
                ms,
                {}};
    }
    void start(size_t k, int device) {
        cells_[k].busy = true;
        changed_ = true;
        cells_[k].stop = worker_.start(
            [image = image_, spec = cells_[k].wanted, device, backends = backends_](std::stop_token stop) {
                try {
                    return run(*backends, *image, spec, device, stop);
                } catch (const DeviceError&) {
                    backends->cuda.reset();  // it may not recover
                    throw;
                }
            },
            [this, k](Outcome<Result> outcome) {
                Cell& cell = cells_[k];
                cell.busy = false;
                cell.result =
                    outcome.value ? std::move(*outcome.value) : Result{cell.wanted, nullptr, 0, outcome.error};
                changed_ = true;
            });
    }
    /// Gives back the backends, which hold memory.
    void release() {
        worker_.start(
            [backends = backends_](std::stop_token) {
                *backends = {};
                return true;
            },
            [](const Outcome<bool>&) {});
    }

    ui::GridView wanted_;
    Rect numbers_;
    std::shared_ptr<const HostImage> image_;
    std::vector<Cell> cells_;
    bool changed_ = false;
    std::shared_ptr<Backends> backends_;  // the worker's
    Tasks worker_;                        // last: its thread uses what stands above
};

}  // namespace tonescope
