// Right, on top: the histograms.
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/widgets.h"

namespace tonescope::ui {
namespace {

ImU32 curve_color(size_t k) {
    const ImU32 colors[] = {color::kRed, color::kGreen, color::kBlue, color::kLuma};
    return colors[k];
}
constexpr const char* kCurveNames[] = {"R", "G", "B", "Y"};
constexpr const char* kCurveHelp[] = {"Red", "Green", "Blue", "Luma (brightness)"};

using Bins = std::array<uint32_t, 256>;

const Bins& curve(const DisplayHistogram& histogram, int k) {
    return k < 3 ? histogram.rgb[static_cast<size_t>(k)] : histogram.luma;
}

bool is_shown(const Ui& ui, const DisplayHistogram& histogram, int k) {
    return histogram.has_color ? ui.histogram.shown[static_cast<size_t>(k)] : k == 3;
}

/// The count that reaches the top. Linear: a few spikes (clipped blacks and whites) may pass it, else they would
/// flatten all the rest.
double top_count(const Ui& ui, const DisplayHistogram& histogram, bool logarithmic) {
    double top = 1;
    for (int k = 0; k < 4; ++k) {
        if (!is_shown(ui, histogram, k)) continue;
        Bins sorted = curve(histogram, k);
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        top = std::max(top, static_cast<double>(logarithmic ? sorted[0] : std::max(sorted[3], sorted[0] / 16)));
    }
    return top * (logarithmic ? 1 : 1.06);
}

/// A curve as a filled shape with a smooth upper edge.
void draw_curve(const Ui& ui, const Bins& bins, double top, bool logarithmic, const Area& area, ImU32 col) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    std::array<ImVec2, 256> edge;
    for (size_t k = 0; k < 256; ++k) {
        const double count = bins[k];
        const double level = logarithmic ? std::log1p(count) / std::log1p(top) : count / top;
        edge[k] = {area.x + (static_cast<float>(k) + 0.5F) * area.width / 256,
                   area.bottom() - static_cast<float>(std::clamp(level, 0.0, 1.0)) * area.height};
    }
    // One strip of triangles without smoothed sides, which would show as seams.
    const ImU32 fill = color::fade(col, 0.20F);
    const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
    list.PrimReserve(255 * 6, 256 * 2);
    const unsigned first = list._VtxCurrentIdx;
    for (const ImVec2& p : edge) {
        list.PrimWriteVtx(p, uv, fill);
        list.PrimWriteVtx({p.x, area.bottom()}, uv, fill);
    }
    for (unsigned k = 0; k < 255; ++k)
        for (const unsigned corner : {0U, 2U, 3U, 0U, 3U, 1U})
            list.PrimWriteIdx(static_cast<ImDrawIdx>(first + 2 * k + corner));
    list.AddPolyline(edge.data(), 256, color::fade(col, 0.85F), 0, std::max(1.0F, 1.15F * ui.theme.scale));
}

void draw_readout(Ui& ui, const DisplayHistogram& histogram, const Area& area, int bin) {
    const float x = std::round(area.x + (static_cast<float>(bin) + 0.5F) * area.width / 256);
    ImGui::GetWindowDrawList()->AddRectFilled({x, area.y}, {x + std::max(1.0F, ui.px(1)), area.bottom()},
                                              color::fade(color::kText, 0.45F));
    uint64_t pixels = 0;
    for (const uint32_t count : histogram.luma) pixels += count;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(8)});
    ImGui::BeginTooltip();
    const Font& font = ui.theme.small;
    const float width = ui.px(156);
    const float line = font.size_px + ui.px(4);
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y;
    draw_text(at, font, color::kTextQuiet, "Value");
    draw_text_right({at.x + width, at.y}, font, color::kText, std::to_string(bin));
    for (int k = 0; k < 4; ++k) {
        if (!is_shown(ui, histogram, k)) continue;
        at.y += line;
        const uint32_t count = curve(histogram, k)[static_cast<size_t>(bin)];
        const double share = pixels > 0 ? 100.0 * count / static_cast<double>(pixels) : 0;
        draw_text(at, font, curve_color(k), histogram.has_color ? kCurveNames[k] : "Pixels");
        draw_text_right({at.x + width - ui.px(54), at.y}, font, color::kText, with_separators(count));
        draw_text_right({at.x + width, at.y}, font, color::kTextQuiet, format("%.2f %%", share));
    }
    ImGui::Dummy({width, at.y + font.size_px - top});
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void plot(Ui& ui, const char* title, const char* label, const std::optional<DisplayHistogram>& histogram,
          float height) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::InvisibleButton(label, {width, height});
    const bool hovered = ImGui::IsItemHovered();
    const Area frame{start.x, start.y, width, height};
    list.AddRectFilled(frame.min(), frame.max(), color::kBackdrop, ui.px(4));
    const Area area{frame.x + ui.px(1), frame.y + ui.px(6), width - ui.px(2), height - ui.px(7)};
    for (int k = 1; k < 4; ++k) {
        const float x = std::round(area.x + area.width * static_cast<float>(k) / 4);
        list.AddRectFilled({x, frame.y}, {x + 1, frame.bottom()}, color::fade(color::kText, 0.05F));
    }
    std::string value;
    if (histogram) {
        const bool logarithmic = ui.model->histogram_log;
        const double top = top_count(ui, *histogram, logarithmic);
        list.PushClipRect(frame.min(), frame.max(), true);  // pointed corners of the line reach further than the curve
        for (const int k : {3, 0, 1, 2})
            if (is_shown(ui, *histogram, k))
                draw_curve(ui, curve(*histogram, k), top, logarithmic, area, curve_color(k));
        list.PopClipRect();
        if (hovered) {
            const float x = ImGui::GetIO().MousePos.x - area.x;
            const int bin = std::clamp(static_cast<int>(x * 256 / area.width), 0, 255);
            draw_readout(ui, *histogram, area, bin);
            value = format("%d: %u", bin, histogram->luma[static_cast<size_t>(bin)]);
        }
    }
    // A dark ground keeps the title readable over the curves.
    const ImVec2 at{frame.x + ui.px(8), frame.y + ui.px(6)};
    list.AddRectFilled({at.x - ui.px(3), at.y - ui.px(1)},
                       {at.x + text_width(ui.theme.small, title) + ui.px(3), at.y + ui.theme.small.size_px + ui.px(2)},
                       color::fade(color::kBackdrop, 0.7F), ui.px(3));
    draw_text(at, ui.theme.small, color::kTextQuiet, title);
    record(ui, label, frame.min(), frame.max(), value);
}

/// Small switches for the curves, at the right of the section's title.
void legend(Ui& ui, float x, float y, float height) {
    const float side = ui.px(22);
    for (int k = 0; k < 4; ++k, x += side) {
        bool& shown = ui.histogram.shown[static_cast<size_t>(k)];
        ImGui::SetCursorScreenPos({x, y});
        if (ImGui::InvisibleButton(kCurveNames[k], {side, height})) shown = !shown;
        if (ImGui::IsItemHovered())
            ImGui::GetWindowDrawList()->AddRectFilled({x, y}, {x + side, y + height}, color::kFrame, ui.px(3));
        const Font& font = ui.theme.strong;
        draw_text({x + (side - text_width(font, kCurveNames[k])) / 2, middle(font, y, height)}, font,
                  shown ? curve_color(k) : color::kTextFaint, kCurveNames[k]);
        focus_ring(ui, {x, y}, {x + side, y + height});
        tooltip(ui, kCurveHelp[k]);
        record(ui, std::string("histogram:") + kCurveNames[k], {x, y}, {x + side, y + height}, shown ? "on" : "");
    }
}

}  // namespace

void draw_histograms(Ui& ui) {
    const Model& model = *ui.model;
    ui.panel = "histogram";
    const ImVec2 top = ImGui::GetCursorScreenPos();
    section(ui, "Histogram", true);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float row = ui.px(kSegmentHeight);
    const float y = std::max(top.y, std::floor(top.y + ui.px(5) + (ui.theme.strong.size_px - row) / 2));
    const float switch_width = ui.px(104);
    constexpr std::string_view scales[] = {"linear", "log"};
    ImGui::SetCursorScreenPos({below.x + width - switch_width, y});
    const int clicked = segmented(ui, "Scale", scales, model.histogram_log ? 1 : 0, switch_width);
    if (clicked >= 0) ui.ask(SetHistogramLog{clicked == 1});
    const bool has_color = (model.histogram_before && model.histogram_before->has_color) ||
                           (model.histogram_after && model.histogram_after->has_color);
    if (has_color) legend(ui, below.x + width - switch_width - ui.px(6) - 4 * ui.px(22), y, row);
    ImGui::SetCursorScreenPos({below.x, std::max(below.y, y + row + ui.px(5))});
    const float height = std::clamp(std::floor(ImGui::GetWindowHeight() * 0.17F), ui.px(76), ui.px(190));
    plot(ui, "Before", "histogram:before", model.histogram_before, height);
    skip(ui, 6);
    plot(ui, "After", "histogram:after", model.histogram_after, height);
    skip(ui, 4);
}

}  // namespace tonescope::ui
