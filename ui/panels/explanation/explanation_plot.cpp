#include "ui/panels/explanation/explanation_plot.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/widgets/charts/curves.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

constexpr float kPlotLine = 22;

/// The count that reaches the top. A few spikes may pass it, else they would flatten all the rest.
double top_count(const ExplainedPlot& plot) {
    std::vector<uint32_t> sorted = plot.counts;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const double most = sorted[0];
    const auto limit = static_cast<double>(plot.limit);
    if (limit > 0) return std::max(1.0, std::clamp(most * 1.06, limit * 1.4, limit * 4));
    const size_t few = std::min<size_t>(3, sorted.size() - 1);
    return std::max(1.0, std::max<double>(sorted[few], most / 16) * 1.06);
}

class PlotDrawing {
  public:
    PlotDrawing(Frame& ui, const ExplainedPlot& plot, const Area& area)
        : ui_(ui), plot_(plot), area_(area), top_(top_count(plot)) {}

    void draw() const {
        draw_counts();
        draw_limit();
        const float line = std::max(1.5F, 1.8F * ui_.theme.scale);
        draw_curve(plot_.transfer, ui_.colors.bar_gpu, line, false);
        draw_curve(plot_.sums, ui_.colors.text, line, true);  // often on top of the transfer curve, hence dashed
        draw_pixel();
    }

  private:
    float x_of(size_t bin) const {
        return area_.x + (static_cast<float>(bin) + 0.5F) * area_.width / static_cast<float>(plot_.counts.size());
    }
    float y_of(double level) const {
        return area_.bottom() - static_cast<float>(std::clamp(level, 0.0, 1.0)) * area_.height;
    }

    void draw_counts() const {
        std::vector<ImVec2> kept;
        std::vector<ImVec2> all;
        const double limit = plot_.limit > 0 ? static_cast<double>(plot_.limit) : top_;
        for (size_t k = 0; k < plot_.counts.size(); ++k) {
            const double count = plot_.counts[k];
            kept.push_back({x_of(k), y_of(std::min(count, limit) / top_)});
            all.push_back({x_of(k), y_of(std::max(count, limit) / top_)});
        }
        fill_to_level(kept, area_.bottom(), fade(ui_.colors.luma, 0.34F));
        if (plot_.limit > 0) fill_to_level(all, y_of(limit / top_), fade(ui_.colors.bar_cpu, 0.75F));
    }

    void draw_limit() const {
        if (plot_.limit <= 0) return;
        const float y = std::round(y_of(static_cast<double>(plot_.limit) / top_));
        const float dash = ui_.px(5);
        for (float x = area_.x; x < area_.right(); x += 2 * dash)
            list().AddRectFilled({x, y}, {std::min(x + dash, area_.right()), y + std::max(1.0F, ui_.px(1))},
                                 ui_.colors.bar_cpu);
    }

    void draw_curve(const ExplainedCurve& curve, ImU32 ink, float line, bool dashed) const {
        std::vector<ImVec2> points;
        for (size_t k = 0; k < curve.levels.size(); ++k) points.push_back({x_of(k), y_of(double{curve.levels[k]})});
        const auto count = static_cast<int>(points.size());
        const int dash = dashed ? std::max(2, count / 64) : count;
        for (int k = 0; k < count; k += 2 * dash)
            list().AddPolyline(points.data() + k, std::min(dash + 1, count - k), ink, 0, line);
    }

    /// Value in, and along the transfer curve value out.
    void draw_pixel() const {
        const float line = std::max(1.0F, ui_.px(1));
        const float x = std::round(x_of(static_cast<size_t>(plot_.bin)));
        const bool has_out = plot_.out >= 0;
        const float y = has_out ? std::round(y_of(plot_.out / 255.0)) : area_.y;
        const ImU32 ink = fade(ui_.colors.text, 0.75F);
        list().AddRectFilled({x, y}, {x + line, area_.bottom()}, ink);
        if (has_out) {
            list().AddRectFilled({x, y}, {area_.right(), y + line}, ink);
            list().AddCircleFilled({x + line / 2, y + line / 2}, ui_.px(4), ui_.colors.backdrop, 20);
            list().AddCircleFilled({x + line / 2, y + line / 2}, ui_.px(3), ui_.colors.bar_gpu, 20);
            const bool at_end = x > area_.right() - ui_.px(48);  // no room behind the dot
            write(std::to_string(plot_.out), at_end ? x - ui_.px(6) : area_.right(), y - text_height_px() / 2, true);
        }
        const bool left = x > area_.x + area_.width / 2;
        write(std::to_string(plot_.bin), left ? x - ui_.px(2) : x + ui_.px(4), area_.bottom() - text_height_px(), left);
    }

    float text_height_px() const { return ui_.theme.small.size_px + ui_.px(2); }

    /// On a ground of its own, inside the plot.
    void write(const std::string& text, float x, float y, bool right_aligned) const {
        const Font& font = ui_.theme.small;
        const float width = text_width(font, text) + ui_.px(4);
        const float left = right_aligned ? x - width : x;
        y = std::clamp(y, area_.y, area_.bottom() - text_height_px());
        list().AddRectFilled({left, y}, {left + width, y + text_height_px()}, fade(ui_.colors.backdrop, 0.8F),
                             ui_.px(2));
        draw_text({left + ui_.px(2), y + ui_.px(1)}, font, ui_.colors.text, text);
    }

    static ImDrawList& list() { return *ImGui::GetWindowDrawList(); }

    Frame& ui_;
    const ExplainedPlot& plot_;
    const Area area_;
    const double top_;
};

}  // namespace

void draw_explained_plot(Frame& ui, const ExplainedPlot& plot, const Area& area) {
    PlotDrawing(ui, plot, area).draw();
}

void draw_explained_legend(Frame& ui, const ExplainedPlot& plot) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const Font& font = ui.theme.small;
    const float key = ui.px(12);
    const float thick = std::max(2.0F, ui.px(2));
    const float center = std::floor(start.y + font.size_px / 2 + 1);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float x = start.x;
    const auto entry = [&](const std::string& name, ImU32 ink, float height, bool dashed) {
        if (name.empty()) return;
        const float own = key + ui.px(5) + text_width(font, name);
        if (x + own > start.x + width) return;
        const float top = center - std::floor(height / 2);
        list.AddRectFilled({x, top}, {x + key, top + height}, ink);
        if (dashed) list.AddRectFilled({x + ui.px(5), top}, {x + ui.px(8), top + height}, ui.colors.panel);
        draw_text({x + key + ui.px(5), start.y}, font, ui.colors.text_quiet, name);
        x += own + ui.px(10);
    };
    if (!plot.transfer.levels.empty()) entry(plot.transfer.name, ui.colors.bar_gpu, thick, false);
    if (!plot.sums.levels.empty()) entry(plot.sums.name, ui.colors.text, thick, true);
    if (plot.limit > 0) {
        entry(plot.limit_name, ui.colors.bar_cpu, thick, true);
        entry(plot.cut_name, fade(ui.colors.bar_cpu, 0.75F), ui.px(8), false);
    }
    ImGui::Dummy({width, ui.px(kPlotLine)});
}

}  // namespace tonescope::ui
