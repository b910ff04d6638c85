// The results of several values of one parameter, beside each other on screen, computed on a worker while the window
// goes on.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/system/tasks.h"
#include "gpu/core/backend.h"
#include "gpu/present/presenter.h"
#include "ui/model/grid.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits.
class Grid {
  public:
    /// `wake` may be called from any thread when update() has something new.
    explicit Grid(std::function<void()> wake);
    ~Grid();

    /// Between frames: asks for the results that are to be shown, and takes finished ones. Cells that are asked for the
    /// same as before keep what they have or do. Without an image or values, what was held is given back. `numbers`:
    /// where the values of pixels are shown, empty: nowhere. `set`: all but the parameter that differs. `device`:
    /// CUDA's index, -1: the first one. True when something has changed.
    bool update(const ui::GridView& wanted, const Rect& numbers, const std::shared_ptr<const HostImage>& image,
                const RunSpec& set, int device);
    /// Gives up what is not finished, until something else is asked for.
    void cancel();
    bool busy() const;
    /// 0 to 1: cells that are finished.
    double progress() const;
    /// Null where the cell is empty, or there is no such cell.
    std::shared_ptr<const Pyramid> pyramid(size_t cell) const;
    /// All but the pictures.
    void fill(ui::GridModel& model) const;

  private:
    struct Backends;
    struct Result {
        RunSpec spec;
        std::shared_ptr<const Pyramid> pyramid;  // null: none yet, or none any more
        double ms = 0;                           // of the run, without copies to and from a GPU
        std::string error;                       // one line, in place of a picture
    };
    struct Cell {
        RunSpec wanted;
        Result result;      // the newest; of an earlier request while `wanted` is on its way
        bool busy = false;  // `wanted` waits or runs
        std::stop_source stop;
    };
    void start(size_t cell, int device);
    void release();

    ui::GridView wanted_;
    Rect numbers_;
    std::shared_ptr<const HostImage> image_;
    std::vector<Cell> cells_;
    bool changed_ = false;
    std::shared_ptr<Backends> backends_;  // the worker's
    Tasks worker_;                        // last: its thread uses what stands above
};

}  // namespace tonescope
