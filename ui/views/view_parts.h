// What the view modes are made of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "ui/state.h"
#include "ui/widgets/picture_drawing.h"

namespace tonescope::ui {

/// What a pane shows.
enum class Side : uint8_t { before, after };

struct PaneMouse {
    bool hovered = false, activated = false, active = false;
    bool clicked = false;  // pressed and let go on one spot
};

/// Height of the bar with modes and options, and of one of its rows, at 96 dpi.
inline constexpr float kBarRow = 34;

/// The result has the image's sides: one pixel stands over the other.
bool is_linked(const Model& model);
/// The chosen mode, or side by side where the result is a picture of its own (a plot).
ViewMode effective_mode(const Ui& ui, const Area& area);

/// Draws modes and the options of the mode at the top of `area`; returns the height taken.
float draw_view_bar(Ui& ui, const Area& area);

/// Buttons of commands at the right end of the bar: how many of them `room` holds (at least 1), and their width.
int action_buttons_in(const Ui& ui, float room);
float action_buttons_width(const Ui& ui, int count);
void draw_action_buttons(Ui& ui, ImVec2 at, int count);

/// The line above a view: what it shows, and its size at the right. `reserved`: width at the right that something else
/// is drawn in. `size_ink` 0: faint.
void draw_strip(const Ui& ui, const Area& strip, std::string_view title, std::string_view detail, bool is_result,
                std::string_view size, float reserved = 0, ImU32 size_ink = 0);
void draw_side_strip(Ui& ui, const Area& strip, Side side);
/// Of a pane that shows the result, with what runs.
void draw_result_strip(Ui& ui, const Area& strip, std::string_view title);
std::string_view image_name(const Model& model);
/// What a side shows: before or the reference; after, or the original while its key is held.
const Picture& picture_of(const Ui& ui, Side side);
std::string size_text(const ImageSpec& spec);

/// The mouse's item over a pane.
PaneMouse pane_item(const char* label, const Area& area);
/// Wheel, drag and double-click move the linked view; notes the pixel under the mouse. `pan`: the drag is not for
/// something else.
void navigate(Ui& ui, const Area& area, const PaneMouse& mouse, bool pan);
void report_hover(Ui& ui);

/// A picture in the linked view, with lines between pixels and `numbers` (may be null). `marked`: the pixel that the
/// mouse is on in another pane is marked here. `side`: whose picture it is, where it is one of the two.
void draw_linked(Ui& ui, const Area& area, const Picture& picture, const PixelBlock* numbers, bool marked,
                 std::optional<Side> side = {});
/// What a side shows; `marked` as above.
void draw_pane(Ui& ui, const Area& area, Side side, bool marked);
/// Image pixels that one of the preview's pixels stands for; 0 where there is none.
int preview_step(const Model& model);
/// What the explanation marks in the image: its cells and areas, and the pixel where the mouse is not on it.
void draw_explained(Ui& ui, const ImageToScreen& map, const Area& area);
/// After the panes: asks for the explanation of the pixel under the mouse. `spec`: of the image on screen, empty where
/// there is none.
void report_explained(Ui& ui, const ImageSpec& spec);
/// The reduced result over the last full one, cut to a convex shape.
void draw_preview(const Ui& ui, const ImageToScreen& map, const Shape& shape);

/// Calls `draw` while the frame is rendered, at this place of the window's drawing; it may change OpenGL's state.
void draw_directly(Ui& ui, std::function<void()> draw);
/// Stripes over the clipped pixels of a side, with its preview, where they are switched on; in the part of the window
/// with x * cut_x + y * cut_y <= cut.
void draw_clipping(Ui& ui, const ImageToScreen& map, const Area& area, Side side, double cut_x = 0, double cut_y = 0,
                   double cut = 0);
/// Over any picture of the linked view.
void draw_clipping(Ui& ui, const ImageToScreen& map, const Area& area, const Picture& picture);

/// Draws and clears the selected rectangle with the mouse. True while the mouse belongs to it and not to the image.
bool handle_selection(Ui& ui, const Area& area, const PaneMouse& mouse);
/// The rectangle with its size.
void draw_selection(Ui& ui, const ImageToScreen& map, const Area& area);

/// Whether the values of pixels have room in them.
bool numbers_fit(const Ui& ui, double zoom, int channels);
/// `where` may leave out pixels by the place of their middle.
void draw_numbers(const Ui& ui, const ImageToScreen& map, const Area& area, const PixelBlock& block,
                  const std::function<bool(ImVec2)>& where = {});
/// `after` less `before`.
void draw_number_differences(const Ui& ui, const ImageToScreen& map, const Area& area, const PixelBlock& before,
                             const PixelBlock& after);

/// Where the view is in the image, at the bottom right of a pane while it shows a part. Its item must come before the
/// pane's; drawn over the pane.
struct Minimap {
    Area area;
    ImageToScreen map;
    bool shown = false;
};
Minimap minimap_item(Ui& ui, const Area& pane);
void draw_minimap(Ui& ui, const Minimap& minimap, const Area& pane, Side side);

/// Magnified circles while the loupe's key is held: one at a place in its own pane, or both beside the cursor.
void draw_loupe(Ui& ui, const Area& pane, Side side);
void draw_loupe(Ui& ui, const Area& pane, const Picture& picture, const std::string& label);
void draw_loupe_pair(Ui& ui, const Area& pane);

/// Parameter, number and values of the grid, brought in line with what is set.
void follow_grid(Ui& ui);

// Modes; `area` is what the bar leaves.
void draw_pair(Ui& ui, const Area& area, bool stacked);
void draw_wipe(Ui& ui, const Area& area);
void draw_single(Ui& ui, const Area& area);
void draw_flicker(Ui& ui, const Area& area);
void draw_difference(Ui& ui, const Area& area);
void draw_grid(Ui& ui, const Area& area);

}  // namespace tonescope::ui
