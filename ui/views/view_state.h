// What lasts of the views from frame to frame, whatever their mode.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "ui/model/model.h"
#include "ui/views/view_transform.h"

namespace tonescope::ui {

/// "How it works": the pixel that is explained.
struct ExplainedPixel {
    std::optional<Pixel> pixel;    // the last one under the mouse, or where keys have moved it
    std::optional<Pixel> pointed;  // the mouse was last seen on
    std::optional<Pixel> kept;
    Explain reported;  // what the last action said

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
    ImagePoint mouse;                             // the point of the image under the mouse, while it is on a pixel
    Hover reported_hover{};                       // what the last Hover action said
    bool pointed_at = false;                      // the mouse is over the views, as of the last frame
    PaneSize pane;                                // that the view was fitted to
    std::deque<std::function<void()>> renderers;  // called while this frame is rendered; their addresses are handed on
};

}  // namespace tonescope::ui
