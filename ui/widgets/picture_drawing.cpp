#include "ui/widgets/picture_drawing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

void draw_checkerboard(const Frame& ui, const Area& area) {
    const float cell = ui.px(12);
    fill(area, IM_COL32(102, 102, 102, 255));
    const auto columns = static_cast<int>(std::ceil(area.width / cell));
    const auto rows = static_cast<int>(std::ceil(area.height / cell));
    for (int row = 0; row < rows; ++row) {
        for (int column = row % 2; column < columns; column += 2) {
            const float x = area.x + static_cast<float>(column) * cell;
            const float y = area.y + static_cast<float>(row) * cell;
            fill(common_part(area, {x, y, cell, cell}), IM_COL32(140, 140, 140, 255));
        }
    }
}

/// Smaller areas on screen are not drawn, at 96 dpi.
constexpr float kMinArea = 14;
constexpr ImU32 kWeakInk = IM_COL32(255, 255, 255, 235), kStrongInk = IM_COL32(255, 214, 64, 255);
constexpr ImU32 kHalo = IM_COL32(0, 0, 0, 110);

void draw_outline(const Frame& ui, const Area& box, bool strong) {
    if (std::max(box.width, box.height) < ui.px(kMinArea)) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = strong ? std::max(3.0F, ui.px(3)) : std::max(1.0F, ui.px(1));
    const auto frame = [&](float inset, float width, ImU32 ink) {
        const float d = inset + width / 2;
        list.AddRect({box.x + d, box.y + d}, {box.right() - d, box.bottom() - d}, ink, 0, 0, width);
    };
    frame(0, line, strong ? kStrongInk : kWeakInk);
    frame(line, 1, kHalo);  // inside, where no neighbor's line is
}

/// In the corner that is farthest from the pixel, where there is room.
void draw_area_label(const Frame& ui, const Area& box, ImVec2 pixel, const std::string& text, bool strong) {
    const Font& font = ui.theme.small;
    const float width = text_width(font, text) + ui.px(8);
    const float height = font.size_px + ui.px(4);
    const float inset = ui.px(4);
    if (text.empty() || width + 2 * inset > box.width || height + 2 * inset > box.height) return;
    const bool at_left = pixel.x > box.center().x;
    const bool at_top = pixel.y > box.center().y;
    const Area label{std::round(at_left ? box.x + inset : box.right() - inset - width),
                     std::round(at_top ? box.y + inset : box.bottom() - inset - height), width, height};
    fill(label, IM_COL32(20, 20, 21, 200), ui.px(kRadius));
    draw_text({label.x + ui.px(4), middle(font, label.y, height)}, font,
              strong ? kStrongInk : IM_COL32(235, 236, 240, 255), text);
}

std::string label_of(const ExplainedArea& area) {
    if (!area.is_kept) return area.label;
    return area.label.empty() ? "kept" : area.label + ", kept";
}

/// Where a side of a picture begins on screen, and how long a pixel is.
struct Span {
    double from, unit;
};
/// One pixel of the screen is the least, or a long image would not be seen.
Span span_on_screen(double from, double unit, int length) {
    if (unit * length >= 1) return {from, unit};
    return {std::floor(from + unit * length / 2), 1.0 / length};
}

/// Pictures are sampled as their textures say. Since 1.92.8 Dear ImGui samples linearly until it is told otherwise, and
/// the window lets its callback for the nearest texel mean the texture's own sampling.
template <class PlatformIO>
void set_sampling([[maybe_unused]] ImDrawList& list, const PlatformIO& io, [[maybe_unused]] bool as_textures_say) {
    if constexpr (requires { io.DrawCallback_SetSamplerNearest; }) {
        const auto callback = as_textures_say ? io.DrawCallback_SetSamplerNearest : io.DrawCallback_SetSamplerLinear;
        if (callback != nullptr) list.AddCallback(callback, nullptr);
    }
}

}  // namespace

ImVec2 ImageToScreen::at(double x, double y) const {
    return {static_cast<float>(origin_x + x * zoom), static_cast<float>(origin_y + y * zoom)};
}

Area ImageToScreen::rect(const Rect& pixels) const {
    const ImVec2 min = at(pixels.x, pixels.y);
    const ImVec2 max = at(pixels.x + pixels.width, pixels.y + pixels.height);
    const float x = std::round(min.x);
    const float y = std::round(min.y);
    return {x, y, std::round(max.x) - x, std::round(max.y) - y};
}

ImageToScreen map_view(const View& view, const Area& area) {
    ImageToScreen map;
    map.zoom = view.zoom;
    map.origin_x = std::round(area.x + area.width / 2.0 - view.center_x * view.zoom);
    map.origin_y = std::round(area.y + area.height / 2.0 - view.center_y * view.zoom);
    return map;
}

ViewPlacement placement(const ImageToScreen& map, const Area& clip) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    return {map.origin_x, map.origin_y, map.zoom, clip.x, clip.y, clip.right(), clip.bottom(), window.x, window.y};
}

Shape shape_of(const Area& area) {
    return {area.min(), {area.right(), area.y}, area.max(), {area.x, area.bottom()}};
}

Shape circle_shape(ImVec2 center, float radius) {
    constexpr int corners = 96;
    Shape shape;
    for (int k = 0; k < corners; ++k) {
        const float turn = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / corners;
        shape.push_back({center.x + radius * std::cos(turn), center.y + radius * std::sin(turn)});
    }
    return shape;
}

Shape cut_shape(const Shape& shape, double normal_x, double normal_y, double limit) {
    Shape cut;
    const auto beyond = [&](ImVec2 p) { return p.x * normal_x + p.y * normal_y - limit; };
    for (size_t k = 0; k < shape.size(); ++k) {
        const ImVec2 a = shape[k];
        const ImVec2 b = shape[(k + 1) % shape.size()];
        const double at_a = beyond(a);
        const double at_b = beyond(b);
        if (at_a <= 0) cut.push_back(a);
        if ((at_a < 0 && at_b > 0) || (at_a > 0 && at_b < 0)) {
            const double t = at_a / (at_a - at_b);
            cut.push_back({static_cast<float>(a.x + (b.x - a.x) * t), static_cast<float>(a.y + (b.y - a.y) * t)});
        }
    }
    return cut;
}

void draw_picture_in(const Picture& picture, const ImageToScreen& map, const Shape& shape, double left, double top,
                     double step) {
    const Span across = span_on_screen(map.origin_x + left * map.zoom, map.zoom * step, picture.spec.width);
    const Span down = span_on_screen(map.origin_y + top * map.zoom, map.zoom * step, picture.spec.height);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    set_sampling(list, ImGui::GetPlatformIO(), true);
    for (const Tile& tile : picture.tiles) {
        const double x0 = across.from + tile.rect.x * across.unit;
        const double y0 = down.from + tile.rect.y * down.unit;
        Shape part = cut_shape(shape, -1, 0, -x0);
        part = cut_shape(part, 1, 0, x0 + tile.rect.width * across.unit);
        part = cut_shape(part, 0, -1, -y0);
        part = cut_shape(part, 0, 1, y0 + tile.rect.height * down.unit);
        if (part.size() < 3) continue;
        const auto corners = static_cast<unsigned>(part.size());
        list.PushTexture(texture_id(tile.texture));
        list.PrimReserve(static_cast<int>(corners - 2) * 3, static_cast<int>(corners));
        const unsigned first = list._VtxCurrentIdx;  // which PrimReserve() may have set back
        for (const ImVec2& p : part)
            list.PrimWriteVtx(p,
                              {static_cast<float>((p.x - x0) / (tile.rect.width * across.unit)),
                               static_cast<float>((p.y - y0) / (tile.rect.height * down.unit))},
                              IM_COL32_WHITE);
        for (unsigned k = 2; k < corners; ++k)
            for (const unsigned corner : {0U, k - 1, k}) list.PrimWriteIdx(static_cast<ImDrawIdx>(first + corner));
        list.PopTexture();
    }
    set_sampling(list, ImGui::GetPlatformIO(), false);
}

void draw_checkerboard_under(const Frame& ui, const Picture& picture, const ImageToScreen& map, const Area& area) {
    if (!picture.spec.has_alpha) return;
    const Area part = common_part(area, between(map.at(0, 0), map.at(picture.spec.width, picture.spec.height)));
    if (part.width > 0 && part.height > 0) draw_checkerboard(ui, part);
}

void draw_picture(const Frame& ui, const Picture& picture, const ImageToScreen& map, const Area& area) {
    draw_checkerboard_under(ui, picture, map, area);
    draw_picture_in(picture, map, shape_of(area));
}

void draw_pixel_grid(const ImageToScreen& map, const Area& area, const Rect& visible) {
    if (map.zoom < 16) return;
    const float strength = std::min(1.0F, static_cast<float>((map.zoom - 12) / 24));
    const ImU32 line = fade(IM_COL32(128, 128, 128, 70), strength);
    const Area part = common_part(
        area, between(map.at(visible.x, visible.y), map.at(visible.x + visible.width, visible.y + visible.height)));
    for (int x = visible.x; x <= visible.x + visible.width; ++x)
        fill({std::round(map.at(x, 0).x), part.y, 1, part.height}, line);
    for (int y = visible.y; y <= visible.y + visible.height; ++y)
        fill({part.x, std::round(map.at(0, y).y), part.width, 1}, line);
}

bool explains(const Frame& ui, const RunModel& run) {
    return ui.settings.explains && can_explain(run);
}

void draw_explained_areas(Frame& ui, const Explanation& explanation, const ImageToScreen& map, const Area& area) {
    const ImVec2 pixel = map.rect({explanation.pixel.x, explanation.pixel.y, 1, 1}).center();
    for (const bool strong : {false, true})
        for (const ExplainedArea& part : explanation.areas)
            if (part.strong == strong) draw_outline(ui, map.rect(part.rect), strong);
    int number = 0;
    for (const ExplainedArea& part : explanation.areas) {
        const Area whole = map.rect(part.rect);
        draw_area_label(ui, common_part(whole, area), pixel, label_of(part), part.strong);
        record_overlay(ui, "explained:" + std::to_string(++number), whole,
                       label_of(part) + (part.strong ? " strong" : ""));
    }
}

std::array<MarkStroke, 2> mark_strokes(const Frame& ui) {
    return {{{ui.px(1) + 2, IM_COL32(0, 0, 0, 150)}, {ui.px(1), IM_COL32(255, 255, 255, 230)}}};
}

void draw_cross(ImVec2 center, float inner, float outer, const MarkStroke& stroke) {
    for (const ImVec2& d : {ImVec2{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
        ImGui::GetWindowDrawList()->AddLine({center.x + d.x * inner, center.y + d.y * inner},
                                            {center.x + d.x * outer, center.y + d.y * outer}, stroke.ink, stroke.width);
}

void draw_marker(const Frame& ui, const ImageToScreen& map, int x, int y) {
    const ImVec2 min = map.at(x, y);
    const ImVec2 max = map.at(x + 1, y + 1);
    const ImVec2 center{std::round((min.x + max.x) / 2), std::round((min.y + max.y) / 2)};
    const float inner = std::max(ui.px(4), (max.x - min.x) / 2 + ui.px(2));
    for (const MarkStroke& stroke : mark_strokes(ui)) {
        draw_cross(center, inner, inner + ui.px(7), stroke);
        if (map.zoom >= 6)
            ImGui::GetWindowDrawList()->AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, stroke.ink, 0, 0,
                                                stroke.width);
    }
}

}  // namespace tonescope::ui
