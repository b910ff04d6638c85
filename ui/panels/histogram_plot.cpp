// Plots of histograms, and the values under the mouse.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "gpu/present/shader_views.h"
#include "ui/panels/histogram_parts.h"
#include "ui/widgets/charts.h"

namespace tonescope::ui {
namespace {

constexpr std::array<Curve, kCurves> kCurveOrder = {Curve::luma, Curve::red, Curve::green, Curve::blue};

/// Counts of a curve in bins, or their running sums.
using Bins = std::vector<uint32_t>;

size_t bin_count(const HistogramLook& look) {
    return look.chosen.fine ? kFineBins : 256;
}

Bins bins_of(const HistogramLook& look, const HistogramSide& side, Curve curve) {
    Bins bins;
    if (look.chosen.fine)
        bins.assign(side.fine->begin(), side.fine->end());
    else
        bins.assign(side.counts->curve(curve).begin(), side.counts->curve(curve).end());
    if (look.chosen.cumulative) std::partial_sum(bins.begin(), bins.end(), bins.begin());
    return bins;
}

/// The count that reaches the top. Linear: a few spikes (clipped blacks and whites) may pass it, else they would
/// flatten all the rest.
double top_count(const HistogramLook& look, std::span<const HistogramSide> sides) {
    const bool whole = look.chosen.logarithmic || look.chosen.cumulative;
    double top = 1;
    for (const HistogramSide& side : sides) {
        for (const Curve curve : kCurveOrder) {
            if (!look.is_shown(side, curve)) continue;
            Bins sorted = bins_of(look, side, curve);
            std::partial_sort(sorted.begin(), sorted.begin() + 4, sorted.end(), std::greater<>());
            top = std::max(top, static_cast<double>(whole ? sorted[0] : std::max(sorted[3], sorted[0] / 16)));
        }
    }
    return top * (look.chosen.logarithmic ? 1 : 1.06);
}

/// The upper edge of a curve. Bins narrower than a pixel share one, which shows the highest of them.
std::vector<ImVec2> edge_of(const HistogramLook& look, const Bins& bins, double top, const Area& area) {
    const size_t columns = std::min(bins.size(), static_cast<size_t>(std::max(area.width, 16.0F)));
    const size_t together = (bins.size() + columns - 1) / columns;
    std::vector<ImVec2> edge(columns);
    for (size_t k = 0; k < columns; ++k) {
        const size_t first = k * bins.size() / columns;
        const size_t last = std::min(first + together, bins.size());
        const double count =
            *std::max_element(bins.begin() + static_cast<long>(first), bins.begin() + static_cast<long>(last));
        const double level = look.chosen.logarithmic ? std::log1p(count) / std::log1p(top) : count / top;
        edge[k] = {area.x + (static_cast<float>(k) + 0.5F) * area.width / static_cast<float>(columns),
                   area.bottom() - static_cast<float>(std::clamp(level, 0.0, 1.0)) * area.height};
    }
    return edge;
}

void draw_side(const Frame& ui, const HistogramLook& look, const HistogramSide& side, double top, const Area& area,
               bool filled, bool lined) {
    for (const Curve curve : kCurveOrder) {
        if (!look.is_shown(side, curve)) continue;
        const std::vector<ImVec2> edge = edge_of(look, bins_of(look, side, curve), top, area);
        const ImU32 ink = curve_color(ui.colors, curve);
        if (filled) fill_to_level(edge, area.bottom(), fade(ink, lined ? 0.20F : 0.28F));
        if (lined)
            ImGui::GetWindowDrawList()->AddPolyline(edge.data(), static_cast<int>(edge.size()),
                                                    fade(ink, filled ? 0.85F : 1), 0,
                                                    std::max(1.0F, (filled ? 1.15F : 1.4F) * ui.theme.scale));
    }
}

/// The bin at a share of the width; of several in a pixel the one with most luma.
size_t bin_at(const HistogramLook& look, std::span<const HistogramSide> sides, float share, float width_px) {
    const size_t bins = bin_count(look);
    const float at = std::clamp(share, 0.0F, 1.0F) * static_cast<float>(bins);
    const size_t first = std::min(static_cast<size_t>(at), bins - 1);
    const auto together = static_cast<size_t>(std::ceil(static_cast<float>(bins) / std::max(width_px, 1.0F)));
    size_t best = first;
    uint32_t most = 0;
    for (size_t bin = first; bin < std::min(first + together, bins); ++bin) {
        for (const HistogramSide& side : sides) {
            if (!look.is_known(side)) continue;
            const uint32_t count = look.chosen.fine ? (*side.fine)[bin] : side.counts->luma[bin];
            if (count > most) best = bin;
            most = std::max(most, count);
        }
    }
    return best;
}

std::string value_name(const HistogramLook& look, size_t bin) {
    const std::string value = look.chosen.fine ? format("%.2f", static_cast<double>(bin) / 4) : std::to_string(bin);
    return (look.chosen.cumulative ? "Up to " : "Value ") + value;
}

/// Rows of curves, columns of sides: how many pixels, and their share.
void draw_readout(const Frame& ui, const HistogramLook& look, std::span<const HistogramSide> sides, const Area& area,
                  size_t bin) {
    const float x =
        std::round(area.x + (static_cast<float>(bin) + 0.5F) * area.width / static_cast<float>(bin_count(look)));
    fill({x, area.y, std::max(1.0F, ui.px(1)), area.height}, fade(ui.colors.text, 0.45F));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(8)});
    ImGui::SetNextWindowPos({area.x - ui.px(14), area.y}, ImGuiCond_Always, {1, 0});  // beside the plot, not over it
    ImGui::BeginTooltip();
    const Font& font = ui.theme.small;
    const float names = ui.px(48);
    const float column = ui.px(122);
    const float width = std::max(names + column * static_cast<float>(sides.size()), ui.px(156));
    const float line = font.size_px + ui.px(4);
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y;
    draw_text(at, font, ui.colors.text, value_name(look, bin));
    const auto right = [&](size_t side) { return at.x + width - column * static_cast<float>(sides.size() - 1 - side); };
    if (sides.size() > 1) {
        at.y += line;
        for (size_t k = 0; k < sides.size(); ++k)
            draw_text_right({right(k), at.y}, font, ui.colors.text_quiet, sides[k].title);
    }
    for (const Curve curve : {Curve::red, Curve::green, Curve::blue, Curve::luma}) {
        bool named = false;
        for (size_t k = 0; k < sides.size(); ++k) {
            if (!look.is_shown(sides[k], curve)) continue;
            if (!named) at.y += line;
            const bool gray = !sides[k].counts->has_color;
            if (!named)
                draw_text(at, font, curve_color(ui.colors, curve),
                          gray                   ? "Pixels"
                          : curve == Curve::luma ? "luma"
                                                 : kCurveLetters[static_cast<size_t>(curve)]);
            named = true;
            uint64_t pixels = 0;
            for (const uint32_t count : sides[k].counts->luma) pixels += count;
            const uint32_t count = bins_of(look, sides[k], curve)[bin];
            const double share = pixels > 0 ? 100.0 * count / static_cast<double>(pixels) : 0;
            draw_text_right({right(k) - ui.px(54), at.y}, font, ui.colors.text, with_separators(count));
            draw_text_right({right(k), at.y}, font, ui.colors.text_quiet, format("%.2f %%", share));
        }
    }
    ImGui::Dummy({width, at.y + font.size_px - top});
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

/// On a ground that keeps it readable over the curves.
float draw_caption(const Frame& ui, ImVec2 at, ImU32 ink, std::string_view text) {
    const Font& font = ui.theme.small;
    const float width = text_width(font, text);
    fill({at.x - ui.px(4), at.y - ui.px(1), width + 2 * ui.px(4), font.size_px + ui.px(1) + ui.px(2)},
         fade(ui.colors.backdrop, 0.7F), ui.px(kRadius));
    draw_text(at, font, ink, text);
    return width;
}

/// Bits of the channels (of a gray image: all) that have clipped pixels at one end.
int clipped_channels(const DisplayHistogram& counts, const ClipThresholds& thresholds, bool is_high) {
    const auto occurs = [&](const std::array<uint32_t, 256>& curve) {
        const auto begin = curve.begin() + (is_high ? thresholds.high : 0);
        const auto end = is_high ? curve.end() : curve.begin() + thresholds.low + 1;
        return std::any_of(begin, end, [](uint32_t count) { return count > 0; });
    };
    if (!counts.has_color) return occurs(counts.luma) ? 7 : 0;
    int channels = 0;
    for (size_t c = 0; c < 3; ++c) channels |= occurs(counts.rgb[c]) ? 1 << c : 0;
    return channels;
}

/// Corners in the stripes' colors, where a channel has clipped pixels at an end; and lines at thresholds that are not
/// at the ends.
void draw_ends(Frame& ui, const HistogramLook& look, const char* label, const HistogramSide& side, const Area& frame,
               const Area& area) {
    const ClipThresholds& thresholds = look.chosen.clip;
    const float size = ui.px(8);
    for (const bool is_high : {false, true}) {
        const float at = static_cast<float>(is_high ? thresholds.high : thresholds.low + 1) * area.width / 256;
        if (is_high ? thresholds.high < 255 : thresholds.low > 0)
            fill({std::round(area.x + at), frame.y, std::max(1.0F, ui.px(1)), frame.height},
                 fade(ui.colors.text, 0.25F));
        const int channels = side.counts ? clipped_channels(*side.counts, thresholds, is_high) : 0;
        const Area corner{is_high ? frame.right() - size : frame.x, frame.y, size, size};
        std::string value;
        for (size_t c = 0; c < 3; ++c)
            if ((channels >> c & 1) != 0) value += kCurveLetters[c];
        record(ui, std::string(label) + (is_high ? ":high" : ":low"), corner, value, false);
        if (channels == 0) continue;
        const auto c = clipping_color(channels, true);
        const float outer = is_high ? corner.right() : corner.x;
        const float inner = is_high ? corner.x : corner.right();
        ImGui::GetWindowDrawList()->AddTriangleFilled({outer, corner.y}, {inner, corner.y}, {outer, corner.bottom()},
                                                      IM_COL32(c[0], c[1], c[2], 255));
    }
}

/// The window of a side over its plot: both ends can be dragged, and what is between them.
class WindowHandles {
  public:
    /// Takes the mouse where it is on an end. The plot's item comes after this.
    WindowHandles(Frame& ui, const HistogramLook& look, const char* label, const HistogramSide& side, const Area& area)
        : ui_(ui), views_(look.views), is_after_(side.is_after), area_(area) {
        const Picture& picture = side.is_after && !views_.after.empty() ? views_.after : views_.before;
        max_sample_ = std::max<int>(picture.spec.max_sample, 1);
        range_ = views_.windows.of(is_after_).range_in(max_sample_);
        const float reach = ui.px(5);
        for (const bool is_high : {false, true}) {
            const float x = std::clamp(x_of(is_high ? range_.high : range_.low), area.x, area.right());
            const Area handle{x - reach, area.bottom() - ui.px(16), 2 * reach, ui.px(16)};
            const std::string name = std::string(label) + (is_high ? ":window-high" : ":window-low");
            mouse_area(name.c_str(), handle);
            const bool lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
            lit_[is_high ? 1 : 0] = lit;
            if (lit) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
            begin(ImGui::IsItemActivated());
            if (ImGui::IsItemActive()) drag_end(is_high);
            record(ui, name, handle, sample_text(is_high ? range_.high : range_.low), false);
        }
    }
    /// The last item is the plot.
    void drag_middle() {
        begin(ImGui::IsItemActivated());
        if (!ImGui::IsItemActive()) return;
        constexpr int kSample = SampleRange::kScale;
        const SampleRange& from = ui_.slider.range_before;
        const float pressed = ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left].x;
        if (pressed < x_of(from.low) || pressed > x_of(from.high)) return;
        const float way = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x / unit();
        const int most = full_range(max_sample_).high;
        if (from.width() >= most) return;
        const int by = std::clamp(static_cast<int>(std::lround(way)) * kSample, std::min(-from.low, 0),
                                  std::max(most - from.high, 0));
        if (by != 0 || range_ != from) drag_range(ui_, views_, is_after_, {from.low + by, from.high + by});
    }
    void draw() const {
        const bool is_full = range_ == full_range(max_sample_);
        const float line = std::max(1.0F, ui_.px(1));
        const float low = std::clamp(x_of(range_.low), area_.x, area_.right());
        const float high = std::clamp(x_of(range_.high), area_.x, area_.right());
        const ImU32 shade = fade(ui_.colors.backdrop, 0.55F);
        if (!is_full) {
            fill({area_.x, area_.y, low - area_.x, area_.height}, shade);
            fill({high, area_.y, area_.right() - high, area_.height}, shade);
        }
        for (const bool is_high : {false, true}) {
            const float x = std::round(is_high ? high : low);
            const bool lit = lit_[is_high ? 1 : 0];
            const ImU32 ink = lit ? ui_.colors.accent : fade(ui_.colors.text, is_full ? 0.45F : 0.9F);
            if (!is_full || lit) fill({x, area_.y, line, area_.height}, fade(ink, 0.7F));
            const float half = ui_.px(4);
            ImGui::GetWindowDrawList()->AddTriangleFilled({x - half, area_.bottom()}, {x + half, area_.bottom()},
                                                          {x, area_.bottom() - ui_.px(7)}, ink);
        }
    }

  private:
    float unit() const { return area_.width / static_cast<float>(max_sample_ + 1); }
    /// The middle of a sample's bin.
    float x_of(int32_t hundredths) const {
        return area_.x + (static_cast<float>(hundredths) / SampleRange::kScale + 0.5F) * unit();
    }
    void begin(bool activated) {
        if (!activated) return;
        ui_.slider.range_before = range_;
        ++ui_.slider.gesture;
    }
    void drag_end(bool is_high) {
        constexpr int kSample = SampleRange::kScale;
        const float moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x / unit();
        const SampleRange& from = ui_.slider.range_before;
        const int by = static_cast<int>(std::lround(moved)) * kSample;
        SampleRange range = from;
        if (is_high)
            range.high = std::clamp(from.high + by, from.low + kSample,
                                    std::max({full_range(max_sample_).high, from.high, from.low + kSample}));
        else
            range.low = std::clamp(from.low + by, std::min({0, from.low, from.high - kSample}), from.high - kSample);
        if (range != range_) drag_range(ui_, views_, is_after_, range);
    }

    Frame& ui_;
    const ViewsModel& views_;
    bool is_after_;
    Area area_;
    int max_sample_ = 255;
    SampleRange range_;
    std::array<bool, 2> lit_{};
};

/// What the filled shape and the line stand for.
void draw_captions(const Frame& ui, std::span<const HistogramSide> sides, ImVec2 at) {
    for (size_t k = 0; k < sides.size(); ++k) {
        if (sides.size() > 1) {
            const float y = std::round(at.y + ui.theme.small.size_px / 2);
            const float half = k == 0 ? ui.px(4) : std::max(0.5F, ui.px(1.5F) / 2);
            fill({at.x, y - half, ui.px(14), 2 * half}, fade(ui.colors.luma, k == 0 ? 0.4F : 1));
            at.x += ui.px(20);
        }
        at.x += draw_caption(ui, at, ui.colors.text_quiet, sides[k].title) + ui.px(14);
    }
}

}  // namespace

ImU32 curve_color(const Palette& colors, Curve curve) {
    const ImU32 inks[] = {colors.red, colors.green, colors.blue, colors.luma};
    return inks[static_cast<size_t>(curve)];
}

bool HistogramLook::is_shown(const HistogramSide& side, Curve curve) const {
    if (!is_known(side)) return false;
    if (!side.counts->has_color || chosen.fine) return curve == Curve::luma;
    return shown[static_cast<size_t>(curve)];
}

void draw_histogram_plot(Frame& ui, const HistogramLook& look, const char* label, std::span<const HistogramSide> sides,
                         float height, const std::string& note) {
    const Area frame = area_at_cursor(height);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Area area{frame.x + ui.px(1), frame.y + ui.px(6), frame.width - ui.px(2), height - ui.px(7)};
    std::optional<WindowHandles> handles;
    if (!look.views.before.empty()) handles.emplace(ui, look, label, sides.back(), area);
    mouse_area(label, frame);
    const bool hovered = ImGui::IsItemHovered();
    if (handles) handles->drag_middle();
    fill(frame, ui.colors.backdrop, ui.px(kRadius));
    for (int k = 1; k < 4; ++k)
        fill({std::round(area.x + area.width * static_cast<float>(k) / 4), frame.y, 1, height},
             fade(ui.colors.text, 0.05F));
    const double top = top_count(look, sides);
    list.PushClipRect(frame.min(), frame.max(), true);  // pointed corners of the line reach further than the curve
    for (size_t k = 0; k < sides.size(); ++k) {
        const bool alone = sides.size() == 1;
        draw_side(ui, look, sides[k], top, area, alone || k == 0, alone || k == 1);
    }
    if (handles) handles->draw();
    list.PopClipRect();
    const bool known = std::ranges::any_of(sides, [&](const HistogramSide& side) { return look.is_known(side); });
    std::string value;
    if (hovered && known) {
        const size_t bin = bin_at(look, sides, (ImGui::GetIO().MousePos.x - area.x) / area.width, area.width);
        draw_readout(ui, look, sides, area, bin);
        value = std::to_string(bin) + ":";
        for (const HistogramSide& side : sides)
            value +=
                look.is_known(side) ? " " + std::to_string(bins_of(look, side, Curve::luma)[bin]) : std::string(" ?");
    }
    draw_ends(ui, look, label, sides.back(), frame, area);
    draw_captions(ui, sides, {frame.x + ui.px(12), frame.y + ui.px(6)});
    if (!note.empty()) {
        const float note_width = text_width(ui.theme.small, note);
        draw_caption(ui, {frame.right() - ui.px(12) - note_width, frame.y + ui.px(6)}, ui.colors.text_faint, note);
    }
    record(ui, label, frame, value);
}

}  // namespace tonescope::ui
