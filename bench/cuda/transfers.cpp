// Copies between host and device: plain pinned ones, and the stages "upload" and "download" of the program's backend.
#include <algorithm>
#include <cstring>

#include "bench/cuda/state.h"
#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope::bench {
namespace {

constexpr size_t kRuns = 15;

Measured transfer(std::string name, const char* launch, double bytes, std::vector<double> samples_ms) {
    Measured measured{{"transfer", "limit", std::move(name), "cuda"}, {}, {}};
    measured.timings.push_back({.cache = "hot", .launch = launch, .bytes = bytes});
    take(measured.timings[0], std::move(samples_ms));
    return measured;
}

std::vector<double> plain_samples(CudaBench::State& state, void* to, const void* from, size_t bytes) {
    return state.timer
        .sample(
            1, false,
            [&](size_t) { TONESCOPE_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, state.timer.stream())); },
            [] {})
        .ms;
}

/// The cheapest variant is enough: only its backend's copies count.
RunSpec any_run(MemoryMode mode) {
    for (const OperatorInfo* op : operators()) {
        const VariantInfo* variant = preferred_variant(op->id, BackendKind::cuda);
        if (op->makes_bins || variant == nullptr) continue;
        return {.op = op,
                .variant = variant,
                .params = default_values(op->params),
                .variant_params = default_values(variant->params),
                .memory = mode};
    }
    throw UserError("no operator has a CUDA variant");
}

}  // namespace

std::vector<Measured> CudaBench::time_transfers() {
    State& s = *state_;
    const size_t bytes = s.image->size_bytes();
    const PinnedMemory pinned(bytes);
    std::memcpy(pinned.as<uint8_t>(), s.image->data(), bytes);
    s.load_input(MemoryMode::pinned, 2);
    std::vector<Measured> all;
    all.push_back(transfer("plain pinned upload", "stream", double(bytes),
                           plain_samples(s, s.input.at(0), pinned.as<void>(), bytes)));
    all.push_back(transfer("plain pinned download", "stream", double(bytes),
                           plain_samples(s, pinned.as<void>(), s.input.at(0), bytes)));
    s.loaded_buffers = 0;  // overwritten without gaps between rows
    const double up_gb_s = all[0].timings[0].gb_s(), down_gb_s = all[1].timings[0].gb_s();
    for (Measured& plain : all) plain.timings[0].share = 1;

    const std::unique_ptr<Backend> backend = make_cuda_backend(s.device.index);
    for (const MemoryMode mode : {MemoryMode::pinned, MemoryMode::overlapped, MemoryMode::pageable}) {
        const RunSpec spec = any_run(mode);
        std::vector<double> up_ms, down_ms;
        for (size_t i = 0; i <= kRuns; ++i) {
            const RunResult result = backend->run(s.image->view(), spec);
            if (i == 0) continue;  // warm-up
            for (const StageTime& stage : result.stages) {
                if (stage.stage == "upload") up_ms.push_back(stage.ms);
                if (stage.stage == "download") down_ms.push_back(stage.ms);
            }
        }
        const std::string name(kMemoryModeIds[size_t(mode)]);
        const VariantInfo& variant = *spec.variant;
        if (variant.memory && *variant.memory != mode)
            throw UserError(std::string(variant.id) + " fixes its memory mode");
        all.push_back(transfer("--memory " + name + " upload", "run", double(bytes), std::move(up_ms)));
        all.back().timings[0].share = all.back().timings[0].gb_s() / up_gb_s;
        all.push_back(transfer("--memory " + name + " download", "run", double(bytes), std::move(down_ms)));
        all.back().timings[0].share = all.back().timings[0].gb_s() / down_gb_s;
    }
    return all;
}

}  // namespace tonescope::bench
