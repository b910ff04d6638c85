// What the "Compare variants" view shows: every variant of an operator, measured on one image.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/core/registry.h"
#include "gpu/core/resources.h"
#include "gpu/core/statistics.h"

namespace tonescope::ui {

/// How many times as fast as others; empty where there is no such other one.
struct SpeedUpFigures {
    std::optional<double> previous;       // the variant before it on the same backend
    std::optional<double> best_previous;  // the fastest right one before it there
    std::optional<double> first_gpu;      // the naive CUDA variant
    std::optional<double> cpu;            // plain loops on the CPU
};

struct TimeFigures {
    TimeSummary time;
    double mpixel_s = 0;
    SpeedUpFigures speed_up;
};

struct BenchmarkedStage {
    std::string name;
    TimeSummary time;
};

struct BenchmarkedVariant {
    enum class State : uint8_t { waiting, running, done, not_run };
    const VariantInfo* variant = nullptr;
    State state = State::waiting;
    bool available = true;  // false: its backend is not there or was left out
    std::string reason;     // state not_run: one line
    std::string memory;     // id of the memory mode; empty on the CPU
    bool identical = true;  // to the reference
    std::string result;     // "identical", "12 pixels differ"
    int runs = 0;
    TimeFigures kernels, total;    // without and with copies between host and device
    std::optional<double> amdahl;  // bound of the speed-up against the CPU
    std::vector<BenchmarkedStage> stages;
    std::vector<KernelResources> resources;  // of its kernels; empty on the CPU
};

struct BenchmarkModel {
    bool shown = false;                        // in place of the views
    const OperatorInfo* op = nullptr;          // null: nothing has been compared
    std::string subject;                       // "hills.png, 6000 x 4000"
    std::vector<BenchmarkedVariant> variants;  // in the ladder's order
    bool running = false, stopped = false;
    int done = 0, count = 0;     // variants that are finished, of those that can run
    double progress = 0;         // 0 to 1
    std::string stale;           // why the results are not of what is set now; empty where they are
    std::string error;           // one line; nothing could be measured
    std::string amdahl;          // what Amdahl's law says, in a sentence; empty until it is known
    std::string suggested_path;  // where an export starts
};

}  // namespace tonescope::ui
