// A view mode is a file with a class of ViewMode, and a row here with the function that makes one.
#include <algorithm>
#include <cmath>

#include "ui/views/view_mode.h"

namespace tonescope::ui {

std::unique_ptr<ViewMode> make_side_by_side();
std::unique_ptr<ViewMode> make_stacked();
std::unique_ptr<ViewMode> make_wipe();
std::unique_ptr<ViewMode> make_flicker();
std::unique_ptr<ViewMode> make_single();
std::unique_ptr<ViewMode> make_difference();
std::unique_ptr<ViewMode> make_grid();

namespace {

constexpr ViewModeNeed kSameSize = {[](const Model& model) { return model.views.is_linked(); },
                                    "Needs a result of the image's size"};
// The result on screen may still be another operator's.
constexpr ViewModeNeed kParameters = {[](const Model& model) {
                                          return model.views.is_linked() && !model.run.op->makes_bins &&
                                                 !active_params(model.run).empty();
                                      },
                                      "Needs an operator that has parameters and makes an image"};

constexpr ViewModeInfo kViewModes[] = {
    {"side-by-side", "1", "Side by side", "Side by side", "Side by side", nullptr, make_side_by_side},
    {"stacked", "2", "Stacked", "Stacked", "Stacked: one above the other", nullptr, make_stacked},
    {"wipe", "3", "Wipe", "Wipe", "Wipe: before and after on the two sides of a line (split view)", &kSameSize,
     make_wipe},
    {"flicker", "4", "Flicker", "Flicker", "Flicker: before and after in turn", &kSameSize, make_flicker},
    {"single", "5", "The result alone", "Result", "The result alone", nullptr, make_single},
    {"difference", "6", "Difference", "Difference", "Difference of after and before", &kSameSize, make_difference},
    {"grid", "7", "Try values", "Try values", "Try values: several values of a parameter side by side", &kParameters,
     make_grid},
};

}  // namespace

std::span<const ViewModeInfo> view_modes() {
    return kViewModes;
}

const ViewModeInfo* find_view_mode(std::string_view id) {
    const auto found = std::ranges::find(kViewModes, id, &ViewModeInfo::id);
    return found == std::end(kViewModes) ? nullptr : found;
}

void draw_icon_frame(const Frame& ui, const Area& box, ImU32 ink) {
    ImGui::GetWindowDrawList()->AddRect(box.min(), box.max(), ink, ui.px(1), 0,
                                        std::max(1.0F, std::round(1.2F * ui.theme.scale)));
}

}  // namespace tonescope::ui
