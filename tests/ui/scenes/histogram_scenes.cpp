#include "tests/ui/scenes/histogram_scenes.h"

namespace tonescope::ui {
namespace {

/// Of what the luma counts say, unevenly over the four words of each value.
FineHistogram refine(const DisplayHistogram& histogram) {
    FineHistogram fine{};
    for (size_t v = 0; v < 256; ++v) {
        const uint32_t count = histogram.luma[v];
        for (size_t k = 0; k < 4; ++k) fine[4 * v + k] = count * static_cast<uint32_t>(1 + k) / 10;
    }
    return fine;
}

void drag_rectangle(Driver& driver, const Model& model) {
    driver.frames(model, 2);
    driver.tap(model, ImGuiKey_S);
    driver.move_to("view:before", 0.3F, 0.35F);
    driver.frame(model);
    driver.press(0, true);
    driver.frame(model);
    driver.move_to("view:before", 0.6F, 0.7F);
    driver.frame(model);
    driver.press(0, false);
    driver.frames(model, 3);
}

}  // namespace

void add_histogram_scenes(std::vector<Scene>& scenes, const Model& base) {
    const auto add = [&](const char* name, const Model& model, std::vector<std::string> labels,
                         std::function<void(Driver&, const Model&)> act) {
        scenes.push_back({name, model, std::move(labels), std::move(act)});
    };
    const auto click = [](std::vector<std::string> clicked, const char* hovered) {
        return [=](Driver& driver, const Model& model) {
            driver.frames(model, 2);
            for (const std::string& label : clicked) driver.click(model, label);
            driver.move_to(hovered, 0.55F, 0.6F);
            driver.frames(model, 30);
        };
    };
    const std::vector<std::string> both = {"histogram:both", "statistics:before", "statistics:after"};
    add("histograms overlaid", base, both, click({"histogram:overlaid"}, "histogram:both"));
    add("cumulative histograms", base, both, click({"histogram:overlaid", "histogram:cumulative"}, "histogram:both"));
    Model fine = base;
    fine.histogram.fine_before = refine(*base.histogram.before);
    fine.histogram.fine_after = refine(*base.histogram.after);
    add("fine histograms", fine, {"histogram:before", "histogram:after"}, click({"histogram:fine"}, "histogram:after"));
    add("histograms of what is visible", base, {"histogram:before"},
        click({"Histogram of:visible"}, "statistics:after"));
    add("selection", base, {"selection", "Histogram of:selected"}, drag_rectangle);
    add("selecting", base, {"Histogram of:selected"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.tap(model, ImGuiKey_S);
        driver.move_to("view:after", 0.4F, 0.4F);
        driver.frames(model, 3);
    });
    add("stripes", base, {"stripes:colors"}, click({"Clipped pixels", "Stripes:all"}, "view:before"));
    add("new stripes", base, {"stripes:colors"}, click({"Clipped pixels", "Stripes:new"}, "clipped:after:high"));
}

}  // namespace tonescope::ui
