// The result alone.
#include "ui/views/view_mode.h"

namespace tonescope::ui {
namespace {

class Single : public ViewMode {
  public:
    void draw_icon(const Frame& ui, ImVec2 center, ImU32 ink) const override {
        const Area box = icon_box(ui, center);
        ImGui::GetWindowDrawList()->AddRectFilled(box.min(), box.max(), ink, ui.px(1));
    }

    std::vector<Pane> lay_out(Frame& ui, ViewState& state, const Area& area) override {
        return {side_pane(ui, state, Side::after, "after", area)};
    }
};

}  // namespace

std::unique_ptr<ViewMode> make_single() {
    return std::make_unique<Single>();
}

}  // namespace tonescope::ui
