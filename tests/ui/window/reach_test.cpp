// Whatever the mouse can use, keys can use too.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/ui/scenes/scene_test.h"
#include "ui/commands/commands.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

bool lies_in(const Widget& w, const Widget& place) {
    return w.x >= place.x - 1 && w.y >= place.y - 1 && w.x + w.width <= place.x + place.width + 1 &&
           w.y + w.height <= place.y + place.height + 1;
}

/// Of the topmost dialog, menu or list, or else of the window.
std::vector<Widget> usable_widgets(Driver& driver) {
    std::vector<Widget> usable;
    size_t top = 0;
    for (const Widget& w : driver.interface().widgets()) top = std::max(top, w.layer);
    for (const Widget& w : driver.interface().widgets())
        if (w.interactive && w.enabled && w.layer == top) usable.push_back(w);
    return usable;
}

bool is_for_the_mouse(Driver& driver, const Widget& w) {
    return std::ranges::any_of(driver.interface().mouse_places(),
                               [&](const Widget& place) { return place.layer == w.layer && lies_in(w, place); });
}

TEST(Reach, EverythingIsAControlOrHasACommand) {
    constexpr std::pair<int, int> sizes[] = {{640, 400}, {1280, 720}, {2560, 1440}};
    for (const Scene& s : scenes())
        for (const auto& [width, height] : sizes) {
            SCOPED_TRACE(s.name + format(" %dx%d", width, height));
            Driver driver(width, height, 1);
            settle_scene(driver, s);
            const std::vector<Widget> controls = driver.interface().keyboard_places();
            for (const Widget& w : usable_widgets(driver))
                EXPECT_TRUE(is_for_the_mouse(driver, w) ||
                            std::ranges::any_of(controls, [&](const Widget& at) { return lies_in(w, at); }))
                    << w.panel << ": " << w.label;
            for (const Widget& place : driver.interface().mouse_places()) {
                const bool has_command = std::ranges::find(commands(), place.value, &Command::id) != commands().end();
                EXPECT_TRUE(has_command || parse_chord(place.value)) << place.panel << ": " << place.label;
            }
        }
}

}  // namespace
}  // namespace tonescope::ui
