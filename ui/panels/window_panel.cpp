// Window and level: which samples before and after show from black to white.
#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

constexpr int kSample = SampleRange::kScale;
constexpr std::string_view kRanges[] = {"full", "auto", "used"};  // as in RangeChoice

/// Of a side; before where there is no result.
int max_sample_of(const ViewsModel& views, bool is_after) {
    return (is_after && !views.after.empty() ? views.after : views.before).spec.max_sample;
}

void set_window(Frame& ui, const ViewsModel& views, bool is_after, const SampleWindow& window, uint64_t gesture = 0) {
    SampleWindows windows = views.windows;
    windows.set(is_after, window);
    if (!(windows == views.windows)) ui.ask(SetWindows{windows, gesture});
}

/// Empty while the counts that it takes are not known.
std::optional<SampleRange> range_of(const ViewsModel& views, const HistogramModel& model, bool is_after,
                                    RangeChoice choice) {
    if (choice == RangeChoice::full) return full_range(max_sample_of(views, is_after));
    const std::optional<DisplayHistogram>& counts = is_after ? model.after : model.before;
    const auto& deep = is_after ? model.deep_after : model.deep_before;
    if (deep) return choice == RangeChoice::used ? deep->used : deep->automatic;
    if (!counts) return std::nullopt;
    const std::vector<uint64_t> samples = sample_counts(*counts);
    return choice == RangeChoice::used ? used_range(samples) : auto_range(samples);
}

/// Center and width beside each other, in samples.
void draw_fields(Frame& ui, const ViewsModel& views, bool is_after) {
    const SampleWindow& window = views.windows.of(is_after);
    const int max_sample = max_sample_of(views, is_after);
    const SampleRange range = window.range_in(max_sample);
    const int64_t center = (int64_t{range.low} + range.high) / 2;
    const ParamInfo infos[] = {{.id = "window_center",
                                .label = "Center",
                                .help = "The sample that is shown as middle gray",
                                .kind = ParamKind::decimal,
                                .max = 10 * max_sample,
                                .step = 5,
                                .default_value = 5 * max_sample,
                                .scale = 10},
                               {.id = "window_width",
                                .label = "Width",
                                .help = "So many samples are shown from black to white",
                                .min = 1,
                                .max = std::max(max_sample, (range.width() + kSample - 1) / kSample),
                                .default_value = max_sample}};
    const int32_t values[] = {static_cast<int>((center + 5) / 10), (range.width() + kSample / 2) / kSample};
    const auto changed = param_pair(ui, infos, values);
    if (!changed) return;
    SampleWindow chosen = window;
    chosen.set(changed->first == 0 ? range_around(int64_t{changed->second} * 10, range.width())
                                   : range_around(center, int64_t{changed->second} * kSample),
               max_sample);
    set_window(ui, views, is_after, chosen, ui.slider.dragged ? ui.slider.gesture : 0);
}

void draw_side(Frame& ui, const ViewsModel& views, const HistogramModel& model, bool is_after) {
    const SampleWindow& window = views.windows.of(is_after);
    draw_fields(ui, views, is_after);
    const int max_sample = max_sample_of(views, is_after);
    int current = -1;
    for (const RangeChoice choice : {RangeChoice::used, RangeChoice::automatic, RangeChoice::full})
        if (range_of(views, model, is_after, choice) == window.range_in(max_sample)) current = static_cast<int>(choice);
    const int range = labeled_choice(ui, "Range", kRanges, current,
                                     "full: all samples that the image can have" + ui.keys("window-full") +
                                         "\nauto: 0.5 to 99.5 % of what the histogram counts" + ui.keys("window-auto") +
                                         "\nused: from the least to the greatest sample that it counts");
    const auto chosen = range >= 0 ? range_of(views, model, is_after, static_cast<RangeChoice>(range)) : std::nullopt;
    SampleWindow next = window;
    if (chosen) next.set(*chosen, max_sample);
    constexpr std::string_view shades[] = {"normal", "inverse"};
    const int shade = labeled_choice(ui, "Shades", shades, window.inverse ? 1 : 0,
                                     "inverse: low samples are bright" + ui.keys("window-inverse"));
    if (shade >= 0) next.inverse = shade == 1;
    set_window(ui, views, is_after, next);
}

}  // namespace

void choose_range(Frame& ui, const ViewsModel& views, const HistogramModel& model, RangeChoice choice) {
    SampleWindows windows = views.windows;
    for (const bool is_after : {true, false})
        if (const auto range = range_of(views, model, is_after, choice)) {
            SampleWindow window = windows.of(is_after);
            if (choice == RangeChoice::full) window.inverse = false;
            window.set(*range, max_sample_of(views, is_after));
            windows.set(is_after, window);
        }
    if (!(windows == views.windows)) ui.ask(SetWindows{windows});
}

void toggle_inverse(Frame& ui, const ViewsModel& views) {
    SampleWindows windows = views.windows;
    windows.before.inverse = !windows.before.inverse;
    windows.after.inverse = windows.linked ? windows.before.inverse : !windows.after.inverse;
    ui.ask(SetWindows{windows});
}

void link_windows(Frame& ui, const ViewsModel& views, bool linked) {
    SampleWindows windows = views.windows;
    windows.linked = linked;
    if (linked) windows.after = windows.before;
    if (!(windows == views.windows)) ui.ask(SetWindows{windows});
}

void drag_range(Frame& ui, const ViewsModel& views, bool is_after, const SampleRange& range) {
    const int max_sample = max_sample_of(views, is_after);
    SampleWindow window = views.windows.of(is_after);
    window.set(range, max_sample);
    set_window(ui, views, is_after, window, ui.slider.gesture);
}

void draw_windows(Frame& ui, const HistogramModel& model, const ViewsModel& views) {
    if (!folding_section(ui, "Window and level", ui.settings.window_shown)) return;
    if (views.before.empty()) return;
    const bool linked = views.windows.linked;
    for (const bool is_after : {false, true}) {
        if (linked && is_after) break;
        ImGui::PushID(is_after ? 1 : 0);
        if (!linked) {
            const std::string_view title = is_after ? std::string_view("After") : views.before_title();
            draw_line(area_at_cursor(ui.px(20)), ui.theme.strong, ui.colors.text_quiet, title);
            skip(ui, 20);
            ui.prefix = is_after ? "after:" : "before:";
        }
        draw_side(ui, views, model, is_after);
        ui.prefix.clear();
        ImGui::PopID();
    }
    constexpr std::string_view links[] = {"linked", "apart"};
    const int link = labeled_choice(ui, "Windows", links, linked ? 0 : 1,
                                    "linked: before and after are shown through one window, for which auto and used "
                                    "count the samples of before\napart: each has its own" +
                                        ui.keys("window-link"));
    if (link >= 0) link_windows(ui, views, link == 0);
}

}  // namespace tonescope::ui
