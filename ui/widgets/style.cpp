#include "ui/widgets/style.h"

#include "gpu/core/canvas/canvas.h"

namespace tonescope::ui {
namespace {

void add_font(std::span<const unsigned char> data, float size_px, bool is_fixed) {
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    if (is_fixed) {
        config.PixelSnapH = true;      // columns stand under each other
        config.GlyphRanges = nullptr;  // sources have no other letters than those of Latin-1
    }
    config.RasterizerMultiply = 1.08F;  // light text on dark looks thinner than it is
    config.SizePixels = size_px;
    config.FontDataOwnedByAtlas = false;
    // The atlas does not write to the data, though it asks for a plain pointer.
    void* bytes = const_cast<unsigned char*>(data.data());
    if (data.empty())
        atlas->AddFontDefault(&config);
    else
        atlas->AddFontFromMemoryTTF(bytes, static_cast<int>(data.size()), size_px, &config);
}

}  // namespace

Theme apply_theme(float scale) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.WindowPadding = {12, 10};
    style.WindowRounding = 0;
    style.WindowBorderSize = 0;
    style.ChildRounding = 0;
    style.PopupRounding = kRadius;
    style.FramePadding = {9, 5};
    style.FrameRounding = kRadius;
    style.ItemSpacing = {8, 8};
    style.ItemInnerSpacing = {6, 4};
    style.ScrollbarSize = 9;
    style.ScrollbarRounding = kRadius;
    style.GrabRounding = kRadius;
    style.DisabledAlpha = 0.65F;
    style.ScaleAllSizes(scale);
    style.PopupBorderSize = 1;
    style.WindowMinSize = {1, 1};  // less is an error

    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;               // the layout is ours
    io.ConfigInputTextCursorBlink = false;  // an idle window draws nothing
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    Theme theme;
    theme.scale = scale;
    int next = 0;
    const auto font = [&](std::span<const unsigned char> data, float size, bool is_fixed = false) -> Font {
        const float size_px = theme.px(size);
        if (next == io.Fonts->Fonts.Size) add_font(data, size_px, is_fixed);
        return {io.Fonts->Fonts[next++], size_px, is_fixed};
    };
    theme.body = font(regular_font_data(), 15);
    theme.small = font(regular_font_data(), 13);
    theme.strong = font(medium_font_data(), 15);
    theme.title = font(medium_font_data(), 20);
    theme.code = font(fixed_font_data(), 13, true);
    return theme;
}

}  // namespace tonescope::ui
