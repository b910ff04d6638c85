// Where the linked view looks, what else lasts of the views from frame to frame, and what view modes are made of.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "ui/model/model.h"
#include "ui/widgets/picture_drawing.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

/// The longest image fits a pane of 64 pixels.
inline constexpr double kMinZoom = 1.0 / 1024;
inline constexpr double kMaxZoom = 128;

/// Of a pane on screen, pixels.
struct PaneSize {
    double width = 1, height = 1;
};

/// Zoom at which the whole image shows, with a small margin.
double fit_zoom(const ImageSpec& spec, const PaneSize& pane);
/// Brings zoom, center and visible part in line with the pane: a fitted view stays fitted, others keep the image's
/// middle area in reach (the center never leaves the image).
void settle(View& view, const ImageSpec& spec, const PaneSize& pane);
/// Zooms by a factor so that the image point under (at_x, at_y), measured from the pane's middle, stays there.
void zoom_at(View& view, double factor, double at_x, double at_y);
/// Moves the image by screen pixels.
void pan(View& view, double dx, double dy);

/// "Explain": the pixel that is explained.
struct ExplainedPixel {
    std::optional<Pixel> pixel;    // the last one under the mouse, or where keys have moved it
    std::optional<Pixel> pointed;  // the mouse was last seen on
    std::optional<Pixel> kept;
    int pane = 0;                      // that the mouse was last over, in its mode
    std::optional<ParamBlock> params;  // of that pane's result; empty: those in use
    Explain reported;                  // what the last action said

    /// Holds on to the explained pixel, or lets it go.
    void toggle_kept() { kept = kept ? std::nullopt : pixel; }
    void move(int dx, int dy, const ImageSpec& image);
};

struct ViewState {
    const Model* model = nullptr;  // of the frame that is being made
    View view;
    ImageSpec spec;  // of the image that the view was fitted to
    Selection selection;
    ExplainedPixel explained;
    ClippingMarks clipping;
    bool show_original = false;                   // its key is down
    bool loupe = false;                           // its key is down
    double loupe_factor = 4;                      // beyond the view's zoom
    std::optional<Pixel> hovered;                 // the pixel of the image under the mouse
    std::optional<PointedPane> pointed;           // what the pane under the mouse shows, where that is no side
    bool picks_no_data = false;                   // the next click says which value is left out
    ImagePoint mouse;                             // the point of the image under the mouse, while it is on a pixel
    Hover reported_hover{};                       // what the last Hover action said
    Area before_pane;                             // with its head, as of the last frame; empty: none shows before alone
    PaneSize pane;                                // that the view was fitted to
    float head_px = 0, needed_head_px = 0;        // of the heads; what they need in this frame
    std::deque<std::function<void()>> renderers;  // called while this frame is rendered; their addresses are handed on

    /// In the middle of the view, where there is an image.
    Pixel middle() const {
        const auto inside = [](double at, int side) { return std::clamp(static_cast<int>(at), 0, side - 1); };
        return {inside(view.center_x, spec.width), inside(view.center_y, spec.height)};
    }
};

/// Height of the bar with modes and options, and of one of its rows, at 96 dpi.
inline constexpr float kBarRow = 34;

/// Before or after.
enum class Side : uint8_t { before, after };

/// A part of the views with a picture of its own, under a head that says what it shows.
struct Pane {
    std::string name;  // "before": of its widget "view:before" and its loupe "loupe:before"
    Area head, area;
    const Picture* picture = nullptr;
    const PixelBlock* numbers = nullptr;    // null: none are shown
    std::optional<Side> side = {};          // empty: neither
    bool linked = true;                     // it shows what the others show; false: all of a picture of its own size
    int index = 0;                          // in its mode
    std::optional<ParamBlock> params = {};  // of the operator, where the picture is a result and no side
};

/// Shows the image, also where something else stands in its place as before.
Pane original_pane(const ViewsModel& views, std::string name, const Area& head, const Area& area);
/// Shows a side, under a head at the top of `area`; after is the original while its key is held.
Pane side_pane(const ViewState& state, Side side, std::string name, const Area& area);

struct PaneMouse {
    bool hovered = false, activated = false, active = false;
    bool right = false;    // it is active by the right button
    bool clicked = false;  // pressed and let go on one spot
};
/// The mouse's item over a pane.
PaneMouse pane_item(Frame& ui, const Pane& pane);
/// Wheel, drag and double-click move the linked view; notes the pixel under the mouse. `can_pan`: the drag is not for
/// something else.
void navigate(Frame& ui, ViewState& state, const Area& area, const PaneMouse& mouse, bool can_pan);

/// Of a side: "Before", "Pinned", "After", "Original" while its key is held; and what is drawn there.
std::string_view side_title(const ViewState& state, Side side);
Caption side_caption(const ViewState& state, Side side);
/// As many of its pieces as fit into the area, the most important first; a tooltip there has the rest.
std::string fit_caption(Frame& ui, const Area& area, const Font& font, const Caption& caption);

/// The line above a pane: what it shows.
struct PaneHead {
    std::string_view title;
    Caption caption;
    bool is_result = false;
    std::string note = {};              // at the right: the size, or what is wrong
    bool is_warning = false;            // what the note says
    float reserved_px = 0;              // at the right, for something else
    std::optional<Side> windowed = {};  // through whose window the picture is shown; empty: through none
};
/// In a picture of the views its caption has as many lines as it needs.
void draw_head(Frame& ui, ViewState& state, const Area& area, const PaneHead& head);
void draw_side_head(Frame& ui, ViewState& state, const Area& area, Side side);
/// Of panes that show more than a side, and what runs.
void draw_result_head(Frame& ui, ViewState& state, const Area& area, std::string_view title, Caption caption,
                      std::optional<Side> windowed = Side::after);

/// Through whose window a picture of the views is shown: results through that of after.
Side windowed_side(const ViewsModel& views, const Picture& picture);
WindowView window_of(const ViewsModel& views, const Picture& picture);
/// What `draw` draws of a picture is shown through its window.
void draw_through_window(ViewState& state, const Picture& picture, const std::function<void()>& draw);
/// The right button drags the window of what a pane shows: to the right wider, up to a lower center.
void drag_window(Frame& ui, const ViewState& state, const Picture& picture, const PaneMouse& mouse);

/// The pane's picture in its view, with what lies over it. `marked`: the pixel that the mouse is on in another pane is
/// marked here.
void draw_pane(Frame& ui, ViewState& state, const Pane& pane, bool marked);
/// What lies over the picture of every pane whatever it shows: lines between pixels, the selection.
void draw_over_picture(Frame& ui, const ViewState& state, const ImageToScreen& map, const Area& area);
/// Image pixels that one of the preview's pixels stands for; 0 where there is none.
int preview_step(const ViewsModel& views);
/// The reduced result over the last full one, cut to a convex shape.
void draw_preview(ViewState& state, const ImageToScreen& map, const Shape& shape);

/// A short text on a dark ground; lengths at 96 dpi.
struct LabelLook {
    float padding, height, rounding;
    int alpha;
};
/// `wrap` > 0: the text has as many lines as it needs at this width, pixels.
ImVec2 label_size(const Frame& ui, std::string_view text, const LabelLook& look, float wrap = 0);
void draw_label(const Frame& ui, ImVec2 min, std::string_view text, const LabelLook& look, float wrap = 0);

/// Calls `draw` while the frame is rendered, at this place of the window's drawing; it may change OpenGL's state.
void draw_directly(ViewState& state, std::function<void()> draw);
/// A half of the window: x * cut_x + y * cut_y <= cut.
struct Half {
    double cut_x = 0, cut_y = 0, cut = 0;
};
/// Stripes over the clipped pixels of a picture where they are switched on, and over those of the preview where it lies
/// over the picture.
void draw_clipping(const Frame& ui, ViewState& state, const ImageToScreen& map, const Area& area,
                   const Picture& picture, bool with_preview, const Half& half = {});

/// What the explanation marks in the image: its cells and areas, and the pixel where the mouse is not on it.
void draw_explained(Frame& ui, const ViewState& state, const ImageToScreen& map, const Area& area);
/// Asks for the explanation of the pixel under the mouse, of the image on screen where there is one, in the result of
/// the pane.
void report_explained(Frame& ui, ViewState& state, bool shows_image);

/// Draws and clears the selected rectangle with the mouse. True while the mouse belongs to it and not to the image.
bool handle_selection(Frame& ui, ViewState& state, const Area& area, const PaneMouse& mouse);
/// The rectangle with its size.
void draw_selection(Frame& ui, const ViewState& state, const ImageToScreen& map, const Area& area);

/// Whether the values of pixels have room in them.
bool numbers_fit(const Frame& ui, double zoom, int channels, int max_sample);
/// `window`: what the pixels are shown through. `where` may leave out pixels by the place of their middle.
void draw_numbers(const Frame& ui, const ImageToScreen& map, const Area& area, const PixelBlock& block,
                  const WindowView& window, const std::function<bool(ImVec2)>& where = {});
/// `after` less `before`.
void draw_number_differences(const Frame& ui, const ImageToScreen& map, const Area& area, const PixelBlock& before,
                             const PixelBlock& after);

/// Where the view is in the image, at the bottom right of a pane while it shows a part. Its item must come before the
/// pane's; drawn over the pane.
struct Minimap {
    Area area;
    ImageToScreen map;
    bool shown = false;
};
Minimap minimap_item(Frame& ui, ViewState& state, const Area& pane);
void draw_minimap(const Frame& ui, ViewState& state, const Minimap& minimap, const Pane& pane);

/// Magnified circles while the loupe's key is held: one at a place in its own pane, or both sides beside the cursor.
void draw_loupe(Frame& ui, ViewState& state, const Pane& pane);
void draw_loupe_pair(Frame& ui, ViewState& state, const Area& area);

}  // namespace tonescope::ui
