#include "ui/benchmark/timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "ui/benchmark/page.h"

namespace tonescope::ui {
namespace {

using Kind = TraceSpan::Kind;

/// Of the axis, ms: no less is shown.
constexpr double kLeastWindow_ms = 0.001;
/// What stays free behind the last span, as a part of the whole.
constexpr double kEndMargin = 0.02;
/// More calls than this would be a thicket.
constexpr size_t kMostCalls = 60;

// At 96 dpi
constexpr double kHead = 26, kLabelledLane = 36, kPlainLane = 18, kBar = 15, kLabel = 15, kAxis = 24, kLegend = 26,
                 kRunGap = 8, kNameGap = 12, kTickGap = 96;

bool computes(const TraceSpan& span) {
    return span.kind == Kind::kernel || span.kind == Kind::memory_set || span.kind == Kind::stage ||
           span.kind == Kind::host_function;
}

bool transfers(const TraceSpan& span) {
    return span.kind == Kind::copy || span.kind == Kind::staging || span.kind == Kind::migration;
}

/// Beside a kernel, not what a stream does.
bool holds_a_kernel_up(const TraceSpan& span) {
    return span.kind == Kind::migration && span.row != TraceSpan::kHostRow;
}

/// Below a bar: the stage says more than the kernel's long name.
std::string label_of(const TraceSpan& span) {
    if (span.kind == Kind::kernel || span.kind == Kind::stage) return std::string(span.stage);
    return std::string(to_string(span.kind));
}

const BenchmarkRow* traced_row(const std::vector<BenchmarkRow>& rows, int chosen) {
    if (chosen < 0 || static_cast<size_t>(chosen) >= rows.size()) return nullptr;
    const BenchmarkRow& row = rows[static_cast<size_t>(chosen)];
    return row.trace == nullptr ? nullptr : &row;
}

const BenchmarkRow* basis_row(const std::vector<BenchmarkRow>& rows, const BenchmarkRow& row) {
    const auto found = std::ranges::find_if(
        rows, [&](const BenchmarkRow& other) { return !row.basis.empty() && other.name() == row.basis; });
    return found == rows.end() || found->trace == nullptr ? nullptr : &*found;
}

TimeWindow whole_of(const Timeline& timeline) {
    const double length = std::max(timeline.end_ms() - timeline.begin_ms(), kLeastWindow_ms);
    return {timeline.begin_ms(), timeline.begin_ms() + length * (1 + kEndMargin)};
}

/// Moved and cut so that it lies within the whole.
TimeWindow within(const TimeWindow& window, const TimeWindow& whole) {
    const double length = std::clamp(window.length(), std::min(kLeastWindow_ms, whole.length()), whole.length());
    const double begin = std::clamp(window.begin, whole.begin, whole.end - length);
    return {begin, begin + length};
}

}  // namespace

Timeline::Timeline(std::vector<TimelineRun> runs) : runs_(std::move(runs)) {
    for (size_t run = 0; run < runs_.size(); ++run) add_run(run);
}

/// Spans of one stream never overlap, and neither does what one thread does; where they do all the same, another lane
/// of the same name takes the later one.
void Timeline::add_run(size_t run) {
    const RunTrace& trace = *runs_[run].trace;
    enum : int { host, driver, first_stream };
    constexpr int pages = std::numeric_limits<int>::max();
    std::map<int, std::vector<TimelineLane>> lanes;
    lanes[host].push_back({run, "Host", true, {}, {}});
    for (const TraceSpan& span : trace.spans) {
        const bool on_host = span.row == TraceSpan::kHostRow;
        const bool moves_pages = holds_a_kernel_up(span);
        const int which = moves_pages ? pages
                          : on_host   ? (span.kind == Kind::host_function ? driver : host)
                                      : driver + span.row;
        std::vector<TimelineLane>& places = lanes[which];
        auto place = std::ranges::find_if(places, [&](const TimelineLane& lane) {
            return lane.spans.empty() || lane.spans.back()->end_ms <= span.begin_ms + 1e-9;
        });
        if (place == places.end()) {
            const std::string name = which == host     ? "Host"
                                     : which == driver ? "Driver's thread"
                                     : which == pages  ? "Pages"
                                                       : "Stream " + std::to_string(span.row);
            place = places.insert(places.end(), {run, name, false, {}, {}});
        }
        place->spans.push_back(&span);
        if (!on_host && !moves_pages) lanes[host].front().called.push_back(&span);
        begin_ms_ = std::min(begin_ms_, std::min(span.begin_ms, span.called_ms));
        end_ms_ = std::max(end_ms_, span.end_ms);
        if (computes(span) && std::ranges::find(stages_, span.stage) == stages_.end()) stages_.push_back(span.stage);
    }
    end_ms_ = std::max(end_ms_, trace.end_ms);
    for (auto& [which, places] : lanes)
        for (TimelineLane& lane : places) lanes_.push_back(std::move(lane));
}

ChartInk Timeline::ink_of(const TraceSpan& span) const {
    if (transfers(span)) return span.kind == Kind::staging ? ChartInk::host : ChartInk::copies;
    if (!computes(span)) return ChartInk::grid;
    return line_ink(static_cast<size_t>(std::ranges::find(stages_, span.stage) - stages_.begin()));
}

Timeline timeline_of(const std::vector<BenchmarkRow>& rows, int chosen, bool with_basis) {
    std::vector<TimelineRun> runs;
    if (const BenchmarkRow* const row = traced_row(rows, chosen)) {
        runs.push_back({row->name(), row->trace});
        if (const BenchmarkRow* const basis = with_basis ? basis_row(rows, *row) : nullptr)
            runs.push_back({basis->name(), basis->trace});
    }
    return Timeline(std::move(runs));
}

std::string sums_text(const TimelineRun& run) {
    const TimeParts parts = parts_of(*run.trace);
    const bool on_gpu =
        std::ranges::any_of(run.trace->spans, [](const TraceSpan& span) { return span.row != TraceSpan::kHostRow; });
    std::string text = figure_text(run.trace->end_ms) + " ms";
    if (!on_gpu) return text;
    text += " = kernels " + figure_text(parts.kernels_ms);
    if (parts.migration_ms > 0) text += " (pages move for " + figure_text(parts.migration_ms) + ")";
    text += " + copies " + figure_text(parts.copies_ms) + " + host " + figure_text(parts.host_ms);
    if (parts.hidden_ms >= 0.0005) text += "; copies for " + figure_text(parts.hidden_ms) + " ms while kernels run";
    return text;
}

std::string unseen_text(const std::vector<BenchmarkRow>& rows, int chosen) {
    const BenchmarkRow* const row = traced_row(rows, chosen);
    if (row == nullptr || !row->memory) return {};
    const TimeParts parts = parts_of(*row->trace);
    if (*row->memory == MemoryMode::managed) {
        if (parts.migration_ms == 0) return "Pages of managed memory hold no kernel up";
        return "Pages of managed memory hold kernels up for " + figure_text(parts.migration_ms) + " of " +
               figure_text(parts.kernels_ms) +
               " ms: so much longer do these take than in a run with all pages on the GPU. When within a kernel the "
               "pages move is not known";
    }
    if (*row->memory != MemoryMode::mapped) return {};
    std::string text =
        "Pixels in mapped memory cross the bus when a kernel reads or writes them, which no event of CUDA tells: the "
        "kernels' time holds it, " +
        figure_text(parts.kernels_ms) + " ms";
    if (const BenchmarkRow* const basis = basis_row(rows, *row))
        text += " here and " + figure_text(parts_of(*basis->trace).kernels_ms) + " ms in " + basis->name();
    return text;
}

std::string span_text(const TimelineLane& lane, const TraceSpan& span) {
    const double ms = span.end_ms - span.begin_ms;
    std::string text = span.name;
    if (!span.stage.empty() && span.stage != span.name) text += " (" + std::string(span.stage) + ")";
    text += "\n" + lane.name + format(": begins at %.4f ms, takes ", span.begin_ms) + figure_text(ms) + " ms";
    if (span.bytes > 0) {
        text += "\n" + format_bytes(span.bytes);
        if (ms > 0) text += ", " + figure_text(static_cast<double>(span.bytes) / ms * 1e-6) + " GB/s";
    }
    if (holds_a_kernel_up(span)) return text + "\nThe kernel takes so much longer than with all pages on the GPU";
    if (span.row != TraceSpan::kHostRow)
        text += format("\nThe host asked for it at %.4f ms, %.1f \u00b5s before it began", span.called_ms,
                       std::max(span.begin_ms - span.called_ms, 0.0) * 1000);
    return text;
}

void TimelineView::zoom(const Timeline& timeline, double factor, double at) {
    const TimeWindow before = shown(timeline), whole = whole_of(timeline);
    const double fixed = before.begin + before.length() * at, length = before.length() / factor;
    if (length >= whole.length()) {
        fit();
        return;
    }
    chosen_ = within(
        {fixed - std::max(length, kLeastWindow_ms) * at, fixed + std::max(length, kLeastWindow_ms) * (1 - at)}, whole);
}

void TimelineView::move(const Timeline& timeline, double part) {
    if (!chosen_) return;
    const TimeWindow before = shown(timeline);
    const double by = -part * before.length();
    chosen_ = within({before.begin + by, before.end + by}, whole_of(timeline));
}

TimeWindow TimelineView::shown(const Timeline& timeline) const {
    const TimeWindow whole = whole_of(timeline);
    return chosen_ ? within(*chosen_, whole) : whole;
}

std::vector<double> time_ticks(const TimeWindow& window, int count) {
    const double least = window.length() / std::max(count, 1);
    const double decade = std::pow(10, std::floor(std::log10(least)));
    const double lead = least / decade;
    const double step = decade * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    std::vector<double> ticks;
    for (double k = std::ceil(window.begin / step - 1e-9); k * step <= window.end + step * 1e-9; ++k)
        ticks.push_back(k * step + 0.0);
    return ticks;
}

std::string time_text(double ms, double step_ms) {
    const double scale = step_ms < 0.02 ? 1000 : 1;
    const int decimals = std::max(static_cast<int>(std::ceil(-std::log10(step_ms * scale) - 1e-9)), 0);
    return format("%.*f", decimals, ms * scale) + (scale > 1 ? " \u00b5s" : " ms");
}

TimelineLayout lay_out(const ChartPainter& painter, const Timeline& timeline, const TimeWindow& window,
                       const ChartRow& area) {
    TimelineLayout layout{.area = area, .window = window};
    double names = 0;
    for (const TimelineLane& lane : timeline.lanes()) names = std::max(names, painter.text_width(lane.name));
    layout.left = std::round(area.x + names + painter.px(kNameGap));
    const auto runs = static_cast<double>(timeline.runs().size()), lanes = static_cast<double>(timeline.lanes().size());
    const double others = runs * painter.px(kHead) + (runs - 1) * painter.px(kRunGap) + painter.px(kAxis + kLegend);
    const double each = std::floor((area.height - others) / std::max(lanes, 1.0));
    layout.has_labels = each >= painter.px(kLabelledLane);
    layout.lane_height = layout.has_labels ? painter.px(kLabelledLane) : std::max(each, painter.px(kPlainLane));
    layout.bar_height = std::floor(painter.px(kBar));
    double y = area.y;
    for (size_t k = 0; k < timeline.lanes().size(); ++k) {
        if (k == 0 || timeline.lanes()[k].run != timeline.lanes()[k - 1].run) {
            if (k > 0) y += painter.px(kRunGap);
            layout.heads.push_back(y + painter.px(kHead) / 2);
            y += painter.px(kHead);
        }
        layout.lanes.push_back(y);
        y += layout.lane_height;
    }
    layout.axis = y + painter.px(kAxis) / 2;
    layout.legend = y + painter.px(kAxis) + painter.px(kLegend) / 2;
    layout.bottom = y + painter.px(kAxis + kLegend);
    return layout;
}

PointedSpan span_at(const ChartPainter& painter, const Timeline& timeline, const TimelineLayout& layout, double x,
                    double y) {
    if (x < layout.left || x > layout.area.right()) return {};
    for (size_t k = 0; k < timeline.lanes().size(); ++k) {
        if (y < layout.lanes[k] || y >= layout.lanes[k] + layout.lane_height) continue;
        const TimelineLane& lane = timeline.lanes()[k];
        PointedSpan nearest{&lane, nullptr};
        double least = painter.px(4);
        for (const TraceSpan* const span : lane.spans) {
            const double left = layout.at(span->begin_ms), right = layout.at(span->end_ms);
            const double away = std::max({left - x, x - right, 0.0});
            if (away > least || (nearest.span != nullptr && away == least)) continue;
            least = away;
            nearest.span = span;
        }
        return nearest.span == nullptr ? PointedSpan{} : nearest;
    }
    return {};
}

namespace {

class Drawing {
  public:
    Drawing(ChartPainter& painter, const Timeline& timeline, const TimelineLayout& layout)
        : painter_(painter), timeline_(timeline), layout_(layout) {}

    void draw(const TraceSpan* pointed) {
        draw_axis();
        for (size_t run = 0; run < timeline_.runs().size(); ++run) draw_head(run);
        for (size_t k = 0; k < timeline_.lanes().size(); ++k) draw_calls(k, pointed);
        for (size_t k = 0; k < timeline_.lanes().size(); ++k) draw_lane(k, pointed);
        draw_kinds();
    }

  private:
    double right() const { return layout_.area.right(); }

    void draw_axis() {
        const double top = layout_.lanes.empty() ? layout_.area.y : layout_.lanes.front();
        const double bottom = layout_.axis - painter_.px(kAxis) / 2;
        const int count = static_cast<int>((right() - layout_.left) / painter_.px(kTickGap));
        const std::vector<double> ticks = time_ticks(layout_.window, count);
        const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : layout_.window.length();
        for (const double tick : ticks) {
            const double x = std::round(layout_.at(tick));
            painter_.fill(x, top, 1, bottom - top, ChartInk::grid);
            const std::string text = time_text(tick, step);
            const double width = painter_.text_width(text);
            painter_.text(std::clamp(x - width / 2, layout_.left, right() - width), layout_.axis, text, ChartInk::faint,
                          width + 1);
        }
    }

    void draw_head(size_t run) {
        const TimelineRun& own = timeline_.runs()[run];
        const double y = layout_.heads[run], width = painter_.text_width(own.title) + 1;
        painter_.text(layout_.area.x, y, own.title, ChartInk::text, right() - layout_.area.x);
        const double x = layout_.area.x + width + painter_.px(kNameGap);
        if (x < right()) painter_.text(x, y, sums_text(own), ChartInk::quiet, right() - x);
    }

    void draw_lane(size_t k, const TraceSpan* pointed) {
        const TimelineLane& lane = timeline_.lanes()[k];
        const double top = layout_.lanes[k] + painter_.px(1);
        const double middle = top + layout_.bar_height / 2;
        painter_.text(layout_.area.x, middle, lane.name, ChartInk::quiet, layout_.left - layout_.area.x);
        painter_.fill(layout_.left, top + layout_.bar_height, right() - layout_.left, 1, ChartInk::grid);
        double label_from = layout_.left;
        for (const TraceSpan* const span : lane.spans) {
            const double from = std::max(layout_.at(span->begin_ms), layout_.left);
            const double to = std::min(layout_.at(span->end_ms), right());
            if (to < layout_.left || from > right()) continue;
            const double width = std::max(to - from, painter_.px(1));
            painter_.fill(from, top, width, layout_.bar_height, timeline_.ink_of(*span),
                          width > painter_.px(6) ? painter_.px(2) : 0);
            if (span == pointed)
                painter_.fill(from, top + layout_.bar_height, width, std::max(2.0, painter_.px(2)), ChartInk::text);
            painter_.hint(from, top, width, layout_.bar_height, span_text(lane, *span));
            if (layout_.has_labels && span->kind != Kind::wait)
                label_from = draw_label(*span, from, to, label_from, top + layout_.bar_height);
        }
    }

    /// Below its bar, where the bar is wide enough for it. Waits have none: lines of calls cross them. Returns where
    /// the next one may begin.
    double draw_label(const TraceSpan& span, double from, double to, double free_from, double y) {
        const std::string text = label_of(span);
        const double width = painter_.text_width(text), left = std::max(from, free_from);
        if (left + width > std::max(to, from + painter_.px(1))) return free_from;
        painter_.text(left, y + painter_.px(kLabel) / 2 + painter_.px(2), text, ChartInk::faint, width + 1);
        return left + width + painter_.px(6);
    }

    /// From where the host asked for something to where it begins.
    void draw_calls(size_t k, const TraceSpan* pointed) {
        const TimelineLane& lane = timeline_.lanes()[k];
        if (!lane.is_host) return;
        const auto is_seen = [&](const TraceSpan* span) {
            return span->begin_ms >= layout_.window.begin && span->called_ms <= layout_.window.end &&
                   span->called_ms >= layout_.window.begin && span->begin_ms <= layout_.window.end;
        };
        const bool all = static_cast<size_t>(std::ranges::count_if(lane.called, is_seen)) <= kMostCalls;
        const double from = layout_.lanes[k] + painter_.px(1) + layout_.bar_height;
        for (const TraceSpan* const span : lane.called) {
            if (!is_seen(span) || (!all && span != pointed)) continue;
            const double x = layout_.at(span->called_ms);
            painter_.fill(x, from - painter_.px(3), 1, painter_.px(6), ChartInk::quiet);
            for (size_t other = k; other < timeline_.lanes().size(); ++other) {
                const TimelineLane& queue = timeline_.lanes()[other];
                if (queue.run != lane.run || std::ranges::find(queue.spans, span) == queue.spans.end()) continue;
                const ChartPoint ends[] = {{x, from + painter_.px(3)},
                                           {layout_.at(span->begin_ms), layout_.lanes[other] + painter_.px(1)}};
                painter_.line(ends, span == pointed ? painter_.px(1.5) : painter_.px(0.75),
                              span == pointed ? ChartInk::text : ChartInk::faint);
            }
        }
    }

    void draw_kinds() {
        double x = layout_.area.x;
        const double side = painter_.px(10), y = layout_.legend;
        const auto entry = [&](ChartInk ink, const std::string& text) {
            const double width = side + painter_.px(6) + painter_.text_width(text) + painter_.px(16);
            if (x + width > right() + painter_.px(16)) return;
            painter_.fill(x, std::floor(y - side / 2), side, side, ink, painter_.px(2));
            painter_.text(x + side + painter_.px(6), y, text, ChartInk::quiet, width);
            x += width;
        };
        for (size_t k = 0; k < timeline_.stages().size(); ++k) {
            const std::string_view stage = timeline_.stages()[k];
            entry(line_ink(k), std::string(stage.empty() ? "no stage" : stage));
        }
        bool copies = false, staging = false, waits = false, pages = false;
        for (const TimelineRun& run : timeline_.runs()) {
            for (const TraceSpan& span : run.trace->spans) {
                copies |= span.kind == Kind::copy;
                staging |= span.kind == Kind::staging;
                waits |= span.kind == Kind::wait;
                pages |= span.kind == Kind::migration;
            }
        }
        if (copies || pages)
            entry(ChartInk::copies, !pages ? "Copies" : copies ? "Copies, pages that move" : "Pages that move");
        if (staging) entry(ChartInk::host, "Staging");
        if (waits) entry(ChartInk::grid, "The host waits");
    }

    ChartPainter& painter_;
    const Timeline& timeline_;
    const TimelineLayout& layout_;
};

}  // namespace

void draw_timeline(ChartPainter& painter, const Timeline& timeline, const TimelineLayout& layout,
                   const TraceSpan* pointed) {
    Drawing(painter, timeline, layout).draw(pointed);
}

}  // namespace tonescope::ui
