// What a view mode is: a way to share out the views among panes, and what it draws into them.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/views/view_modes.h"
#include "ui/views/view_parts.h"

namespace tonescope::ui {

/// Controls side by side in the bar above the views: measured first, then drawn where there is room for each.
class BarRow {
  public:
    explicit BarRow(Frame& ui) : ui_(ui) {}
    float gap = 6;  // before the controls that are added next, at 96 dpi

    /// `draw` gets the control's top left corner.
    void add(float width, std::function<void(ImVec2)> draw);
    /// A button that runs a command, lit where `on`. The tooltip is `help` and the command's keys. `widest`: the widest
    /// text that it shows in turn with this one.
    void toggle(const char* label, const char* text, std::string_view command, bool on, const char* help,
                const char* widest = nullptr);
    /// A small slider with its value at the right, as wide as `widest`; a right click resets it. `position`: 0 to 1;
    /// `change` gets the new one. The keys in its tooltip are those of the steps.
    void slider(const char* label, const std::string& value, const char* widest, double position, double reset,
                const char* help, std::function<void(double)> change);

    struct Control {
        float gap, width;  // pixels; `gap`: before it, where another one stands there
        std::function<void(ImVec2)> draw;
    };
    const std::vector<Control>& controls() const { return controls_; }
    float width() const { return width_; }
    void draw(size_t control, ImVec2 at) const;

  private:
    Frame& ui_;
    float width_ = 0;
    std::vector<Control> controls_;
};

/// "Gain ([ and ])": `help` with the keys of the steps.
std::string help_of_steps(const Frame& ui, const char* help);

class ViewMode;

/// Something that can be done while a mode is shown: one of the window's commands.
struct ModeCommand {
    std::string_view id, title, keys;
    void (*run)(ViewMode&, Frame&);
    bool (*available)(const ViewMode&, const Frame&) = nullptr;  // null: whenever the mode is shown
};

/// What was kept of an option of this kind under this name, or `value` where nothing was.
template <class T>
T kept_option(const KeptOptions& kept, std::string_view name, T value) {
    const auto found = kept.find(name);
    const T* const known = found == kept.end() ? nullptr : std::get_if<T>(&found->second);
    return known == nullptr ? std::move(value) : *known;
}
/// The same for a number within a range.
inline double kept_number(const KeptOptions& kept, std::string_view name, double value, double min, double max) {
    return std::clamp(kept_option(kept, name, value), min, max);
}

class ViewMode {
  public:
    virtual ~ViewMode() = default;

    /// For its button; `box`: 16 x 12 pixels at 96 dpi.
    virtual void draw_icon(const Frame& ui, const Area& box, ImU32 ink) const = 0;
    /// The panes in what the bar leaves, all of one size, since they share the view; draws what is around them.
    virtual std::vector<Pane> lay_out(Frame& ui, ViewState& state, const Area& area) = 0;
    /// True while the mouse over a pane belongs to the mode, and not to the image.
    virtual bool takes_mouse(Frame&, const ViewState&, const Pane&, const PaneMouse&) { return false; }
    /// What is shown through a window at a point of the pane; null: nothing is.
    virtual const Picture* windowed_at(const ViewState&, const Pane& pane, ImVec2) const {
        return pane.linked ? pane.picture : nullptr;
    }
    /// What the pane's widget says of it.
    virtual std::string value(const ViewState& state, const Pane&) const { return format("%.4g", state.view.zoom); }
    /// `marked`: the pixel that the mouse is on in another pane is marked in this one.
    virtual void draw(Frame& ui, ViewState& state, const Pane& pane, bool marked) {
        draw_pane(ui, state, pane, marked);
    }
    /// Where the pane shows neither before nor after: what it shows under the mouse.
    virtual std::optional<PointedPane> pointed(const Frame&, const ViewState&, const Pane&) const { return {}; }
    virtual void draw_head(Frame& ui, ViewState& state, const Pane& pane) {
        draw_side_head(ui, state, pane.head, pane.side.value_or(Side::after));
    }

    /// Its controls in the bar.
    virtual void add_options(Frame&, const ViewState&, BarRow&) {}
    virtual std::span<const ModeCommand> commands() const { return {}; }
    /// Whether one of its options goes by steps.
    virtual bool has_steps() const { return false; }
    virtual void step(Frame&, int /*by*/) {}
    /// The user has chosen it.
    virtual void start(const Frame&) {}
    /// The user has changed a parameter, or wants to see several values of it.
    virtual void param_changed(const ParamPlace&) {}
    virtual void show_values_of(const ParamPlace&) {}
    /// Its options, for a session, and what was kept of them. `run`: what they are of.
    virtual KeptOptions kept() const { return {}; }
    virtual void restore(const KeptOptions&, const RunModel& /*run*/) {}
};

void draw_icon_frame(const Frame& ui, const Area& box, ImU32 ink);

template <class Mode>
Mode class_of(void (Mode::*)(Frame&));
/// A member function of a mode, as its commands run it.
template <auto function>
void call(ViewMode& mode, Frame& ui) {
    (static_cast<decltype(class_of(function))&>(mode).*function)(ui);
}

}  // namespace tonescope::ui
