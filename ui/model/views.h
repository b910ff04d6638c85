// What the views show, and where they stand.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gpu/core/difference.h"
#include "gpu/core/explanation.h"
#include "gpu/core/histogram.h"
#include "gpu/core/image.h"
#include "gpu/present/clipping_view.h"
#include "gpu/present/difference_view.h"
#include "gpu/present/presenter.h"
#include "ui/model/grid.h"
#include "ui/model/pixels.h"

namespace tonescope::ui {

/// How before and after are compared.
enum class ViewMode : uint8_t { side_by_side, stacked, wipe, flicker, single, difference, grid };
inline constexpr std::array<const char*, 7> kViewModeIds = {"side-by-side", "stacked",    "wipe", "flicker",
                                                            "single",       "difference", "grid"};

/// The one view that before and after share.
struct View {
    bool fit = true;
    double zoom = 1;                    // screen pixels per image pixel
    double center_x = 0, center_y = 0;  // image point in the middle of each view, pixels
    Rect visible;                       // part of the image on screen, pixels
    ViewMode mode = ViewMode::side_by_side;
    bool shows_numbers = false;  // the values of the visible pixels: ViewsModel::numbers_before and numbers_after
    bool minified = false;       // a picture is drawn below 1:1 somewhere
    Rect histogram_region;       // what the histograms are to be of, pixels; empty: the whole image
    bool fine_histogram = false;
    GridView grid;
};

struct ViewsModel {
    Picture before, after;
    Picture original;                // the image, where a reference stands in its place as `before`
    std::string reference;           // what `before` is then the result of; empty: the image itself
    Picture preview;                 // drawn over `after` at preview_region while the full result is on its way
    Rect preview_region;             // empty: none
    bool after_is_stale = false;     // `after` belongs to older parameters
    std::optional<PixelInfo> pixel;  // under the cursor
    PixelBlock numbers_before, numbers_after;  // where View::shows_numbers; empty while they are not known
    /// Draws a difference into the window at once; called while the frame is rendered.
    std::function<void(const DifferenceView&)> draw_difference;
    /// Marks clipped pixels, likewise.
    std::function<void(const ClippingView&)> draw_clipping;
    std::optional<DifferenceStatistics> difference;  // of the pictures on screen; empty while it is not known
    GridModel grid;
    std::shared_ptr<const Explanation> explanation;  // what Explain asked for; null while nothing is known
    bool picturing = false;  // this frame is for a picture of the views: nothing may lie over them

    const char* before_title() const { return reference.empty() ? "Before" : "Reference"; }
};

/// Counts of View::histogram_region; empty while they are not known.
struct HistogramModel {
    std::optional<DisplayHistogram> before, after;
    std::optional<FineHistogram> fine_before, fine_after;  // where View::fine_histogram
    bool logarithmic = false;
};

}  // namespace tonescope::ui
