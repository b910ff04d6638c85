// What the page "Sweep" shows: variants measured over sizes, contents or values of a parameter, or an experiment of a
// report.
#pragma once

#include <string>
#include <vector>

#include "gpu/core/benchmark/cases.h"

namespace tonescope::ui {

/// What is to be measured.
struct ExperimentSetup {
    enum class Along : uint8_t { param, sizes, contents };
    std::string experiment = {};  // the id of one that has a name; empty: what follows
    Along along = Along::param;
    std::string param = {};   // the id of one of ExperimentModel::params
    std::string values = {};  // "8,16,32", "reports", "noise,smooth"
    bool operator==(const ExperimentSetup&) const = default;
};

/// Something to choose from.
struct ExperimentEntry {
    std::string id, title, detail;
    std::string values = {};  // of a parameter: some that show what it does
};

struct ClaimEntry {
    /// `in_part`: in direction only, or cases differ. `open`: nothing was measured that says so or otherwise.
    enum class Kind : uint8_t { holds, in_part, does_not_hold, open };
    std::string step, sentence, said, measured, verdict;
    Kind kind = Kind::open;
};

struct ExperimentModel {
    std::vector<ExperimentEntry> entries;  // those that have names
    std::vector<ExperimentEntry> params;   // of the operator that is chosen, and of its variants
    std::string contents, sizes;           // all of them, and those of report C: what the fields begin with
    ExperimentSetup setup;
    std::string problem;  // why that cannot be measured; one line

    // What was measured last
    const OperatorInfo* op = nullptr;  // null: nothing yet
    std::string title, basis_title;
    std::vector<CaseAxis> axes;
    std::vector<CaseRows> cases;           // no rows: not measured yet
    std::vector<std::string> case_titles;  // of each case
    std::vector<ClaimEntry> claims;        // once all cases are measured
    bool running = false, stopped = false;
    int done = 0;         // cases that are finished
    double progress = 0;  // 0 to 1
    std::string error;    // one line
    std::string suggested_path;
};

}  // namespace tonescope::ui
