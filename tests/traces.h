// Made-up traces of runs.
#pragma once

#include <algorithm>

#include "gpu/core/trace.h"

namespace tonescope {

/// Staging, an upload, kernels with a host function between them, and a download, one behind the other in one stream.
inline RunTrace one_stream_trace() {
    using Kind = TraceSpan::Kind;
    RunTrace trace{{{0, Kind::staging, "staging", "copy in", 0, 0.9, 0, 8000000},
                    {1, Kind::copy, "copy", "upload", 0.92, 1.3, 0.905, 8000000},
                    {1, Kind::memory_set, "memory set", "histogram", 1.305, 1.31, 0.915, 1024},
                    {1, Kind::kernel, "he_histogram_shared_kernel", "histogram", 1.315, 1.62, 0.92, 0},
                    {1, Kind::host_function, "host function", "table", 1.63, 1.71, 0.93, 0},
                    {0, Kind::host_function, "host function", "table", 1.66, 1.69, 1.66, 0},
                    {1, Kind::kernel, "he_apply_kernel", "apply", 1.72, 2.05, 0.94, 0},
                    {1, Kind::copy, "copy", "download", 2.06, 2.41, 0.95, 8000000},
                    {0, Kind::wait, "wait", "download", 0.96, 2.43, 0.96, 0},
                    {0, Kind::staging, "staging", "copy out", 2.44, 3.3, 2.44, 8000000}},
                   3.32};
    std::ranges::stable_sort(trace.spans, {}, &TraceSpan::begin_ms);
    return trace;
}

/// Halves of an image in two streams: the second one's upload lies beside the first one's kernels.
inline RunTrace two_streams_trace() {
    using Kind = TraceSpan::Kind;
    RunTrace trace;
    for (int half = 0; half < 2; ++half) {
        const double at = 0.01 + 0.2 * half, called = 0.004 * half;
        const int row = half + 1;
        trace.spans.push_back({row, Kind::copy, "copy", "upload", at, at + 0.19, called, 4000000});
        trace.spans.push_back(
            {row, Kind::kernel, "he_histogram_kernel", "histogram", at + 0.195, at + 0.36, called + 0.001, 0});
        trace.spans.push_back({row, Kind::kernel, "he_apply_kernel", "apply", at + 0.5, at + 0.66, called + 0.002, 0});
        trace.spans.push_back({row, Kind::copy, "copy", "download", at + 0.67, at + 0.86, called + 0.003, 4000000});
    }
    trace.spans.push_back({0, Kind::wait, "wait", "", 0.01, 1.08, 0.01, 0});
    trace.end_ms = 1.09;
    std::ranges::stable_sort(trace.spans, {}, &TraceSpan::begin_ms);
    return trace;
}

/// Kernels that managed memory holds up, and the host that reads its pages back. `resident`: the same with all pages on
/// the GPU.
inline RunTrace managed_trace(bool resident = false) {
    using Kind = TraceSpan::Kind;
    const double histogram = resident ? 0.3 : 4.3, apply = resident ? 0.1 : 2.1, table = 0.1 + histogram;
    return {{{0, Kind::wait, "wait", "apply", 0.03, table + 0.1 + apply, 0.03, 0},
             {1, Kind::kernel, "he_histogram_shared_kernel", "histogram", 0.1, table, 0.01, 0},
             {1, Kind::kernel, "he_table_kernel", "table", table, table + 0.1, 0.02, 0},
             {1, Kind::kernel, "he_apply_kernel", "apply", table + 0.1, table + 0.1 + apply, 0.03, 0},
             {0, Kind::migration, "pages move", "download", table + 0.11 + apply, table + 2 + apply, 0, 8000000}},
            table + 2.01 + apply};
}

/// Stages in one thread.
inline RunTrace cpu_trace() {
    using Kind = TraceSpan::Kind;
    return {{{0, Kind::stage, "histogram", "histogram", 0.01, 4.1, 0.01, 24000000},
             {0, Kind::stage, "table", "table", 4.1, 4.104, 4.1, 0},
             {0, Kind::stage, "apply", "apply", 4.104, 9.9, 4.104, 48000000}},
            9.91};
}

}  // namespace tonescope
