// Lanes, zoom and labels of the time axis, and the page that shows it.
#include "ui/benchmark/timeline.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/traces.h"
#include "tests/ui/scenes/compare_scenes.h"
#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

Timeline timeline_of_trace(RunTrace trace) {
    return Timeline({{"Run", std::make_shared<const RunTrace>(std::move(trace))}});
}

std::vector<std::string> names_of_lanes(const Timeline& timeline) {
    std::vector<std::string> names;
    for (const TimelineLane& lane : timeline.lanes()) names.push_back(lane.name);
    return names;
}

TEST(Timeline, HasALaneForTheHostAndEachStream) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(names_of_lanes(timeline_of_trace(one_stream_trace())), (Names{"Host", "Driver's thread", "Stream 1"}));
    EXPECT_EQ(names_of_lanes(timeline_of_trace(two_streams_trace())), (Names{"Host", "Stream 1", "Stream 2"}));
    const Timeline cpu = timeline_of_trace(cpu_trace());
    EXPECT_EQ(names_of_lanes(cpu), Names{"Host"});
    EXPECT_EQ(cpu.stages(), (std::vector<std::string_view>{"histogram", "table", "apply"}));
}

TEST(Timeline, SpansOfALaneNeverOverlap) {
    RunTrace trace = two_streams_trace();
    trace.spans.push_back({0, TraceSpan::Kind::staging, "staging", "copy out", 0.9, 1.2, 0.9, 10});
    const Timeline timeline = timeline_of_trace(trace);
    EXPECT_EQ(names_of_lanes(timeline), (std::vector<std::string>{"Host", "Host", "Stream 1", "Stream 2"}));
    size_t spans = 0;
    for (const TimelineLane& lane : timeline.lanes()) {
        spans += lane.spans.size();
        for (size_t k = 1; k < lane.spans.size(); ++k) EXPECT_GE(lane.spans[k]->begin_ms, lane.spans[k - 1]->end_ms);
    }
    EXPECT_EQ(spans, trace.spans.size());
    EXPECT_EQ(timeline.lanes()[0].called.size(), 8u) << "what is queued in both streams";
}

TEST(Timeline, PagesThatHoldKernelsUpHaveALane) {
    RunTrace trace = managed_trace();
    EXPECT_EQ(names_of_lanes(timeline_of_trace(trace)), (std::vector<std::string>{"Host", "Stream 1"}));
    add_migrations(trace, managed_trace(true));
    const TimelineRun run{"Managed", std::make_shared<const RunTrace>(trace)};
    const Timeline timeline({run});
    EXPECT_EQ(names_of_lanes(timeline), (std::vector<std::string>{"Host", "Stream 1", "Pages"}));
    const TimelineLane& pages = timeline.lanes().back();
    ASSERT_EQ(pages.spans.size(), 2u);
    EXPECT_EQ(timeline.ink_of(*pages.spans.front()), ChartInk::copies);
    EXPECT_EQ(timeline.lanes().front().called.size(), 3u) << "nobody queues them";
    EXPECT_EQ(timeline.lanes().front().spans.back()->kind, TraceSpan::Kind::migration) << "the host reads them back";
    EXPECT_EQ(span_text(pages, *pages.spans.front()),
              "pages move (histogram)\nPages: begins at 0.1000 ms, takes 4.00 ms\n"
              "The kernel takes so much longer than with all pages on the GPU");
    EXPECT_EQ(sums_text(run), "8.51 ms = kernels 6.50 (pages move for 6.00) + copies 1.89 + host 0.120");

    std::vector<BenchmarkRow> rows(1);
    rows[0].memory = MemoryMode::managed;
    rows[0].trace = run.trace;
    EXPECT_NE(unseen_text(rows, 0).find("for 6.00 of 6.50 ms"), std::string::npos) << unseen_text(rows, 0);
    rows[0].trace = std::make_shared<const RunTrace>(managed_trace(true));
    EXPECT_EQ(unseen_text(rows, 0), "Pages of managed memory hold no kernel up");
}

TEST(Timeline, AStageHasOneColorInBothRuns) {
    const Timeline timeline({{"A", std::make_shared<const RunTrace>(two_streams_trace())},
                             {"B", std::make_shared<const RunTrace>(one_stream_trace())}});
    std::map<std::string_view, ChartInk> inks;
    for (const TimelineLane& lane : timeline.lanes()) {
        for (const TraceSpan* span : lane.spans) {
            const ChartInk ink = timeline.ink_of(*span);
            if (span->kind == TraceSpan::Kind::copy) {
                EXPECT_EQ(ink, ChartInk::copies);
            }
            if (span->kind != TraceSpan::Kind::kernel) continue;
            EXPECT_EQ(inks.emplace(span->stage, ink).first->second, ink);
        }
    }
    EXPECT_NE(inks.at("histogram"), inks.at("apply"));
}

TEST(Timeline, ZoomKeepsWhatIsUnderThePointer) {
    const Timeline timeline = timeline_of_trace(two_streams_trace());
    TimelineView view;
    const TimeWindow whole = view.shown(timeline);
    EXPECT_EQ(whole.begin, 0);
    EXPECT_GT(whole.end, timeline.end_ms());
    const double at = whole.begin + 0.3 * whole.length();
    view.zoom(timeline, 4, 0.3);
    TimeWindow now = view.shown(timeline);
    EXPECT_NEAR(now.length(), whole.length() / 4, 1e-12);
    EXPECT_NEAR(now.begin + 0.3 * now.length(), at, 1e-12);
    view.move(timeline, 0.5);
    EXPECT_NEAR(view.shown(timeline).begin, now.begin - 0.5 * now.length(), 1e-12);
    view.move(timeline, 100);
    EXPECT_EQ(view.shown(timeline).begin, whole.begin) << "not beyond the run";
    view.move(timeline, -100);
    EXPECT_NEAR(view.shown(timeline).end, whole.end, 1e-12);
    for (int k = 0; k < 50; ++k) view.zoom(timeline, 2, 0.5);
    EXPECT_NEAR(view.shown(timeline).length(), 0.001, 1e-9) << "a microsecond is the least";
    for (int k = 0; k < 50; ++k) view.zoom(timeline, 0.5, 0.5);
    EXPECT_TRUE(view.is_fit());
}

/// The runs have been measured anew, and are shorter.
TEST(Timeline, AWindowStaysWithinTheRuns) {
    TimelineView view;
    view.zoom(timeline_of_trace(one_stream_trace()), 4, 1);
    const Timeline shorter = timeline_of_trace(two_streams_trace());
    EXPECT_LE(view.shown(shorter).end, shorter.end_ms() * 1.021);
    EXPECT_GE(view.shown(shorter).begin, 0);
}

TEST(Timeline, TicksAreRoundAndFew) {
    for (const TimeWindow window : {TimeWindow{0, 1.09}, {0, 3.3}, {0.8123, 0.8137}, {12.5, 1700}}) {
        const std::vector<double> ticks = time_ticks(window, 8);
        ASSERT_GE(ticks.size(), 2u);
        EXPECT_LE(ticks.size(), 9u);
        EXPECT_GE(ticks.front(), window.begin - 1e-9);
        EXPECT_LE(ticks.back(), window.end + 1e-9);
        std::set<std::string> texts;
        for (const double tick : ticks) texts.insert(time_text(tick, ticks[1] - ticks[0]));
        EXPECT_EQ(texts.size(), ticks.size()) << "each has a text of its own";
    }
    EXPECT_EQ(time_text(0.25, 0.05), "0.25 ms");
    EXPECT_EQ(time_text(0.4, 0.2), "0.4 ms");
    EXPECT_EQ(time_text(0.0125, 0.0005), "12.5 \u00b5s");
    EXPECT_EQ(time_text(1500, 500), "1500 ms");
}

TEST(Timeline, SumsNameWhatIsHidden) {
    EXPECT_EQ(sums_text({"Run", std::make_shared<const RunTrace>(two_streams_trace())}),
              "1.09 ms = kernels 0.590 + copies 0.440 + host 0.060; copies for 0.320 ms while kernels run");
    EXPECT_EQ(sums_text({"Run", std::make_shared<const RunTrace>(cpu_trace())}), "9.91 ms");
}

TEST(Timeline, ASpanTellsItsRateAndItsCall) {
    const Timeline timeline = timeline_of_trace(one_stream_trace());
    const TimelineLane& stream = timeline.lanes().back();
    EXPECT_EQ(span_text(stream, *stream.spans.front()),
              "copy (upload)\nStream 1: begins at 0.9200 ms, takes 0.380 ms\n8.0 MB, 21.1 GB/s\n"
              "The host asked for it at 0.9050 ms, 15.0 \u00b5s before it began");
}

Model timeline_model() {
    return scene("timeline").model;
}

TEST(TimelinePage, ShowsTheChosenRunAboveItsBasis) {
    const Model model = timeline_model();
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_NE(driver.find("lane:1:Stream 2"), nullptr);
    ASSERT_NE(driver.find("lane:2:Stream 1"), nullptr);
    EXPECT_EQ(driver.find("lane:1:Stream 2")->value, "4");
    ASSERT_TRUE(driver.click(model, "Runs:Alone"));
    driver.frames(model, 2);
    EXPECT_NE(driver.find("lane:1:Stream 2"), nullptr);
    EXPECT_EQ(driver.find("lane:2:Stream 1"), nullptr);
}

TEST(TimelinePage, WheelDragDoubleClickAndKeys) {
    const Model model = timeline_model();
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    const auto shown = [&] { return driver.find("timeline")->value; };
    const std::string whole = shown();
    driver.move_to("timeline", 0.5F, 0.3F);
    driver.wheel(3);
    driver.frames(model, 2);
    const std::string zoomed = shown();
    EXPECT_NE(zoomed, whole);
    driver.press(0, true);
    driver.frames(model, 2);
    driver.move_to("timeline", 0.6F, 0.3F);
    driver.frames(model, 2);
    driver.press(0, false);
    driver.frames(model, 2);
    const std::string moved = shown();
    EXPECT_NE(moved, zoomed);
    EXPECT_NE(moved, whole);
    ASSERT_TRUE(driver.double_click(model, "timeline"));
    driver.frames(model, 2);
    EXPECT_EQ(shown(), whole);
    driver.run_command(model, "Zoom in");
    driver.frames(model, 2);
    EXPECT_NE(shown(), whole);
    ASSERT_TRUE(driver.click(model, "button:Fit"));
    driver.frames(model, 2);
    EXPECT_EQ(shown(), whole);
    driver.run_command(model, "Zoom in");
    driver.frames(model, 2);
    EXPECT_NE(shown(), whole);
    driver.move_to("timeline", 0.5F, 0.3F);
    driver.frames(model, 2);
    driver.tap(model, ImGuiKey_F);
    driver.frames(model, 2);
    EXPECT_EQ(shown(), whole);
}

TEST(TimelinePage, SaysWhyThereIsNone) {
    Model model = timeline_model();
    Driver driver(1280, 720, 1);
    model.benchmark.chosen = -1;
    driver.frames(model, 3);
    EXPECT_EQ(driver.find("timeline")->value, "The variant on screen was not measured: the page Variants does that");
    model.benchmark.chosen = 0;
    model.benchmark.variants[0].trace.reset();
    model.benchmark.variants[0].fail("no room");
    driver.frames(model, 2);
    EXPECT_NE(driver.find("timeline")->value.find("was not run: no room"), std::string::npos);
}

}  // namespace
}  // namespace tonescope::ui
