// The dialog of batches.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

using Kind = AnswerBatch::Kind;
using State = BatchModel::State;

class BatchDialog : public testing::Test {
  protected:
    void open() {
        driver_.frames(model_, 2);
        driver_.tap_with_control(model_, key_of('B'));
        driver_.frames(model_, 3);
    }
    void type_over(const char* field, const char* text) {
        driver_.click(model_, field);
        driver_.tap_with_control(model_, key_of('A'));
        driver_.type(text);
        driver_.frames(model_, 2);
    }
    const BatchSetup& started() {
        const auto* start = driver_.last<StartBatch>();
        if (start == nullptr) throw std::runtime_error("no batch was started");
        return start->setup;
    }
    std::string value(std::string_view label) const {
        const Widget* widget = driver_.find(label);
        return widget == nullptr ? "none" : std::string(widget->value);
    }

    Model model_ = scene("batch").model;
    Driver driver_{1280, 720, 1};
};

TEST_F(BatchDialog, SuggestsAFolderBesideTheImage) {
    open();
    EXPECT_EQ(value("Results of the batch"), "/home/ada/Pictures/2026/results/{stem}.png");
    driver_.tap(model_, ImGuiKey_Enter);
    EXPECT_FALSE(started().is_folder);
    EXPECT_EQ(started().output, "/home/ada/Pictures/2026/results/{stem}.png");
}

TEST_F(BatchDialog, MakesTypedPathsWhole) {
    open();
    driver_.click(model_, "Images of the batch:a folder");
    type_over("Folder of the batch", "~/Scans");
    type_over("Results of the batch", "../out/{stem}-2.png");
    driver_.tap(model_, ImGuiKey_Enter);
    EXPECT_TRUE(started().is_folder);
    EXPECT_EQ(started().folder, "/home/ada/Scans");
    EXPECT_EQ(started().output, "/home/ada/out/{stem}-2.png");
}

TEST_F(BatchDialog, MasksAreSuggestedTypedAndInverted) {
    open();
    EXPECT_EQ(value("Masks of the batch"), "");
    EXPECT_FALSE(driver_.find("Filtered in the batch:black")->enabled) << "without a mask there is nothing to invert";
    EXPECT_EQ(std::ranges::count(drawn_texts(driver_, model_), "Filtered", &DrawnText::text), 1);
    driver_.tap(model_, ImGuiKey_Escape);
    model_.batch.suggested_mask = "/masks/{stem}.png";
    open();
    EXPECT_EQ(value("Masks of the batch"), "/masks/{stem}.png");
    type_over("Masks of the batch", "{stem}.mask.png");
    driver_.click(model_, "Filtered in the batch:black");
    EXPECT_NE(value("batch of").find("inverse mask {stem}.mask.png"), std::string::npos) << value("batch of");
    driver_.click(model_, "button:Start batch");
    EXPECT_EQ(started().mask, "/home/ada/Pictures/2026/{stem}.mask.png");
    EXPECT_TRUE(started().mask_inverse);
}

TEST_F(BatchDialog, TheFormatChangesTheEndingAndStaysForOtherImages) {
    open();
    driver_.click(model_, "Format of the batch");
    driver_.click(model_, "Format of the batch:JPEG");
    EXPECT_EQ(value("Results of the batch"), "/home/ada/Pictures/2026/results/{stem}.jpg");
    driver_.tap(model_, ImGuiKey_Escape);
    model_.batch.suggested_folder = "/photos";
    model_.batch.suggested_output = "/photos/results/{stem}.png";
    open();
    EXPECT_EQ(value("Results of the batch"), "/photos/results/{stem}.jpg");
}

TEST_F(BatchDialog, AFolderStandsForPngFilesInIt) {
    open();
    type_over("Results of the batch", "../out/");
    EXPECT_NE(driver_.find("Compression"), nullptr) << "its options";
    driver_.click(model_, "Format of the batch");
    driver_.click(model_, "Format of the batch:JPEG");
    EXPECT_EQ(value("Results of the batch"), "../out/{stem}.jpg");
}

TEST_F(BatchDialog, AFolderIsChosenInTheBrowser) {
    open();
    driver_.click(model_, "Images of the batch:a folder");
    driver_.click(model_, "button:Choose...");
    driver_.frames(model_, 4);
    ASSERT_NE(driver_.last<BrowseTo>(), nullptr);
    ++model_.browser.visit;
    model_.browser.folder = "/home/ada/Scans";
    driver_.frames(model_, 3);
    driver_.click(model_, "button:Choose");
    driver_.frames(model_, 4);
    EXPECT_EQ(value("Folder of the batch"), "/home/ada/Scans");
}

TEST_F(BatchDialog, EnterNeverOverwrites) {
    model_ = scene("batch asks").model;
    open();
    driver_.tap(model_, ImGuiKey_Enter);
    ASSERT_NE(driver_.last<AnswerBatch>(), nullptr);
    EXPECT_EQ(driver_.last<AnswerBatch>()->kind, Kind::skip);
    for (const auto& [label, kind] : {std::pair("button:Overwrite them", Kind::overwrite),
                                      {"button:Use other names", Kind::rename},
                                      {"button:Cancel batch", Kind::cancel}}) {
        driver_.click(model_, label);
        EXPECT_EQ(driver_.last<AnswerBatch>()->kind, kind) << label;
    }
}

TEST_F(BatchDialog, PausesGoesOnAndStops) {
    model_ = scene("batch under way").model;
    open();
    driver_.tap(model_, ImGuiKey_Enter);
    EXPECT_TRUE(driver_.last<PauseBatch>()->pauses);
    model_.batch.state = State::paused;
    driver_.frames(model_, 2);
    driver_.click(model_, "button:Resume batch");
    EXPECT_FALSE(driver_.last<PauseBatch>()->pauses);
    EXPECT_EQ(driver_.last<StopBatch>(), nullptr);
    driver_.click(model_, "button:Stop batch");
    EXPECT_NE(driver_.last<StopBatch>(), nullptr);
}

TEST_F(BatchDialog, AsksWhereTheWindowIsClosed) {
    model_ = scene("batch when the window is closed").model;
    driver_.frames(model_, 5);
    driver_.tap(model_, ImGuiKey_Enter);
    EXPECT_NE(driver_.last<KeepBatch>(), nullptr);
    EXPECT_EQ(driver_.last<Quit>(), nullptr);
    driver_.click(model_, "button:Stop and close");
    EXPECT_NE(driver_.last<Quit>(), nullptr);
}

TEST_F(BatchDialog, ACopyOfALineOfAFailure) {
    model_ = scene("batch done").model;
    open();
    driver_.click(model_, "batch line");
    EXPECT_EQ(ImGui::GetClipboardText(), model_.batch.failures[0]);
    driver_.click(model_, "button:Copy the failures");
    EXPECT_EQ(ImGui::GetClipboardText(), model_.batch.failures[0] + "\n");
}

/// The bars stand still, so that a window beside a batch draws no more than it is told.
TEST_F(BatchDialog, DrawsNoFramesByItself) {
    model_ = scene("batch under way").model;
    open();
    driver_.frames(model_, 30);
    EXPECT_FALSE(driver_.interface().animating());
}

}  // namespace
}  // namespace tonescope::ui
