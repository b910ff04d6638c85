// Dear ImGui before 1.92 (Debian 12 has 1.86) in the names of newer releases, in which everything else is written. The
// file goes with those releases: it is deleted together with the lines that include it and what stands under
// `IMGUI_VERSION_NUM <`.
#pragma once

#include <imgui.h>

#include <cstdint>

#if IMGUI_VERSION_NUM < 19200
#define PushTexture PushTextureID
#define PopTexture PopTextureID

namespace ImGui {
/// Such a font has one size.
inline void PushFont(ImFont* font, float) {
    PushFont(font);
}
}  // namespace ImGui

namespace tonescope::ui::compat {
// The atlas makes every glyph of these ranges. Latin with its extensions, Greek, Cyrillic, general punctuation,
// currency, a few signs:
inline constexpr ImWchar kFileNameRanges[] = {0x0020, 0x007e, 0x00a0, 0x017f, 0x0370, 0x03ff, 0x0400, 0x04ff,
                                              0x1e00, 0x1eff, 0x2010, 0x2027, 0x2030, 0x205e, 0x20a0, 0x20be,
                                              0x2122, 0x2122, 0x2212, 0x2212, 0x221e, 0x221e, 0x2248, 0x2248,
                                              0x2260, 0x2265, 0xfffd, 0xfffd, 0};
// Headings are ours, and Latin.
inline constexpr ImWchar kHeadingRanges[] = {0x0020, 0x007e, 0x00a0, 0x017f, 0x2010, 0x2027, 0};
}  // namespace tonescope::ui::compat
#endif

#if IMGUI_VERSION_NUM < 19140
#define ImGuiCol_NavCursor ImGuiCol_NavHighlight
#define ImGuiButtonFlags_EnableNav ImGuiButtonFlags_None  // the keyboard reaches every button
#endif

#if IMGUI_VERSION_NUM < 19090
enum ImGuiChildFlags_ { ImGuiChildFlags_NavFlattened };
namespace ImGui {
inline bool BeginChild(const char* id, ImVec2 size, ImGuiChildFlags_, ImGuiWindowFlags flags) {
    return BeginChild(id, size, false, flags | ImGuiWindowFlags_NavFlattened);
}
}  // namespace ImGui
#endif

#if IMGUI_VERSION_NUM < 18700
namespace tonescope::ui::compat {
/// What the GLFW backend sets.
inline void map_keys(ImGuiIO& io) {
    io.KeyMap[ImGuiKey_Space] = 32;
    io.KeyMap[ImGuiKey_Tab] = 258;
    io.KeyMap[ImGuiKey_UpArrow] = 265;
    io.KeyMap[ImGuiKey_DownArrow] = 264;
    io.KeyMap[ImGuiKey_PageUp] = 266;
    io.KeyMap[ImGuiKey_PageDown] = 267;
    io.KeyMap[ImGuiKey_Home] = 268;
    io.KeyMap[ImGuiKey_End] = 269;
    io.KeyMap[ImGuiKey_Backspace] = 259;
    io.KeyMap[ImGuiKey_Enter] = 257;
    io.KeyMap[ImGuiKey_KeyPadEnter] = 335;
    io.KeyMap[ImGuiKey_Escape] = 256;
}
}  // namespace tonescope::ui::compat

// Keys are the numbers of the platform library, which is GLFW.
#define ImGuiKey_A 65
#define ImGuiKey_B 66
#define ImGuiKey_F 70
#define ImGuiKey_K 75
#define ImGuiKey_L 76
#define ImGuiKey_O 79
#define ImGuiKey_P 80
#define ImGuiKey_Q 81
#define ImGuiKey_R 82
#define ImGuiKey_S 83
#define ImGuiKey_Z 90
#define ImGuiKey_0 48
#define ImGuiKey_Keypad0 320
#define ImGuiKey_Backslash 92
#define ImGuiKey_F1 290
#define ImGuiKey_F5 294
#define ImGuiKey_F6 295
#define ImGuiKey_F11 300
#define ImGuiKey_Escape 256
#define ImGuiKey_Enter 257
#define ImGuiKey_KeypadEnter 335
#define ImGuiKey_Tab 258
#define ImGuiKey_Backspace 259
#define ImGuiKey_Space 32
#define ImGuiKey_Delete 261
#define ImGuiKey_RightArrow 262
#define ImGuiKey_LeftArrow 263
#define ImGuiKey_DownArrow 264
#define ImGuiKey_UpArrow 265
#define ImGuiKey_PageUp 266
#define ImGuiKey_PageDown 267
#define ImGuiKey_Home 268
#define ImGuiKey_End 269
#define ImGuiKey_RightAlt 346
#endif
