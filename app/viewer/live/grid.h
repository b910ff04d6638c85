// The results of several values of one parameter, beside each other on screen.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "app/viewer/live/grid_task.h"
#include "ui/model/grid.h"

namespace tonescope {

class Grid {
  public:
    /// The cells on screen.
    struct Cells {
        /// Null: the cell becomes empty.
        std::function<void(size_t cell, std::shared_ptr<const Pyramid> picture)> show;
        std::function<Picture(size_t cell)> picture;
    };
    /// `wake` may be called from any thread.
    Grid(Cells cells, std::function<void()> wake) : cells_(std::move(cells)), task_(std::move(wake)) {}

    /// Between frames: asks for the results that are to be shown, and brings finished ones on screen. `numbers`: where
    /// the values of pixels are shown, empty: nowhere. `set`: all but the parameter that differs. `device`: CUDA's
    /// index, -1: the first one. True when something has changed.
    bool update(const ui::GridView& wanted, const Rect& numbers, const std::shared_ptr<const HostImage>& image,
                const RunSpec& set, int device);
    void cancel() { task_.cancel(); }
    bool busy() const { return task_.busy(); }
    double progress() const { return task_.progress(); }
    void fill(ui::GridModel& model) const;

  private:
    Cells cells_;
    ui::GridView wanted_;
    Rect numbers_;
    std::array<uint64_t, kCellRoles.size()> shown_serials_{};
    GridTask task_;
};

}  // namespace tonescope
