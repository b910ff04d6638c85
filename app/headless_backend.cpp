#include "app/headless_backend.h"

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
    const RungInfo* rung = find_rung(options.op, options.variant);
    const bool forced =
        options.backend == BackendChoice::cuda || (rung != nullptr && rung->backend == BackendKind::cuda);
    const bool cpu = options.backend == BackendChoice::cpu || (rung != nullptr && rung->backend == BackendKind::cpu) ||
                     (!forced && preferred_rung(options.op, BackendKind::cuda) == nullptr);
    ChosenBackend chosen;
    if (!cpu) chosen.backend = try_cuda_backend(options.device, &chosen.cuda_reason);
    if (chosen.backend == nullptr && forced) {
        const std::string what =
            rung != nullptr ? "variant " + std::string(rung->id) + " needs the CUDA backend" : "--backend cuda";
        throw UserError(what + ", which is not there: " + chosen.cuda_reason);
    }
    if (chosen.backend == nullptr) chosen.backend = make_cpu_backend();
    return chosen;
}

}  // namespace tonescope
