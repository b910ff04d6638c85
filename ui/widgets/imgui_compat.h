// Everything whose interface differs between Dear ImGui 1.86 and 1.92.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace tonescope::ui {

/// A font at one of its sizes, pixels.
struct Font {
    ImFont* font = nullptr;
    float size_px = 0;
};

namespace compat {

// Before 1.87 keys are the numbers of the platform library, which is GLFW here.
#if IMGUI_VERSION_NUM >= 18700
#define TONESCOPE_KEY(name, glfw) ImGuiKey_##name
using KeyCode = ImGuiKey;
#else
#define TONESCOPE_KEY(name, glfw) glfw
using KeyCode = int;
#endif
inline constexpr KeyCode kKeyA = TONESCOPE_KEY(A, 65);
inline constexpr KeyCode kKeyB = TONESCOPE_KEY(B, 66);
inline constexpr KeyCode kKeyF = TONESCOPE_KEY(F, 70);
inline constexpr KeyCode kKeyK = TONESCOPE_KEY(K, 75);
inline constexpr KeyCode kKeyL = TONESCOPE_KEY(L, 76);
inline constexpr KeyCode kKeyO = TONESCOPE_KEY(O, 79);
inline constexpr KeyCode kKeyP = TONESCOPE_KEY(P, 80);
inline constexpr KeyCode kKeyQ = TONESCOPE_KEY(Q, 81);
inline constexpr KeyCode kKeyR = TONESCOPE_KEY(R, 82);
inline constexpr KeyCode kKeyS = TONESCOPE_KEY(S, 83);
inline constexpr KeyCode kKeyZ = TONESCOPE_KEY(Z, 90);
inline constexpr KeyCode kKey0 = TONESCOPE_KEY(0, 48);
inline constexpr KeyCode kKeyPad0 = TONESCOPE_KEY(Keypad0, 320);
inline constexpr KeyCode kKeyBackslash = TONESCOPE_KEY(Backslash, 92);
inline constexpr KeyCode kKeyF1 = TONESCOPE_KEY(F1, 290);
inline constexpr KeyCode kKeyF5 = TONESCOPE_KEY(F5, 294);
inline constexpr KeyCode kKeyF6 = TONESCOPE_KEY(F6, 295);
inline constexpr KeyCode kKeyF11 = TONESCOPE_KEY(F11, 300);
inline constexpr KeyCode kKeyEscape = TONESCOPE_KEY(Escape, 256);
inline constexpr KeyCode kKeyEnter = TONESCOPE_KEY(Enter, 257);
inline constexpr KeyCode kKeyPadEnter = TONESCOPE_KEY(KeypadEnter, 335);
inline constexpr KeyCode kKeyTab = TONESCOPE_KEY(Tab, 258);
inline constexpr KeyCode kKeyBackspace = TONESCOPE_KEY(Backspace, 259);
inline constexpr KeyCode kKeySpace = TONESCOPE_KEY(Space, 32);
inline constexpr KeyCode kKeyDelete = TONESCOPE_KEY(Delete, 261);
inline constexpr KeyCode kKeyRight = TONESCOPE_KEY(RightArrow, 262);
inline constexpr KeyCode kKeyLeft = TONESCOPE_KEY(LeftArrow, 263);
inline constexpr KeyCode kKeyDown = TONESCOPE_KEY(DownArrow, 264);
inline constexpr KeyCode kKeyUp = TONESCOPE_KEY(UpArrow, 265);
inline constexpr KeyCode kKeyPageUp = TONESCOPE_KEY(PageUp, 266);
inline constexpr KeyCode kKeyPageDown = TONESCOPE_KEY(PageDown, 267);
inline constexpr KeyCode kKeyHome = TONESCOPE_KEY(Home, 268);
inline constexpr KeyCode kKeyEnd = TONESCOPE_KEY(End, 269);
inline constexpr KeyCode kKeyRightAlt = TONESCOPE_KEY(RightAlt, 346);
#undef TONESCOPE_KEY

/// Whether the platform backend takes a key as what the active layout prints on it, not as its place on a US keyboard.
inline constexpr bool kBackendKnowsLayouts = IMGUI_VERSION_NUM >= 18700;

inline bool key_down(KeyCode key) {
    return ImGui::IsKeyDown(key);
}
inline bool key_pressed(KeyCode key, bool repeat = false) {
    return ImGui::IsKeyPressed(key, repeat);
}

/// Whether this character was typed since the last frame. Works on every keyboard layout, unlike keys.
inline bool typed(char character) {
    for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)
        if (c == static_cast<ImWchar>(character)) return true;
    return false;
}

/// Draws a part of an OpenGL texture. Texture ids are pointers in old releases and integers in new ones.
inline void add_image(ImDrawList& list, unsigned texture, ImVec2 min, ImVec2 max, ImVec2 uv_min, ImVec2 uv_max) {
    list.AddImage((ImTextureID)(intptr_t)texture, min, max, uv_min, uv_max);
}

/// Of AddPolyline: the last point is joined to the first.
inline constexpr ImDrawFlags kClosed = ImDrawFlags_Closed;

/// Triangles that follow show this texture.
inline void push_texture(ImDrawList& list, unsigned texture) {
#if IMGUI_VERSION_NUM >= 19200
    list.PushTexture((ImTextureID)(intptr_t)texture);
#else
    list.PushTextureID((ImTextureID)(intptr_t)texture);
#endif
}
inline void pop_texture(ImDrawList& list) {
#if IMGUI_VERSION_NUM >= 19200
    list.PopTexture();
#else
    list.PopTextureID();
#endif
}

inline void push_font(const Font& font) {
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushFont(font.font, font.size_px);
#else
    ImGui::PushFont(font.font);
#endif
}

/// A scrolling region without border, whose widgets the keyboard reaches from the window around it. content_width > 0:
/// what its widgets may take, whether or not a scroll bar is there.
inline bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags = 0, float content_width = 0) {
    if (content_width > 0) ImGui::SetNextWindowContentSize({content_width, 0});
#if IMGUI_VERSION_NUM >= 19090
    return ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened, flags);
#else
    return ImGui::BeginChild(id, size, false, flags | ImGuiWindowFlags_NavFlattened);
#endif
}

/// Colour of the frame around the widget that has the keyboard.
#if IMGUI_VERSION_NUM >= 19140
inline constexpr ImGuiCol kNavigationColor = ImGuiCol_NavCursor;
#else
inline constexpr ImGuiCol kNavigationColor = ImGuiCol_NavHighlight;
#endif

/// Whether the font atlas makes glyphs only when they are needed, so that no ranges need to be named.
#if IMGUI_VERSION_NUM >= 19200
inline constexpr bool kDynamicFonts = true;
#else
inline constexpr bool kDynamicFonts = false;
#endif

}  // namespace compat
}  // namespace tonescope::ui
