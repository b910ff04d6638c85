// The histogram panel, the selected rectangle and the stripes over clipped pixels.
#include <gtest/gtest.h>

#include "tests/ui/scenes/scene_test.h"

namespace tonescope::ui {
namespace {

struct Panel {
    Panel() : model(scene("default").model), driver(1280, 800, 1) { driver.frames(model, 3); }
    const View& view() { return driver.interface().view(); }
    bool shows(std::string_view label) { return driver.find(label) != nullptr; }
    const std::string& value(std::string_view label) { return driver.find(label)->value; }
    void key(char letter) {
        driver.tap(model, key_of(letter));
        driver.frame(model);
    }
    /// From and to are shares of a view.
    void drag(std::string_view label, ImVec2 from, ImVec2 to) {
        driver.move_to(label, from.x, from.y);
        driver.frame(model);
        driver.press(0, true);
        driver.frame(model);
        driver.move_to(label, to.x, to.y);
        driver.frame(model);
        driver.press(0, false);
        driver.frames(model, 2);
    }

    Model model;
    Driver driver;
};

/// "Clipped pixels" is open, and the mouse is on a view.
struct ClippedPixelsPanel : Panel {
    ClippedPixelsPanel() {
        driver.click(model, "Clipped pixels");
        driver.move_to("view:after");
        driver.frame(model);
    }
};

TEST(Histograms, OneAboveTheOtherOrInOnePlot) {
    Panel at;
    EXPECT_TRUE(at.shows("histogram:before"));
    EXPECT_FALSE(at.shows("histogram:both"));
    at.key('H');
    EXPECT_TRUE(at.shows("histogram:both"));
    EXPECT_FALSE(at.shows("histogram:before"));
    EXPECT_TRUE(at.driver.interface().settings().histogram.overlaid);
    ASSERT_TRUE(at.driver.click(at.model, "histogram:overlaid"));
    EXPECT_TRUE(at.shows("histogram:after"));
}

TEST(Histograms, TheMouseReadsBothSides) {
    Panel at;
    DisplayHistogram before;
    DisplayHistogram after;
    before.luma[128] = 700;
    before.luma[3] = 300;
    after.luma[128] = 20;
    at.model.histogram.before = before;
    at.model.histogram.after = after;
    at.key('H');
    at.driver.move_to("histogram:both", 128.5F / 256);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:both"), "128: 700 20");
    at.driver.click(at.model, "histogram:cumulative");
    at.driver.move_to("histogram:both", 128.5F / 256);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:both"), "128: 1000 20");
}

TEST(Histograms, AThousandBins) {
    Panel at;
    ASSERT_TRUE(at.driver.click(at.model, "histogram:fine"));
    EXPECT_TRUE(at.view().fine_histogram);
    at.driver.move_to("histogram:after", 0.5F);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:after"), "") << "not counted yet";
    FineHistogram fine{};
    fine[514] = 77;
    at.model.histogram.fine_before = at.model.histogram.fine_after = fine;
    at.driver.move_to("histogram:after", 513.0F / 1024);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:after"), "514: 77") << "of several bins in a pixel the fullest";
}

/// Gray in 12 bits: 600 pixels of 1000, 400 of 1003.
struct DeepPanel : Panel {
    DeepPanel() {
        for (Picture* picture : {&model.views.before, &model.views.after}) {
            picture->spec.format = PixelFormat::gray16;
            picture->spec.max_sample = 4095;
        }
        SampleHistogram counts;
        std::vector<uint32_t>& luma = counts.curves[static_cast<size_t>(Curve::luma)];
        luma.resize(4096);
        luma[1000] = 600;
        luma[1003] = 400;
        counts.statistics[static_cast<size_t>(Curve::luma)] = statistics_of(luma);
        counts.used = used_range(sample_counts(counts));
        counts.automatic = auto_range(sample_counts(counts));
        model.histogram = {};
        model.histogram.deep_before = model.histogram.deep_after = std::make_shared<SampleHistogram>(counts);
        driver.frames(model, 2);
    }
};

TEST(DeepHistograms, NarrowPeaksAreReadAndZoomedTo) {
    DeepPanel at;
    EXPECT_TRUE(at.view().shows_histogram);
    EXPECT_EQ(at.value("statistics:before"),
              "gray, mean 1001.2, deviation 1.5, entropy 0.97, minimum 1000, maximum 1003");
    EXPECT_FALSE(at.shows("histogram:fine")) << "bins are as fine as the samples";
    at.driver.move_to("histogram:before", 1000.5F / 4096);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:before"), "1000: 600") << "of several bins in a pixel the fullest";
    EXPECT_EQ(at.value("histogram:before:axis"), "");
    at.driver.hold_control(true);
    for (int k = 0; k < 12; ++k) {
        at.driver.wheel(2);
        at.driver.frames(at.model, 2);
    }
    at.driver.hold_control(false);
    const std::string zoomed = at.value("histogram:before:axis");
    EXPECT_EQ(at.value("histogram:after:axis"), zoomed) << "both have one axis";
    const int first = std::stoi(zoomed), last = std::stoi(zoomed.substr(zoomed.find("to") + 3));
    EXPECT_GE(first, 980);
    EXPECT_LE(last, 1020);
    EXPECT_LE(last - first, 20);
    at.driver.move_to("histogram:before", 0.5F);
    at.driver.frames(at.model, 2);
    const int middle = std::stoi(at.value("histogram:before"));
    EXPECT_GT(middle, first);
    EXPECT_LT(middle, last) << "each sample has a place of its own now";
    ASSERT_TRUE(at.driver.double_click(at.model, "histogram:before"));
    EXPECT_EQ(at.value("histogram:before:axis"), "");
}

TEST(DeepHistograms, TheAxisShowsTheWindow) {
    DeepPanel at;
    at.model.views.windows.set(false, {.range = SampleRange{95'000, 105'000}});
    ASSERT_TRUE(at.driver.click(at.model, "histogram:zoom"));
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:after:axis"), "945 to 1055");
    ASSERT_TRUE(at.driver.click(at.model, "histogram:zoom"));
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:after:axis"), "");
}

TEST(DeepHistograms, AreFirstSeenAroundTheWindow) {
    DeepPanel at;
    at.model.views.windows.set(false, {.range = SampleRange{95'000, 105'000}});
    ++at.model.views.before_subject.image;
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:before:axis"), "945 to 1055");
    at.model.views.windows.set(false, {.range = SampleRange{90'000, 110'000}});
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:before:axis"), "945 to 1055") << "it stays where it is";
    ++at.model.views.before_subject.image;
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:before:axis"), "890 to 1110");
    ASSERT_TRUE(at.driver.double_click(at.model, "histogram:before"));
    ++at.model.views.before_subject.image;
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:before:axis"), "") << "all was asked for";
}

TEST(DeepHistograms, WindowsAndThresholdsAreInSamples) {
    DeepPanel at;
    at.driver.run_command(at.model, "Window: from the least");
    ASSERT_NE(at.driver.last<SetWindows>(), nullptr);
    EXPECT_EQ(at.driver.last<SetWindows>()->windows.before.range, (SampleRange{100'000, 100'300}));
    at.driver.click(at.model, "Clipped pixels");
    at.driver.frames(at.model, 2);
    ASSERT_TRUE(at.view().clipping);
    EXPECT_EQ(*at.view().clipping, (ClipThresholds{0, 4095}));
}

TEST(Histograms, TheAreaIsChosenByClickAndKey) {
    Panel at;
    EXPECT_EQ(at.view().histogram_region, Rect());
    ASSERT_TRUE(at.driver.click(at.model, "Histogram of:visible"));
    EXPECT_EQ(at.view().histogram_region, at.view().visible);
    at.driver.move_to("view:after");
    at.driver.wheel(9);
    at.driver.frames(at.model, 3);
    EXPECT_EQ(at.view().histogram_region, at.view().visible) << "follows the view";
    EXPECT_LT(at.view().histogram_region.width, at.model.views.before.spec.width);
    at.driver.tap(at.model, ImGuiKey_Escape);  // from the panel to the views
    at.key('V');
    EXPECT_EQ(at.view().histogram_region, Rect());
    at.key('V');
    EXPECT_EQ(at.view().histogram_region, at.view().visible);
    at.driver.tap(at.model, ImGuiKey_Tab);
    EXPECT_EQ(at.view().histogram_region, Rect()) << "nothing is counted for panels that are hidden";
}

TEST(Histograms, AreOfTheRegionThatIsFiltered) {
    Panel at;
    at.model.run.part.region = {10, 20, 30, 40};
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.view().histogram_region, (Rect{10, 20, 30, 40}));
    at.key('V');
    EXPECT_EQ(at.view().histogram_region, at.view().visible);
}

TEST(Statistics, OfBothSides) {
    Panel at;
    DisplayHistogram before;
    before.luma[0] = 1;
    before.luma[10] = 2;
    before.luma[100] = 4;
    before.luma[255] = 1;
    at.model.histogram.before = before;
    at.model.histogram.after.reset();
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("statistics:before"), "gray, mean 84.4, deviation 77.7, entropy 1.75, minimum 0, maximum 255");
    EXPECT_EQ(at.value("statistics:after"), "") << "not known yet";
}

TEST(Statistics, AreOfTheChannelThatIsShownAlone) {
    Panel at;
    EXPECT_TRUE(at.value("statistics:before").starts_with("luma"));
    at.driver.hold_control(true);
    ASSERT_TRUE(at.driver.click(at.model, "histogram:R"));
    at.driver.hold_control(false);
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:R"), "on");
    EXPECT_EQ(at.value("histogram:L"), "");
    EXPECT_TRUE(at.value("statistics:before").starts_with("red"));
    at.driver.click(at.model, "histogram:B");
    at.driver.frames(at.model, 2);
    EXPECT_TRUE(at.value("statistics:before").starts_with("luma"));
}

TEST(Selection, IsDrawnAndTakenBack) {
    Panel at;
    const double center = at.view().center_x;
    at.key('S');
    at.drag("view:before", {0.4F, 0.4F}, {0.6F, 0.7F});
    const Rect selected = at.view().histogram_region;
    EXPECT_GT(selected.width, 0);
    EXPECT_EQ(at.view().center_x, center) << "the image stays";
    EXPECT_EQ(at.value("selection"), std::to_string(selected.width) + " x " + std::to_string(selected.height));
    const Widget pane = *at.driver.find("view:before");
    EXPECT_NEAR(selected.width, pane.width * 0.2 / at.view().zoom, 2);
    EXPECT_NEAR(selected.height, pane.height * 0.3 / at.view().zoom, 2);
    at.drag("view:after", {0.5F, 0.5F}, {0.45F, 0.5F});
    EXPECT_EQ(at.view().histogram_region, selected) << "the next drag moves the image";
    EXPECT_NE(at.view().center_x, center);
    at.driver.tap(at.model, ImGuiKey_Escape);
    at.driver.frame(at.model);
    EXPECT_EQ(at.view().histogram_region, Rect());
    EXPECT_FALSE(at.shows("selection"));
}

TEST(Selection, ShiftDragsAndAClickAwayClears) {
    Panel at;
    at.driver.hold_shift(true);
    at.drag("view:after", {0.6F, 0.7F}, {0.4F, 0.4F});
    at.driver.hold_shift(false);
    const Rect selected = at.view().histogram_region;
    EXPECT_GT(selected.width, 0) << "from the bottom right";
    at.driver.move_to("view:after", 0.5F, 0.5F);
    at.driver.frame(at.model);
    at.driver.click(at.model, "view:after");
    EXPECT_EQ(at.view().histogram_region, selected) << "a click inside";
    at.drag("view:after", {0.2F, 0.2F}, {0.2F, 0.2F});
    EXPECT_EQ(at.view().histogram_region, Rect()) << "a click away";
}

TEST(Selection, StaysInsideTheImage) {
    Panel at;
    at.key('S');
    at.drag("view:before", {0.001F, 0.001F}, {0.999F, 0.999F});
    const Rect selected = at.view().histogram_region;
    EXPECT_EQ(selected, (Rect{0, 0, at.model.views.before.spec.width, at.model.views.before.spec.height}));
    at.model.views.before = at.model.views.after = no_upload({nullptr, 0, {400, 300, PixelFormat::rgba8, false}});
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.view().histogram_region, Rect()) << "another image";
}

TEST(Selection, ThePanelArmsItAndTakesItBack) {
    Panel at;
    ASSERT_TRUE(at.driver.click(at.model, "Histogram of:selected"));
    EXPECT_EQ(at.view().histogram_region, Rect());
    at.drag("view:before", {0.4F, 0.4F}, {0.6F, 0.7F});
    EXPECT_GT(at.view().histogram_region.width, 0);
    ASSERT_TRUE(at.driver.click(at.model, "Histogram of:image"));
    EXPECT_EQ(at.view().histogram_region, Rect());
}

/// The clipping that a frame asks the renderer to draw.
std::vector<ClippingView> drawn_clipping(Panel& at) {
    std::vector<ClippingView> drawn;
    at.model.views.draw_clipping = [&](const ClippingView& view) { drawn.push_back(view); };
    at.driver.frame(at.model);
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int n = 0; n < data.CmdListsCount; ++n)
        for (const ImDrawCmd& command : data.CmdLists[n]->CmdBuffer)
            if (command.UserCallback != nullptr && command.UserCallback != ImDrawCallback_ResetRenderState)
                command.UserCallback(data.CmdLists[n], &command);
    return drawn;
}

TEST(Stripes, CoverBothSidesWhileTheyAreOn) {
    ClippedPixelsPanel at;
    EXPECT_TRUE(drawn_clipping(at).empty());
    at.key('C');
    const std::vector<ClippingView> drawn = drawn_clipping(at);
    ASSERT_EQ(drawn.size(), 2U);
    const Widget& before = *at.driver.find("view:before");
    EXPECT_EQ(drawn[0].place.left, before.x);
    EXPECT_EQ(drawn[0].place.bottom, before.y + before.height);
    EXPECT_EQ(drawn[0].channels, 7);
    EXPECT_TRUE(drawn[1].before.empty());
    EXPECT_EQ(drawn[0].picture.step, 1);
    EXPECT_GT(drawn[0].stripe, 0);
    at.driver.click(at.model, "Stripes:off");
    EXPECT_TRUE(drawn_clipping(at).empty());
}

TEST(Stripes, OverNewlyClippedPixelsOfTheResult) {
    ClippedPixelsPanel at;
    ASSERT_TRUE(at.driver.click(at.model, "Stripes:new"));
    const std::vector<ClippingView> drawn = drawn_clipping(at);
    ASSERT_EQ(drawn.size(), 1U) << "before has none";
    EXPECT_EQ(drawn[0].place.left, at.driver.find("view:after")->x);
    EXPECT_EQ(drawn[0].before.serial, at.model.views.before.serial);
    ASSERT_TRUE(at.driver.click(at.model, "Stripes:all"));
    EXPECT_EQ(drawn_clipping(at).size(), 2U);
}

TEST(Stripes, OfTheChannelThatIsShownAloneAndByTheThresholds) {
    ClippedPixelsPanel at;
    at.key('C');
    at.driver.hold_control(true);
    ASSERT_TRUE(at.driver.click(at.model, "histogram:G"));
    ASSERT_TRUE(at.driver.click(at.model, "Low end"));
    at.driver.hold_control(false);
    at.driver.frame(at.model);
    at.driver.type("12");
    at.driver.frame(at.model);
    at.driver.tap(at.model, ImGuiKey_Enter);
    at.driver.frames(at.model, 2);
    const std::vector<ClippingView> drawn = drawn_clipping(at);
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_EQ(drawn[0].channels, 2);
    EXPECT_EQ(drawn[0].thresholds, (ClipThresholds{12, 255}));
    EXPECT_EQ(at.view().clipping, (ClipThresholds{12, 255})) << "what is counted";
    EXPECT_EQ(at.driver.interface().settings().histogram.clip, (ClipThresholds{12, 255})) << "what is kept";
}

/// A quarter of 400 pixels at each end, in different channels.
Clipping clipping_by_hand() {
    Clipping clipping;
    clipping.before = {true, 400, {{4, 0, 0}, 4, 0}, {{0, 0, 0}, 0, 0}};
    clipping.after = {true, 400, {{40, 60, 0}, 100, 96}, {{0, 0, 100}, 100, 100}};
    return clipping;
}

TEST(ClippedPixels, OfEachChannelAndOfAny) {
    ClippedPixelsPanel at;
    at.model.histogram.clipping = clipping_by_hand();
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("clipped:before:low"), "any 1.00, R 1.00, G 0.00, B 0.00");
    EXPECT_EQ(at.value("clipped:before:high"), "any 0.00, R 0.00, G 0.00, B 0.00");
    EXPECT_EQ(at.value("clipped:after:low"), "any 25.0, new 24.0, R 10.0, G 15.0, B 0.00");
    EXPECT_EQ(at.value("clipped:after:high"), "any 25.0, new 25.0, R 0.00, G 0.00, B 25.0");
    at.model.histogram.clipping->after.reset();
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("clipped:after:low"), "") << "not known yet";
}

TEST(ClippedPixels, AreNotCountedWhereTheirPanelIsClosed) {
    EXPECT_FALSE(std::make_unique<Panel>()->view().clipping) << "at first";
    ClippedPixelsPanel at;
    EXPECT_EQ(at.view().clipping, ClipThresholds{});
    ASSERT_TRUE(at.driver.click(at.model, "Clipped pixels"));
    EXPECT_FALSE(at.view().clipping);
    ASSERT_TRUE(at.driver.click(at.model, "Clipped pixels"));
    at.driver.tap(at.model, ImGuiKey_Escape);  // from the panel to the views
    at.driver.tap(at.model, ImGuiKey_Tab);
    at.driver.frame(at.model);
    EXPECT_FALSE(at.view().clipping) << "nothing is counted for panels that are hidden";
}

TEST(ClippedPixels, AreMarkedAtTheEndsOfTheHistograms) {
    ClippedPixelsPanel at;
    DisplayHistogram after;
    after.has_color = true;
    after.rgb[0][0] = after.rgb[2][0] = after.rgb[1][255] = after.luma[90] = 3;
    at.model.histogram.after = after;
    at.driver.frames(at.model, 2);
    EXPECT_EQ(at.value("histogram:after:low"), "RB");
    EXPECT_EQ(at.value("histogram:after:high"), "G");
}

TEST(Stripes, OfAPreviewInItsPlace) {
    ClippedPixelsPanel at;
    at.key('C');
    at.model.views.preview = no_upload({nullptr, 0, {100, 50, PixelFormat::rgba8, false}});
    at.model.views.preview_region = {200, 100, 400, 200};
    const std::vector<ClippingView> drawn = drawn_clipping(at);
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_EQ(drawn[0].picture.left, 0) << "before has none";
    EXPECT_EQ(drawn[1].picture.left, 200);
    EXPECT_EQ(drawn[1].picture.top, 100);
    EXPECT_EQ(drawn[1].picture.step, 4);
}

TEST(Stripes, PartAtTheWipesLine) {
    ClippedPixelsPanel at;
    at.key('C');
    at.driver.tap(at.model, key_of('3'));
    at.driver.frame(at.model);
    const std::vector<ClippingView> drawn = drawn_clipping(at);
    ASSERT_EQ(drawn.size(), 2U);
    const Widget& line = *at.driver.find("wipe:line");
    const double x = line.x + line.width / 2;
    const auto covers = [](const ClippingView& view, double at_x) {
        return at_x * view.cut_x + 300 * view.cut_y <= view.cut;
    };
    EXPECT_TRUE(covers(drawn[0], x - 5));
    EXPECT_FALSE(covers(drawn[0], x + 5));
    EXPECT_FALSE(covers(drawn[1], x - 5));
    EXPECT_TRUE(covers(drawn[1], x + 5));
}

}  // namespace
}  // namespace tonescope::ui
