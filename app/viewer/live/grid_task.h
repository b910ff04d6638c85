// Results of several runs on one image, computed on a worker while the window goes on.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/system/tasks.h"
#include "gpu/core/backend.h"
#include "gpu/present/presenter.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits.
class GridTask {
  public:
    struct Result {
        RunSpec spec;
        std::shared_ptr<const Pyramid> picture;  // null: none yet, or none any more
        double ms = 0;                           // of the run, without copies to and from a GPU
        std::string error;                       // one line, in place of a picture
    };
    struct Cell {
        RunSpec wanted;
        Result result;        // the newest; of an earlier request while `wanted` is on its way
        bool busy = false;    // `wanted` waits or runs
        uint64_t serial = 0;  // rises when `result` changes
        std::stop_source stop;
    };

    /// `wake` may be called from any thread when update() has something new.
    explicit GridTask(std::function<void()> wake);
    ~GridTask();

    /// What the cells are to show; those that are asked for the same as before keep what they have or do. An empty
    /// `image` or no `runs`: nothing, and what was held is given back. `device`: CUDA's index, -1: the first one.
    void set(std::shared_ptr<const HostImage> image, const std::vector<RunSpec>& runs, int device);
    /// Gives up what is not finished, until something else is asked for.
    void cancel();
    /// True when there is something new.
    bool update();

    bool busy() const;
    /// 0 to 1: cells that are finished.
    double progress() const;
    const std::vector<Cell>& cells() const { return cells_; }

  private:
    struct Backends;

    void start(size_t cell, int device);

    std::shared_ptr<const HostImage> image_;
    std::vector<Cell> cells_;
    uint64_t serial_ = 0;
    bool changed_ = false;
    std::shared_ptr<Backends> backends_;  // the worker's
    Tasks worker_;                        // last: its thread uses what stands above
};

}  // namespace tonescope
