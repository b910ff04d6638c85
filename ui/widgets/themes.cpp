// The themes.
#include <utility>

#include "ui/widgets/style.h"

namespace tonescope::ui {
namespace {

struct ThemeColor {
    ImU32 Palette::*color;
    ImU32 dark, light;
};

constexpr ThemeColor kColors[] = {
    {&Palette::backdrop, IM_COL32(20, 20, 21, 255), IM_COL32(206, 207, 210, 255)},
    {&Palette::panel, IM_COL32(30, 31, 33, 255), IM_COL32(238, 239, 241, 255)},
    {&Palette::raised, IM_COL32(36, 37, 40, 255), IM_COL32(248, 249, 250, 255)},
    {&Palette::frame, IM_COL32(46, 48, 52, 255), IM_COL32(218, 220, 224, 255)},
    {&Palette::frame_hovered, IM_COL32(57, 60, 65, 255), IM_COL32(205, 208, 213, 255)},
    {&Palette::frame_active, IM_COL32(68, 71, 77, 255), IM_COL32(190, 194, 200, 255)},
    {&Palette::line, IM_COL32(15, 15, 16, 255), IM_COL32(176, 179, 184, 255)},
    {&Palette::line_soft, IM_COL32(255, 255, 255, 16), IM_COL32(0, 0, 0, 26)},
    {&Palette::text, IM_COL32(222, 224, 228, 255), IM_COL32(28, 30, 34, 255)},
    {&Palette::text_quiet, IM_COL32(174, 178, 186, 255), IM_COL32(64, 68, 76, 255)},
    {&Palette::text_faint, IM_COL32(154, 158, 166, 255), IM_COL32(80, 85, 93, 255)},
    {&Palette::accent, IM_COL32(92, 160, 255, 255), IM_COL32(12, 80, 176, 255)},
    {&Palette::accent_deep, IM_COL32(47, 92, 158, 255), IM_COL32(38, 98, 186, 255)},
    {&Palette::accent_hovered, IM_COL32(60, 108, 180, 255), IM_COL32(52, 112, 200, 255)},
    {&Palette::selected, IM_COL32(36, 54, 84, 255), IM_COL32(196, 216, 246, 255)},
    {&Palette::warning, IM_COL32(232, 178, 74, 255), IM_COL32(120, 74, 0, 255)},
    {&Palette::error, IM_COL32(250, 134, 122, 255), IM_COL32(162, 32, 22, 255)},
    {&Palette::red, IM_COL32(232, 100, 56, 255), IM_COL32(182, 58, 18, 255)},
    {&Palette::green, IM_COL32(38, 186, 140, 255), IM_COL32(0, 112, 80, 255)},
    {&Palette::blue, IM_COL32(98, 176, 246, 255), IM_COL32(28, 100, 178, 255)},
    {&Palette::luma, IM_COL32(214, 216, 220, 255), IM_COL32(60, 63, 68, 255)},
    {&Palette::bar_cpu, IM_COL32(230, 159, 0, 255), IM_COL32(206, 138, 0, 255)},
    {&Palette::bar_gpu, IM_COL32(86, 180, 233, 255), IM_COL32(30, 130, 190, 255)},
    {&Palette::bar_host, IM_COL32(120, 126, 136, 255), IM_COL32(98, 104, 116, 255)},
    {&Palette::bar_copies, IM_COL32(78, 84, 94, 255), IM_COL32(146, 154, 168, 255)},
    {&Palette::bar_interval, IM_COL32(240, 240, 242, 220), IM_COL32(40, 42, 46, 220)},
    {&Palette::code_comment, IM_COL32(150, 172, 150, 255), IM_COL32(66, 92, 66, 255)},
    {&Palette::code_preprocessor, IM_COL32(232, 158, 184, 255), IM_COL32(146, 22, 80, 255)},
    {&Palette::code_string, IM_COL32(226, 178, 128, 255), IM_COL32(132, 62, 0, 255)},
    {&Palette::code_number, IM_COL32(204, 170, 242, 255), IM_COL32(108, 34, 150, 255)},
    {&Palette::code_keyword, IM_COL32(136, 186, 255, 255), IM_COL32(10, 68, 164, 255)},
    {&Palette::code_type, IM_COL32(104, 204, 194, 255), IM_COL32(0, 88, 86, 255)},
    {&Palette::code_added, IM_COL32(24, 50, 36, 255), IM_COL32(208, 238, 214, 255)},
    {&Palette::code_removed, IM_COL32(64, 32, 32, 255), IM_COL32(252, 222, 218, 255)},
    {&Palette::code_found, IM_COL32(84, 68, 20, 255), IM_COL32(250, 230, 150, 255)},
    {&Palette::notice, IM_COL32(48, 50, 54, 248), IM_COL32(252, 252, 253, 250)},
    {&Palette::grab, IM_COL32(196, 199, 205, 255), IM_COL32(92, 97, 106, 255)},
    {&Palette::border, IM_COL32(255, 255, 255, 26), IM_COL32(0, 0, 0, 50)},
};
constexpr std::array<ImU32, 7> kDarkParts = {
    IM_COL32(168, 172, 180, 255), IM_COL32(213, 106, 30, 255), IM_COL32(86, 180, 233, 255), IM_COL32(150, 84, 140, 255),
    IM_COL32(64, 196, 150, 255),  IM_COL32(30, 100, 170, 255), IM_COL32(92, 96, 104, 255)};
constexpr std::array<ImU32, 7> kLightParts = {
    IM_COL32(128, 132, 140, 255), IM_COL32(196, 88, 10, 255), IM_COL32(70, 164, 222, 255), IM_COL32(150, 70, 140, 255),
    IM_COL32(40, 172, 128, 255),  IM_COL32(16, 82, 150, 255), IM_COL32(168, 172, 180, 255)};
constexpr std::array<ImU32, 7> kDarkLines = {
    IM_COL32(230, 159, 0, 255),  IM_COL32(86, 180, 233, 255), IM_COL32(0, 178, 130, 255),  IM_COL32(240, 228, 96, 255),
    IM_COL32(84, 132, 224, 255), IM_COL32(228, 104, 30, 255), IM_COL32(214, 138, 182, 255)};
constexpr std::array<ImU32, 7> kLightLines = {
    IM_COL32(196, 128, 0, 255), IM_COL32(40, 146, 206, 255), IM_COL32(0, 128, 92, 255),  IM_COL32(70, 72, 78, 255),
    IM_COL32(0, 78, 160, 255),  IM_COL32(198, 70, 0, 255),   IM_COL32(176, 84, 138, 255)};

/// The colors of Dear ImGui's own widgets.
constexpr std::pair<ImGuiCol, ImU32 Palette::*> kStyleColors[] = {
    {ImGuiCol_Text, &Palette::text},
    {ImGuiCol_TextDisabled, &Palette::text_faint},
    {ImGuiCol_WindowBg, &Palette::panel},
    {ImGuiCol_PopupBg, &Palette::raised},
    {ImGuiCol_Border, &Palette::border},
    {ImGuiCol_FrameBg, &Palette::frame},
    {ImGuiCol_FrameBgHovered, &Palette::frame_hovered},
    {ImGuiCol_FrameBgActive, &Palette::frame_active},
    {ImGuiCol_Button, &Palette::frame},
    {ImGuiCol_ButtonHovered, &Palette::frame_hovered},
    {ImGuiCol_ButtonActive, &Palette::frame_active},
    {ImGuiCol_Header, &Palette::selected},
    {ImGuiCol_HeaderHovered, &Palette::frame_hovered},
    {ImGuiCol_HeaderActive, &Palette::frame_active},
    {ImGuiCol_Separator, &Palette::line_soft},
    {ImGuiCol_ScrollbarGrab, &Palette::frame_hovered},
    {ImGuiCol_ScrollbarGrabHovered, &Palette::frame_active},
    {ImGuiCol_ScrollbarGrabActive, &Palette::text_faint},
    {ImGuiCol_NavCursor, &Palette::accent},
};

}  // namespace

Palette use_theme(ThemeKind kind) {
    const bool dark = kind == ThemeKind::dark;
    Palette colors{};
    for (const ThemeColor& each : kColors) colors.*each.color = dark ? each.dark : each.light;
    colors.parts = dark ? kDarkParts : kLightParts;
    colors.lines = dark ? kDarkLines : kLightLines;
    if (dark)
        ImGui::StyleColorsDark();
    else
        ImGui::StyleColorsLight();
    const auto set = [](ImGuiCol slot, ImU32 color) {
        ImGui::GetStyle().Colors[slot] = ImGui::ColorConvertU32ToFloat4(color);
    };
    for (const auto& [slot, color] : kStyleColors) set(slot, colors.*color);
    set(ImGuiCol_ChildBg, 0);
    set(ImGuiCol_ScrollbarBg, 0);
    // Selected letters of a field keep their color.
    set(ImGuiCol_TextSelectedBg, dark ? colors.accent_deep : IM_COL32(166, 200, 246, 255));
    set(ImGuiCol_ModalWindowDimBg, IM_COL32(0, 0, 0, 140));
    return colors;
}

}  // namespace tonescope::ui
