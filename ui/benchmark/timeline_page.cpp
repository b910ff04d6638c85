// The page "Timeline": what a run of the chosen variant does when, above one of what it builds on.
#include <array>
#include <cmath>

#include "ui/benchmark/page.h"
#include "ui/benchmark/timeline.h"
#include "ui/benchmark/window_painter.h"

namespace tonescope::ui {
namespace {

constexpr std::array<std::string_view, 2> kRuns = {"Alone", "With its basis"};
constexpr float kRunsWidth = 220;

/// Why there is nothing to be drawn.
std::string missing_text(const BenchmarkModel& benchmark) {
    if (benchmark.chosen < 0) return "The variant on screen was not measured: the page Variants does that";
    const BenchmarkRow& row = benchmark.variants[static_cast<size_t>(benchmark.chosen)];
    if (row.state == BenchmarkRow::State::not_run) return row.name() + " was not run: " + row.reason;
    return row.name() + " has not been measured yet";
}

class TimelinePage : public BenchmarkPage {
  public:
    float toolbar_width(const Frame& ui) const override { return ui.px(kRunsWidth) + ui.px(kPageGap) + fit_width(ui); }
    void draw_toolbar(Frame& ui, const BenchmarkModel&, const Area& area) override {
        const float fit = fit_width(ui);
        const Area runs{area.x, area.y + ui.px(1), area.width - fit - ui.px(kPageGap), area.height};
        ImGui::SetCursorScreenPos(runs.min());
        const int clicked = segmented(ui, "Runs", kRuns, with_basis_ ? 1 : 0, runs.width);
        if (clicked >= 0) with_basis_ = clicked == 1;
        tooltip_at(ui, runs, "The run of the chosen variant alone, or above that of the variant that it builds on");
        if (button(ui, {area.right() - fit, area.y}, "Fit", fit, ButtonStyle::normal, !axis_.view.is_fit()))
            axis_.view.fit();
        tooltip(ui, "Shows the whole run" + ui.keys("fit"));
    }
    std::string remarks(const BenchmarkModel& benchmark) const override {
        const std::string unseen = unseen_text(benchmark.variants, benchmark.chosen);
        return "A traced run whose time is near the median. Tracing keeps kernels apart. The wheel zooms, dragging "
               "moves, a double-click fits" +
               (unseen.empty() ? "" : ". " + unseen);
    }
    TimeAxis* time_axis() override { return &axis_; }

    void draw(Frame& ui, const BenchmarkModel& benchmark, const RunModel&, const Area& area) override {
        axis_.timeline = timeline_of(benchmark.variants, benchmark.chosen, with_basis_);
        const Timeline& timeline = axis_.timeline;
        if (timeline.runs().empty()) {
            const std::string text = missing_text(benchmark);
            draw_line(area, ui.theme.body, ui.colors.text_quiet, text, Align::center);
            record(ui, "timeline", area, text, false);
            return;
        }
        WindowPainter painter(ui, ui.theme.small);
        const auto lay_out_in = [&](const Area& place) {
            return lay_out(painter, timeline, axis_.view.shown(timeline),
                           {place.x, place.y, place.width, place.height});
        };
        ImGui::SetCursorScreenPos(area.min());
        begin_child("##timeline", {area.width + ui.px(kScrollMargin), area.height}, ImGuiWindowFlags_NoScrollWithMouse,
                    area.width);
        Area place = area_at_cursor(area.height);
        place.width = area.width;
        TimelineLayout layout = lay_out_in(place);
        place.height = std::max(place.height, static_cast<float>(layout.bottom) - place.y);
        use_mouse(ui, layout, place);
        layout = lay_out_in(place);
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const PointedSpan pointed =
            ImGui::IsItemHovered() ? span_at(painter, timeline, layout, mouse.x, mouse.y) : PointedSpan{};
        draw_timeline(painter, timeline, layout, pointed.span);
        if (pointed.span != nullptr) draw_tooltip(ui, span_text(*pointed.lane, *pointed.span));
        const TimeWindow& window = layout.window;
        record(ui, "timeline", place, format("%.6g to %.6g ms", window.begin, window.end), false);
        record_spans(ui, layout);
        ImGui::SetCursorScreenPos({place.x, static_cast<float>(layout.bottom)});
        ImGui::Dummy({1, 0});
        end_child(ui);
    }

  private:
    static float fit_width(const Frame& ui) { return std::ceil(text_width(ui.theme.body, "Fit")) + ui.px(22); }

    void use_mouse(Frame& ui, const TimelineLayout& layout, const Area& place) {
        mouse_area(ui, "time axis", place, "pan-left");
        const bool starts = ImGui::IsItemActivated();
        const ImGuiIO& io = ImGui::GetIO();
        const double part = layout.part_of(io.MousePos.x);
        if (ImGui::IsItemHovered() && io.MouseWheel != 0)
            axis_.view.zoom(axis_.timeline, std::pow(2.0, io.MouseWheel / 3.0), std::clamp(part, 0.0, 1.0));
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) axis_.view.fit();
        // The way to where the button went down is no drag, however few frames there were.
        if (!ImGui::IsItemActive() || starts || io.MouseDelta.x == 0) return;
        axis_.view.move(axis_.timeline, io.MouseDelta.x / (layout.area.right() - layout.left));
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    }

    void record_spans(Frame& ui, const TimelineLayout& layout) {
        for (size_t k = 0; k < axis_.timeline.lanes().size(); ++k) {
            const TimelineLane& lane = axis_.timeline.lanes()[k];
            record(ui, "lane:" + std::to_string(lane.run + 1) + ":" + lane.name,
                   {static_cast<float>(layout.left), static_cast<float>(layout.lanes[k]),
                    static_cast<float>(layout.area.right() - layout.left), static_cast<float>(layout.lane_height)},
                   std::to_string(lane.spans.size()), false);
        }
    }

    bool with_basis_ = true;
    TimeAxis axis_;
};

}  // namespace

std::unique_ptr<BenchmarkPage> make_timeline_page() {
    return std::make_unique<TimelinePage>();
}

}  // namespace tonescope::ui
