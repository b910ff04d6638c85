// Every experiment that has a name, made small enough for a test.
#pragma once

#include <gtest/gtest.h>

#include "app/benchmark/experiments/named_experiments.h"

namespace tonescope {

/// One run a variant.
inline BenchmarkLimits single_runs() {
    BenchmarkLimits limits;
    limits.budget_ms = limits.limit_ms = 0.001;
    limits.max_runs = 1;
    return limits;
}

/// Runs every case of every experiment, on images of a few thousand pixels. What cannot run fails the test, but rows
/// whose backend is not there.
inline void run_small_experiments(BackendChoice backend) {
    for (const NamedExperiment& named : named_experiments()) {
        SCOPED_TRACE(named.id);
        ExperimentPlan plan = plan_of(named, backend, -1);
        for (int i = 0; NamedSize & size : plan.sizes) {  // they stay apart
            size.width = std::min(size.width, 64 + i);
            size.height = std::min(size.height, 48);
            ++i;
        }
        Experiment experiment = unmeasured(std::move(plan));
        measure(experiment, single_runs(), {});
        for (const ExperimentPoint& point : experiment.points) {
            SCOPED_TRACE(point.title);
            EXPECT_EQ(point.error, "");
            EXPECT_TRUE(point.is_measured);
            for (const BenchmarkRow& row : point.benchmark.rows) {
                EXPECT_TRUE(row.ran() || !row.available) << row.id() << ": " << row.reason;
                EXPECT_TRUE(!row.ran() || row.identical() || row.variant->wrong_by_design) << row.id();
            }
        }
    }
}

}  // namespace tonescope
