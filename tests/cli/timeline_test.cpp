// Timelines in files, against the rules of the Trace Event Format.
#include "app/benchmark/timeline.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stack>

#include "app/options/report.h"
#include "gpu/core/error.h"
#include "tests/traces.h"

namespace tonescope {
namespace {

ui::Timeline timeline_of(std::vector<RunTrace> traces) {
    std::vector<ui::TimelineRun> runs;
    for (RunTrace& trace : traces)
        runs.push_back({"Run " + std::to_string(runs.size()), std::make_shared<const RunTrace>(std::move(trace))});
    return ui::Timeline(std::move(runs));
}

RunTrace migrating_trace() {
    RunTrace trace = managed_trace();
    add_migrations(trace, managed_trace(true));
    return trace;
}

/// Events of a phase.
std::vector<Json> events_of(const Json& trace, const std::string& phase) {
    std::vector<Json> found;
    for (const Json& event : trace.at("traceEvents"))
        if (event.at("ph") == phase) found.push_back(event);
    return found;
}

using Thread = std::pair<int, int>;
Thread thread_of(const Json& event) {
    return {event.at("pid").get<int>(), event.at("tid").get<int>()};
}

class TimelineFile : public testing::TestWithParam<int> {
  protected:
    Json trace_ = timeline_json(GetParam() == 0   ? timeline_of({one_stream_trace()})
                                : GetParam() == 1 ? timeline_of({two_streams_trace(), one_stream_trace()})
                                : GetParam() == 2 ? timeline_of({cpu_trace()})
                                                  : timeline_of({migrating_trace(), one_stream_trace()}));
};
INSTANTIATE_TEST_SUITE_P(Runs, TimelineFile, testing::Values(0, 1, 2, 3));

/// What the format's documentation ("Trace Event Format", Google, 2016) has in an event of each phase that is used: no
/// other field, and each of its type. Times are microseconds; the object's "displayTimeUnit" is "ms" or "ns".
TEST_P(TimelineFile, EventsHaveTheFieldsOfTheirPhase) {
    using Type = bool (Json::*)() const noexcept;
    constexpr Type kText = &Json::is_string, kNumber = &Json::is_number, kWhole = &Json::is_number_unsigned,
                   kObject = &Json::is_object;
    using Fields = std::map<std::string, Type>;
    const Fields common = {{"name", kText}, {"ph", kText}, {"pid", kWhole}, {"tid", kWhole}};
    const std::map<std::string, Fields> own_fields = {
        {"M", {{"args", kObject}}},                                                     // metadata
        {"X", {{"cat", kText}, {"ts", kNumber}, {"dur", kNumber}, {"args", kObject}}},  // complete
        {"s", {{"cat", kText}, {"ts", kNumber}, {"id", kWhole}}},                       // where a flow starts
        {"f", {{"cat", kText}, {"ts", kNumber}, {"id", kWhole}, {"bp", kText}}}};       // where it ends
    const Json trace = Json::parse(to_text(trace_));
    EXPECT_TRUE(trace.at("displayTimeUnit") == "ms" || trace.at("displayTimeUnit") == "ns");
    ASSERT_TRUE(trace.at("traceEvents").is_array());
    ASSERT_FALSE(trace.at("traceEvents").empty());
    for (const Json& event : trace.at("traceEvents")) {
        const std::string phase = event.at("ph");
        ASSERT_TRUE(own_fields.contains(phase)) << event;
        Fields fields = common;
        fields.insert(own_fields.at(phase).begin(), own_fields.at(phase).end());
        EXPECT_EQ(event.size(), fields.size()) << event;
        for (const auto& [field, type] : fields) {
            ASSERT_TRUE(event.contains(field)) << field << ": " << event;
            EXPECT_TRUE((event.at(field).*type)()) << field << ": " << event;
        }
        if (phase == "M") {
            const std::map<std::string, std::pair<std::string, Type>> arguments = {
                {"process_name", {"name", kText}},
                {"thread_name", {"name", kText}},
                {"process_sort_index", {"sort_index", kNumber}},
                {"thread_sort_index", {"sort_index", kNumber}}};
            ASSERT_TRUE(arguments.contains(event.at("name"))) << event;
            const auto& [argument, type] = arguments.at(event.at("name"));
            EXPECT_TRUE((event.at("args").at(argument).*type)()) << event;
        }
        if (phase == "f") {
            EXPECT_EQ(event.at("bp"), "e") << "the arrow ends at the event around it, not at the next one";
        }
    }
}

TEST_P(TimelineFile, EventsComeInOrderAndNestOnEachThread) {
    double last = 0;
    std::map<Thread, std::stack<double>> open;
    for (const Json& event : trace_.at("traceEvents")) {
        if (event.at("ph") == "M") continue;
        const double ts = event.at("ts");
        EXPECT_GE(ts, last);
        last = ts;
        if (event.at("ph") != "X") continue;
        const double end = ts + event.at("dur").get<double>();
        EXPECT_GE(end, ts);
        std::stack<double>& ends = open[thread_of(event)];
        constexpr double kRounding_us = 0.002;
        while (!ends.empty() && ends.top() <= ts + kRounding_us) ends.pop();
        if (!ends.empty()) {
            EXPECT_LE(end, ends.top() + kRounding_us) << event;
        }
        ends.push(end);
    }
}

TEST_P(TimelineFile, EveryProcessAndThreadHasANameOfItsOwn) {
    std::set<int> processes;
    std::set<Thread> threads;
    std::set<std::pair<int, std::string>> names;
    for (const Json& event : events_of(trace_, "M")) {
        if (event.at("name") == "process_name") processes.insert(event.at("pid").get<int>());
        if (event.at("name") != "thread_name") continue;
        threads.insert(thread_of(event));
        EXPECT_TRUE(names.emplace(event.at("pid").get<int>(), event.at("args").at("name").get<std::string>()).second);
    }
    for (const Json& event : events_of(trace_, "X")) {
        EXPECT_TRUE(processes.contains(event.at("pid")));
        EXPECT_TRUE(threads.contains(thread_of(event)));
        EXPECT_NE(event.at("name"), "");
    }
}

/// Both ends lie in an event of their thread, or no program would draw the arrow.
TEST_P(TimelineFile, ArrowsLeadFromCallsToWhatTheyQueue) {
    std::map<uint64_t, Json> tails;
    for (const Json& event : events_of(trace_, "s")) EXPECT_TRUE(tails.emplace(event.at("id"), event).second);
    const auto lies_in_an_event = [&](const Json& end) {
        for (const Json& event : events_of(trace_, "X"))
            if (thread_of(event) == thread_of(end) && event.at("ts") <= end.at("ts") &&
                end.at("ts").get<double>() <= event.at("ts").get<double>() + event.at("dur").get<double>())
                return true;
        return false;
    };
    const std::vector<Json> heads = events_of(trace_, "f");
    EXPECT_EQ(heads.size(), tails.size());
    EXPECT_EQ(heads.empty(), GetParam() == 2) << "the CPU queues nothing";
    for (const Json& head : heads) {
        ASSERT_TRUE(tails.contains(head.at("id")));
        const Json& tail = tails.at(head.at("id"));
        EXPECT_LE(tail.at("ts"), head.at("ts"));
        EXPECT_EQ(tail.at("pid"), head.at("pid"));
        EXPECT_TRUE(lies_in_an_event(tail)) << tail;
        EXPECT_TRUE(lies_in_an_event(head)) << head;
    }
}

TEST(TimelineJson, SaysWhatASpanMoved) {
    const Json trace = timeline_json(timeline_of({one_stream_trace()}));
    for (const Json& event : events_of(trace, "X")) {
        if (event.at("cat") != "copy" || event.at("args").at("stage") != "upload") continue;
        EXPECT_DOUBLE_EQ(event.at("ts"), 920);
        EXPECT_NEAR(event.at("dur"), 380, 1e-6);
        EXPECT_EQ(event.at("args").at("bytes"), 8000000);
        EXPECT_NEAR(event.at("args").at("GB/s"), 8000.0 / 380, 1e-6);
        EXPECT_DOUBLE_EQ(event.at("args").at("called_us"), 905);
        return;
    }
    FAIL() << "no upload";
}

/// Pages that hold kernels up have a thread of their own and say how they were measured; those that the host reads back
/// are on its own.
TEST(TimelineJson, PagesThatMoveAreEvents) {
    std::vector<double> durations_us;
    std::set<std::string> threads;
    const Json trace = timeline_json(timeline_of({migrating_trace()}));
    for (const Json& event : events_of(trace, "X")) {
        if (event.at("cat") != "pages move") continue;
        durations_us.push_back(event.at("dur"));
        EXPECT_EQ(event.at("args").contains("measured"), event.at("args").at("stage") != "download") << event;
        EXPECT_FALSE(event.at("args").contains("called_us"));
        for (const Json& named : events_of(trace, "M"))
            if (named.at("name") == "thread_name" && named.at("tid") == event.at("tid"))
                threads.insert(named.at("args").at("name").get<std::string>());
    }
    ASSERT_EQ(durations_us.size(), 3u);
    EXPECT_NEAR(durations_us[0], 4000, 1e-6);
    EXPECT_NEAR(durations_us[1], 2000, 1e-6);
    EXPECT_EQ(threads, (std::set<std::string>{"Host", "Pages"}));
}

/// The host's clock and the device's are some microseconds apart.
TEST(TimelineJson, NoTimeIsBeforeZero) {
    RunTrace trace = two_streams_trace();
    trace.spans.front().begin_ms = trace.spans.front().called_ms = -0.003;
    for (const Json& event : events_of(timeline_json(timeline_of({trace})), "X")) EXPECT_GE(event.at("ts"), 0);
}

TEST(TimelineFileRefusal, NothingTraced) {
    VariantBenchmark benchmark;
    EXPECT_THROW(write_timeline("/nowhere/t.json", benchmark), UserError);
}

}  // namespace
}  // namespace tonescope
