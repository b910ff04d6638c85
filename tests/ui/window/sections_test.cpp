// Sections that are opened, by the mouse, by a key or by a command, scroll into sight.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

bool is_section(const Widget& widget) {
    return widget.value == "open" || widget.value == "closed";
}

/// What a section shows, with its title, where there is room for all of it.
struct Whole {
    std::string title;
    std::vector<Widget> widgets;
};

class Sections : public testing::TestWithParam<const char*> {
  protected:
    Sections() {
        Driver tall(1280, 6000, 1);  // there is one driver at a time
        for (bool closes = true; closes;) {
            tall.frames(model_, 3);
            const auto open = std::ranges::find(tall.interface().widgets(), "open", &Widget::value);
            closes = open != tall.interface().widgets().end() && tall.click(model_, std::string(open->label));
        }
        settings_ = tall.interface().settings();
        std::vector<std::string> titles;
        for (const Widget& widget : tall.interface().widgets())
            if (is_section(widget)) titles.push_back(widget.label);
        for (const std::string& title : titles) {
            tall.click(model_, title);
            tall.frames(model_, 3);
            const std::span<const Widget> widgets = tall.interface().widgets();
            const auto first = std::ranges::find(widgets, title, &Widget::label);
            const auto end = std::find_if(first + 1, widgets.end(), [&](const Widget& widget) {
                return is_section(widget) || widget.panel != first->panel;
            });
            sections_.push_back({title, {first, end}});
            tall.click(model_, title);
        }
    }
    /// As far as there is room for it, from the title on.
    static void expect_in_sight(Driver& driver, const Whole& whole) {
        SCOPED_TRACE(whole.title);
        const Widget* title = driver.find(whole.title);
        ASSERT_NE(title, nullptr);
        EXPECT_EQ(title->value, "open");
        EXPECT_EQ(title->height, whole.widgets[0].height) << "the title is cut off";
        const bool is_at_top = title->y < 30;
        const Widget& last = whole.widgets.back();
        const Widget* shown = driver.find(last.label);
        EXPECT_TRUE(is_at_top || (shown != nullptr && shown->height == last.height))
            << last.label << " is not in sight, and the title stands at " << title->y;
    }

    const Model model_ = scene(GetParam()).model;
    Settings settings_;  // all are closed
    std::vector<Whole> sections_;
};

TEST_P(Sections, ScrollIntoSightWhereACommandOpensThem) {
    ASSERT_GT(sections_.size(), 4U);
    size_t scrolled = 0;
    for (const auto& [width, height] : {std::pair(1280, 720), {1000, 420}})
        for (const Whole& whole : sections_) {
            Driver driver(width, height, 1);
            driver.interface().set_settings(settings_);
            driver.frames(model_, 3);
            const Widget* title = driver.find(whole.title);
            const float before = title == nullptr ? 1e9F : title->y;
            driver.run_command(model_, whole.title + ": open");
            expect_in_sight(driver, whole);
            title = driver.find(whole.title);
            scrolled += title != nullptr && title->y < before ? 1 : 0;
        }
    EXPECT_GT(scrolled, sections_.size());
}

TEST_P(Sections, ScrollIntoSightWhereTheMouseOpensThem) {
    size_t clicked = 0;
    for (const Whole& whole : sections_) {
        Driver driver(1280, 720, 1);
        driver.interface().set_settings(settings_);
        driver.frames(model_, 3);
        if (!driver.click(model_, whole.title)) continue;
        ++clicked;
        driver.frames(model_, 3);
        expect_in_sight(driver, whole);
        // It stays where it is from then on.
        const float y = driver.find(whole.title)->y;
        driver.move_to(whole.title);
        driver.wheel(1);
        driver.frames(model_, 20);
        const Widget* title = driver.find(whole.title);
        EXPECT_TRUE(title == nullptr || title->y >= y) << "the wheel scrolls it as before";
        driver.click(model_, whole.title);
    }
    EXPECT_GT(clicked, 2U);
}

TEST_P(Sections, ThoseThatAreOpenAtTheStartMoveNothing) {
    Driver driver(1280, 420, 1);
    Settings settings = settings_;
    settings.part_shown = settings.variant_shown = settings.figures_shown = true;
    driver.interface().set_settings(settings);
    driver.frames(model_, 6);
    EXPECT_NE(driver.find("Operator"), nullptr);
    EXPECT_NE(driver.find("Scale:linear"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Sections, testing::Values("default", "gpu"));

}  // namespace
}  // namespace tonescope::ui
