// "Explain": which pixel is asked for, what is kept, and what stands in the panel and over the image.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"
#include "ui/views/view_modes.h"

namespace tonescope::ui {
namespace {

struct Explaining {
    explicit Explaining(const char* name, int width = 1280, int height = 800)
        : model(scene(name).model), driver(width, height, 1) {
        driver.frames(model, 3);
    }
    void on() {
        driver.tap(model, key_of('E'));
        driver.frames(model, 2);
    }
    void click(std::string_view view, float x, float y) {
        driver.move_to(view, x, y);
        driver.frames(model, 2);
        driver.press(0, true);
        driver.frame(model);
        driver.press(0, false);
        driver.frames(model, 2);
    }
    /// The results of "Try values" are on their way.
    void ask_for_values() {
        driver.tap(model, key_of('7'));
        driver.frames(model, 2);
        GridModel& grid = model.views.grid;
        grid = {driver.interface().view().grid, {}};
        for (size_t cell = 0; cell < grid.view.cell_count(); ++cell) {
            RunSpec& wanted = grid.cells.emplace_back().wanted;
            wanted = model.run;
            for (const auto& [param, value] : grid.view.values_of(cell)) wanted.params.set(*param.info, value);
        }
        driver.frames(model, 2);
    }
    const Explain& asked() { return *driver.last<Explain>(); }

    Model model;
    Driver driver;
};

TEST(HowItWorks, KeyButtonAndSettingsTurnItOn) {
    Explaining at("explained clahe");
    EXPECT_EQ(at.driver.last<Explain>(), nullptr);
    EXPECT_EQ(at.driver.find("explanation:plot"), nullptr);
    EXPECT_EQ(at.driver.find("explained:1"), nullptr);
    at.on();
    EXPECT_TRUE(at.asked().shown);
    EXPECT_TRUE(at.driver.interface().settings().explains);
    EXPECT_EQ(at.driver.find("explain")->value, "on");
    ASSERT_NE(at.driver.find("explanation:plot"), nullptr);
    at.driver.click(at.model, "explain");
    EXPECT_FALSE(at.asked().shown);
    EXPECT_EQ(at.driver.find("explanation:plot"), nullptr);
}

TEST(HowItWorks, StartsInTheMiddleFollowsTheMouseAndStaysWhenItLeaves) {
    Explaining at("explained clahe");
    at.on();
    const ImageSpec& spec = at.model.views.before.spec;
    EXPECT_EQ(at.asked().pixel, (Pixel{spec.width / 2, spec.height / 2}));
    at.driver.move_to("view:before", 0.4F, 0.45F);
    at.driver.frames(at.model, 2);
    const Hover hover = *at.driver.last<Hover>();
    EXPECT_EQ(at.asked().pixel, (Pixel{hover.x, hover.y}));
    at.driver.move_to("histogram:before");
    at.driver.frames(at.model, 2);
    EXPECT_FALSE(at.driver.last<Hover>()->inside);
    EXPECT_EQ(at.asked().pixel, (Pixel{hover.x, hover.y}));
}

TEST(HowItWorks, AClickKeepsUntilEscapeOrAnotherClick) {
    Explaining at("explained clahe");
    at.on();
    at.click("view:after", 0.5F, 0.5F);
    ASSERT_TRUE(at.asked().kept);
    const Pixel kept = *at.asked().kept;
    at.driver.move_to("view:after", 0.4F, 0.4F);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.asked().kept, kept);
    EXPECT_NE(at.asked().pixel, kept);
    at.driver.tap(at.model, ImGuiKey_Escape);
    at.driver.frames(at.model, 2);
    EXPECT_FALSE(at.asked().kept);
    at.click("view:before", 0.5F, 0.5F);
    EXPECT_TRUE(at.asked().kept);
    at.click("view:before", 0.45F, 0.5F);
    EXPECT_FALSE(at.asked().kept);
}

TEST(HowItWorks, ADragPansAndKeepsNothing) {
    Explaining at("explained clahe");
    at.on();
    const double center = at.driver.interface().view().center_x;
    at.driver.move_to("view:before", 0.5F, 0.5F);
    at.driver.frames(at.model, 2);
    at.driver.press(0, true);
    at.driver.frames(at.model, 2);
    at.driver.move_to("view:before", 0.4F, 0.5F);
    at.driver.frames(at.model, 2);
    at.driver.press(0, false);
    at.driver.frames(at.model, 2);
    EXPECT_FALSE(at.asked().kept);
    EXPECT_GT(at.driver.interface().view().center_x, center);
}

TEST(HowItWorks, KeysMoveThePixelAndKeepIt) {
    Explaining at("explained kuwahara");
    at.on();
    const Pixel start = at.asked().pixel;
    at.driver.hold_shift(true);
    at.driver.tap(at.model, ImGuiKey_RightArrow);
    at.driver.tap(at.model, ImGuiKey_RightArrow);
    at.driver.tap(at.model, ImGuiKey_UpArrow);
    at.driver.hold_shift(false);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.asked().pixel, (Pixel{start.x + 2, start.y - 1}));
    at.driver.tap(at.model, ImGuiKey_Enter);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.asked().kept, (Pixel{start.x + 2, start.y - 1}));
    at.driver.hold_shift(true);
    at.driver.tap(at.model, ImGuiKey_LeftArrow);
    at.driver.hold_shift(false);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.asked().pixel, (Pixel{start.x + 1, start.y - 1}));
}

TEST(HowItWorks, EveryModeMarksTheAreas) {
    for (const ViewModeInfo& mode : view_modes()) {
        Explaining at("explained clahe");
        at.on();
        if (mode.id == "grid") {
            at.ask_for_values();
        } else {
            at.driver.tap(at.model, key_of(mode.keys[0]));
            at.driver.frames(at.model, 2);
        }
        EXPECT_NE(at.driver.find("explained:1"), nullptr) << mode.id;
    }
}

/// Bins are narrower than pixels: each column of these shows its highest bin.
TEST(HowItWorks, NarrowPeaksOfManyBinsAreSeen) {
    Explaining at("explained he");
    constexpr size_t kBins = 65536, kPeak = 40000;
    Explanation explanation = *at.model.views.explanation;
    explanation.plots.resize(1);
    ExplainedPlot& plot = explanation.plots[0];
    plot.counts.assign(kBins, 10);
    plot.counts[kPeak] = 1000;
    for (ExplainedCurve* curve : {&plot.transfer, &plot.sums}) {
        curve->levels.assign(kBins, 0);
        curve->levels.back() = 1;
    }
    plot.bin = 3;
    plot.max_out = kBins - 1;
    at.model.views.explanation = std::make_shared<const Explanation>(explanation);
    at.on();
    const Widget& w = *at.driver.find("explanation:plot");
    const float peak = w.x + w.width * float(kPeak) / float(kBins);
    int vertices = 0;
    float highest_at_peak = w.y + w.height, highest_left_of_it = highest_at_peak;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int n = 0; n < data->CmdListsCount; ++n)
        for (const ImDrawVert& vertex : data->CmdLists[n]->VtxBuffer) {
            const auto [x, y] = vertex.pos;
            if (x < w.x || x > w.x + w.width || y < w.y + 22 || y > w.y + w.height) continue;
            ++vertices;
            if (std::abs(x - peak) < 3) highest_at_peak = std::min(highest_at_peak, y);
            if (x > w.x + 40 && x < peak - 3) highest_left_of_it = std::min(highest_left_of_it, y);
        }
    EXPECT_LT(highest_at_peak, w.y + 0.3F * w.height);
    EXPECT_GT(highest_left_of_it, w.y + 0.6F * w.height);
    EXPECT_LT(vertices, 20 * w.width);
}

TEST(HowItWorks, SpeaksOfThePaneOfTheGrid) {
    Explaining at("explained clahe", 1600, 1000);
    at.on();
    EXPECT_EQ(at.asked().op, nullptr) << "the parameters in use";
    at.ask_for_values();
    const GridAxis axis = at.driver.interface().view().grid.columns;
    const auto limit_asked = [&] { return at.asked().params.get(*axis.param.info); };
    for (int pane = 4; pane >= 1; --pane) {
        at.driver.move_to("view:pane " + std::to_string(pane));
        at.driver.frames(at.model, 2);
        ASSERT_EQ(at.asked().op, at.model.run.op);
        EXPECT_EQ(limit_asked(), axis.values[static_cast<size_t>(pane - 1)]);
    }
    at.driver.move_to("histogram:before");  // to read what it says
    at.driver.frames(at.model, 2);
    EXPECT_EQ(limit_asked(), axis.values[0]);
    // What is known says of which values it is, and is marked in the pane that has them.
    const auto marked_pane = [&] {
        const Widget* mark = at.driver.find("explained:1");
        for (int pane = 1; pane <= 4 && mark != nullptr; ++pane) {
            const Widget& view = *at.driver.find("view:pane " + std::to_string(pane));
            if (mark->x + 1 >= view.x && mark->x < view.x + view.width && mark->y + 1 >= view.y &&
                mark->y < view.y + view.height)
                return pane;
        }
        return 0;
    };
    EXPECT_EQ(at.driver.find("explanation:of")->value, "CLAHE, Tile size 160 px");
    EXPECT_EQ(marked_pane(), 2) << "the values in use";
    at.model.views.explained.params = at.asked().params;
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.driver.find("explanation:of")->value, "CLAHE, Tile size 160 px, Clip limit 1.50 \u00d7 mean bin");
    EXPECT_EQ(marked_pane(), 1);
    at.driver.tap(at.model, key_of('1'));
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.asked().op, nullptr) << "the parameters in use again";
}

TEST(HowItWorks, TheStrongAreaAndTheLabelsAreTheExplanations) {
    Explaining at("explained clahe");
    at.on();
    const Explanation& explanation = *at.model.views.explanation;
    ASSERT_EQ(explanation.areas.size(), 4U);
    for (size_t k = 0; k < 4; ++k) {
        const ExplainedArea& area = explanation.areas[k];
        const Widget* widget = at.driver.find("explained:" + std::to_string(k + 1));
        ASSERT_NE(widget, nullptr);
        EXPECT_EQ(widget->value, area.label + (area.strong ? " strong" : ""));
    }
    EXPECT_EQ(at.driver.find("explanation:row blended")->value,
              "100 % | " + std::to_string(explanation.values[0].after));
}

TEST(HowItWorks, OneOfThreeChannelsIsChosen) {
    Explaining at("explained clahe channels");
    at.on();
    const std::vector<ExplainedPlot>& plots = at.model.views.explanation->plots;
    ASSERT_EQ(plots.size(), 3U);
    const auto expected = [&](size_t k) {
        return at.model.views.explanation->plot_of + "; " + std::to_string(plots[k].bin) + " to " +
               std::to_string(plots[k].out);
    };
    EXPECT_EQ(at.driver.find("explanation:plot")->value, expected(0));
    at.driver.click(at.model, "Explained:Blue");
    at.driver.frame(at.model);
    EXPECT_EQ(at.driver.find("explanation:plot")->value, expected(2));
    // Another operator with one value: what was chosen does not matter.
    const Model& he = scene("explained he").model;
    at.driver.frames(he, 2);
    EXPECT_NE(at.driver.find("explanation:plot"), nullptr);
}

TEST(HowItWorks, AnOperatorWithoutExplanationSaysSo) {
    Explaining at("default");
    OperatorInfo silent = *at.model.run.op;
    silent.explain = nullptr;
    at.model.run.op = &silent;
    at.driver.frames(at.model, 2);
    EXPECT_FALSE(at.driver.find("explain")->enabled);
    at.on();
    EXPECT_EQ(at.driver.last<Explain>(), nullptr);
}

TEST(HowItWorks, ShowsWhereThePanelsAreHidden) {
    Explaining at("explained clahe");
    at.on();
    at.driver.tap(at.model, ImGuiKey_Tab);
    at.driver.frames(at.model, 3);
    EXPECT_EQ(at.driver.find("histogram:before"), nullptr);
    ASSERT_NE(at.driver.find("explanation:plot"), nullptr);
    EXPECT_EQ(at.driver.find("explanation:plot")->panel, "explanation");
}

}  // namespace
}  // namespace tonescope::ui
