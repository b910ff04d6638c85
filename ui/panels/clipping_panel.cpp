// Clipped pixels in numbers, where a channel counts as clipped, and the stripes that mark them in the views.
#include <algorithm>
#include <cmath>

#include "gpu/present/shader_views.h"
#include "ui/panels/histogram_parts.h"
#include "ui/widgets/charts.h"

namespace tonescope::ui {
namespace {

constexpr ParamInfo kThresholds[] = {
    {.id = "clip_low",
     .label = "Low end",
     .help = "A channel is clipped where its value is this or less. It moves the figures, the marks and the stripes.",
     .max = 127},
    {.id = "clip_high",
     .label = "High end",
     .help = "A channel is clipped where its value is this or more. It moves the figures, the marks and the stripes.",
     .min = 128,
     .max = 255,
     .default_value = 255},
};
constexpr const char* kChannelNames[] = {"", "R", "G", "RG", "B", "RB", "GB", "RGB"};

/// One end of one side.
struct ClippingRow {
    std::string_view title, id;  // "After", "after"
    bool is_high, has_new;
    const ClippingCounts* counts;  // null while they are not known

    const ClippedPixels& clipped() const { return is_high ? counts->high : counts->low; }
};

/// Three digits where they have room, percent.
std::string share_of(uint64_t count, uint64_t pixels) {
    const double value = pixels > 0 ? 100.0 * static_cast<double>(count) / static_cast<double>(pixels) : 0;
    return format(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
}

std::string end_name(const ClipThresholds& thresholds, bool is_high) {
    return is_high ? format("\u2265 %d", thresholds.high) : format("\u2264 %d", thresholds.low);
}

std::vector<std::string> cells_of_row(const ClippingRow& row, bool has_color) {
    if (row.counts == nullptr) return std::vector<std::string>(has_color ? 5 : 2, "\u2013");
    const ClippedPixels& clipped = row.clipped();
    const auto share = [&](uint64_t count) { return share_of(count, row.counts->pixels); };
    std::vector<std::string> cells = {share(clipped.any), row.has_new ? share(clipped.added) : ""};
    for (size_t c = 0; has_color && c < 3; ++c)
        cells.push_back(row.counts->has_color ? share(clipped.channels[c]) : "");
    return cells;
}

std::string description_of(const ClippingRow& row, const ClipThresholds& thresholds) {
    const ClippedPixels& clipped = row.clipped();
    const uint64_t pixels = row.counts->pixels;
    const auto figure = [&](uint64_t count) {
        return with_separators(count) + " (" +
               format("%.3f %%",
                      100.0 * static_cast<double>(count) / static_cast<double>(std::max<uint64_t>(pixels, 1))) +
               ")";
    };
    std::string text = std::string(row.title) + ": of " + with_separators(pixels) + " pixels " + figure(clipped.any) +
                       (row.counts->has_color ? " have a channel " : " are ") + "at " +
                       (row.is_high ? format("%d or more", thresholds.high) : format("%d or less", thresholds.low));
    if (row.has_new)
        text += "\nNew: " + figure(clipped.added) +
                (row.counts->has_color ? " of them had no channel there before" : " of them were not before");
    for (size_t c = 0; row.counts->has_color && c < 3; ++c)
        text += "\n  " + std::string(kCurveNames[c]) + ": " + figure(clipped.channels[c]);
    return text;
}

/// In samples; what is set is of 255 levels.
ClipThresholds thresholds_of(const Frame& ui, const ViewsModel& views) {
    return clipped_by(full_range(views.image_spec().max_sample), ui.settings.histogram.clip);
}

void draw_figures(Frame& ui, const HistogramModel& model, const ViewsModel& views) {
    const Clipping* clipping = model.clipping ? &*model.clipping : nullptr;
    const ClippingCounts* before = clipping != nullptr ? &clipping->before : nullptr;
    const ClippingCounts* after = clipping != nullptr && clipping->after ? &*clipping->after : nullptr;
    const bool has_color = (before != nullptr && before->has_color) || (after != nullptr && after->has_color);
    const char* before_id = kBasisIds[static_cast<size_t>(views.basis)].data();
    const ClippingRow rows[] = {{views.before_title(), before_id, false, false, before},
                                {"After", "after", false, true, after},
                                {views.before_title(), before_id, true, false, before},
                                {"After", "after", true, true, after}};
    const ClipThresholds thresholds = thresholds_of(ui, views);
    Table table{"%", {"any", "new"}};
    if (!has_color) table.columns[0] = "pixels";
    for (size_t c = 0; has_color && c < 3; ++c) table.columns.emplace_back(kCurveLetters[c]);
    table.least_names = 84;
    table.gap = 7;
    for (const ClippingRow& row : rows)
        table.rows.push_back(
            {end_name(thresholds, row.is_high) + " " + std::string(row.id), cells_of_row(row, has_color)});
    const Area place = area_at_cursor(0);
    const Dimmed dimmed(ui, model.clipping_is_stale);
    draw_table(ui, table);
    for (size_t k = 0; k < std::size(rows); ++k) {
        const Area area = table_row(ui, table, place.min(), place.width, k);
        std::string value;
        for (size_t c = 0; rows[k].counts != nullptr && c < table.columns.size(); ++c)
            if (!table.rows[k].cells[c].empty())
                value += (value.empty() ? "" : ", ") + table.columns[c] + " " + table.rows[k].cells[c];
        if (rows[k].counts != nullptr) tooltip_at(ui, area, description_of(rows[k], thresholds));
        record(ui, "clipped:" + std::string(rows[k].id) + (rows[k].is_high ? ":high" : ":low"), area, value, false);
    }
}

/// Both ends beside each other.
void draw_thresholds(Frame& ui) {
    const Area place = area_at_cursor(0);
    const float each = std::floor((place.width - ui.px(16)) / 2);
    int* const values[] = {&ui.settings.histogram.clip.low, &ui.settings.histogram.clip.high};
    for (size_t k = 0; k < 2; ++k) {
        ImGui::SetCursorScreenPos({k == 0 ? place.x : place.right() - each, place.y});
        if (const auto changed = param_widget(ui, kThresholds[k], *values[k], each)) *values[k] = *changed;
    }
    end_area({place.x, place.y, 1, param_height(ui, kThresholds[0])});
}

/// What the stripes' colors stand for.
void draw_stripe_colors(Frame& ui, bool has_color) {
    const Area place = area_at_cursor(ui.px(18));
    const float swatch = ui.px(8);
    ImVec2 at = place.min();
    const auto ink = [](int channels, bool is_high) {
        const auto c = clipping_color(channels, is_high);
        return IM_COL32(c[0], c[1], c[2], 255);
    };
    for (const int channels : {1, 2, 4, 3, 5, 6, 7}) {
        if (!has_color && channels != 7) continue;
        const char* name = has_color ? kChannelNames[channels] : "gray";
        const float width = 2 * swatch + ui.px(4) + text_width(ui.theme.small, name);
        if (at.x + width > place.right() && at.x > place.x) at = {place.x, at.y + place.height};
        const Area box{at.x, std::floor(at.y + (place.height - ui.px(10)) / 2), swatch, ui.px(10)};
        fill(box, ink(channels, false));
        fill({box.right(), box.y, swatch, box.height}, ink(channels, true));
        draw_line({box.right() + swatch + ui.px(4), at.y, 0, place.height}, ui.theme.small, ui.colors.text_quiet, name);
        at.x += width + ui.px(8);
    }
    const Area whole{place.x, place.y, place.width, at.y + place.height - place.y};
    tooltip_at(ui, whole,
               "Colors of the stripes: the channels that are clipped; dark at the low end, bright at the high end");
    record(ui, "stripes:colors", whole, {}, false);
    end_area(whole);
}

void draw_stripes_choice(Frame& ui, ClippingMarks& marks) {
    constexpr std::string_view choices[] = {"off", "all", "new"};
    bool& only_new = ui.settings.histogram.only_new_clipping;
    const int clicked =
        labeled_choice(ui, "Stripes", choices,
                       !marks.shown ? 0
                       : only_new   ? 2
                                    : 1,
                       "Stripes over clipped pixels in the views" + ui.keys("clipping") +
                           ", in the colors of the channels that are clipped: rising and dark at the low end, falling "
                           "and bright at the high end\nnew: where after is clipped at an end and before is not" +
                           ui.keys("clipping-new"));
    if (clicked >= 0) marks.shown = clicked > 0;
    if (clicked > 0) only_new = clicked == 2;
}

}  // namespace

void draw_clipped_pixels(Frame& ui, const HistogramModel& model, const ViewsModel& views, View& view,
                         ClippingMarks& marks) {
    if (!folding_section(ui, "Clipped pixels", ui.settings.clipping_shown)) return;
    view.clipping = thresholds_of(ui, views);
    draw_figures(ui, model, views);
    skip(ui, 4);
    draw_thresholds(ui);
    draw_stripes_choice(ui, marks);
    if (marks.shown) draw_stripe_colors(ui, !is_gray(views.before.spec.format));
}

}  // namespace tonescope::ui
