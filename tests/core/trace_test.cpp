// What becomes of a run's time.
#include "gpu/core/trace.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

using Kind = TraceSpan::Kind;

TraceSpan span(Kind kind, double begin_ms, double end_ms, int row = 1) {
    return {.row = row, .kind = kind, .begin_ms = begin_ms, .end_ms = end_ms};
}

void expect_parts(const RunTrace& trace, double kernels_ms, double copies_ms, double host_ms) {
    const TimeParts parts = parts_of(trace);
    EXPECT_DOUBLE_EQ(parts.kernels_ms, kernels_ms);
    EXPECT_DOUBLE_EQ(parts.copies_ms, copies_ms);
    EXPECT_DOUBLE_EQ(parts.host_ms, host_ms);
    EXPECT_DOUBLE_EQ(parts.kernels_ms + parts.copies_ms + parts.host_ms, trace.end_ms);
}

TEST(TimeParts, OneBehindTheOther) {
    expect_parts({{span(Kind::staging, 0, 2, TraceSpan::kHostRow), span(Kind::copy, 2, 5), span(Kind::memory_set, 5, 6),
                   span(Kind::kernel, 6, 8), span(Kind::host_function, 8, 11), span(Kind::kernel, 11, 12),
                   span(Kind::wait, 5, 12, TraceSpan::kHostRow), span(Kind::copy, 12, 14)},
                  15},
                 4, 7, 4);
}

/// What overlaps counts once, for the kernels.
TEST(TimeParts, CopiesHideBehindKernels) {
    const RunTrace trace = {{span(Kind::copy, 0, 4, 1), span(Kind::kernel, 3, 7, 2), span(Kind::copy, 5, 9, 1),
                             span(Kind::kernel, 6, 8, 1)},
                            10};
    expect_parts(trace, 5, 4, 1);
    EXPECT_DOUBLE_EQ(parts_of(trace).hidden_ms, 4) << "from 3 to 4 and from 5 to 8";
}

TEST(TimeParts, NothingBeyondTheEndCounts) {
    expect_parts({{span(Kind::kernel, 1, 5), span(Kind::copy, 4, 9)}, 4}, 3, 0, 1);
    expect_parts({{}, 2}, 0, 0, 2);
    expect_parts({{span(Kind::stage, 0, 3, TraceSpan::kHostRow)}, 3}, 3, 0, 0);
}

TEST(StageTraces, AreKernelsByStage) {
    const auto staged = [](TraceSpan span, std::string_view stage) {
        span.stage = stage;
        return span;
    };
    // Two streams, whose kernels of one stage overlap.
    const RunTrace trace = {{staged(span(Kind::copy, 0, 1), "upload"), staged(span(Kind::memory_set, 1, 1.5), "count"),
                             staged(span(Kind::kernel, 2, 4), "count"), staged(span(Kind::kernel, 3, 6, 2), "count"),
                             staged(span(Kind::host_function, 6, 7), "table"), span(Kind::kernel, 7, 7.5),
                             staged(span(Kind::kernel, 8, 11), "apply")},
                            10};
    const std::vector<StageTrace> stages = stages_of(trace);
    ASSERT_EQ(stages.size(), 2);
    EXPECT_EQ(stages[0].stage, "count");
    EXPECT_DOUBLE_EQ(stages[0].kernels_ms, 4.5);
    EXPECT_EQ(stages[0].launches, 3);
    EXPECT_EQ(stages[1].stage, "apply");
    EXPECT_DOUBLE_EQ(stages[1].kernels_ms, 2) << "as far as the run's end";
    EXPECT_EQ(stages[1].launches, 1);
}

TEST(Migrations, AreWhatKernelsTakeLongerThanWithAllPagesOnTheDevice) {
    RunTrace trace = {{span(Kind::kernel, 0, 4), span(Kind::kernel, 5, 6), span(Kind::kernel, 6, 6.5078125)}, 9};
    trace.spans.push_back(span(Kind::migration, 7, 9, TraceSpan::kHostRow));
    const RunTrace resident = {{span(Kind::kernel, 0, 1), span(Kind::kernel, 1, 2.5), span(Kind::kernel, 3, 3.5)}, 4};
    add_migrations(trace, resident);
    ASSERT_EQ(trace.spans.size(), 5u) << "one kernel was faster, one slower by less than a fault takes";
    EXPECT_EQ(trace.spans[0].kind, Kind::kernel);
    EXPECT_EQ(trace.spans[1].kind, Kind::migration);
    EXPECT_EQ(trace.spans[1].row, 1);
    EXPECT_EQ(trace.spans[1].begin_ms, 0);
    EXPECT_EQ(trace.spans[1].end_ms, 3);
    EXPECT_FALSE(trace.spans[1].name.empty());
    expect_parts(trace, 5.5078125, 2, 9 - 7.5078125);
    EXPECT_EQ(parts_of(trace).migration_ms, 3);
    EXPECT_EQ(parts_of(trace).hidden_ms, 0);
}

TEST(Migrations, AreNotMadeUpFromAnotherRun) {
    RunTrace trace = {{span(Kind::kernel, 0, 4)}, 4}, other = {{span(Kind::kernel, 0, 1)}, 1};
    trace.spans[0].name = "a";
    other.spans[0].name = "b";
    add_migrations(trace, other);
    add_migrations(trace, {});
    EXPECT_EQ(trace.spans.size(), 1u);
}

TEST(TraceSpan, KindsHaveNames) {
    EXPECT_EQ(to_string(Kind::kernel), "kernel");
    EXPECT_EQ(to_string(Kind::memory_set), "memory set");
    EXPECT_EQ(to_string(Kind::host_function), "host function");
    EXPECT_EQ(to_string(Kind::stage), "stage");
}

}  // namespace
}  // namespace tonescope
