#include "bench/cpu_lab.h"

#include <chrono>
#include <cstring>

#include "bench/stage_samples.h"

namespace tonescope::bench {
namespace {

constexpr size_t kLeastSamples = 5, kMostSamples = 2000;

/// What a rung needs from run to run.
struct RungState {
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

CpuRun cpu_run_of_rung(const HostImage& input, const RunSpec& spec, const Answer& expected, int threads, bool stages) {
    const auto state = std::make_shared<RungState>();
    CpuJob job{.input = input.view(),
               .params = spec.params,
               .rung_params = spec.rung_params,
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
    run.run = [state, job, rung = spec.rung] {
        state->times.clear();
        rung->run_cpu(job);
        state->samples.add(state->times);
    };
    run.finish = [state, stages, makes_bins, &expected, rung = spec.rung](Timing& timing) {
        if (stages) timing.stages_ms = state->samples.medians_ms();
        judge(timing,
              makes_bins ? count_different_bins(state->bins.bins.data(), expected)
                         : count_different_pixels(state->output.view(), expected.image.view()),
              rung, makes_bins);
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
            if (count >= kMostSamples || (count >= kLeastSamples && spent_ms[i] > seconds * 1000)) continue;
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
