// What was measured in an experiment, as files.
#pragma once

#include <stop_token>
#include <string>

#include "app/benchmark/experiments/experiment.h"
#include "ui/benchmark/line_chart.h"

namespace tonescope {

/// One line a case and row: the case, then the columns of benchmark_csv().
std::string experiment_csv(const Experiment& experiment);
Json experiment_json(const Experiment& experiment);
/// Tables of times and speed-ups, a row a variant and a column a case.
std::string experiment_markdown(const Experiment& experiment);
/// Line charts. The image throws UserError where this build has no font.
HostImage experiment_chart(const Experiment& experiment, ui::AxisKind axes);
std::string experiment_svg(const Experiment& experiment, ui::AxisKind axes);
/// Writes .csv, .json, .md, .svg or .png as the path says. Throws UserError, Canceled once `stop` is set.
void write_experiment(const std::string& path, const Experiment& experiment, ui::AxisKind axes,
                      std::stop_token stop = {});

/// What charts are made of.
std::vector<CaseRows> case_rows(const Experiment& experiment);
/// "NVIDIA H200; CPU, 2 threads": of the cases that were measured.
std::string devices_text(const Experiment& experiment);
/// "noise and hills.png (gray)"
std::string images_text(const Experiment& experiment);

}  // namespace tonescope
