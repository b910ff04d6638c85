// What reports claim, beside what an experiment has measured.
#pragma once

#include <string>
#include <vector>

#include "app/benchmark/experiments/experiment.h"

namespace tonescope {

/// A claim in all cases that it is about and in which both of its sides were measured. A claim on values of a parameter
/// belongs to the case with its variant's value.
struct ClaimInCases {
    struct Case {
        size_t point;  // index
        ClaimFinding finding;
    };
    std::vector<Case> cases;     // one or more
    std::string only_case = {};  // "400 × 600": the one of several cases that the claim is about; mostly empty

    const ReportInfo& report() const { return *cases.front().finding.report; }
    const ReportClaim& claim() const { return *cases.front().finding.claim; }
    /// "Shared histogram against Baseline, kernels", "Split histogram, teams 4 against 2, kernels"
    std::string subject() const;
    /// "slower", "1.79× as fast"
    std::string said_text() const;
    /// "0.84× to 1.93×" of several cases, "1.79× (1.70 to 1.85)" of one, "1.79× (1.70 to 1.85) at 400 × 600".
    std::string here_text() const;
    /// "holds in 5 of 7 cases; no difference measured in 2"; "holds" where all cases say so.
    std::string verdict_text() const;
    /// The one of all cases, `no_difference` where some have that and all others too few runs; else empty.
    std::optional<ClaimFinding::Verdict> verdict() const;
};

/// In the order of the reports' tables.
std::vector<ClaimInCases> claims_in(const Experiment& experiment);

}  // namespace tonescope
