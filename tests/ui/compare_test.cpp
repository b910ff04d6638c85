// The view that compares variants: what it shows, and what clicks and keys lead to.
#include <gtest/gtest.h>

#include "tests/ui/scenes/compare_scenes.h"
#include "tests/ui/scenes/scene_test.h"
#include "ui/benchmark/bar_chart.h"
#include "ui/benchmark/panel.h"
#include "ui/browser/browser.h"

namespace tonescope::ui {
namespace {

Model comparing_model(std::string_view scene_name = "comparison he") {
    return scene(scene_name).model;
}

TEST(VariantBenchmark, ButtonAndKeyOpenAndClose) {
    Model model = scene("default").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    driver.tap(model, ImGuiKey_K);
    ASSERT_NE(driver.last<ShowBenchmark>(), nullptr);
    EXPECT_TRUE(driver.last<ShowBenchmark>()->shown);
    driver.actions().clear();
    ASSERT_TRUE(driver.click(model, "button:Compare variants"));
    ASSERT_NE(driver.last<ShowBenchmark>(), nullptr);
    EXPECT_TRUE(driver.last<ShowBenchmark>()->shown);

    model = comparing_model();
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("view:before"), nullptr);
    EXPECT_NE(driver.find("row:cpu"), nullptr);
    driver.actions().clear();
    driver.tap(model, ImGuiKey_Escape);
    ASSERT_NE(driver.last<ShowBenchmark>(), nullptr);
    EXPECT_FALSE(driver.last<ShowBenchmark>()->shown);
    for (const char* label : {"button:Compare variants", "Close comparison"}) {
        driver.actions().clear();
        ASSERT_TRUE(driver.click(model, label)) << label;
        ASSERT_NE(driver.last<ShowBenchmark>(), nullptr) << label;
        EXPECT_FALSE(driver.last<ShowBenchmark>()->shown) << label;
    }
}

TEST(VariantBenchmark, NeedsAnImage) {
    const Model& model = scene("empty").model;
    Driver driver(1280, 800, 1);
    driver.frames(model, 2);
    driver.tap(model, ImGuiKey_K);
    EXPECT_EQ(driver.last<ShowBenchmark>(), nullptr);
    EXPECT_FALSE(driver.find("button:Compare variants")->enabled);
}

TEST(VariantBenchmark, StopWhileItRunsAndRunAgainAfterwards) {
    Driver driver(1280, 720, 1);
    Model model = comparing_model("comparing");
    driver.frames(model, 3);
    const std::string all = std::to_string(variants_of("clahe").size());
    EXPECT_FALSE(driver.find("button:Run")->enabled);
    EXPECT_FALSE(driver.find("button:Export...")->enabled);
    EXPECT_EQ(driver.find("comparison status")->value, "5 of " + all + ": Split histogram");
    ASSERT_TRUE(driver.click(model, "button:Stop"));
    EXPECT_NE(driver.last<StopBenchmark>(), nullptr);
    model.benchmark.running = false;
    model.benchmark.stopped = true;
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("comparison status")->value, "Stopped: 4 of " + all + " rows measured");
    EXPECT_FALSE(driver.find("button:Stop")->enabled);
    EXPECT_TRUE(driver.find("button:Export...")->enabled);
    ASSERT_TRUE(driver.click(model, "button:Run"));
    EXPECT_NE(driver.last<RunBenchmark>(), nullptr);
}

TEST(VariantBenchmark, ResultsOfEarlierSettingsSaySo) {
    Model model = comparing_model("comparing");
    model.benchmark.stale = "Parameters have changed since";
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("comparison stale")->value, model.benchmark.stale);
    EXPECT_TRUE(driver.find("button:Run")->enabled) << "also while the earlier one is still running";
}

TEST(VariantBenchmark, ARowChoosesItsVariant) {
    const Model model = comparing_model();
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "row:cpu"));
    ASSERT_NE(driver.last<SetVariant>(), nullptr);
    EXPECT_EQ(driver.last<SetVariant>()->variant->id, "cpu");
    ASSERT_NE(driver.last<SetBackend>(), nullptr);
    EXPECT_EQ(driver.last<SetBackend>()->backend, BackendKind::cpu);
    EXPECT_EQ(driver.last<SetOperator>(), nullptr);

    Model other = model;
    other.run.op = find_operator("clahe");
    other.run.params = default_values(other.run.op->params);
    other.run.variant = preferred_variant("clahe", BackendKind::cuda);
    driver.actions().clear();
    ASSERT_TRUE(driver.click(other, "row:shared"));
    ASSERT_NE(driver.last<SetOperator>(), nullptr);
    EXPECT_EQ(driver.last<SetOperator>()->op->id, "he");
    EXPECT_EQ(driver.last<SetVariant>()->variant->op, "he");
}

TEST(VariantBenchmark, AVariantThatCannotRunIsNotChosen) {
    const Model model = comparing_model("comparison without gpu");
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("row:shared"), nullptr) << "one line stands for all";
    EXPECT_EQ(driver.find("rows that cannot run")->value, "closed");
    ASSERT_TRUE(driver.click(model, "rows that cannot run"));
    driver.frames(model, 2);
    ASSERT_NE(driver.find("row:shared"), nullptr);
    driver.click(model, "row:shared");
    EXPECT_EQ(driver.last<SetVariant>(), nullptr);
    ASSERT_NE(driver.last<Tell>(), nullptr);
    EXPECT_NE(driver.last<Tell>()->text.find(" cannot run here: no NVIDIA driver"), std::string::npos)
        << driver.last<Tell>()->text;
}

TEST(VariantBenchmark, AClickShowsTheSourceOfAVariantThatCannotRun) {
    Model model = comparing_model("comparison without gpu");
    Driver driver(1920, 1080, 1);
    driver.frames(model, 3);
    driver.click(model, "button:Source");
    driver.click(model, "rows that cannot run");
    driver.frames(model, 2);
    const auto shown = [&](const char* clicked) {
        driver.actions().clear();
        driver.click(model, clicked);
        driver.frames(model, 2);
        const Widget* source = driver.find("Source of");
        return source == nullptr ? "none" : source->value;
    };
    EXPECT_EQ(shown("row:shared"), "shared");
    EXPECT_EQ(driver.last<SetVariant>(), nullptr);
    EXPECT_EQ(driver.last<Tell>(), nullptr);
    const std::string current(model.run.variant->id);
    EXPECT_EQ(shown(("row:" + current).c_str()), current) << "back to the one that runs";
    model.run.op = find_operator("clahe");
    model.run.params = default_values(model.run.op->params);
    model.run.variant = preferred_variant("clahe", BackendKind::cpu);
    driver.frames(model, 2);
    EXPECT_EQ(shown("row:shared"), "shared") << "of the operator that was compared";
}

TEST(VariantBenchmark, ChartsShowTheirUnit) {
    const Model model = comparing_model();
    for (const auto& [tab, unit] : {std::pair{"chart:Time", "ms"},
                                    {"chart:Throughput", "MPixel/s"},
                                    {"chart:\u00d7 builds on", "times as fast as what it builds on"},
                                    {"chart:\u00d7 reference", "times as fast as the reference on the CPU"}}) {
        Driver driver(1280, 720, 1);
        driver.frames(model, 3);
        EXPECT_EQ(driver.find("comparison chart"), nullptr);
        ASSERT_TRUE(driver.click(model, tab)) << tab;
        driver.frames(model, 2);
        ASSERT_NE(driver.find("comparison chart"), nullptr) << tab;
        EXPECT_EQ(driver.find("comparison chart")->value, unit);
        EXPECT_EQ(driver.find(tab)->value, "on");
        EXPECT_NE(driver.find("bar:cpu"), nullptr);
        EXPECT_EQ(driver.find("Axis")->value, "linear") << "until another one is chosen";
        ASSERT_TRUE(driver.click(model, "Axis:log"));
        driver.frames(model, 2);
        EXPECT_EQ(driver.find("Axis")->value, "log");
    }
}

TEST(VariantBenchmark, FewBarsUseTheRoomThereIs) {
    const Model model = comparing_model("comparison without gpu");
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "chart:Time"));
    driver.frames(model, 2);
    float height = 0;
    for (const Widget& widget : driver.interface().widgets())
        if (widget.label.starts_with("bar:")) height += widget.panel == "compare" ? widget.height : 0;
    const Widget& status = *driver.find("comparison status");
    EXPECT_GT(height, (720 - status.y) * 0.4F);
}

/// A variant on the CPU that is `times` as fast as the reference, where threads alone make at most twice as fast.
BenchmarkRow row_against_bound(double times) {
    BenchmarkRow row;
    row.variant = find_variant("he", "parallel");
    row.kernels.time = row.compute.time = row.total.time = {10, 9, 11};
    for (BenchmarkTime* each : {&row.kernels, &row.compute, &row.total})
        each->speed_up.reference = Ratio{times, Interval{times - 0.05, times + 0.05}};
    row.amdahl = 2;
    return row;
}

TEST(VariantBenchmark, ABarPastAmdahlsBoundSaysSo) {
    const auto text = [](double times) {
        const BenchmarkRow row = row_against_bound(times);
        return bar_of(row, row.compute, ChartFigure::cpu, *find_operator("he"), {100, 100, PixelFormat::gray8, false},
                      figure_text, "")
            .text;
    };
    EXPECT_EQ(text(1.5), "1.50\u00d7");
    EXPECT_EQ(text(2.01), "2.01\u00d7") << "the interval holds the bound";
    EXPECT_EQ(text(4.95), "4.95\u00d7, past the bound");
    Model model = comparing_model();
    for (BenchmarkRow& row : model.benchmark.variants)
        if (row.variant->id == "parallel") row = row_against_bound(4.95);
    Driver driver(2560, 1440, 1);
    driver.frames(model, 3);
    ASSERT_NE(driver.find("bound:parallel"), nullptr);
    EXPECT_EQ(driver.find("bound:parallel")->value, "2.00, passed");
}

TEST(VariantBenchmark, EscapeStopsFirst) {
    const Model model = comparing_model("comparing");
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    driver.tap(model, ImGuiKey_Escape);
    EXPECT_NE(driver.last<StopBenchmark>(), nullptr);
    EXPECT_EQ(driver.last<ShowBenchmark>(), nullptr);
}

TEST(VariantBenchmark, ARatioWhoseIntervalHoldsOneIsGray) {
    Model model = comparing_model();
    const auto set = [&](std::string_view id, Ratio ratio) {
        for (BenchmarkRow& row : model.benchmark.variants)
            if (row.variant->id == id) row.kernels.speed_up.basis = ratio;
    };
    set("shared-table", {1.01, Interval{0.98, 1.04}});
    set("grid-stride", {1.03, Interval{1.01, 1.04}});
    Driver driver(2560, 1440, 1);
    driver.frames(model, 3);
    ASSERT_NE(driver.find("basis:shared-table"), nullptr);
    EXPECT_EQ(driver.find("basis:shared-table")->value, "1.01\u00d7, no difference measured");
    EXPECT_EQ(driver.find("basis:grid-stride")->value, "1.03\u00d7");
    const auto bar = [&](std::string_view id) {
        for (const BenchmarkRow& row : model.benchmark.variants)
            if (row.variant->id == id)
                return bar_of(row, row.kernels, ChartFigure::basis, *model.benchmark.op, model.benchmark.size,
                              figure_text, "");
        return ChartBar{};
    };
    EXPECT_TRUE(bar("shared-table").is_faint);
    EXPECT_EQ(bar("shared-table").text, "1.01\u00d7, no difference measured");
    EXPECT_FALSE(bar("grid-stride").is_faint);
    EXPECT_EQ(bar("grid-stride").low, 1.01);
}

TEST(VariantBenchmark, ATotalIsSplit) {
    const Model model = comparing_model();
    const auto row = std::ranges::find(model.benchmark.variants, "shared",
                                       [](const BenchmarkRow& each) { return each.variant->id; });
    const auto bar = [&](const BenchmarkTime& times) {
        return bar_of(*row, times, ChartFigure::time, *model.benchmark.op, model.benchmark.size, figure_text, "");
    };
    EXPECT_DOUBLE_EQ(bar(row->total).computing, row->kernels.time.median_ms);
    EXPECT_DOUBLE_EQ(bar(row->total).host, row->host_ms);
    EXPECT_EQ(bar(row->kernels).computing, 0) << "one piece";
    EXPECT_TRUE(has_parts(bar(row->total), ChartAxis{}));
    EXPECT_FALSE(has_parts(bar(row->kernels), ChartAxis{}));
    EXPECT_FALSE(has_parts(bar(row->total), ChartAxis{.min = 0.1, .logarithmic = true}));
    Driver driver(2560, 1440, 1);
    driver.frames(model, 3);
    const std::string split = driver.find("split:shared")->value;
    EXPECT_EQ(split, figure_text(row->kernels.time.median_ms) + " + " + figure_text(row->host_ms) + " + " +
                         figure_text(row->copies_ms) + " = " + figure_text(row->total.time.median_ms));
    EXPECT_EQ(driver.find("split:cpu"), nullptr) << "the CPU's time has no parts";
}

TEST(VariantBenchmark, MemoryModesAreAPage) {
    const Model model = comparing_model();
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "Page:Memory modes"));
    ASSERT_NE(driver.last<ShowBenchmarkPage>(), nullptr);
    EXPECT_EQ(driver.last<ShowBenchmarkPage>()->id, "memory-modes");
    const Model modes = comparing_model("memory modes");
    driver.frames(modes, 3);
    ASSERT_TRUE(driver.click(modes, "row:managed"));
    ASSERT_NE(driver.last<SetMemory>(), nullptr);
    EXPECT_EQ(driver.last<SetMemory>()->memory, MemoryMode::managed);
}

TEST(VariantBenchmark, TableAndChartStandTogetherWhereThereIsRoom) {
    const Model model = comparing_model("comparison clahe");
    Driver driver(2560, 1440, 1);
    driver.frames(model, 3);
    EXPECT_NE(driver.find("row:cpu"), nullptr);
    EXPECT_NE(driver.find("bar:cpu"), nullptr);
    EXPECT_EQ(driver.find("chart:Table"), nullptr);
    EXPECT_NE(driver.find("histogram:before"), nullptr) << "the right panel stays where there is room";
}

TEST(VariantBenchmark, NothingMovesWhileItRuns) {
    Model model = comparing_model("comparing");
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    std::map<std::string, std::pair<float, float>> places;
    for (const Widget& widget : driver.interface().widgets()) places[widget.label] = {widget.x, widget.y};
    Model done = comparing_model("comparison clahe");
    done.benchmark.stale = "Another image is open";
    driver.frames(done, 3);
    for (const Widget& widget : driver.interface().widgets()) {
        if (widget.panel != "compare" || !places.contains(widget.label)) continue;
        EXPECT_EQ(places[widget.label], (std::pair{widget.x, widget.y})) << widget.label;
    }
}

TEST(VariantBenchmark, IsExportedThroughTheBrowser) {
    const Scene& s = scene("export");
    Driver driver(1280, 800, 1);
    settle_scene(driver, s);
    EXPECT_EQ(driver.last<BrowseTo>()->path, "/home/ada/Pictures");
    EXPECT_EQ(driver.find("File name")->value, "hills-he-comparison.csv");
    ASSERT_TRUE(driver.click(s.model, "button:Save"));
    ASSERT_NE(driver.last<ExportBenchmark>(), nullptr);
    EXPECT_EQ(driver.last<ExportBenchmark>()->path, "/home/ada/Pictures/hills-he-comparison.csv");

    Model model = s.model;
    model.saving.question.path = "/home/ada/Pictures/hills-he-comparison.csv";
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "button:Replace"));
    EXPECT_NE(driver.last<ReplaceFile>(), nullptr);
    EXPECT_EQ(driver.last<SaveResult>(), nullptr);
}

TEST(VariantBenchmark, OnlyItsFormatsAreExported) {
    Model model = comparing_model();
    const std::vector<SavedFormat> formats = {{"CSV", {"csv"}}, {"PNG", {"png"}}};
    model.benchmark.export_formats = formats;
    Driver driver(1280, 800, 1);
    driver.frames(model, 3);
    ASSERT_TRUE(driver.click(model, "button:Export..."));
    driver.frames(model, 3);
    EXPECT_TRUE(driver.find("button:Save")->enabled);
    for (const char* name : {"a.csv", "a.PNG"}) EXPECT_TRUE(save_remark(name, formats).can_save);
    for (const char* name : {"a.json", "a.txt", "a"}) EXPECT_FALSE(save_remark(name, formats).can_save);
}

TEST(VariantBenchmark, EveryPageIsChosenAtAnyScale) {
    for (const auto& [width, height, scale] : {std::tuple{1280, 720, 1.0F}, {1280, 720, 2.0F}, {2560, 1440, 1.0F}}) {
        Model model = comparing_model();
        for (const BenchmarkPageInfo& page : benchmark_pages()) {
            model.benchmark.page = benchmark_pages()[&page == benchmark_pages().data() ? 1 : 0].id;
            Driver driver(width, height, scale);
            driver.frames(model, 3);
            const std::string label = "Page:" + std::string(page.title);
            if (driver.find(label) == nullptr) {
                ASSERT_TRUE(driver.click(model, "Page")) << "a list where the buttons lack room";
                driver.frames(model, 3);
            }
            ASSERT_TRUE(driver.click(model, label)) << label;
            ASSERT_NE(driver.last<ShowBenchmarkPage>(), nullptr);
            EXPECT_EQ(driver.last<ShowBenchmarkPage>()->id, page.id);
        }
    }
}

}  // namespace
}  // namespace tonescope::ui
