#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "ui/panels/panels.h"
#include "ui/widgets/charts.h"
#include "ui/widgets/picture_drawing.h"

namespace tonescope::ui {
namespace {

constexpr float kLine = 20, kPlotLine = 22;  // at 96 dpi
constexpr float kCloseUpMargin_px = 1;       // image pixels around what is shown

/// Which result is explained: that of the pane that the mouse was on.
void draw_subject(Frame& ui, const RunSpec& run) {
    PictureSubject subject;
    subject.run = run;
    const std::string text = caption_of(subject).text();
    Area area = area_at_cursor(ui.theme.small.size_px);
    draw_line_cut(ui, area, ui.theme.small, ui.colors.text_quiet, text);
    record(ui, "explanation:of", area, text, false);
    area.height = ui.px(kLine) - ui.px(2);
    end_area(area);
}

/// "Luma 126 > 143", one behind the other.
void draw_values(Frame& ui, const Explanation& explanation) {
    if (explanation.values.empty()) return;
    Area area = area_at_cursor(ui.theme.small.size_px);
    const float icon = ui.px(8);
    float x = area.x;
    const auto write = [&](ImU32 ink, const std::string& text, float gap) {
        draw_text({x, area.y}, ui.theme.small, ink, text);
        x += text_width(ui.theme.small, text) + ui.px(gap);
    };
    std::string text;
    for (const ExplainedValue& value : explanation.values) {
        const std::string before = std::to_string(value.before);
        const std::string after = std::to_string(value.after);
        write(ui.colors.text_quiet, value.name, 6);
        write(ui.colors.text, before, 5);
        draw_icon(ui, Icon::arrow_right, {x + icon / 2, area.center().y}, icon, ui.colors.text_quiet);
        x += icon + ui.px(6);
        write(ui.colors.text, after, 14);
        text.append(text.empty() ? "" : ", ").append(value.name + " " + before + " to " + after);
    }
    record(ui, "explanation:values", area, text, false);
    area.height = ui.px(kLine) + ui.px(2);
    end_area(area);
}

/// The count that reaches the top. A few spikes may pass it, else they would flatten all the rest.
double top_count(const ExplainedPlot& plot) {
    std::array<uint32_t, 4> highest{};
    std::ranges::partial_sort_copy(plot.counts, highest, std::greater<>());
    const double most = highest[0];
    const auto limit = static_cast<double>(plot.limit);
    if (limit > 0) return std::max(1.0, std::clamp(most * 1.06, limit * 1.4, limit * 4));
    return std::max(1.0, std::max<double>(highest[3], most / 16) * 1.06);
}

/// A histogram with its limit and curves.
struct PlotDrawing {
    const Frame& ui;
    const ExplainedPlot& plot;
    Area area;
    double top = top_count(plot);
    BinColumns columns{0, plot.counts.size(), area.width};
    ImDrawList& list = *ImGui::GetWindowDrawList();

    void draw() const {
        draw_counts();
        draw_limit();
        const float line = std::max(1.5F, 1.8F * ui.theme.scale);
        draw_curve(plot.transfer, ui.colors.bar_gpu, line, false);
        draw_curve(plot.sums, ui.colors.text, line, true);  // often on top of the transfer curve, hence dashed
        draw_pixel();
    }

    /// Of a place on the axis of bins: the middle of bin k is k + 1/2.
    float x_of(double at) const {
        return area.x + static_cast<float>(at / static_cast<double>(plot.counts.size())) * area.width;
    }
    float y_of(double level) const {
        return area.bottom() - static_cast<float>(std::clamp(level, 0.0, 1.0)) * area.height;
    }

    void draw_counts() const {
        std::vector<ImVec2> kept;
        std::vector<ImVec2> all;
        const double limit = plot.limit > 0 ? static_cast<double>(plot.limit) : top;
        for (size_t k = 0; k < columns.count; ++k) {
            const double count = columns.highest(std::span<const uint32_t>(plot.counts), k);
            const float x = x_of(columns.middle(k));
            kept.push_back({x, y_of(std::min(count, limit) / top)});
            all.push_back({x, y_of(std::max(count, limit) / top)});
        }
        fill_to_level(kept, area.bottom(), fade(ui.colors.luma, 0.34F));
        if (plot.limit > 0) fill_to_level(all, y_of(limit / top), fade(ui.colors.bar_cpu, 0.75F));
    }

    void draw_limit() const {
        if (plot.limit <= 0) return;
        const float y = std::round(y_of(static_cast<double>(plot.limit) / top));
        const float dash = ui.px(5);
        for (float x = area.x; x < area.right(); x += 2 * dash)
            fill({x, y, std::min(dash, area.right() - x), std::max(1.0F, ui.px(1))}, ui.colors.bar_cpu);
    }

    void draw_curve(const ExplainedCurve& curve, ImU32 ink, float line, bool dashed) const {
        std::vector<ImVec2> points;
        for (size_t k = 0; k < columns.count && !curve.levels.empty(); ++k)
            points.push_back(
                {x_of(columns.middle(k)), y_of(double{columns.highest(std::span<const float>(curve.levels), k)})});
        const auto count = static_cast<int>(points.size());
        const int dash = dashed ? std::max(2, count / 64) : count;
        for (int k = 0; k < count; k += 2 * dash)
            list.AddPolyline(points.data() + k, std::min(dash + 1, count - k), ink, 0, line);
    }

    /// Value in, and along the transfer curve value out.
    void draw_pixel() const {
        const float line = std::max(1.0F, ui.px(1));
        const float x = std::round(x_of(plot.bin + 0.5));
        const bool has_out = plot.out >= 0;
        const float y = has_out ? std::round(y_of(double(plot.out) / plot.max_out)) : area.y;
        const ImU32 ink = fade(ui.colors.text, 0.75F);
        fill(between({x, y}, {x + line, area.bottom()}), ink);
        if (has_out) {
            fill(between({x, y}, {area.right(), y + line}), ink);
            list.AddCircleFilled({x + line / 2, y + line / 2}, ui.px(4), ui.colors.backdrop, 20);
            list.AddCircleFilled({x + line / 2, y + line / 2}, ui.px(3), ui.colors.bar_gpu, 20);
            const bool at_end = x > area.right() - ui.px(48);  // no room behind the dot
            write(std::to_string(plot.out), at_end ? x - ui.px(6) : area.right(), y - text_height_px() / 2, true);
        }
        const bool left = x > area.x + area.width / 2;
        write(std::to_string(plot.bin), left ? x - ui.px(2) : x + ui.px(4), area.bottom() - text_height_px(), left);
    }

    float text_height_px() const { return ui.theme.small.size_px + ui.px(2); }

    /// On a ground of its own, inside the plot.
    void write(const std::string& text, float x, float y, bool right_aligned) const {
        const Font& font = ui.theme.small;
        const float width = text_width(font, text) + ui.px(4);
        const float left = right_aligned ? x - width : x;
        y = std::clamp(y, area.y, area.bottom() - text_height_px());
        fill({left, y, width, text_height_px()}, fade(ui.colors.backdrop, 0.8F), ui.px(2));
        draw_text({left + ui.px(2), y + ui.px(1)}, font, ui.colors.text, text);
    }
};

/// What the lines mean, in one row at the cursor, which goes below.
void draw_plot_legend(Frame& ui, const ExplainedPlot& plot) {
    const Area row = area_at_cursor(ui.px(kPlotLine));
    const Font& font = ui.theme.small;
    const float key = ui.px(12);
    const float thick = std::max(2.0F, ui.px(2));
    const float center = std::floor(row.y + font.size_px / 2 + 1);
    float x = row.x;
    const auto entry = [&](const std::string& name, ImU32 ink, float height, bool dashed) {
        if (name.empty()) return;
        const float own = key + ui.px(6) + text_width(font, name);
        if (x + own > row.right()) return;
        const float top = center - std::floor(height / 2);
        fill({x, top, key, height}, ink);
        if (dashed) fill({x + ui.px(5), top, ui.px(8) - ui.px(5), height}, ui.colors.panel);
        draw_text({x + key + ui.px(6), row.y}, font, ui.colors.text_quiet, name);
        x += own + ui.px(10);
    };
    if (!plot.transfer.levels.empty()) entry(plot.transfer.name, ui.colors.bar_gpu, thick, false);
    if (!plot.sums.levels.empty()) entry(plot.sums.name, ui.colors.text, thick, true);
    if (plot.limit > 0) {
        entry(plot.limit_name, ui.colors.bar_cpu, thick, true);
        entry(plot.cut_name, fade(ui.colors.bar_cpu, 0.75F), ui.px(8), false);
    }
    end_area(row);
}

/// Where a picture of this section stands; the cursor goes below.
Area frame_at_cursor(const Frame& ui) {
    const float height = std::clamp(std::floor(ImGui::GetIO().DisplaySize.y * 0.2F), ui.px(110), ui.px(220));
    const Area frame = area_at_cursor(height);
    fill(frame, ui.colors.backdrop, ui.px(kRadius));
    end_area(frame);
    return frame;
}

void draw_plot(Frame& ui, const Explanation& explanation, const ExplainedPlot& plot) {
    const Area frame = frame_at_cursor(ui);
    const Area area{frame.x + ui.px(1), frame.y + ui.px(24), frame.width - ui.px(2), frame.height - ui.px(25)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(frame.min(), frame.max(), true);
    PlotDrawing{ui, plot, area}.draw();
    list.PopClipRect();
    draw_line_cut(ui, {frame.x + ui.px(8), frame.y + ui.px(6), frame.width - ui.px(16), ui.theme.small.size_px},
                  ui.theme.small, ui.colors.text_quiet, plot.name + ", " + explanation.plot_of);
    record(ui, "explanation:plot", frame, explanation.plot_of + "; " + format("%d to %d", plot.bin, plot.out), false);
    skip(ui, 5);
    draw_plot_legend(ui, plot);
}

/// The pixel's surroundings, magnified, with the areas.
void draw_close_up(Frame& ui, const Explanation& explanation, const Picture& image) {
    const Area frame = frame_at_cursor(ui);
    const Rect& part = explanation.surroundings;
    View view;
    view.zoom = std::min(double{frame.width} / (part.width + 2 * double{kCloseUpMargin_px}),
                         double{frame.height} / (part.height + 2 * double{kCloseUpMargin_px}));
    if (view.zoom > 2) view.zoom = std::floor(view.zoom);
    view.center_x = part.x + part.width / 2.0;
    view.center_y = part.y + part.height / 2.0;
    const ImageToScreen map = map_view(view, frame);
    ImGui::GetWindowDrawList()->PushClipRect(frame.min(), frame.max(), true);
    draw_picture(ui, image, map, frame);
    draw_explained_areas(ui, explanation, map, frame);
    draw_marker(ui, map, explanation.pixel.x, explanation.pixel.y);
    ImGui::GetWindowDrawList()->PopClipRect();
    record(ui, "explanation:close-up", frame, format("%.4g", map.zoom), false);
    skip(ui, 7);
}

void draw_figures(Frame& ui, const ExplainedTable& source) {
    if (source.rows.empty()) return;
    Table table{source.heading, source.columns};
    table.last_is_total = source.last_is_total;
    for (const auto& row : source.rows) table.rows.push_back({row.name, row.cells});
    const Area place = area_at_cursor(0);
    const auto row_of = [&](size_t row) { return table_row(ui, table, place.min(), place.width, row); };
    for (size_t row = 0; row < source.rows.size(); ++row) {
        if (!source.rows[row].strong) continue;
        const Area area = row_of(row);
        fill(between({area.x - ui.px(4), area.y - ui.px(2)}, {area.right() + ui.px(4), area.bottom() + ui.px(1)}),
             ui.colors.selected, ui.px(kRadius));
    }
    draw_table(ui, table);
    for (size_t row = 0; row < source.rows.size(); ++row) {
        std::string value;
        for (const std::string& cell : source.rows[row].cells) value.append(value.empty() ? "" : " | ").append(cell);
        record(ui, "explanation:row " + source.rows[row].name, row_of(row), value, false);
    }
}

/// Two lines at least: what stands below does not move with the mouse.
void draw_note(Frame& ui, const std::string& note) {
    if (note.empty()) return;
    skip(ui, 2);
    Area area = area_at_cursor(2 * ui.theme.small.size_px);
    draw_text(area.min(), ui.theme.small, ui.colors.text_faint, note, area.width);
    area.height = std::max(area.height, text_height(ui.theme.small, note, area.width)) + ui.px(4);
    end_area(area);
}

void draw_plots(Frame& ui, const Explanation& explanation, size_t& chosen) {
    const std::vector<ExplainedPlot>& plots = explanation.plots;
    if (plots.empty()) return;
    chosen = std::min(chosen, plots.size() - 1);
    if (plots.size() > 1) {
        std::vector<std::string_view> names;
        for (const ExplainedPlot& plot : plots) names.push_back(plot.name);
        const int clicked =
            segmented(ui, "Explained", names, static_cast<int>(chosen), ImGui::GetContentRegionAvail().x);
        if (clicked >= 0) chosen = static_cast<size_t>(clicked);
        skip(ui, 6);
    }
    draw_plot(ui, explanation, plots[chosen]);
}

}  // namespace

void ExplanationPanel::draw_section(Frame& ui, const ViewsModel& views) {
    ui.panel = "explanation";
    const Area top = area_at_cursor(0);
    section(ui, "Explain", true);
    if (const Explanation* explanation = views.explanation.get()) {
        const std::string where = format("Pixel %d, %d", explanation->pixel.x, explanation->pixel.y);
        const float width = text_width(ui.theme.small, where);
        const Area area{top.right() - width, top.y + ui.px(8), width, ui.theme.small.size_px};
        draw_text(area.min(), ui.theme.small, ui.colors.text_quiet, where);
        record(ui, "explanation:pixel", area, where, false);
        draw_subject(ui, views.explained);
        draw_values(ui, *explanation);
        draw_plots(ui, *explanation, plot_);
        if (explanation->surroundings.width > 0) draw_close_up(ui, *explanation, views.original_picture());
        draw_figures(ui, explanation->table);
        if (!explanation->plots.empty()) draw_note(ui, explanation->plots[plot_].note);
        draw_note(ui, explanation->note);
    }
}

void ExplanationPanel::draw(Frame& ui, const ViewsModel& views) {
    draw_section(ui, views);
    skip(ui, 6);
    fill(area_at_cursor(1), ui.colors.line_soft);
    skip(ui, 6);
}

void ExplanationPanel::draw_card(Frame& ui, const ViewsModel& views, const Area& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::Begin("##explanation", nullptr, kFixedFlags | ImGuiWindowFlags_NoFocusOnAppearing);
    ui.keyboard.enter_area(WindowArea::middle);
    const ImVec2 size = ImGui::GetContentRegionAvail();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
    begin_child("##card", {size.x + ui.px(kScrollMargin), size.y}, 0, size.x);
    draw_section(ui, views);
    end_child(ui);
    ImGui::PopStyleVar();
    ImGui::End();
}

}  // namespace tonescope::ui
