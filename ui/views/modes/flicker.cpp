// Before and after in turn, in one place.
#include <algorithm>
#include <cmath>

#include "ui/views/view_mode.h"

namespace tonescope::ui {
namespace {

constexpr double kMinInterval_ms = 100, kDefaultInterval_ms = 500, kMaxInterval_ms = 2000;

class Flicker : public ViewMode {
  public:
    void draw_icon(const Frame& ui, const Area& box, ImU32 ink) const override {
        const ImVec2 shift{ui.px(3), ui.px(2)};
        draw_icon_frame(ui, between({box.x, box.y - shift.y}, {box.right() - shift.x * 2, box.bottom() - shift.y * 2}),
                        ink);
        fill(between({box.x + shift.x * 2, box.y + shift.y * 2}, {box.right(), box.bottom() + shift.y}), ink, ui.px(1));
    }

    std::vector<Pane> lay_out(Frame& ui, ViewState& state, const Area& area) override {
        take_turns(ui);
        const bool before = shows_before_ && !state.show_original;
        return {side_pane(state, before ? Side::before : Side::after, "flicker", area)};
    }

    std::string value(const ViewState&, const Pane&) const override { return shows_before_ ? "before" : "after"; }

    void add_options(Frame&, const ViewState&, BarRow& row) override {
        row.toggle("flicker:run", running_ ? "Pause" : "Run", "pause-flicker", false, "Stops and starts the change",
                   "Pause");
        const double range = std::log(kMaxInterval_ms / kMinInterval_ms);
        const auto position = [range](double ms) { return std::log(ms / kMinInterval_ms) / range; };
        row.slider("flicker:interval", format("%.2f s", interval_ms_ / 1000), "2.00 s", position(interval_ms_),
                   position(kDefaultInterval_ms), "How long each is shown",
                   [this, range](double moved) { set_interval(kMinInterval_ms * std::exp(moved * range)); });
    }

    std::span<const ModeCommand> commands() const override {
        static constexpr ModeCommand kCommands[] = {
            {"pause-flicker", "Flicker: pause", "Space", call<&Flicker::pause>},
        };
        return kCommands;
    }

    bool has_steps() const override { return true; }
    void step(Frame&, int by) override {
        set_interval(std::clamp(interval_ms_ * std::exp2(by / 2.0), kMinInterval_ms, kMaxInterval_ms));
    }

    void start(const Frame& ui) override { switched_s_ = ui.time_s; }

    KeptOptions kept() const override { return {{"running", running_}, {"interval_ms", interval_ms_}}; }
    void restore(const KeptOptions& kept, const RunModel&) override {
        running_ = kept_option(kept, "running", running_);
        set_interval(kept_number(kept, "interval_ms", interval_ms_, kMinInterval_ms, kMaxInterval_ms));
    }

  private:
    void pause(Frame&) { running_ = !running_; }

    void set_interval(double ms) { interval_ms_ = std::round(ms / 10) * 10; }

    void take_turns(Frame& ui) {
        if (!running_) return;
        ui.animating = true;
        const double interval_s = interval_ms_ / 1000;
        if (ui.time_s - switched_s_ < interval_s) return;
        shows_before_ = !shows_before_;
        // In step with the interval, unless frames have been left out.
        switched_s_ = std::max(switched_s_ + interval_s, ui.time_s - interval_s / 2);
    }

    bool running_ = true, shows_before_ = false;
    double interval_ms_ = kDefaultInterval_ms, switched_s_ = 0;
};

}  // namespace

std::unique_ptr<ViewMode> make_flicker() {
    return std::make_unique<Flicker>();
}

}  // namespace tonescope::ui
