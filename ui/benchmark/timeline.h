// Runs on a time axis: a lane for what the host does and one for each stream. Drawn into the window and into files by
// the same code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/benchmark/benchmark_row.h"
#include "ui/benchmark/bar_chart.h"

namespace tonescope::ui {

struct TimelineRun {
    std::string title;  // of its variant or memory mode
    std::shared_ptr<const RunTrace> trace;
};

struct TimelineLane {
    size_t run = 0;
    std::string name;                      // "Host", "Driver's thread", "Stream 1", "Pages"
    bool is_host = false;                  // what the calling thread does
    std::vector<const TraceSpan*> spans;   // in the order in which they begin; none overlaps another
    std::vector<const TraceSpan*> called;  // on the host's lane: what it queues on streams
};

class Timeline {
  public:
    Timeline() = default;
    explicit Timeline(std::vector<TimelineRun> runs);

    const std::vector<TimelineRun>& runs() const { return runs_; }
    /// From top to bottom, those of a run together.
    const std::vector<TimelineLane>& lanes() const { return lanes_; }
    /// Of all runs, which begin together.
    double begin_ms() const { return begin_ms_; }
    double end_ms() const { return end_ms_; }
    /// Stages that compute, in the order in which they begin: each has a color of its own.
    const std::vector<std::string_view>& stages() const { return stages_; }
    ChartInk ink_of(const TraceSpan& span) const;

  private:
    void add_run(size_t run);

    std::vector<TimelineRun> runs_;
    std::vector<TimelineLane> lanes_;
    double begin_ms_ = 0, end_ms_ = 0;
    std::vector<std::string_view> stages_;
};

/// The runs of a row and of the one that it is compared with, as far as they have been traced. `with_basis`: else the
/// former alone.
Timeline timeline_of(const std::vector<BenchmarkRow>& rows, int chosen, bool with_basis);

/// "Two streams: 9.01 ms = kernels 3.52 + copies 5.20 + host 0.29; 2.11 ms of copies while kernels run".
std::string sums_text(const TimelineRun& run);
/// What lanes cannot show as it happens, in a sentence: pages that move by themselves, pixels that cross the bus. Empty
/// where there is nothing to be said.
std::string unseen_text(const std::vector<BenchmarkRow>& rows, int chosen);
/// Name, begin, duration, bytes and call, in lines.
std::string span_text(const TimelineLane& lane, const TraceSpan& span);

/// A part of the time axis, ms.
struct TimeWindow {
    double begin = 0, end = 1;
    double length() const { return end - begin; }
};

/// Which part of the axis is shown.
class TimelineView {
  public:
    void fit() { chosen_.reset(); }
    bool is_fit() const { return !chosen_; }
    /// `at`: what stays in place, 0 to 1 from the left end.
    void zoom(const Timeline& timeline, double factor, double at);
    /// By a part of what is shown: the axis moves to the right where that is above 0.
    void move(const Timeline& timeline, double part);
    TimeWindow shown(const Timeline& timeline) const;

  private:
    std::optional<TimeWindow> chosen_;
};

struct TimeAxis {
    Timeline timeline;
    TimelineView view;
};

/// Multiples of 1, 2 or 5 times a power of ten within the window, at most `count`.
std::vector<double> time_ticks(const TimeWindow& window, int count);
/// "0.25 ms", or "4 µs" where ticks lie close: with the digits that ticks a step apart need.
std::string time_text(double ms, double step_ms);

/// Where everything stands, pixels.
struct TimelineLayout {
    ChartRow area;    // all of it
    double left = 0;  // where the axis begins, behind the lanes' names
    TimeWindow window = {};
    double axis = 0;  // middle of the ticks' numbers
    double lane_height = 0, bar_height = 0;
    bool has_labels = false;         // below bars
    std::vector<double> heads = {};  // middle of each run's line
    std::vector<double> lanes = {};  // top of each
    double legend = 0, bottom = 0;   // middle of the legend; where all ends

    double at(double ms) const { return left + (area.right() - left) * (ms - window.begin) / window.length(); }
    double part_of(double x) const { return (x - left) / (area.right() - left); }
};
/// Within `area`; taller than that where lanes would become too low.
TimelineLayout lay_out(const ChartPainter& painter, const Timeline& timeline, const TimeWindow& window,
                       const ChartRow& area);

struct PointedSpan {
    const TimelineLane* lane = nullptr;
    const TraceSpan* span = nullptr;
};
/// What lies at a place; narrow spans reach a little further than they are drawn.
PointedSpan span_at(const ChartPainter& painter, const Timeline& timeline, const TimelineLayout& layout, double x,
                    double y);

/// `pointed`: its call is drawn in any case.
void draw_timeline(ChartPainter& painter, const Timeline& timeline, const TimelineLayout& layout,
                   const TraceSpan* pointed = nullptr);

}  // namespace tonescope::ui
