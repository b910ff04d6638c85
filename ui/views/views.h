// The views of before and after: their mode, where they look, and what lies over them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/views/view_mode.h"

namespace tonescope::ui {

class Views {
  public:
    Views();

    /// Before commands are run and anything is drawn. `model` is used until the next frame.
    void begin_frame(const Model& model);
    /// In the current window: the bar, and the panes below it. `with_card`: they leave room for card().
    void draw(Frame& ui, const Area& area, bool with_card);
    /// In place of draw() where something else is shown.
    void hide(Frame& ui);

    /// Where the views look, and what they want to be known of it.
    const View& view() const { return state.view; }

    // Modes, by their place in view_modes()
    size_t shown_mode() const { return shown_mode_; }
    float bar_height() const { return bar_height_; }
    /// Beside or below the panes, as of the last frame; empty: there is none.
    const Area& card() const { return card_; }
    std::optional<size_t> chosen_mode() const { return chosen_mode_; }
    /// The views have another shape: where the user has chosen no mode, the image's shape chooses anew.
    void fit_mode() { fitted_to_.reset(); }
    void choose_mode(const Frame& ui, size_t mode);
    /// Of what was set in an earlier run; none: the shape of the first image that is opened chooses between the first
    /// two modes, and steps to other images leave it so.
    void restore_mode(std::string_view id);
    ViewMode& mode(size_t mode) const { return *modes_[mode]; }
    ViewMode& shown() const { return *modes_[shown_mode_]; }
    /// What a session has of the views, and what one had: `image` is the id of the one whose picture it is for. The
    /// options of modes are taken at the next frame, the rest when that picture is drawn.
    KeptView kept() const;
    void restore(const KeptView& kept, uint64_t image);
    /// Shows values of a parameter beside each other.
    void show_values_of(Frame& ui, const ParamPlace& param);
    /// The user has changed a parameter.
    void param_changed(const ParamPlace& param);

    ViewState state;

  private:
    size_t mode_to_show(const Frame& ui, const Area& area);
    void take_kept();
    float draw_bar(Frame& ui, const Area& area);
    void draw_panes(Frame& ui, ViewMode& mode, const Area& area);
    void report_hovered(Frame& ui);

    std::vector<std::unique_ptr<ViewMode>> modes_;
    size_t shown_mode_ = 0;
    float bar_height_ = 0;  // pixels, as of the last frame
    Area card_;
    std::optional<size_t> chosen_mode_;
    size_t fitting_mode_ = 0;                                       // by the image's shape, until one is chosen
    std::optional<uint64_t> fitted_to_;                             // what the user had opened when that was found
    std::optional<std::map<std::string, KeptOptions>> kept_modes_;  // to be taken
    /// To be taken when the image's picture is drawn.
    std::optional<std::pair<KeptView, uint64_t>> kept_view_;
};

}  // namespace tonescope::ui
