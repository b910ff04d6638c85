#include "app/options/backends.h"

#include "gpu/core/error.h"

namespace tonescope {

std::unique_ptr<Backend> try_cuda_backend(int device, std::string* reason) {
    try {
        return make_cuda_backend(device);
    } catch (const DeviceError& error) {
        *reason = error.what();
    }
    if (device <= 0) return nullptr;
    try {
        make_cuda_backend(-1);
    } catch (const DeviceError&) {
        return nullptr;
    }
    throw UsageError("--device " + std::to_string(device) + ": " + *reason);
}

ChosenBackend choose_backend(const Options& options) {
    const VariantInfo* variant = find_variant(options.op, options.variant);
    const bool forced =
        options.backend == BackendChoice::cuda || (variant != nullptr && variant->backend == BackendKind::cuda);
    const bool cpu = options.backend == BackendChoice::cpu ||
                     (variant != nullptr && variant->backend == BackendKind::cpu) ||
                     (!forced && preferred_variant(options.op, BackendKind::cuda) == nullptr);
    ChosenBackend chosen;
    if (!cpu) chosen.backend = try_cuda_backend(options.device, &chosen.cuda_reason);
    if (chosen.backend == nullptr && forced) {
        const std::string what =
            variant != nullptr ? "variant " + std::string(variant->id) + " needs the CUDA backend" : "--backend cuda";
        throw UserError(what + ", which is not available: " + chosen.cuda_reason);
    }
    if (chosen.backend == nullptr) chosen.backend = make_cpu_backend();
    return chosen;
}

}  // namespace tonescope
