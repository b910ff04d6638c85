// Colours, fonts and spacing.
#pragma once

#include <array>

#include "ui/model/settings.h"
#include "ui/widgets/imgui_compat.h"

namespace tonescope::ui {

namespace color {
/// The colours of one theme. Grays without a tint, so that the surroundings do not change how an image's colours look;
/// one accent.
struct Palette {
    ImU32 backdrop;  // behind the images
    ImU32 panel;
    ImU32 raised;  // title strips, popups
    ImU32 frame, frame_hovered, frame_active;
    ImU32 line, line_soft;
    ImU32 text, text_quiet, text_faint;
    ImU32 accent, accent_deep;
    ImU32 selected;
    ImU32 warning, error;
    // Red, green and blue that differ in lightness too, for those who tell them apart badly.
    ImU32 red, green, blue, luma;
    // Bars of the charts: apart in hue and in lightness.
    ImU32 bar_cpu, bar_gpu, bar_spread;
    // Parts of a whole, in the order in which they lie side by side: neighbours differ in lightness too.
    std::array<ImU32, 7> parts;
    ImU32 notice;  // behind messages
    ImU32 grab;    // of sliders
    ImU32 border;
};
/// The theme in use; set by use_theme(). The names below are its colours.
extern Palette current;
inline const ImU32& kBackdrop = current.backdrop;
inline const ImU32& kPanel = current.panel;
inline const ImU32& kRaised = current.raised;
inline const ImU32& kFrame = current.frame;
inline const ImU32& kFrameHovered = current.frame_hovered;
inline const ImU32& kFrameActive = current.frame_active;
inline const ImU32& kLine = current.line;
inline const ImU32& kLineSoft = current.line_soft;
inline const ImU32& kText = current.text;
inline const ImU32& kTextQuiet = current.text_quiet;
inline const ImU32& kTextFaint = current.text_faint;
inline const ImU32& kAccent = current.accent;
inline const ImU32& kAccentDeep = current.accent_deep;
inline const ImU32& kSelected = current.selected;
inline const ImU32& kWarning = current.warning;
inline const ImU32& kError = current.error;
inline const ImU32& kRed = current.red;
inline const ImU32& kGreen = current.green;
inline const ImU32& kBlue = current.blue;
inline const ImU32& kLuma = current.luma;
inline const ImU32& kBarCpu = current.bar_cpu;
inline const ImU32& kBarGpu = current.bar_gpu;
inline const ImU32& kBarSpread = current.bar_spread;
inline const std::array<ImU32, 7>& kParts = current.parts;
inline const ImU32& kNotice = current.notice;
inline const ImU32& kGrab = current.grab;
inline const ImU32& kBorder = current.border;

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

/// Colours for what is drawn from now on.
void use_theme(ThemeKind kind);

/// Sets Dear ImGui's style, fonts and flags, and returns what our own drawing needs.
Theme apply_theme(float scale);

}  // namespace tonescope::ui
