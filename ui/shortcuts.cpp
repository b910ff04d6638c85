// Keys of the main window. Characters such as + and ? are read as text, so that they work on every keyboard layout.
#include <cmath>

#include "ui/view_transform.h"
#include "ui/widgets.h"

namespace tonescope::ui {
namespace {

using namespace compat;

void view_keys(Ui& ui) {
    if (key_pressed(kKeyTab)) ui.panels_shown = !ui.panels_shown;
    if (key_pressed(kKeyK)) toggle_comparison(ui);
    if (ui.model->comparison.shown) {
        if (key_pressed(kKeyEscape)) ui.ask(ShowComparison{false});
        return;
    }
    ViewState& state = ui.view;
    if (key_pressed(kKeyF)) state.view.fit = true;
    if (key_pressed(kKeyUp, true)) ui.ask(StepImage{-1});
    if (key_pressed(kKeyDown, true)) ui.ask(StepImage{+1});
    state.show_original = key_down(kKeyB) || key_down(kKeyBackslash);
    if (typed('+') || typed('=')) zoom_at(state.view, std::sqrt(2.0), 0, 0);
    if (typed('-')) zoom_at(state.view, std::sqrt(0.5), 0, 0);
}

void control_keys(Ui& ui) {
    if (key_pressed(kKeyO)) open_browser(ui, BrowserState::Mode::open);
    if (key_pressed(kKeyS) && !ImGui::GetIO().KeyShift && !ui.model->after.empty())
        open_browser(ui, BrowserState::Mode::save);
    if (key_pressed(kKeyR)) ui.ask(ReloadImage{});
    if (key_pressed(kKeyQ)) ui.ask(Quit{});
    if (key_pressed(kKey0) || key_pressed(kKeyPad0)) {
        ui.view.view.fit = false;
        ui.view.view.zoom = 1;
    }
}

bool dialog_open(const Ui& ui) {
    return ui.browser.mode != BrowserState::Mode::closed || ui.help_open || !ui.model->overwrite_path.empty() ||
           ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

}  // namespace

void toggle_comparison(Ui& ui) {
    const bool shown = ui.model->comparison.shown;
    if (!shown && ui.model->before.empty()) return;
    ui.ask(ShowComparison{!shown});
    ui.focus_request = 0;
}

void handle_shortcuts(Ui& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    ui.view.show_original = false;
    if (key_pressed(kKeyF11)) ui.ask(ToggleFullScreen{});
    if (dialog_open(ui)) return;
    if (io.KeyCtrl && !io.KeyAlt) control_keys(ui);
    if (key_pressed(kKeyF5)) ui.ask(ReloadImage{});
    if (key_pressed(kKeyF6)) {
        const int areas = ui.panels_shown ? 3 : 1;
        ui.focus_request = (ui.focused_area + (io.KeyShift ? areas - 1 : 1)) % areas;
    }
    if (io.WantTextInput) return;
    if (typed('?')) ui.help_requested = true;
    if (ui.focused_area != 0 && key_pressed(kKeyEscape) && !ImGui::IsAnyItemActive()) ui.focus_request = 0;
    if (ui.focused_area == 0 && !io.KeyCtrl && !io.KeyAlt) view_keys(ui);
}

}  // namespace tonescope::ui
