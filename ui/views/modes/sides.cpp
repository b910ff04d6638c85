// Before and after in two panes, side by side or one above the other, and the result alone.
#include <algorithm>
#include <cmath>

#include "ui/views/view_mode.h"

namespace tonescope::ui {
namespace {

class Pair : public ViewMode {
  public:
    explicit Pair(bool stacked) : stacked_(stacked) {}

    void draw_icon(const Frame& ui, const Area& box, ImU32 ink) const override {
        draw_icon_frame(ui, box, ink);
        fill(between({stacked_ ? box.x : box.center().x, stacked_ ? box.center().y : box.y}, box.max()), ink);
    }

    std::vector<Pane> lay_out(Frame& ui, ViewState& state, const Area& area) override {
        const float gap = std::max(1.0F, ui.px(2));
        Area first = area;
        (stacked_ ? first.height : first.width) = std::floor(((stacked_ ? area.height : area.width) - gap) / 2);
        Area second = first;
        second.x = area.right() - second.width;
        second.y = area.bottom() - second.height;
        const Area line = stacked_ ? between({area.x, first.bottom()}, {area.right(), second.y})
                                   : between({first.right(), area.y}, {second.x, area.bottom()});
        fill(line, ui.colors.line);
        return {side_pane(state, Side::before, "before", first), side_pane(state, Side::after, "after", second)};
    }

  private:
    bool stacked_;
};

class Single : public ViewMode {
  public:
    void draw_icon(const Frame& ui, const Area& box, ImU32 ink) const override { fill(box, ink, ui.px(1)); }

    std::vector<Pane> lay_out(Frame&, ViewState& state, const Area& area) override {
        return {side_pane(state, Side::after, "after", area)};
    }
};

}  // namespace

std::unique_ptr<ViewMode> make_side_by_side() {
    return std::make_unique<Pair>(false);
}

std::unique_ptr<ViewMode> make_stacked() {
    return std::make_unique<Pair>(true);
}

std::unique_ptr<ViewMode> make_single() {
    return std::make_unique<Single>();
}

}  // namespace tonescope::ui
