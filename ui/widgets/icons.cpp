// Small drawings: icons, thumbnails, the spinner.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/widgets/picture_drawing.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

void draw_icon(const Frame& ui, Icon icon, ImVec2 c, float size, ImU32 col) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float r = size / 2;
    const float line = ui.line(kStroke);
    const auto lines = [&](std::initializer_list<ImVec2> points) {
        std::vector<ImVec2> path;
        for (const ImVec2& p : points) path.push_back({c.x + p.x * r, c.y + p.y * r});
        list.AddPolyline(path.data(), static_cast<int>(path.size()), col, 0, line);
    };
    // An arc of the angles from `from` to `to`, in halves of a turn, clockwise from the right; then `end`.
    const auto arc = [&](ImVec2 center, float radius, float from, float to, std::initializer_list<ImVec2> end = {}) {
        constexpr float half_turn = std::numbers::pi_v<float>;
        list.PathArcTo({c.x + center.x * r, c.y + center.y * r}, radius * r, from * half_turn, to * half_turn, 16);
        for (const ImVec2& p : end) list.PathLineTo({c.x + p.x * r, c.y + p.y * r});
        list.PathStroke(col, 0, line);
    };
    const auto dot = [&](ImVec2 at) { list.AddCircleFilled({c.x + at.x * r, c.y + at.y * r}, line * 0.75F, col, 12); };
    switch (icon) {
        case Icon::close:
            lines({{-0.7F, -0.7F}, {0.7F, 0.7F}});
            lines({{0.7F, -0.7F}, {-0.7F, 0.7F}});
            break;
        case Icon::up:
            lines({{-0.7F, 0}, {0, -0.8F}, {0.7F, 0}});
            lines({{0, -0.8F}, {0, 0.9F}});
            break;
        case Icon::home:
            lines({{-1, 0}, {0, -0.9F}, {1, 0}});
            lines({{-0.7F, -0.1F}, {-0.7F, 0.9F}, {0.7F, 0.9F}, {0.7F, -0.1F}});
            break;
        case Icon::arrow_right:
            lines({{-0.9F, 0}, {0.9F, 0}});
            lines({{0.3F, -0.5F}, {0.9F, 0}, {0.3F, 0.5F}});
            break;
        case Icon::chevron_up:
        case Icon::chevron_down: {
            const float tip = icon == Icon::chevron_down ? 0.5F : -0.5F;
            lines({{-1, -tip}, {0, tip}, {1, -tip}});
            break;
        }
        case Icon::folder:
            list.AddRectFilled({c.x - r, c.y - 0.75F * r}, {c.x, c.y}, col, r * 0.2F);
            list.AddRectFilled({c.x - r, c.y - 0.45F * r}, {c.x + r, c.y + 0.75F * r}, col, r * 0.2F);
            break;
        case Icon::picture:
            list.AddRect({c.x - r, c.y - 0.8F * r}, {c.x + r, c.y + 0.8F * r}, col, r * 0.2F, 0, line);
            list.AddCircleFilled({c.x - 0.45F * r, c.y - 0.3F * r}, r * 0.16F, col);
            lines({{-0.75F, 0.55F}, {-0.2F, 0}, {0.1F, 0.25F}, {0.45F, -0.15F}, {0.78F, 0.2F}});
            break;
        case Icon::undo:
        case Icon::redo: {
            const float side = icon == Icon::undo ? 1.0F : -1.0F;
            lines({{-0.45F * side, -0.9F}, {-1.0F * side, -0.35F}, {-0.45F * side, 0.2F}});
            lines({{-1.0F * side, -0.35F}, {0.4F * side, -0.35F}});
            if (icon == Icon::undo)
                arc({0.4F, 0.25F}, 0.6F, -0.5F, 0.5F, {{-0.3F, 0.85F}});
            else
                arc({-0.4F, 0.25F}, 0.6F, -0.5F, -1.5F, {{0.3F, 0.85F}});
            break;
        }
        case Icon::commands:
            for (const float y : {-0.7F, 0.0F, 0.7F}) lines({{-1, y}, {1, y}});
            break;
        case Icon::more:
            for (const float x : {-0.8F, 0.0F, 0.8F}) dot({x, 0});
            break;
        case Icon::help:
            arc({0, -0.45F}, 0.55F, -1, 0.5F, {{0, 0.4F}});
            dot({0, 0.9F});
            break;
        case Icon::settings:
            list.AddCircle(c, 0.62F * r, col, 24, line);
            for (int k = 0; k < 8; ++k) {
                const float angle = static_cast<float>(k) * std::numbers::pi_v<float> / 4;
                const ImVec2 out{std::cos(angle), std::sin(angle)};
                lines({{out.x * 0.7F, out.y * 0.7F}, {out.x * 1.1F, out.y * 1.1F}});
            }
            dot({0, 0});
            break;
        case Icon::copy:
            list.AddRect({c.x - 0.35F * r, c.y - 0.4F * r}, {c.x + 0.85F * r, c.y + 0.95F * r}, col, r * 0.2F, 0, line);
            lines({{-0.8F, 0.45F}, {-0.8F, -0.95F}, {0.4F, -0.95F}});
            break;
        case Icon::info:
            arc({0, 0}, 1, 0, 2);
            lines({{0, -0.1F}, {0, 0.6F}});
            dot({0, -0.5F});
            break;
        case Icon::warning: {
            const ImVec2 corners[] = {
                {c.x, c.y - r}, {c.x + 1.1F * r, c.y + 0.9F * r}, {c.x - 1.1F * r, c.y + 0.9F * r}};
            list.AddPolyline(corners, 3, col, ImDrawFlags_Closed, line);
            lines({{0, -0.4F}, {0, 0.25F}});
            dot({0, 0.6F});
            break;
        }
        case Icon::error:
            arc({0, 0}, 1, 0, 2);
            lines({{-0.4F, -0.4F}, {0.4F, 0.4F}});
            lines({{0.4F, -0.4F}, {-0.4F, 0.4F}});
            break;
    }
}

void draw_thumbnail(const Frame& ui, const Picture& picture, const Area& box, Icon icon) {
    if (picture.empty() || picture.spec.empty()) {
        const bool folder = icon == Icon::folder;
        if (!folder) fill(box, ui.colors.frame, ui.px(kRadius));
        draw_icon(ui, icon, box.center(), std::min(box.width, box.height) * (folder ? 0.62F : 0.5F),
                  folder ? ui.colors.text_quiet : ui.colors.text_faint);
        return;
    }
    const ImageSpec& spec = picture.spec;
    ImageToScreen map;
    map.zoom = std::min(double{box.width} / spec.width, double{box.height} / spec.height);
    map.origin_x = std::round(box.center().x - spec.width * map.zoom / 2);
    map.origin_y = std::round(box.center().y - spec.height * map.zoom / 2);
    draw_picture_in(picture, map, shape_of(box));
}

void spinner(Frame& ui, ImVec2 center, float radius, ImU32 col) {
    ui.animating = true;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = std::max(1.5F, 1.8F * ui.theme.scale);
    list.AddCircle(center, radius, fade(col, 0.2F), 32, line);
    constexpr float tau = 2 * std::numbers::pi_v<float>;
    const float start = static_cast<float>(std::fmod(ui.time_s * 0.9, 1.0)) * tau;
    list.PathArcTo(center, radius, start, start + 0.3F * tau, 16);
    list.PathStroke(col, 0, line);
}

}  // namespace tonescope::ui
