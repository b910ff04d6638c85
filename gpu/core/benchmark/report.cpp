#include "gpu/core/benchmark/report.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tonescope {
namespace {

std::vector<const ReportInfo*>& registered() {
    static auto* const instance = new std::vector<const ReportInfo*>;  // never freed: entries are pointed to everywhere
    return *instance;
}

}  // namespace

ReportRegistration::ReportRegistration(const ReportInfo& info) {
    registered().push_back(new ReportInfo(info));
    std::ranges::sort(registered(), {}, &ReportInfo::id);
}

std::span<const ReportInfo* const> reports() {
    return registered();
}

ClaimFinding::Verdict ClaimFinding::verdict() const {
    if (!here.interval) return Verdict::too_few_runs;
    if (here.is_no_difference()) return Verdict::no_difference;
    if ((here.value > 1) != claim->is_faster()) return Verdict::does_not_hold;
    const double half = std::sqrt(claim->times);  // 0 where the report has no figure
    const bool is_less = claim->is_faster() ? here.interval->high < half : here.interval->low > half;
    return claim->times > 0 && is_less ? Verdict::in_direction_only : Verdict::holds;
}

std::string ClaimFinding::text(std::string (*text_of)(double)) const {
    std::string text = "Report " + std::string(report->id) + ": " + std::string(claim->says);
    if (claim->times > 0) text += " (" + text_of(claim->times) + "\u00d7)";
    text += ". Here " + text_of(here.value) + "\u00d7";
    if (here.interval) text += " (" + text_of(here.interval->low) + " to " + text_of(here.interval->high) + ")";
    return text + ": " + std::string(to_string(verdict()));
}

std::string_view to_string(ClaimFinding::Verdict verdict) {
    switch (verdict) {
        case ClaimFinding::Verdict::too_few_runs:
            break;
        case ClaimFinding::Verdict::no_difference:
            return "no difference measured";
        case ClaimFinding::Verdict::holds:
            return "holds";
        case ClaimFinding::Verdict::in_direction_only:
            return "holds in direction only";
        case ClaimFinding::Verdict::does_not_hold:
            return "does not hold";
    }
    return "too few runs";
}

}  // namespace tonescope
