// Experiments: their cases, what is measured of them, and what is written.
#include "app/benchmark/experiments/experiment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/benchmark/experiments/experiment_export.h"
#include "gpu/core/canvas/canvas.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

ExperimentPlan plan_of(std::string_view op) {
    ExperimentPlan plan{.backend = BackendChoice::cpu};
    for (const VariantInfo* variant : variants_of(op)) plan.runs.push_back(default_run(*find_operator(op), variant));
    plan.sources = {{.name = "noise"}};
    plan.sizes = {{"", 40, 30}};
    return plan;
}

BenchmarkLimits tiny() {
    BenchmarkLimits limits;
    limits.budget_ms = limits.limit_ms = 0.001;
    limits.max_runs = 1;
    return limits;
}

std::vector<std::string> titles_of(const Experiment& experiment) {
    std::vector<std::string> titles;
    for (const ExperimentPoint& point : experiment.points) titles.push_back(point.title);
    return titles;
}

TEST(Experiment, CasesAreAllCombinations) {
    ExperimentPlan plan = plan_of("clahe");
    plan.sources.push_back({.name = "ramp"});
    plan.sizes.push_back({"", 50, 60});
    plan.sweeps = {parse_sweep("tile_size=08,16"), parse_sweep("excess=spread,drop")};
    const Experiment experiment = unmeasured(plan);
    ASSERT_EQ(experiment.points.size(), 16U);
    EXPECT_EQ(experiment.points[0].title, "noise, 40 \u00d7 30, tile_size 8, excess spread");
    EXPECT_EQ(experiment.points[1].title, "noise, 40 \u00d7 30, tile_size 8, excess drop");
    EXPECT_EQ(experiment.points[15].title, "ramp, 50 \u00d7 60, tile_size 16, excess drop");
    EXPECT_EQ(experiment.points[15].place, (std::vector<size_t>{1, 1, 1, 1}));
    std::vector<std::string> axes;
    for (const CaseAxis& axis : experiment.axes) axes.push_back(axis.id);
    EXPECT_EQ(axes, (std::vector<std::string>{"image", "size", "tile_size", "excess"}));
    EXPECT_EQ(experiment.axes[2].positions, (std::vector<double>{8, 16}));
    EXPECT_EQ(main_axis(experiment.axes), 2U) << "the last one with numbers";
    const ParamInfo& tile = *find_param(experiment.op().params, "tile_size");
    for (const RunSpec& run : experiment.points[15].runs) EXPECT_EQ(run.params.get(tile), 16);
}

TEST(Experiment, ContentsHaveReportCsSizesByDefault) {
    ExperimentPlan plan = plan_of("he");
    plan.sizes.clear();
    const Experiment experiment = unmeasured(plan);
    ASSERT_EQ(experiment.points.size(), 7U);
    EXPECT_EQ(experiment.points[6].title, "noise, 2560 \u00d7 1707");
    EXPECT_DOUBLE_EQ(experiment.axes[0].positions[0], 0.0504);
}

TEST(Experiment, SweepsOfVariantsLeaveOutTheOthers) {
    ExperimentPlan plan = plan_of("clahe");
    plan.sweeps = {parse_sweep("teams=2,64")};
    const Experiment experiment = unmeasured(plan);
    std::vector<std::string_view> ids;
    for (const RunSpec& run : experiment.plan.runs) ids.push_back(run.variant->id);
    EXPECT_EQ(ids, (std::vector<std::string_view>{"cpu", "split"}));
}

TEST(Experiment, WhatIsRepeatedCountsOnce) {
    ExperimentPlan plan = plan_of("he");
    plan.sources.push_back(plan.sources[0]);
    plan.sizes.push_back({"other name", 40, 30});
    EXPECT_EQ(titles_of(unmeasured(plan)), (std::vector<std::string>{"noise, 40 \u00d7 30"}));
}

TEST(Experiment, RefusesWhatIsWrong) {
    const auto refused = [](const std::vector<const char*>& sweeps) {
        ExperimentPlan plan = plan_of("clahe");
        try {
            for (const char* sweep : sweeps) plan.sweeps.push_back(parse_sweep(sweep));
            unmeasured(plan);
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    EXPECT_NE(refused({"radius=1"}).find("neither clahe nor a variant"), std::string::npos);
    EXPECT_NE(refused({"tile_size=8,4"}).find("expected 8 to 1024"), std::string::npos);
    EXPECT_NE(refused({"tile_size=8,8"}).find("twice"), std::string::npos);
    EXPECT_NE(refused({"tile_size=8", "tile_size=16"}).find("swept twice"), std::string::npos);
    for (const char* form : {"tile_size", "tile_size=", "=8"})
        EXPECT_NE(refused({form}).find("NAME=VALUE"), std::string::npos) << form;
    EXPECT_NE(refused({"tile_size=8,"}), "nothing");
    ExperimentPlan none = plan_of("he");
    none.sources.clear();
    EXPECT_THROW(unmeasured(none), UsageError);
    ExperimentPlan many = plan_of("clahe");
    Sweep sweep{"clip_limit", {}};
    for (int i = 0; i < 1001; ++i) sweep.values.push_back(std::to_string(i / 100.0));
    many.sweeps = {sweep};
    EXPECT_THROW(unmeasured(many), UsageError);
}

TEST(Experiment, MeasuresCaseAfterCase) {
    ExperimentPlan plan = plan_of("kuwahara");
    plan.sweeps = {parse_sweep("radius=1,2,3")};
    Experiment experiment = unmeasured(plan);
    std::vector<size_t> finished;
    double progress = 0;
    measure(experiment, tiny(), {},
            {.point = [&](const Experiment&, size_t point) { finished.push_back(point); },
             .progress =
                 [&](double part) {
                     EXPECT_GE(part, progress);
                     progress = part;
                 }});
    EXPECT_EQ(finished, (std::vector<size_t>{0, 1, 2}));
    EXPECT_NEAR(progress, 1, 1e-9);
    for (const ExperimentPoint& point : experiment.points) {
        EXPECT_TRUE(point.is_measured);
        for (const BenchmarkRow& row : point.benchmark.rows) {
            if (row.variant->backend == BackendKind::cpu)
                EXPECT_TRUE(row.ran() && row.identical()) << row.id() << ": " << row.reason;
            else
                EXPECT_EQ(row.reason, "left out by --backend cpu");
        }
    }
}

TEST(Experiment, WhatWasMeasuredStaysWhenItIsStopped) {
    ExperimentPlan plan = plan_of("he");
    plan.sizes = {{"", 40, 30}, {"", 50, 30}, {"", 60, 30}};
    Experiment experiment = unmeasured(plan);
    std::stop_source stop;
    EXPECT_THROW(measure(experiment, tiny(), stop.get_token(),
                         {.point =
                              [&](const Experiment&, size_t point) {
                                  if (point == 1) stop.request_stop();
                              }}),
                 Canceled);
    EXPECT_TRUE(experiment.points[0].is_measured && experiment.points[1].is_measured);
    EXPECT_FALSE(experiment.points[2].is_measured);
    const std::string csv = experiment_csv(experiment);
    EXPECT_NE(csv.find("noise,50,30,cpu,"), std::string::npos);
    EXPECT_NE(csv.find("not run: not measured"), std::string::npos);
}

TEST(Experiment, AnImageThatIsMissingSpoilsNoOther) {
    ExperimentPlan plan = plan_of("he");
    plan.sources = {{.name = "/nowhere/a.png", .is_file = true}, {.name = "ramp"}};
    Experiment experiment = unmeasured(plan);
    measure(experiment, tiny(), {});
    EXPECT_NE(experiment.points[0].error.find("/nowhere/a.png"), std::string::npos);
    EXPECT_FALSE(experiment.points[0].is_measured);
    EXPECT_TRUE(experiment.points[1].is_measured);
    EXPECT_NE(experiment_markdown(experiment).find("/nowhere/a.png"), std::string::npos);
}

TEST(Experiment, FilesHaveTheirOwnSizeUnlessOneIsGiven) {
    ExperimentPlan plan = plan_of("he");
    plan.sources = {{.name = "a/hills.png",
                     .is_file = true,
                     .image = std::make_shared<const HostImage>(ImageSpec{5, 4, PixelFormat::gray8, false})}};
    plan.sizes.clear();
    Experiment own = unmeasured(plan);
    EXPECT_EQ(own.points[0].title, "hills.png");
    measure(own, tiny(), {});
    EXPECT_EQ(own.points[0].benchmark.size.width, 5);
    plan.sizes = {{"", 11, 12}};
    Experiment mirrored = unmeasured(plan);
    measure(mirrored, tiny(), {});
    EXPECT_EQ(mirrored.points[0].title, "hills.png, 11 \u00d7 12");
    EXPECT_EQ(mirrored.points[0].benchmark.size.height, 12);
}

TEST(Experiment, ExportsHoldEveryCase) {
    ExperimentPlan plan = plan_of("clahe");
    plan.sources.push_back({.name = "constant"});
    plan.sweeps = {parse_sweep("tile_size=8,16")};
    Experiment experiment = unmeasured(plan);
    measure(experiment, tiny(), {});
    const Json json = experiment_json(experiment);
    ASSERT_EQ(json["points"].size(), 4U);
    EXPECT_EQ(json["points"][3]["place"]["tile_size"], "16");
    EXPECT_EQ(json["points"][3]["benchmark"]["parameters"]["tile_size"], 16);
    EXPECT_EQ(json["axes"][1]["positions"], Json({8.0, 16.0}));
    const std::string csv = experiment_csv(experiment);
    EXPECT_EQ(std::ranges::count(csv, '\n'), std::ptrdiff_t(1 + 4 * experiment.plan.runs.size()));
    const std::string markdown = experiment_markdown(experiment);
    for (const char* text : {"# CLAHE: Image and Tile size", "## constant", "| Variant | 8 | 16 |", "| Reference |"})
        EXPECT_NE(markdown.find(text), std::string::npos) << text;
    const std::string svg = experiment_svg(experiment, ui::AxisKind::linear);
    for (const char* text :
         {"</svg>", "<polyline", "<polygon", ">All cores</text>", ">Total time, ms: constant</text>"})
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    if (!Canvas::has_font()) GTEST_SKIP() << "this build has no font";
    EXPECT_GT(experiment_chart(experiment, ui::AxisKind::logarithmic).height(), 1000);
}

}  // namespace
}  // namespace tonescope
