#include "tests/ui/scenes/compare_scenes.h"

#include <algorithm>

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

constexpr double kSequential = 0.0002, kCpuThreads = 16, kGpuThreads = 270336;

BenchmarkTime timed(double ms) {
    return {{ms, ms * 0.97, ms * 1.06}, {}};
}

/// Fills in the speed-ups of one kind of time.
void compare(std::vector<BenchmarkRow>& variants, BenchmarkTime BenchmarkRow::*kind) {
    const BenchmarkRow *previous = nullptr, *first_gpu = nullptr;
    const auto reference =
        std::ranges::find_if(variants, [](const BenchmarkRow& own) { return own.variant->reference; });
    double best_ms = 0;
    for (BenchmarkRow& own : variants) {
        if (own.state != State::done) continue;
        const double ms = (own.*kind).time.median_ms;
        SpeedUps& speed_up = (own.*kind).speed_up;
        if (own.variant->backend == BackendKind::cuda && first_gpu == nullptr) first_gpu = &own;
        const bool same_ladder = previous != nullptr && previous->variant->backend == own.variant->backend;
        if (same_ladder) {
            speed_up.previous = (previous->*kind).time.median_ms / ms;
            speed_up.best_previous = best_ms / ms;
        }
        if (first_gpu != nullptr) speed_up.first_gpu = (first_gpu->*kind).time.median_ms / ms;
        speed_up.reference = ((*reference).*kind).time.median_ms / ms;
        best_ms = same_ladder ? std::min(best_ms, ms) : ms;
        previous = &own;
    }
}

void choose_chart(Driver& driver, const Model& model, const char* chart) {
    driver.frames(model, 3);
    if (!driver.click(model, chart)) {  // a narrow window has a list in place of the buttons
        driver.click(model, "chart");
        driver.frames(model, 3);
        driver.click(model, chart);
    }
    driver.move_to(-1, -1);
    driver.frames(model, 3);
}

}  // namespace

BenchmarkModel made_up_benchmark(std::string_view op, bool with_gpu) {
    BenchmarkModel benchmark;
    benchmark.shown = true;
    benchmark.op = find_operator(op);
    benchmark.size = {6000, 4000, PixelFormat::rgba8, false};
    benchmark.subject = "hills.png, 6000 \xc3\x97 4000";
    benchmark.suggested_path = "/home/ada/Pictures/hills-" + std::string(op) + "-comparison.csv";
    double cpu_ms = 84, gpu_ms = 1.9;
    int step = 0;
    for (const VariantInfo* variant : variants_of(op)) {
        BenchmarkRow& own = benchmark.variants.emplace_back();
        own.variant = variant;
        const bool on_gpu = variant->backend == BackendKind::cuda;
        if (on_gpu && !with_gpu) {
            own.available = false;
            own.fail("no NVIDIA driver is installed (CUDA 13.0 is needed)");
            continue;
        }
        double& ms = on_gpu ? gpu_ms : cpu_ms;
        own.compute = timed(ms);
        own.total = timed(on_gpu ? ms + 2.3 : ms);
        own.state = State::done;
        own.runs = 300;
        own.differences = variant->wrong_by_design ? 1012 : 0;
        if (on_gpu) own.memory = variant->memory.value_or(MemoryMode::pinned);
        own.amdahl = amdahl_bound(kSequential, on_gpu ? kGpuThreads : kCpuThreads);
        own.stages = {{"histogram", timed(ms * 0.6).time, 0},
                      {"table", timed(0.006).time, 0},
                      {"apply", timed(ms * 0.4).time, 0}};
        ms *= on_gpu ? (++step == 3 ? 1.6 : 0.72) : 0.12;
    }
    compare(benchmark.variants, &BenchmarkRow::compute);
    compare(benchmark.variants, &BenchmarkRow::total);
    for (const BenchmarkRow& own : benchmark.variants) benchmark.count += own.available ? 1 : 0;
    benchmark.done = benchmark.count;
    benchmark.amdahl =
        "Amdahl's bound: 0.0200 % of the reference's time is sequential (table), so at most 16.0x on CPU, 16 threads, "
        "4908x on NVIDIA H200 (270336 threads at a time), 5000x on any machine";
    return benchmark;
}

void add_benchmark_scenes(std::vector<Scene>& scenes, const Model& base) {
    const auto add = [&](std::string name, BenchmarkModel benchmark, std::vector<std::string> labels, const char* chart,
                         bool with_gpu) {
        Model model = base;
        model.run.op = benchmark.op;
        model.run.cuda_available = with_gpu;
        model.run.backend = with_gpu ? BackendKind::cuda : BackendKind::cpu;
        model.run.variant = preferred_variant(model.run.op->id, model.run.backend);
        model.run.params = default_values(model.run.op->params);
        model.run.variant_params = default_values(model.run.variant->params);
        if (with_gpu) model.run.device_name = "NVIDIA H200";
        model.benchmark = std::move(benchmark);
        std::function<void(Driver&, const Model&)> act;
        if (chart != nullptr) act = [chart](Driver& driver, const Model& shown) { choose_chart(driver, shown, chart); };
        for (const char* label : {"button:Run again", "button:Stop", "button:Export...", "Close comparison"})
            labels.emplace_back(label);
        scenes.push_back({std::move(name), std::move(model), std::move(labels), std::move(act)});
    };
    for (const char* op : {"he", "clahe"})
        add(std::string("comparison ") + op, made_up_benchmark(op, true), {"row:cpu", "comparison amdahl"}, nullptr,
            true);
    add("comparison previous", made_up_benchmark("he", true), {"bar:cpu"}, "chart:\u00d7 previous", true);
    add("comparison cpu", made_up_benchmark("he", true), {"bar:cpu"}, "chart:\u00d7 reference", true);
    add("comparison without gpu", made_up_benchmark("he", false), {"row:cpu"}, nullptr, false);
    {
        BenchmarkModel benchmark = made_up_benchmark("clahe", true);
        for (size_t k = 4; k < benchmark.variants.size(); ++k) {
            const VariantInfo* variant = benchmark.variants[k].variant;
            benchmark.variants[k] = {};
            benchmark.variants[k].variant = variant;
            benchmark.variants[k].state = State::waiting;
        }
        benchmark.variants[3].fail("32 teams need 33 kB of shared memory a block, this GPU has 32 kB");
        benchmark.variants[4].state = State::running;
        benchmark.running = true;
        benchmark.done = 4;
        benchmark.progress = 0.43;
        add("comparing", std::move(benchmark), {"comparison progress", "row:cpu"}, nullptr, true);
    }
    {
        BenchmarkModel benchmark = made_up_benchmark("histogram", true);
        benchmark.stale =
            "These results are of lighthouse.jpg: another image is open. Run again to compare on this one.";
        add("comparison stale", std::move(benchmark), {"comparison stale"}, "chart:Time", true);
    }
    {
        BenchmarkModel benchmark = made_up_benchmark("he", true);
        add("export", std::move(benchmark), {"File name", "button:Save", "button:Cancel"}, nullptr, true);
        scenes.back().act = [](Driver& driver, const Model& model) {
            driver.frames(model, 2);
            driver.click(model, "button:Export...");
            driver.frames(model, 3);
        };
    }
    {
        add("comparison explained", made_up_benchmark("he", true), {"row:cpu"}, nullptr, true);
        scenes.back().act = [](Driver& driver, const Model& model) {
            driver.frames(model, 2);
            driver.move_to("row:shared", 0.2F);
            driver.frames(model, 30);
        };
    }
}

}  // namespace tonescope::ui
