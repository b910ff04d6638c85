// The experiments that have a name: those of the reports, and for each operator its ladder and its memory modes.
#pragma once

#include <span>
#include <string>

#include "app/benchmark/experiments/experiment.h"
#include "gpu/core/benchmark/report.h"

namespace tonescope {

struct NamedExperiment {
    std::string id, title;  // "a-teams", "Report A: Teams"
    const OperatorInfo* op;
    const ReportInfo* report;     // null: it is our own
    ReportExperiment settings;    // whose id and title are those in the report's table
    bool by_memory_mode = false;  // of the preferred variant
};

/// The reports' by the report's id, then our own. Needs every operator to be registered.
std::span<const NamedExperiment> named_experiments();
/// Throws UsageError, which names those that there are.
const NamedExperiment& find_experiment(const std::string& id);
/// Each once; "all" stands for every one. Throws UsageError.
std::vector<const NamedExperiment*> find_experiments(const std::vector<std::string>& ids);
ExperimentPlan plan_of(const NamedExperiment& named, BackendChoice backend, int device);

}  // namespace tonescope
