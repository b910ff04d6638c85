// The difference of after and before, with a legend and its statistics below.
#include <algorithm>
#include <cmath>

#include "ui/views/view_mode.h"

namespace tonescope::ui {
namespace {

constexpr float kFooterRow = 28, kLegendWidth = 220;  // at 96 dpi

/// A figure in the footer.
struct Fact {
    const FigureInfo* figure;
    std::string value;
    Area place = {};  // in the footer, from its top
};

/// Side by side behind the legend, in as many rows as they need.
std::vector<Fact> facts_of(const Frame& ui, const ViewsModel& views, float from, float legend, float end) {
    std::vector<Fact> facts;
    for (const FigureInfo& figure : views.figure_table) {
        if (!figure.of_difference) continue;
        const std::optional<double>* const known = views.figures ? views.figures->after_of(figure.id) : nullptr;
        facts.push_back({&figure, known != nullptr ? figure_text(figure, *known, true) : "\xe2\x80\x93"});
    }
    const float row = ui.px(kFooterRow);
    const float gap = ui.px(18);
    float x = from + legend + gap;
    float y = 0;
    for (Fact& fact : facts) {
        const float width =
            text_width(ui.theme.small, fact.figure->label) + ui.px(6) + text_width(ui.theme.small, fact.value);
        if (x + width > end && x > from) {
            x = from;
            y += row;
        }
        fact.place = {x, y, width, row};
        x += width + gap;
    }
    return facts;
}

/// The gain with which nearly all differences fill the range of the picture.
double automatic_gain(const DifferenceStatistics& statistics) {
    return statistics.nearly_largest > 0 ? static_cast<double>(statistics.max_sample) / statistics.nearly_largest : 1.0;
}

/// The gradient over the differences that are told apart, with their levels below it.
void draw_legend(Frame& ui, const DifferenceAppearance& look, int max_sample, const Area& area) {
    const Font& font = ui.theme.small;
    const double most = max_sample / double{look.gain};
    const float unit = text_width(font, "levels") + ui.px(8);
    const float bar_height = ui.px(8);
    const auto level = [&](double value) {
        const std::string sign = value < 0 ? "\xe2\x80\x93" : value > 0 && look.is_signed ? "+" : "";
        return sign + format(std::abs(value) < 100 ? "%.3g" : "%.0f", std::abs(value));
    };
    const double least = look.is_signed ? -most : 0;
    // Each level's text stands in the middle under its place.
    const float widest = std::max(text_width(font, level(least)), text_width(font, level(most)));
    const float inset = std::max(ui.px(14), std::ceil(widest / 2));
    const Area bar{area.x + inset, area.y + ui.px(4), area.width - unit - 2 * inset, bar_height};
    constexpr int steps = 24;
    const auto ink = [&](int k) -> ImU32 {
        const double position = static_cast<double>(k) / steps;
        if (look.false_color) {
            const auto c = difference_color(look.is_signed, position);
            return IM_COL32(c[0], c[1], c[2], 255);
        }
        const auto v = static_cast<int>(std::lround(position * 255));
        return IM_COL32(v, v, v, 255);
    };
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float step = bar.width / steps;
    for (int k = 0; k < steps; ++k) {
        const float x = bar.x + step * static_cast<float>(k);
        list.AddRectFilledMultiColor({x, bar.y}, {x + step, bar.bottom()}, ink(k), ink(k + 1), ink(k + 1), ink(k));
    }
    list.AddRect(bar.inset(-1).min(), bar.inset(-1).max(), IM_COL32(255, 255, 255, 40));
    const Area below{area.x, bar.bottom() + ui.px(1), area.width, area.bottom() - bar.bottom() - ui.px(1)};
    const int ticks = 4 * (widest + ui.px(6)) <= bar.width ? 4 : 2;
    for (int k = 0; k <= ticks; ++k) {
        const float x = bar.x + bar.width * static_cast<float>(k) / static_cast<float>(ticks);
        draw_line({x, below.y, 0, below.height}, font, ui.colors.text_quiet, level(least + (most - least) * k / ticks),
                  Align::center);
    }
    draw_line({area.x, below.y, area.width, below.height}, font, ui.colors.text_quiet, "levels", Align::right);
    record(ui, "difference:legend", area, level(least) + " to " + level(most), false);
}

class Difference : public ViewMode {
  public:
    void draw_icon(const Frame& ui, const Area& box, ImU32 ink) const override {
        // A plus over a minus.
        const float line = ui.line(kStroke);
        const float half = ui.px(4);
        const ImVec2 c = box.center();
        const auto bar = [&](float x, float y, float width, float height) {
            fill({std::round(x - width / 2), std::round(y - height / 2), std::max(1.0F, std::round(width)),
                  std::max(1.0F, std::round(height))},
                 ink);
        };
        bar(c.x, c.y - ui.px(2), 2 * half, line);
        bar(c.x, c.y - ui.px(2), line, 2 * half);
        bar(c.x, c.y + ui.px(5), 2 * half, line);
    }

    std::vector<Pane> lay_out(Frame& ui, ViewState& state, const Area& area) override {
        state.view.shows_difference = true;
        const int max_sample = state.model->views.after.empty() ? 255 : state.model->views.after.spec.max_sample;
        max_gain_ = max_sample + 1;
        const std::optional<FigureValues>& known = state.model->views.figures;
        if (is_automatic_ && known && known->difference)
            look_.gain = static_cast<float>(automatic_gain(*known->difference));
        const float padding = ui.px(12);
        const float legend = std::min(ui.px(kLegendWidth), area.width - 2 * padding);
        const std::vector<Fact> facts =
            facts_of(ui, state.model->views, area.x + padding, legend, area.right() - padding);
        const float below = facts.empty() ? ui.px(kFooterRow) : facts.back().place.bottom();
        const Pane pane =
            side_pane(state, Side::after, "difference", {area.x, area.y, area.width, area.height - below});
        const Area footer{area.x, pane.area.bottom(), area.width, below};
        fill(footer, ui.colors.panel);
        draw_legend(ui, look_, max_sample, {footer.x + padding, footer.y, legend, ui.px(kFooterRow)});
        for (const Fact& fact : facts) {
            const Dimmed dimmed(ui, state.model->views.figures_are_old);
            const Area place{fact.place.x, footer.y + fact.place.y, fact.place.width, fact.place.height};
            draw_line(place, ui.theme.small, ui.colors.text_faint, fact.figure->label);
            draw_line(place, ui.theme.small, ui.colors.text, fact.value, Align::right);
            tooltip_at(ui, place, figure_help(*fact.figure));
            const bool is_known = known && known->after_of(fact.figure->id) != nullptr;
            record(ui, "difference:" + std::string(fact.figure->id), place, is_known ? fact.value : "", false);
        }
        return {pane};
    }

    /// Differences are of the samples themselves.
    const Picture* windowed_at(const ViewState& state, const Pane& pane, ImVec2) const override {
        return state.show_original ? pane.picture : nullptr;
    }

    std::string value(const ViewState&, const Pane&) const override {
        return format("%s%s, gain %.3g%s", look_.is_signed ? "signed" : "absolute",
                      look_.false_color ? ", false color" : "", double{look_.gain}, is_automatic_ ? ", automatic" : "");
    }

    void draw(Frame& ui, ViewState& state, const Pane& pane, bool marked) override {
        if (state.show_original) return ViewMode::draw(ui, state, pane, marked);
        const ViewsModel& views = state.model->views;
        const Area& area = pane.area;
        const ImageToScreen map = map_view(state.view, area);
        draw_differences(state, area, map);
        draw_over_picture(ui, state, map, area);
        draw_number_differences(ui, map, area, views.numbers_before, views.numbers_after);
        draw_explained(ui, state, map, area);
    }

    void draw_head(Frame& ui, ViewState& state, const Pane& pane) override {
        const ViewsModel& views = state.model->views;
        const PictureSubject& before = views.before_subject;
        const std::string from = before.run ? caption_of(before, before.name()).text() : before.name();
        draw_result_head(ui, state, pane.head, "Difference",
                         caption_of(views.result_subject(), from.empty() ? from : "from " + from), {});
    }

    void add_options(Frame& ui, const ViewState&, BarRow& row) override {
        const float width = ui.px(136);
        row.add(width, [this, &ui, width](ImVec2) {
            constexpr std::string_view kinds[] = {"signed", "absolute"};
            if (segmented(ui, "difference", kinds, look_.is_signed ? 0 : 1, width) >= 0) toggle_signed(ui);
        });
        row.gap = 8;
        row.toggle("difference:false color", "False color", "false-color", look_.false_color,
                   "False color: one scale for the channel that differs most");
        row.toggle("difference:automatic gain", "Auto", "automatic-gain", is_automatic_,
                   "The gain follows the image: 99.9 % of the changed pixels fill the range");
        row.slider("difference:gain", format("\xc3\x97 %.3g", double{look_.gain}), "\xc3\x97 25.5",
                   std::log(double{look_.gain}) / std::log(max_gain_), 0, "Gain: differences are multiplied by it",
                   [this](double moved) { set_gain_steps(std::round(moved * 16)); });
    }

    std::span<const ModeCommand> commands() const override {
        static constexpr ModeCommand kCommands[] = {
            {"signed-difference", "Difference: signed or absolute", "A", call<&Difference::toggle_signed>},
            {"false-color", "Difference: false color", "M", call<&Difference::toggle_false_color>},
            {"automatic-gain", "Difference: automatic or fixed gain", "D", call<&Difference::toggle_automatic>},
        };
        return kCommands;
    }

    bool has_steps() const override { return true; }
    void step(Frame&, int by) override { set_gain_steps(std::round(std::log2(double{look_.gain}) * 2 + by)); }

    KeptOptions kept() const override {
        return {{"signed", look_.is_signed},
                {"false_color", look_.false_color},
                {"automatic_gain", is_automatic_},
                {"gain", double{look_.gain}}};
    }
    void restore(const KeptOptions& kept, const RunModel&) override {
        look_.is_signed = kept_option(kept, "signed", look_.is_signed);
        look_.false_color = kept_option(kept, "false_color", look_.false_color);
        is_automatic_ = kept_option(kept, "automatic_gain", is_automatic_);
        look_.gain = static_cast<float>(kept_number(kept, "gain", double{look_.gain}, 1, kMaxGain));
    }

  private:
    void toggle_signed(Frame&) { look_.is_signed = !look_.is_signed; }
    void toggle_false_color(Frame&) { look_.false_color = !look_.false_color; }
    void toggle_automatic(Frame&) { is_automatic_ = !is_automatic_; }
    /// A step is half a power of two.
    void set_gain_steps(double steps) {
        is_automatic_ = false;
        look_.gain = static_cast<float>(std::clamp(std::exp2(steps / 2), 1.0, max_gain_));
    }

    void draw_differences(ViewState& state, const Area& area, const ImageToScreen& map) const {
        const ViewsModel& views = state.model->views;
        if (!views.draw_difference || views.before.empty() || views.after.empty()) return;
        const auto queue = [&](const Area& clip, const Picture& after, double left, double top, double step) {
            const DifferenceView view{views.before, after, left, top, step, placement(map, clip), look_};
            draw_directly(state, [&views, view] { views.draw_difference(view); });
        };
        queue(area, views.after, 0, 0, 1);
        const Rect& region = views.preview_region;
        if (const int step = preview_step(views); step > 0) {
            const Area place =
                between(map.at(region.x, region.y), map.at(region.x + region.width, region.y + region.height));
            queue(common_part(area, place), views.preview, region.x, region.y, step);
        }
    }

    DifferenceAppearance look_;
    bool is_automatic_ = true;                 // the gain
    static constexpr double kMaxGain = 65536;  // of the deepest images
    double max_gain_ = 256;                    // with which one sample fills the range
};

}  // namespace

std::unique_ptr<ViewMode> make_difference() {
    return std::make_unique<Difference>();
}

}  // namespace tonescope::ui
