#include "ui/widgets/picture_drawing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tonescope::ui {
namespace {

void draw_checkerboard(const Frame& ui, ImVec2 min, ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float cell = ui.px(12);
    list.AddRectFilled(min, max, IM_COL32(102, 102, 102, 255));
    const auto columns = static_cast<int>(std::ceil((max.x - min.x) / cell));
    const auto rows = static_cast<int>(std::ceil((max.y - min.y) / cell));
    for (int row = 0; row < rows; ++row) {
        for (int column = row % 2; column < columns; column += 2) {
            const float x = min.x + static_cast<float>(column) * cell;
            const float y = min.y + static_cast<float>(row) * cell;
            list.AddRectFilled({x, y}, {std::min(x + cell, max.x), std::min(y + cell, max.y)},
                               IM_COL32(140, 140, 140, 255));
        }
    }
}

}  // namespace

ImagePoint ImageToScreen::image_at(ImVec2 screen) const {
    return {(screen.x - origin_x) / zoom, (screen.y - origin_y) / zoom};
}

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

void draw_picture(const Frame& ui, const Picture& picture, const ImageToScreen& map, const Area& area, double left,
                  double top, double step) {
    // The area in the picture's pixels; only that part is drawn, so that coordinates stay small.
    const double unit = map.zoom * step;
    const double origin_x = map.origin_x + left * map.zoom;
    const double origin_y = map.origin_y + top * map.zoom;
    const double view_left = std::floor((area.x - origin_x) / unit);
    const double view_top = std::floor((area.y - origin_y) / unit);
    const double view_right = std::ceil((area.right() - origin_x) / unit);
    const double view_bottom = std::ceil((area.bottom() - origin_y) / unit);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const Tile& tile : picture.tiles) {
        const double x0 = std::max(view_left, static_cast<double>(tile.rect.x));
        const double y0 = std::max(view_top, static_cast<double>(tile.rect.y));
        const double x1 = std::min(view_right, static_cast<double>(tile.rect.x) + tile.rect.width);
        const double y1 = std::min(view_bottom, static_cast<double>(tile.rect.y) + tile.rect.height);
        if (x1 <= x0 || y1 <= y0) continue;
        const ImVec2 min{static_cast<float>(origin_x + x0 * unit), static_cast<float>(origin_y + y0 * unit)};
        const ImVec2 max{static_cast<float>(origin_x + x1 * unit), static_cast<float>(origin_y + y1 * unit)};
        if (picture.spec.has_alpha)
            draw_checkerboard(ui, {std::max(min.x, area.x), std::max(min.y, area.y)},
                              {std::min(max.x, area.right()), std::min(max.y, area.bottom())});
        const auto u = [&](double x) { return static_cast<float>((x - tile.rect.x) / tile.rect.width); };
        const auto v = [&](double y) { return static_cast<float>((y - tile.rect.y) / tile.rect.height); };
        list.AddImage(texture_id(tile.texture), min, max, {u(x0), v(y0)}, {u(x1), v(y1)});
    }
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
    const double unit = map.zoom * step;
    const double origin_x = map.origin_x + left * map.zoom;
    const double origin_y = map.origin_y + top * map.zoom;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const Tile& tile : picture.tiles) {
        const double x0 = origin_x + tile.rect.x * unit;
        const double y0 = origin_y + tile.rect.y * unit;
        Shape part = cut_shape(shape, -1, 0, -x0);
        part = cut_shape(part, 1, 0, x0 + tile.rect.width * unit);
        part = cut_shape(part, 0, -1, -y0);
        part = cut_shape(part, 0, 1, y0 + tile.rect.height * unit);
        if (part.size() < 3) continue;
        const auto corners = static_cast<unsigned>(part.size());
        list.PushTexture(texture_id(tile.texture));
        const unsigned first = list._VtxCurrentIdx;
        list.PrimReserve(static_cast<int>(corners - 2) * 3, static_cast<int>(corners));
        for (const ImVec2& p : part)
            list.PrimWriteVtx(p,
                              {static_cast<float>((p.x - x0) / (tile.rect.width * unit)),
                               static_cast<float>((p.y - y0) / (tile.rect.height * unit))},
                              IM_COL32_WHITE);
        for (unsigned k = 2; k < corners; ++k)
            for (const unsigned corner : {0U, k - 1, k}) list.PrimWriteIdx(static_cast<ImDrawIdx>(first + corner));
        list.PopTexture();
    }
}

void draw_checkerboard_under(const Frame& ui, const Picture& picture, const ImageToScreen& map, const Area& area) {
    if (!picture.spec.has_alpha) return;
    const ImVec2 min = map.at(0, 0);
    const ImVec2 max = map.at(picture.spec.width, picture.spec.height);
    const ImVec2 from{std::max(min.x, area.x), std::max(min.y, area.y)};
    const ImVec2 to{std::min(max.x, area.right()), std::min(max.y, area.bottom())};
    if (to.x > from.x && to.y > from.y) draw_checkerboard(ui, from, to);
}

void draw_pixel_grid(const ImageToScreen& map, const Area& area, const Rect& visible) {
    if (map.zoom < 16) return;
    const float strength = std::min(1.0F, static_cast<float>((map.zoom - 12) / 24));
    const ImU32 line = fade(IM_COL32(128, 128, 128, 70), strength);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min = map.at(visible.x, visible.y);
    const ImVec2 max = map.at(visible.x + visible.width, visible.y + visible.height);
    const float top = std::max(min.y, area.y);
    const float bottom = std::min(max.y, area.bottom());
    const float left = std::max(min.x, area.x);
    const float right = std::min(max.x, area.right());
    for (int x = visible.x; x <= visible.x + visible.width; ++x) {
        const float at = std::round(map.at(x, 0).x);
        list.AddRectFilled({at, top}, {at + 1, bottom}, line);
    }
    for (int y = visible.y; y <= visible.y + visible.height; ++y) {
        const float at = std::round(map.at(0, y).y);
        list.AddRectFilled({left, at}, {right, at + 1}, line);
    }
}

}  // namespace tonescope::ui
