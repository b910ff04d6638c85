// The values of pixels, read back from what is drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tests/ui/view_mode_test.h"
#include "ui/views/view_parts.h"

namespace tonescope::ui {
namespace {

struct DrawnDigit {
    float x, y;
    char digit;
};

const ImFontGlyph* glyph_of(auto* font, char c) {
    // Fonts of releases before 1.92 have one size.
    if constexpr (requires { font->GetFontBaked(13); })
        return font->GetFontBaked(13)->FindGlyph(static_cast<ImWchar>(c));
    else
        return font->FindGlyph(static_cast<ImWchar>(c));
}

/// Digits in the ink of the numbers, without their shadows, by where the atlas holds them.
std::vector<DrawnDigit> drawn_digits() {
    constexpr unsigned kInkAlpha = 230;
    std::map<std::pair<float, float>, char> digits;
    for (ImFont* font : ImGui::GetIO().Fonts->Fonts)
        for (char c = '0'; c <= '9'; ++c)
            if (const ImFontGlyph* glyph = glyph_of(font, c)) digits[{glyph->U0, glyph->V0}] = c;
    std::vector<DrawnDigit> found;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int n = 0; n < data->CmdListsCount; ++n) {
        const ImVector<ImDrawVert>& vertices = data->CmdLists[n]->VtxBuffer;
        for (int k = 0; k + 2 < vertices.Size; ++k) {
            const ImDrawVert& corner = vertices[k];
            const ImDrawVert& opposite = vertices[k + 2];
            if ((corner.col >> IM_COL32_A_SHIFT) != kInkAlpha || opposite.uv.x <= corner.uv.x) continue;
            const auto at = digits.find({corner.uv.x, corner.uv.y});
            if (at != digits.end())
                found.push_back({(corner.pos.x + opposite.pos.x) / 2, (corner.pos.y + opposite.pos.y) / 2, at->second});
        }
    }
    return found;
}

/// Lines of digits in a rectangle.
std::vector<std::string> lines_in(const std::vector<DrawnDigit>& digits, ImVec2 min, ImVec2 max) {
    constexpr float kLineAtLeast = 7;
    std::vector<DrawnDigit> inside;
    for (const DrawnDigit& d : digits)
        if (d.x >= min.x && d.x < max.x && d.y >= min.y && d.y < max.y) inside.push_back(d);
    std::ranges::sort(inside, {}, &DrawnDigit::y);
    std::vector<std::string> lines;
    for (size_t from = 0; from < inside.size();) {
        size_t to = from + 1;
        while (to < inside.size() && inside[to].y - inside[from].y < kLineAtLeast) ++to;
        std::ranges::sort(inside.begin() + long(from), inside.begin() + long(to), {}, &DrawnDigit::x);
        std::string& line = lines.emplace_back();
        for (; from < to; ++from) line += inside[from].digit;
    }
    return lines;
}

TEST(Numbers, AreAskedForWhereTheyFit) {
    InMode at('5');
    at.driver.move_to("view:after");
    EXPECT_FALSE(at.view().shows_numbers);
    while (at.view().zoom < kMaxZoom) {
        const double zoom = at.view().zoom;
        EXPECT_FALSE(zoom < 30 && at.view().shows_numbers) << zoom;
        EXPECT_TRUE(zoom < 60 || at.view().shows_numbers) << zoom;
        at.driver.wheel(1);
        at.driver.frame(at.model);
    }
}

TEST(Numbers, StandInTheirPixels) {
    Driver driver(1280, 800, 1);
    const Scene& numbers = scene("numbers");
    settle_scene(driver, numbers);
    const View& view = driver.interface().view();
    const std::vector<DrawnDigit> digits = drawn_digits();
    const Widget map = *driver.find("minimap");
    for (const auto& [label, block] : {std::pair{"view:before", &numbers.model.views.numbers_before},
                                       std::pair{"view:after", &numbers.model.views.numbers_after}}) {
        const Widget pane = *driver.find(label);
        int seen = 0;
        for (int y = block->region.y; y < block->region.y + block->region.height; ++y)
            for (int x = block->region.x; x < block->region.x + block->region.width; ++x) {
                const auto at = [&](int px, int py) {
                    return ImVec2(pane.x + pane.width / 2 + float((px - view.center_x) * view.zoom),
                                  pane.y + pane.height / 2 + float((py - view.center_y) * view.zoom));
                };
                const ImVec2 min = at(x, y);
                const ImVec2 max = at(x + 1, y + 1);
                const bool whole =
                    min.x >= pane.x && min.y >= pane.y && max.x <= pane.x + pane.width && max.y <= pane.y + pane.height;
                const bool under_map =
                    max.x > map.x && min.x < map.x + map.width && max.y > map.y && min.y < map.y + map.height;
                if (!whole || under_map) continue;
                const auto& value = *block->at(x, y);
                const std::vector<std::string> expected = {std::to_string(value[0]), std::to_string(value[1]),
                                                           std::to_string(value[2])};
                ASSERT_EQ(lines_in(digits, min, max), expected) << label << " " << x << ", " << y;
                ++seen;
            }
        EXPECT_GT(seen, 20) << label;
    }
}

}  // namespace
}  // namespace tonescope::ui
