// --compare: every variant of an operator on one image, verified against the reference and timed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/options.h"
#include "app/report.h"

namespace tonescope {

/// Median and spread over the runs, milliseconds.
struct Spread {
    double median_ms = 0, p10_ms = 0, p90_ms = 0;
};
/// Sorts `values_ms`, which holds one value or more.
Spread spread_of(std::vector<double> values_ms);

/// How many times as fast as others; empty where the other one did not run.
struct SpeedUps {
    std::optional<double> reference, previous, first_gpu;
};

struct ComparisonRow {
    const RungInfo* rung = nullptr;
    std::string not_run;      // why there are no numbers; empty where there are
    int64_t differences = 0;  // pixels or bins that are not the reference's
    int runs = 0;
    Spread total;    // all stages; copies included
    Spread compute;  // without copies between host and device
    SpeedUps total_speed_up, compute_speed_up;
    StageTimes stages;  // medians
    std::optional<MemoryMode> memory;

    bool ran() const { return not_run.empty(); }
    /// "identical", "12 pixels differ".
    std::string result_text(bool bins) const;
};

struct Comparison {
    const OperatorInfo* op = nullptr;
    std::string input;
    ImageSpec size;
    std::string notice;  // about the input; may be empty
    ParamBlock params;
    std::string cpu_name, cuda_name;  // empty: not used
    std::vector<ComparisonRow> rows;

    double mpixel_s(double ms) const { return ms > 0 ? double(size.pixels()) / 1000 / ms : 0; }
};

/// Fills in the speed-ups of all rows.
void add_speed_ups(Comparison& comparison);

/// One line a row, stages in the last column as "stage=ms" joined by "; ".
std::string comparison_csv(const Comparison& comparison);
std::string comparison_markdown(const Comparison& comparison);
Json comparison_json(const Comparison& comparison);
/// A bar chart. Throws UserError where this build has no font.
HostImage comparison_chart(const Comparison& comparison);

/// Measures and writes the table or chart by the extension. Returns the exit status: 1 where a variant that should not
/// differs from the reference. Throws UsageError and UserError.
int run_compare(const Options& options);

}  // namespace tonescope
