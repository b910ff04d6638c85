// The themes.
#include "ui/widgets/style.h"

namespace tonescope::ui {
namespace {

constexpr Palette kDark = {
    .backdrop = IM_COL32(20, 20, 21, 255),
    .panel = IM_COL32(30, 31, 33, 255),
    .raised = IM_COL32(36, 37, 40, 255),
    .frame = IM_COL32(46, 48, 52, 255),
    .frame_hovered = IM_COL32(57, 60, 65, 255),
    .frame_active = IM_COL32(68, 71, 77, 255),
    .line = IM_COL32(15, 15, 16, 255),
    .line_soft = IM_COL32(255, 255, 255, 16),
    .text = IM_COL32(222, 224, 228, 255),
    .text_quiet = IM_COL32(150, 154, 162, 255),
    .text_faint = IM_COL32(104, 108, 116, 255),
    .accent = IM_COL32(92, 160, 255, 255),
    .accent_deep = IM_COL32(47, 92, 158, 255),
    .selected = IM_COL32(44, 66, 100, 255),
    .warning = IM_COL32(232, 178, 74, 255),
    .error = IM_COL32(236, 106, 94, 255),
    .red = IM_COL32(232, 100, 56, 255),
    .green = IM_COL32(38, 186, 140, 255),
    .blue = IM_COL32(98, 176, 246, 255),
    .luma = IM_COL32(214, 216, 220, 255),
    .bar_cpu = IM_COL32(230, 159, 0, 255),
    .bar_gpu = IM_COL32(86, 180, 233, 255),
    .bar_spread = IM_COL32(240, 240, 242, 220),
    .parts = {IM_COL32(168, 172, 180, 255), IM_COL32(213, 106, 30, 255), IM_COL32(86, 180, 233, 255),
              IM_COL32(150, 84, 140, 255), IM_COL32(64, 196, 150, 255), IM_COL32(30, 100, 170, 255),
              IM_COL32(92, 96, 104, 255)},
    .notice = IM_COL32(48, 50, 54, 248),
    .grab = IM_COL32(196, 199, 205, 255),
    .border = IM_COL32(255, 255, 255, 26),
};

constexpr Palette kLight = {
    .backdrop = IM_COL32(206, 207, 210, 255),
    .panel = IM_COL32(238, 239, 241, 255),
    .raised = IM_COL32(248, 249, 250, 255),
    .frame = IM_COL32(218, 220, 224, 255),
    .frame_hovered = IM_COL32(205, 208, 213, 255),
    .frame_active = IM_COL32(190, 194, 200, 255),
    .line = IM_COL32(176, 179, 184, 255),
    .line_soft = IM_COL32(0, 0, 0, 26),
    .text = IM_COL32(28, 30, 34, 255),
    .text_quiet = IM_COL32(82, 87, 96, 255),
    .text_faint = IM_COL32(112, 117, 126, 255),
    .accent = IM_COL32(20, 98, 208, 255),
    .accent_deep = IM_COL32(38, 98, 186, 255),
    .selected = IM_COL32(196, 216, 246, 255),
    .warning = IM_COL32(158, 100, 0, 255),
    .error = IM_COL32(190, 44, 30, 255),
    .red = IM_COL32(206, 72, 28, 255),
    .green = IM_COL32(0, 138, 98, 255),
    .blue = IM_COL32(40, 120, 206, 255),
    .luma = IM_COL32(60, 63, 68, 255),
    .bar_cpu = IM_COL32(206, 138, 0, 255),
    .bar_gpu = IM_COL32(30, 130, 190, 255),
    .bar_spread = IM_COL32(40, 42, 46, 220),
    .parts = {IM_COL32(128, 132, 140, 255), IM_COL32(196, 88, 10, 255), IM_COL32(70, 164, 222, 255),
              IM_COL32(150, 70, 140, 255), IM_COL32(40, 172, 128, 255), IM_COL32(16, 82, 150, 255),
              IM_COL32(168, 172, 180, 255)},
    .notice = IM_COL32(252, 252, 253, 250),
    .grab = IM_COL32(92, 97, 106, 255),
    .border = IM_COL32(0, 0, 0, 50),
};

void set_color(ImGuiCol slot, ImU32 value) {
    ImGui::GetStyle().Colors[slot] = ImGui::ColorConvertU32ToFloat4(value);
}

}  // namespace

Palette use_theme(ThemeKind kind) {
    const bool dark = kind == ThemeKind::dark;
    const Palette& colors = dark ? kDark : kLight;
    if (dark)
        ImGui::StyleColorsDark();
    else
        ImGui::StyleColorsLight();
    set_color(ImGuiCol_Text, colors.text);
    set_color(ImGuiCol_TextDisabled, colors.text_faint);
    set_color(ImGuiCol_WindowBg, colors.panel);
    set_color(ImGuiCol_ChildBg, IM_COL32(0, 0, 0, 0));
    set_color(ImGuiCol_PopupBg, colors.raised);
    set_color(ImGuiCol_Border, colors.border);
    set_color(ImGuiCol_FrameBg, colors.frame);
    set_color(ImGuiCol_FrameBgHovered, colors.frame_hovered);
    set_color(ImGuiCol_FrameBgActive, colors.frame_active);
    set_color(ImGuiCol_Button, colors.frame);
    set_color(ImGuiCol_ButtonHovered, colors.frame_hovered);
    set_color(ImGuiCol_ButtonActive, colors.frame_active);
    set_color(ImGuiCol_Header, colors.selected);
    set_color(ImGuiCol_HeaderHovered, colors.frame_hovered);
    set_color(ImGuiCol_HeaderActive, colors.frame_active);
    set_color(ImGuiCol_Separator, colors.line_soft);
    set_color(ImGuiCol_ScrollbarBg, IM_COL32(0, 0, 0, 0));
    set_color(ImGuiCol_ScrollbarGrab, colors.frame_hovered);
    set_color(ImGuiCol_ScrollbarGrabHovered, colors.frame_active);
    set_color(ImGuiCol_ScrollbarGrabActive, colors.text_faint);
    set_color(ImGuiCol_TextSelectedBg, colors.accent_deep);
    set_color(ImGuiCol_ModalWindowDimBg, IM_COL32(0, 0, 0, 140));
    set_color(ImGuiCol_NavCursor, colors.accent);
    return colors;
}

}  // namespace tonescope::ui
