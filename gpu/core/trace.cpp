#include "gpu/core/trace.h"

#include <algorithm>
#include <utility>

namespace tonescope {
namespace {

using Intervals = std::vector<std::pair<double, double>>;

/// How much of the time before `end` lies in any of the intervals.
double covered_ms(Intervals intervals, double end) {
    std::ranges::sort(intervals);
    double covered = 0, reached = 0;
    for (const auto& [from, to] : intervals) {
        const double begin = std::max(from, reached), stop = std::min(to, end);
        if (stop <= begin) continue;
        covered += stop - begin;
        reached = stop;
    }
    return covered;
}

bool computes(const TraceSpan& span) {
    return span.kind == TraceSpan::Kind::kernel || span.kind == TraceSpan::Kind::memory_set ||
           span.kind == TraceSpan::Kind::stage;
}

}  // namespace

std::string_view to_string(TraceSpan::Kind kind) {
    constexpr std::string_view names[] = {"kernel", "memory set", "copy", "host function", "staging", "wait", "stage"};
    return names[size_t(kind)];
}

TimeParts parts_of(const RunTrace& trace) {
    Intervals kernels, transfers, all;
    for (const TraceSpan& span : trace.spans) {
        const bool copies = span.kind == TraceSpan::Kind::copy || span.kind == TraceSpan::Kind::staging;
        if (computes(span)) kernels.emplace_back(span.begin_ms, span.end_ms);
        if (copies) transfers.emplace_back(span.begin_ms, span.end_ms);
        if (computes(span) || copies) all.emplace_back(span.begin_ms, span.end_ms);
    }
    const double kernels_ms = covered_ms(std::move(kernels), trace.end_ms);
    const double all_ms = covered_ms(std::move(all), trace.end_ms);
    const double transfers_ms = covered_ms(std::move(transfers), trace.end_ms);
    return {kernels_ms, all_ms - kernels_ms, trace.end_ms - all_ms, kernels_ms + transfers_ms - all_ms};
}

std::vector<StageTrace> stages_of(const RunTrace& trace) {
    std::vector<StageTrace> stages;
    std::vector<Intervals> intervals;
    for (const TraceSpan& span : trace.spans) {
        if (!computes(span) || span.stage.empty()) continue;
        const auto at = std::ranges::find(stages, span.stage, &StageTrace::stage) - stages.begin();
        if (size_t(at) == stages.size()) {
            stages.push_back({span.stage});
            intervals.emplace_back();
        }
        ++stages[size_t(at)].launches;
        intervals[size_t(at)].emplace_back(span.begin_ms, span.end_ms);
    }
    for (size_t k = 0; k < stages.size(); ++k) stages[k].kernels_ms = covered_ms(std::move(intervals[k]), trace.end_ms);
    return stages;
}

}  // namespace tonescope
