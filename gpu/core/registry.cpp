#include "gpu/core/registry.h"

#include <algorithm>
#include <stdexcept>

namespace tonescope {
namespace {

struct Registry {
    std::vector<const OperatorInfo*> operators;
    std::vector<const VariantInfo*> variants;
};

Registry& registry() {
    static Registry* const instance = new Registry;  // never freed, so that its entries stay reachable to the very end
    return *instance;
}

/// Entries live as long as the program: they are referred to by pointer everywhere.
template <class Info>
void insert_by_order(std::vector<const Info*>& list, const Info& info, auto key) {
    const auto* stored = new Info(info);  // never freed
    list.insert(std::ranges::upper_bound(list, key(stored), {}, key), stored);
}

}  // namespace

std::string_view to_string(BackendKind kind) {
    return kind == BackendKind::cpu ? "cpu" : "cuda";
}

OperatorRegistration::OperatorRegistration(const OperatorInfo& info) {
    insert_by_order(registry().operators, info, [](const OperatorInfo* o) { return o->order; });
}

VariantRegistration::VariantRegistration(const VariantInfo& info) {
    insert_by_order(registry().variants, info, [](const VariantInfo* r) { return int(r->backend) * 10000 + r->order; });
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

const VariantInfo* preferred_variant(std::string_view op, BackendKind backend) {
    const VariantInfo* first = nullptr;
    for (const VariantInfo* variant : registry().variants) {
        if (variant->op != op || variant->backend != backend) continue;
        if (variant->preferred) return variant;
        if (first == nullptr) first = variant;
    }
    return first;
}

}  // namespace tonescope
