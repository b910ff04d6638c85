// The comparison as a table: as many columns as there is room for, the less telling ones left out first.
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/benchmark/parts.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

constexpr float kTableRow = 24, kTableHeader = 38, kTablePad = 8;
constexpr std::string_view kNone = "\xe2\x80\x93";
constexpr const char* kTenToNinety =
    "10\xe2\x80\x93"
    "90 % ms";

enum ColumnId : uint8_t {
    variant,
    source,
    device,
    result,
    kernels,
    spread,
    total,
    rate,
    previous,
    best,
    naive,
    cpu,
    amdahl
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
    {"", "Source", 52, 8, false, "Report and version that it stems from"},
    {"", "On", 28, 2, false, "CPU or GPU"},
    {"", "Result", 62, 3, false, "Compared with the reference, byte by byte"},
    {"Kernels", "ms", 46, 0, true, "Median over the runs, without copies between host and device"},
    {"Kernels", kTenToNinety, 84, 9, true, "10th and 90th percentile over the runs"},
    {"Total", "ms", 46, 4, true, "Median over the runs, with copies between host and device"},
    {"", "MPixel/s", 56, 5, true, "Megapixels a second"},
    {"times the", "previous", 52, 6, true, "How many times as fast as the variant before it on the same backend"},
    {"times the", "best before", 66, 7, true,
     "How many times as fast as the fastest right variant before it on the same backend"},
    {"times the", "first GPU", 56, 10, true, "How many times as fast as the first (naive) GPU variant"},
    {"times the", "CPU", 52, 1, true, "How many times as fast as the plain loops on the CPU"},
    {"Amdahl's", "bound", 52, 11, true,
     "What spreading the reference's work over all threads can reach at most, as a multiple of the CPU: 1 / (f + "
     "(1 - f) / N)"},
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
    const float gap = ui.px(9);
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
    const float first = area.y + ui.px(3);
    const float second = first + font.size_px + ui.px(2);
    for (size_t k = 0; k < kColumns.size(); ++k) {
        if (!layout.shown[k]) continue;
        const ColumnInfo& column = kColumns[k];
        const auto text = [&](float y, const char* words) {
            if (column.number)
                draw_text_right({layout.right[k], y}, font, ui.colors.text_faint, words);
            else
                draw_text({layout.left[k], y}, font, ui.colors.text_faint, words);
        };
        text(first, column.over);
        text(second, column.title);
        tooltip_at(ui, {layout.left[k], area.y}, {layout.right[k], area.bottom()}, column.help);
    }
    ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.bottom() - 1}, area.max(), ui.colors.line_soft);
}

std::string times_text(const std::optional<double>& value) {
    return value ? figure_text(*value) : std::string(kNone);
}

std::string number_cell(const Shown& shown, const BenchmarkRow& row, size_t column) {
    const BenchmarkTime& chosen = figures(shown, row);
    switch (column) {
        case kernels:
            return figure_text(row.compute.time.median_ms);
        case spread:
            return figure_text(row.compute.time.p10_ms) + "\xe2\x80\x93" + figure_text(row.compute.time.p90_ms);
        case total:
            return figure_text(row.total.time.median_ms);
        case rate:
            return figure_text(mpixel_s(shown.benchmark.size, chosen.time.median_ms));
        case previous:
            return times_text(chosen.speed_up.previous);
        case best:
            return times_text(chosen.speed_up.best_previous);
        case naive:
            return times_text(chosen.speed_up.first_gpu);
        case cpu:
            return times_text(chosen.speed_up.reference);
        default:
            return times_text(row.amdahl);
    }
}

ImU32 number_ink(const Frame& ui, const Shown& shown, const BenchmarkRow& row, size_t column) {
    if (column == kernels || column == cpu) return ui.colors.text;
    const auto& speed_up = figures(shown, row).speed_up;
    const std::optional<double> value = column == previous ? speed_up.previous
                                        : column == best   ? speed_up.best_previous
                                                           : std::nullopt;
    return value && *value < 0.995 ? ui.colors.warning : ui.colors.text_quiet;
}

void draw_row(Frame& ui, const Shown& shown, const BenchmarkRow& row, const Area& area, const Layout& layout) {
    const Font& body = ui.theme.body;
    const Font& small = ui.theme.small;
    const bool quiet = row.state == State::not_run || row.state == State::waiting;
    const float y = middle(body, area.y, area.height);
    const float small_y = middle(small, area.y, area.height);
    const auto text = [&](size_t column, ImU32 ink, std::string_view words) {
        if (layout.shown[column])
            draw_text({layout.left[column], small_y}, small, ink,
                      shorten(small, words, layout.right[column] - layout.left[column]));
    };
    draw_text({layout.left[variant], y}, body, quiet ? ui.colors.text_quiet : ui.colors.text,
              shorten(body, row.variant->name, layout.right[variant] - layout.left[variant]));
    text(source, ui.colors.text_quiet, row.variant->source);
    const ImU32 device_ink = backend_color(ui.colors, row.variant->backend);
    text(device, quiet ? fade(device_ink, 0.6F) : device_ink, row.variant->backend == BackendKind::cpu ? "CPU" : "GPU");
    if (row.state == State::not_run) {
        const size_t from = layout.shown[result] ? result : kernels;
        const float left = layout.shown[result] ? layout.left[result] : layout.left[from];
        draw_text({left, small_y}, small, row.available ? ui.colors.warning : ui.colors.text_faint,
                  shorten(small, row.reason, area.right() - ui.px(kTablePad) - left));
        return;
    }
    if (row.state == State::running) text(layout.shown[result] ? result : kernels, ui.colors.accent, "measuring");
    if (row.state != State::done) return;
    text(result, row.identical() ? ui.colors.text_quiet : ui.colors.warning,
         row.result_text(shown.benchmark.op->makes_bins));
    for (size_t k = kernels; k < kColumns.size(); ++k)
        if (layout.shown[k])
            draw_text_right({layout.right[k], small_y}, small, number_ink(ui, shown, row, k),
                            number_cell(shown, row, k));
}

}  // namespace

float benchmark_table_height(const Frame& ui, const Shown& shown) {
    return ui.px(kTableHeader) + ui.px(kTableRow) * static_cast<float>(shown.benchmark.variants.size());
}

void draw_benchmark_table(Frame& ui, const Shown& shown, const Area& area) {
    const Layout layout = lay_out(ui, shown, area);
    header(ui, {area.x, area.y, area.width, ui.px(kTableHeader)}, layout);
    const Area rows{area.x, area.y + ui.px(kTableHeader), area.width, area.height - ui.px(kTableHeader)};
    ImGui::SetCursorScreenPos(rows.min());
    // The scroll bar takes its place from the padding.
    begin_child("##variants", {rows.width + ui.px(kScrollMargin), rows.height}, 0, rows.width);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float y = start.y;
    for (const BenchmarkRow& row : shown.benchmark.variants) {
        const Area place{start.x, y, rows.width, ui.px(kTableRow)};
        variant_row(ui, shown, row, place, "row:");
        draw_row(ui, shown, row, place, layout);
        y += place.height;
    }
    ImGui::SetCursorScreenPos({start.x, y});
    ImGui::Dummy({1, 0});
    ImGui::EndChild();
}

}  // namespace tonescope::ui
