// Marks on sliders: nothing is chosen but by a click on one.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

class Marks : public testing::Test {
  protected:
    Marks() {
        const ParamInfo& limit = *find_param(model_.run.op->params, "clip_limit");
        ParamSuggestions suggestions{.param = &limit, .part = {0, 0, 100, 100}, .curves = {}, .marks = {}};
        suggestions.curves.push_back({find_figure("noise_gain"), {100, 200, 400, 800, 1600}, {1.0, 1.3, 1.8, 2.5, {}}});
        suggestions.curves.push_back(
            {find_figure("entropy"), {100, 200, 400, 800, 1600}, {7.0, 7.01, 7.02, 7.03, 7.03}});
        suggestions.marks.push_back({600, 0, "Noise gain passes 1.50 above 6.00 \u00d7 mean bin"});
        suggestions.marks.push_back({1200, 1, "Entropy gains less than 1 % above 12.00 \u00d7 mean bin", true});
        model_.run.suggestions = {std::make_shared<const ParamSuggestions>(std::move(suggestions))};
        driver_.frames(model_, 3);
    }

    Model model_ = scene("default").model;
    Driver driver_{1280, 720, 1};
};

TEST_F(Marks, StandWhereTheirValuesAre) {
    const Widget* mark = driver_.find("Clip limit suggestion 1");
    const Widget* slider = driver_.find("Clip limit");
    ASSERT_NE(mark, nullptr);
    EXPECT_EQ(mark->value, "Noise gain passes 1.50 above 6.00 \u00d7 mean bin");
    const float grab = 6;
    const auto position = static_cast<float>(slider_position(*find_param(model_.run.op->params, "clip_limit"), 600));
    EXPECT_NEAR(mark->x + mark->width / 2, slider->x + grab + (slider->width - 2 * grab) * position, 1);
    EXPECT_GE(mark->y, slider->y - 1);
    EXPECT_LT(mark->y + mark->height, slider->y + slider->height / 2 + 1) << "the lower half belongs to the slider";
    EXPECT_EQ(driver_.find("Tile size suggestion 1"), nullptr);
    EXPECT_EQ(driver_.last<SetParam>(), nullptr) << "nothing is chosen by itself";
}

TEST_F(Marks, AClickTakesTheValue) {
    ASSERT_TRUE(driver_.click(model_, "Clip limit suggestion 1"));
    driver_.frames(model_, 2);
    const SetParam* set = driver_.last<SetParam>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->info->id, "clip_limit");
    EXPECT_EQ(set->value, 600);
    EXPECT_EQ(std::ranges::count_if(driver_.actions(),
                                    [](const Action& action) { return std::holds_alternative<SetParam>(action); }),
              1)
        << "and the slider under it does not move";
}

TEST_F(Marks, TheMouseOnOneShowsReasonAndCurve) {
    ASSERT_TRUE(driver_.move_to("Clip limit suggestion 1"));
    driver_.frames(model_, 90);
    const Widget* tooltip = driver_.find("tooltip");
    ASSERT_NE(tooltip, nullptr);
    EXPECT_EQ(tooltip->value, "Noise gain passes 1.50 above 6.00 \u00d7 mean bin\nA click takes the value");
    std::string all;
    for (const DrawnText& drawn : drawn_texts(driver_, model_)) all += drawn.text + "|";
    EXPECT_NE(all.find("2.50"), std::string::npos) << "the greatest figure of the curve: " << all;
    EXPECT_NE(all.find("16.00"), std::string::npos) << "and its last value";
    EXPECT_EQ(driver_.last<SetParam>(), nullptr);
}

TEST_F(Marks, OfAFlatCurveThereIsNoneUnlessAskedFor) {
    EXPECT_EQ(driver_.find("Clip limit suggestion 2"), nullptr);
    driver_.run_command(model_, "Suggestions: also where");
    driver_.frames(model_, 3);
    ASSERT_NE(driver_.find("Clip limit suggestion 2"), nullptr);
    ASSERT_TRUE(driver_.move_to("Clip limit suggestion 2"));
    driver_.frames(model_, 90);
    EXPECT_NE(driver_.find("tooltip")->value.find("Its curve is flat"), std::string::npos);
}

TEST_F(Marks, CanBeSwitchedOff) {
    EXPECT_TRUE(driver_.interface().view().shows_suggestions);
    driver_.run_command(model_, "Suggestions: marks");
    driver_.frames(model_, 3);
    EXPECT_EQ(driver_.find("Clip limit suggestion 1"), nullptr);
    EXPECT_FALSE(driver_.interface().view().shows_suggestions);
    EXPECT_FALSE(driver_.interface().settings().suggestions_shown);
}

TEST_F(Marks, NothingIsAskedForWhileThePanelsAreHidden) {
    driver_.run_command(model_, "Show or hide the panels");
    driver_.frames(model_, 3);
    EXPECT_FALSE(driver_.interface().view().shows_suggestions);
}

TEST_F(Marks, AreReachedByKeysToo) {
    driver_.tap(model_, ImGuiKey_F6);
    for (int k = 0; k < 80 && driver_.last<SetParam>() == nullptr; ++k) {
        const Widget* focus = driver_.find("focus");
        const Widget* mark = driver_.find("Clip limit suggestion 1");
        ASSERT_NE(mark, nullptr);
        if (focus != nullptr && std::abs(focus->x - mark->x) < 1 && std::abs(focus->y - mark->y) < 1)
            driver_.tap(model_, ImGuiKey_Enter);
        else
            driver_.tap(model_, ImGuiKey_Tab);
        driver_.frames(model_, 2);
    }
    ASSERT_NE(driver_.last<SetParam>(), nullptr);
    EXPECT_EQ(driver_.last<SetParam>()->value, 600);
}

}  // namespace
}  // namespace tonescope::ui
