#include "tests/ui/scenes/sweep_scenes.h"

#include <algorithm>

#include "gpu/core/benchmark/contents.h"
#include "gpu/core/text.h"
#include "tests/ui/scenes/compare_scenes.h"

namespace tonescope::ui {
namespace {

/// What is known before anything has been measured.
ExperimentModel empty_experiment() {
    ExperimentModel model;
    for (const ReportInfo* report : reports())
        for (const ReportExperiment& named : report->experiments)
            model.entries.push_back({std::string(report->id) + "-" + std::string(named.id),
                                     "Report " + std::string(report->id) + ": " + std::string(named.title),
                                     std::string(named.shows)});
    model.params = {{"tile_size", "Tile size", "all variants", "16,32,64,128"},
                    {"teams", "Teams", "some variants", "1,4,16,64"}};
    model.contents = "noise,smooth,ramp";
    model.sizes = "reports";
    model.setup = {.along = ExperimentSetup::Along::param, .param = "teams", .values = "2,4,8,16,32,64"};
    return model;
}

void scale(BenchmarkTime& time, double factor) {
    time.time = {time.time.median_ms * factor, time.time.p10_ms * factor, time.time.p90_ms * factor};
    if (time.interval) time.interval = Interval{time.interval->low * factor, time.interval->high * factor};
}

/// Report C's sizes, all measured: the first `lines` variants of an operator.
ExperimentModel made_up_experiment(size_t lines) {
    ExperimentModel model = empty_experiment();
    const BenchmarkModel benchmark = made_up_benchmark("he", true);
    model.op = benchmark.op;
    model.title = "Report B: Versions over sizes";
    model.setup = {.experiment = "B-versions"};
    model.basis_title = benchmark.basis_title;
    model.suggested_path = "/home/ada/Pictures/hills-b-versions.csv";
    CaseAxis sizes{.id = "size", .title = "Size", .unit = "MPixel"};
    for (const NamedSize& size : sizes_of("reports", "size")) {
        const double megapixels = double(size.width) * size.height / 1e6;
        sizes.labels.push_back(tonescope::size_text(size.width, size.height));
        sizes.positions.push_back(megapixels);
        CaseRows& one = model.cases.emplace_back();
        one.place = {model.cases.size() - 1};
        one.size = {size.width, size.height, PixelFormat::gray8, false};
        for (const BenchmarkRow& row : std::span(benchmark.variants).first(lines)) {
            BenchmarkRow& own = one.rows.emplace_back(row);
            for (BenchmarkTime* time : {&own.total, &own.compute, &own.kernels}) scale(*time, 0.02 + megapixels / 24);
        }
        model.case_titles.push_back("smooth, " + sizes.labels.back());
    }
    model.axes = {std::move(sizes)};
    model.done = int(model.cases.size());
    model.progress = 1;
    model.claims = {{"Report B: Shared histogram against No optimization, kernels",
                     "shared memory is faster on small images", "faster", "2.10\u00d7 to 7.40\u00d7",
                     "holds in 6 of 7 cases; no difference measured in 1", ClaimEntry::Kind::in_part},
                    {"Report B: Pinned memory against Shared table, total", "pinned memory is faster on every image",
                     "faster", "1.40\u00d7 to 2.67\u00d7", "holds", ClaimEntry::Kind::holds},
                    {"Report E: With shared memory, block 16x16 against 8x8, kernels",
                     "blocks of 16 x 16 threads are faster than 8 x 8", "2.29\u00d7 as fast",
                     "1.05\u00d7 (1.05 to 1.05)", "holds in direction only", ClaimEntry::Kind::in_part},
                    {"Report B: Two streams against Constant table, total", "two streams are slower, for contention",
                     "slower", "1.10\u00d7 to 6.97\u00d7", "does not hold", ClaimEntry::Kind::does_not_hold}};
    return model;
}

}  // namespace

void add_sweep_scenes(std::vector<Scene>& scenes, const Model& base) {
    const auto add = [&](const char* name, ExperimentModel experiment, std::vector<std::string> labels) {
        Model model = base;
        model.benchmark = {};
        model.benchmark.shown = true;
        model.benchmark.page = "sweep";
        model.benchmark.suggested_path = experiment.suggested_path;
        model.benchmark.experiment = std::move(experiment);
        for (const char* label : {"Swept", "button:Stop", "button:Export...", "comparison status"})
            labels.emplace_back(label);
        scenes.push_back({name, std::move(model), std::move(labels), {}});
    };
    const auto with_chart = [&](const char* chart) {
        scenes.back().act = [chart](Driver& driver, const Model& model) { choose_chart(driver, model, chart); };
    };
    add("sweep empty", empty_experiment(), {"Swept parameter", "Swept values"});
    const size_t all = variants_of("he").size();
    {
        ExperimentModel experiment = made_up_experiment(all);
        for (size_t i = 3; i < experiment.cases.size(); ++i) experiment.cases[i].rows.clear();
        experiment.claims.clear();
        experiment.running = true;
        experiment.done = 3;
        experiment.progress = 0.46;
        add("sweep running", std::move(experiment), {"comparison progress", "sweep chart"});
    }
    add("sweep", made_up_experiment(9), {"sweep chart"});
    add("sweep of all variants", made_up_experiment(all), {"sweep chart"});
    add("sweep of one variant", made_up_experiment(1), {"sweep chart"});
    add("sweep explained", made_up_experiment(all), {"sweep chart"});
    scenes.back().act = [](Driver& driver, const Model& model) {
        driver.frames(model, 3);
        driver.move_to("point:shared:1024 \u00d7 683");
        driver.frames(model, 30);
    };
    add("sweep table", made_up_experiment(all), {});
    with_chart("chart:Table");
    add("sweep claims", made_up_experiment(9), {});
    with_chart("chart:The report said");
    {
        ExperimentModel experiment = made_up_experiment(9);
        for (size_t i = 2; i < experiment.cases.size(); ++i) experiment.cases[i].rows.clear();
        experiment.stopped = true;
        experiment.done = 2;
        experiment.setup = {.along = ExperimentSetup::Along::param, .param = "teams", .values = "2,4,five"};
        experiment.problem = "sweep: teams=five: expected 1|2|4|8|16|32|64";
        add("sweep stopped", std::move(experiment), {"sweep chart"});
    }
}

}  // namespace tonescope::ui
