// What the window looks like, as a person has set it; kept between runs.
#pragma once

#include <cstdint>
#include <string>

namespace tonescope::ui {

enum class ThemeKind : uint8_t { dark, light };

/// At 96 dpi.
inline constexpr float kLeftDefault = 300, kRightDefault = 320, kPanelMin = 220, kPanelMax = 640;
inline constexpr float kMinScale = 0.75F, kMaxScale = 3;
inline constexpr int kMaxPanes = 4;

/// What the histograms are of where no rectangle is selected.
enum class HistogramArea : uint8_t { image, visible };

struct HistogramAppearance {
    bool overlaid = false;  // before and after in one plot
    bool cumulative = false;
    bool fine = false;  // luma in 1024 bins
    HistogramArea area = HistogramArea::image;
    bool operator==(const HistogramAppearance&) const = default;
};

struct Settings {
    ThemeKind theme = ThemeKind::dark;
    float scale = 0;  // kMinScale to kMaxScale; 0: the display's
    float left_width = kLeftDefault, right_width = kRightDefault;
    bool panels_shown = true;
    bool kernels_shown = true;
    bool explains = false;       // "How it works" is on
    bool frame_shown = false;    // the table of a frame's parts
    bool variant_shown = false;  // idea, cost and flaw of the variant
    std::string view_mode;       // an id of the table of view modes; empty: the image's shape chooses
    HistogramAppearance histogram;
    int grid_panes = 4;       // 2 to kMaxPanes
    bool grid_image = false;  // the first pane shows the image itself
    bool operator==(const Settings&) const = default;
};

}  // namespace tonescope::ui
