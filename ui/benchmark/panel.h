// Middle, in place of the views: the variants of the operator compared, a page at a time.
#pragma once

#include <memory>
#include <vector>

#include "ui/benchmark/page.h"

namespace tonescope::ui {

class BenchmarkPanel {
  public:
    BenchmarkPanel();
    void draw(Frame& ui, const BenchmarkModel& benchmark, const RunModel& run, const Area& area);

    /// Of the page that is shown; null: it has none.
    TimeAxis* time_axis(const BenchmarkModel& benchmark) const;

  private:
    std::vector<std::unique_ptr<BenchmarkPage>> pages_;  // as in the table
};

}  // namespace tonescope::ui
