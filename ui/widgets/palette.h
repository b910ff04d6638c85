// The colours of a theme.
#pragma once

#include <imgui.h>

#include <array>

namespace tonescope::ui {

/// Grays without a tint, so that the surroundings do not change how an image's colours look; one accent.
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

/// The colour with its alpha multiplied.
constexpr ImU32 fade(ImU32 c, float alpha) {
    const auto a = static_cast<ImU32>(static_cast<float>((c >> IM_COL32_A_SHIFT) & 0xff) * alpha);
    return (c & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

}  // namespace tonescope::ui
