#include "ui/benchmark/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

// At 96 dpi
constexpr float kPad = 12, kPageListWidth = 180;
/// A lower panel keeps its room for the rows: what else would be noted is in the status line and its tooltip.
constexpr float kNoteHeight = 400;
/// What the line that says how far the measurement is needs beside a page's controls.
constexpr float kStatusWidth = 200;

constexpr std::array kButtons = {"Run", "Stop", "Export...", "Source"};

float button_width(const Frame& ui, const char* text) {
    return std::ceil(text_width(ui.theme.body, text)) + ui.px(22);
}

std::vector<std::string_view> page_titles() {
    std::vector<std::string_view> titles;
    for (const BenchmarkPageInfo& page : benchmark_pages()) titles.push_back(page.title);
    return titles;
}

size_t index_of(std::string_view page) {
    const auto found = std::ranges::find(benchmark_pages(), page, &BenchmarkPageInfo::id);
    return static_cast<size_t>(found - benchmark_pages().begin());
}

std::string help_of_pages() {
    std::string help;
    for (const BenchmarkPageInfo& page : benchmark_pages())
        help += (help.empty() ? "" : "\n") + std::string(page.title) + ": " + std::string(page.help);
    return help;
}

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

void buttons(Frame& ui, const PageStatus& status, ImVec2 at) {
    const bool stale = !status.stale.empty();
    const auto next = [&](const char* text, ButtonStyle style, bool enabled) {
        const float width = button_width(ui, text);
        const ImVec2 place = at;
        at.x += width + ui.px(kPageGap);
        return button(ui, place, text, width, style, enabled);
    };
    if (next(kButtons[0], stale ? ButtonStyle::accent : ButtonStyle::normal,
             status.can_run && (!status.running || stale)))
        ui.ask(RunBenchmark{});
    tooltip(ui, "Measure with the image and the parameters as they are now");
    if (next(kButtons[1], ButtonStyle::normal, status.running)) ui.ask(StopBenchmark{});
    if (next(kButtons[2], ButtonStyle::normal, !status.running && status.can_export))
        ui.commands->run("export-comparison");
    tooltip(ui, "Save what this page shows to a file");
    if (next(kButtons[3], ButtonStyle::normal, true)) ui.commands->run("source");
    tooltip(ui, ui.commands->help("source"));
}

/// A line of text over the bar that fills up.
void draw_status(Frame& ui, const PageStatus& status, bool says_stale, const Area& area) {
    const Font& font = ui.theme.small;
    const float bar = std::max(2.0F, ui.px(4));
    const Area track{area.x, area.bottom() - bar, area.width, bar};
    const bool stale = says_stale && !status.stale.empty();
    const std::string& text = !status.error.empty() ? status.error : stale ? status.stale : status.text;
    const ImU32 ink = !status.error.empty() ? ui.colors.error : stale ? ui.colors.warning : ui.colors.text_quiet;
    draw_line_cut(ui, {area.x, area.y, area.width, font.size_px}, font, ink, text);
    fill(track, ui.colors.frame, bar / 2);
    const float part = status.running ? static_cast<float>(std::clamp(status.progress, 0.0, 1.0)) : 0;
    if (part > 0) fill({track.x, track.y, track.width * part, bar}, ui.colors.accent, bar / 2);
    record(ui, "comparison status", area, text, false);
    if (status.running) record(ui, "comparison progress", track, format("%.2f", status.progress), false);
}

/// Whether the results are of what is set now, and what bounds them. Its height never changes.
void note(Frame& ui, const std::string& why_stale, const std::string& remarks, const Area& area) {
    const Font& font = ui.theme.small;
    const bool stale = !why_stale.empty();
    const std::string& text = stale ? why_stale : remarks;
    if (text.empty()) return;
    const bool fits = text_height(font, text, area.width) <= area.height + 1;
    draw_text(area.min(), font, stale ? ui.colors.warning : ui.colors.text_faint,
              fits ? text : cut_text(ui, area, font, text), area.width);
    record(ui, stale ? "comparison stale" : "comparison remarks", area, text, false);
}

/// Widths of the buttons with the gaps between them.
float buttons_width(const Frame& ui) {
    float width = -ui.px(kPageGap);
    for (const char* text : kButtons) width += button_width(ui, text) + ui.px(kPageGap);
    return width;
}

void page_choice(Frame& ui, size_t current, const Area& area) {
    const std::vector<std::string_view> titles = page_titles();
    const int clicked = choose_one(ui, "Page", titles, static_cast<int>(current),
                                   {area.x, area.y + ui.px(1), area.width, area.height}, ui.px(kPageListWidth));
    if (clicked >= 0 && static_cast<size_t>(clicked) != current)
        ui.ask(ShowBenchmarkPage{benchmark_pages()[static_cast<size_t>(clicked)].id});
    tooltip_at(ui, area, help_of_pages());
}

bool has_results(const BenchmarkModel& benchmark) {
    return std::ranges::any_of(benchmark.variants,
                               [](const BenchmarkRow& variant) { return variant.state == State::done; });
}

std::string status_text(const BenchmarkModel& benchmark) {
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

}  // namespace

PageStatus rows_status(const BenchmarkModel& benchmark) {
    return {.running = benchmark.running,
            .can_export = has_results(benchmark),
            .progress = benchmark.progress,
            .text = status_text(benchmark),
            .error = benchmark.error,
            .stale = benchmark.stale};
}

BenchmarkPanel::BenchmarkPanel() {
    for (const BenchmarkPageInfo& page : benchmark_pages()) pages_.push_back(page.make());
}

TimeAxis* BenchmarkPanel::time_axis(const BenchmarkModel& benchmark) const {
    return pages_[index_of(benchmark.page)]->time_axis();
}

void BenchmarkPanel::draw(Frame& ui, const BenchmarkModel& benchmark, const RunModel& run, const Area& area) {
    const size_t current = index_of(benchmark.page);
    BenchmarkPage& page = *pages_[current];
    const PageStatus status = page.status(benchmark);
    ui.panel = "compare";
    Column column{area};
    strip(ui, benchmark, column.take(ui.px(kStripHeight)));
    column.left = {area.x + ui.px(kPad), column.left.y + ui.px(10), area.width - 2 * ui.px(kPad),
                   column.left.height - ui.px(16)};
    const auto next_row = [&] {
        const Area row = column.take(ui.px(kControlHeight));
        column.take(ui.px(kPageGap));
        return row;
    };
    Area row = next_row();
    const float pages_width = choices_width(ui, page_titles()), all_buttons = buttons_width(ui);
    const float room = row.width - all_buttons - ui.px(2 * kPageGap);
    const bool fits = room >= std::min(pages_width, ui.px(kPageListWidth));
    page_choice(ui, current, {row.x, row.y, std::min(pages_width, fits ? room : row.width), row.height});
    if (!fits) row = next_row();
    buttons(ui, status, {fits ? row.right() - all_buttons : row.x, row.y});

    row = next_row();
    if (const float tools = std::min(page.toolbar_width(ui), row.width); tools > 0) {
        const float beside = row.width - tools - ui.px(2 * kPageGap);
        const bool shared = beside >= ui.px(kStatusWidth);
        page.draw_toolbar(ui, benchmark, {shared ? row.right() - tools : row.x, row.y, tools, row.height});
        if (shared)
            row.width = beside;
        else
            row = next_row();
    }
    const float line = ui.theme.small.size_px + ui.px(8);
    const Area line_area{row.x, std::round(row.center().y - line / 2), row.width, line};
    const bool has_note = area.height >= ui.px(kNoteHeight);
    draw_status(ui, status, !has_note, line_area);
    if (has_note) {
        const float lines = column.left.width >= ui.px(700) ? 2 : 3;
        note(ui, status.stale, page.remarks(benchmark), column.take(lines * ui.theme.small.size_px + ui.px(4)));
        column.take(ui.px(kPageGap));
    } else if (const std::string remarks = page.remarks(benchmark); !remarks.empty()) {
        tooltip_at(ui, line_area, remarks);
    }
    page.draw(ui, benchmark, run, column.left);
}

}  // namespace tonescope::ui
