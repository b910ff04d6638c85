// What OpenGL draws over the views while a frame is rendered: stripes over clipped pixels.
#include <utility>

#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

constexpr float kStripe = 8;  // with its gap, at 96 dpi

void call_renderer(const ImDrawList*, const ImDrawCmd* command) {
    (*static_cast<const std::function<void()>*>(command->UserCallbackData))();
}

}  // namespace

void draw_directly(ViewState& state, std::function<void()> draw) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCallback(call_renderer, &state.renderers.emplace_back(std::move(draw)));
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void draw_clipping(const Frame& ui, ViewState& state, const ImageToScreen& map, const Area& area,
                   const Picture& picture, bool with_preview, const Half& half) {
    const ViewsModel& views = state.model->views;
    ClippingView view;
    view.picture.picture = picture;
    view.place = placement(map, area);
    view.curve = state.clipping.curve;
    view.stripe = double{ui.px(kStripe)};
    view.cut_x = half.cut_x;
    view.cut_y = half.cut_y;
    view.cut = half.cut;
    if (const int step = with_preview ? preview_step(views) : 0; step > 0) {
        view.picture = {views.preview, double(views.preview_region.x), double(views.preview_region.y), double(step)};
    }
    if (!state.clipping.shown || !views.draw_clipping || view.picture.picture.empty()) return;
    draw_directly(state, [&views, view] { views.draw_clipping(view); });
}

}  // namespace tonescope::ui
