// The experiments that have a name: those of the five reports, and our own. One table a report, in a file of its own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/benchmark/claims.h"
#include "app/benchmark/experiment.h"

namespace tonescope {

struct ExperimentInfo {
    std::string id = {};      // "a-teams"
    std::string report = {};  // "A"; empty for our own
    std::string figure = {};  // where the report has it: "table 1", "teams against throughput"
    std::string title = {};   // "Report A: teams"
    std::string_view op = {};
    /// Ids, beside the reference; empty: those that stem from the report, or all of our own ladder.
    std::vector<std::string_view> variants = {};
    std::vector<std::pair<std::string_view, std::string_view>> params = {};  // in place of default values
    std::vector<std::string_view> contents = {"smooth"};
    std::vector<std::string> sizes = {"reports"};  // names as in sizes_of()
    PixelFormat format = PixelFormat::gray8;
    std::vector<std::string> sweeps = {};  // as in parse_sweep()
    bool by_memory_mode = false;           // of the one variant in `variants`; empty: of the preferred one
    std::vector<Claim> claims = {};        // what the report says of it
};

/// Those of reports A to E, then a ladder and the memory modes of each operator.
std::span<const ExperimentInfo> experiments();
/// Null for an unknown id.
const ExperimentInfo* find_experiment(std::string_view id);
/// Throws UsageError, which names those that there are.
const ExperimentInfo& named_experiment(const std::string& id);
ExperimentPlan plan_of(const ExperimentInfo& info, BackendChoice backend, int device);

// A report's experiments.
std::vector<ExperimentInfo> report_a();
std::vector<ExperimentInfo> report_b();
std::vector<ExperimentInfo> report_c();
std::vector<ExperimentInfo> report_d();
std::vector<ExperimentInfo> report_e();

}  // namespace tonescope
