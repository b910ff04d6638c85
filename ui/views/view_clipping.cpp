// What OpenGL draws over the views while a frame is rendered: stripes over clipped pixels.
#include <utility>

#include "ui/state.h"
#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

constexpr float kStripe = 8;  // with its gap, at 96 dpi

void call_renderer(const ImDrawList*, const ImDrawCmd* command) {
    (*static_cast<const std::function<void()>*>(command->UserCallbackData))();
}

ClippingView stripes_over(const Ui& ui, const ImageToScreen& map, const Area& area, const Picture& picture) {
    ClippingView view;
    view.picture = picture;
    view.place = placement(map, area);
    view.curve = measured_curve(ui);
    view.stripe = double{ui.px(kStripe)};
    return view;
}

void draw_stripes(Ui& ui, const ClippingView& view) {
    const Model& model = *ui.model;
    if (!ui.histogram.stripes || !model.views.draw_clipping || view.picture.empty()) return;
    draw_directly(ui, [&model, view] { model.views.draw_clipping(view); });
}

}  // namespace

void draw_directly(Ui& ui, std::function<void()> draw) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCallback(call_renderer, &ui.view.renderers.emplace_back(std::move(draw)));
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void draw_clipping(Ui& ui, const ImageToScreen& map, const Area& area, Side side, double cut_x, double cut_y,
                   double cut) {
    const Model& model = *ui.model;
    ClippingView view = stripes_over(ui, map, area, picture_of(ui, side));
    view.cut_x = cut_x;
    view.cut_y = cut_y;
    view.cut = cut;
    const int step = side == Side::after && !ui.view.show_original ? preview_step(model) : 0;
    if (step > 0) {
        view.picture = model.views.preview;
        view.picture_left = model.views.preview_region.x;
        view.picture_top = model.views.preview_region.y;
        view.picture_step = step;
    }
    draw_stripes(ui, view);
}

void draw_clipping(Ui& ui, const ImageToScreen& map, const Area& area, const Picture& picture) {
    draw_stripes(ui, stripes_over(ui, map, area, picture));
}

}  // namespace tonescope::ui
