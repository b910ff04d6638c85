// What a report says of a step, beside what was measured here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/benchmark/experiment.h"

namespace tonescope {

/// Which time a claim is about.
enum class ClaimFigure : uint8_t { total, compute, kernels, stage };

struct Claim {
    enum class Says : uint8_t { faster, slower, equal };
    std::string_view variant = {}, against = {};  // ids of variants
    Says says = Says::faster;
    ClaimFigure figure = ClaimFigure::total;
    std::string_view sentence = {};  // what the report says
    double times = 0;                // how many times as fast it is there; 0: the report has no number
    std::string_view stage = {};     // with ClaimFigure::stage
    std::string_view at = {};        // a label on an axis ("4", "400 × 250"): of the cases there alone; empty: of all
    std::string_view against_at = {};  // the other side's label on that axis; empty: the same case
};

enum class Verdict : uint8_t { holds, does_not_hold, no_difference, not_measured };
/// "holds", "does not hold", "no difference measured", "not measured here".
std::string_view to_string(Verdict verdict);

struct CaseVerdict {
    size_t point = 0;                 // index of the case
    std::optional<Ratio> ratio = {};  // `against`'s time divided by that of `variant`
    Verdict verdict = Verdict::not_measured;
};

struct ClaimResult {
    const Claim* claim = nullptr;
    std::vector<CaseVerdict> cases;  // those that the claim is about
};

/// One for each claim. A ratio with no interval has no verdict.
std::vector<ClaimResult> judge(const Experiment& experiment, const std::vector<Claim>& claims);

/// "Shared histogram against Baseline, kernels"
std::string subject_of(const Claim& claim, std::string_view op);
/// "slower", "1.79× as fast"
std::string said_text(const Claim& claim);
/// "holds in 5 of 7 cases; no difference measured in 2": "holds" where there is one case.
std::string verdict_text(const ClaimResult& result);
/// "0.84× to 1.93×" of several cases, "1.79× (1.70 to 1.85)" of one; empty where there is no figure.
std::string measured_text(const ClaimResult& result);

}  // namespace tonescope
