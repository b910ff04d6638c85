#include "app/viewer/choices.h"

namespace tonescope {

Choices::Choices(const RunSpec& initial, BackendKind backend, UseBackend use_backend)
    : op_(initial.op), backend_(backend), use_backend_(std::move(use_backend)) {
    for (const OperatorInfo* op : operators()) {
        params_[op] = default_values(op->params);
        for (const VariantInfo* variant : variants_of(op->id))
            variant_params_[variant] = default_values(variant->params);
    }
    params_[initial.op] = initial.params;
    variant_params_[initial.variant] = initial.variant_params;
    set_variant(initial.variant);
}

void Choices::use_backend(BackendKind backend) {
    if (backend != backend_) backend_ = use_backend_(backend);
}

bool Choices::perform(const ui::Action& action) {
    const Choice before = choice();
    uint64_t gesture = 0;
    bool is_change = true, is_choice = true;
    const auto go_to = [&](const std::optional<Choice>& step) {
        is_change = false;
        if (!step) return;
        use_backend(step->backend);
        restore(*step);
    };
    std::visit(Overloaded{
                   [&](const ui::SetOperator& a) { op_ = a.op; },
                   [&](const ui::SetVariant& a) {
                       use_backend(a.variant->backend);
                       wanted_backend_ = a.variant->backend;
                       set_variant(a.variant);
                   },
                   [&](const ui::SetBackend& a) {
                       use_backend(a.backend);
                       wanted_backend_ = a.backend;
                   },
                   [&](const ui::SetMemory& a) { memory_ = a.memory; },
                   [&](const ui::SetParam& a) {
                       set_param(*a.info, a.of_variant, a.value);
                       gesture = a.gesture;
                   },
                   [&](const ui::ResetParams&) { reset_params(); },
                   [&](const ui::SetPreset& a) {
                       op_ = a.op;
                       for (const ParamInfo& info : a.op->params) set_param(info, false, a.params.get(info));
                   },
                   [&](const ui::Undo&) { go_to(history_.undo(before)); },
                   [&](const ui::Redo&) { go_to(history_.redo(before)); },
                   [&](const auto&) { is_choice = false; },
               },
               action);
    if (is_choice && is_change) history_.changed(before, choice(), gesture);
    return is_choice;
}

const VariantInfo* Choices::variant() const {
    const auto found = variants_.find({op_, backend_});
    return found != variants_.end() ? found->second : preferred_variant(op_->id, backend_);
}

void Choices::set_variant(const VariantInfo* variant) {
    variants_[{find_operator(variant->op), variant->backend}] = variant;
}

void Choices::set_param(const ParamInfo& info, bool of_variant, int32_t value) {
    ParamBlock& block = of_variant ? variant_params_[variant()] : params_[op_];
    block.set(info, clamp_value(info, value));
}

void Choices::reset_params() {
    params_[op_] = default_values(op_->params);
    if (const VariantInfo* current = variant()) variant_params_[current] = default_values(current->params);
}

Choice Choices::choice() const {
    Choice choice{op_, variant(), params_.at(op_), {}, memory_, backend_};
    if (choice.variant != nullptr) choice.variant_params = variant_params_.at(choice.variant);
    return choice;
}

void Choices::restore(const Choice& choice) {
    op_ = choice.op;
    params_[op_] = choice.params;
    memory_ = choice.memory;
    if (choice.variant == nullptr) return;
    set_variant(choice.variant);
    variant_params_[choice.variant] = choice.variant_params;
}

RunSpec Choices::run_spec() const {
    RunSpec spec{.op = op_, .variant = variant(), .params = params_.at(op_)};
    if (spec.variant == nullptr) return spec;
    spec.variant_params = variant_params_.at(spec.variant);
    if (backend_ == BackendKind::cuda) spec.memory = spec.variant->memory.value_or(memory_);
    return spec;
}

std::vector<RunSpec> Choices::run_specs() const {
    std::vector<RunSpec> specs;
    for (const VariantInfo* variant : variants_of(op_->id))
        specs.push_back(
            {op_, variant, params_.at(op_), variant_params_.at(variant), variant->memory.value_or(memory_)});
    return specs;
}

void Choices::fill(ui::RunModel& model) const {
    const RunSpec spec = run_spec();
    model.op = spec.op;
    model.variant = spec.variant;
    model.params = spec.params;
    model.variant_params = spec.variant_params;
    model.memory = spec.memory;
    model.backend = backend_;
    model.can_undo = history_.can_undo();
    model.can_redo = history_.can_redo();
}

}  // namespace tonescope
