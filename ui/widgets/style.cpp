#include "ui/widgets/style.h"

#include <cmath>

#include "gpu/core/font_data.h"

namespace tonescope::ui {
namespace {

// Latin with its extensions, Greek, Cyrillic, general punctuation, currency, a few signs.
constexpr ImWchar kFileNameRanges[] = {0x0020, 0x007e, 0x00a0, 0x017f, 0x0370, 0x03ff, 0x0400, 0x04ff, 0x1e00, 0x1eff,
                                       0x2010, 0x2027, 0x2030, 0x205e, 0x20a0, 0x20be, 0x2122, 0x2122, 0x2212, 0x2212,
                                       0x221e, 0x221e, 0x2248, 0x2248, 0x2260, 0x2265, 0xfffd, 0xfffd, 0};
// Headings are ours, and Latin.
constexpr ImWchar kHeadingRanges[] = {0x0020, 0x007e, 0x00a0, 0x017f, 0x2010, 0x2027, 0};

Font add_font(std::span<const unsigned char> data, float size_px, const ImWchar* ranges) {
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
    return {io.Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(data.size()), size_px, &config,
                                           compat::kDynamicFonts ? nullptr : ranges),
            size_px};
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
    theme.body = add_font(regular_font_data(), std::round(15 * scale), kFileNameRanges);
    theme.small = add_font(regular_font_data(), std::round(13 * scale), kFileNameRanges);
    theme.strong = add_font(medium_font_data(), std::round(15 * scale), kHeadingRanges);
    theme.title = add_font(medium_font_data(), std::round(20 * scale), kHeadingRanges);
    return theme;
}

}  // namespace tonescope::ui
