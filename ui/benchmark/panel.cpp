#include "ui/benchmark/panel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

constexpr float kPad = 12, kGap = 8;
/// Below this width the toolbar takes two rows. At 96 dpi.
constexpr float kWide = 820;

constexpr std::array<std::string_view, 5> kTabs = {"Table", "Time", "Throughput", "\u00d7 builds on",
                                                   "\u00d7 reference"};

/// Parts of the view from top to bottom.
struct Column {
    Area left;  // what is still free

    Area take(float height) {
        const Area part{left.x, left.y, left.width, height};
        left.y += height;
        left.height -= height;
        return part;
    }
};

void strip(Frame& ui, const BenchmarkModel& benchmark, const Area& area) {
    fill(area, ui.colors.raised);
    const float side = ui.px(kStripHeight - 4);
    const float pad = ui.px(kPad);
    const float x = area.x + pad + text_width(ui.theme.strong, "Compare variants") + ui.px(10);
    draw_line({area.x + pad, area.y, 0, area.height}, ui.theme.strong, ui.colors.text, "Compare variants");
    if (benchmark.op != nullptr)
        draw_line_cut(ui, {x, area.y, area.right() - side - pad - x, area.height}, ui.theme.body, ui.colors.accent,
                      std::string(benchmark.op->name) + "   " + benchmark.subject, true);
    if (icon_button(ui, {area.right() - side - ui.px(2), area.y + ui.px(2)}, "Close comparison", Icon::close, side))
        ui.ask(ShowBenchmark{false});
    tooltip(ui, "Back to the image" + ui.keys("back"));
}

bool has_results(const BenchmarkModel& benchmark) {
    return std::ranges::any_of(benchmark.variants,
                               [](const BenchmarkRow& variant) { return variant.state == State::done; });
}

void buttons(Frame& ui, const BenchmarkModel& benchmark, ImVec2 at) {
    const bool stale = !benchmark.stale.empty();
    const auto next = [&](const char* text, ButtonStyle style, bool enabled) {
        const float width = std::ceil(text_width(ui.theme.body, text)) + ui.px(22);
        const ImVec2 place = at;
        at.x += width + ui.px(kGap);
        return button(ui, place, text, width, style, enabled);
    };
    if (next("Run again", stale ? ButtonStyle::accent : ButtonStyle::normal, !benchmark.running || stale))
        ui.ask(RunBenchmark{});
    tooltip(ui, "Measure the variants with the image and the parameters as they are now");
    if (next("Stop", ButtonStyle::normal, benchmark.running)) ui.ask(StopBenchmark{});
    if (next("Export...", ButtonStyle::normal, !benchmark.running && has_results(benchmark)))
        ui.commands->run("export-comparison");
    tooltip(ui, "Save the comparison as CSV, JSON, Markdown or PNG");
    if (next("Source", ButtonStyle::normal, true)) ui.commands->run("source");
    tooltip(ui, ui.commands->help("source"));
}

/// What the rows are.
void rows_choice(Frame& ui, const BenchmarkModel& benchmark, const Area& area) {
    constexpr std::array<std::string_view, 2> values = {"Variants", "Memory modes"};
    ImGui::SetCursorScreenPos({area.x, area.y + ui.px(1)});
    const int clicked = segmented(ui, "Rows", values, benchmark.by_memory_mode ? 1 : 0, area.width);
    if (clicked >= 0 && (clicked == 1) != benchmark.by_memory_mode) ui.ask(SetBenchmarkRows{clicked == 1});
    tooltip_at(ui, area,
               "Compares all variants of the operator, or the chosen variant in every memory mode: pageable, pinned, "
               "mapped, managed and overlapped");
}

void times_choice(Frame& ui, BenchmarkChoice& choice, const Area& area) {
    constexpr std::array<std::string_view, 3> values = {"Kernels", "Without copies", "Total"};
    ImGui::SetCursorScreenPos({area.x, area.y + ui.px(1)});
    const int clicked = segmented(ui, "Time of", values, choice.time, area.width);
    if (clicked >= 0) choice.time = clicked;
    tooltip_at(ui, area,
               "What throughput, speed-ups and charts count: the time in which the device computes, also what the host "
               "does between, or also the copies between CPU and GPU memory");
}

std::string status_text(const BenchmarkModel& benchmark) {
    if (!benchmark.error.empty()) return benchmark.error;
    if (benchmark.running) {
        for (const BenchmarkRow& variant : benchmark.variants)
            if (variant.state == State::running)
                return format("%d of %d: ", benchmark.done + 1, benchmark.count) + std::string(variant.variant->name);
        if (benchmark.count == 0) return "Starting";
        return benchmark.done < benchmark.count
                   ? format("%d of %d", benchmark.done, benchmark.count)
                   : format("All %d measured; more rounds for narrower intervals", benchmark.count);
    }
    if (benchmark.stopped) return format("Stopped: %d of %d rows measured", benchmark.done, benchmark.count);
    if (benchmark.op == nullptr) return {};
    const size_t out = benchmark.variants.size() - static_cast<size_t>(benchmark.count);
    const char* const rows = benchmark.by_memory_mode ? "row" : "variant";
    std::string text = format("%d %s%s measured", benchmark.done, rows, benchmark.done == 1 ? "" : "s");
    if (out > 0) text += format(", %d cannot run here", static_cast<int>(out));
    return text;
}

/// A line of text over the bar that fills up.
void status(Frame& ui, const BenchmarkModel& benchmark, const Area& area) {
    const Font& font = ui.theme.small;
    const float bar = std::max(2.0F, ui.px(4));
    const Area track{area.x, area.bottom() - bar, area.width, bar};
    const std::string text = status_text(benchmark);
    draw_line_cut(ui, {area.x, area.y, area.width, font.size_px}, font,
                  benchmark.error.empty() ? ui.colors.text_quiet : ui.colors.error, text);
    fill(track, ui.colors.frame, bar / 2);
    const float part = benchmark.running ? static_cast<float>(std::clamp(benchmark.progress, 0.0, 1.0)) : 0;
    if (part > 0) fill({track.x, track.y, track.width * part, bar}, ui.colors.accent, bar / 2);
    record(ui, "comparison status", area, text, false);
    if (benchmark.running) record(ui, "comparison progress", track, format("%.2f", benchmark.progress), false);
}

/// Whether the results are of what is set now, and what bounds them. Its height never changes.
void note(Frame& ui, const BenchmarkModel& benchmark, const Area& area) {
    const Font& font = ui.theme.small;
    const bool stale = !benchmark.stale.empty();
    const std::string& text = stale ? benchmark.stale : benchmark.remarks;
    if (text.empty()) return;
    const bool fits = text_height(font, text, area.width) <= area.height + 1;
    draw_text(area.min(), font, stale ? ui.colors.warning : ui.colors.text_faint,
              fits ? text : cut_text(ui, area, font, text), area.width);
    record(ui, stale ? "comparison stale" : "comparison remarks", area, text, false);
}

/// Which charts there are to choose from: with the table among them where it has no place of its own.
void tabs(Frame& ui, const Shown& shown, const Area& area, bool with_table) {
    BenchmarkChoice& choice = shown.choice;
    std::array<std::string_view, kTabs.size()> all = kTabs;
    if (shown.benchmark.by_memory_mode) all[3] = "\u00d7 pageable";
    const std::span<const std::string_view> names = std::span<const std::string_view>(all).subspan(with_table ? 0 : 1);
    const int first = with_table ? 0 : 1;
    const int current = std::max(choice.tab, first);
    constexpr std::array<std::string_view, 2> scales = {"linear", "log"};
    const float scale_width = ui.px(116);
    const float room = area.width - scale_width - ui.px(kGap);
    float width = 0;
    for (const std::string_view name : names)
        width = std::max(width, std::ceil(text_width(ui.theme.body, name)) + ui.px(16));
    width *= static_cast<float>(names.size());
    ImGui::SetCursorScreenPos(area.min());
    const bool fits = segments_fit(ui, names, std::min(width, room));
    const int chosen = fits ? segmented(ui, "chart", names, current - first, std::min(width, room))
                            : choose(ui, "chart", names, current - first, std::min(room, ui.px(220)));
    if (chosen >= 0) choice.tab = chosen + first;
    if (current == 0) return;
    ImGui::SetCursorScreenPos({area.right() - scale_width, area.y});
    const int scale = segmented(ui, "Axis", scales, choice.logarithmic ? 1 : 0, scale_width);
    if (scale >= 0) choice.logarithmic = scale == 1;
}

void body(Frame& ui, const Shown& shown, Column column) {
    const float tab_row = ui.px(kSegmentHeight + kGap);
    const float table = benchmark_table_height(ui, shown);
    const float both = table + ui.px(kGap) + tab_row + benchmark_chart_height(ui, shown);
    if (both <= column.left.height) {
        draw_benchmark_table(ui, shown, column.take(table));
        column.take(ui.px(kGap));
        tabs(ui, shown, column.take(tab_row), false);
        draw_benchmark_chart(ui, shown, column.left);
        return;
    }
    tabs(ui, shown, column.take(tab_row), true);
    if (shown.choice.tab == 0)
        draw_benchmark_table(ui, shown, column.left);
    else
        draw_benchmark_chart(ui, shown, column.left);
}

}  // namespace

std::string figure_text(double value) {
    if (value >= 999.5) return with_separators(static_cast<uint64_t>(std::llround(value)));
    if (value >= 99.95) return format("%.0f", value);
    if (value >= 9.995) return format("%.1f", value);
    if (value >= 0.9995) return format("%.2f", value);
    return format("%.3f", value);
}

void BenchmarkPanel::draw(Frame& ui, const BenchmarkModel& benchmark, const RunModel& run, const Area& area) {
    const Shown shown{benchmark, run, choice_};
    ui.panel = "compare";
    Column column{area};
    strip(ui, benchmark, column.take(ui.px(kStripHeight)));
    column.left = {area.x + ui.px(kPad), column.left.y + ui.px(10), area.width - 2 * ui.px(kPad),
                   column.left.height - ui.px(16)};
    const bool wide = column.left.width >= ui.px(kWide);
    const float basis_width = std::min(ui.px(318), column.left.width), rows_width = ui.px(220);
    const Area toolbar = column.take(ui.px(kControlHeight));
    buttons(ui, benchmark, toolbar.min());
    if (!wide) column.take(ui.px(kGap));
    const Area second = wide ? toolbar : column.take(ui.px(kControlHeight));
    const bool both = second.width >= basis_width + rows_width + ui.px(kGap);
    const Area times{wide || both ? second.right() - basis_width : second.x, second.y, basis_width, second.height};
    times_choice(ui, choice_, times);
    const Area third = both ? second : column.take(ui.px(kControlHeight + kGap));
    rows_choice(ui, benchmark,
                {both ? times.x - ui.px(kGap) - rows_width : third.x, both ? third.y : third.y + ui.px(kGap),
                 rows_width, second.height});
    column.take(ui.px(10));
    status(ui, benchmark, column.take(ui.theme.small.size_px + ui.px(8)));
    column.take(ui.px(6));
    const float lines = column.left.width >= ui.px(700) ? 2 : 3;
    note(ui, benchmark, column.take(lines * ui.theme.small.size_px + ui.px(4)));
    column.take(ui.px(kGap));
    body(ui, shown, column);
}

}  // namespace tonescope::ui
