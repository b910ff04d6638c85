// Copies between host and device: plain pinned ones, and the stages "upload" and "download" of the program's backend.
#include <cstring>

#include "bench/cuda/cuda_bench.h"
#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope::bench {
namespace {

constexpr size_t kRuns = 15;

/// The cheapest variant is enough: only its backend's copies count.
RunSpec any_run(MemoryMode mode) {
    for (const OperatorInfo* op : operators()) {
        const VariantInfo* variant = preferred_variant(op->id, BackendKind::cuda);
        if (op->makes_bins || variant == nullptr) continue;
        if (variant->memory && *variant->memory != mode)
            throw UserError(std::string(variant->id) + " fixes its memory mode");
        RunSpec spec = default_run(*op, variant);
        spec.memory = mode;
        return spec;
    }
    throw UserError("no operator has a CUDA variant");
}

}  // namespace

Rows CudaBench::time_transfers() {
    const size_t bytes = image->size_bytes();
    Rows rows;
    const auto add = [&](const std::string& name, const char* launch, std::vector<double> samples_ms, size_t plain) {
        Row row{
            .subject = {"transfer", "limit", name, "cuda"}, .cache = "hot", .launch = launch, .bytes = double(bytes)};
        row.set_samples(std::move(samples_ms));
        rows.push_back(row);
        rows.back().share = row.gb_s() / rows[plain].gb_s();
    };
    const auto add_plain = [&](const std::string& name, void* to, const void* from) {
        const Enqueue copy = [&](size_t) {
            TONESCOPE_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, timer.stream()));
        };
        add(name, "stream", timer.sample(1, false, copy, [] {}).ms, rows.size());
    };
    const PinnedMemory pinned(bytes);
    std::memcpy(pinned.as<uint8_t>(), image->data(), bytes);
    load_input(MemoryMode::pinned, 2);
    add_plain("plain pinned upload", input.at(0), pinned.as<void>());
    add_plain("plain pinned download", pinned.as<void>(), input.at(0));
    loaded_buffers = 0;  // overwritten without gaps between rows

    const std::unique_ptr<Backend> backend = make_cuda_backend(device.index);
    for (const MemoryMode mode : {MemoryMode::pinned, MemoryMode::overlapped, MemoryMode::pageable}) {
        const RunSpec spec = any_run(mode);
        backend->run(image->view(), spec);  // warm-up
        std::vector<double> up_ms, down_ms;
        for (size_t i = 0; i < kRuns; ++i)
            for (const StageTime& stage : backend->run(image->view(), spec).stages) {
                if (stage.stage == "upload") up_ms.push_back(stage.ms);
                if (stage.stage == "download") down_ms.push_back(stage.ms);
            }
        const std::string name = "--memory " + std::string(kMemoryModeIds[size_t(mode)]);
        add(name + " upload", "run", std::move(up_ms), 0);
        add(name + " download", "run", std::move(down_ms), 1);
    }
    return rows;
}

}  // namespace tonescope::bench
