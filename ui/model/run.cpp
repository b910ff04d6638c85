#include "ui/model/run.h"

#include "gpu/core/text.h"
#include "gpu/core/value_range.h"
#include "gpu/ops/no_data_param.h"
#include "ui/model/caption.h"

namespace tonescope::ui {

std::string ParamPlace::name() const {
    return choice == nullptr ? std::string(info->label) : std::string(choice->label) + " " + lower_case(info->label);
}

std::string ParamPlace::text(int32_t value) const {
    return choice == nullptr ? param_text(*info, value) : std::string(choice->label) + " " + value_text(*info, value);
}

std::vector<ParamPlace> active_params(const RunModel& run) {
    std::vector<ParamPlace> params;
    const auto add = [&](std::span<const ParamInfo> table, const ParamBlock& block, bool of_variant) {
        for (const ParamInfo& info : table) {
            // Images of 8 bits have a bin for each value, whatever the parameter says.
            const bool is_ignored = info.id == kBinsId && !run.input.empty() && !is_deep(run.input.format);
            if (is_active(table, info, block) && !is_ignored)
                params.push_back({&info, of_variant, choice_of(table, info)});
        }
    };
    if (run.op != nullptr) add(run.op->params, run.params, false);
    if (run.variant != nullptr) add(run.variant->params, run.variant_params, true);
    return params;
}

int32_t value_of(const RunModel& run, const ParamPlace& param) {
    return (param.of_variant ? run.variant_params : run.params).get(*param.info);
}

const ParamSuggestions* suggestions_of(const RunModel& run, const ParamPlace& param) {
    for (const auto& suggestions : run.suggestions)
        if (!param.of_variant && suggestions->param == param.info) return suggestions.get();
    return nullptr;
}

std::string reason_against(const RunModel& run, const VariantInfo& variant) {
    if (variant.backend == BackendKind::cuda && !run.cuda_available) return "No GPU: " + run.cuda_reason;
    if (run.input.empty()) return {};
    const std::string reason = refusal(*run.op, variant, run.params, run.input);
    return reason.empty() ? reason : "It " + reason;
}

std::optional<int32_t> left_out_sample(const RunSpec& run, const ImageSpec& image) {
    if (run.op == nullptr) return {};
    const ParamInfo* const no_data = find_param(run.op->params, kNoDataId);
    const ParamInfo* const value = find_param(run.op->params, kNoDataValueId);
    if (no_data == nullptr || value == nullptr) return {};
    const NoDataParams params{run.params.get(*no_data), run.params.get(*value)};
    const int32_t sample = params.left_out(image, color_luma);
    return sample == kNothingLeftOut ? std::nullopt : std::optional(sample);
}

bool can_reset(const RunModel& run) {
    return run.op != nullptr && (run.params != default_values(run.op->params) ||
                                 (run.variant != nullptr && run.variant_params != default_values(run.variant->params)));
}

bool can_explain(const RunModel& run) {
    return run.op != nullptr && run.op->explain != nullptr;
}

std::vector<std::string> conversions(const RunModel& run, const ParamPlace& param, int32_t value,
                                     const ImageSpec& image) {
    if (param.of_variant || run.op == nullptr || run.op->conversions == nullptr) return {};
    ParamBlock params = run.params;
    params.set(*param.info, value);
    return run.op->conversions(*param.info, params, image);
}

}  // namespace tonescope::ui
