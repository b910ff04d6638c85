#include "gpu/core/registry.h"

#include <algorithm>
#include <stdexcept>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/value_range.h"

namespace tonescope {
namespace {

/// In the order of ladders whenever all are registered. Entries live as long as the program: they are referred to by
/// pointer everywhere.
struct Registry {
    std::vector<const OperatorInfo*> operators;
    std::vector<const VariantInfo*> variants;
};

Registry& registry() {
    static Registry* const instance = new Registry;  // never freed, so that its entries stay reachable to the very end
    return *instance;
}

/// Of a text of words with spaces between them.
bool has_word(std::string_view text, std::string_view word) {
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        if (text.substr(0, end) == word) return true;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return false;
}

bool is_behind(const OperatorInfo& info, const OperatorInfo& before) {
    return info.follows == before.id;
}
bool is_behind(const VariantInfo& info, const VariantInfo& before) {
    return info.op == before.op && info.backend == before.backend && info.follows == before.id;
}

/// An entry with all that follow it, directly or not.
template <class Info>
std::vector<const Info*> branch_of(const Info& first, const std::vector<const Info*>& all) {
    std::vector<std::vector<const Info*>> branches;
    for (const Info* info : all)
        if (is_behind(*info, first)) branches.push_back(branch_of(*info, all));
    std::ranges::sort(branches, {}, [](const auto& branch) { return std::pair(branch.size(), branch.front()->id); });
    std::vector<const Info*> ordered{&first};
    for (const auto& branch : branches) ordered.insert(ordered.end(), branch.begin(), branch.end());
    return ordered;
}

/// Adds a copy and orders all by what they follow. Entries that follow one that is not registered stay out of order.
template <class Info>
void add(std::vector<const Info*>& list, const Info& info, auto group) {
    list.push_back(new Info(info));  // never freed
    std::vector<const Info*> ordered;
    for (const Info* first : list) {
        const bool follows = std::ranges::any_of(list, [&](const Info* other) { return is_behind(*first, *other); });
        if (follows) continue;
        const auto branch = branch_of(*first, list);
        ordered.insert(ordered.end(), branch.begin(), branch.end());
    }
    std::ranges::stable_sort(ordered, {}, group);
    list = ordered;
}

}  // namespace

std::string_view to_string(BackendKind kind) {
    return kind == BackendKind::cpu ? "cpu" : "cuda";
}

OperatorRegistration::OperatorRegistration(const OperatorInfo& info) {
    add(registry().operators, info, [](const OperatorInfo*) { return 0; });
}

VariantRegistration::VariantRegistration(VariantInfo info) {
    info.backend = info.run_cpu != nullptr ? BackendKind::cpu : BackendKind::cuda;
    add(registry().variants, info, &VariantInfo::backend);
}

std::span<const OperatorInfo* const> operators() {
    return registry().operators;
}

const OperatorInfo* find_operator(std::string_view id) {
    const auto found = std::ranges::find(registry().operators, id, &OperatorInfo::id);
    return found == registry().operators.end() ? nullptr : *found;
}

std::vector<const VariantInfo*> variants_of(std::string_view op) {
    std::vector<const VariantInfo*> found;
    std::ranges::copy_if(registry().variants, std::back_inserter(found),
                         [&](const VariantInfo* r) { return r->op == op; });
    return found;
}

const VariantInfo* find_variant(std::string_view op, std::string_view id) {
    for (const VariantInfo* variant : registry().variants)
        if (variant->op == op && variant->id == id) return variant;
    return nullptr;
}

const VariantInfo& reference_of(std::string_view op) {
    for (const VariantInfo* variant : registry().variants)
        if (variant->op == op && variant->reference) return *variant;
    throw std::logic_error("operator without a reference: " + std::string(op));
}

const VariantInfo* basis_of(const VariantInfo& variant) {
    return variant.builds_on.empty() ? nullptr : find_variant(variant.op, variant.builds_on);
}

std::string title_of(const VariantInfo& variant) {
    return std::string(variant.source) + (variant.source.empty() ? "" : ", ") + std::string(variant.name);
}

std::string same_kernels_text(const VariantInfo& variant) {
    if (variant.same_kernels_as.empty()) return {};
    const VariantInfo* same = find_variant(variant.op, variant.same_kernels_as);
    return "Same kernels as " + title_of(*same) + "; " +
           (same->memory == variant.memory ? "how they are launched differs" : "the host's memory differs");
}

const VariantInfo* preferred_variant(std::string_view op, BackendKind backend) {
    const VariantInfo* first = nullptr;
    for (const VariantInfo* variant : registry().variants) {
        if (variant->op != op || variant->backend != backend) continue;
        if (variant->preferred) return variant;
        if (first == nullptr) first = variant;
    }
    return first;
}

std::optional<int32_t> range_choice(const OperatorInfo& op, const ParamBlock& params) {
    const ParamInfo *range = find_param(op.params, kRangeId), *color = find_param(op.params, kColorId);
    if (range == nullptr) return {};
    return range_under(color == nullptr ? int32_t{color_luma} : params.get(*color), params.get(*range));
}

std::string refusal(const OperatorInfo& op, const VariantInfo& variant, const ParamBlock& params,
                    const ImageSpec& image) {
    for (const ParamInfo& info : op.params)
        if (params.get(info) > info.common_max && !has_word(variant.every_value_of, info.id))
            return "has no " + std::string(info.id) + "=" + format_value(info, params.get(info));
    if (variant.any_depth) return {};
    if (is_deep(image.format))
        return "takes images of 8 bits only; this one's samples go up to " + std::to_string(image.max_sample);
    const std::optional<int32_t> range = range_choice(op, params);
    if (range && takes_used_values(image, *range)) return "spreads values over all of 0 to 255; it has no range=used";
    if (variant.source.empty()) return {};
    const ParamInfo *color = find_param(op.params, kColorId), *amount = find_param(op.params, kAmountId);
    if (color != nullptr && !is_gray(image.format) && params.get(*color) > color_gray)
        return "has no color=" + format_value(*color, params.get(*color));
    if (amount != nullptr && params.get(*amount) < 100) return "has no amount below 100 %";
    return {};
}

const VariantInfo* preferred_variant(const OperatorInfo& op, BackendKind backend, const ParamBlock& params,
                                     const ImageSpec& image) {
    const auto takes = [&](const VariantInfo* v) { return v != nullptr && refusal(op, *v, params, image).empty(); };
    const VariantInfo* found = preferred_variant(op.id, backend);
    if (takes(found)) return found;
    found = nullptr;
    for (const VariantInfo* variant : variants_of(op.id))
        if (variant->backend == backend && takes(variant)) found = variant;
    return found;
}

Conversion with_value(const OperatorInfo& op, const ParamBlock& params, const ParamInfo& info, int32_t value,
                      const ImageSpec& image) {
    ParamBlock after = params;
    after.set(info, clamp_value(info, value));
    if (op.convert == nullptr || info.kind != ParamKind::choice || after == params || image.empty()) return {after, {}};
    return op.convert(params, after, image);
}

void check_takes(const RunSpec& spec, const ImageSpec& image) {
    if (const std::string wrong = misfit(spec.part, image); !wrong.empty()) throw UserError(wrong);
    const std::string reason = refusal(*spec.op, *spec.variant, spec.params, filtered_spec(spec.part, image));
    if (reason.empty()) return;
    throw UserError("variant " + std::string(spec.variant->id) + " of " + std::string(spec.op->id) + " " + reason +
                    "; choose another variant");
}

RunSpec default_run(const OperatorInfo& op, const VariantInfo* variant) {
    RunSpec spec{.op = &op, .variant = variant, .params = default_values(op.params)};
    if (variant == nullptr) return spec;
    spec.variant_params = default_values(variant->params);
    spec.memory = variant->memory.value_or(spec.memory);
    return spec;
}

PixelProbe probe_of(int x, int y, const uint8_t* pixel, PixelFormat format) {
    PixelProbe probe{x, y, {}};
    for (size_t c = 0; c < (is_gray(format) ? 1 : 4); ++c) probe.value[c] = uint16_t(sample_at(pixel, format, int(c)));
    return probe;
}

LiveResult live_result(RunResult run) {
    LiveResult result{.histogram = run.histogram,
                      .bins = std::move(run.bins),
                      .stages = std::move(run.stages),
                      .resources = std::move(run.resources)};
    if (!run.image.empty()) result.image = std::make_shared<const HostImage>(std::move(run.image));
    return result;
}

bool set_param(RunSpec& spec, std::string_view id, std::string_view text) {
    if (const ParamInfo* info = find_param(spec.op->params, id)) {
        spec.params.set(*info, parse_value(*info, text));
        return true;
    }
    const ParamInfo* info = spec.variant == nullptr ? nullptr : find_param(spec.variant->params, id);
    if (info != nullptr) spec.variant_params.set(*info, parse_value(*info, text));
    return info != nullptr;
}

}  // namespace tonescope
