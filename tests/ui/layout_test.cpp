// Every situation at several sizes and scales keeps its widgets inside the window and apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

bool overlap(const Widget& a, const Widget& b) {
    constexpr float tolerance = 0.5F;
    return a.x + a.width > b.x + tolerance && b.x + b.width > a.x + tolerance && a.y + a.height > b.y + tolerance &&
           b.y + b.height > a.y + tolerance;
}

struct Display {
    int width, height;
    float scale;
};

class Everywhere : public testing::TestWithParam<Display> {};

void expect_inside_and_apart(std::span<const Widget> widgets, const Display& display) {
    EXPECT_FALSE(widgets.empty());
    for (size_t k = 0; k < widgets.size(); ++k) {
        const Widget& a = widgets[k];
        EXPECT_GE(a.x, 0) << a.label;
        EXPECT_GE(a.y, 0) << a.label;
        EXPECT_LE(a.x + a.width, static_cast<float>(display.width)) << a.label;
        EXPECT_LE(a.y + a.height, static_cast<float>(display.height)) << a.label;
        for (size_t n = k + 1; n < widgets.size(); ++n) {
            const Widget& b = widgets[n];
            // An open list lies over the panel that it belongs to.
            const bool in_list = a.label.find("Operator:") == 0 || b.label.find("Operator:") == 0 ||
                                 a.label.find("Variant:") == 0 || b.label.find("Variant:") == 0 ||
                                 a.label.find("Memory:") == 0 || b.label.find("Memory:") == 0;
            const bool both_act = a.interactive && b.interactive;
            if (a.panel != b.panel || (!both_act && a.panel != "status") || in_list) continue;
            EXPECT_FALSE(overlap(a, b)) << a.label << " and " << b.label << " in " << a.panel;
        }
    }
}

/// What shows of a text.
Area seen(const DrawnText& text) {
    return common_part(text.area, text.clip);
}

/// Its value, or how often it counts: the edge of a pane cuts it as it cuts the picture.
bool lies_on_a_pixel(const DrawnText& text) {
    return (text.window == "##views" || text.window.find("##results") != std::string::npos) &&
           text.text.find_first_not_of("0123456789+-\u00d7 ") == std::string::npos;
}

/// Adds a line for each text that is cut or covered by another one.
void find_cut_and_covered(const std::vector<DrawnText>& texts, const Display& display, std::set<std::string>& found) {
    const Area window{0, 0, static_cast<float>(display.width), static_cast<float>(display.height)};
    for (size_t k = 0; k < texts.size(); ++k) {
        const DrawnText& a = texts[k];
        const Area shown = seen(a);
        if (shown.width <= 0 || shown.height <= 0 || lies_on_a_pixel(a)) continue;
        constexpr float kRounding = 1.5F;
        const Area whole = common_part(shown, window);
        if ((!a.scrolls_across && a.area.width - whole.width > kRounding) ||
            (!a.scrolls && a.area.height - whole.height > kRounding))
            found.insert(
                "cut: " + a.text + " in " + a.window +
                format(": %.0f of %.0f x %.0f of %.0f", whole.width, a.area.width, whole.height, a.area.height));
        for (size_t n = k + 1; n < texts.size(); ++n) {
            const DrawnText& b = texts[n];
            if (a.window != b.window || lies_on_a_pixel(b)) continue;
            const Area both = common_part(shown, seen(b));
            if (both.width > kRounding && both.height > 3)
                found.insert("overlap: " + a.text + " | " + b.text + " in " + a.window +
                             format(": %.0f x %.0f", both.width, both.height));
        }
    }
}

TEST_P(Everywhere, WidgetsAndTextsAreWholeAndApart) {
    const Display display = GetParam();
    for (const Scene& s : scenes()) {
        SCOPED_TRACE(s.name);
        Driver driver(display.width, display.height, display.scale);
        settle_scene(driver, s);
        expect_inside_and_apart(driver.interface().widgets(), display);
        std::set<std::string> found;
        find_cut_and_covered(drawn_texts(driver, s.model), display, found);
        EXPECT_EQ(found, std::set<std::string>{});
    }
}

INSTANTIATE_TEST_SUITE_P(Displays, Everywhere,
                         testing::Values(Display{640, 400, 0.75F}, Display{640, 400, 1}, Display{640, 400, 2},
                                         Display{640, 400, 3}, Display{1280, 720, 3}, Display{1280, 720, 0.75F},
                                         Display{1280, 720, 1}, Display{1280, 720, 1.5F}, Display{1280, 720, 2},
                                         Display{1920, 1080, 1}, Display{1920, 1080, 1.5F}, Display{1920, 1080, 2},
                                         Display{2560, 1440, 1}, Display{2560, 1440, 1.5F}, Display{2560, 1440, 2},
                                         Display{2560, 1440, 3}),
                         [](const auto& at) {
                             const Display& d = at.param;
                             return std::to_string(d.width) + "x" + std::to_string(d.height) + "at" +
                                    std::to_string(static_cast<int>(d.scale * 10));
                         });

/// A notice lies over the text.
bool is_under_a_notice(const std::vector<DrawnText>& texts, const DrawnText& text, ImVec2 at) {
    return std::ranges::any_of(texts, [&](const DrawnText& other) {
        return other.window.find("notice") != std::string::npos && other.window != text.window &&
               other.area.inset(-40).contains(at);
    });
}

TEST(CutText, ShowsAllOfItUnderTheMouse) {
    constexpr std::string_view ellipsis = "\u2026";
    int checked = 0;
    for (const Display display : {Display{640, 400, 1}, Display{1280, 720, 1}, Display{1280, 720, 2}})
        for (const Scene& s : scenes()) {
            SCOPED_TRACE(s.name);
            Driver driver(display.width, display.height, display.scale);
            settle_scene(driver, s);
            const std::vector<DrawnText> texts = drawn_texts(driver, s.model);
            // An open list or dialog keeps the mouse from what lies under it.
            const bool is_covered = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
            const ImDrawData& drawn = *ImGui::GetDrawData();
            const std::string on_top = is_covered ? drawn.CmdLists[drawn.CmdListsCount - 1]->_OwnerName : "";
            const std::string root = on_top.substr(0, on_top.find('/'));
            for (const DrawnText& text : texts) {
                const size_t at = text.text.find(ellipsis);
                if (at == std::string::npos || text.window.find(root) != 0) continue;
                const Area shown = seen(text);
                if (shown.width < 4 || shown.height < 4 || is_under_a_notice(texts, text, shown.center())) continue;
                driver.move_to(shown.center().x, shown.center().y);
                ImGui::GetIO().DeltaTime = 0.5F;
                driver.frames(s.model, 4);
                const Widget* tooltip = driver.find("tooltip");
                ASSERT_NE(tooltip, nullptr) << text.text;
                // Of what is parted by commas, pieces in the middle may be left out.
                for (std::string rest = text.text.substr(0, at); !rest.empty();) {
                    const size_t comma = std::min(rest.find(", "), rest.size());
                    EXPECT_NE(tooltip->value.find(rest.substr(0, comma)), std::string::npos) << text.text;
                    rest.erase(0, comma + 2);
                }
                EXPECT_NE(tooltip->value.find(text.text.substr(at + ellipsis.size())), std::string::npos) << text.text;
                EXPECT_EQ(tooltip->value.find(text.text), std::string::npos);
                ++checked;
            }
        }
    EXPECT_GT(checked, 20);
}

TEST(Scenes, GroundsCoverTheDisplayOnce) {
    constexpr Display display{1280, 720, 1.5F};
    for (const Scene& s : scenes()) {
        SCOPED_TRACE(s.name);
        Driver driver(display.width, display.height, display.scale);
        settle_scene(driver, s);
        const std::span<const BackgroundFill> background_fills = driver.interface().background_fills();
        ASSERT_FALSE(background_fills.empty());
        EXPECT_EQ(background_fills[0].area, (Rect{0, 0, display.width, display.height}));
        int covered = 0;
        int pixels = 0;
        std::vector<char> seen(static_cast<size_t>(display.width) * static_cast<size_t>(display.height));
        for (const auto& [area, color] : background_fills) {
            EXPECT_EQ(color >> 24, 255U) << "opaque";
            if (&area == &background_fills[0].area) continue;
            ASSERT_TRUE(area.x >= 0 && area.y >= 0 && area.x + area.width <= display.width &&
                        area.y + area.height <= display.height);
            pixels += area.width * area.height;
            for (int y = area.y; y < area.y + area.height; ++y) {
                char* row = &seen[static_cast<size_t>(y) * static_cast<size_t>(display.width)];
                covered += static_cast<int>(std::count(row + area.x, row + area.x + area.width, 0));
                std::fill(row + area.x, row + area.x + area.width, char{1});
            }
        }
        EXPECT_EQ(covered, pixels) << "no two overlap";
        EXPECT_EQ(covered, display.width * (display.height - 1)) << "all but the line over the status bar";
        const Rect panes = driver.interface().panes_area();
        EXPECT_TRUE(std::ranges::any_of(background_fills, [&](const BackgroundFill& g) {
            return g.area.x == panes.x && g.area.width == panes.width && g.area.y <= panes.y &&
                   g.area.y + g.area.height == panes.y + panes.height;
        }));
    }
}

TEST(Scenes, ShowWhatTheyShould) {
    for (const Scene& s : scenes()) {
        SCOPED_TRACE(s.name);
        Driver driver(1920, 1280, 1);  // high enough for the whole right column
        settle_scene(driver, s);
        for (const std::string& label : s.labels) EXPECT_NE(driver.find(label), nullptr) << label;
    }
}

TEST(Scenes, SameInputGivesTheSameFrame) {
    for (const Scene& s : scenes()) {
        SCOPED_TRACE(s.name);
        const auto shot = [&] {
            Driver driver(1280, 720, 1);
            settle_scene(driver, s);
            std::vector<ImDrawVert> vertices;
            const ImDrawData* data = ImGui::GetDrawData();
            for (int k = 0; k < data->CmdListsCount; ++k)
                vertices.insert(vertices.end(), data->CmdLists[k]->VtxBuffer.begin(),
                                data->CmdLists[k]->VtxBuffer.end());
            return vertices;
        };
        const auto a = shot();
        const auto b = shot();
        ASSERT_EQ(a.size(), b.size());
        EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(ImDrawVert)), 0);
    }
}

TEST(Idle, OnlySpinnersAndNoticesMove) {
    for (const auto& [name, moves] :
         {std::pair{"default", false}, {"busy", true}, {"notices", true}, {"empty", false}}) {
        Driver driver(1280, 720, 1);
        settle_scene(driver, scene(name));
        EXPECT_EQ(driver.interface().animating(), moves) << name;
    }
}

}  // namespace
}  // namespace tonescope::ui
