// The page "Sweep": what it shows, and what clicks lead to.
#include <gtest/gtest.h>

#include "gpu/core/text.h"
#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

std::string point_at(std::string_view variant, const char* size) {
    return "point:" + std::string(variant) + ":" + size;
}

TEST(SweepPage, WhatIsSweptIsChosen) {
    Model model = scene("sweep empty").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("comparison status")->value, "Choose what is swept, then run it");
    EXPECT_FALSE(driver.find("button:Export...")->enabled);
    ASSERT_TRUE(driver.click(model, "Swept"));
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "Swept:Sizes"));
    ASSERT_NE(driver.last<SetExperiment>(), nullptr);
    EXPECT_EQ(driver.last<SetExperiment>()->setup.along, ExperimentSetup::Along::sizes);
    EXPECT_EQ(driver.last<SetExperiment>()->setup.values, "reports");

    driver.actions().clear();
    ASSERT_TRUE(driver.click(model, "Swept"));
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "Swept:Report A: Teams"));
    ASSERT_NE(driver.last<SetExperiment>(), nullptr);
    EXPECT_EQ(driver.last<SetExperiment>()->setup.experiment, model.benchmark.experiment.entries[1].id);
}

TEST(SweepPage, ValuesAreTypedAndRunByEnter) {
    Model model = scene("sweep empty").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "Swept values"));
    driver.frames(model, 2);
    driver.tap(model, ImGuiKey_End);
    driver.type(",96");
    driver.frames(model, 3);
    ASSERT_NE(driver.last<SetExperiment>(), nullptr);
    EXPECT_EQ(driver.last<SetExperiment>()->setup.values, "2,4,8,16,32,64,96");
    model.benchmark.experiment.setup = driver.last<SetExperiment>()->setup;
    driver.tap(model, ImGuiKey_Enter);
    EXPECT_NE(driver.last<RunBenchmark>(), nullptr);
}

TEST(SweepPage, WhatCannotBeMeasuredSaysWhy) {
    const Model model = scene("sweep stopped").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    EXPECT_FALSE(driver.find("button:Run")->enabled);
    EXPECT_EQ(driver.find("comparison remarks")->value, model.benchmark.experiment.problem);
    EXPECT_EQ(driver.find("comparison status")->value, "Stopped: 2 of 7 cases measured");
    EXPECT_TRUE(driver.find("button:Export...")->enabled) << "what was measured stays";
    EXPECT_NE(driver.find(point_at("cpu", "400 \u00d7 250")), nullptr);
    EXPECT_EQ(driver.find(point_at("cpu", "400 \u00d7 600")), nullptr);
}

TEST(SweepPage, EveryLineHasItsPointsInTheChart) {
    const Model model = scene("sweep of all variants").model;
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(2560, 1440)}) {
        Driver driver(width, height, 1);
        driver.frames(model, 3);
        const Widget chart = *driver.find("sweep chart");
        for (const CaseRows& one : model.benchmark.experiment.cases) {
            for (const BenchmarkRow& row : one.rows) {
                const Widget* point = driver.find(
                    point_at(row.variant->id, tonescope::size_text(one.size.width, one.size.height).c_str()));
                ASSERT_NE(point, nullptr) << row.variant->id;
                EXPECT_GE(point->x, chart.x);
                EXPECT_LE(point->x + point->width, chart.x + chart.width);
                EXPECT_GE(point->y, chart.y);
                EXPECT_LE(point->y + point->height, chart.y + chart.height);
            }
        }
    }
}

TEST(SweepPage, APointTellsItsFiguresAndAClickRunsIt) {
    const Model model = scene("sweep of one variant").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    const std::string label = point_at(model.benchmark.experiment.cases[3].rows[0].variant->id, "600 \u00d7 338");
    ASSERT_TRUE(driver.move_to(label));
    driver.frames(model, 3);
    bool told = false;
    for (const DrawnText& text : drawn_texts(driver, model)) told |= text.text.find("300 runs") != std::string::npos;
    EXPECT_TRUE(told);
    ASSERT_TRUE(driver.click(model, label));
    ASSERT_NE(driver.last<RunCase>(), nullptr);
    EXPECT_EQ(driver.last<RunCase>()->point, 3U);
    EXPECT_EQ(driver.last<RunCase>()->row, 0U);
}

TEST(SweepPage, ACellOfTheTableRunsItsCase) {
    const Scene& s = scene("sweep table");
    Driver driver(1280, 720, 1);
    settle_scene(driver, s);
    const size_t row = 2;
    const std::string id(s.model.benchmark.experiment.cases[0].rows[row].variant->id);
    ASSERT_TRUE(driver.click(s.model, "cell:" + id + ":400 \u00d7 250"));
    ASSERT_NE(driver.last<RunCase>(), nullptr);
    EXPECT_EQ(driver.last<RunCase>()->point, 1U);
    EXPECT_EQ(driver.last<RunCase>()->row, row);
}

TEST(SweepPage, ClaimsStandBesideTheirVerdicts) {
    const Scene& s = scene("sweep claims");
    Driver driver(1280, 720, 1);
    settle_scene(driver, s);
    for (const ClaimEntry& claim : s.model.benchmark.experiment.claims) {
        ASSERT_NE(driver.find("claim:" + claim.step), nullptr);
        EXPECT_EQ(driver.find("claim:" + claim.step)->value, claim.verdict);
    }
}

TEST(SweepPage, EscapeStopsFirst) {
    const Model model = scene("sweep running").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("comparison status")->value, "Case 4 of 7");
    driver.tap(model, ImGuiKey_Escape);
    EXPECT_NE(driver.last<StopBenchmark>(), nullptr);
    EXPECT_EQ(driver.last<ShowBenchmark>(), nullptr);
}

TEST(SweepPage, ThePaletteRunsExperiments) {
    const Model model = scene("sweep empty").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    driver.run_command(model, "Experiment: Report E: Radius");
    ASSERT_NE(driver.last<RunExperiment>(), nullptr);
    EXPECT_EQ(driver.last<RunExperiment>()->setup.experiment, "E-radius");
}

}  // namespace
}  // namespace tonescope::ui
