#include "tests/ui/scenes/compare_scenes.h"

#include <algorithm>

#include "tests/traces.h"

namespace tonescope::ui {
namespace {

using State = BenchmarkRow::State;

constexpr double kSequential = 0.0002, kCpuThreads = 16, kGpuThreads = 270336;

BenchmarkTime timed(double ms) {
    return {{ms, ms * 0.97, ms * 1.06}, Interval{ms * 0.99, ms * 1.02}, {}};
}

Ratio times(double over_ms, double under_ms) {
    const double value = over_ms / under_ms;
    return {value, Interval{value * 0.97, value * 1.03}};
}

/// Fills in the speed-ups of one kind of time.
void compare(std::vector<BenchmarkRow>& variants, BenchmarkTime BenchmarkRow::*kind) {
    const auto find = [&](auto is_it) -> const BenchmarkRow* {
        const auto found = std::ranges::find_if(
            variants, [&](const BenchmarkRow& own) { return own.state == State::done && is_it(own); });
        return found == variants.end() ? nullptr : &*found;
    };
    const BenchmarkRow* first_gpu =
        find([](const BenchmarkRow& own) { return own.variant->backend == BackendKind::cuda; });
    const BenchmarkRow* reference = find([](const BenchmarkRow& own) { return own.variant->reference; });
    for (BenchmarkRow& own : variants) {
        if (own.state != State::done) continue;
        const BenchmarkRow* basis =
            find([&](const BenchmarkRow& other) { return other.variant->id == own.variant->builds_on; });
        const auto against = [&](const BenchmarkRow* other) -> std::optional<Ratio> {
            if (other == nullptr) return {};
            return times((other->*kind).time.median_ms, (own.*kind).time.median_ms);
        };
        (own.*kind).speed_up = {against(basis), against(first_gpu), against(reference)};
        if (basis == nullptr) continue;
        own.basis = basis->name();
        own.stages[0].basis = times(basis->stages[0].time.median_ms, own.stages[0].time.median_ms);
    }
}

}  // namespace

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

BenchmarkModel made_up_benchmark(std::string_view op, bool with_gpu) {
    BenchmarkModel benchmark;
    benchmark.shown = true;
    benchmark.op = find_operator(op);
    benchmark.size = {6000, 4000, PixelFormat::rgba8, false};
    benchmark.subject = "hills.png, 6000 \xc3\x97 4000";
    static const std::vector<SavedFormat> formats = {{"CSV", {"csv"}, "one line a variant, for a spreadsheet"},
                                                     {"PNG", {"png"}, "the bar charts"}};
    benchmark.export_formats = formats;
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
        own.kernels = timed(on_gpu ? ms * 0.8 : ms);
        own.host_ms = on_gpu ? ms * 0.2 : 0;
        own.copies_ms = on_gpu ? 2.3 : 0;
        own.compute = timed(ms);
        own.total = timed(on_gpu ? ms + 2.3 : ms);
        own.state = State::done;
        own.runs = 300;
        own.differences = variant->wrong_by_design ? 1012 : 0;
        if (on_gpu) own.memory = variant->memory.value_or(MemoryMode::pinned);
        own.amdahl = amdahl_bound(kSequential, on_gpu ? kGpuThreads : kCpuThreads);
        own.stages = {
            {"histogram", timed(ms * 0.6).time}, {"table", timed(0.006).time}, {"apply", timed(ms * 0.4).time}};
        ms *= on_gpu ? (++step == 3 ? 1.6 : 0.72) : 0.12;
    }
    compare(benchmark.variants, &BenchmarkRow::kernels);
    compare(benchmark.variants, &BenchmarkRow::compute);
    compare(benchmark.variants, &BenchmarkRow::total);
    for (const BenchmarkRow& own : benchmark.variants) benchmark.count += own.available ? 1 : 0;
    benchmark.done = benchmark.count;
    benchmark.basis_title = "what it builds on";
    benchmark.remarks =
        "Amdahl's bound: 0.0200 % of the reference's time is sequential (table), so at most 16.0x on CPU, 16 threads, "
        "4908x on NVIDIA H200 (270336 threads at a time), 5000x on any machine";
    return benchmark;
}

BenchmarkModel made_up_limits(std::string_view op, bool with_gpu) {
    BenchmarkModel benchmark = made_up_benchmark(op, with_gpu);
    benchmark.page = "limits";
    benchmark.cpu_roofs = {.memory_gb_s = 120, .operations_g_s = 1500};
    if (with_gpu)
        benchmark.cuda_roofs = {.memory_gb_s = 4000,
                                .cache_gb_s = 5500,
                                .cache_bytes = 60e6,
                                .bus_gb_s = 55,
                                .bus_requests_g_s = 0.7,
                                .pages_gb_s = 5,
                                .shared_gb_s = 31000,
                                .l1_gb_s = 30000,
                                .operations_g_s = 31000,
                                .shared_atomics_g_s = 8000,
                                .global_atomics_g_s = 5,
                                .word_atomics_g_s = 1.4,
                                .constant_g_s = 4000,
                                .blocks_g_s = 1.7,
                                .launch_ms = 0.0021};
    for (BenchmarkRow& own : benchmark.variants) {
        if (!own.ran()) continue;
        const bool on_cpu = own.variant->backend == BackendKind::cpu;
        own.work = own.variant->work(
            {benchmark.size, default_values(benchmark.op->params), default_values(own.variant->params)});
        LimitCase measured{.roofs = on_cpu ? benchmark.cpu_roofs : benchmark.cuda_roofs,
                           .place = own.memory == MemoryMode::mapped    ? ImagePlace::bus
                                    : own.memory == MemoryMode::managed ? ImagePlace::pages
                                                                        : ImagePlace::memory,
                           .host_ms = own.host_ms,
                           .lanes = on_cpu ? 16.0 : kGpuThreads};
        for (const StageWork& stage : own.work)
            measured.stages.push_back(
                {stage.stage, stage.amounts, own.kernels.time.median_ms / double(own.work.size()), on_cpu ? 0 : 1});
        own.limit = limit_of(measured);
        if (on_cpu) continue;
        for (const char* name : {"he_kernel", "he_other_kernel"}) {
            KernelResources& kernel = own.kernel_resources.emplace_back();
            kernel.stage = "histogram";
            kernel.kernel = name;
            kernel.occupancy_percent = 75;
            kernel.occupancy = {.max_warps = 64, .block_warps = 8, .limiters = {OccupancyLimiter::registers}};
            for (int warps = 1; warps <= 32; ++warps) kernel.occupancy.warps.push_back(48 / warps * warps);
        }
    }
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
        for (const char* label : {"button:Run", "button:Stop", "button:Export...", "Close comparison"})
            labels.emplace_back(label);
        scenes.push_back({std::move(name), std::move(model), std::move(labels), std::move(act)});
    };
    for (const char* op : {"he", "clahe"})
        add(std::string("comparison ") + op, made_up_benchmark(op, true), {"row:cpu", "comparison remarks"}, nullptr,
            true);
    add("comparison basis", made_up_benchmark("he", true), {"bar:cpu"}, "chart:\u00d7 builds on", true);
    add("comparison time", made_up_benchmark("he", true), {"bar:cpu"}, "chart:Time", true);
    add("comparison split", made_up_benchmark("he", true), {"bar:cpu"}, "chart:Time", true);
    scenes.back().act = [](Driver& driver, const Model& model) {
        choose_chart(driver, model, "chart:Time");
        choose_chart(driver, model, "Time of:Total");
    };
    {
        BenchmarkModel benchmark = made_up_benchmark("he", true);
        benchmark.by_memory_mode = true;
        benchmark.page = "memory-modes";
        benchmark.basis_title = "pageable";
        std::erase_if(benchmark.variants, [kept = 0](const BenchmarkRow& own) mutable {
            return own.variant->backend == BackendKind::cpu ? !own.variant->reference : ++kept > 5;
        });
        size_t mode = 0;
        for (BenchmarkRow& own : benchmark.variants) {
            own.is_memory_mode = true;
            if (own.variant->backend == BackendKind::cuda) own.memory = MemoryMode(mode++);
        }
        benchmark.done = benchmark.count = int(benchmark.variants.size());
        add("memory modes", std::move(benchmark), {"row:managed", "Page"}, nullptr, true);
    }
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
    for (const auto& [name, with_gpu] : {std::pair{"timeline", true}, {"timeline cpu", false}}) {
        BenchmarkModel benchmark = made_up_benchmark("he", with_gpu);
        benchmark.page = "timeline";
        const auto index = [&](std::string_view id) {
            const auto found =
                std::ranges::find(benchmark.variants, id, [](const BenchmarkRow& own) { return own.variant->id; });
            return int(found - benchmark.variants.begin());
        };
        benchmark.chosen = index(with_gpu ? "two-streams" : "parallel");
        BenchmarkRow& own = benchmark.variants[size_t(benchmark.chosen)];
        BenchmarkRow& basis = benchmark.variants[size_t(index(own.variant->builds_on))];
        own.trace = std::make_shared<const RunTrace>(with_gpu ? two_streams_trace() : cpu_trace());
        basis.trace = std::make_shared<const RunTrace>(with_gpu ? one_stream_trace() : cpu_trace());
        add(name, std::move(benchmark), {"timeline", "Runs", "button:Fit"}, nullptr, with_gpu);
    }
    add("limits", made_up_limits("he"), {"roofline", "Page"}, nullptr, true);
    add("limits without gpu", made_up_limits("clahe", false), {"roofline"}, nullptr, false);
    add("occupancy", made_up_limits("he"), {"Page"}, nullptr, true);
    scenes.back().act = [](Driver& driver, const Model& model) { choose_chart(driver, model, "Limits of:Occupancy"); };
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
