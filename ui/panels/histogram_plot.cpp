// Plots of histograms, and the values under the mouse.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "gpu/present/shader_views.h"
#include "ui/panels/histogram_parts.h"
#include "ui/widgets/charts.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

constexpr std::array<Curve, kCurves> kCurveOrder = {Curve::luma, Curve::red, Curve::green, Curve::blue};

/// So many bins are shown at least.
constexpr double kLeastBins = 16;

/// Counts of a curve in bins, or their running sums.
class Bins {
  public:
    Bins(const HistogramLook& look, const HistogramSide& side, Curve curve)
        : counts_(look.fine ? std::span<const uint32_t>(*side.fine) : side.curve(curve)) {
        if (!look.chosen.cumulative) return;
        sums_.resize(counts_.size());
        std::partial_sum(counts_.begin(), counts_.end(), sums_.begin());
        counts_ = sums_;
    }
    Bins(const Bins&) = delete;
    Bins& operator=(const Bins&) = delete;

    uint32_t operator[](size_t bin) const { return counts_[bin]; }
    std::span<const uint32_t> all() const { return counts_; }
    /// From `first` to before `last`.
    std::span<const uint32_t> part(size_t first, size_t last) const { return counts_.subspan(first, last - first); }

  private:
    std::span<const uint32_t> counts_;
    std::vector<uint32_t> sums_;
};

/// The bins of which a part is shown: the first, and the one behind the last.
std::pair<size_t, size_t> shown_bins(const HistogramLook& look) {
    const auto last = static_cast<size_t>(std::ceil(look.axis.end));
    return {static_cast<size_t>(look.axis.begin), std::min(last, look.bin_count())};
}

/// The count that reaches the top. Linear: a few spikes (clipped blacks and whites) may pass it, else they would
/// flatten all the rest.
double top_count(const HistogramLook& look, std::span<const HistogramSide> sides) {
    const bool whole = look.chosen.logarithmic || look.chosen.cumulative;
    const auto [first, last] = shown_bins(look);
    const double above = static_cast<double>(look.bin_count()) / 16;  // the finer bins are, the higher a spike stands
    double top = 1;
    for (const HistogramSide& side : sides) {
        for (const Curve curve : kCurveOrder) {
            if (!look.is_shown(side, curve)) continue;
            std::array<uint32_t, 4> most{};
            const Bins bins(look, side, curve);
            std::ranges::partial_sort_copy(bins.part(first, last), most, std::greater<>());
            top = std::max(top, whole ? most[0] : std::max<double>(most[3], most[0] / above));
        }
    }
    return top * (look.chosen.logarithmic ? 1 : 1.06);
}

/// The upper edge of a curve.
std::vector<ImVec2> edge_of(const HistogramLook& look, const Bins& bins, double top, const Area& area) {
    const auto [begin, end] = shown_bins(look);
    const BinColumns columns(begin, end, area.width);
    std::vector<ImVec2> edge(columns.count);
    for (size_t k = 0; k < columns.count; ++k) {
        const double count = columns.highest(bins.all(), k);
        const double level = look.chosen.logarithmic ? std::log1p(count) / std::log1p(top) : count / top;
        edge[k] = {look.axis.x_of(columns.middle(k), area),
                   area.bottom() - static_cast<float>(std::clamp(level, 0.0, 1.0)) * area.height};
    }
    return edge;
}

void draw_side(const Frame& ui, const HistogramLook& look, const HistogramSide& side, double top, const Area& area,
               bool filled, bool lined) {
    for (const Curve curve : kCurveOrder) {
        if (!look.is_shown(side, curve)) continue;
        const std::vector<ImVec2> edge = edge_of(look, {look, side, curve}, top, area);
        const ImU32 ink = curve_color(ui.colors, curve);
        if (filled) fill_to_level(edge, area.bottom(), fade(ink, lined ? 0.20F : 0.28F));
        if (lined)
            ImGui::GetWindowDrawList()->AddPolyline(edge.data(), static_cast<int>(edge.size()),
                                                    fade(ink, filled ? 0.85F : 1), 0,
                                                    std::max(1.0F, (filled ? 1.15F : 1.4F) * ui.theme.scale));
    }
}

/// The bin under the mouse; of several in a pixel the one with most luma.
size_t bin_at(const HistogramLook& look, std::span<const HistogramSide> sides, float x, const Area& area) {
    const size_t bins = look.bin_count();
    const double at = std::clamp(look.axis.at(x, area), look.axis.begin, look.axis.end);
    const size_t first = std::min(static_cast<size_t>(at), bins - 1);
    const auto together = static_cast<size_t>(std::ceil(look.axis.length() / double{std::max(area.width, 1.0F)}));
    size_t best = first;
    uint32_t most = 0;
    for (size_t bin = first; bin < std::min(first + together, bins); ++bin) {
        for (const HistogramSide& side : sides) {
            if (!look.is_known(side)) continue;
            const uint32_t count = look.fine ? (*side.fine)[bin] : side.curve(Curve::luma)[bin];
            if (count > most) best = bin;
            most = std::max(most, count);
        }
    }
    return best;
}

std::string value_name(const HistogramLook& look, size_t bin) {
    const std::string value = look.fine ? format("%.2f", static_cast<double>(bin) / 4) : std::to_string(bin);
    return (look.chosen.cumulative ? "Up to " : "Value ") + value;
}

/// Rows of curves, columns of sides: how many pixels, and their share.
void draw_readout(const Frame& ui, const HistogramLook& look, std::span<const HistogramSide> sides, const Area& area,
                  size_t bin) {
    const float x = std::round(look.axis.x_of(static_cast<double>(bin) + 0.5, area));
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
            const bool gray = !sides[k].has_color();
            if (!named)
                draw_text(at, font, curve_color(ui.colors, curve),
                          gray                   ? "Pixels"
                          : curve == Curve::luma ? "luma"
                                                 : kCurveLetters[static_cast<size_t>(curve)]);
            named = true;
            uint64_t pixels = 0;
            for (const uint32_t count : sides[k].curve(Curve::luma)) pixels += count;
            const uint32_t count = Bins(look, sides[k], curve)[bin];
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
int clipped_channels(const HistogramSide& side, const ClipThresholds& thresholds, bool is_high) {
    const auto occurs = [&](Curve of) {
        const std::span<const uint32_t> curve = side.curve(of);
        const auto begin = curve.begin() + (is_high ? thresholds.high : 0);
        const auto end = is_high ? curve.end() : curve.begin() + thresholds.low + 1;
        return std::any_of(begin, end, [](uint32_t count) { return count > 0; });
    };
    if (!side.has_color()) return occurs(Curve::luma) ? 7 : 0;
    int channels = 0;
    for (size_t c = 0; c < 3; ++c) channels |= occurs(static_cast<Curve>(c)) ? 1 << c : 0;
    return channels;
}

/// Corners in the stripes' colors, where a channel has clipped pixels at an end; and lines at thresholds that are not
/// at the ends.
void draw_ends(Frame& ui, const HistogramLook& look, const char* label, const HistogramSide& side, const Area& frame,
               const Area& area) {
    const ClipThresholds thresholds = clipped_by(full_range(look.max_sample), look.chosen.clip);
    const float size = ui.px(8);
    const double unit = static_cast<double>(look.bin_count()) / (look.max_sample + 1);  // bins a sample
    for (const bool is_high : {false, true}) {
        const double at = (is_high ? thresholds.high : thresholds.low + 1) * unit;
        const bool is_inside = is_high ? thresholds.high < look.max_sample : thresholds.low > 0;
        if (is_inside && at >= look.axis.begin && at <= look.axis.end)
            fill({std::round(look.axis.x_of(at, area)), frame.y, std::max(1.0F, ui.px(1)), frame.height},
                 fade(ui.colors.text, 0.25F));
        const bool is_known =
            side.is_counted() && side.curve(Curve::luma).size() == static_cast<size_t>(look.max_sample) + 1;
        const int channels = is_known ? clipped_channels(side, thresholds, is_high) : 0;
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
        : ui_(ui),
          views_(look.views),
          is_after_(side.is_after),
          area_(area),
          axis_(look.axis),
          bins_a_sample_(static_cast<double>(look.bin_count()) / (look.max_sample + 1)),
          max_sample_(look.max_sample) {
        range_ = views_.windows.of(is_after_).range_in(max_sample_);
        const float reach = ui.px(5);
        for (const bool is_high : {false, true}) {
            const float x = std::clamp(x_of(is_high ? range_.high : range_.low), area.x, area.right());
            const Area handle{x - reach, area.bottom() - ui.px(16), 2 * reach, ui.px(16)};
            const std::string name = std::string(label) + (is_high ? ":window-high" : ":window-low");
            part_area(name.c_str(), handle);
            handles_[is_high ? 1 : 0] = {ImGui::GetID(name.c_str()), handle};
            const bool lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
            lit_[is_high ? 1 : 0] = lit;
            if (lit) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
            begin(ImGui::IsItemActivated());
            if (ImGui::IsItemActive()) drag_end(is_high);
            record(ui, name, handle, sample_text(is_high ? range_.high : range_.low), false);
        }
    }
    /// The ends as controls that arrows move by a sample or, of deep images, a 256th of all without Shift.
    void take_keys() {
        const int step = std::max((max_sample_ + 1) / 256, 1);
        for (const bool is_high : {false, true}) {
            const auto& [id, place] = handles_[is_high ? 1 : 0];
            ui_.keyboard.add(
                {.id = id, .min = place.min(), .max = place.max(), .takes = TakesKeys::across, .is_drawn = false});
            if (!ui_.keyboard.is_on(id)) continue;
            lit_[is_high ? 1 : 0] = true;
            const KeyedSteps keys = keyed_steps();
            begin(keys.begin);
            const SampleRange full = full_range(max_sample_);
            if (keys.reset || (is_high ? keys.to_most : keys.to_least))
                move_end(range_, is_high, is_high ? full.high - range_.high : full.low - range_.low);
            else if (keys.count != 0)
                move_end(range_, is_high, keys.count * (keys.fine ? 1 : step) * SampleRange::kScale);
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
    /// Of a sample on the axis, pixels.
    float unit() const { return area_.width * static_cast<float>(bins_a_sample_ / axis_.length()); }
    /// The middle of a sample's bin.
    float x_of(int32_t hundredths) const {
        return axis_.x_of((static_cast<double>(hundredths) / SampleRange::kScale + 0.5) * bins_a_sample_, area_);
    }
    void begin(bool activated) {
        if (!activated) return;
        ui_.slider.range_before = range_;
        ++ui_.slider.gesture;
    }
    void drag_end(bool is_high) {
        const float moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x / unit();
        move_end(ui_.slider.range_before, is_high, static_cast<int>(std::lround(moved)) * SampleRange::kScale);
    }
    void move_end(const SampleRange from, bool is_high, int by) {
        constexpr int kSample = SampleRange::kScale;
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
    ShownBins axis_;
    double bins_a_sample_;
    int max_sample_;
    SampleRange range_;
    std::array<bool, 2> lit_{};
    std::array<std::pair<ImGuiID, Area>, 2> handles_{};
};

/// What the wheel with Ctrl, a drag with the right button and a double click make of the axis under the mouse.
ShownBins chosen_axis(const HistogramLook& look, const Area& area) {
    const ImGuiIO& io = ImGui::GetIO();
    const auto all = static_cast<double>(look.bin_count());
    ShownBins axis = look.axis;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return {0, all};
    if (io.KeyCtrl && io.MouseWheel != 0) {
        const double at = axis.at(io.MousePos.x, area);
        const double length = std::clamp(axis.length() * std::exp2(double{-io.MouseWheel} / 3), kLeastBins, all);
        axis.begin = at - (at - axis.begin) * length / axis.length();
        axis.end = axis.begin + length;
    } else if (ImGui::IsMouseDragging(ImGuiMouseButton_Right, 0)) {
        const double by = -double{io.MouseDelta.x / area.width} * axis.length();
        axis = {axis.begin + by, axis.end + by};
    }
    const double back = std::max(-axis.begin, 0.0) - std::max(axis.end - all, 0.0);
    return {std::max(axis.begin + back, 0.0), std::min(axis.end + back, all)};
}

/// What keys make of the axis of the plot that has the keyboard, and of the bin that they read, which stays in sight.
ShownBins keyed_axis(const HistogramLook& look) {
    const ImGuiIO& io = ImGui::GetIO();
    const auto all = static_cast<double>(look.bin_count());
    const size_t last = look.bin_count() - 1, step = io.KeyShift ? 16 : 1;
    size_t& bin = look.read_bin;
    bin = std::min(bin, last);
    ShownBins axis = look.axis;
    if (io.KeyCtrl || io.KeyAlt) return axis;
    if (key_pressed(ImGuiKey_Delete)) return {0, all};
    if (key_pressed(ImGuiKey_RightArrow, true)) bin += step;
    if (key_pressed(ImGuiKey_LeftArrow, true)) bin -= std::min(bin, step);
    if (key_pressed(ImGuiKey_Home)) bin = 0;
    if (key_pressed(ImGuiKey_End)) bin = last;
    bin = std::min(bin, last);
    double length = axis.length();
    if (key_pressed(ImGuiKey_PageUp, true)) length = std::max(length / 2, kLeastBins);
    if (key_pressed(ImGuiKey_PageDown, true)) length = std::min(length * 2, all);
    const auto at = static_cast<double>(bin);
    if (length != axis.length()) axis.begin = at + 0.5 - length / 2;
    axis.begin = std::clamp(axis.begin, at + 1 - length, at);
    axis.begin = std::clamp(axis.begin, 0.0, all - length);
    return {axis.begin, axis.begin + length};
}

/// The ends of the axis where a part of it is shown.
void draw_shown_values(Frame& ui, const HistogramLook& look, const char* label, const Area& frame) {
    const double unit = static_cast<double>(look.max_sample + 1) / static_cast<double>(look.bin_count());
    const int first = static_cast<int>(look.axis.begin * unit),
              last = static_cast<int>(std::ceil(look.axis.end * unit)) - 1;
    const bool is_whole = look.axis.length() == static_cast<double>(look.bin_count());
    const float y = frame.bottom() - ui.theme.small.size_px - ui.px(12);
    const std::string texts[] = {std::to_string(first), std::to_string(last)};
    record(ui, std::string(label) + ":axis", frame, is_whole ? "" : texts[0] + " to " + texts[1], false);
    if (is_whole) return;
    draw_caption(ui, {frame.x + ui.px(8), y}, ui.colors.text_quiet, texts[0]);
    draw_caption(ui, {frame.right() - ui.px(8) - text_width(ui.theme.small, texts[1]), y}, ui.colors.text_quiet,
                 texts[1]);
}

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
    if (!side.has_color() || fine) return curve == Curve::luma;
    return shown[static_cast<size_t>(curve)];
}

ShownBins draw_histogram_plot(Frame& ui, const HistogramLook& look, const char* label,
                              std::span<const HistogramSide> sides, float height, const std::string& note) {
    const Area frame = area_at_cursor(height);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Area area{frame.x + ui.px(1), frame.y + ui.px(6), frame.width - ui.px(2), height - ui.px(7)};
    std::optional<WindowHandles> handles;
    if (!look.views.before.empty()) handles.emplace(ui, look, label, sides.back(), area);
    part_area(label, frame);
    const bool by_keys = list_control(ui, label, frame, false) && ui.keyboard.is_visible();
    const bool hovered = ImGui::IsItemHovered();
    const ShownBins chosen = by_keys ? keyed_axis(look) : hovered ? chosen_axis(look, area) : look.axis;
    if (handles) {
        handles->drag_middle();
        handles->take_keys();
    }
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
    if ((hovered || by_keys) && known) {
        const size_t bin = by_keys ? look.read_bin : bin_at(look, sides, ImGui::GetIO().MousePos.x, area);
        draw_readout(ui, look, sides, area, bin);
        value = std::to_string(bin) + ":";
        for (const HistogramSide& side : sides)
            value += look.is_known(side) ? " " + std::to_string(Bins(look, side, Curve::luma)[bin]) : std::string(" ?");
    }
    draw_ends(ui, look, label, sides.back(), frame, area);
    draw_captions(ui, sides, {frame.x + ui.px(12), frame.y + ui.px(6)});
    draw_shown_values(ui, look, label, frame);
    if (!note.empty()) {
        const float note_width = text_width(ui.theme.small, note);
        draw_caption(ui, {frame.right() - ui.px(12) - note_width, frame.y + ui.px(6)}, ui.colors.text_faint, note);
    }
    record(ui, label, frame, value);
    return chosen;
}

}  // namespace tonescope::ui
