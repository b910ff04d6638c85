// From the names on the command line to an operator, a rung and parameters.
#include <algorithm>

#include "app/options.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

void append_ids(std::vector<std::string>& ids, std::span<const ParamInfo> table) {
    for (const ParamInfo& info : table) ids.emplace_back(info.id);
}

int32_t parse_set(const ParamInfo& info, const std::string& text) {
    try {
        return parse_value(info, text);
    } catch (const UsageError& error) {
        throw UsageError(std::string("--set ") + error.what());
    }
}

const OperatorInfo& operator_of(const Options& options) {
    if (const OperatorInfo* op = find_operator(options.op)) return *op;
    std::vector<std::string> ids;
    for (const OperatorInfo* op : operators()) ids.emplace_back(op->id);
    throw UsageError("--op " + options.op + ": unknown operator; there are " + spell_out(ids));
}

const RungInfo& rung_of(const Options& options, const OperatorInfo& op, BackendKind backend) {
    if (options.variant.empty()) {
        if (const RungInfo* rung = preferred_rung(op.id, backend)) return *rung;
        throw UserError(std::string(op.id) + " has no variant for the " + std::string(to_string(backend)) + " backend");
    }
    const RungInfo* rung = find_rung(op.id, options.variant);
    if (rung == nullptr) {
        std::vector<std::string> ids;
        for (const RungInfo* known : rungs_of(op.id)) ids.emplace_back(known->id);
        throw UsageError("--variant " + options.variant + ": unknown variant of " + std::string(op.id) +
                         "; there are " + spell_out(ids));
    }
    return *rung;
}

}  // namespace

std::string spell_out(const std::vector<std::string>& names, const std::string& last) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? std::string() : i + 1 == names.size() ? " " + last + " " : std::string(", ")) + names[i];
    return text;
}

RunSpec spec_for_rung(const Options& options, const OperatorInfo& op, const RungInfo& rung) {
    RunSpec spec;
    spec.op = &op;
    spec.rung = &rung;
    spec.params = default_values(op.params);
    spec.rung_params = default_values(rung.params);
    spec.memory = rung.memory.value_or(options.memory.value_or(spec.memory));
    for (const auto& [id, text] : options.sets) {
        if (const ParamInfo* info = find_param(op.params, id)) {
            spec.params.set(*info, parse_set(*info, text));
        } else if (const ParamInfo* rung_info = find_param(rung.params, id)) {
            spec.rung_params.set(*rung_info, parse_set(*rung_info, text));
        }
    }
    return spec;
}

RunSpec resolve_run(const Options& options, BackendKind backend) {
    const OperatorInfo& op = operator_of(options);
    const RungInfo& rung = rung_of(options, op, backend);
    if (options.memory && rung.memory && *options.memory != *rung.memory) {
        const auto name = [](MemoryMode mode) { return std::string(kMemoryModeIds[size_t(mode)]); };
        throw UsageError("--memory " + name(*options.memory) + ": variant " + std::string(rung.id) + " always uses " +
                         name(*rung.memory) + " memory; leave --memory out");
    }
    for (const auto& [id, text] : options.sets) {
        if (find_param(op.params, id) != nullptr || find_param(rung.params, id) != nullptr) continue;
        std::vector<std::string> ids;
        append_ids(ids, op.params);
        append_ids(ids, rung.params);
        const std::string who = std::string(op.id) + " (variant " + std::string(rung.id) + ")";
        throw UsageError("--set " + id + "=" + text + ": " + who +
                         (ids.empty() ? " has no parameters" : " has no such parameter; there are " + spell_out(ids)));
    }
    const RunSpec spec = spec_for_rung(options, op, rung);
    if (rung.backend != backend) {
        throw UserError("variant " + std::string(rung.id) + " of " + std::string(op.id) + " needs the " +
                        std::string(to_string(rung.backend)) + " backend, which is not in use here");
    }
    return spec;
}

}  // namespace tonescope
