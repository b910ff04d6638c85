#include "app/benchmark/experiments/claims.h"

#include <algorithm>

#include "app/benchmark/table_cells.h"

namespace tonescope {
namespace {

using Verdict = ClaimFinding::Verdict;

constexpr Verdict kVerdicts[] = {Verdict::holds, Verdict::in_direction_only, Verdict::does_not_hold,
                                 Verdict::no_difference, Verdict::too_few_runs};
constexpr std::string_view kTimes[] = {"kernels", "without copies", "total"};  // as in ReportClaim::Time

/// Index of the variant's row, with samples; the number of rows where there is none.
size_t row_with(const VariantBenchmark& benchmark, std::string_view variant) {
    const auto& rows = benchmark.rows;
    return size_t(std::ranges::find_if(rows, [&](const auto& row) { return row.variant->id == variant && row.ran(); }) -
                  rows.begin());
}

/// The case that has the value `wanted` of an axis in place of its own; null where there is none.
const ExperimentPoint* point_beside(const Experiment& experiment, const ExperimentPoint& point, size_t axis,
                                    std::string_view wanted) {
    std::vector<size_t> place = point.place;
    const auto& labels = experiment.axes[axis].labels;
    place[axis] = size_t(std::ranges::find(labels, wanted) - labels.begin());
    const auto found = std::ranges::find(experiment.points, place, &ExperimentPoint::place);
    return found == experiment.points.end() ? nullptr : &*found;
}

/// What has become of a claim on values of a parameter in a case; empty where that is not known.
std::optional<Ratio> ratio_of_values(const Experiment& experiment, const ExperimentPoint& point,
                                     const ReportClaim& claim) {
    const auto& axes = experiment.axes;
    const auto axis =
        std::ranges::find_if(axes, [&](const CaseAxis& one) { return one.is_param && one.id == claim.param; });
    if (axis == axes.end() || !claim.is_about(point.benchmark.size)) return {};
    const auto index = size_t(axis - axes.begin());
    if (axis->labels[point.place[index]] != claim.at) return {};
    const ExperimentPoint* const other = point_beside(experiment, point, index, claim.against_at);
    if (other == nullptr) return {};
    const size_t row = row_with(point.benchmark, claim.variant), beside = row_with(other->benchmark, claim.against);
    if (row == point.benchmark.rows.size() || beside == other->benchmark.rows.size()) return {};
    const Samples own = samples_in_use(point.benchmark, row), against = samples_in_use(other->benchmark, beside);
    // Rounds of different cases have nothing to do with each other.
    return ratio_of_claim(claim, own, against, Bootstrap(own.total.size()), Bootstrap(against.total.size(), 2));
}

/// Where the case lies on the axes that have several places, but for the claim's own: "400 × 600, block 16x16".
std::string place_text(const Experiment& experiment, const ExperimentPoint& point, const ReportClaim& claim) {
    std::string text;
    for (size_t i = 0; i < experiment.axes.size(); ++i) {
        const CaseAxis& axis = experiment.axes[i];
        if (axis.labels.size() < 2 || (axis.is_param && axis.id == claim.param)) continue;
        text += (text.empty() ? "" : ", ") + (axis.is_param ? axis.id + " " : "") + axis.labels[point.place[i]];
    }
    return text;
}

ClaimInCases in_cases(const Experiment& experiment, const ReportInfo& report, const ReportClaim& claim) {
    ClaimInCases result;
    for (size_t i = 0; i < experiment.points.size(); ++i) {
        const ExperimentPoint& point = experiment.points[i];
        if (!claim.param.empty()) {
            if (const auto here = ratio_of_values(experiment, point, claim))
                result.cases.push_back({i, {&report, &claim, *here}});
            continue;
        }
        for (const BenchmarkRow& row : point.benchmark.rows)
            for (const ClaimFinding& finding : row.claims)
                if (finding.claim == &claim) result.cases.push_back({i, finding});
    }
    if (result.cases.size() == 1)
        result.only_case = place_text(experiment, experiment.points[result.cases[0].point], claim);
    return result;
}

}  // namespace

std::vector<ClaimInCases> claims_in(const Experiment& experiment) {
    std::vector<ClaimInCases> results;
    for (const ReportInfo* report : reports()) {
        if (report->op != experiment.op().id) continue;
        for (const ReportClaim& claim : report->claims) {
            ClaimInCases result = in_cases(experiment, *report, claim);
            if (!result.cases.empty()) results.push_back(std::move(result));
        }
    }
    return results;
}

std::string ClaimInCases::subject() const {
    const auto name = [&](std::string_view id) { return std::string(find_variant(report().op, id)->name); };
    std::string text = name(claim().variant);
    if (claim().param.empty())
        text += " against " + name(claim().against);
    else
        text += ", " + std::string(claim().param) + " " + std::string(claim().at) + " against " +
                std::string(claim().against_at);
    text += ", " + std::string(kTimes[size_t(claim().time)]);
    return claim().without.empty() ? text : text + " and the stage " + std::string(claim().without);
}

std::string ClaimInCases::said_text() const {
    if (claim().times > 0) return number_text(claim().times) + "\u00d7 as fast";
    return claim().is_faster() ? "faster" : "slower";
}

std::string ClaimInCases::here_text() const {
    const auto ratio = [](const Case& one) -> const Ratio& { return one.finding.here; };
    if (cases.size() == 1)
        return number_text(ratio(cases[0]).value) + "\u00d7" + interval_text(ratio(cases[0]).interval) +
               (only_case.empty() ? "" : " at " + only_case);
    const auto [least, most] = std::ranges::minmax(cases, {}, [&](const Case& one) { return ratio(one).value; });
    return number_text(ratio(least).value) + "\u00d7 to " + number_text(ratio(most).value) + "\u00d7";
}

std::string ClaimInCases::verdict_text() const {
    std::string text;
    for (const Verdict verdict : kVerdicts) {
        const auto count = std::ranges::count(cases, verdict, [](const Case& one) { return one.finding.verdict(); });
        if (count == 0) continue;
        if (size_t(count) == cases.size()) return std::string(to_string(verdict));
        const std::string of_all = text.empty() ? " of " + std::to_string(cases.size()) + " cases" : "";
        text += (text.empty() ? "" : "; ") + std::string(to_string(verdict)) + " in " + std::to_string(count) + of_all;
    }
    return text;
}

std::optional<ClaimFinding::Verdict> ClaimInCases::verdict() const {
    const Verdict first = cases.front().finding.verdict();
    const auto verdict_of = [](const Case& one) { return one.finding.verdict(); };
    if (std::ranges::all_of(
            cases, [&](Verdict verdict) { return verdict == first; }, verdict_of))
        return first;
    const auto is_open = [](Verdict verdict) {
        return verdict == Verdict::no_difference || verdict == Verdict::too_few_runs;
    };
    return std::ranges::all_of(cases, is_open, verdict_of) ? std::optional(Verdict::no_difference) : std::nullopt;
}

}  // namespace tonescope
