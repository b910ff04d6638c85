// Middle, in place of the views: all variants of the operator side by side, as a table and as bar charts.
#pragma once

#include "ui/model/benchmark.h"
#include "ui/model/run.h"
#include "ui/widgets/frame.h"

namespace tonescope::ui {

enum class BenchmarkTab : uint8_t { table, time, throughput, previous, best_previous, cpu };

struct BenchmarkChoice {
    BenchmarkTab tab = BenchmarkTab::table;
    BenchmarkTab chart = BenchmarkTab::time;  // the one on screen
    bool logarithmic = true;
    bool with_copies = false;  // figures count the copies between host and device too
};

class BenchmarkPanel {
  public:
    void draw(Frame& ui, const BenchmarkModel& benchmark, const RunModel& run, const Area& area);

  private:
    BenchmarkChoice choice_;
};

}  // namespace tonescope::ui
