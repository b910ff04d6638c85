#include "bench/cpu_lab.h"

#include <cstring>

#include "bench/cpu_clock.h"
#include "bench/stage_samples.h"

namespace tonescope::bench {
Timing time_cpu_rung(const HostImage& input, const RunSpec& spec, const Answer& expected, int threads, double seconds,
                     bool stages) {
    HostImage output;
    BinsResult bins;
    StageTimes times;
    StageSamples stage_samples;
    CpuJob job{.input = input.view(),
               .params = spec.params,
               .rung_params = spec.rung_params,
               .threads = threads,
               .stages = &times};
    if (spec.op->makes_bins) {
        job.bins = &bins;
    } else {
        output = HostImage(expected.image.spec());
        std::memset(output.data(), poison_for(expected), output.size_bytes());
        job.output = output.mutable_view();
    }
    Timing timing{.cache = "hot", .launch = "host", .bytes = least_bytes(input, expected)};
    take(timing, sample_on_host(seconds, [&] {
             times.clear();
             spec.rung->run_cpu(job);
             stage_samples.add(times);
         }));
    if (stages) timing.stages_ms = stage_samples.medians_ms();
    const bool makes_bins = spec.op->makes_bins;
    judge(timing,
          makes_bins ? count_different_bins(bins.bins.data(), expected)
                     : count_different_pixels(output.view(), expected.image.view()),
          spec.rung, makes_bins);
    return timing;
}

}  // namespace tonescope::bench
