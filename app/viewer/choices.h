// What is chosen beside the image: operator, variant, parameters, memory mode and backend; changed, undone, redone. No
// pixels are computed here.
#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/viewer/history.h"
#include "ui/model/actions.h"
#include "ui/model/run.h"

namespace tonescope {

/// One lambda for each alternative of a std::variant.
template <class... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};

/// Actions that change what one result depends on, and those that step through such changes.
template <class A>
concept ChoiceAction =
    std::same_as<A, ui::SetOperator> || std::same_as<A, ui::SetVariant> || std::same_as<A, ui::SetBackend> ||
    std::same_as<A, ui::SetMemory> || std::same_as<A, ui::SetParam> || std::same_as<A, ui::ResetParams> ||
    std::same_as<A, ui::SetPreset> || std::same_as<A, ui::Undo> || std::same_as<A, ui::Redo>;

/// Each operator and each variant keeps its own parameters while others are chosen.
class Choices {
  public:
    /// Brings a backend into use and returns the one that is then in use.
    using UseBackend = std::function<BackendKind(BackendKind)>;

    Choices(const RunSpec& initial, BackendKind backend, UseBackend use_backend);

    /// Carries out a ChoiceAction; false: it is none.
    bool perform(const ui::Action& action);
    void use_backend(BackendKind backend);
    void set_memory(MemoryMode memory) { memory_ = memory; }
    /// All but the backend, without a step to undo.
    void restore(const Choice& choice);
    /// The backend that the user has chosen, in this run or an earlier one.
    std::optional<BackendKind> wanted_backend() const { return wanted_backend_; }
    void set_wanted_backend(std::optional<BackendKind> backend) { wanted_backend_ = backend; }

    const OperatorInfo& op() const { return *op_; }
    BackendKind backend() const { return backend_; }
    Choice choice() const;
    RunSpec run_spec() const;
    /// Of every variant of the operator, in the ladder's order.
    std::vector<RunSpec> run_specs() const;
    void fill(ui::RunModel& model) const;

  private:
    const VariantInfo* variant() const;
    void set_variant(const VariantInfo* variant);
    void set_param(const ParamInfo& info, bool of_variant, int32_t value);
    void reset_params();

    const OperatorInfo* op_;
    BackendKind backend_;
    UseBackend use_backend_;
    std::optional<BackendKind> wanted_backend_;
    MemoryMode memory_ = MemoryMode::pinned;  // for the variants that fix no mode
    std::map<const OperatorInfo*, ParamBlock> params_;
    std::map<const VariantInfo*, ParamBlock> variant_params_;
    std::map<std::pair<const OperatorInfo*, BackendKind>, const VariantInfo*> variants_;
    History history_;
};

}  // namespace tonescope
