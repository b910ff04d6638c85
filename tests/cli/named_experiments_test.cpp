// Experiments that have names, and what becomes of claims in them.
#include "app/benchmark/experiments/named_experiments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/benchmark/experiments/claims.h"
#include "app/benchmark/experiments/experiment_export.h"
#include "gpu/core/error.h"
#include "tests/cli/small_experiments.h"

namespace tonescope {
namespace {

Experiment planned(const std::string& id) {
    return unmeasured(plan_of(find_experiment(id), BackendChoice::cpu, -1));
}

std::set<std::string_view> variants_in(const Experiment& experiment) {
    std::set<std::string_view> ids;
    for (const RunSpec& run : experiment.plan.runs) ids.insert(run.variant->id);
    return ids;
}

TEST(NamedExperiments, EachReportAndEachOperatorHasSome) {
    std::set<std::string> ids;
    std::set<std::string_view> of_reports, own;
    for (const NamedExperiment& named : named_experiments()) {
        EXPECT_TRUE(ids.insert(named.id).second) << named.id << " is there twice";
        EXPECT_FALSE(named.settings.shows.empty()) << named.id;
        if (named.report != nullptr)
            of_reports.insert(named.report->id);
        else
            own.insert(named.op->id);
    }
    EXPECT_EQ(of_reports, (std::set<std::string_view>{"A", "B", "C", "D", "E"}));
    EXPECT_EQ(own.size(), operators().size());
    EXPECT_FALSE(ids.contains("all")) << "which stands for all of them";
}

TEST(NamedExperiments, HaveTheReportsSettings) {
    const Experiment teams = planned("a-teams");
    EXPECT_EQ(teams.title(), "Report A: Teams");
    EXPECT_EQ(variants_in(teams), (std::set<std::string_view>{"cpu", "split"}));
    ASSERT_EQ(teams.axes.size(), 1U);
    EXPECT_EQ(teams.axes[0].labels, (std::vector<std::string>{"2", "4", "8", "16", "32", "64"}));
    for (const RunSpec& run : teams.points[0].runs) {
        const auto value = [&](const char* id) {
            const ParamInfo& info = *find_param(run.op->params, id);
            return format_value(info, run.params.get(info));
        };
        EXPECT_EQ(value("tile_size"), "16");
        EXPECT_EQ(value("excess"), "drop");
    }
    EXPECT_EQ(planned("c-table-1").points.size(), 7U);
    const std::vector<CaseAxis> sizes_and_blocks = planned("e-blocks").axes;
    ASSERT_EQ(sizes_and_blocks.size(), 2U);
    EXPECT_EQ(sizes_and_blocks[main_axis(sizes_and_blocks)].id, "block") << "what the experiment is about";
    const auto ladder = variants_in(planned("b-versions"));
    EXPECT_TRUE(ladder.contains("two-streams"));
    EXPECT_FALSE(ladder.contains("scan-naive")) << "which is report C's";
    const Experiment steps = planned("clahe-steps");
    EXPECT_EQ(steps.axes[0].labels, (std::vector<std::string>{"smooth", "noise", "bell"}));
    EXPECT_TRUE(variants_in(steps).contains("branch-free")) << "on which the first step builds";
    EXPECT_TRUE(variants_in(steps).contains("packed-tables"));
    EXPECT_FALSE(variants_in(steps).contains("scan")) << "which is the report's";
    const Experiment modes = planned("he-memory");
    EXPECT_TRUE(modes.plan.by_memory_mode);
    EXPECT_EQ(modes.points[0].benchmark.rows.size(), 1 + std::size(kMemoryModeIds));
}

TEST(NamedExperiments, AreFoundByTheirIds) {
    EXPECT_EQ(find_experiments({"e-blocks", "a-teams", "e-blocks"}).size(), 2U);
    EXPECT_EQ(find_experiments({"a-teams", "all"}).size(), named_experiments().size());
    try {
        find_experiments({"a-teams", "z-teams"});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("z-teams: unknown; there are a-ladder, a-teams"), std::string::npos);
    }
}

TEST(NamedExperiments, RunOnTheCpu) {
    run_small_experiments(BackendChoice::cpu);
}

/// That many runs of a variant, around `ms`.
void set_time(Experiment& experiment, size_t point, std::string_view variant, double ms, size_t rounds = 20) {
    VariantBenchmark& benchmark = experiment.points[point].benchmark;
    const auto row = std::ranges::find(benchmark.rows, variant, [](const auto& one) { return one.variant->id; });
    ASSERT_NE(row, benchmark.rows.end());
    row->state = BenchmarkRow::State::done;
    Samples& samples = benchmark.samples[size_t(row - benchmark.rows.begin())];
    for (size_t round = 0; round < rounds; ++round) {
        const double one = ms * (1 + 0.001 * double(round % 5));
        samples.add(round, {}, {.total = one, .compute = one, .traced = one, .kernels = one, .host = 0, .mhz = 1000});
    }
    benchmark.best_cuda_mhz = 1000;
    experiment.points[point].is_measured = true;
}

TEST(ClaimsInCases, AValueIsComparedWithAnotherOfTheSameParameter) {
    Experiment experiment = planned("a-teams");
    EXPECT_TRUE(claims_in(experiment).empty()) << "nothing has been measured";
    const double ms[] = {10, 9, 9.0001, 12, 11};  // of 2, 4, 8, 16 and 32 teams
    for (size_t point = 0; point < std::size(ms); ++point) {
        set_time(experiment, point, "split", ms[point]);
        add_figures(experiment.points[point].benchmark);
        EXPECT_TRUE(std::ranges::all_of(experiment.points[point].benchmark.rows,
                                        [](const BenchmarkRow& row) { return row.claims.empty(); }));
    }
    const std::vector<ClaimInCases> claims = claims_in(experiment);
    ASSERT_EQ(claims.size(), 4U);
    EXPECT_EQ(claims[0].subject(), "Split histogram, teams 4 against 2, kernels");
    EXPECT_EQ(claims[0].cases[0].point, 1U);
    EXPECT_NEAR(claims[0].cases[0].finding.here.value, 10.0 / 9, 1e-9);
    EXPECT_EQ(claims[0].verdict_text(), "holds");
    EXPECT_EQ(claims[1].verdict_text(), "no difference measured") << "8 against 4";
    EXPECT_EQ(claims[2].verdict_text(), "holds") << "16 are slower than 8";
    EXPECT_EQ(claims[3].verdict_text(), "does not hold") << "32 are faster than 16";
    EXPECT_EQ(claims[3].said_text(), "0.764\u00d7 as fast");
    const std::string text = experiment_markdown(experiment);
    EXPECT_NE(
        text.find("| A | Split histogram, teams 32 against 16, kernels | 32 teams are slower than 16 | 0.764\u00d7 "
                  "as fast | 1.09\u00d7 ("),
        std::string::npos)
        << text;
    const Json json = experiment_json(experiment);
    EXPECT_EQ(json["claims"].size(), 4U);
    EXPECT_EQ(json["claims"][3]["cases"][0]["verdict"], "does not hold");
}

TEST(ClaimsInCases, VerdictsOfSeveralCasesAreCounted) {
    Experiment experiment = planned("b-memory");
    ASSERT_EQ(experiment.points.size(), 7U);
    for (size_t point = 0; point < 7; ++point) {
        set_time(experiment, point, "shared-table", 10);
        set_time(experiment, point, "pinned", point < 5 ? 5 : 10);
        add_figures(experiment.points[point].benchmark);
    }
    const std::vector<ClaimInCases> claims = claims_in(experiment);
    ASSERT_EQ(claims.size(), 1U);
    EXPECT_EQ(claims[0].subject(), "Pinned memory against Shared table, total");
    EXPECT_EQ(claims[0].verdict_text(), "holds in 5 of 7 cases; no difference measured in 2");
    EXPECT_EQ(claims[0].verdict(), std::nullopt);
    EXPECT_EQ(claims[0].here_text(), "1.00\u00d7 to 2.00\u00d7");
    EXPECT_EQ(claims[0].only_case, "");
}

TEST(ClaimsInCases, AClaimAboutOneOfSeveralCasesNamesIt) {
    Experiment experiment = planned("c-table-1");
    ASSERT_EQ(experiment.points.size(), 7U);
    for (size_t point = 0; point < 7; ++point) {
        set_time(experiment, point, "cpu", 10);
        set_time(experiment, point, "scan-work-efficient", 0.5);
        add_figures(experiment.points[point].benchmark);
    }
    const std::vector<ClaimInCases> claims = claims_in(experiment);
    ASSERT_EQ(claims.size(), 7U) << "one a size";
    EXPECT_TRUE(claims[2].here_text().starts_with("20.0\u00d7 (")) << claims[2].here_text();
    EXPECT_TRUE(claims[2].here_text().ends_with(") at 400 \u00d7 600")) << claims[2].here_text();
    EXPECT_EQ(experiment_json(experiment)["claims"][2]["at"], "400 \u00d7 600");
}

TEST(ClaimsInCases, WhereNoCaseSaysAnythingTheVerdictIsOpen) {
    Experiment experiment = planned("b-memory");
    for (size_t point = 0; point < 7; ++point) {
        set_time(experiment, point, "shared-table", 10);
        set_time(experiment, point, "pinned", 10, point < 3 ? 4 : 20);
        add_figures(experiment.points[point].benchmark);
    }
    const std::vector<ClaimInCases> claims = claims_in(experiment);
    ASSERT_EQ(claims.size(), 1U);
    EXPECT_EQ(claims[0].verdict_text(), "no difference measured in 4 of 7 cases; too few runs in 3");
    EXPECT_EQ(claims[0].verdict(), ClaimFinding::Verdict::no_difference);
}

}  // namespace
}  // namespace tonescope
