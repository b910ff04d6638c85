#include "app/benchmark/timeline.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

#include "app/benchmark/file_painter.h"
#include "app/options/report.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

constexpr double kHeight_px = 40;

/// Microseconds, as the format counts, to the nanosecond. `timeline`: no time is before its begin.
double us_of(double ms, const ui::Timeline& timeline) {
    return std::round((ms - timeline.begin_ms()) * 1e6) / 1e3;
}

Json named(const char* what, size_t process, size_t thread, const Json& value) {
    const char* const key = std::string_view(what).ends_with("index") ? "sort_index" : "name";
    return {{"name", what}, {"ph", "M"}, {"pid", process}, {"tid", thread}, {"args", {{key, value}}}};
}

Json span_event(const ui::Timeline& timeline, const TraceSpan& span, size_t process, size_t thread) {
    const double begin = us_of(span.begin_ms, timeline), end = us_of(span.end_ms, timeline);
    Json args = Json::object();
    if (!span.stage.empty()) args["stage"] = span.stage;
    if (span.bytes > 0) {
        args["bytes"] = span.bytes;
        if (end > begin) args["GB/s"] = double(span.bytes) / (end - begin) * 1e-3;
    }
    const bool on_host = span.row == TraceSpan::kHostRow;
    if (span.kind == TraceSpan::Kind::migration && !on_host)
        args["measured"] = "the kernel takes so much longer than with all pages on the GPU";
    else if (!on_host)
        args["called_us"] = us_of(span.called_ms, timeline);
    return {{"name", span.name},  {"cat", to_string(span.kind)},
            {"ph", "X"},          {"ts", begin},
            {"dur", end - begin}, {"pid", process},
            {"tid", thread},      {"args", args}};
}

/// What the host queues, in the order in which it does so: a short event for each call, and the tail of its arrow.
void add_calls(std::vector<Json>& events, const ui::Timeline& timeline, const ui::TimelineLane& lane, size_t process,
               size_t thread, uint64_t first_flow) {
    for (size_t k = 0; k < lane.called.size(); ++k) {
        const TraceSpan& span = *lane.called[k];
        const double ts = us_of(span.called_ms, timeline);
        double end = ts + kCall_us;
        for (const TraceSpan* const other : lane.called)
            if (const double next = us_of(other->called_ms, timeline); next > ts) end = std::min(end, next);
        events.push_back({{"name", span.name},
                          {"cat", "call"},
                          {"ph", "X"},
                          {"ts", ts},
                          {"dur", end - ts},
                          {"pid", process},
                          {"tid", thread},
                          {"args", Json::object()}});
        events.push_back({{"name", "queued"},
                          {"cat", "queued"},
                          {"ph", "s"},
                          {"id", first_flow + k},
                          {"ts", ts},
                          {"pid", process},
                          {"tid", thread}});
    }
}

double height_of(const std::string& remark) {
    return FilePainter::kLine_px *
           double(remark.empty() ? 0 : FilePainter::count_lines(FilePainter::kText_px, remark) + 1);
}

std::string timeline_svg(const ui::Timeline& timeline, const VariantBenchmark& benchmark) {
    const std::string unseen = ui::unseen_text(benchmark.rows, benchmark.chosen);
    const std::string remark = unseen.empty() ? "" : unseen + ".";
    const ui::ChartRow area{FilePainter::kMargin_px, FilePainter::kHeader_px, FilePainter::kText_px, 1e5};
    const SvgPainter measure(1, 1);
    const ui::TimelineLayout layout = ui::lay_out(measure, timeline, ui::TimelineView().shown(timeline), area);
    SvgPainter painter(FilePainter::kSheet_px, layout.bottom + height_of(remark) + kHeight_px);
    const BenchmarkRow& row = benchmark.rows[size_t(benchmark.chosen)];
    painter.title(area.x, 66, std::string(benchmark.op->name) + ": " + row.name());
    const std::string file = std::filesystem::path(benchmark.input).filename().string();
    painter.paragraph(area.x, 108, FilePainter::kText_px,
                      file + ", " + size_text(benchmark.size.width, benchmark.size.height) + " pixels, " +
                          (row.variant->backend == BackendKind::cpu ? benchmark.cpu_name : benchmark.cuda_name) +
                          (row.memory ? ", " + std::string(kMemoryModeIds[size_t(*row.memory)]) + " memory" : ""));
    ui::draw_timeline(painter, timeline, layout);
    if (!remark.empty())
        painter.paragraph(area.x, layout.bottom + FilePainter::kLine_px, FilePainter::kText_px, remark);
    return painter.take();
}

}  // namespace

ExportFormats timeline_formats() {
    static const std::vector<ui::SavedFormat> formats = {
        {"Chrome trace", {"json"}, "for Perfetto (ui.perfetto.dev) and chrome://tracing"},
        {"SVG", {"svg"}, "a drawing"}};
    return formats;
}

Json timeline_json(const ui::Timeline& timeline) {
    std::vector<Json> events;
    Json metadata = Json::array();
    size_t thread = 0;
    uint64_t flow = 0;
    std::vector<std::pair<const ui::TimelineLane*, uint64_t>> flows;  // of the runs' calls
    for (const ui::TimelineLane& lane : timeline.lanes()) {
        const size_t process = lane.run + 1;
        if (flows.size() < process) {
            metadata.push_back(named("process_name", process, 0, timeline.runs()[lane.run].title));
            metadata.push_back(named("process_sort_index", process, 0, process));
        }
        const auto add_thread = [&](const std::string& name) {
            metadata.push_back(named("thread_name", process, ++thread, name));
            metadata.push_back(named("thread_sort_index", process, thread, thread));
            return thread;
        };
        add_thread(lane.name);
        for (const TraceSpan* const span : lane.spans) events.push_back(span_event(timeline, *span, process, thread));
        if (lane.is_host) {
            flows.emplace_back(&lane, flow);
            flow += lane.called.size();
            if (!lane.called.empty())
                add_calls(events, timeline, lane, process, add_thread("Calls"), flows.back().second);
            continue;
        }
        const auto& [host, first_flow] = flows.back();
        for (size_t k = 0; k < host->called.size(); ++k)
            if (std::ranges::find(lane.spans, host->called[k]) != lane.spans.end())
                events.push_back({{"name", "queued"},
                                  {"cat", "queued"},
                                  {"ph", "f"},
                                  {"bp", "e"},
                                  {"id", first_flow + k},
                                  {"ts", us_of(host->called[k]->begin_ms, timeline)},
                                  {"pid", process},
                                  {"tid", thread}});
    }
    std::ranges::stable_sort(events, {}, [](const Json& event) { return event.at("ts").get<double>(); });
    for (Json& event : events) metadata.push_back(std::move(event));
    return {{"traceEvents", std::move(metadata)}, {"displayTimeUnit", "ms"}};
}

void write_timeline(const std::string& path, const VariantBenchmark& benchmark, std::stop_token stop) {
    const ui::Timeline timeline = ui::timeline_of(benchmark.rows, benchmark.chosen, true);
    if (timeline.runs().empty()) {
        const bool known = benchmark.chosen >= 0;
        throw UserError(path + ": no run was traced" +
                        (known ? ": " + benchmark.rows[size_t(benchmark.chosen)].reason : std::string()));
    }
    write_text_file(path,
                    extension_of(path) == "svg" ? timeline_svg(timeline, benchmark) : to_text(timeline_json(timeline)),
                    std::move(stop));
}

}  // namespace tonescope
