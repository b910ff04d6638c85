// The results of several values of one parameter or of two, beside each other on screen, computed on a worker while the
// window goes on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/system/tasks.h"
#include "app/viewer/live/inspection.h"
#include "app/viewer/live/worker_backends.h"
#include "gpu/core/figures/figure_series.h"
#include "gpu/cpu/display_histogram.h"
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

    /// What the cells are made of.
    struct Source {
        std::shared_ptr<const HostImage> image;
        std::shared_ptr<const HostImage> compared = image;  // what figures are beside; null: the image
        Rect region = {};                                   // that figures are of, pixels; empty: the whole image
        int device = -1;                                    // CUDA's index; -1: the first one
    };

    /// Takes results that are finished, then asks for those that are to be shown, between frames, those nearest to the
    /// values that are set first. A cell that is asked for the same as before keeps its result or its job. Without an
    /// image or values, the grid gives back what it holds. `numbers`: where the values of pixels are shown, empty:
    /// nowhere. True when something has changed.
    bool update(const ui::GridView& wanted, const Rect& numbers, const Source& source, const RunWith& run_with) {
        worker_.drain();
        wanted_ = wanted;
        numbers_ = numbers;
        const std::shared_ptr<const HostImage>& image = source.image;
        const std::vector<RunSpec> runs = image ? runs_of(wanted, run_with) : std::vector<RunSpec>();
        if (runs.empty() && !cells_.empty()) release_on(worker_, backends_);
        const size_t kept = image == image_ ? std::min(cells_.size(), runs.size()) : 0;
        changed_ |= kept != cells_.size();
        for (size_t k = kept; k < cells_.size(); ++k) cells_[k].stop.request_stop();
        cells_.resize(kept);
        cells_.resize(runs.size());
        image_ = runs.empty() ? nullptr : image;
        const Measured measured = runs.empty() ? Measured() : measured_of(wanted.figure, source);
        measured_ = measured;
        for (const size_t k : nearest_first(wanted, runs, run_with({}))) {
            Cell& cell = cells_[k];
            if (k < kept && cell.wanted == runs[k] && cell.measured == measured) continue;
            const bool has_result = !cell.busy && cell.result.image && cell.result.spec == runs[k];
            cell.stop.request_stop();
            cell.wanted = runs[k];
            cell.measured = measured;
            cell.is_measured = false;
            changed_ = true;
            if (!has_result)
                start(k, source.device);
            else if (measured.figure != nullptr)
                measure(k);
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
            shown.is_measured = cell.is_measured;
            shown.figure = cell.figure;
            if (!cell.pyramid) continue;
            shown.subject = image;
            shown.subject.run = cell.result.spec;
            shown.subject.ms = cell.result.ms;
            shown.is_stale = cell.result.spec != cell.wanted;
            if (!cell.result.image) continue;
            if (numbers_.width > 0) shown.numbers = block_of(*cell.result.image, numbers_);
            if (pixel) shown.pixel = value_at(*cell.result.image, *pixel);
        }
    }

  private:
    /// Where all cells together would hold more, each keeps its picture alone, at the resolution that its share allows.
    static constexpr size_t kMaxHeld_bytes = size_t{4} << 30;
    static constexpr size_t kWholeCells = 4;

    /// A figure, and what it is beside and of.
    struct Measured {
        const FigureInfo* figure = nullptr;  // null: none
        std::shared_ptr<const HostImage> compared = {};
        Rect region = {};
        std::shared_ptr<const FigureSeries> series = {};  // of that part of `compared`
        bool operator==(const Measured& other) const {
            return figure == other.figure && compared == other.compared && region == other.region;
        }
        /// Throws Canceled.
        std::optional<double> of(const HostImage& result, const std::stop_token& stop) const {
            if (figure == nullptr || !ui::same_size(compared->spec(), result.spec())) return {};
            const FigureValues values =
                series->measure(std::array{figure}, part_of(result.view(), region_inside(region, result.spec())),
                                default_cpu_threads(), stop);
            if (stop.stop_requested()) throw Canceled{};
            return values.after[0];
        }
    };
    /// With the series that there is already where nothing has changed.
    Measured measured_of(const FigureInfo* figure, const Source& source) const {
        Measured measured{figure, source.compared ? source.compared : source.image, source.region};
        if (measured == measured_) {
            measured.series = measured_.series;
        } else if (figure != nullptr) {
            const Rect part = region_inside(measured.region, measured.compared->spec());
            measured.series = std::make_shared<const FigureSeries>(part_of(measured.compared->view(), part));
        }
        return measured;
    }
    struct Cell {
        RunSpec wanted;
        Measured measured;
        WorkerBackends::Result result;           // the newest; of an earlier request while `wanted` is on its way
        std::shared_ptr<const Pyramid> pyramid;  // of the result; null: none yet, or none any more
        std::optional<double> figure;            // where is_measured
        bool is_measured = false;
        std::string error;  // one line, in place of a picture
        bool busy = false;  // `wanted` waits or runs
        std::stop_source stop;
    };
    static bool has(const RunSpec& spec, const ui::ParamPlace& param) {
        const auto& table = param.of_variant ? spec.variant->params : spec.op->params;
        return find_param(table, param.info->id) == param.info;
    }
    /// Row by row. Empty where operator or variant have changed since the view was drawn, and where there are no
    /// pictures to show.
    static std::vector<RunSpec> runs_of(const ui::GridView& wanted, const RunWith& run_with) {
        if (!wanted.is_shown()) return {};
        const RunSpec set = run_with({});
        if (set.variant == nullptr || set.op->makes_bins || !has(set, wanted.columns.param)) return {};
        if (wanted.has_rows() && !has(set, wanted.rows.param)) return {};
        std::vector<RunSpec> runs;
        for (size_t cell = 0; cell < std::min(wanted.cell_count(), kMaxCells); ++cell)
            runs.push_back(run_with(wanted.values_of(cell)));
        return runs;
    }
    /// The cells by how many steps their values lie from those that are set.
    static std::vector<size_t> nearest_first(const ui::GridView& wanted, const std::vector<RunSpec>& runs,
                                             const RunSpec& set) {
        if (runs.empty()) return {};
        const auto nearest = [&](const ui::GridAxis& axis) {
            const int32_t value = (axis.param.of_variant ? set.variant_params : set.params).get(*axis.param.info);
            const auto apart = [&](int32_t other) { return std::abs(int64_t{other} - value); };
            return int(std::ranges::min_element(axis.values, {}, apart) - axis.values.begin());
        };
        const int columns = int(wanted.columns.values.size()), column = nearest(wanted.columns);
        const int row = wanted.has_rows() ? nearest(wanted.rows) : 0;
        std::vector<size_t> order(runs.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::ranges::stable_sort(order, {}, [&](size_t k) {
            return std::abs(int(k) % columns - column) + std::abs(int(k) / columns - row);
        });
        return order;
    }
    /// What a cell may hold, its result and the picture of it.
    size_t max_cell_bytes() const { return cells_.size() <= kWholeCells ? SIZE_MAX : kMaxHeld_bytes / cells_.size(); }
    void start(size_t k, int device) {
        struct Made {
            WorkerBackends::Result result;
            std::shared_ptr<const Pyramid> pyramid;
            std::optional<double> figure;
            bool is_measured;
        };
        cells_[k].busy = true;
        cells_[k].stop = worker_.start(
            [image = image_, spec = cells_[k].wanted, measured = cells_[k].measured, max_bytes = max_cell_bytes(),
             device, backends = backends_](std::stop_token stop) {
                Made made{backends->run(*image, spec, device, stop), nullptr, {}, false};
                made.pyramid = make_pyramid(made.result.image, default_cpu_threads(), max_bytes);
                if (made.pyramid->image) return made;
                made.figure = measured.of(*made.result.image, stop);
                made.is_measured = measured.figure != nullptr;
                made.result.image.reset();
                return made;
            },
            [this, k](Outcome<Made> outcome) {
                Cell& cell = cells_[k];
                cell.busy = false;
                cell.error = outcome.error;
                cell.is_measured = outcome.value && outcome.value->is_measured;
                if (outcome.value) cell.figure = outcome.value->figure;
                cell.result = outcome.value ? std::move(outcome.value->result) : WorkerBackends::Result{cell.wanted};
                cell.pyramid = outcome.value ? std::move(outcome.value->pyramid) : nullptr;
                changed_ = true;
                if (cell.result.image && cell.measured.figure != nullptr) measure(k);  // when all cells have pictures
            });
    }
    /// Of a result that is there already.
    void measure(size_t k) {
        cells_[k].busy = true;
        cells_[k].stop = worker_.start([result = cells_[k].result.image, measured = cells_[k].measured](
                                           std::stop_token stop) { return measured.of(*result, stop); },
                                       [this, k](const Outcome<std::optional<double>>& outcome) {
                                           Cell& cell = cells_[k];
                                           cell.busy = false;
                                           cell.error = outcome.error;
                                           cell.is_measured = outcome.value.has_value();
                                           if (outcome.value) cell.figure = *outcome.value;
                                           changed_ = true;
                                       });
    }

    ui::GridView wanted_;
    Rect numbers_;
    std::shared_ptr<const HostImage> image_;
    std::vector<Cell> cells_;
    Measured measured_;  // what the cells' figures are to be
    bool changed_ = false;
    std::shared_ptr<WorkerBackends> backends_;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
