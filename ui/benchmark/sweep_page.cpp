// The page "Sweep": variants over sizes, contents or values of a parameter, as line charts and as a table; and what a
// report says of its experiment beside what was measured.
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/benchmark/line_chart.h"
#include "ui/benchmark/page.h"
#include "ui/benchmark/window_painter.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

using Along = ExperimentSetup::Along;

// At 96 dpi
constexpr float kSubjectWidth = 230, kParamWidth = 150, kChoiceWidth = 150, kCaseWidth = 190, kAxesWidth = 150;
constexpr float kCellWidth = 84, kCellHeight = 24, kNameWidth = 190, kClaimGap = 10;
constexpr float kLeastHeight = 330;
constexpr float kPointReach = 14;  // of the mouse around it

constexpr const char* kHelp =
    "Every variant is measured with each value, size or content. An experiment of a report brings its own image and "
    "parameters; the image that is open serves for the others. More than one axis: --sweep on the command line.";

constexpr std::array<std::string_view, 6> kViews = {"Time",  "Throughput",     "\u00d7 builds on", "\u00d7 reference",
                                                    "Table", "The report said"};
constexpr int kTableView = 4, kClaimsView = 5;  // among them; those before are charts, as in ChartFigure
constexpr std::array<std::string_view, 3> kAxes = {"auto", "linear", "log"};            // as in AxisKind
constexpr std::array<std::string_view, 3> kOwn = {"A parameter", "Sizes", "Contents"};  // as in Along

std::string unit_of(ChartFigure figure, const std::string& basis_title) {
    switch (figure) {
        case ChartFigure::time:
            return "ms";
        case ChartFigure::throughput:
            return "MPixel/s";
        case ChartFigure::basis:
            return "times as fast as " + basis_title;
        case ChartFigure::cpu:
            break;
    }
    return "times as fast as the reference on the CPU";
}

class SweepPage : public BenchmarkPage {
  public:
    float toolbar_width(const Frame& ui) const override { return ui.px(kTimesWidth); }
    void draw_toolbar(Frame& ui, const BenchmarkModel&, const Area& area) override {
        draw_times_choice(ui, times_, area);
    }
    PageStatus status(const BenchmarkModel& benchmark) const override {
        const ExperimentModel& model = benchmark.experiment;
        const auto count = static_cast<int>(model.cases.size());
        const bool any = std::ranges::any_of(model.cases, [](const CaseRows& one) { return !one.rows.empty(); });
        PageStatus status{.running = model.running,
                          .can_run = model.problem.empty(),
                          .can_export = any,
                          .progress = model.progress,
                          .error = model.error};
        if (model.running)
            status.text = format("Case %d of %d", std::min(model.done + 1, count), count);
        else if (model.stopped)
            status.text = format("Stopped: %d of %d cases measured", model.done, count);
        else if (count > 0)
            status.text = format("%d %s measured", model.done, model.done == 1 ? "case" : "cases");
        else
            status.text = "Choose what is swept, then run it";
        return status;
    }
    std::string remarks(const BenchmarkModel& benchmark) const override {
        const ExperimentModel& model = benchmark.experiment;
        if (!model.problem.empty()) return model.problem;
        if (model.op == nullptr) return {};
        return model.title +
               ". Medians with 95 % intervals. A click on a point runs that variant with the case's "
               "parameters and image.";
    }

    void draw(Frame& ui, const BenchmarkModel& benchmark, const RunModel&, const Area& area) override {
        const ExperimentModel& model = benchmark.experiment;
        ImGui::SetCursorScreenPos(area.min());
        begin_child("##sweep", {area.width + ui.px(kScrollMargin), area.height}, 0, area.width);
        Area whole = area_at_cursor(std::max(area.height, ui.px(kLeastHeight)));
        whole.width = area.width;
        Column column{whole};
        subject(ui, model, column.take(ui.px(kControlHeight)));
        column.take(ui.px(kPageGap));
        float bottom = 0;
        if (model.op == nullptr) {
            draw_text(column.left.min(), ui.theme.small, ui.colors.text_faint, kHelp, column.left.width);
        } else {
            controls(ui, model, column);
            if (view_ == kClaimsView)
                bottom = draw_claims(ui, model, column.left);
            else
                draw_cases(ui, model, column.left);
        }
        ImGui::SetCursorScreenPos({whole.x, std::max(bottom, whole.bottom())});
        ImGui::Dummy({1, 0});
        end_child(ui);
    }

  private:
    /// What is to be measured.
    void subject(Frame& ui, const ExperimentModel& model, const Area& area) {
        std::vector<std::string_view> names(kOwn.begin(), kOwn.end());
        int current = static_cast<int>(model.setup.along);
        for (size_t k = 0; k < model.entries.size(); ++k) {
            names.emplace_back(model.entries[k].title);
            if (model.entries[k].id == model.setup.experiment) current = static_cast<int>(kOwn.size() + k);
        }
        if (shown_ != model.setup) {
            shown_ = model.setup;
            values_ = model.setup.values;
        }
        const float gap = ui.px(kPageGap);
        float x = area.x;
        const auto next = [&](float width) {
            width = std::min(width, std::max(area.right() - x, 1.0F));
            ImGui::SetCursorScreenPos({x, area.y});
            x += width + gap;
            return width;
        };
        const int chosen = choose(ui, "Swept", names, current, next(ui.px(kSubjectWidth)));
        if (chosen >= 0) ui.ask(SetExperiment{setup_for(model, static_cast<size_t>(chosen))});
        if (!model.setup.experiment.empty()) {
            const auto entry = std::ranges::find(model.entries, model.setup.experiment, &ExperimentEntry::id);
            if (entry != model.entries.end())
                draw_line_cut(ui, {x, area.y, area.right() - x, area.height}, ui.theme.small, ui.colors.text_quiet,
                              entry->detail);
            return;
        }
        if (model.setup.along == Along::param && !model.params.empty()) {
            std::vector<std::string_view> params;
            int param = 0;
            for (size_t k = 0; k < model.params.size(); ++k) {
                params.emplace_back(model.params[k].title);
                if (model.params[k].id == model.setup.param) param = static_cast<int>(k);
            }
            const int clicked = choose(ui, "Swept parameter", params, param, next(ui.px(kParamWidth)));
            if (clicked >= 0) {
                const ExperimentEntry& entry = model.params[static_cast<size_t>(clicked)];
                ui.ask(SetExperiment{{.param = entry.id, .values = entry.values}});
            }
        }
        const char* const hint = model.setup.along == Along::param   ? "Values: 8,16,32"
                                 : model.setup.along == Along::sizes ? "Sizes: reports, powers, 4k, 640x480"
                                                                     : "Contents: noise,smooth";
        const bool entered = text_field(ui, "Swept values", hint, values_, next(area.right() - x));
        ExperimentSetup setup = model.setup;
        setup.values = values_;
        if (setup != model.setup) {
            ui.ask(SetExperiment{setup});
            shown_ = setup;  // what is typed stays in the field
        }
        if (entered && model.problem.empty()) ui.ask(RunBenchmark{});
    }

    static ExperimentSetup setup_for(const ExperimentModel& model, size_t chosen) {
        if (chosen >= kOwn.size()) return {.experiment = model.entries[chosen - kOwn.size()].id};
        ExperimentSetup setup{.along = static_cast<Along>(chosen)};
        if (setup.along == Along::sizes) setup.values = model.sizes;
        if (setup.along == Along::contents) setup.values = model.contents;
        return setup;
    }

    /// Which chart there is, and of which cases.
    void controls(Frame& ui, const ExperimentModel& model, Column& column) {
        axis_ = std::min(
            axis_chosen_ < 0 || title_ != model.title ? main_axis(model.axes) : static_cast<size_t>(axis_chosen_),
            model.axes.empty() ? 0 : model.axes.size() - 1);
        if (title_ != model.title) {
            title_ = model.title;
            axis_chosen_ = -1;
            chart_ = 0;
            if (model.claims.empty() && view_ == kClaimsView) view_ = 0;
        }
        const std::span<const std::string_view> views =
            std::span<const std::string_view>(kViews).first(model.claims.empty() ? kClaimsView : kViews.size());
        const Area row = column.take(ui.px(kSegmentHeight));
        column.take(ui.px(kPageGap));
        const float axes_width = ui.px(kAxesWidth), room = row.width - axes_width - ui.px(kPageGap);
        const int clicked = choose_one(ui, "chart", views, std::min<int>(view_, static_cast<int>(views.size()) - 1),
                                       {row.x, row.y, room, row.height}, ui.px(kChoiceWidth));
        if (clicked >= 0) view_ = clicked;
        if (view_ < kTableView) {
            ImGui::SetCursorScreenPos({row.right() - axes_width, row.y});
            const int kind = segmented(ui, "Axis", kAxes, static_cast<int>(kind_), axes_width);
            if (kind >= 0) kind_ = static_cast<AxisKind>(kind);
        }
        if (view_ == kClaimsView) return;
        charts_ =
            line_charts(*model.op, model.axes, model.cases, axis_, {figure(), member_of(times_)}, figure_text, "");
        chart_ = std::min(chart_, charts_.empty() ? 0 : charts_.size() - 1);
        if (model.axes.size() < 2) return;
        const Area second = column.take(ui.px(kControlHeight));
        column.take(ui.px(kPageGap));
        std::vector<std::string> along;
        std::vector<std::string_view> along_names, case_names;
        for (const CaseAxis& axis : model.axes) along.push_back("Along: " + axis.title);
        along_names.assign(along.begin(), along.end());
        ImGui::SetCursorScreenPos(second.min());
        const int axis = choose(ui, "Along", along_names, static_cast<int>(axis_), ui.px(kChoiceWidth));
        if (axis >= 0) {
            axis_chosen_ = axis;
            chart_ = 0;
        }
        for (const LineChart& chart : charts_) case_names.emplace_back(chart.title);
        if (case_names.size() < 2) return;
        ImGui::SetCursorScreenPos({second.x + ui.px(kChoiceWidth + kPageGap), second.y});
        const int chosen = choose(ui, "Case", case_names, static_cast<int>(chart_),
                                  std::min(ui.px(kCaseWidth), second.width - ui.px(kChoiceWidth + kPageGap)));
        if (chosen >= 0) chart_ = static_cast<size_t>(chosen);
    }

    ChartFigure figure() const { return view_ < kTableView ? static_cast<ChartFigure>(view_) : ChartFigure::time; }

    void draw_cases(Frame& ui, const ExperimentModel& model, const Area& area) {
        if (charts_.empty() || charts_[chart_].lines.empty()) {
            draw_line({area.x, area.y, area.width, ui.px(kCellHeight)}, ui.theme.small, ui.colors.text_faint,
                      model.running ? "measuring" : "Nothing has been measured for this chart");
            return;
        }
        if (view_ == kTableView)
            draw_table(ui, model, charts_[chart_], area);
        else
            draw_chart(ui, model, charts_[chart_], area);
    }

    /// The point of a chart that has the keyboard: Left and Right go along a line, Up and Down to another one.
    std::optional<std::pair<size_t, size_t>> keyed_point(const LineChart& chart) {
        if (chart.lines.empty()) return std::nullopt;
        const auto step = [](size_t& at, ImGuiKey back, ImGuiKey forth, size_t count) {
            if (key_pressed(forth, true)) ++at;
            if (key_pressed(back, true) && at > 0) --at;
            at = std::min(at, count - 1);
        };
        step(keyed_line_, ImGuiKey_UpArrow, ImGuiKey_DownArrow, chart.lines.size());
        step(keyed_place_, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, chart.lines[keyed_line_].points.size());
        return std::pair{keyed_line_, keyed_place_};
    }

    void draw_chart(Frame& ui, const ExperimentModel& model, const LineChart& chart, const Area& area) {
        const Font& font = ui.theme.small;
        WindowPainter painter(ui, font);
        const float title = font.size_px + ui.px(8);  // above the chart the unit, below it what it goes along
        const ChartRow place{area.x, area.y + title, area.width, area.height - 2 * title};
        const LinePlot plot = plot_of(painter, chart, place, kind_);
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        ImGui::SetCursorScreenPos(area.min());
        const Area lines{area.x, area.y, area.width, area.height - title};
        bool chosen = part_area("##lines", lines);
        const bool hovered = ImGui::IsItemHovered();
        std::optional<std::pair<size_t, size_t>> under;
        if (hovered) under = plot.nearest(mouse.x, mouse.y, ui.px(kPointReach));
        const bool by_keys = list_control(ui, "##lines", lines, false) && ui.keyboard.is_visible();
        if (by_keys) {
            under = keyed_point(chart);
            chosen |= under && enter_pressed();
        }
        std::optional<size_t> highlighted;
        if (under) highlighted = under->first;
        for (size_t i = 0; hovered && !under && i < chart.lines.size(); ++i) {
            const bool on_name = mouse.x >= plot.label_left && std::abs(mouse.y - plot.label_y[i]) <= ui.px(7);
            if (on_name) highlighted = i;
        }
        draw_line_chart(painter, chart, plot, place, highlighted);
        for (size_t i = 0; i < chart.lines.size(); ++i) {
            for (size_t k = 0; k < chart.lines[i].points.size(); ++k) {
                const ChartPoint& at = plot.points[i][k];
                const LinePoint& point = chart.lines[i].points[k];
                const float side = ui.px(8);
                record(ui, "point:" + row_of(model, chart.lines[i].row, point).id() + ":" + label_of(model, point),
                       {static_cast<float>(at.x) - side / 2, static_cast<float>(at.y) - side / 2, side, side},
                       point.bar.text, false);
            }
        }
        if (under) {
            const ChartLine& line = chart.lines[under->first];
            const LinePoint& point = line.points[under->second];
            if (by_keys) {
                const ChartPoint& at = plot.points[under->first][under->second];
                ImGui::SetNextWindowPos({static_cast<float>(at.x) + ui.px(12), static_cast<float>(at.y)});
            }
            draw_tooltip(ui, tooltip_text(model, line, point));
            if (chosen) ui.ask(RunCase{point.point, line.row});
        }
        painter.text(area.x, area.y + title / 2, unit_of(figure(), model.basis_title), ChartInk::faint, area.width);
        painter.text(plot.x.left, area.bottom() - title / 2, model.axes.empty() ? "" : title_of(model.axes[axis_]),
                     ChartInk::faint, plot.x.right - plot.x.left);
        record(ui, "sweep chart", area, chart.title, false);
    }

    static const BenchmarkRow& row_of(const ExperimentModel& model, size_t row, const LinePoint& point) {
        return model.cases[point.point].rows[row];
    }
    std::string label_of(const ExperimentModel& model, const LinePoint& point) const {
        return model.axes.empty() ? "" : model.axes[axis_].labels[model.cases[point.point].place[axis_]];
    }
    std::string tooltip_text(const ExperimentModel& model, const ChartLine& line, const LinePoint& point) const {
        const BenchmarkRow& row = row_of(model, line.row, point);
        std::string text = line.name + "\n" + model.case_titles[point.point] + "\n\n";
        text += point.bar.text;
        if (figure() == ChartFigure::throughput) text += " MPixel/s";
        if (point.bar.high > point.bar.low) text += " (" + interval_text(Interval{point.bar.low, point.bar.high}) + ")";
        text += "\n\nkernels   " + figure_text(row.kernels.time.median_ms) + " ms\ntotal   " +
                figure_text(row.total.time.median_ms) + " ms\n" + std::to_string(row.runs) +
                (row.runs == 1 ? " run" : " runs") + "\n" + row.result_text(model.op->makes_bins);
        return text;
    }

    /// A row a variant, a column a place on the axis; each cell runs its case.
    void draw_table(Frame& ui, const ExperimentModel& model, const LineChart& chart, const Area& area) {
        const Font& font = ui.theme.small;
        float cell = ui.px(kCellWidth);
        for (const std::string& label : chart.labels) cell = std::max(cell, text_width(font, label) + ui.px(14));
        float name = ui.px(kNameWidth);
        for (const ChartLine& line : chart.lines)
            name = std::max(name, text_width(ui.theme.body, line.name) + ui.px(12));
        const float height = ui.px(kCellHeight);
        const float width = std::max(area.width, name + cell * static_cast<float>(chart.labels.size()));
        ImGui::SetCursorScreenPos(area.min());
        begin_child("##cases", {area.width + ui.px(kScrollMargin), area.height}, ImGuiWindowFlags_HorizontalScrollbar,
                    width);
        const ImVec2 top = ImGui::GetCursorScreenPos();
        draw_line({top.x, top.y, name, height}, font, ui.colors.text_faint,
                  chart.title.empty() ? "Median, ms" : chart.title + ", ms");
        for (size_t k = 0; k < chart.labels.size(); ++k)
            draw_line({top.x + name + cell * static_cast<float>(k), top.y, cell, height}, font, ui.colors.text_faint,
                      chart.labels[k], Align::right);
        fill({top.x, top.y + height - 1, width, 1}, ui.colors.line_soft);
        float y = top.y + height;
        ui.keyboard.begin_group(ImGui::GetID("cases"), true);
        for (const ChartLine& line : chart.lines) {
            draw_line_cut(ui, {top.x, y, name - ui.px(8), height}, ui.theme.body, ui.colors.text, line.name);
            for (const LinePoint& point : line.points) {
                const auto at = std::ranges::find(chart.positions, point.position) - chart.positions.begin();
                const Area place{top.x + name + cell * static_cast<float>(at), y, cell, height};
                const BenchmarkRow& row = row_of(model, line.row, point);
                const std::string label = "cell:" + row.id() + ":" + label_of(model, point);
                ImGui::PushID(static_cast<int>(line.row));
                if (row_area(ui, label.c_str(), place)) ui.ask(RunCase{point.point, line.row});
                ImGui::PopID();
                tooltip(ui, tooltip_text(model, line, point));
                draw_line({place.x, place.y, place.width - ui.px(4), place.height}, font,
                          row.identical() ? ui.colors.text_quiet : ui.colors.warning,
                          figure_text((row.*member_of(times_)).time.median_ms), Align::right);
                record(ui, label, place, point.bar.text);
            }
            y += height;
        }
        ui.keyboard.end_group();
        ImGui::SetCursorScreenPos({top.x, y});
        ImGui::Dummy({width, 1});
        end_child(ui);
    }

    /// What the report says of each step, and what was measured. Returns its bottom.
    static float draw_claims(Frame& ui, const ExperimentModel& model, const Area& area) {
        const Font& font = ui.theme.small;
        ImVec2 at = area.min();
        const auto paragraph = [&](const Font& with, ImU32 color, const std::string& text) {
            draw_text(at, with, color, text, area.width);
            at.y += text_height(with, text, area.width) + ui.px(2);
        };
        for (const ClaimEntry& claim : model.claims) {
            const float top = at.y;
            paragraph(ui.theme.body, ui.colors.text, claim.step);
            paragraph(font, ui.colors.text_quiet, claim.sentence);
            paragraph(font, ui.colors.text_quiet,
                      "The report: " + claim.said + (claim.measured.empty() ? "" : "; here: " + claim.measured));
            paragraph(font,
                      claim.kind == ClaimEntry::Kind::holds           ? ui.colors.accent
                      : claim.kind == ClaimEntry::Kind::in_part       ? ui.colors.text
                      : claim.kind == ClaimEntry::Kind::does_not_hold ? ui.colors.warning
                                                                      : ui.colors.text_faint,
                      claim.verdict);
            record(ui, "claim:" + claim.step, {area.x, top, area.width, at.y - top}, claim.verdict, false);
            at.y += ui.px(kClaimGap);
        }
        return at.y;
    }

    TimesOf times_ = TimesOf::kernels;
    int view_ = 0;  // of kViews
    AxisKind kind_ = AxisKind::automatic;
    int axis_chosen_ = -1;  // negative: main_axis()
    size_t axis_ = 0, chart_ = 0;
    size_t keyed_line_ = 0, keyed_place_ = 0;  // the point that has the keyboard
    std::string title_;                        // of the experiment that the choices are of
    std::vector<LineChart> charts_;            // of this frame
    ExperimentSetup shown_;                    // what `values_` began with
    std::string values_;                       // what is typed
};

}  // namespace

std::unique_ptr<BenchmarkPage> make_sweep_page() {
    return std::make_unique<SweepPage>();
}

}  // namespace tonescope::ui
