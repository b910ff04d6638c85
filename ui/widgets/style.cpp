#include "ui/widgets/style.h"

#include <cmath>

#include "gpu/core/canvas/canvas.h"

namespace tonescope::ui {
namespace {

Font add_font(std::span<const unsigned char> data, float size_px) {
    ImGuiIO& io = ImGui::GetIO();
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.RasterizerMultiply = 1.08F;  // light text on dark looks thinner than it is
    config.SizePixels = size_px;
    if (data.empty()) return {io.Fonts->AddFontDefault(&config), size_px};
    config.FontDataOwnedByAtlas = false;
    // The atlas does not write to the data, though it asks for a plain pointer.
    void* bytes = const_cast<unsigned char*>(data.data());
    return {io.Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(data.size()), size_px, &config), size_px};
}

}  // namespace

float Theme::px(float length) const {
    return std::round(length * scale);
}

Theme apply_theme(float scale) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.WindowPadding = {12, 10};
    style.WindowRounding = 0;
    style.WindowBorderSize = 0;
    style.ChildRounding = 0;
    style.PopupRounding = 6;
    style.FramePadding = {9, 5};
    style.FrameRounding = 4;
    style.ItemSpacing = {8, 8};
    style.ItemInnerSpacing = {6, 4};
    style.ScrollbarSize = 9;
    style.ScrollbarRounding = 5;
    style.GrabRounding = 4;
    style.DisabledAlpha = 0.45F;
    style.SelectableTextAlign = {0, 0.5F};
    style.ScaleAllSizes(scale);
    style.PopupBorderSize = 1;
    style.WindowMinSize = {1, 1};  // less is an error

    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;               // the layout is ours
    io.ConfigInputTextCursorBlink = false;  // an idle window draws nothing
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.Fonts->Clear();
    Theme theme;
    theme.scale = scale;
    theme.body = add_font(regular_font_data(), std::round(15 * scale));
    theme.small = add_font(regular_font_data(), std::round(13 * scale));
    theme.strong = add_font(medium_font_data(), std::round(15 * scale));
    theme.title = add_font(medium_font_data(), std::round(20 * scale));
    return theme;
}

}  // namespace tonescope::ui
