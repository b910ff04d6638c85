#include "app/benchmark/claims.h"

#include <algorithm>

#include "app/benchmark/table_cells.h"
#include "gpu/core/benchmark/bootstrap.h"

namespace tonescope {
namespace {

constexpr std::string_view kVerdicts[] = {"holds", "does not hold", "no difference measured", "not measured here"};
constexpr std::string_view kFigureNames[] = {"total", "without copies", "kernels", "stage "};

/// The times of one variant in one case, and their median.
struct Side {
    RoundTimes times;
    double median_ms = 0;
};

std::optional<Side> side_of(const ExperimentPoint& point, std::string_view id, const Claim& claim) {
    const auto row = std::ranges::find_if(point.benchmark.rows, [&](const BenchmarkRow& r) {
        return r.variant->id == id && r.ran() && r.total.time.median_ms > 0;
    });
    if (row == point.benchmark.rows.end()) return {};
    const Samples samples = samples_in_use(point.benchmark, size_t(row - point.benchmark.rows.begin()));
    switch (claim.figure) {
        case ClaimFigure::total:
            return Side{samples.total, row->total.time.median_ms};
        case ClaimFigure::compute:
            return Side{samples.compute, row->compute.time.median_ms};
        case ClaimFigure::kernels:
            return Side{samples.kernels, row->kernels.time.median_ms};
        case ClaimFigure::stage:
            break;
    }
    const auto stage = std::ranges::find(row->stages, claim.stage, &BenchmarkStage::stage);
    const auto times = samples.stages.find(claim.stage);
    if (stage == row->stages.end() || times == samples.stages.end()) return {};
    return Side{times->second, stage->time.median_ms};
}

Verdict verdict_of(Claim::Says says, const Ratio& ratio) {
    if (!ratio.interval) return Verdict::not_measured;
    const bool is_equal = ratio.interval->holds(1), is_faster = ratio.interval->low > 1;
    switch (says) {
        case Claim::Says::faster:
            return is_equal ? Verdict::no_difference : is_faster ? Verdict::holds : Verdict::does_not_hold;
        case Claim::Says::slower:
            return is_equal ? Verdict::no_difference : is_faster ? Verdict::does_not_hold : Verdict::holds;
        case Claim::Says::equal:
            break;
    }
    return is_equal ? Verdict::holds : Verdict::does_not_hold;
}

/// The label's place; the axis' number and the label's index on it.
std::optional<std::pair<size_t, size_t>> find_label(const Experiment& experiment, std::string_view label) {
    for (size_t axis = 0; axis < experiment.axes.size(); ++axis) {
        const auto& labels = experiment.axes[axis].labels;
        const auto found = std::ranges::find(labels, label);
        if (found != labels.end()) return std::pair(axis, size_t(found - labels.begin()));
    }
    return {};
}

const ExperimentPoint* point_at(const Experiment& experiment, const std::vector<size_t>& place) {
    const auto found = std::ranges::find(experiment.points, place, &ExperimentPoint::place);
    return found == experiment.points.end() ? nullptr : &*found;
}

CaseVerdict judge_case(const Experiment& experiment, const Claim& claim, size_t index) {
    CaseVerdict result{.point = index};
    const ExperimentPoint& point = experiment.points[index];
    const ExperimentPoint* other = &point;
    if (!claim.against_at.empty()) {
        std::vector<size_t> place = point.place;
        const auto label = find_label(experiment, claim.against_at);
        if (!label) return result;
        place[label->first] = label->second;
        other = point_at(experiment, place);
    }
    if (other == nullptr) return result;
    const std::optional<Side> under = side_of(point, claim.variant, claim),
                              over = side_of(*other, claim.against, claim);
    if (!under || !over || under->median_ms <= 0 || over->median_ms <= 0) return result;
    const size_t rounds = std::max(under->times.size(), over->times.size());
    // Of one case the same rounds are drawn for both sides; rounds of different cases have nothing to do with each
    // other.
    const Bootstrap one(rounds), another(rounds, 2);
    const Bootstrap& of_other = other == &point ? one : another;
    result.ratio =
        ratio_of(over->median_ms, under->median_ms, of_other.medians(over->times), one.medians(under->times));
    result.verdict = verdict_of(claim.says, *result.ratio);
    return result;
}

std::string name_of(std::string_view op, std::string_view variant) {
    return std::string(find_variant(op, variant)->name);
}

}  // namespace

std::string_view to_string(Verdict verdict) {
    return kVerdicts[size_t(verdict)];
}

std::vector<ClaimResult> judge(const Experiment& experiment, const std::vector<Claim>& claims) {
    std::vector<ClaimResult> results;
    for (const Claim& claim : claims) {
        ClaimResult& result = results.emplace_back();
        result.claim = &claim;
        const auto label = find_label(experiment, claim.at);
        for (size_t i = 0; i < experiment.points.size(); ++i) {
            const bool is_meant =
                claim.at.empty() || (label && experiment.points[i].place[label->first] == label->second);
            if (is_meant) result.cases.push_back(judge_case(experiment, claim, i));
        }
    }
    return results;
}

std::string subject_of(const Claim& claim, std::string_view op) {
    const auto side = [&](std::string_view variant, std::string_view at) {
        return name_of(op, variant) + (at.empty() ? "" : " (" + std::string(at) + ")");
    };
    return side(claim.variant, claim.at) + " against " + side(claim.against, claim.against_at) + ", " +
           std::string(kFigureNames[size_t(claim.figure)]) + std::string(claim.stage);
}

std::string said_text(const Claim& claim) {
    if (claim.times > 0) return number_text(claim.times) + "\u00d7 as fast";
    return claim.says == Claim::Says::faster ? "faster" : claim.says == Claim::Says::slower ? "slower" : "equal";
}

std::string verdict_text(const ClaimResult& result) {
    std::string text;
    for (size_t k = 0; k < std::size(kVerdicts); ++k) {
        const auto count = std::ranges::count(result.cases, Verdict(k), &CaseVerdict::verdict);
        if (count == 0) continue;
        if (size_t(count) == result.cases.size()) return std::string(kVerdicts[k]);
        text += (text.empty() ? "" : "; ") + std::string(kVerdicts[k]) + " in " + std::to_string(count) +
                (text.empty() ? " of " + std::to_string(result.cases.size()) + " cases" : "");
    }
    return text.empty() ? std::string(to_string(Verdict::not_measured)) : text;
}

std::string measured_text(const ClaimResult& result) {
    std::vector<const Ratio*> ratios;
    for (const CaseVerdict& one : result.cases)
        if (one.ratio) ratios.push_back(&*one.ratio);
    if (ratios.empty()) return {};
    if (ratios.size() == 1) return number_text(ratios[0]->value) + "\u00d7" + interval_text(ratios[0]->interval);
    const auto [least, most] = std::ranges::minmax(ratios, {}, [](const Ratio* ratio) { return ratio->value; });
    return number_text(least->value) + "\u00d7 to " + number_text(most->value) + "\u00d7";
}

}  // namespace tonescope
