// Ways to commands that are seen: buttons of the bar, the line of the start page, the zoom in the status bar, messages.
#include <gtest/gtest.h>

#include <set>

#include "tests/ui/view_mode_test.h"
#include "ui/commands/commands.h"
#include "ui/views/view_modes.h"

namespace tonescope::ui {
namespace {

constexpr const char* kBarButtons[] = {"bar:undo", "bar:redo", "bar:palette", "bar:shortcuts", "bar:settings"};

void expect_inside(const Widget& widget, int width, int height) {
    EXPECT_GE(widget.x, 0) << widget.label;
    EXPECT_GE(widget.y, 0) << widget.label;
    EXPECT_LE(widget.x + widget.width, static_cast<float>(width)) << widget.label;
    EXPECT_LE(widget.y + widget.height, static_cast<float>(height)) << widget.label;
}

TEST(BarButtons, DoWhatTheirCommandsDo) {
    Model model = scene("default").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    for (const char* label : {"bar:undo", "bar:redo"}) {
        ASSERT_NE(driver.find(label), nullptr);
        EXPECT_FALSE(driver.find(label)->enabled) << label;
        driver.click(model, label);
    }
    EXPECT_EQ(driver.last<Undo>(), nullptr);
    EXPECT_EQ(driver.last<Redo>(), nullptr);
    model.run.can_undo = model.run.can_redo = true;
    driver.frames(model, 2);
    driver.click(model, "bar:undo");
    EXPECT_NE(driver.last<Undo>(), nullptr);
    EXPECT_EQ(driver.last<Redo>(), nullptr);
    driver.click(model, "bar:redo");
    EXPECT_NE(driver.last<Redo>(), nullptr);
    for (const auto& [label, opens] :
         {std::pair{"bar:palette", "Command"}, {"bar:shortcuts", "button:Close"}, {"bar:settings", "Theme:light"}}) {
        EXPECT_EQ(driver.find(opens), nullptr) << label;
        ASSERT_TRUE(driver.click(model, label));
        driver.frames(model, 3);
        EXPECT_NE(driver.find(opens), nullptr) << label;
        driver.tap(model, ImGuiKey_Escape);
        driver.frames(model, 2);
    }
}

TEST(BarButtons, TooltipsNameTheKeys) {
    Model model = scene("default").model;
    for (const auto& [label, help] : {std::pair{"bar:palette", "Commands (Ctrl+Shift+P)"},
                                      {"bar:undo", "Undo (Ctrl+Z)"},
                                      {"bar:shortcuts", "Shortcuts (?, F1)"},
                                      {"bar:settings", "Settings (F10)"}}) {
        Driver driver(1280, 720, 1);
        driver.frames(model, 3);
        driver.move_to(label);
        driver.frames(model, 40);
        ASSERT_NE(driver.find("tooltip"), nullptr) << label;
        EXPECT_EQ(driver.find("tooltip")->value, help);
    }
}

TEST(BarButtons, AllStayInReachAndApartAtEverySize) {
    const Model& model = scene("default").model;
    for (const float scale : {0.75F, 1.0F, 1.5F, 2.0F, 3.0F}) {
        for (const int wide : {320, 360, 400, 470, 560, 640, 800, 1000, 1280, 1920}) {
            for (const ViewModeInfo& mode : view_modes()) {
                const int width = static_cast<int>(static_cast<float>(wide) * scale);
                const int height = static_cast<int>(480 * scale);
                SCOPED_TRACE(std::to_string(width) + " at " + std::to_string(scale) + " in mode " +
                             std::string(mode.id));
                Driver driver(width, height, scale);
                driver.frames(model, 3);
                driver.tap(model, key_of(mode.keys[0]));
                driver.frames(model, 2);
                std::vector<Widget> bar;
                for (const Widget& widget : driver.interface().widgets())
                    if (widget.panel == "views" && widget.interactive && !widget.label.starts_with("view:"))
                        bar.push_back(widget);
                for (const char* label : kBarButtons) {
                    const Widget* button = driver.find(label);
                    if (button == nullptr) button = driver.find("bar:more");  // opens a menu that has it
                    ASSERT_NE(button, nullptr) << label;
                    label = button->label.c_str();
                    EXPECT_GE(button->width, button->height) << "not cut off";
                    for (const Widget& other : bar) {
                        expect_inside(other, width, height);
                        const bool overlaps = other.label != label && other.x < button->x + button->width &&
                                              button->x < other.x + other.width &&
                                              other.y < button->y + button->height &&
                                              button->y < other.y + other.height;
                        EXPECT_FALSE(overlaps) << label << " and " << other.label;
                    }
                }
                ASSERT_NE(driver.find("explain"), nullptr);
            }
        }
    }
}

/// Moves what the menu shows until all of this control does.
bool scroll_to(Driver& driver, const Model& model, const std::string& label, int height) {
    const Widget& popup = *driver.find("bar:more");
    driver.move_to(popup.x + popup.width / 2, static_cast<float>(height) * 0.6F);
    for (int k = 0; k < 40; ++k) {
        const Widget* widget = driver.find(label);
        if (widget != nullptr && widget->y >= 0 && widget->y + widget->height <= static_cast<float>(height))
            return true;
        driver.wheel(-0.5F);
        driver.frames(model, 2);
    }
    return false;
}

TEST(BarButtons, EveryControlOfEveryModeIsInReachAtEverySize) {
    const Model& model = scene("default").model;
    for (const ViewModeInfo& mode : view_modes()) {
        const auto open = [&](Driver& driver) {
            driver.frames(model, 3);
            driver.tap(model, key_of(mode.keys[0]));
            driver.frames(model, 2);
        };
        std::set<std::string> wanted;  // all of them stand in one row here
        {
            Driver driver(2560, 1440, 1);
            open(driver);
            const Widget& first = *driver.find("mode:wipe");
            for (const Widget& widget : driver.interface().widgets())
                if (widget.panel == "views" && widget.interactive && widget.y < first.y + first.height)
                    wanted.insert(widget.label);
        }
        EXPECT_GE(wanted.size(), view_modes().size() + 2 + std::size(kBarButtons));
        for (const auto& [width, height] : {std::pair{640, 400}, {1280, 720}, {1920, 1080}, {2560, 1440}}) {
            for (const auto& [scale, presents] : {std::pair{0.75F, false},
                                                  {1.0F, false},
                                                  {1.5F, false},
                                                  {2.0F, false},
                                                  {3.0F, false},
                                                  {1.0F, true},
                                                  {2.0F, true}}) {
                SCOPED_TRACE(std::to_string(width) + (presents ? " presenting" : "") + " at " + std::to_string(scale) +
                             " in mode " + std::string(mode.id));
                Driver driver(width, height, scale);
                open(driver);
                if (presents) driver.tap(model, ImGuiKey_F9);
                driver.frames(model, 3);
                const Rect views = driver.interface().panes_area();
                std::set<std::string> hidden = wanted;
                for (const Widget& widget : driver.interface().widgets()) {
                    if (widget.panel != "views" || hidden.erase(widget.label) == 0) continue;
                    EXPECT_GE(widget.x, static_cast<float>(views.x)) << widget.label;
                    EXPECT_LE(widget.x + widget.width, static_cast<float>(views.x + views.width)) << widget.label;
                    EXPECT_LE(widget.y + widget.height, static_cast<float>(height) / 2) << widget.label;
                }
                if (hidden.empty()) continue;
                ASSERT_TRUE(driver.click(model, "bar:more")) << *hidden.begin();
                driver.frames(model, 3);
                for (const std::string& label : hidden) {
                    EXPECT_TRUE(scroll_to(driver, model, label, height)) << label;
                    if (const Widget* widget = driver.find(label)) expect_inside(*widget, width, height);
                    driver.wheel(40);
                    driver.frames(model, 2);
                }
            }
        }
    }
}

TEST(BarButtons, TheMenuHoldsWhatHasNoRoom) {
    const Model& model = scene("default").model;
    Driver driver(1280, 720, 3);
    driver.frames(model, 3);
    driver.tap(model, key_of('6'));
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("difference:gain"), nullptr);
    driver.click(model, "bar:more");
    driver.frames(model, 3);
    ASSERT_TRUE(scroll_to(driver, model, "difference:gain", 720));
    driver.click(model, "difference:gain");
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("view:difference")->value, "signed, gain 16") << "the middle of the slider";
    ASSERT_TRUE(scroll_to(driver, model, "bar:settings", 720));
    driver.click(model, "bar:settings");
    driver.frames(model, 4);
    EXPECT_NE(driver.find("Theme:light"), nullptr);
    EXPECT_EQ(driver.find("bar:settings"), nullptr) << "the menu is closed";
}

TEST(BarButtons, HaveNamesWhereThereIsRoom) {
    const Model& model = scene("default").model;
    const auto width_of = [&](int width, const char* label, char mode) {
        Driver driver(width, 900, 1);
        driver.frames(model, 3);
        driver.tap(model, key_of(mode));
        driver.frames(model, 2);
        return driver.find(label)->width;
    };
    EXPECT_LT(width_of(1280, "mode:wipe", '1'), 40);
    EXPECT_GT(width_of(1920, "mode:wipe", '1'), 50);
    EXPECT_LT(width_of(1280, "bar:undo", '1'), 30);
    EXPECT_GT(width_of(2560, "bar:undo", '1'), 50);
    for (const int width : {1280, 1600, 1920})
        EXPECT_EQ(width_of(width, "mode:wipe", '1'), width_of(width, "mode:wipe", '7'))
            << "whatever the mode's options take, " << width;
    EXPECT_GT(width_of(1600, "mode:wipe", '1'), 50) << "in a bar of 970 pixels";
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    ASSERT_NE(driver.find("mode name"), nullptr) << "of the mode that is shown";
    const Widget name = *driver.find("mode name");
    EXPECT_EQ(name.value, "Stacked");
    driver.tap(model, key_of('6'));
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("mode name")->value, "Difference");
    EXPECT_EQ(driver.find("mode name")->width, name.width) << "nothing jumps";
    EXPECT_EQ(driver.find("pin")->x, name.x + name.width + 8);
}

TEST(Shortcuts, NoTextIsCutAndAllOfThemScrollIntoSight) {
    const Model& model = scene("default").model;
    for (const auto& [width, height, scale] : {std::tuple{1280, 720, 1.0F}, {640, 400, 1.0F}, {1280, 720, 2.0F}}) {
        Driver driver(width, height, scale);
        driver.frames(model, 3);
        driver.type("?");
        driver.frames(model, 4);
        std::set<std::string> seen;
        for (int k = 0; k < 40; ++k) {
            for (const Widget& widget : driver.interface().widgets()) {
                if (!widget.label.starts_with("shortcut:")) continue;
                seen.insert(widget.label.substr(9));
                EXPECT_LE(widget.x + widget.width, static_cast<float>(width));
            }
            driver.tap(model, ImGuiKey_PageDown);
            driver.frame(model);
        }
        for (const Command& command : commands()) {
            if (command.keys.empty()) continue;
            const std::string title(command.title.substr(0, command.title.find("...")));
            EXPECT_TRUE(seen.contains(title)) << title << " at " << width;
        }
    }
}

TEST(Shortcuts, TheKeysThatOpenThemCloseThemToo) {
    const Model& model = scene("default").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    const auto is_open = [&] {
        driver.frames(model, 3);
        return driver.find("shortcut:Undo") != nullptr;
    };
    for (int k = 0; k < 2; ++k) {
        driver.tap(model, ImGuiKey_F1);
        EXPECT_TRUE(is_open());
        driver.type("?");
        EXPECT_FALSE(is_open());
        driver.type("?");
        EXPECT_TRUE(is_open());
        driver.tap(model, ImGuiKey_F1);
        EXPECT_FALSE(is_open());
    }
}

TEST(BarButtons, EachNamesACommand) {
    for (const char* label : kBarButtons) {
        const std::string_view id = std::string_view(label).substr(4);
        EXPECT_EQ(command_of(id).id, id);
    }
}

TEST(StartPage, SaysWhereEverythingElseIs) {
    for (const auto& [width, height, scale] : {std::tuple{640, 400, 1.0F}, {1280, 720, 1.0F}, {1280, 800, 2.0F}}) {
        const Model& model = scene("start with recent files").model;
        Driver driver(width, height, scale);
        driver.frames(model, 3);
        const Widget* commands = driver.find("start:all commands");
        const Widget* keys = driver.find("start:shortcuts");
        ASSERT_NE(commands, nullptr) << width;
        ASSERT_NE(keys, nullptr) << width;
        EXPECT_EQ(commands->value, "Ctrl+Shift+P");
        EXPECT_EQ(keys->value, command_of("shortcuts").keys);
        expect_inside(*commands, width, height);
        expect_inside(*keys, width, height);
        EXPECT_LT(commands->x + commands->width, keys->x);
        EXPECT_GT(commands->y, driver.find("button:Open image...")->y);
        driver.click(model, "start:all commands");
        driver.frames(model, 2);
        EXPECT_NE(driver.find("Command"), nullptr);
    }
}

TEST(ZoomMenu, AClickChooses) {
    const Model& model = scene("default").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    const View& view = driver.interface().view();
    for (const auto& [label, zoom] :
         {std::pair{"zoom:400 %", 4.0}, {"zoom:1:1", 1.0}, {"zoom:800 %", 8.0}, {"zoom:200 %", 2.0}}) {
        ASSERT_TRUE(driver.click(model, "status:zoom"));
        driver.frames(model, 2);
        ASSERT_TRUE(driver.click(model, label)) << label;
        EXPECT_FALSE(view.fit);
        EXPECT_EQ(view.zoom, zoom);
        driver.frames(model, 2);
        EXPECT_EQ(driver.find(label), nullptr) << "closed";
    }
    EXPECT_EQ(driver.find("status:zoom")->value, "200 %");
    driver.click(model, "status:zoom");
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("zoom:200 %")->value, "on");
    driver.click(model, "zoom:Fit");
    EXPECT_TRUE(view.fit);
}

TEST(ZoomMenu, KeysChooseAndEscapeLeaves) {
    const Model& model = scene("default").model;
    Driver driver(1280, 720, 1);
    driver.frames(model, 3);
    const View& view = driver.interface().view();
    driver.tap(model, key_of('Z'));
    driver.frames(model, 3);
    ASSERT_NE(driver.find("zoom:Fit"), nullptr);
    driver.tap(model, ImGuiKey_DownArrow);
    driver.tap(model, ImGuiKey_DownArrow);
    driver.tap(model, ImGuiKey_Enter);
    driver.frames(model, 2);
    EXPECT_EQ(view.zoom, 2) << "the second below Fit";
    EXPECT_EQ(driver.find("zoom:Fit"), nullptr);
    EXPECT_EQ(driver.last<StepImage>(), nullptr) << "arrows belong to the list";
    driver.tap(model, key_of('Z'));
    driver.frames(model, 3);
    driver.tap(model, ImGuiKey_Escape);
    driver.frames(model, 2);
    EXPECT_EQ(driver.find("zoom:Fit"), nullptr);
    EXPECT_EQ(view.zoom, 2);
    driver.tap(model, ImGuiKey_DownArrow);
    EXPECT_NE(driver.last<StepImage>(), nullptr) << "keys are the view's again";
}

TEST(Notices, SayTheirSeverityAndAreCopied) {
    const Scene& s = scene("notices");
    for (const int width : {640, 1280}) {
        Driver driver(width, 480, 1);
        driver.frames(s.model, 3);
        ASSERT_NE(driver.find("severity:1"), nullptr);
        EXPECT_EQ(driver.find("severity:1")->value, "Error");
        EXPECT_EQ(driver.find("severity:2")->value, "Warning");
        EXPECT_EQ(driver.find("severity:3")->value, "Message");
        ImGui::SetClipboardText("");
        ASSERT_TRUE(driver.click(s.model, "Copy"));
        EXPECT_EQ(ImGui::GetClipboardText(), s.model.notices[0].text);
        EXPECT_EQ(driver.last<DismissNotice>(), nullptr);
        driver.frames(s.model, 40);
        ASSERT_NE(driver.find("tooltip"), nullptr);
        EXPECT_EQ(driver.find("tooltip")->value, "Copied");
        const Widget& copy = *driver.find("Copy");
        const Widget& dismiss = *driver.find("Dismiss");
        EXPECT_LE(copy.x + copy.width, dismiss.x);
        EXPECT_EQ(copy.y, dismiss.y);
    }
}

}  // namespace
}  // namespace tonescope::ui
