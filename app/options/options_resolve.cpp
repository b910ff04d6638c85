// From the names on the command line to an operator, a variant, parameters and a backend.
#include <algorithm>

#include "app/options/options.h"
#include "app/system/device_answer.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

template <class Infos>
std::vector<std::string> ids_of(const Infos& infos) {
    std::vector<std::string> ids;
    for (const auto* info : infos) ids.emplace_back(info->id);
    return ids;
}

const OperatorInfo& operator_of(const Options& options) {
    if (const OperatorInfo* op = find_operator(options.op)) return *op;
    throw UsageError("--op " + options.op + ": unknown operator; there are " + spell_out(ids_of(operators())) +
                     ", and none without a window");
}

const VariantInfo& variant_of(const Options& options, const OperatorInfo& op, BackendKind backend) {
    if (options.variant.empty()) {
        if (const VariantInfo* variant = preferred_variant(op.id, backend)) return *variant;
        throw UserError(std::string(op.id) + " has no variant for the " + std::string(to_string(backend)) + " backend");
    }
    const VariantInfo* variant = find_variant(op.id, options.variant);
    if (variant == nullptr)
        throw UsageError("--variant " + options.variant + ": unknown variant of " + std::string(op.id) +
                         "; there are " + spell_out(ids_of(variants_of(op.id))));
    return *variant;
}

}  // namespace

RunSpec spec_for_variant(const Options& options, const OperatorInfo& op, const VariantInfo& variant) {
    RunSpec spec = default_run(op, &variant);
    if (!variant.memory) spec.memory = options.memory.value_or(spec.memory);
    spec.part = options.part;
    try {
        for (const auto& [id, text] : options.sets) set_param(spec, id, text);
    } catch (const UsageError& error) {
        throw UsageError(std::string("--set ") + error.what());
    }
    return spec;
}

RunSpec resolve_run(const Options& options, BackendKind backend) {
    const OperatorInfo& op = operator_of(options);
    const VariantInfo& variant = variant_of(options, op, backend);
    if (options.memory && variant.memory && *options.memory != *variant.memory) {
        const auto name = [](MemoryMode mode) { return std::string(kMemoryModeIds[size_t(mode)]); };
        throw UsageError("--memory " + name(*options.memory) + ": variant " + std::string(variant.id) +
                         " always uses " + name(*variant.memory) + " memory; leave --memory out");
    }
    for (const auto& [id, text] : options.sets) {
        if (find_param(op.params, id) != nullptr || find_param(variant.params, id) != nullptr) continue;
        std::vector<std::string> ids;
        for (const auto& table : {op.params, variant.params})
            for (const ParamInfo& info : table) ids.emplace_back(info.id);
        const std::string who = std::string(op.id) + " (variant " + std::string(variant.id) + ")";
        throw UsageError("--set " + id + "=" + text + ": " + who +
                         (ids.empty() ? " has no parameters" : " has no such parameter; there are " + spell_out(ids)));
    }
    const RunSpec spec = spec_for_variant(options, op, variant);
    if (variant.backend != backend) {
        throw UserError("variant " + std::string(variant.id) + " of " + std::string(op.id) + " needs the " +
                        std::string(to_string(variant.backend)) + " backend, which is not in use here");
    }
    return spec;
}

std::unique_ptr<Backend> try_cuda_backend(int device, std::string* reason) {
    try {
        return make_answering_backend(device);
    } catch (const DeviceError& error) {
        *reason = error.what();
    }
    if (device <= 0) return nullptr;
    try {
        make_answering_backend(-1);
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
