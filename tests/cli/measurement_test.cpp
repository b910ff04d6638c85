// How the variant benchmark measures, with backends that take as long as they are told, by a clock of their own.
#include "app/benchmark/measurement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "gpu/core/error.h"

namespace tonescope {
namespace {

constexpr ImageSpec kSize{32, 3, PixelFormat::gray8, false};

/// What both backends share.
struct Machine {
    double now_ms = 0;
    std::string log;                    // ids of the variants in the order in which they ran; traced ones in brackets
    std::map<std::string, double> ms;   // of a variant's run; 1 where it is not listed
    std::map<std::string, double> mhz;  // behind a variant's run; 1000 where it is not listed
    std::string last;                   // the variant that ran last
    int rests = 0;
    double clock_ms = 0;  // what a look at the clock takes
    Roofs roofs = {};
    std::map<std::string, const uint8_t*> inputs;          // of a variant's last run
    std::map<MemoryMode, const uint8_t*> images_of_modes;  // made by the GPU
    std::function<void(const std::string& id)> on_run = [](const std::string&) {};
    std::function<void(RunResult&)> change = [](RunResult&) {};

    double ms_of(const std::string& id) const { return ms.contains(id) ? ms.at(id) : 1; }
};

class FakeBackend final : public Backend {
  public:
    FakeBackend(BackendKind kind, Machine& machine) : kind_(kind), machine_(machine) {}
    BackendKind kind() const override { return kind_; }
    std::string device_name() const override { return "fake"; }
    int64_t lanes() const override { return 2; }
    ClockRate clock() override {
        machine_.now_ms += machine_.clock_ms;
        return {machine_.mhz.contains(machine_.last) ? machine_.mhz[machine_.last] : 1000, 1000};
    }
    Roofs roofs(std::stop_token) override { return machine_.roofs; }
    HostImage make_image(const ImageSpec& spec, MemoryMode mode) override {
        if (kind_ == BackendKind::cpu || mode == MemoryMode::pageable) return {};
        HostImage image(spec);
        EXPECT_TRUE(machine_.images_of_modes.emplace(mode, image.data()).second) << "one for each mode";
        return image;
    }
    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop, RunKind kind) override {
        const std::string id(spec.variant->id);
        const bool is_traced = kind == RunKind::traced, is_resident = kind == RunKind::resident;
        machine_.log += is_traced ? "[" + id + "] " : is_resident ? "<" + id + "> " : id + " ";
        machine_.last = id;
        machine_.inputs[id] = input.data;
        machine_.on_run(id);
        if (stop.stop_requested()) throw Canceled{};
        const double ms = machine_.ms_of(id) * (is_resident ? 0.25 : 1);
        machine_.now_ms += ms;
        RunResult result{.image = HostImage(input.spec)};
        std::fill_n(result.image.data(), result.image.size_bytes(), uint8_t{7});
        result.stages = {{"upload", ms * 0.3}, {"apply", ms * 0.7}};
        if (is_traced || is_resident)
            result.trace = {{{.row = 1, .kind = TraceSpan::Kind::copy, .begin_ms = 0, .end_ms = ms * 0.3},
                             {.row = 1, .kind = TraceSpan::Kind::kernel, .begin_ms = ms * 0.5, .end_ms = ms}},
                            ms * 2};
        machine_.change(result);
        return result;
    }

  private:
    BackendKind kind_;
    Machine& machine_;
};

class Measurement : public testing::Test {
  protected:
    /// The reference of histogram equalization, and variants on the GPU.
    VariantBenchmark measure(const std::vector<std::string>& variants, std::stop_token stop = {},
                             const BenchmarkWatch& watch = {}) {
        HostImage image(kSize);
        std::fill_n(image.data(), image.size_bytes(), uint8_t{9});
        BenchmarkJob job{.input = "image.png", .image = std::make_shared<const HostImage>(std::move(image))};
        std::vector<RunSpec> all;
        for (const VariantInfo* variant : variants_of("he")) all.push_back(default_run(*find_operator("he"), variant));
        job.runs = all;
        std::erase_if(job.runs, [&](const RunSpec& run) {
            return !run.variant->reference && std::ranges::find(variants, run.variant->id) == variants.end();
        });
        if (variants.empty()) {
            job.runs = runs_by_memory_mode(all, nullptr);
            job.by_memory_mode = true;
        }
        limits_.now_ms = [this] { return machine_.now_ms; };
        limits_.rest = [this](std::stop_token) { ++machine_.rests; };
        BenchmarkMeasurement measurement(job, std::make_unique<FakeBackend>(BackendKind::cpu, machine_),
                                         std::make_unique<FakeBackend>(BackendKind::cuda, machine_), limits_);
        VariantBenchmark benchmark = unmeasured(job);
        measurement.describe(benchmark);
        try {
            measurement.measure(benchmark, stop, watch);
        } catch (const Canceled&) {
            was_canceled_ = true;
        }
        return benchmark;
    }
    static const BenchmarkRow& row(const VariantBenchmark& benchmark, std::string_view id) {
        return *std::ranges::find(benchmark.rows, id, [](const BenchmarkRow& row) { return row.id(); });
    }

    Machine machine_;
    BenchmarkLimits limits_;
    bool was_canceled_ = false;
};

TEST_F(Measurement, TheImageStandsInTheMemoryOfEachMode) {
    limits_.max_runs = 2;
    measure({"shared", "pinned", "mapped", "simple"});
    EXPECT_EQ(machine_.inputs["shared"], machine_.inputs["cpu"]) << "pageable memory is where images are anyway";
    EXPECT_EQ(machine_.inputs["pinned"], machine_.images_of_modes.at(MemoryMode::pinned));
    EXPECT_EQ(machine_.inputs["simple"], machine_.images_of_modes.at(MemoryMode::pinned));
    EXPECT_EQ(machine_.inputs["mapped"], machine_.images_of_modes.at(MemoryMode::mapped));
}

/// One run tells what kernels take with all pages on the device; it counts for nothing else.
TEST_F(Measurement, PagesThatMoveAreSeenInTheTrace) {
    limits_.max_runs = 3;
    machine_.ms["managed"] = 8;
    const VariantBenchmark benchmark = measure({"pinned", "managed"});
    EXPECT_EQ(machine_.log.find("<pinned>"), std::string::npos);
    EXPECT_NE(machine_.log.find("<managed>"), std::string::npos);
    EXPECT_EQ(machine_.log.find("<managed>"), machine_.log.rfind("<managed>"));
    const BenchmarkRow& managed = row(benchmark, "managed");
    EXPECT_EQ(managed.runs, 3);
    EXPECT_DOUBLE_EQ(managed.kernels.time.median_ms, 4);
    EXPECT_DOUBLE_EQ(parts_of(*managed.trace).migration_ms, 3) << "4 ms in place of 1";
    EXPECT_EQ(parts_of(*row(benchmark, "pinned").trace).migration_ms, 0);
}

TEST_F(Measurement, RoundsGoOverAllVariants) {
    limits_.max_runs = 3;
    const VariantBenchmark benchmark = measure({"shared", "grid-stride"});
    const std::string round = "[cpu] shared [shared] grid-stride [grid-stride] ";
    EXPECT_EQ(machine_.log, "[cpu] [cpu] shared shared [shared] grid-stride grid-stride [grid-stride] " + round + round)
        << "each warms up first";
    for (const BenchmarkRow& measured : benchmark.rows) EXPECT_EQ(measured.runs, 3);
    EXPECT_EQ(row(benchmark, "grid-stride").basis, "Shared memory");
}

TEST_F(Measurement, SlowVariantsGetFewerRounds) {
    machine_.ms = {{"shared", 400}, {"grid-stride", 4500}, {"cpu", 900}};
    limits_.max_runs = 20;
    const VariantBenchmark benchmark = measure({"no-optimization", "shared", "grid-stride"});
    EXPECT_EQ(row(benchmark, "no-optimization").runs, 20);
    EXPECT_EQ(row(benchmark, "shared").runs, 5) << "plain and traced, which pass the budget after two rounds";
    EXPECT_EQ(row(benchmark, "cpu").runs, 5);
    EXPECT_EQ(row(benchmark, "grid-stride").runs, 1) << "the first run counts where it takes too long";
    machine_.ms["cpu"] = 5000;
    EXPECT_EQ(row(measure({}), "cpu").runs, 1);
}

/// What goes with runs costs no runs, until it takes several times as long as they may.
TEST_F(Measurement, OnlyRunsCountForTheLimit) {
    machine_.ms = {{"shared", 100}};
    machine_.clock_ms = 500;
    limits_.budget_ms = 150;
    limits_.limit_ms = 1000;
    EXPECT_EQ(row(measure({"shared"}), "shared").runs, 5);
    machine_.clock_ms = 1500;
    EXPECT_EQ(row(measure({"shared"}), "shared").runs, 4) << "the round that warms up does not count";
}

TEST_F(Measurement, ATraceNearTheMedianStays) {
    limits_.max_runs = 7;
    int runs = 0;
    machine_.on_run = [&](const std::string& id) {
        constexpr double ms[] = {50, 3, 9, 4, 5, 1, 6};
        if (id == "shared") machine_.ms["shared"] = ms[std::clamp((runs++ - 1) / 2, 0, 6)];
    };
    const VariantBenchmark benchmark = measure({"shared"});
    ASSERT_NE(row(benchmark, "shared").trace, nullptr);
    EXPECT_DOUBLE_EQ(row(benchmark, "shared").trace->end_ms, 2 * 5) << "a traced run takes twice as long here";
    ASSERT_NE(row(benchmark, "cpu").trace, nullptr);
}

TEST_F(Measurement, ATimeIsSplitIntoItsParts) {
    machine_.ms = {{"shared", 10}};
    limits_.max_runs = 6;
    const VariantBenchmark benchmark = measure({"shared"});
    const BenchmarkRow& shared = row(benchmark, "shared");
    EXPECT_DOUBLE_EQ(shared.total.time.median_ms, 10) << "of runs that are not traced";
    EXPECT_DOUBLE_EQ(shared.compute.time.median_ms, 7);
    EXPECT_DOUBLE_EQ(shared.kernels.time.median_ms, 5);
    EXPECT_DOUBLE_EQ(shared.copies_ms, 3);
    EXPECT_DOUBLE_EQ(shared.host_ms, 2);
    EXPECT_EQ(shared.total.interval, (Interval{10, 10}));
    const BenchmarkRow& reference = row(benchmark, "cpu");
    EXPECT_DOUBLE_EQ(reference.kernels.time.median_ms, reference.compute.time.median_ms);
}

TEST_F(Measurement, StepsAreComparedWithWhatTheyBuildOn) {
    machine_.ms = {{"shared", 8}, {"grid-stride", 4}, {"shared-table", 4}};
    limits_.max_runs = 8;
    VariantBenchmark benchmark = measure({"no-optimization", "shared", "grid-stride"});
    const BenchmarkRow& step = row(benchmark, "grid-stride");
    EXPECT_EQ(step.total.speed_up.basis, (Ratio{2, Interval{2, 2}}));
    ASSERT_NE(step.changed_stage(), nullptr);
    EXPECT_EQ(step.changed_stage()->stage, "apply") << "copies are no step";
    EXPECT_EQ(step.step_text(number_text), "kernels 2.00\u00d7, total 2.00\u00d7; 2.00\u00d7 on apply");
    EXPECT_EQ(row(benchmark, "no-optimization").total.speed_up.basis, std::nullopt);
    machine_.ms["grid-stride"] = 8;
    benchmark = measure({"shared", "grid-stride"});
    const BenchmarkRow& same = row(benchmark, "grid-stride");
    EXPECT_EQ(same.changed_stage(), nullptr);
    EXPECT_EQ(same.step_text(number_text),
              "kernels 1.00\u00d7, no difference measured, total 1.00\u00d7, no difference measured");
}

TEST_F(Measurement, RunsAtALowClockAreMadeAgain) {
    limits_.max_runs = 10;
    int runs = 0;
    machine_.on_run = [&](const std::string& id) {
        machine_.mhz.clear();
        if (id == "shared" && (++runs == 8 || runs == 9)) machine_.mhz["shared"] = 800;
        machine_.ms["shared"] = runs == 8 || runs == 9 ? 100 : 1;
    };
    const VariantBenchmark benchmark = measure({"shared"});
    EXPECT_EQ(machine_.rests, 1);
    const BenchmarkRow& shared = row(benchmark, "shared");
    EXPECT_EQ(shared.runs, 10);
    EXPECT_DOUBLE_EQ(shared.total.time.p90_ms, 1) << "the slow run is not among them";
    EXPECT_EQ(shared.low_clock_percent, 0);
    EXPECT_EQ(clock_text(benchmark), "");
}

TEST_F(Measurement, AClockThatStaysLowIsSaid) {
    machine_.mhz = {{"grid-stride", 700}};
    limits_.max_runs = 6;
    const VariantBenchmark benchmark = measure({"shared", "grid-stride"});
    EXPECT_EQ(machine_.rests, 6 * 3) << "each run is made again three times";
    EXPECT_DOUBLE_EQ(row(benchmark, "grid-stride").low_clock_percent, 70);
    EXPECT_EQ(row(benchmark, "grid-stride").runs, 6);
    EXPECT_EQ(row(benchmark, "shared").low_clock_percent, 0);
    EXPECT_EQ(clock_text(benchmark),
              "Measured at a lower clock than others, because it stayed low: Shared memory and loop (70.0 %)");
    machine_.mhz = {{"cpu", 500}, {"shared", 600}, {"grid-stride", 600}};
    EXPECT_EQ(clock_text(measure({"shared", "grid-stride"})),
              "The GPU ran at 600 MHz at most, of 1000 that it is made for");
}

TEST_F(Measurement, WhatIsMeasuredStaysWhenItIsStopped) {
    std::stop_source stop;
    int runs = 0;
    machine_.on_run = [&](const std::string& id) {
        if (id == "grid-stride" && ++runs == 3) stop.request_stop();
    };
    std::vector<int> shown;
    const VariantBenchmark benchmark =
        measure({"shared", "grid-stride", "pinned"}, stop.get_token(),
                {[&](const VariantBenchmark& now) {
                     shown.push_back(int(std::ranges::count_if(now.rows, &BenchmarkRow::ran)));
                 },
                 {}});
    EXPECT_TRUE(was_canceled_);
    EXPECT_EQ(row(benchmark, "shared").runs, 1);
    EXPECT_EQ(row(benchmark, "grid-stride").state, BenchmarkRow::State::waiting);
    EXPECT_EQ(row(benchmark, "pinned").state, BenchmarkRow::State::waiting);
    EXPECT_EQ(shown, (std::vector{0, 1, 2, 2})) << "rows are shown as they come, and once more at the end";
}

TEST_F(Measurement, OneThatFailsLeavesTheOthersAlone) {
    limits_.max_runs = 4;
    machine_.on_run = [](const std::string& id) {
        if (id == "shared") throw UserError("no room");
    };
    const VariantBenchmark benchmark = measure({"shared", "grid-stride"});
    EXPECT_EQ(row(benchmark, "shared").state, BenchmarkRow::State::not_run);
    EXPECT_EQ(row(benchmark, "shared").reason, "no room");
    EXPECT_EQ(row(benchmark, "grid-stride").runs, 4);
    EXPECT_EQ(row(benchmark, "grid-stride").total.speed_up.basis, std::nullopt);
}

TEST_F(Measurement, EveryRunIsCompared) {
    limits_.max_runs = 4;
    machine_.change = [&](RunResult& result) {
        if (machine_.log.ends_with("[shared] ")) result.image.data()[5] = 9;
    };
    const VariantBenchmark benchmark = measure({"shared", "grid-stride"});
    EXPECT_EQ(row(benchmark, "shared").differences, 1);
    EXPECT_EQ(row(benchmark, "grid-stride").differences, 0);
}

TEST_F(Measurement, MemoryModesStandSideBySide) {
    limits_.max_runs = 5;
    const VariantBenchmark benchmark = measure({});
    ASSERT_EQ(benchmark.rows.size(), 6u);
    for (const std::string_view mode : kMemoryModeIds) {
        EXPECT_EQ(row(benchmark, mode).runs, 5) << mode;
        EXPECT_EQ(row(benchmark, mode).basis, mode == "pageable" ? "" : "pageable");
    }
    EXPECT_EQ(row(benchmark, "managed").total.speed_up.basis->value, 1);
    EXPECT_EQ(basis_title(benchmark), "pageable");
}

/// The traced run says how long each stage takes, its kernels how many blocks they start, and the image where additions
/// meet: here all pixels have one value.
TEST_F(Measurement, LimitsAreOfTheStagesOnThisImage) {
    machine_.roofs = {.memory_gb_s = 1,
                      .cache_gb_s = 1,
                      .cache_bytes = 1e6,
                      .operations_g_s = 1,
                      .global_atomics_g_s = 1,
                      .word_atomics_g_s = 2e-4,
                      .blocks_g_s = 7e-4};
    machine_.change = [&](RunResult& result) {
        using Kind = TraceSpan::Kind;
        result.trace = {{{.row = 1, .kind = Kind::kernel, .stage = "histogram", .begin_ms = 0, .end_ms = 0.6},
                         {.row = 1, .kind = Kind::kernel, .stage = "apply", .begin_ms = 0.6, .end_ms = 0.8}},
                        1};
        KernelResources& kernel = result.resources.emplace_back();
        kernel.stage = "apply";
        kernel.grid_blocks = 20;
        kernel.launches = 5;
        kernel.block_threads = 1;
        kernel.occupancy_percent = 100;
    };
    const VariantBenchmark benchmark = measure({"no-optimization"});
    const Limit& limit = row(benchmark, "no-optimization").limit;
    ASSERT_EQ(limit.stages.size(), 2);
    EXPECT_EQ(limit.stages[0].stage, "histogram");
    EXPECT_NEAR(limit.stages[0].part, 0.75, 1e-6);
    EXPECT_EQ(limit.id(), "word_atomics");
    const double pixels = double(kSize.pixels()), kernels_ms = row(benchmark, "no-optimization").kernels.time.median_ms;
    EXPECT_NEAR(limit.stages[0].shares[0].share, pixels / (0.75 * kernels_ms) / 200, 1e-6 * pixels);
    EXPECT_EQ(limit.stages[1].id(), "blocks");
    EXPECT_NEAR(limit.stages[1].shares[0].share, 100 / (0.25 * kernels_ms) / 700, 1e-3);
    EXPECT_EQ(limit.stages[1].threads, 2) << "as many as the GPU holds";
}

/// Managed pages move once: the image's in the first stage, the result's in the last one.
TEST_F(Measurement, PagesMoveInTheFirstAndInTheLastStage) {
    machine_.roofs = {.pages_gb_s = 1, .operations_g_s = 1};
    machine_.change = [&](RunResult& result) {
        using Kind = TraceSpan::Kind;
        result.trace = {{{.row = 1, .kind = Kind::kernel, .stage = "histogram", .begin_ms = 0, .end_ms = 0.5},
                         {.row = 1, .kind = Kind::kernel, .stage = "table", .begin_ms = 0.5, .end_ms = 0.6},
                         {.row = 1, .kind = Kind::kernel, .stage = "apply", .begin_ms = 0.6, .end_ms = 1}},
                        1};
    };
    const VariantBenchmark benchmark = measure({"managed"});
    const BenchmarkRow& managed = row(benchmark, "managed");
    const auto moved_bytes = [&](const StageLimit& stage) {
        for (const Share& share : stage.shares)
            if (share.resource->id == "pages") return share.rate * 1e6 * stage.part * managed.kernels.time.median_ms;
        return 0.0;
    };
    ASSERT_EQ(managed.limit.stages.size(), 3);
    EXPECT_NEAR(moved_bytes(managed.limit.stages[0]), double(kSize.pixels()), 1e-6);
    EXPECT_NEAR(moved_bytes(managed.limit.stages[1]), double(kSize.pixels()), 1e-6);
    EXPECT_EQ(moved_bytes(managed.limit.stages[2]), 0) << "the table's";
}

TEST_F(Measurement, ProgressGrowsToItsEnd) {
    limits_.max_runs = 8;
    double last = 0;
    measure({"shared"}, {}, {{}, [&](double part) {
                                 EXPECT_GE(part, last);
                                 last = part;
                             }});
    EXPECT_EQ(last, 1);
}

}  // namespace
}  // namespace tonescope
