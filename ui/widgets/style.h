// Colors, fonts and spacing.
#pragma once

#include <array>
#include <cmath>

#include "ui/model/window.h"
#include "ui/widgets/imgui_compat.h"

namespace tonescope::ui {

/// Of every rounded corner, and of the lines of icons and frames; at 96 dpi.
inline constexpr float kRadius = 4, kStroke = 1.4F;

/// A font at one of its sizes, pixels.
struct Font {
    ImFont* font = nullptr;
    float size_px = 0;
    bool is_fixed = false;  // all characters are of one width
};

struct Theme {
    float scale = 1;
    Font body;    // nearly everything
    Font strong;  // headings and names
    Font small;   // details
    Font title;   // the empty window, dialogs
    Font code;    // sources

    /// Pixels of a length given at 96 dpi, whole ones so that edges stay sharp.
    float px(float length) const { return std::round(length * scale); }
};

/// Grays without a tint, so that the surroundings do not change how an image's colors look; one accent.
struct Palette {
    ImU32 backdrop;  // behind the images
    ImU32 panel;
    ImU32 raised;  // title strips, popups
    ImU32 frame, frame_hovered, frame_active;
    ImU32 line, line_soft;
    ImU32 text, text_quiet, text_faint;
    ImU32 accent, accent_deep, accent_hovered;
    ImU32 selected;
    ImU32 warning, error;
    // Red, green and blue that differ in lightness too, for those who tell them apart badly.
    ImU32 red, green, blue, luma;
    // Bars of the charts: apart in hue and in lightness.
    ImU32 bar_cpu, bar_gpu, bar_host, bar_copies, bar_interval;
    // Parts of a whole, in the order in which they lie side by side: neighbors differ in lightness too.
    std::array<ImU32, 7> parts;
    // Lines across each other: apart also for those who tell hues apart badly.
    std::array<ImU32, 7> lines;
    ImU32 code_comment, code_preprocessor, code_string, code_number, code_keyword, code_type;
    ImU32 code_added, code_removed, code_found;  // grounds
    ImU32 notice;                                // behind messages
    ImU32 grab;                                  // of sliders
    ImU32 border;
};

/// The color with its alpha multiplied.
constexpr ImU32 fade(ImU32 c, float alpha) {
    const auto a = static_cast<ImU32>(static_cast<float>((c >> IM_COL32_A_SHIFT) & 0xff) * alpha);
    return (c & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

/// Sets Dear ImGui's colors for what is drawn from now on, and returns those of our own drawing.
Palette use_theme(ThemeKind kind);

/// Sets Dear ImGui's style and flags, adds the fonts to an atlas without any, and returns what our own drawing needs.
Theme apply_theme(float scale);

}  // namespace tonescope::ui
