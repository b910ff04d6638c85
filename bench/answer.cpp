#include "bench/answer.h"

namespace tonescope::bench {

Answer make_answer(const HostImage& input, const RunSpec& spec, int threads) {
    Answer answer;
    const VariantInfo& variant = *preferred_variant(spec.op->id, BackendKind::cpu);
    CpuJob job{.input = input.view(),
               .params = spec.params,
               .variant_params = default_values(variant.params),
               .threads = threads};
    if (spec.op->makes_bins) {
        job.bins = &answer.bins;
    } else {
        answer.image = HostImage(spec.op->output_spec(input.spec(), spec.params));
        job.output = answer.image.mutable_view();
    }
    variant.run_cpu(job);
    return answer;
}

double least_bytes(const HostImage& input, const Answer& expected) {
    const auto bytes = [](const ImageSpec& spec) { return double(spec.row_bytes()) * spec.height; };
    return bytes(input.spec()) + bytes(expected.image.spec());
}

uint8_t poison_for(const Answer& expected) {
    return uint8_t(~(expected.image.empty() ? expected.bins.bins[0] : expected.image.data()[0]));
}

void judge(Timing& timing, int64_t differences, const VariantInfo* variant, bool bins) {
    if (differences == 0) {
        timing.verdict = "identical";
        return;
    }
    timing.verdict = std::to_string(differences) + (bins ? " bins differ" : " pixels differ");
    if (variant != nullptr && variant->wrong_by_design) {
        timing.verdict += ", as designed";
    } else {
        timing.wrong = true;
    }
}

int64_t count_different_bins(const uint8_t* bins, const Answer& expected) {
    int64_t differences = 0;
    for (size_t i = 0; i < expected.bins.bins.size(); ++i) differences += bins[i] != expected.bins.bins[i];
    return differences;
}

}  // namespace tonescope::bench
