// The comparison as a table: as many columns as there is room for, the less telling ones left out first; and what a
// row has in common with a bar of a chart.
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/benchmark/panel.h"

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

constexpr float kTableRow = 24, kTableHeader = 38, kTablePad = 8;
constexpr std::string_view kNone = "\xe2\x80\x93";
constexpr const char* kTenToNinety =
    "10\xe2\x80\x93"
    "90 % ms";

/// Places in kColumns.
enum : uint8_t {
    variant,
    source,
    device,
    result,
    kernels,
    percentiles,
    total,
    rate,
    previous,
    best,
    naive,
    cpu,
    bound
};

struct ColumnInfo {
    const char *over, *title;  // two lines
    float width;               // at 96 dpi
    int rank;                  // the highest goes first where there is no room
    bool number;
    const char* help;
};

constexpr std::array<ColumnInfo, 13> kColumns = {{
    {"", "Variant", 120, 0, false, ""},
    {"", "Report", 52, 8, false, "Report (A to E) and its version that the variant stems from"},
    {"", "On", 28, 2, false, "CPU or GPU"},
    {"same as", "reference", 62, 3, false, "The result compared with the reference's, byte by byte"},
    {"Without", "copies, ms", 62, 0, true, "Median over the runs, without copies between CPU and GPU memory"},
    {"Without copies", kTenToNinety, 92, 9, true, "10th and 90th percentile over the runs"},
    {"Total,", "ms", 46, 4, true, "Median over the runs, with copies between CPU and GPU memory"},
    {"", "MPixel/s", 56, 5, true, "Megapixels a second"},
    {"times the", "previous", 52, 6, true,
     "How many times as fast as the variant before it on the same processor (CPU or GPU)"},
    {"times the", "fastest before", 82, 7, true,
     "How many times as fast as the fastest variant before it on the same processor (CPU or GPU) whose result is "
     "correct"},
    {"times the", "first GPU", 56, 10, true, "How many times as fast as the first (naive) GPU variant"},
    {"times the", "reference", 58, 1, true, "How many times as fast as the reference, plain loops on the CPU"},
    {"Amdahl's", "bound", 82, 11, true,
     "What dividing the reference's work among all threads can reach at most, times the reference: 1 / (f + (1 - f) / "
     "N). The law counts threads alone: vector instructions, caches and less work can lead past it."},
}};

/// Which columns are drawn, and where.
struct Layout {
    std::array<bool, 13> shown{};
    std::array<float, 13> left{}, right{};
};

/// What the texts of a column need, from what is known before anything is measured, so that nothing moves later.
std::array<float, 4> text_widths(const Frame& ui, const Shown& shown) {
    std::array<float, 4> widths{};
    for (size_t k = 0; k < widths.size(); ++k) widths[k] = ui.px(kColumns[k].width);
    for (const BenchmarkRow& row : shown.benchmark.variants) {
        widths[variant] = std::max(widths[variant], text_width(ui.theme.body, row.variant->name) + 2);
        widths[source] = std::max(widths[source], text_width(ui.theme.small, row.variant->source) + 2);
        if (row.variant->wrong_by_design || !row.identical()) widths[result] = ui.px(156);
    }
    return widths;
}

Layout lay_out(const Frame& ui, const Shown& shown, const Area& area) {
    Layout layout;
    layout.shown.fill(true);
    const float gap = ui.px(8);
    const auto needed = [&] {
        float width = 0;
        for (size_t k = 0; k < kColumns.size(); ++k)
            if (layout.shown[k]) width += ui.px(kColumns[k].width) + gap;
        return width - gap;
    };
    const float room = area.width - 2 * ui.px(kTablePad);
    for (int rank = 11; rank > 0 && needed() > room; --rank)
        for (size_t k = 0; k < kColumns.size(); ++k)
            if (kColumns[k].rank == rank) layout.shown[k] = false;
    // What is left over goes to the texts first, then between the columns.
    float spare = std::max(room - needed(), 0.0F);
    std::array<float, 4> texts = text_widths(ui, shown);
    for (const size_t k : {size_t{result}, size_t{variant}, size_t{source}}) {
        const float least = ui.px(kColumns[k].width);
        const float more = layout.shown[k] ? std::min(texts[k] - least, spare) : 0;
        texts[k] = least + more;
        spare -= more;
    }
    const auto count = static_cast<float>(std::ranges::count(layout.shown, true));
    const float step = gap + std::min(spare / std::max(count - 1, 1.0F), ui.px(26));
    float x = area.x + ui.px(kTablePad);
    for (size_t k = 0; k < kColumns.size(); ++k) {
        if (!layout.shown[k]) continue;
        layout.left[k] = std::round(x);
        x += k < texts.size() ? texts[k] : ui.px(kColumns[k].width);
        layout.right[k] = std::round(x);
        x += step;
    }
    return layout;
}

void header(Frame& ui, const Area& area, const Layout& layout) {
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
        text(first, column.over);
        text(second, column.title);
        tooltip_at(ui, {layout.left[k], area.y, layout.right[k] - layout.left[k], area.height}, column.help);
    }
    fill({area.x, area.bottom() - 1, area.width, 1}, ui.colors.line_soft);
}

std::string times_text(const std::optional<double>& value) {
    return value ? figure_text(*value) : std::string(kNone);
}

/// The cells of the columns from `kernels` on.
std::array<std::string, 9> number_cells(const Shown& shown, const BenchmarkRow& row) {
    const TimeSummary& time = row.compute.time;
    const BenchmarkTime& chosen = shown.figures(row);
    return {figure_text(time.median_ms),
            figure_text(time.p10_ms) + "\u2013" + figure_text(time.p90_ms),
            figure_text(row.total.time.median_ms),
            figure_text(mpixel_s(shown.benchmark.size, chosen.time.median_ms)),
            times_text(chosen.speed_up.previous),
            times_text(chosen.speed_up.best_previous),
            times_text(chosen.speed_up.first_gpu),
            times_text(chosen.speed_up.reference),
            times_text(row.amdahl) + (row.passes_bound(chosen) ? ", passed" : "")};
}

ImU32 number_ink(const Frame& ui, const Shown& shown, const BenchmarkRow& row, size_t column) {
    if (column == kernels || column == cpu) return ui.colors.text;
    const auto& speed_up = shown.figures(row).speed_up;
    const std::optional<double> value = column == previous ? speed_up.previous
                                        : column == best   ? speed_up.best_previous
                                                           : std::nullopt;
    return value && *value < 0.995 ? ui.colors.warning : ui.colors.text_quiet;
}

void draw_row(Frame& ui, const Shown& shown, const BenchmarkRow& row, const Area& area, const Layout& layout) {
    const Font& small = ui.theme.small;
    const bool quiet = row.state == State::not_run || row.state == State::waiting;
    const auto place = [&](size_t column) {
        return Area{layout.left[column], area.y, layout.right[column] - layout.left[column], area.height};
    };
    const auto text = [&](size_t column, ImU32 ink, std::string_view words) {
        if (layout.shown[column]) draw_line_cut(ui, place(column), small, ink, words);
    };
    draw_line_cut(ui, place(variant), ui.theme.body, quiet ? ui.colors.text_quiet : ui.colors.text, row.variant->name);
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
         row.result_text(shown.benchmark.op->makes_bins));
    const std::array<std::string, 9> cells = number_cells(shown, row);
    if (layout.shown[bound]) record(ui, "bound:" + std::string(row.variant->id), place(bound), cells.back(), false);
    for (size_t k = kernels; k < kColumns.size(); ++k)
        if (layout.shown[k])
            draw_line(place(k), small, number_ink(ui, shown, row, k), cells[k - kernels], Align::right);
}

std::string percentiles_line(std::string_view name, const TimeSummary& time) {
    return std::string(name) + "   " + figure_text(time.median_ms) + " ms (" + figure_text(time.p10_ms) + " to " +
           figure_text(time.p90_ms) + ")\n";
}

/// "report B, version 0" of "B 0"; "report B, version CPU 2; report C, version CPU" of "B CPU 2; C CPU".
std::string report_text(std::string_view source) {
    std::string text;
    while (!source.empty()) {
        const size_t end = std::min(source.find("; "), source.size());
        const std::string_view one = source.substr(0, end);
        text += (text.empty() ? "report " : "; report ") + std::string(one.substr(0, 1)) + ", version " +
                std::string(one.substr(std::min<size_t>(2, one.size())));
        source.remove_prefix(std::min(end + 2, source.size()));
    }
    return text;
}

/// Idea, cost and flaw, then what was measured.
std::string explanation(const BenchmarkRow& row, bool bins) {
    const VariantInfo& variant = *row.variant;
    std::string text(variant.name);
    if (!variant.source.empty()) text += " (" + report_text(variant.source) + ")";
    text += "\n";
    if (const VariantInfo* basis = basis_of(variant)) text += "Builds on " + title_of(*basis) + "\n";
    if (const std::string same = same_kernels_text(variant); !same.empty()) text += same + "\n";
    const auto sentence = [&](const char* what, std::string_view words) {
        if (!words.empty()) text += "\n" + std::string(what) + ": " + std::string(words) + "\n";
    };
    sentence("Idea", variant.idea);
    sentence("Cost", variant.cost);
    sentence("Flaw", variant.flaw);
    if (row.state == State::not_run) {
        sentence("Not run", row.reason);
    } else if (row.state == State::done) {
        text += "\n" + std::to_string(row.runs) + (row.runs == 1 ? " run" : " runs") +
                (row.memory ? ", " + std::string(kMemoryModeIds[static_cast<size_t>(*row.memory)]) + " memory" : "") +
                ", median (10 to 90 %):\n";
        for (const BenchmarkStage& stage : row.stages) text += percentiles_line(stage.stage, stage.time);
        text += percentiles_line("total", row.total.time);
        if (!row.kernels.empty()) text += "\n";
        for (const KernelResources& kernel : row.kernels)
            text += std::string(kernel.stage) + "   " + std::to_string(kernel.registers) + " registers, " +
                    with_separators(kernel.shared_bytes) + " bytes shared, " +
                    format("%.0f %% occupancy\n", kernel.occupancy_percent);
        text += "\nCompared with the reference: " + row.result_text(bins) + "\n";
    }
    text.pop_back();
    return text;
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

void choose_variant(Frame& ui, const Shown& shown, const VariantInfo& variant) {
    if (shown.run.op != shown.benchmark.op) ui.ask(SetOperator{shown.benchmark.op});
    if (shown.run.backend != variant.backend) ui.ask(SetBackend{variant.backend});
    ui.ask(SetVariant{&variant});
}

}  // namespace

void variant_row(Frame& ui, const Shown& shown, const BenchmarkRow& row, const Area& area, const char* label) {
    const VariantInfo& variant = *row.variant;
    const bool current = shown.run.variant == &variant;
    const Area ground{area.x, area.y, area.width, area.height - 1};
    ImGui::PushID(&variant);
    const bool clicked = hit_area(ui, label, area, current);
    ImGui::PopID();
    row_ground(ui, ground, current, 3);
    tooltip(ui, explanation(row, shown.benchmark.op->makes_bins));
    constexpr const char* states[] = {"waiting", "measuring", "", "not run"};
    const bool done = row.state == State::done;
    record(ui, label + std::string(variant.id), ground,
           done ? row.result_text(shown.benchmark.op->makes_bins) : std::string(states[static_cast<size_t>(row.state)]),
           true, row.available);
    if (clicked && row.available && !current) choose_variant(ui, shown, variant);
}

float benchmark_table_height(const Frame& ui, const Shown& shown) {
    const size_t folded = unavailable(shown.benchmark);
    const size_t rows = shown.benchmark.variants.size() - (shown.choice.unavailable_shown ? 0 : folded);
    return ui.px(kTableHeader) + ui.px(kTableRow) * static_cast<float>(rows + (folded > 0 ? 1 : 0));
}

void draw_benchmark_table(Frame& ui, const Shown& shown, const Area& area) {
    const Layout layout = lay_out(ui, shown, area);
    header(ui, {area.x, area.y, area.width, ui.px(kTableHeader)}, layout);
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
