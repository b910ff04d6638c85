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

}  // namespace

std::string_view to_string(TraceSpan::Kind kind) {
    constexpr std::string_view names[] = {"kernel", "memory set", "copy", "host function", "staging", "wait", "stage"};
    return names[size_t(kind)];
}

TimeParts parts_of(const RunTrace& trace) {
    Intervals kernels, transfers, all;
    for (const TraceSpan& span : trace.spans) {
        const bool computes = span.kind == TraceSpan::Kind::kernel || span.kind == TraceSpan::Kind::memory_set ||
                              span.kind == TraceSpan::Kind::stage;
        const bool copies = span.kind == TraceSpan::Kind::copy || span.kind == TraceSpan::Kind::staging;
        if (computes) kernels.emplace_back(span.begin_ms, span.end_ms);
        if (copies) transfers.emplace_back(span.begin_ms, span.end_ms);
        if (computes || copies) all.emplace_back(span.begin_ms, span.end_ms);
    }
    const double kernels_ms = covered_ms(std::move(kernels), trace.end_ms);
    const double all_ms = covered_ms(std::move(all), trace.end_ms);
    const double transfers_ms = covered_ms(std::move(transfers), trace.end_ms);
    return {kernels_ms, all_ms - kernels_ms, trace.end_ms - all_ms, kernels_ms + transfers_ms - all_ms};
}

}  // namespace tonescope
