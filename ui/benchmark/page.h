// A page of the view that compares variants: a class in a file of its own, and a row in the table of pages.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ui/model/benchmark.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

class BenchmarkPage;
struct TimeAxis;

struct BenchmarkPageInfo {
    std::string_view id;     // in actions and --ui-state
    std::string_view title;  // of its button
    std::string_view help;
    std::unique_ptr<BenchmarkPage> (*make)();
};

/// In the order of the buttons.
std::span<const BenchmarkPageInfo> benchmark_pages();

/// How far a page's measurement is, and what its buttons can do.
struct PageStatus {
    bool running = false, can_run = true, can_export = false;
    double progress = 0;  // 0 to 1
    std::string text = {}, error = {};
    std::string stale = {};  // why the results are not of what is set now
};
/// Of the rows in the model.
PageStatus rows_status(const BenchmarkModel& benchmark);

/// What a page shows, below what all pages share: buttons, how far the measurement is, and remarks.
class BenchmarkPage {
  public:
    virtual ~BenchmarkPage() = default;
    /// Its controls beside the line that says how far the measurement is; 0: it has none. Pixels.
    virtual float toolbar_width(const Frame&) const { return 0; }
    /// As high as a control.
    virtual void draw_toolbar(Frame&, const BenchmarkModel&, const Area&) {}
    virtual PageStatus status(const BenchmarkModel& benchmark) const { return rows_status(benchmark); }
    /// In sentences, above what it draws; may be empty.
    virtual std::string remarks(const BenchmarkModel& benchmark) const { return benchmark.remarks; }
    /// That the commands for zooming and moving work on; null: it has none.
    virtual TimeAxis* time_axis() { return nullptr; }
    virtual void draw(Frame& ui, const BenchmarkModel& benchmark, const RunModel& run, const Area& area) = 0;
};

/// Parts of an area from top to bottom.
struct Column {
    Area left;  // what is still free

    Area take(float height) {
        const Area part{left.x, left.y, left.width, height};
        left.y += height;
        left.height -= height;
        return part;
    }
};

/// Between the parts of a page, at 96 dpi.
inline constexpr float kPageGap = 8;

/// One of several values to choose from: buttons side by side, or a list `list_width` wide where these lack room. As
/// segmented().
int choose_one(Frame& ui, const char* label, std::span<const std::string_view> values, int current, const Area& area,
               float list_width);
/// What the buttons of choose_one() take.
float choices_width(const Frame& ui, std::span<const std::string_view> values);

/// Which time figures are of.
enum class TimesOf : uint8_t { kernels, compute, total };
/// The choice among them, kTimesWidth wide at 96 dpi.
inline constexpr float kTimesWidth = 318;
void draw_times_choice(Frame& ui, TimesOf& times, const Area& area);
BenchmarkTime BenchmarkRow::*member_of(TimesOf times);

/// "0.0123", "12.3", "46,588": about three significant digits.
std::string figure_text(double value);
/// "9.8–10.3"; a dash where there is none.
std::string interval_text(const std::optional<Interval>& interval);

}  // namespace tonescope::ui
