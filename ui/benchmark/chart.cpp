// The comparison as horizontal bars, one a variant.
#include <algorithm>
#include <cmath>

#include "ui/benchmark/parts.h"
#include "ui/state.h"
#include "ui/widgets/chart_axis.h"

namespace tonescope::ui {
namespace {

using State = ComparedVariant::State;

constexpr float kRowLeast = 20, kRowMost = 34, kFooter = 46;

/// One bar: how long it is, how far its spread reaches, and what stands at its end.
struct Bar {
    std::optional<double> value;
    double low = 0, high = 0;    // equal to value where there is no spread
    std::optional<double> mark;  // Amdahl's bound
    std::string text;
};

bool is_ratio(CompareTab tab) {
    return tab == CompareTab::previous || tab == CompareTab::best_previous || tab == CompareTab::cpu;
}

const char* unit(CompareTab tab) {
    if (tab == CompareTab::time) return "ms";
    if (tab == CompareTab::throughput) return "MPixel/s";
    if (tab == CompareTab::previous) return "times as fast as the variant before it";
    if (tab == CompareTab::best_previous) return "times as fast as the best variant before it";
    return "times as fast as plain loops on the CPU";
}

Bar bar_of(const Ui& ui, const ComparedVariant& variant) {
    Bar bar;
    if (variant.state != State::done) return bar;
    const TimeFigures& own = figures(ui, variant);
    const CompareTab tab = ui.compare.chart;
    if (tab == CompareTab::time) {
        bar = {own.time.median_ms, own.time.p10_ms, own.time.p90_ms, {}, figure_text(own.time.median_ms) + " ms"};
    } else if (tab == CompareTab::throughput) {
        const double work = own.mpixel_s * own.time.median_ms;
        const auto rate = [&](double ms) { return ms > 0 ? work / ms : own.mpixel_s; };
        bar = {own.mpixel_s, rate(own.time.p90_ms), rate(own.time.p10_ms), {}, figure_text(own.mpixel_s)};
    } else {
        const SpeedUpFigures& all = own.speed_up;
        const std::optional<double>& ratio = tab == CompareTab::previous        ? all.previous
                                             : tab == CompareTab::best_previous ? all.best_previous
                                                                                : all.cpu;
        bar.value = ratio;
        bar.low = bar.high = ratio.value_or(0);
        if (ratio) bar.text = figure_text(*ratio) + "\xc3\x97";
        if (tab == CompareTab::cpu) bar.mark = variant.amdahl;
    }
    return bar;
}

/// The axis on screen, pixels.
struct Scale {
    ChartAxis axis;
    float left = 0, right = 0;

    float at(double value) const { return left + (right - left) * static_cast<float>(axis.part(value)); }
    bool reaches(double value) const { return value <= axis.max * 1.0001; }
};

ChartAxis axis_of(const std::vector<Bar>& bars, const CompareState& state) {
    std::vector<double> values;
    for (const Bar& bar : bars) {
        if (!bar.value) continue;
        values.insert(values.end(), {*bar.value, bar.low, bar.high});
        if (state.logarithmic && bar.mark) values.push_back(*bar.mark);
    }
    return make_axis(values, is_ratio(state.chart), state.logarithmic);
}

/// Variants that can have a bar.
std::vector<const ComparedVariant*> charted(const Ui& ui) {
    std::vector<const ComparedVariant*> variants;
    for (const ComparedVariant& variant : ui.model->benchmark.variants)
        if (variant.available) variants.push_back(&variant);
    return variants;
}

void grid(const Palette& colors, const Scale& scale, const Area& area, CompareTab tab) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const double tick : scale.axis.ticks()) {
        const float x = std::round(scale.at(tick));
        const bool one = is_ratio(tab) && tick == 1;
        list.AddRectFilled({x, area.y}, {x + 1, area.bottom()}, one ? colors.text_faint : colors.line_soft);
    }
}

void footer(Ui& ui, const Area& area, const Scale& scale, bool marks) {
    const Font& font = ui.theme.small;
    const float y = area.y + ui.px(4);
    const float lower = y + font.size_px + ui.px(5);
    float free_from = -1e9F;
    for (const double tick : scale.axis.ticks()) {
        const std::string text = tick_text(tick);
        const float width = text_width(font, text);
        const float x = std::min(scale.at(tick) - width / 2, area.right() - width);
        if (x < free_from) continue;
        draw_text({x, y}, font, ui.colors.text_faint, text);
        free_from = x + width + ui.px(8);
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float x = area.x;
    const float side = ui.px(10);
    const float top = std::floor(lower + (font.size_px - side) / 2) + 1;
    const auto entry = [&](ImU32 ink, float width, const char* text) {
        list.AddRectFilled({x + (side - width) / 2, top}, {x + (side + width) / 2, top + side}, ink,
                           width < side ? 0 : ui.px(2));
        draw_text({x + side + ui.px(6), lower}, font, ui.colors.text_quiet, text);
        x += side + ui.px(6) + text_width(font, text) + ui.px(16);
    };
    entry(ui.colors.bar_cpu, side, "CPU");
    entry(ui.colors.bar_gpu, side, "GPU");
    if (marks) entry(ui.colors.text, std::max(2.0F, ui.px(2)), "Amdahl's bound");
    const float room = area.right() - x;
    draw_text_right({area.right(), lower}, font, ui.colors.text_faint, shorten(font, unit(ui.compare.chart), room));
}

void draw_bar(Ui& ui, const ComparedVariant& variant, const Bar& bar, const Area& row, const Scale& scale) {
    const Font& font = ui.theme.small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float text_y = middle(font, row.y, row.height);
    const std::string name = shorten(font, variant.variant->name, scale.left - ui.px(10) - row.x);
    draw_text_right({scale.left - ui.px(10), text_y}, font,
                    variant.state == State::done ? ui.colors.text : ui.colors.text_quiet, name);
    const float gap = ui.px(8);
    if (!bar.value) {
        const bool failed = variant.state == State::not_run;
        const std::string why = failed                                ? variant.reason
                                : variant.state == State::running     ? "measuring"
                                : variant.state == State::waiting     ? ""
                                : ui.compare.chart == CompareTab::cpu ? "no reference to compare with"
                                                                      : "nothing before it on this backend";
        draw_text({scale.left + gap, text_y}, font, failed ? ui.colors.warning : ui.colors.text_faint,
                  shorten(font, why, row.right() - scale.left - gap));
        return;
    }
    const float base = scale.at(scale.axis.base);
    const float end = scale.at(*bar.value);
    const float thick = std::floor(std::min(row.height * 0.62F, ui.px(18)));
    const float top = std::floor(row.y + (row.height - thick) / 2);
    const float left = std::min(base, end);
    const float right = std::max({base, end, left + ui.px(1)});
    list.AddRectFilled({left, top}, {right, top + thick}, backend_color(ui.colors, variant.variant->backend), ui.px(2));
    float reach = right;
    if (bar.high > bar.low) {
        const float low = scale.at(bar.low);
        const float high = scale.at(bar.high);
        const float y = std::floor(top + thick / 2);
        const float line = std::max(1.0F, ui.px(1));
        list.AddRectFilled({low, y}, {std::max(high, low + line), y + line}, ui.colors.bar_spread);
        for (const float x : {low, high})
            list.AddRectFilled({x, y - ui.px(3)}, {x + line, y + ui.px(3) + line}, ui.colors.bar_spread);
        reach = std::max(reach, high);
    }
    if (bar.mark && scale.reaches(*bar.mark)) {
        const float x = std::round(scale.at(*bar.mark));
        list.AddRectFilled({x - ui.px(1), top - ui.px(2)}, {x + std::max(1.0F, ui.px(1)), top + thick + ui.px(2)},
                           ui.colors.text);
        if (x >= right && x < reach + gap + text_width(font, bar.text)) reach = std::max(reach, x);
    }
    draw_text({reach + gap, text_y}, font, ui.colors.text, bar.text);
    if (variant.identical) return;
    const float x = reach + gap + text_width(font, bar.text) + gap;
    draw_text({x, text_y}, font, ui.colors.warning, shorten(font, variant.result, row.right() - x));
}

}  // namespace

float comparison_chart_height(const Ui& ui) {
    return ui.px(kRowLeast + 6) * static_cast<float>(charted(ui).size()) + ui.px(kFooter);
}

void draw_comparison_chart(Ui& ui, const Area& area) {
    const std::vector<const ComparedVariant*> variants = charted(ui);
    const Font& font = ui.theme.small;
    std::vector<Bar> bars;
    float names = 0;
    float texts = ui.px(60);
    bool marks = false;
    for (const ComparedVariant* variant : variants) {
        const Bar& bar = bars.emplace_back(bar_of(ui, *variant));
        names = std::max(names, text_width(font, variant->variant->name));
        float text = text_width(font, bar.text);
        if (!variant->identical) text += ui.px(8) + std::min(text_width(font, variant->result), area.width * 0.2F);
        texts = std::max(texts, text);
    }
    Scale scale{axis_of(bars, ui.compare)};
    for (const Bar& bar : bars) marks |= bar.mark && scale.reaches(*bar.mark);
    scale.left = std::round(area.x + std::min(names + ui.px(16), area.width * 0.36F));
    scale.right = std::max(scale.left + ui.px(20), area.right() - texts - ui.px(12));

    const float bottom = ui.px(kFooter);
    const Area rows{area.x, area.y, area.width, std::max(area.height - bottom, ui.px(kRowLeast))};
    const auto count = static_cast<float>(std::max<size_t>(variants.size(), 1));
    const float row = std::floor(std::clamp(rows.height / count, ui.px(kRowLeast), ui.px(kRowMost)));
    const float used = std::min(row * count, rows.height);
    ImGui::SetCursorScreenPos(rows.min());
    compat::begin_child("##bars", {rows.width + ui.px(kScrollMargin), used}, 0, rows.width);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    grid(ui.colors, scale, {rows.x, start.y, rows.width, row * count}, ui.compare.chart);
    float y = start.y;
    for (size_t k = 0; k < variants.size(); ++k) {
        const Area place{start.x, y, rows.width, row};
        variant_row(ui, *variants[k], place, "bar:");
        draw_bar(ui, *variants[k], bars[k], place, scale);
        y += row;
    }
    ImGui::SetCursorScreenPos({start.x, y});
    ImGui::Dummy({1, 0});
    ImGui::EndChild();
    footer(ui, {area.x, rows.y + used, area.width, bottom}, scale, marks);
    record(ui, "comparison chart", rows.min(), {rows.right(), rows.y + used + bottom}, unit(ui.compare.chart), false);
}

}  // namespace tonescope::ui
