// Which control has the keyboard, and how keys move it. Dear ImGui's own navigation is switched off: its releases
// differ in it, and it knows neither the areas of the window nor groups of controls.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/widgets/imgui_compat.h"

namespace tonescope::ui {

/// The parts of the window that F6 goes round. The views themselves hold no control; those of the bar above them, and
/// what stands in their place, are in the middle.
enum class WindowArea : uint8_t { view, left, middle, source, right, status };
inline constexpr size_t kWindowAreas = 6;
std::string_view name_of(WindowArea area);

/// What a control does with keys by itself, beside Enter and Space, which use it.
enum class TakesKeys : uint8_t {
    none,
    across,  // Left, Right, Home, End and the page keys: a slider
    typing,  // all but Tab: a text field, which also keeps Enter
    list,    // all but Tab and Esc: a list with a cursor of its own
    opens,   // letters open its list
};

class Keyboard {
  public:
    // The frame ----------------------------------------------------------------------------------------------------
    /// Lets the keys move and use controls as of the last frame. `has_view`: the views show an image, whose commands
    /// have the arrows, Tab and Enter while nothing else has the keyboard.
    void begin_frame(bool has_view, double time_s);
    void end_frame();

    /// Where the controls that come next belong. The mouse, where it presses a button, brings the keyboard along.
    void enter_area(WindowArea area);
    /// A dialog, menu or list that lies over the rest has the keyboard until it is no longer drawn; then what had it
    /// before has it again.
    void enter_layer(ImGuiID id);
    void leave_layer();
    /// One of the controls between these two is reached with Tab: the chosen one, or the first. Arrows reach the
    /// others.
    void begin_group(ImGuiID id, bool vertical);
    void end_group();
    /// Controls between these two cannot be used.
    void begin_disabled(bool off) { disabled_ += off ? 1 : 0; }
    void end_disabled(bool off) { disabled_ -= off ? 1 : 0; }

    struct Control {
        ImGuiID id;
        ImVec2 min, max;
        TakesKeys takes = TakesKeys::none;
        bool chosen = false;    // of its group
        std::string text = {};  // whose beginning is typed
        bool is_drawn = true;   // its item is the one drawn last; false: it is out of sight
    };
    /// Notes a control in reading order. True where a key uses it in this frame.
    bool add(Control control);
    /// After a region in a region: the outer one scrolls too where the keyboard has gone there.
    /// `inner`: the drawing of the region that ended.
    void follow(const ImDrawList* inner);
    /// Of the current layer: Enter uses it where the control that has the keyboard makes nothing of that key.
    void set_default(ImGuiID id);

    // What has it --------------------------------------------------------------------------------------------------
    bool is_on(ImGuiID id) const { return &layer() == &layers_.back() && layer().item == id && id != 0; }
    /// Another control than this one has it.
    bool is_elsewhere(ImGuiID id) const { return layers_.back().item != 0 && !is_on(id); }
    /// The view has it: keys are its commands.
    bool is_on_view() const { return layers_.size() == 1 && area_ == WindowArea::view; }
    /// The view or what stands in its place.
    bool is_home() const { return layers_.size() == 1 && area_ == home(); }
    /// A slider, or a handle that keys move like one, has it: letters and digits are nothing to it.
    bool is_on_slider() const;
    /// A text field has it.
    bool is_on_text() const;
    /// Whether the layer that is being drawn is the topmost.
    bool in_top_layer() const { return layers_.size() == depth_ + 1; }
    /// Of the layer that is being drawn: 0 is the window.
    size_t depth() const { return depth_; }
    /// Corners of the controls of the topmost layer, as of the last frame.
    std::vector<std::pair<ImVec2, ImVec2>> places() const;
    /// It was used last, and not the mouse: the control that has it is marked.
    bool is_visible() const { return visible_; }
    WindowArea area() const { return area_; }
    /// A letter was typed in this frame, and with those just before it this text begins.
    bool types_beginning(std::string_view text) const;
    /// Of the control that has it and is marked; both are 0 where there is none.
    ImVec2 min() const { return min_; }
    ImVec2 max() const { return max_; }
    /// Around that control.
    void draw_ring(ImU32 color, float thickness, float rounding) const;

    // Moving it ----------------------------------------------------------------------------------------------------
    /// To a control of the current layer.
    void go_to(ImGuiID id);
    void go_home();
    /// To the next area with a control, or the previous one.
    void next_area(int by);

  private:
    struct Stop {
        ImGuiID id, group;
        WindowArea area;
        TakesKeys takes;
        bool vertical, chosen;
        std::string text;
        ImVec2 min, max;
    };
    struct Layer {
        ImGuiID id = 0, item = 0, standard = 0;
        size_t place = 0;  // of the item among the stops
        std::vector<Stop> stops = {}, collected = {};
        bool seen = true, is_new = true;
    };

    Layer& layer() { return layers_[depth_]; }
    const Layer& layer() const { return layers_[depth_]; }
    WindowArea home() const { return has_view_ ? WindowArea::view : WindowArea::middle; }
    /// What the mouse presses above and below the views leaves the keyboard to them.
    bool leaves_keyboard() const {
        return depth_ == 0 && (drawn_area_ == WindowArea::middle || drawn_area_ == WindowArea::status) && has_view_;
    }
    const Stop* current() const;
    void move_to(const Stop& stop);
    void step(int by);
    bool step_in_group(const Stop& at, int by);
    void handle_arrows(const Stop* at);
    void handle_use(const Stop* at);
    void handle_letters(const Stop* at);
    void settle(Layer& layer);

    std::vector<Layer> layers_ = std::vector<Layer>(1);
    size_t depth_ = 0;  // of the layer that is being drawn
    WindowArea area_ = WindowArea::view, drawn_area_ = WindowArea::view;
    std::array<ImGuiID, kWindowAreas> last_items_{};  // that had it in each area
    bool has_view_ = false, visible_ = false;
    bool moved_ = false;  // in this frame, so that the control scrolls into sight
    ImGuiID used_ = 0;    // by a key of this frame
    struct Group {
        ImGuiID id = 0;
        bool vertical = false;
    };
    std::vector<Group> groups_ = std::vector<Group>(1);  // the innermost is the last; the first stands for none
    int disabled_ = 0;
    ImVec2 min_{}, max_{}, clip_min_{}, clip_max_{};  // of the control that has it, in this frame
    const ImDrawList* region_ = nullptr;              // where it was drawn or scrolled to, while the keyboard moves
    std::string letters_;                             // typed one soon after the other
    bool letter_typed_ = false;                       // in this frame
    double time_s_ = 0, letters_since_s_ = 0;
};

}  // namespace tonescope::ui
