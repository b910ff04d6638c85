// Operator, variant, parameters, memory mode and backend: changed, undone, redone.
#include "app/system/overloaded.h"
#include "app/viewer/application.h"
#include "gpu/core/error.h"

namespace tonescope {

void Application::use_backend(BackendKind backend) {
    if (backend == pipeline_.backend()) return;
    try {
        pipeline_.use_backend(backend);
    } catch (const UserError& error) {
        notify(ui::Severity::error, error.what());
    }
}

void Application::restore(const std::optional<Choice>& choice) {
    if (!choice) return;
    use_backend(choice->backend);
    document_.choose(choice->document);
}

bool Application::change_choice(const ui::Action& action) {
    const Choice before = choice();
    const BackendKind backend = before.backend;
    uint64_t gesture = 0;
    bool is_change = true, is_choice = true;
    std::visit(Overloaded{
                   [&](const ui::SetOperator& a) { document_.set_operator(a.op); },
                   [&](const ui::SetVariant& a) {
                       use_backend(a.variant->backend);
                       chosen_backend_ = a.variant->backend;
                       document_.set_variant(a.variant);
                   },
                   [&](const ui::SetBackend& a) {
                       use_backend(a.backend);
                       chosen_backend_ = a.backend;
                   },
                   [&](const ui::SetMemory& a) { document_.set_memory(a.memory); },
                   [&](const ui::SetParam& a) {
                       document_.set_param(*a.info, a.of_variant, a.value, backend);
                       gesture = a.gesture;
                   },
                   [&](const ui::ResetParams&) { document_.reset_params(backend); },
                   [&](const ui::SetPreset& a) {
                       document_.set_operator(a.op);
                       for (const ParamInfo& info : a.op->params)
                           document_.set_param(info, false, a.params.get(info), backend);
                   },
                   [&](const ui::Undo&) {
                       restore(history_.undo(before));
                       is_change = false;
                   },
                   [&](const ui::Redo&) {
                       restore(history_.redo(before));
                       is_change = false;
                   },
                   [&](const auto&) { is_choice = false; },
               },
               action);
    if (is_choice && is_change) history_.changed(before, choice(), gesture);
    return is_choice;
}

}  // namespace tonescope
