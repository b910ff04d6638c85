#include "bench/cpu/cpu_bench.h"

#include <chrono>
#include <cstring>

#include "bench/stage_samples.h"

namespace tonescope::bench {
namespace {

constexpr size_t kMinSamples = 5, kMaxSamples = 2000;

/// What a variant needs from run to run.
struct VariantState {
    HostImage output;
    BinsResult bins;
    StageTimes times;
    StageSamples samples;
};

double run_ms(const std::function<void()>& run) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

CpuRun cpu_run_of_variant(const HostImage& input, const RunSpec& spec, const Answer& expected, int threads,
                          bool stages) {
    const auto state = std::make_shared<VariantState>();
    CpuJob job{.input = input.view(),
               .params = spec.params,
               .variant_params = spec.variant_params,
               .threads = threads,
               .stages = &state->times};
    const bool makes_bins = spec.op->makes_bins;
    if (makes_bins) {
        job.bins = &state->bins;
    } else {
        state->output = HostImage(expected.image.spec());
        std::memset(state->output.data(), poison_for(expected), state->output.size_bytes());
        job.output = state->output.mutable_view();
    }
    CpuRun run;
    run.run = [state, job, variant = spec.variant] {
        state->times.clear();
        variant->run_cpu(job);
        state->samples.add(state->times);
    };
    run.finish = [state, stages, makes_bins, &expected, variant = spec.variant](Timing& timing) {
        if (stages) timing.stages_ms = state->samples.medians_ms();
        judge(timing,
              makes_bins ? count_different_bins(state->bins.bins.data(), expected)
                         : count_different_pixels(state->output.view(), expected.image.view()),
              variant, makes_bins);
    };
    return run;
}

std::vector<Measured> time_in_turn(const std::vector<CpuRun>& runs, double bytes, double seconds) {
    std::vector<std::vector<double>> samples_ms(runs.size());
    std::vector<double> spent_ms(runs.size());
    for (const CpuRun& run : runs) run.run();
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < runs.size(); ++i) {
            const size_t count = samples_ms[i].size();
            if (count >= kMaxSamples || (count >= kMinSamples && spent_ms[i] > seconds * 1000)) continue;
            samples_ms[i].push_back(run_ms(runs[i].run));
            spent_ms[i] += samples_ms[i].back();
            any = true;
        }
    }
    std::vector<Measured> all;
    for (size_t i = 0; i < runs.size(); ++i) {
        Timing timing{.cache = "hot", .launch = "host", .bytes = bytes};
        take(timing, std::move(samples_ms[i]));
        runs[i].finish(timing);
        all.push_back({runs[i].subject, {std::move(timing)}, {}});
    }
    return all;
}

}  // namespace tonescope::bench
