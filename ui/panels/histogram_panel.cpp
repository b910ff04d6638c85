#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/panels/histogram_parts.h"

namespace tonescope::ui {
namespace {

constexpr float kLetter = 22, kToggle = 27, kScale = 104;  // widths at 96 dpi

bool has_color(const HistogramModel& model) {
    const auto colored = [](const auto& counts) { return counts && counts->has_color; };
    return colored(model.before) || colored(model.after) || colored(model.deep_before) || colored(model.deep_after);
}

/// Small switches for the curves, at the right of the section's title.
void legend(Frame& ui, std::array<bool, kCurves>& all, bool fine, Area letter, float luma_width) {
    ui.keyboard.begin_group(ImGui::GetID("curves"), false);
    const bool spells_luma = luma_width > letter.width;
    for (size_t k = 0; k < kCurves; ++k, letter.x += letter.width) {
        const bool is_luma = k == static_cast<size_t>(Curve::luma);
        if (is_luma) letter.width = luma_width;
        bool& shown = all[k];
        if (hit_area(ui, kCurveLetters[k], letter)) {
            const bool alone = ImGui::GetIO().KeyCtrl;
            if (alone) all.fill(false);
            shown = alone || !shown;
        }
        if (ImGui::IsItemHovered()) fill(letter, ui.colors.frame, ui.px(kRadius));
        const bool drawn = fine ? is_luma : shown;
        draw_line(letter, ui.theme.strong, drawn ? curve_color(ui.colors, static_cast<Curve>(k)) : ui.colors.text_faint,
                  is_luma && spells_luma ? "luma" : kCurveLetters[k], Align::center);
        constexpr const char* names[] = {"Red", "Green", "Blue", "Luma (brightness)"};
        tooltip(ui,
                std::string(names[k]) + (fine ? "\nIn 1024 bins luma stands alone: channels have 256 values"
                                              : "\nCtrl+click shows it alone: statistics and stripes are then of it"));
        record(ui, std::string("histogram:") + kCurveLetters[k], letter, shown ? "on" : "");
    }
    ui.keyboard.end_group();
}

/// The title's row: curves and scale.
void draw_heading(Frame& ui, const HistogramModel& model, bool fine, std::array<bool, kCurves>& shown) {
    const float top = ImGui::GetCursorScreenPos().y;
    section(ui, "Histogram", true);
    const Area below = area_at_cursor(0);
    const float row = ui.px(kSegmentHeight);
    const float y = std::max(top, std::floor(top + ui.px(4) + (ui.theme.strong.size_px - row) / 2));
    const float scale = ui.px(kScale);
    constexpr std::string_view scales[] = {"linear", "log"};
    ImGui::SetCursorScreenPos({below.right() - scale, y});
    const int clicked = segmented(ui, "Scale", scales, ui.settings.histogram.logarithmic ? 1 : 0, scale);
    if (clicked >= 0) ui.settings.histogram.logarithmic = clicked == 1;
    const float letter = ui.px(kLetter);
    float bottom = y + row;
    if (has_color(model)) {
        const float right = below.right() - scale - ui.px(6);
        const float room = right - (below.x + text_width(ui.theme.strong, "Histogram") + ui.px(6));
        const float word = std::ceil(text_width(ui.theme.strong, "luma")) + ui.px(8);
        const bool beside = 4 * letter <= room;
        const float luma = beside && 3 * letter + word > room ? letter : word;
        const Area first =
            beside ? Area{right - 3 * letter - luma, y, letter, row} : Area{below.x, bottom + ui.px(4), letter, row};
        legend(ui, shown, fine, first, luma);
        bottom = first.bottom();
    }
    ImGui::SetCursorScreenPos({below.x, std::max(below.y, bottom + ui.px(4))});
}

using DrawIcon = void (*)(const Frame&, ImVec2 center, ImU32 ink);

/// A line through points around a center, their distances from it at 96 dpi.
void draw_icon_line(const Frame& ui, ImVec2 c, ImU32 ink, std::initializer_list<ImVec2> points) {
    std::vector<ImVec2> line;
    for (const ImVec2& p : points) line.emplace_back(c.x + ui.px(p.x), c.y + ui.px(p.y));
    ImGui::GetWindowDrawList()->AddPolyline(line.data(), static_cast<int>(line.size()), ink, 0, ui.line(kStroke));
}

void overlay_icon(const Frame& ui, ImVec2 c, ImU32 ink) {
    ImGui::GetWindowDrawList()->AddTriangleFilled({c.x - ui.px(8), c.y + ui.px(5)}, {c.x - ui.px(3), c.y - ui.px(4)},
                                                  {c.x + ui.px(2), c.y + ui.px(5)}, fade(ink, 0.6F));
    draw_icon_line(ui, c, ink, {{-3, 5}, {3, -5}, {8, 5}});
}

void cumulative_icon(const Frame& ui, ImVec2 c, ImU32 ink) {
    draw_icon_line(ui, c, ink, {{-8, 5}, {-3, 4}, {2, -3}, {8, -5}});
}

void fine_icon(const Frame& ui, ImVec2 c, ImU32 ink) {
    constexpr float heights[] = {3, 6, 9, 11, 8, 4};
    const float wide = std::max(1.0F, ui.px(1));
    for (size_t k = 0; k < std::size(heights); ++k) {
        const float x = std::round(c.x + ui.px(3 * static_cast<float>(k) - 8));
        fill({x, c.y + ui.px(6) - ui.px(heights[k]), wide, ui.px(heights[k])}, ink);
    }
}

void zoom_icon(const Frame& ui, ImVec2 c, ImU32 ink) {
    ImGui::GetWindowDrawList()->AddCircle({c.x - ui.px(1.5F), c.y - ui.px(1.5F)}, ui.px(4.5F), ink, 24,
                                          ui.line(kStroke));
    draw_icon_line(ui, c, ink, {{2, 2}, {6.5F, 6.5F}});
}

void choose_area(Frame& ui, Selection& selection, int area) {
    if (area == 2) {
        selection.armed = selection.rect.width <= 0;
        return;
    }
    ui.settings.histogram.area = static_cast<HistogramArea>(area);
    selection = {};
}

/// What the histograms are of, and how they are drawn: one row, or two where that is too wide. `zoomed`: of deep
/// images, whose bins are fine anyway, whether a part of the axis is shown; null for others.
void draw_options(Frame& ui, Selection& selection, bool* zoomed) {
    HistogramAppearance& look = ui.settings.histogram;
    const struct {
        const char* label;
        DrawIcon icon;
        bool* on;
        std::string help;
    } toggles[] = {
        {"histogram:overlaid", overlay_icon, &look.overlaid,
         "Before and after in one plot" + ui.keys("histogram-overlay")},
        {"histogram:cumulative", cumulative_icon, &look.cumulative, "Cumulative: pixels up to each value"},
        {"histogram:fine", fine_icon, &look.fine,
         "1024 bins: luma in steps of a quarter, (77 R + 150 G + 29 B) / 256; a gray image fills every fourth bin"},
        {"histogram:zoom", zoom_icon, zoomed,
         "The axis shows the samples around the windows, or all" + ui.keys("histogram-zoom") +
             "\nThe wheel with Ctrl or Page up and Page down zoom, a drag with the right button or arrows move, a "
             "double "
             "click or Delete shows all"},
    };
    const Area place = area_at_cursor(ui.px(kSegmentHeight));
    Area toggle_area{0, place.y, ui.px(kToggle), place.height};
    const size_t left_out = zoomed == nullptr ? std::size(toggles) - 1 : std::size(toggles) - 2;
    const float icons = toggle_area.width * static_cast<float>(std::size(toggles) - 1);
    const float beside = place.width - icons - ui.px(6);
    constexpr std::string_view areas[] = {"image", "visible", "selected"};
    const bool one_row = segments_fit(ui, areas, beside);
    const bool selected = selection.rect.width > 0 || selection.armed;
    const int current = selected ? 2 : static_cast<int>(look.area);
    const int clicked = segmented(ui, "Histogram of", areas, current, one_row ? beside : place.width);
    if (clicked >= 0) choose_area(ui, selection, clicked);
    toggle_area.x = place.right() - icons;
    if (!one_row) toggle_area.y += place.height + ui.px(4);
    ui.keyboard.begin_group(ImGui::GetID("toggles"), false);
    for (size_t k = 0; k < std::size(toggles); ++k) {
        if (k == left_out) continue;
        const auto& [label, icon, on, help] = toggles[k];
        if (hit_area(ui, label, toggle_area)) *on = !*on;
        const ImU32 ink = switch_ground(ui, toggle_area.inset(ui.px(1)), *on, ui.colors.frame);
        icon(ui, {std::round(toggle_area.center().x), std::round(toggle_area.center().y)}, ink);
        tooltip(ui, help);
        record(ui, label, toggle_area, *on ? "on" : "");
        toggle_area.x += toggle_area.width;
    }
    ui.keyboard.end_group();
    ImGui::SetCursorScreenPos({place.x, toggle_area.bottom() + ui.px(6)});
}

/// What the operator does not count, and of a gray image how much that is; empty where it counts all.
std::string left_out_note(std::optional<int32_t> left_out, const HistogramSide& image) {
    if (!left_out) return {};
    std::string note = "no data: " + std::to_string(*left_out);
    if (!image.is_counted() || image.has_color()) return note;
    const auto counts = image.curve(Curve::luma);
    if (static_cast<size_t>(*left_out) >= counts.size()) return note;
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    return note + format(", %.1f %%", all > 0 ? 100 * counts[static_cast<size_t>(*left_out)] / all : 0.0);
}

const auto* pointer_to(const auto& known) {
    return known ? &*known : nullptr;
}

/// What is to be counted. Empty: the whole image.
Rect region_of(const Frame& ui, const Rect& visible, const Selection& selection, const Rect& filtered) {
    if (selection.rect.width > 0) return selection.rect;
    return ui.settings.histogram.area == HistogramArea::visible ? visible : filtered;
}

}  // namespace

Curve HistogramPanel::measured_curve(const HistogramAppearance& chosen, const HistogramModel& model) const {
    const bool fine = chosen.fine && !model.deep_before && !model.deep_after;
    if (!has_color(model) || fine || std::ranges::count(shown_, true) != 1) return Curve::luma;
    return static_cast<Curve>(std::ranges::find(shown_, true) - shown_.begin());
}

int HistogramPanel::marked_channels(const HistogramAppearance& chosen, const HistogramModel& model) const {
    const Curve curve = measured_curve(chosen, model);
    return curve == Curve::luma ? 7 : 1 << static_cast<int>(curve);
}

void HistogramPanel::toggle_zoom(const ViewsModel& views) {
    zooms_ = !zoomed_;
    zoomed_.reset();
    if (zooms_) zoom_to_windows(views);
}

void HistogramPanel::zoom_to_windows(const ViewsModel& views) {
    constexpr double kMargin = 0.05;  // of the window, on either side
    const ImageSpec& spec = views.before.spec;
    const SampleRange before = views.windows.before.range_in(spec.max_sample);
    const SampleRange after = views.windows.after.range_in(spec.max_sample);
    const double low = std::min(before.low, after.low), high = std::max(before.high, after.high);
    const double margin = kMargin * (high - low);
    const double most = spec.max_sample;
    zoomed_ = Zoomed{spec.max_sample, std::clamp((low - margin) / SampleRange::kScale, 0.0, most),
                     std::clamp((high + margin) / SampleRange::kScale + 1, 1.0, most + 1)};
}

void HistogramPanel::draw(Frame& ui, const HistogramModel& model, const ViewsModel& views, View& view,
                          Selection& selection, const Rect& filtered, std::optional<int32_t> left_out) {
    const HistogramAppearance& chosen = ui.settings.histogram;
    const int max_sample = views.before.spec.max_sample;
    const bool deep = is_deep(views.before.spec.format), fine = chosen.fine && !deep;
    if (zoomed_ && zoomed_->max_sample != max_sample) zoomed_.reset();
    // Its window is known as soon as its samples are counted.
    const uint64_t image = views.image_subject().image;
    if ((model.before || model.deep_before) && std::exchange(image_, image) != image && deep) {
        zoomed_.reset();
        if (zooms_ && !views.windows.before.is_full()) zoom_to_windows(views);
    }
    draw_heading(ui, model, fine, shown_);
    bool zooms = zoomed_.has_value();
    draw_options(ui, selection, deep ? &zooms : nullptr);
    if (zooms != zoomed_.has_value()) toggle_zoom(views);
    view.shows_histogram = true;
    view.fine_histogram = fine;
    const Rect region = view.histogram_region = region_of(ui, view.visible, selection, filtered);
    const HistogramSide sides[] = {{views.before_title(), kBasisIds[static_cast<size_t>(views.basis)],
                                    pointer_to(model.before), pointer_to(model.fine_before), model.deep_before.get()},
                                   {"After", "after", pointer_to(model.after), pointer_to(model.fine_after),
                                    model.deep_after.get(), views.shows_old_result, true}};
    HistogramLook look{chosen, shown_, views, max_sample, fine, {}, read_bin_};
    const double unit = static_cast<double>(look.bin_count()) / (max_sample + 1);  // bins a sample
    const Zoomed all{max_sample, 0, max_sample + 1.0};
    const Zoomed shown = zoomed_.value_or(all);
    look.axis = {shown.begin * unit, shown.end * unit};
    const auto plot = [&](const char* label, std::span<const HistogramSide> drawn, float plot_height,
                          const std::string& note) {
        const ShownBins axis = draw_histogram_plot(ui, look, label, drawn, plot_height, note);
        if (axis.begin == look.axis.begin && axis.end == look.axis.end) return;
        zoomed_ = Zoomed{max_sample, axis.begin / unit, axis.end / unit};
        zooms_ = zoomed_->begin > all.begin || zoomed_->end < all.end;
        if (!zooms_) zoomed_.reset();
    };
    const std::string size = region.width > 0 ? format("%d \xc3\x97 %d", region.width, region.height) : "";
    std::string of_image = views.basis == Basis::image ? left_out_note(left_out, sides[0]) : "";
    if (!of_image.empty()) record(ui, "histogram:no-data", area_at_cursor(ui.px(16)), of_image, false);
    if (!size.empty()) of_image += (of_image.empty() ? "" : "   ") + size;
    const float height = ImGui::GetWindowHeight();
    if (chosen.overlaid) {
        plot("histogram:both", sides, std::clamp(std::floor(height * 0.26F), ui.px(116), ui.px(320)), of_image);
    } else {
        const float each = std::clamp(std::floor(height * 0.17F), ui.px(76), ui.px(190));
        plot("histogram:before", {sides, 1}, each, of_image);
        skip(ui, 6);
        plot("histogram:after", {sides + 1, 1}, each, size);
    }
    skip(ui, 6);
    draw_histogram_statistics(ui, measured_curve(chosen, model), sides);
}

}  // namespace tonescope::ui
