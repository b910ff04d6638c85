// The window: how a person has set it, and what a frame of it consists of.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/core/image.h"
#include "gpu/core/param.h"
#include "gpu/core/statistics.h"

namespace tonescope::ui {

enum class ThemeKind : uint8_t { dark, light };

/// At 96 dpi.
inline constexpr float kLeftDefault = 300, kRightDefault = 320, kPanelMin = 220, kPanelMax = 640;
inline constexpr float kMinScale = 0.75F, kMaxScale = 3;
inline constexpr int kMaxPanes = 12;
inline constexpr float kMinShare = 0.2F;

/// What the histograms are of where no rectangle is selected.
enum class HistogramArea : uint8_t { image, visible };

struct HistogramAppearance {
    bool overlaid = false;  // before and after in one plot
    bool cumulative = false;
    bool fine = false;  // luma in 1024 bins
    HistogramArea area = HistogramArea::image;
    bool logarithmic = false;
    ClipThresholds clip;
    bool only_new_clipping = false;  // stripes mark pixels that are not clipped before
    bool operator==(const HistogramAppearance&) const = default;
};

/// How the source of a variant is compared with that of the variant that it builds on.
enum class SourceLook : uint8_t { plain, joined, side_by_side };

/// Where the file dialogs begin. Empty: with what is saved, beside the image; else where the last dialog was.
struct DialogFolders {
    std::string open, save, comparison, preset;
    bool operator==(const DialogFolders&) const = default;
};

/// What stands where and what is shown, apart from the images: part of a session.
struct Layout {
    float left_width = kLeftDefault, right_width = kRightDefault;
    bool panels_shown = true;
    bool clipping_shown = false;
    bool figures_shown = false;
    bool window_shown = false;  // the fields of window and level
    bool part_shown = false;    // region and mask
    bool kernels_shown = true;
    bool explains = false;          // "Explain" is on
    bool frame_shown = false;       // the table of a frame's parts
    bool variant_shown = false;     // idea, cost and flaw of the variant
    bool presets_shown = true;      // the list below the parameters
    bool suggestions_shown = true;  // marks on the sliders of parameters ...
    bool flat_suggestions = false;  // ... also where their curve is flat
    bool source_shown = false;
    float source_share = 0.5F;  // of the room for it and the views: kMinShare to 1 - kMinShare
    SourceLook source_look = SourceLook::joined;
    std::string view_mode;  // an id of the table of view modes; empty: the image's shape chooses
    HistogramAppearance histogram;
    int grid_panes = 4;       // side by side, 2 to kMaxPanes
    int grid_rows = 3;        // where there are several: 2 to kMaxPanes
    bool grid_image = false;  // the first pane shows the image itself
    std::string grid_figure;  // an id of figures() that each pane tells; empty: none
    bool grid_map = true;     // the figure is drawn as a heat map, or of one row as a curve
    bool operator==(const Layout&) const = default;
};

/// What the window looks like, as a person has set it; kept between runs.
struct Settings : Layout {
    ThemeKind theme = ThemeKind::dark;
    float scale = 0;  // kMinScale to kMaxScale; 0: the display's
    DialogFolders folders;
    SaveOptions save_options;  // those that are not the defaults
    bool operator==(const Settings&) const = default;
};

enum class Severity : uint8_t { info, warning, error };

/// A message over the views.
struct Notice {
    uint64_t id = 0;
    Severity severity = Severity::info;
    std::string text;  // one line
};

/// A widget of the last frame, for tests and screen tours.
struct Widget {
    std::string label;                          // "Clip limit", "Operator", "view:before", "button:Save", ...
    float x = 0, y = 0, width = 0, height = 0;  // window pixels
    std::string value;                          // what it shows, where that is short
    std::string panel;                          // "images", "control", "views", "histogram", "browser", ...
    bool interactive = true;                    // false: a group around other widgets, or something only shown
    bool enabled = true;
    bool is_old = false;  // it is of an earlier result, and dimmed
    size_t layer = 0;     // of the keyboard: 0 is the window, 1 a dialog over it, and so on
};

/// An opaque part of the window without anything in it.
struct BackgroundFill {
    Rect area;       // pixels
    uint32_t color;  // 0xAABBGGRR
};

}  // namespace tonescope::ui
