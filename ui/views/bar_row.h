// Controls side by side in the bar above the views: measured first, then drawn where there is room for them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/widgets/widgets.h"

namespace tonescope::ui {

class BarRow {
  public:
    explicit BarRow(Frame& ui) : ui_(ui) {}
    float gap = 6;  // before the controls that are added next, at 96 dpi

    /// `draw` gets the control's top left corner.
    void add(float width, std::function<void(ImVec2)> draw);
    void add(const BarRow& others);
    /// A button that runs a command, lit where `on`. The tooltip is `help` and the command's keys. `widest`: the widest
    /// text that it shows in turn with this one.
    void toggle(const char* label, const char* text, std::string_view command, bool on, const char* help,
                const char* widest = nullptr);
    /// A small slider with its value at the right, as wide as `widest`; a right click resets it. `position`: 0 to 1;
    /// `change` gets the new one. The keys in its tooltip are those of the steps.
    void slider(const char* label, const std::string& value, const char* widest, double position, double reset,
                const char* help, std::function<void(double)> change);

    bool empty() const { return controls_.empty(); }
    float width() const { return width_; }
    void draw(ImVec2 at) const;

  private:
    struct Control {
        float x;  // from the row's left end
        std::function<void(ImVec2)> draw;
    };
    Frame& ui_;
    float width_ = 0;
    std::vector<Control> controls_;
};

/// "Gain ([ and ])": `help` with the keys of the steps.
std::string help_of_steps(const Frame& ui, const char* help);

}  // namespace tonescope::ui
