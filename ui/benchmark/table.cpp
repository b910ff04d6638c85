// The comparison as a table: as many columns as there is room for, the less telling ones left out first.
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/benchmark/rows.h"

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

constexpr float kTableRow = 24, kTableHeader = 38, kTablePad = 8;
constexpr std::string_view kNone = "\xe2\x80\x93";
/// Places in kColumns.
enum : uint8_t {
    variant,
    source,
    device,
    result,
    kernels,
    host,
    copies,
    total,
    interval,
    rate,
    basis,
    stage,
    naive,
    cpu,
    bound,
    kCount
};

struct ColumnInfo {
    const char *over, *title;  // two lines
    float width;               // at 96 dpi
    int rank;                  // the highest goes first where there is no room
    bool number;
    const char* help;
};

constexpr std::array<ColumnInfo, kCount> kColumns = {{
    {"", "Variant", 120, 0, false, ""},
    {"", "Report", 52, 8, false, "Report (A to E) and its version that the variant stems from"},
    {"", "On", 28, 3, false, "CPU or GPU"},
    {"same as", "reference", 62, 4, false, "The result compared with the reference's, byte by byte"},
    {"Kernels,", "ms", 52, 0, true,
     "In which the device computes: kernels, and memory that it sets; median over runs in which each kernel is timed"},
    {"+ host,", "ms", 46, 6, true, "Between kernels: the host makes a table, waits, starts kernels"},
    {"+ copies,", "ms", 52, 7, true,
     "In which pixels travel between CPU and GPU memory or are staged for it, and no kernel runs"},
    {"= total,", "ms", 52, 2, true, "Median over the runs, everything included"},
    {"95 %", "interval, ms", 92, 10, true, "Where the median of the chosen time lies with 95 %"},
    {"", "MPixel/s", 56, 11, true, "Megapixels a second"},
    {"times what", "it builds on", 68, 1, true,
     "How many times as fast as the variant that this one builds on. Gray: the interval holds 1, so no difference was "
     "measured."},
    {"its stage, times", "the same there", 128, 5, true,
     "The stage whose time differs most from the one that it builds on, and how many times as fast it is"},
    {"times the", "first GPU", 56, 12, true, "How many times as fast as the first (naive) GPU variant"},
    {"times the", "reference", 58, 9, true, "How many times as fast as the reference, plain loops on the CPU"},
    {"Amdahl's", "bound", 100, 13, true,
     "What dividing the reference's work among all threads can reach at most, times the reference: 1 / (f + (1 - f) / "
     "N). The law counts threads alone: vector instructions, caches and less work can lead past it."},
}};

/// Which columns are drawn, and where.
struct TableLayout {
    std::array<bool, kCount> shown{};
    std::array<float, kCount> left{}, right{};
};

/// Columns are as wide as their texts, by what is known before anything is measured, so that nothing moves later.
std::array<float, kCount> column_widths(const Frame& ui, const Shown& shown) {
    std::array<float, kCount> widths{};
    for (size_t k = 0; k < widths.size(); ++k) widths[k] = ui.px(kColumns[k].width);
    const auto widen = [&](size_t column, const Font& font, std::string_view text) {
        widths[column] = std::max(widths[column], text_width(font, text) + 2);
    };
    for (const BenchmarkRow& row : shown.benchmark.variants) {
        if (!row.available && !shown.choice.unavailable_shown) continue;
        widen(variant, ui.theme.body, row.name());
        widen(source, ui.theme.small, row.variant->source);
        if (row.variant->wrong_by_design) widen(result, ui.theme.small, "99999999 pixels differ");
    }
    widths[source] += ui.px(4);  // before the device's color
    return widths;
}

TableLayout lay_out(const Frame& ui, const Shown& shown, const Area& area) {
    TableLayout layout;
    layout.shown.fill(true);
    const float gap = ui.px(8);
    const std::array<float, kCount> widths = column_widths(ui, shown);
    const auto needed = [&] {
        float width = 0;
        for (size_t k = 0; k < kColumns.size(); ++k)
            if (layout.shown[k]) width += widths[k] + gap;
        return width - gap;
    };
    const float room = area.width - 2 * ui.px(kTablePad);
    for (int rank = 13; rank > 0 && needed() > room; --rank)
        for (size_t k = 0; k < kColumns.size(); ++k)
            if (kColumns[k].rank == rank) layout.shown[k] = false;
    // What is left over goes between the columns.
    const float spare = std::max(room - needed(), 0.0F);
    const auto count = static_cast<float>(std::ranges::count(layout.shown, true));
    const float step = gap + std::min(spare / std::max(count - 1, 1.0F), ui.px(56));
    float x = area.x + ui.px(kTablePad);
    for (size_t k = 0; k < kColumns.size(); ++k) {
        if (!layout.shown[k]) continue;
        layout.left[k] = std::round(x);
        x += widths[k];
        layout.right[k] = std::round(x);
        x += step;
    }
    return layout;
}

void header(Frame& ui, const Area& area, const TableLayout& layout, bool by_memory_mode) {
    const Font& font = ui.theme.small;
    const float first = area.y + ui.px(4);
    const float second = first + font.size_px + ui.px(2);
    for (size_t k = 0; k < kColumns.size(); ++k) {
        if (!layout.shown[k]) continue;
        const ColumnInfo& column = kColumns[k];
        const auto text = [&](float y, const char* words) {
            const float x = column.number ? layout.right[k] - text_width(font, words) : layout.left[k];
            draw_text({x, y}, font, ui.colors.text_faint, words);
        };
        const bool is_of_mode = k == basis && by_memory_mode;
        text(first, is_of_mode ? "times" : column.over);
        text(second, is_of_mode ? kMemoryModeIds[0].data() : column.title);
        tooltip_at(ui, {layout.left[k], area.y, layout.right[k] - layout.left[k], area.height}, column.help);
    }
    fill({area.x, area.bottom() - 1, area.width, 1}, ui.colors.line_soft);
}

std::string times_text(const std::optional<Ratio>& ratio) {
    return ratio ? figure_text(ratio->value) : std::string(kNone);
}

/// The cells of the columns from `kernels` on.
std::array<std::string, kCount - kernels> number_cells(const Shown& shown, const BenchmarkRow& row) {
    const BenchmarkTime& chosen = shown.figures(row);
    const BenchmarkStage* own = row.changed_stage();
    const bool on_gpu = row.variant->backend == BackendKind::cuda;
    return {figure_text(row.kernels.time.median_ms),
            on_gpu ? figure_text(row.host_ms) : std::string(kNone),
            on_gpu ? figure_text(row.copies_ms) : std::string(kNone),
            figure_text(row.total.time.median_ms),
            interval_text(chosen.interval),
            figure_text(mpixel_s(shown.benchmark.size, chosen.time.median_ms)),
            times_text(chosen.speed_up.basis),
            own == nullptr ? std::string(kNone) : std::string(own->stage) + " " + figure_text(own->basis->value),
            times_text(chosen.speed_up.first_gpu),
            times_text(chosen.speed_up.reference),
            row.amdahl ? row.bound_text(chosen, figure_text) : std::string(kNone)};
}

/// Gray where no difference was measured. `is_step`: in the color of a warning where the row is slower.
ImU32 ratio_ink(const Frame& ui, const std::optional<Ratio>& ratio, bool is_step) {
    if (!ratio || ratio->is_no_difference()) return ui.colors.text_faint;
    return is_step && ratio->value < 1 ? ui.colors.warning : ui.colors.text;
}

ImU32 number_ink(const Frame& ui, const Shown& shown, const BenchmarkRow& row, size_t column) {
    if (column == kernels || column == total) return ui.colors.text;
    const SpeedUps& speed_up = shown.figures(row).speed_up;
    if (column == basis) return ratio_ink(ui, speed_up.basis, true);
    if (column == cpu) return ratio_ink(ui, speed_up.reference, false);
    if (column == naive) return ratio_ink(ui, speed_up.first_gpu, false);
    const BenchmarkStage* own = row.changed_stage();
    if (column == stage && own != nullptr) return ratio_ink(ui, own->basis, true);
    return ui.colors.text_quiet;
}

void draw_row(Frame& ui, const Shown& shown, const BenchmarkRow& row, const Area& area, const TableLayout& layout) {
    const Font& small = ui.theme.small;
    const bool quiet = row.state == State::not_run || row.state == State::waiting;
    const auto place = [&](size_t column) {
        return Area{layout.left[column], area.y, layout.right[column] - layout.left[column], area.height};
    };
    const auto text = [&](size_t column, ImU32 ink, std::string_view words) {
        if (layout.shown[column]) draw_line_cut(ui, place(column), small, ink, words);
    };
    draw_line_cut(ui, place(variant), ui.theme.body, quiet ? ui.colors.text_quiet : ui.colors.text, row.name());
    text(source, ui.colors.text_quiet, row.variant->source);
    const bool on_cpu = row.variant->backend == BackendKind::cpu;
    const ImU32 device_ink = on_cpu ? ui.colors.bar_cpu : ui.colors.bar_gpu;
    text(device, ui.colors.text_quiet, on_cpu ? "CPU" : "GPU");
    if (layout.shown[device])
        fill({layout.left[device] - ui.px(8), area.y + ui.px(6), ui.px(4), area.height - 2 * ui.px(6)},
             fade(device_ink, quiet ? 0.6F : 1));
    const size_t state_column = layout.shown[result] ? result : kernels;
    if (row.state == State::not_run) {
        const float left = layout.left[state_column];
        draw_line_cut(ui, {left, area.y, area.right() - ui.px(kTablePad) - left, area.height}, small,
                      row.available ? ui.colors.warning : ui.colors.text_faint, row.reason);
    }
    if (row.state == State::running) text(state_column, ui.colors.accent, "measuring");
    if (row.state != State::done) return;
    text(result, row.identical() ? ui.colors.text_quiet : ui.colors.warning,
         difference_text(row.differences, shown.benchmark.op->makes_bins, false));
    const std::array<std::string, kCount - kernels> cells = number_cells(shown, row);
    if (layout.shown[bound]) record(ui, "bound:" + row.id(), place(bound), cells.back(), false);
    if (layout.shown[host] && layout.shown[copies] && row.variant->backend == BackendKind::cuda)
        record(
            ui, "split:" + row.id(), place(kernels),
            cells[0] + " + " + cells[host - kernels] + " + " + cells[copies - kernels] + " = " + cells[total - kernels],
            false);
    if (const auto& ratio = shown.figures(row).speed_up.basis; ratio && layout.shown[basis])
        record(ui, "basis:" + row.id(), place(basis), ratio_text(*ratio, figure_text), false);
    for (size_t k = kernels; k < kColumns.size(); ++k)
        if (layout.shown[k])
            draw_line(place(k), small, number_ink(ui, shown, row, k), cells[k - kernels], Align::right);
}

size_t unavailable(const BenchmarkModel& benchmark) {
    return static_cast<size_t>(std::ranges::count(benchmark.variants, false, &BenchmarkRow::available));
}

/// The line that stands for all variants that cannot run here, and opens and closes them.
void fold_row(Frame& ui, const Shown& shown, const Area& area) {
    const size_t count = unavailable(shown.benchmark);
    std::string reason;
    for (const BenchmarkRow& row : shown.benchmark.variants)
        if (!row.available) reason = reason.empty() || reason == row.reason ? row.reason : "for several reasons";
    bool& open = shown.choice.unavailable_shown;
    const Area ground{area.x, area.y, area.width, area.height - 1};
    if (row_area(ui, "rows that cannot run", ground)) open = !open;
    const float pad = ui.px(kTablePad);
    draw_icon(ui, open ? Icon::chevron_up : Icon::chevron_down, {area.right() - pad - ui.px(8), ground.center().y},
              ui.px(8), ui.colors.text_quiet);
    draw_line_cut(
        ui, {area.x + pad, area.y, area.width - 3 * pad - ui.px(14), area.height}, ui.theme.small, ui.colors.text_quiet,
        std::to_string(count) + (count == 1 ? " variant cannot run here: " : " variants cannot run here: ") + reason);
    record(ui, "rows that cannot run", ground, open ? "open" : "closed");
}

}  // namespace

float benchmark_table_height(const Frame& ui, const Shown& shown) {
    const size_t folded = unavailable(shown.benchmark);
    const size_t rows = shown.benchmark.variants.size() - (shown.choice.unavailable_shown ? 0 : folded);
    return ui.px(kTableHeader) + ui.px(kTableRow) * static_cast<float>(rows + (folded > 0 ? 1 : 0));
}

void draw_benchmark_table(Frame& ui, const Shown& shown, const Area& area) {
    const TableLayout layout = lay_out(ui, shown, area);
    header(ui, {area.x, area.y, area.width, ui.px(kTableHeader)}, layout, shown.benchmark.by_memory_mode);
    const Area rows{area.x, area.y + ui.px(kTableHeader), area.width, area.height - ui.px(kTableHeader)};
    ImGui::SetCursorScreenPos(rows.min());
    // The scroll bar takes its place from the padding.
    begin_child("##variants", {rows.width + ui.px(kScrollMargin), rows.height}, 0, rows.width);
    const auto next = [&](const auto& draw) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Area place{at.x, at.y, rows.width, ui.px(kTableRow)};
        draw(place);
        ImGui::SetCursorScreenPos({place.x, place.bottom()});
    };
    const auto draw_rows = [&](bool available) {
        for (const BenchmarkRow& row : shown.benchmark.variants)
            if (row.available == available)
                next([&](const Area& place) {
                    variant_row(ui, shown, row, place, "row:");
                    draw_row(ui, shown, row, place, layout);
                });
    };
    ui.keyboard.begin_group(ImGui::GetID("rows"), true);
    draw_rows(true);
    if (unavailable(shown.benchmark) > 0) next([&](const Area& place) { fold_row(ui, shown, place); });
    if (shown.choice.unavailable_shown) draw_rows(false);
    ui.keyboard.end_group();
    ImGui::Dummy({1, 0});
    end_child(ui);
}

}  // namespace tonescope::ui
