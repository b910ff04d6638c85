// The timings panel: pausing, details, the clipboard.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"
#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

/// The panel in full: no other section above is open at this size.
struct ShownTimings {
    Model model = scene("default").model;
    Driver driver{1920, 1400, 1};
    ShownTimings() { driver.frames(model, 3); }
    std::string value(std::string_view label) {
        const Widget* widget = driver.find(label);
        return widget == nullptr ? "none" : widget->value;
    }
};

TEST(Timings, PauseFreezesWhatIsShownUntilItGoesOn) {
    ShownTimings panel;
    EXPECT_EQ(panel.value("timing:apply"), "4.518 ms");
    ASSERT_TRUE(panel.driver.click(panel.model, "button:Pause"));
    panel.model.timings.stages[2].last_ms = 9.25;
    panel.driver.frames(panel.model, 2);
    EXPECT_EQ(panel.value("timing:apply"), "4.518 ms");
    ASSERT_TRUE(panel.driver.click(panel.model, "button:Resume"));
    panel.driver.frames(panel.model, 2);
    EXPECT_EQ(panel.value("timing:apply"), "9.250 ms");
    EXPECT_EQ(panel.value("button:Resume"), "none");
}

TEST(Timings, AClickOpensTheDetailsOfAStageAndClosesThem) {
    ShownTimings panel;
    EXPECT_EQ(panel.value("stage history"), "none");
    ASSERT_TRUE(panel.driver.click(panel.model, "timing:apply"));
    panel.driver.move_to(5, 5);
    panel.driver.frames(panel.model, 2);
    EXPECT_EQ(panel.value("stage history"), "49 runs, 4.182 to 6.255 ms");
    EXPECT_EQ(panel.value("stage:Throughput"), "174 MPixel/s");
    EXPECT_EQ(panel.value("stage:Memory"), "1.39 GB/s, 12 % of a copy's 11.8");
    panel.driver.move_to("stage history", 0.999F, 0.8F);
    panel.driver.frames(panel.model, 2);
    EXPECT_EQ(panel.value("stage history").substr(0, 3), "49 ") << "beside the curve";
    panel.driver.move_to("stage history", 0.97F, 0.8F);
    panel.driver.frames(panel.model, 2);
    EXPECT_EQ(panel.value("stage history"), "last run: 4.518 ms");
    ASSERT_TRUE(panel.driver.click(panel.model, "timing:apply"));
    panel.driver.frames(panel.model, 2);
    EXPECT_EQ(panel.value("stage history"), "none");
}

TEST(Timings, TheCurveTellsTheRunUnderTheMouse) {
    ShownTimings panel;
    EXPECT_EQ(panel.value("curve:apply"), "");
    panel.driver.move_to("curve:apply", 0.01F, 0.5F);
    panel.driver.frames(panel.model, 2);
    EXPECT_EQ(panel.value("curve:apply"), "48 runs ago: 4.402 ms");
    panel.driver.move_to("curve:apply", 0.5F, 0.5F);
    panel.driver.frames(panel.model, 2);
    EXPECT_TRUE(panel.value("curve:apply").starts_with("24 runs ago: ")) << panel.value("curve:apply");
}

TEST(Timings, StagesAreWantedWhileTheyCanBeSeen) {
    ShownTimings panel;
    EXPECT_TRUE(panel.driver.interface().view().shows_stages);
    panel.driver.run_command(panel.model, "hide the panels");
    panel.driver.frames(panel.model, 2);
    EXPECT_EQ(panel.value("timing:apply"), "none");
    EXPECT_FALSE(panel.driver.interface().view().shows_stages);
    panel.driver.run_command(panel.model, "hide the panels");
    panel.driver.frames(panel.model, 2);
    EXPECT_TRUE(panel.driver.interface().view().shows_stages);
}

TEST(Timings, StartAnewIsAskedFor) {
    ShownTimings panel;
    panel.driver.run_command(panel.model, "timings reset");
    EXPECT_NE(panel.driver.last<ResetTimings>(), nullptr);
}

TEST(Timings, CopiedAsAlignedText) {
    ShownTimings panel;
    ASSERT_TRUE(panel.driver.click(panel.model, "button:Copy"));
    const std::string text = ImGui::GetClipboardText();
    EXPECT_EQ(text, timings_text(panel.model.timings));
    ASSERT_NE(panel.driver.last<Tell>(), nullptr);
    EXPECT_NE(text.find("Image      hills.png, 1100 \u00d7 720\n"), std::string::npos) << text;
    EXPECT_NE(text.find("Bandwidth  11.8 GB/s, measured by copying\n"), std::string::npos) << text;
    EXPECT_NE(text.find("stage      last ms  median ms  best ms  runs  MPixel/s  GB/s  of copy\n"
                        "histogram    1.204      1.187    1.116    49       653  2.61     22 %\n"
                        "table        0.083      0.081    0.076    49         -     -        -\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("frame, ms  UI thread  Slowest  CPU threads    GPU\n"
                        "input          0.210    0.900            -      -\n"),
              std::string::npos)
        << text;
}

TEST(Timings, NothingToPauseOrCopyBeforeTheFirstRun) {
    const Model& model = scene("empty").model;
    Driver driver(1920, 1080, 1);
    driver.frames(model, 3);
    EXPECT_FALSE(driver.find("button:Pause")->enabled);
    EXPECT_FALSE(driver.find("button:Copy")->enabled);
}

TEST(Timings, TheFrameOpensItsTable) {
    ShownTimings panel;
    EXPECT_NE(panel.value("frame:UI thread"), "none");
    EXPECT_EQ(panel.value("part:panels"), "none");
    ASSERT_TRUE(panel.driver.click(panel.model, "Frame times"));
    panel.driver.frames(panel.model, 2);
    EXPECT_NE(panel.value("part:panels"), "none");
    EXPECT_EQ(panel.value("part:hand-over"), "none") << "there is none on the CPU";
    panel.model.timings.frame.back().of(FramePart::map) = 0.4;
    panel.driver.frames(panel.model, 2);
    EXPECT_NE(panel.value("part:hand-over"), "none");
    EXPECT_TRUE(panel.driver.interface().settings().frame_shown);
}

}  // namespace
}  // namespace tonescope::ui
