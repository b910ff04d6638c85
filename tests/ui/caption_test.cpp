// What stands above the panes where there is little room, and in a picture of the views.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

std::vector<DrawnText> drawn(Driver& driver, const Model& model) {
    std::vector<DrawnText> texts;
    note_texts(&texts);
    driver.frame(model);
    note_texts(nullptr);
    return texts;
}

TEST(Captions, TheTimeStaysLongerThanTheVariantAndTheDefaults) {
    const Caption caption = caption_of(scene("default").model.views.after_subject);
    std::vector<std::string> left;
    for (Caption rest = caption; !rest.parts.empty();) left.push_back(rest.drop_least());
    ASSERT_EQ(left.size(), 4U) << caption.text();
    EXPECT_EQ(left[0], kDefaultValues);
    EXPECT_EQ(left[1], scene("default").model.run.variant->name);
    EXPECT_TRUE(left[2].ends_with(" ms")) << left[2];
    EXPECT_EQ(left[3], "CLAHE");
}

TEST(Captions, AreWholeInAPictureOfTheViews) {
    for (const char mode : {'1', '2', '3', '5', '7'})
        for (const int width : {700, 900, 1280}) {
            SCOPED_TRACE(std::string(1, mode) + " at " + std::to_string(width));
            Model model = scene("default").model;
            Driver driver(width, 720, 1);
            driver.frames(model, 3);
            driver.tap(model, key_of(mode));
            driver.frames(model, 2);
            model.views.picturing = true;
            driver.frames(model, 3);
            for (const DrawnText& text : drawn(driver, model)) {
                if (text.window != "##views") continue;
                EXPECT_EQ(text.text.find("\u2026"), std::string::npos) << text.text;
                EXPECT_LE(text.area.bottom(), text.clip.bottom() + 1) << text.text;
            }
        }
}

}  // namespace
}  // namespace tonescope::ui
