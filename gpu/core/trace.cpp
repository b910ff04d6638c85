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

bool is_kernel(const TraceSpan& span) {
    return span.kind == TraceSpan::Kind::kernel;
}

}  // namespace

std::string_view to_string(TraceSpan::Kind kind) {
    constexpr std::string_view names[] = {"kernel",  "memory set", "copy",  "host function",
                                          "staging", "wait",       "stage", "pages move"};
    return names[size_t(kind)];
}

TimeParts parts_of(const RunTrace& trace) {
    using Kind = TraceSpan::Kind;
    Intervals kernels, transfers, all, migrations;
    for (const TraceSpan& span : trace.spans) {
        const bool migrates = span.kind == Kind::migration, on_host = span.row == TraceSpan::kHostRow;
        const bool copies = span.kind == Kind::copy || span.kind == Kind::staging || (migrates && on_host);
        if (migrates && !on_host) migrations.emplace_back(span.begin_ms, span.end_ms);
        if (computes(span)) kernels.emplace_back(span.begin_ms, span.end_ms);
        if (copies) transfers.emplace_back(span.begin_ms, span.end_ms);
        if (computes(span) || copies) all.emplace_back(span.begin_ms, span.end_ms);
    }
    const double kernels_ms = covered_ms(std::move(kernels), trace.end_ms);
    const double all_ms = covered_ms(std::move(all), trace.end_ms);
    const double transfers_ms = covered_ms(std::move(transfers), trace.end_ms);
    return {kernels_ms, all_ms - kernels_ms, trace.end_ms - all_ms, kernels_ms + transfers_ms - all_ms,
            covered_ms(std::move(migrations), trace.end_ms)};
}

void add_migrations(RunTrace& trace, const RunTrace& resident) {
    using Kind = TraceSpan::Kind;
    constexpr double kShortestFault_ms = 0.01;
    const auto next_kernel = [&](auto from) { return std::find_if(from, resident.spans.end(), is_kernel); };
    std::vector<TraceSpan> found;
    auto same = next_kernel(resident.spans.begin());
    for (const TraceSpan& span : trace.spans) {
        if (!is_kernel(span)) continue;
        if (same == resident.spans.end() || same->name != span.name) return;  // not the same run
        const double longer_ms = span.end_ms - span.begin_ms - (same->end_ms - same->begin_ms);
        if (longer_ms >= kShortestFault_ms)
            found.push_back({span.row, Kind::migration, std::string(to_string(Kind::migration)), span.stage,
                             span.begin_ms, span.begin_ms + longer_ms, span.called_ms, 0});
        same = next_kernel(same + 1);
    }
    trace.spans.insert(trace.spans.end(), found.begin(), found.end());
    std::ranges::stable_sort(trace.spans, {}, &TraceSpan::begin_ms);
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
