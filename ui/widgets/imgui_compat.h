// Dear ImGui before 1.93 in the names of that release, in which everything else is written. Debian 12 has 1.86. The
// file can be deleted with those releases: nothing else asks for a version.
#pragma once

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

struct GLFWwindow;

#if IMGUI_VERSION_NUM < 19290
namespace tonescope::ui::compat {
/// ImGuiIO with what later releases have in it. It holds nothing of its own, so that the ImGuiIO of the context can be
/// seen as one.
struct LaterIO : ImGuiIO {
    static inline float MouseSingleClickDelay;
#if IMGUI_VERSION_NUM < 18700
    static inline bool ConfigInputTrickleEventQueue;  // these releases have no queue: a frame sees what was told last

    void AddMousePosEvent(float x, float y) {
        MousePos = {x, y};
    }
    void AddMouseButtonEvent(int button, bool down) {
        MouseDown[button] = down;
    }
    void AddMouseWheelEvent(float x, float y) {
        MouseWheelH += x;
        MouseWheel += y;
    }
    inline void AddKeyEvent(int key, bool down);
#endif
};
}  // namespace tonescope::ui::compat

namespace ImGui {
inline tonescope::ui::compat::LaterIO& GetLaterIO() {
    return static_cast<tonescope::ui::compat::LaterIO&>(GetIO());
}
}  // namespace ImGui
#define GetIO GetLaterIO
#endif

#if IMGUI_VERSION_NUM < 19200
#define PushTexture PushTextureID
#define PopTexture PopTextureID
#define ImGuiBackendFlags_RendererHasTextures 0

namespace tonescope::ui::compat {
/// The atlas makes every glyph of its fonts before the first frame.
struct FontConfig : ImFontConfig {
    FontConfig() {
        // Latin with its extensions, Greek, Cyrillic, general punctuation, currency, a few signs
        static constexpr ImWchar kRanges[] = {0x0020, 0x007e, 0x00a0, 0x017f, 0x0370, 0x03ff, 0x0400, 0x04ff,
                                              0x1e00, 0x1eff, 0x2010, 0x2027, 0x2030, 0x205e, 0x20a0, 0x20be,
                                              0x2122, 0x2122, 0x2212, 0x2212, 0x221e, 0x221e, 0x2248, 0x2248,
                                              0x2260, 0x2265, 0xfffd, 0xfffd, 0};
        GlyphRanges = kRanges;
    }
};
}  // namespace tonescope::ui::compat
#define ImFontConfig tonescope::ui::compat::FontConfig

namespace ImGui {
/// Such a font has one size.
inline void PushFont(ImFont* font, float) {
    PushFont(font);
}
/// Without a renderer, nobody else has built the atlas.
inline void NewFrameWithAtlas() {
    if (!GetIO().Fonts->IsBuilt()) GetIO().Fonts->Build();
    NewFrame();
}
}  // namespace ImGui
#define NewFrame NewFrameWithAtlas

/// The texture of the atlas does not follow changed fonts by itself.
inline void ImGui_ImplOpenGL3_NewFrameWithTexture() {
    ImGui_ImplOpenGL3_NewFrame();
    if (ImGui::GetIO().Fonts->IsBuilt()) return;
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}
#define ImGui_ImplOpenGL3_NewFrame ImGui_ImplOpenGL3_NewFrameWithTexture
#endif

#if IMGUI_VERSION_NUM < 19140
#define ImGuiCol_NavCursor ImGuiCol_NavHighlight
#endif

#if IMGUI_VERSION_NUM < 19110
/// What is here is in ImGuiIO.
struct ImGuiPlatformIO {
    void*& Platform_ClipboardUserData;
    void (*&Platform_SetClipboardTextFn)(void*, const char*);
    const char* (*&Platform_GetClipboardTextFn)(void*);
};
namespace ImGui {
inline ImGuiPlatformIO GetPlatformIO() {
    ImGuiIO& io = GetIO();
    return {io.ClipboardUserData, io.SetClipboardTextFn, io.GetClipboardTextFn};
}
}  // namespace ImGui
#endif

#if IMGUI_VERSION_NUM < 18700
namespace ImGui {
/// With the keys by which Dear ImGui is operated, as its GLFW backend sets them, in the order of the enumeration.
inline ImGuiContext* CreateContextWithKeys(ImFontAtlas* atlas = nullptr) {
    constexpr int kNumbers[ImGuiKey_COUNT] = {258, 263, 262, 265, 264, 266, 267, 268, 269, 260, 261,
                                              259, 32,  257, 256, 335, 'A', 'C', 'V', 'X', 'Y', 'Z'};
    ImGuiContext* context = CreateContext(atlas);
    for (int key = 0; key < ImGuiKey_COUNT; ++key) GetIO().KeyMap[key] = kNumbers[key];
    return context;
}
}  // namespace ImGui
#define CreateContext CreateContextWithKeys

// Keys are the numbers of the platform library, which is GLFW.
#define ImGuiKey_A 65
#define ImGuiKey_B 66
#define ImGuiKey_F 70
#define ImGuiKey_K 75
#define ImGuiKey_L 76
#define ImGuiKey_O 79
#define ImGuiKey_P 80
#define ImGuiKey_S 83
#define ImGuiKey_Z 90
#define ImGuiKey_0 48
#define ImGuiKey_Keypad0 320
#define ImGuiKey_Backslash 92
#define ImGuiKey_F1 290
#define ImGuiKey_F6 295
#define ImGuiKey_F9 298
#define ImGuiKey_F10 299
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
#define ImGuiMod_Shift (1 << 16)
#define ImGuiMod_Ctrl (1 << 17)
#define ImGuiMod_Alt (1 << 18)
#define ImGuiMod_Super (1 << 19)

inline void tonescope::ui::compat::LaterIO::AddKeyEvent(int key, bool down) {
    if (key == ImGuiMod_Shift) KeyShift = down;
    if (key == ImGuiMod_Ctrl) KeyCtrl = down;
    if (key == ImGuiMod_Alt) KeyAlt = down;
    if (key == ImGuiMod_Super) KeySuper = down;
    if (key >= 0 && key < IM_ARRAYSIZE(KeysDown)) KeysDown[key] = down;
}

inline ImGuiKey ImGui_ImplGlfw_KeyToImGuiKey(int keycode, int) {
    return keycode;
}
#endif
