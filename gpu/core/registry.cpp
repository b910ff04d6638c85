#include "gpu/core/registry.h"

#include <algorithm>
#include <stdexcept>

namespace tonescope {
namespace {

struct Registry {
    std::vector<const OperatorInfo*> operators;
    std::vector<const RungInfo*> rungs;
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

RungRegistration::RungRegistration(const RungInfo& info) {
    insert_by_order(registry().rungs, info, [](const RungInfo* r) { return int(r->backend) * 10000 + r->order; });
}

std::span<const OperatorInfo* const> operators() {
    return registry().operators;
}

const OperatorInfo* find_operator(std::string_view id) {
    const auto found = std::ranges::find(registry().operators, id, &OperatorInfo::id);
    return found == registry().operators.end() ? nullptr : *found;
}

std::vector<const RungInfo*> rungs_of(std::string_view op) {
    std::vector<const RungInfo*> found;
    std::ranges::copy_if(registry().rungs, std::back_inserter(found), [&](const RungInfo* r) { return r->op == op; });
    return found;
}

const RungInfo* find_rung(std::string_view op, std::string_view id) {
    for (const RungInfo* rung : registry().rungs)
        if (rung->op == op && rung->id == id) return rung;
    return nullptr;
}

const RungInfo& reference_of(std::string_view op) {
    for (const RungInfo* rung : registry().rungs)
        if (rung->op == op && rung->reference) return *rung;
    throw std::logic_error("operator without a reference: " + std::string(op));
}

const RungInfo* preferred_rung(std::string_view op, BackendKind backend) {
    const RungInfo* first = nullptr;
    for (const RungInfo* rung : registry().rungs) {
        if (rung->op != op || rung->backend != backend) continue;
        if (rung->preferred) return rung;
        if (first == nullptr) first = rung;
    }
    return first;
}

}  // namespace tonescope
