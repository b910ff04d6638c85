// Colours, fonts and spacing.
#pragma once

#include "ui/imgui_compat.h"

namespace tonescope::ui {

namespace color {
// Grays without a tint, so that the surroundings do not change how an image's colours look; one accent.
inline constexpr ImU32 kBackdrop = IM_COL32(20, 20, 21, 255);  // behind the images
inline constexpr ImU32 kPanel = IM_COL32(30, 31, 33, 255);
inline constexpr ImU32 kRaised = IM_COL32(36, 37, 40, 255);  // title strips, popups
inline constexpr ImU32 kFrame = IM_COL32(46, 48, 52, 255);
inline constexpr ImU32 kFrameHovered = IM_COL32(57, 60, 65, 255);
inline constexpr ImU32 kFrameActive = IM_COL32(68, 71, 77, 255);
inline constexpr ImU32 kLine = IM_COL32(15, 15, 16, 255);
inline constexpr ImU32 kLineSoft = IM_COL32(255, 255, 255, 16);
inline constexpr ImU32 kText = IM_COL32(222, 224, 228, 255);
inline constexpr ImU32 kTextQuiet = IM_COL32(150, 154, 162, 255);
inline constexpr ImU32 kTextFaint = IM_COL32(104, 108, 116, 255);
inline constexpr ImU32 kAccent = IM_COL32(92, 160, 255, 255);
inline constexpr ImU32 kAccentDeep = IM_COL32(47, 92, 158, 255);
inline constexpr ImU32 kSelected = IM_COL32(44, 66, 100, 255);
inline constexpr ImU32 kWarning = IM_COL32(232, 178, 74, 255);
inline constexpr ImU32 kError = IM_COL32(236, 106, 94, 255);
// Red, green and blue that differ in lightness too, for those who tell them apart badly.
inline constexpr ImU32 kRed = IM_COL32(232, 100, 56, 255);
inline constexpr ImU32 kGreen = IM_COL32(38, 186, 140, 255);
inline constexpr ImU32 kBlue = IM_COL32(98, 176, 246, 255);
inline constexpr ImU32 kLuma = IM_COL32(214, 216, 220, 255);

// Bars of the charts: apart in hue and in lightness, also for those who tell red and green apart badly.
inline constexpr ImU32 kBarCpu = IM_COL32(230, 159, 0, 255);
inline constexpr ImU32 kBarGpu = IM_COL32(86, 180, 233, 255);
inline constexpr ImU32 kBarSpread = IM_COL32(240, 240, 242, 220);

/// The colour with its alpha multiplied.
constexpr ImU32 fade(ImU32 c, float alpha) {
    const auto a = static_cast<ImU32>(static_cast<float>((c >> IM_COL32_A_SHIFT) & 0xff) * alpha);
    return (c & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}
}  // namespace color

struct Theme {
    float scale = 1;
    Font body;    // nearly everything
    Font strong;  // headings and names
    Font small;   // details
    Font title;   // the empty window, dialogs

    /// Pixels of a length given at 96 dpi, whole ones so that edges stay sharp.
    float px(float length) const;
};

/// Sets Dear ImGui's style, fonts and flags, and returns what our own drawing needs.
Theme apply_theme(float scale);

}  // namespace tonescope::ui
