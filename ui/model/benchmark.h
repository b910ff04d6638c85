// What the "Compare variants" view shows: every variant of an operator, or one in every memory mode, measured on one
// image.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/benchmark/benchmark_row.h"
#include "ui/model/experiment.h"
#include "ui/model/files.h"

namespace tonescope::ui {

struct BenchmarkModel {
    bool shown = false;                  // in place of the views
    std::string_view page = "variants";  // an id of the table of pages
    const OperatorInfo* op = nullptr;    // null: nothing has been compared
    ImageSpec size;                      // of the image
    std::string subject;                 // "hills.png, 6000 × 4000"
    std::vector<BenchmarkRow> variants;  // in the ladder's order
    int chosen = -1;                     // index of the row that the run on screen belongs to; -1: none
    bool by_memory_mode = false;         // the rows are one variant in every memory mode
    std::string basis_title;             // what speed-ups are against: "what it builds on"
    bool running = false, stopped = false;
    int done = 0, count = 0;      // variants that are finished, of those that can run
    double progress = 0;          // 0 to 1
    std::string stale;            // why the results are not of what is set now; empty where they are
    std::string error;            // one line; nothing could be measured
    Roofs cpu_roofs, cuda_roofs;  // 0 until they are measured
    std::string remarks;          // on clocks, and what Amdahl's law says, in sentences; empty until it is known
    std::string suggested_path;   // where an export of the page starts
    std::span<const SavedFormat> export_formats;  // of the page
    ExperimentModel experiment;                   // of the page "Sweep"

    bool is_measuring() const { return running || experiment.running; }
};

}  // namespace tonescope::ui
