// What a traced run does and when, on one time axis: kernels, copies, host functions, and what the host does itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tonescope {

struct TraceSpan {
    /// `staging`: the host copies pixels to or from memory that the device reaches. `wait`: the host waits for the
    /// device. `stage`: of a variant on the CPU. `migration`: pages of managed memory move; on the host's row since the
    /// host reads them, on a stream's row beside the kernel that they hold up (add_migrations).
    enum class Kind : uint8_t { kernel, memory_set, copy, host_function, staging, wait, stage, migration };
    static constexpr int kHostRow = 0;

    int row = kHostRow;  // of a stream: its number, from 1 on, in the order in which a run uses them
    Kind kind = Kind::kernel;
    std::string name = {};        // of the kernel or stage; else what the kind is called
    std::string_view stage = {};  // a string literal; empty outside of stages
    double begin_ms = 0, end_ms = 0;
    double called_ms = 0;  // when the host asked for it; on the host's row the same as begin_ms
    uint64_t bytes = 0;    // that are copied or set; 0 where that says nothing
};

std::string_view to_string(TraceSpan::Kind kind);

/// Spans in the order in which they begin. Those of one stream do not overlap, migrations aside. A host function has a
/// span on its stream, which the stream is kept waiting, and one on the host's row, in which it runs: on a thread of
/// the driver's, beside what the host does itself.
struct RunTrace {
    std::vector<TraceSpan> spans;
    double end_ms = 0;  // of the run, which begins at 0
};

/// Where a run's time goes, so that the parts add up to RunTrace::end_ms. `kernels`: some kernel runs or memory of the
/// device is set (on the CPU: a stage runs). `copies`: otherwise, while data is on its way between host and device or
/// staged for it. `host`: the rest, in which the host makes a table, waits, or starts kernels. No parts, but how much
/// of the time of kernels: `hidden`: data is on its way in as well, or staged; `migration`: pages hold them up.
struct TimeParts {
    double kernels_ms = 0, copies_ms = 0, host_ms = 0, hidden_ms = 0, migration_ms = 0;
};
TimeParts parts_of(const RunTrace& trace);

/// Adds a migration to each kernel that takes longer than in a run with all pages on the device (RunKind::resident),
/// for as long as it does, from the kernel's begin on: nothing tells when within the kernel the pages move. What is
/// shorter than a page fault is left out.
void add_migrations(RunTrace& trace, const RunTrace& resident);

/// Of a stage of a run: how long some kernel of it runs or memory of the device is set, and how often either was asked
/// for. On the CPU, the stage's time.
struct StageTrace {
    std::string_view stage;
    double kernels_ms = 0;
    int launches = 0;
};
/// Of stages that compute, in the order in which they begin.
std::vector<StageTrace> stages_of(const RunTrace& trace);

}  // namespace tonescope
