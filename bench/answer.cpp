#include "bench/answer.h"

#include "gpu/core/error.h"

namespace tonescope::bench {

RunResult make_answer(const HostImage& input, RunSpec spec, int threads) {
    spec.variant = preferred_variant(spec.op->id, BackendKind::cpu);
    spec.variant_params = default_values(spec.variant->params);
    return make_cpu_backend(threads)->run(input.view(), spec);
}

double least_bytes(const HostImage& input, const RunResult& expected) {
    const auto bytes = [](const ImageSpec& spec) { return double(spec.row_bytes()) * spec.height; };
    return bytes(input.spec()) + bytes(expected.image.spec());
}

uint8_t poison_for(const RunResult& expected) {
    return uint8_t(~(expected.bins ? expected.bins->bins[0] : expected.image.data()[0]));
}

void judge(Row& row, int64_t differences, const VariantInfo* variant, bool bins) {
    const bool by_design = variant != nullptr && variant->wrong_by_design;
    row.wrong = differences > 0 && !by_design;
    row.verdict = "identical";
    if (differences > 0)
        row.verdict = std::to_string(differences) + (bins ? " bins differ" : " pixels differ") +
                      (by_design ? ", as designed" : "");
}

int64_t count_different_bins(const uint8_t* bins, const RunResult& expected) {
    int64_t differences = 0;
    for (int i = 0; i < kFineBins; ++i) differences += bins[i] != expected.bins->bins[size_t(i)];
    return differences;
}

Rows attempt(const Subject& subject, const std::function<Rows()>& measure) {
    try {
        return measure();
    } catch (const UserError& error) {
        return {{subject, error.what()}};
    }
}

}  // namespace tonescope::bench
