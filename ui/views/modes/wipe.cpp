// Before and after in one pane, parted by a line that the mouse moves and turns.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/views/view_mode.h"

namespace tonescope::ui {
namespace {

constexpr float kReach = 7, kGrip = 12, kTurnGrip = 6, kTurnDistance = 64;  // at 96 dpi
constexpr double kSnap_deg = 3;
constexpr LabelLook kSideLabel = {7, 22, 4, 190};

/// The line on screen: a point, its direction and its normal, which points to the first side (left or top).
struct Line {
    ImVec2 at, direction, normal;
    double side_of(ImVec2 p) const { return (p.x - double{at.x}) * normal.x + (p.y - double{at.y}) * normal.y; }
    ImVec2 along(float distance) const { return {at.x + direction.x * distance, at.y + direction.y * distance}; }
    ImVec2 turn_grip(const Frame& ui) const { return along(ui.px(kTurnDistance)); }
    /// The part of the window on the first side, or on the second.
    Half half(bool first) const {
        const double way = first ? -1 : 1;
        return {way * normal.x, way * normal.y, -way * side_of({0, 0})};
    }
};

void draw_line(const Frame& ui, const Area& area, const Line& line, bool hot) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float far = area.width + area.height;
    const float width = ui.line(kStroke);
    const ImU32 white = IM_COL32(255, 255, 255, 235);
    list.AddLine(line.along(-far), line.along(far), IM_COL32(0, 0, 0, 130), width + 2);
    list.AddLine(line.along(-far), line.along(far), white, width);
    const float grip = ui.px(kGrip);
    const ImU32 fill = hot ? ui.colors.accent_deep : IM_COL32(24, 25, 27, 225);
    list.AddCircleFilled(line.at, grip, fill, 32);
    list.AddCircle(line.at, grip, white, 32, width);
    for (const float way : {-1.0F, 1.0F}) {  // arrowheads across the line
        const auto point = [&](float along_normal, float along_line) {
            return ImVec2{line.at.x + (line.normal.x * way * along_normal + line.direction.x * along_line) * grip,
                          line.at.y + (line.normal.y * way * along_normal + line.direction.y * along_line) * grip};
        };
        const ImVec2 head[] = {point(0.3F, -0.36F), point(0.66F, 0), point(0.3F, 0.36F)};
        list.AddPolyline(head, 3, IM_COL32_WHITE, 0, width);
    }
    const ImVec2 turn = line.turn_grip(ui);
    list.AddCircleFilled(turn, ui.px(kTurnGrip), fill, 24);
    list.AddCircle(turn, ui.px(kTurnGrip), white, 24, width);
}

class Wipe : public ViewMode {
  public:
    void draw_icon(const Frame& ui, const Area& box, ImU32 ink) const override {
        draw_icon_frame(ui, box, ink);
        ImGui::GetWindowDrawList()->AddTriangleFilled({box.right(), box.y}, box.max(), {box.x, box.bottom()}, ink);
    }

    std::vector<Pane> lay_out(Frame&, ViewState& state, const Area& area) override {
        return {side_pane(state, Side::after, "wipe", area)};
    }

    bool takes_mouse(Frame& ui, const ViewState& state, const Pane& pane, const PaneMouse& mouse) override {
        on_line_ = !state.show_original && handle_line(ui, pane.area, mouse);
        return on_line_;
    }

    const Picture* windowed_at(const ViewState& state, const Pane& pane, ImVec2 at) const override {
        if (state.show_original) return pane.picture;
        const bool is_after = (line_in(pane.area).side_of(at) >= 0) == swapped_;
        return is_after ? &state.model->views.after : &state.model->views.before;
    }

    std::string value(const ViewState&, const Pane&) const override {
        return format("%.0f%s", angle_deg_, swapped_ ? " swapped" : "");
    }

    void draw(Frame& ui, ViewState& state, const Pane& pane, bool marked) override {
        if (state.show_original) return ViewMode::draw(ui, state, pane, marked);
        const ViewsModel& views = state.model->views;
        const Area& area = pane.area;
        const Line line = line_in(area);
        const ImageToScreen map = map_view(state.view, area);
        draw_checkerboard_under(ui, views.before, map, area);
        const auto is_first = [&](Side side) { return (side == Side::after) == swapped_; };
        for (const Side side : {Side::before, Side::after}) {
            const Picture& picture = side == Side::after ? views.after : views.before;
            const Half half = line.half(is_first(side));
            const Shape shape = cut_shape(shape_of(area), half.cut_x, half.cut_y, half.cut);
            draw_through_window(state, picture, [&] { draw_picture_in(picture, map, shape); });
            if (side == Side::after) draw_preview(state, map, shape);
            draw_clipping(ui, state, map, area, picture, side == Side::after, half);
        }
        draw_over_picture(ui, state, map, area);
        for (const Side side : {Side::before, Side::after})
            draw_numbers(ui, map, area, side == Side::after ? views.numbers_after : views.numbers_before,
                         window_of(views, side == Side::after ? views.after : views.before),
                         [&](ImVec2 p) { return (line.side_of(p) >= 0) == is_first(side); });
        draw_explained(ui, state, map, area);
        draw_line(ui, area, line, on_line_);
        draw_names(ui, state, area, line);
        const auto note = [&](const char* label, ImVec2 c, float r) {
            record_overlay(ui, label, {c.x - r, c.y - r, 2 * r, 2 * r});
        };
        note("wipe:line", line.at, ui.px(kGrip));
        note("wipe:turn", line.turn_grip(ui), ui.px(kTurnGrip));
    }

    void draw_head(Frame& ui, ViewState& state, const Pane& pane) override {
        const Side side = state.model->views.windows.after.is_full() ? Side::before : Side::after;
        draw_result_head(ui, state, pane.head, "Wipe", side_caption(state, Side::after), side);
    }

    void add_options(Frame&, const ViewState&, BarRow& row) override {
        row.toggle("wipe:turn by 45", "Turn", "turn-wipe", false,
                   "Turns the line by 45 degrees; its small grip turns it by any angle");
        row.toggle("wipe:swap", "Swap", "swap-wipe", swapped_, "Swaps the sides");
    }

    std::span<const ModeCommand> commands() const override {
        static constexpr ModeCommand kCommands[] = {
            {"turn-wipe", "Wipe: turn the line", "R", call<&Wipe::turn>},
            {"wipe-back", "Wipe: line to the left or up", ",", call<&Wipe::move_back>},
            {"wipe-on", "Wipe: line to the right or down", ".", call<&Wipe::move_on>},
            {"swap-wipe", "Wipe: swap the sides", "X", call<&Wipe::swap>},
        };
        return kCommands;
    }

    KeptOptions kept() const override {
        return {{"x", x_}, {"y", y_}, {"angle_deg", angle_deg_}, {"swapped", swapped_}};
    }
    void restore(const KeptOptions& kept, const RunModel&) override {
        x_ = kept_number(kept, "x", x_, 0, 1);
        y_ = kept_number(kept, "y", y_, 0, 1);
        angle_deg_ = std::fmod(kept_number(kept, "angle_deg", angle_deg_, 0, 180), 180);
        swapped_ = kept_option(kept, "swapped", swapped_);
    }

  private:
    enum class Drag : uint8_t { none, line, turn };

    void turn(Frame&) { angle_deg_ = std::fmod((std::floor(angle_deg_ / 45) + 1) * 45, 180); }
    void move_back(Frame&) { move(-1); }
    void move_on(Frame&) { move(+1); }
    void swap(Frame&) { swapped_ = !swapped_; }

    /// Moves the line across itself, by 2 % of the pane a step; negative: to the left or up.
    void move(int steps) {
        constexpr float kStep = 0.02F;
        const ImVec2 back = line_in({0, 0, 1, 1}).normal;
        const float by = kStep * static_cast<float>(-steps);
        x_ = std::clamp(x_ + double{by * back.x}, 0.0, 1.0);
        y_ = std::clamp(y_ + double{by * back.y}, 0.0, 1.0);
    }

    Line line_in(const Area& area) const {
        const double angle = angle_deg_ * std::numbers::pi / 180;
        const auto c = static_cast<float>(std::cos(angle));
        const auto s = static_cast<float>(std::sin(angle));
        Line line;
        line.at = {area.x + static_cast<float>(x_) * area.width, area.y + static_cast<float>(y_) * area.height};
        line.direction = {c, s};
        line.normal = {-s, c};
        // The first side is at the left, and above where the line lies flat.
        if (line.normal.x > 1e-6F || (std::abs(line.normal.x) <= 1e-6F && line.normal.y > 0))
            line.normal = {-line.normal.x, -line.normal.y};
        return line;
    }

    Drag under_mouse(const Frame& ui, const Line& line) const {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const ImVec2 turn = line.turn_grip(ui);
        if (std::hypot(mouse.x - turn.x, mouse.y - turn.y) <= ui.px(kTurnGrip + 4)) return Drag::turn;
        if (std::hypot(mouse.x - line.at.x, mouse.y - line.at.y) <= ui.px(kGrip)) return Drag::line;
        return std::abs(line.side_of(mouse)) <= ui.px(kReach) ? Drag::line : Drag::none;
    }

    void drag(const Area& area) {
        const ImGuiIO& io = ImGui::GetIO();
        const double x = (io.MousePos.x - area.x) / area.width;
        const double y = (io.MousePos.y - area.y) / area.height;
        if (drag_ == Drag::line) {
            x_ = std::clamp(x, 0.0, 1.0);
            y_ = std::clamp(y, 0.0, 1.0);
            return;
        }
        const double dx = (x - x_) * area.width;
        const double dy = (y - y_) * area.height;
        if (std::hypot(dx, dy) < 4) return;
        double angle = std::fmod(std::atan2(dy, dx) * 180 / std::numbers::pi + 360, 180);
        const double nearest = std::round(angle / 45) * 45;
        if (!io.KeyShift && std::abs(angle - nearest) <= kSnap_deg) angle = nearest;
        angle_deg_ = angle >= 180 ? 0 : angle;
    }

    /// Moves the line with the mouse. True while the mouse belongs to the line and not to the image.
    bool handle_line(const Frame& ui, const Area& area, const PaneMouse& mouse) {
        if (!mouse.active) drag_ = Drag::none;
        const Drag near = mouse.hovered ? under_mouse(ui, line_in(area)) : Drag::none;
        if (mouse.activated && ImGui::IsMouseDown(ImGuiMouseButton_Left)) drag_ = near;
        if (drag_ != Drag::none) drag(area);
        const Drag shown = mouse.active ? drag_ : near;
        if (shown == Drag::turn) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (shown == Drag::line) {
            const double tilt = std::fmod(angle_deg_ + 22.5, 180) / 45;
            const ImGuiMouseCursor cursors[] = {ImGuiMouseCursor_ResizeNS, ImGuiMouseCursor_ResizeNESW,
                                                ImGuiMouseCursor_ResizeEW, ImGuiMouseCursor_ResizeNWSE};
            ImGui::SetMouseCursor(cursors[std::clamp(static_cast<int>(tilt), 0, 3)]);
        }
        return shown != Drag::none;
    }

    /// What each side of the line shows.
    void draw_names(Frame& ui, const ViewState& state, const Area& area, const Line& line) const {
        const bool flat = std::abs(line.normal.y) > std::abs(line.normal.x);
        const float margin = ui.px(10);
        const float room = flat ? area.width - 2 * margin : area.width / 2 - 2 * margin;
        for (const bool first : {true, false}) {
            const Side side = first != swapped_ ? Side::before : Side::after;
            Caption caption = side_caption(state, side);
            const std::string title(side_title(state, side));
            if (caption.parts.empty())
                caption.parts.push_back({title});
            else
                caption.parts.front().text.insert(0, title + ": ");
            const float label = ui.px(kSideLabel.height);
            const float text_room = room - ui.px(2 * kSideLabel.padding);
            const Area most{first || flat ? area.x + margin : area.right() - margin - room,
                            !first && flat ? area.bottom() - margin - label : area.y + margin, text_room, label};
            // A picture has no tooltips: all of it stands there, in as many lines as it needs.
            const bool whole = state.model->views.picturing;
            const std::string text = whole ? caption.text() : fit_caption(ui, most, ui.theme.small, caption);
            const float wrap = whole ? text_room : 0;
            const ImVec2 size = label_size(ui, text, kSideLabel, wrap);
            Area place{area.x + margin, area.y + margin, size.x, size.y};
            if (!first && flat) place.y = area.bottom() - margin - place.height;
            if (!first && !flat) place.x = area.right() - margin - place.width;
            draw_label(ui, place.min(), text, kSideLabel, wrap);
            record_overlay(ui, first ? "wipe:first" : "wipe:second", place, caption.text());
        }
    }

    double x_ = 0.5, y_ = 0.5;  // a point of the line, share of the pane
    double angle_deg_ = 90;     // from the horizontal, clockwise on screen; 0 up to 180
    bool swapped_ = false;      // the result at the left, or at the top
    Drag drag_ = Drag::none;
    bool on_line_ = false;  // the mouse is
};

}  // namespace

std::unique_ptr<ViewMode> make_wipe() {
    return std::make_unique<Wipe>();
}

}  // namespace tonescope::ui
