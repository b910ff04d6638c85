#include "bench/cpu/cpu_bench.h"

#include <cstring>
#include <memory>

namespace tonescope::bench {
namespace {

constexpr size_t kMinSamples = 5, kMaxSamples = 2000;

/// What a variant needs from run to run.
struct VariantState {
    HostImage output;
    BinsResult bins;
    std::vector<StageTimes> stages;
};

}  // namespace

CpuRun cpu_run_of_variant(const HostImage& input, const RunSpec& spec, const RunResult& expected, int threads,
                          bool stages) {
    const auto state = std::make_shared<VariantState>();
    CpuJob job{.input = input.view(), .params = spec.params, .variant_params = spec.variant_params, .threads = threads};
    if (expected.bins) {
        job.bins = &state->bins;
    } else {
        state->output = HostImage(expected.image.spec());
        std::memset(state->output.data(), poison_for(expected), state->output.size_bytes());
        job.output = state->output.mutable_view();
    }
    CpuRun run;
    run.run = [state, job, variant = spec.variant]() mutable {
        job.stages = &state->stages.emplace_back();
        variant->run_cpu(job);
    };
    run.finish = [state, stages, &expected, variant = spec.variant](Row& row) {
        if (stages) row.set_stages(state->stages);
        const bool bins = expected.bins.has_value();
        row.set_verdict(bins ? count_different_bins(state->bins.bins.data(), expected)
                             : count_different_pixels(state->output.view(), expected.image.view()),
                        variant, bins);
    };
    return run;
}

Rows time_in_turn(const std::vector<CpuRun>& runs, double bytes, double seconds) {
    std::vector<std::vector<double>> samples_ms(runs.size());
    std::vector<double> spent_ms(runs.size());
    for (const CpuRun& run : runs) run.run();
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < runs.size(); ++i) {
            const size_t count = samples_ms[i].size();
            if (count >= kMaxSamples || (count >= kMinSamples && spent_ms[i] > seconds * 1000)) continue;
            const auto begin = std::chrono::steady_clock::now();
            runs[i].run();
            samples_ms[i].push_back(ms_since(begin));
            spent_ms[i] += samples_ms[i].back();
            any = true;
        }
    }
    Rows rows;
    for (size_t i = 0; i < runs.size(); ++i) {
        Row& row = rows.emplace_back(Row{.subject = runs[i].subject, .cache = "hot", .launch = "host", .bytes = bytes});
        row.set_samples(std::move(samples_ms[i]));
        runs[i].finish(row);
    }
    return rows;
}

}  // namespace tonescope::bench
