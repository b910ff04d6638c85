// The values of the pixels, written into them.
#include <algorithm>
#include <cmath>

#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

float line_height(const Frame& ui) {
    return ui.theme.small.size_px + 1;
}

/// Lines of text in the middle of a pixel.
void write(const Frame& ui, ImVec2 center, std::span<const std::string> lines, ImU32 ink, ImU32 shadow) {
    const Font& font = ui.theme.small;
    float y = center.y - line_height(ui) * static_cast<float>(lines.size()) / 2;
    for (const std::string& line : lines) {
        const ImVec2 at{std::round(center.x - text_width(font, line) / 2), std::round(y)};
        draw_text({at.x + 1, at.y + 1}, font, shadow, line);
        draw_text(at, font, ink, line);
        y += line_height(ui);
    }
}

template <class Each>
void for_each_pixel(const ImageToScreen& map, const Area& area, const PixelBlock& block, Each each) {
    for (int y = block.region.y; y < block.region.y + block.region.height; ++y)
        for (int x = block.region.x; x < block.region.x + block.region.width; ++x) {
            const ImVec2 center = map.at(x + 0.5, y + 0.5);
            const ImVec2 min = map.at(x, y);
            const ImVec2 max = map.at(x + 1, y + 1);
            if (max.x < area.x || max.y < area.y || min.x > area.right() || min.y > area.bottom()) continue;
            each(x, y, center);
        }
}

}  // namespace

bool numbers_fit(const Frame& ui, double zoom, int channels) {
    const float lines = static_cast<float>(std::max(channels, 1)) * line_height(ui) + ui.px(4);
    const float width = text_width(ui.theme.small, "+255") + ui.px(6);
    return zoom >= double{std::max(lines, width)};
}

void draw_numbers(const Frame& ui, const ImageToScreen& map, const Area& area, const PixelBlock& block,
                  const std::function<bool(ImVec2)>& where) {
    if (block.values.empty() || !numbers_fit(ui, map.zoom, block.channels)) return;
    std::vector<std::string> lines(static_cast<size_t>(block.channels));
    for_each_pixel(map, area, block, [&](int x, int y, ImVec2 center) {
        if (where && !where(center)) return;
        const auto& value = *block.at(x, y);
        for (size_t k = 0; k < lines.size(); ++k) lines[k] = std::to_string(value[k]);
        const int luma = block.channels == 1 ? value[0] : (77 * value[0] + 150 * value[1] + 29 * value[2]) >> 8;
        const bool dark = luma < 140;
        write(ui, center, lines, dark ? IM_COL32(255, 255, 255, 230) : IM_COL32(0, 0, 0, 230),
              dark ? IM_COL32(0, 0, 0, 110) : IM_COL32(255, 255, 255, 90));
    });
}

void draw_number_differences(const Frame& ui, const ImageToScreen& map, const Area& area, const PixelBlock& before,
                             const PixelBlock& after) {
    const int channels = std::min(3, std::max(before.channels, after.channels));
    if (before.values.empty() || after.values.empty() || !numbers_fit(ui, map.zoom, channels)) return;
    std::vector<std::string> lines(static_cast<size_t>(channels));
    const auto channel = [](const PixelBlock& block, const std::array<uint8_t, 4>& value, size_t k) -> int {
        return block.channels == 1 ? value[0] : value[k];
    };
    for_each_pixel(map, area, before, [&](int x, int y, ImVec2 center) {
        const std::array<uint8_t, 4>* to = after.at(x, y);
        if (to == nullptr) return;
        for (size_t k = 0; k < lines.size(); ++k)
            if (const int d = channel(after, *to, k) - channel(before, *before.at(x, y), k); d != 0)
                lines[k] = format("%+d", d);
            else
                lines[k] = "0";
        write(ui, center, lines, IM_COL32(255, 255, 255, 235), IM_COL32(0, 0, 0, 150));
    });
}

}  // namespace tonescope::ui
