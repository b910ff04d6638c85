#include "tests/ui/scenes/timings_scenes.h"

#include <cmath>

namespace tonescope::ui {

void add_times(Model& model, BackendKind backend) {
    Timings& timings = model.timings;
    for (StageRow& row : timings.stages) {
        row.best_ms = row.median_ms * 0.94;
        for (int k = 0; k < 48; ++k)
            row.history_ms.push_back(
                static_cast<float>(row.median_ms * (1 + 0.05 * std::sin(k * 1.3) + (k % 17 == 5 ? 0.4 : 0))));
        row.history_ms.push_back(static_cast<float>(row.last_ms));
    }
    const bool on_gpu = backend == BackendKind::cuda;
    const double kernels_ms = timings.stages.back().median_ms;
    timings.copy_gb_s = on_gpu ? 4012.5 : 11.8;
    timings.frame = {{"UI thread", "Mean of the last frames", {0.21, 0.48, 0.06, 0, 1.32, 0.55, 9.8}},
                     {"Slowest", "Since the timings began", {0.90, 5.31, 0.12, 0, 1.71, 0.62, 8.1}}};
    if (!on_gpu) timings.frame.push_back({"CPU threads", "Median of the last runs", {0, 0, kernels_ms, 0, 0, 0, 0}});
    timings.frame.push_back({"GPU", "Medians of the last runs and frames",
                             on_gpu ? std::array<double, 7>{0, 0.405, 0.053, 0.023, 0, 0.21, 0}
                                    : std::array<double, 7>{0, 0, 0, 0, 0, 0.84, 0}});
    timings.subject = {{"Image", "hills.png, 1100 \u00d7 720"},
                       {"Operator", "CLAHE, Clip limit 4.00 \u00d7 mean bin"},
                       {"Variant", "Threads"},
                       {"Device", model.run.device_name}};
}

void add_timings_scenes(std::vector<Scene>& scenes, const Model& base) {
    const auto add = [&](const char* name, std::vector<std::string> labels,
                         std::function<void(Driver&, const Model&)> act) {
        scenes.push_back({name, base, std::move(labels), std::move(act)});
    };
    add("stage details", {"stage history", "stage:Throughput", "stage:Memory"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.click(model, "timing:apply");
        driver.move_to("stage history", 0.4F, 0.7F);
        driver.frames(model, 2);
    });
    add("frame parts", {"Frame times", "part:panels"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.click(model, "Frame times");
        driver.frames(model, 2);
    });
    add("timings paused", {"button:Resume", "button:Copy"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.click(model, "button:Pause");
        driver.frames(model, 2);
    });
    add("curve", {"curve:apply"}, [](Driver& driver, const Model& model) {
        driver.frames(model, 2);
        driver.move_to("curve:apply", 0.5F, 0.5F);
        driver.frames(model, 2);
    });
}

}  // namespace tonescope::ui
