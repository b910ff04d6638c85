// What is chosen beside the image, and undo and redo of it.
#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "gpu/core/backend.h"
#include "ui/model/actions.h"
#include "ui/model/run.h"

namespace tonescope {

/// All that one result and how it is shown depend on, beside the image. `variant` is null where the operator has none
/// on this backend.
struct Choice : RunSpec {
    BackendKind backend = BackendKind::cpu;
    SampleWindows windows = {};
    bool operator==(const Choice&) const = default;
};

class History {
  public:
    /// Notes a change. The changes of one gesture (not 0), such as the drag of a slider, make up one step; a gesture
    /// that leads back to where it started leaves no step.
    void changed(const Choice& before, const Choice& after, uint64_t gesture = 0) {
        const bool grows = gesture != 0 && gesture == gesture_ && !past_.empty();
        if (!grows) {
            if (before == after) return;
            past_.push_back(before);
            while (past_.size() > 1 && (past_.size() > kMaxSteps || masks_bytes() > kMaxMasks_bytes)) past_.pop_front();
        } else if (past_.back() == after) {
            past_.pop_back();
        }
        future_.clear();
        gesture_ = past_.empty() ? 0 : gesture;
    }
    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }
    /// The choice to go back to, if there is one. redo() will lead to `now`.
    std::optional<Choice> undo(const Choice& now) { return step(past_, future_, now); }
    std::optional<Choice> redo(const Choice& now) { return step(future_, past_, now); }

    /// What the masks of steps may take together, the newest step's aside.
    static constexpr size_t kMaxMasks_bytes = size_t{256} << 20;

  private:
    static constexpr size_t kMaxSteps = 1000;

    size_t masks_bytes() const {
        std::set<const HostImage*> masks;
        for (const Choice& choice : past_)
            if (choice.part.mask != nullptr) masks.insert(choice.part.mask.get());
        size_t bytes = 0;
        for (const HostImage* mask : masks) bytes += mask->size_bytes();
        return bytes;
    }

    std::optional<Choice> step(std::deque<Choice>& from, std::deque<Choice>& to, const Choice& now) {
        gesture_ = 0;
        if (from.empty()) return std::nullopt;
        to.push_back(now);
        Choice choice = std::move(from.back());
        from.pop_back();
        return choice;
    }

    std::deque<Choice> past_, future_;  // the nearest last
    uint64_t gesture_ = 0;              // of the newest step, while it may still grow
};

/// One lambda for each alternative of a std::variant.
template <class... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;  // clang before 17 cannot do without

/// Actions that change what one result and how it is shown depend on, and those that step through such changes.
template <class A>
concept ChoiceAction = std::same_as<A, ui::SetOperator> || std::same_as<A, ui::SetVariant> ||
    std::same_as<A, ui::SetBackend> || std::same_as<A, ui::SetMemory> || std::same_as<A, ui::SetParam> ||
    std::same_as<A, ui::SetPart> || std::same_as<A, ui::SetWindows> || std::same_as<A, ui::ResetParams> ||
    std::same_as<A, ui::SetPreset> || std::same_as<A, ui::Undo> || std::same_as<A, ui::Redo>;

/// Each operator and each variant keeps its own parameters while others are chosen.
class Choices {
  public:
    /// Brings a backend into use and returns the one that is then in use.
    using UseBackend = std::function<BackendKind(BackendKind)>;

    Choices(const RunSpec& initial, BackendKind backend, UseBackend use_backend)
        : op_(initial.op), backend_(backend), use_backend_(std::move(use_backend)) {
        for (const OperatorInfo* op : operators()) {
            settings_[op].params = default_values(op->params);
            for (const VariantInfo* variant : variants_of(op->id))
                variant_params_[variant] = default_values(variant->params);
        }
        settings_[initial.op].params = initial.params;
        variant_params_[initial.variant] = initial.variant_params;
        // A mask that was not read is no part of what is chosen.
        part_ = {.region = initial.part.region, .feather_px = initial.part.feather_px};
        set_variant(initial.variant);
    }

    /// Carries out a ChoiceAction. False: the action is no ChoiceAction. `image`: the sides of what is shown, for which
    /// parameters are converted; `tell` is called where that changes the result.
    bool perform(const ui::Action& action, const ImageSpec& image = {},
                 const std::function<void(const std::string&)>& tell = {}) {
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
                           const VariantInfo* const variant = run_spec().variant;
                           std::span<const ParamInfo> table = op_->params;
                           if (a.of_variant)
                               table = variant == nullptr ? std::span<const ParamInfo>() : variant->params;
                           if (find_param(table, a.info->id) != a.info) {
                               is_change = false;  // what it belongs to is no longer chosen
                               return;
                           }
                           if (a.of_variant) {
                               set(variant_params_[variant], *a.info, a.value);
                           } else {
                               const std::string note = settings_[op_].set(*op_, *a.info, a.value, image);
                               if (tell && !note.empty()) tell(note);
                           }
                           gesture = a.gesture;
                       },
                       [&](const ui::SetPart& a) {
                           part_ = a.part;
                           gesture = a.gesture;
                       },
                       [&](const ui::SetWindows& a) {
                           windows_ = a.windows;
                           gesture = a.gesture;
                       },
                       [&](const ui::ResetParams&) {
                           settings_[op_].params = default_values(op_->params);
                           if (const VariantInfo* variant = run_spec().variant; variant != nullptr)
                               variant_params_[variant] = default_values(variant->params);
                       },
                       [&](const ui::SetPreset& a) {
                           op_ = a.op;
                           for (const ParamInfo& info : a.op->params)
                               set(settings_[op_].params, info, a.params.get(info));
                       },
                       [&](const ui::Undo&) { go_to(history_.undo(before)); },
                       [&](const ui::Redo&) { go_to(history_.redo(before)); },
                       [&](const auto&) { is_choice = false; },
                   },
                   action);
        if (is_choice && is_change) history_.changed(before, choice(), gesture);
        return is_choice;
    }
    void use_backend(BackendKind backend) {
        if (backend != backend_) backend_ = use_backend_(backend);
    }
    void set_memory(MemoryMode memory) { memory_ = memory; }
    /// What was restored since is one step to undo.
    void changed_from(const Choice& before) { history_.changed(before, choice()); }
    /// Takes everything but the backend, without a step to undo.
    void restore(const Choice& choice) {
        op_ = choice.op;
        settings_[op_].params = choice.params;
        memory_ = choice.memory;
        part_ = choice.part;
        windows_ = choice.windows;
        if (choice.variant == nullptr) return;
        set_variant(choice.variant);
        variant_params_[choice.variant] = choice.variant_params;
    }
    /// What runs from now on is of this image: where the variant that is chosen does not take it, another one runs.
    void set_image(const ImageSpec& image) { image_ = image; }
    /// The backend that the user has chosen, in this run or an earlier one.
    std::optional<BackendKind> wanted_backend() const { return wanted_backend_; }
    void set_wanted_backend(std::optional<BackendKind> backend) { wanted_backend_ = backend; }

    const ResultPart& part() const { return part_; }
    /// Without a step to undo.
    void set_part(const ResultPart& part) { part_ = part; }

    const SampleWindows& windows() const { return windows_; }
    /// Without a step to undo.
    void set_windows(const SampleWindows& windows) { windows_ = windows; }

    const OperatorInfo& op() const { return *op_; }
    BackendKind backend() const { return backend_; }
    Choice choice() const {
        Choice choice{{op_, variant(), settings_.at(op_).params, {}, memory_, part_}, backend_, windows_};
        if (choice.variant != nullptr) choice.variant_params = variant_params_.at(choice.variant);
        return choice;
    }
    RunSpec run_spec() const { return run_spec(op_, settings_.at(op_).params); }
    /// What would run with these parameters, everything else as it is chosen.
    RunSpec run_spec(const OperatorInfo* op, const ParamBlock& params) const {
        RunSpec spec{op, nullptr, params, {}, memory_, part_};
        use_variant(spec);
        return spec;
    }
    /// What would run after the values were set one after the other, as SetParam does it on an image of these sides.
    RunSpec run_spec(const std::vector<ui::ParamValue>& values, const ImageSpec& image) const {
        Settings settings = settings_.at(op_);
        RunSpec spec = run_spec();
        for (const auto& [param, value] : values) {
            if (param.of_variant)
                set(spec.variant_params, *param.info, value);
            else
                settings.set(*op_, *param.info, value, image);
        }
        spec.params = settings.params;
        const VariantInfo* const before = spec.variant;
        if (variant_for(spec.op, spec.params) != before) use_variant(spec);
        return spec;
    }
    /// The runs of every variant of the operator, in the ladder's order.
    std::vector<RunSpec> run_specs() const {
        std::vector<RunSpec> specs;
        for (const VariantInfo* variant : variants_of(op_->id))
            specs.push_back({op_, variant, settings_.at(op_).params, variant_params_.at(variant),
                             variant->memory.value_or(memory_)});
        return specs;
    }
    void fill(ui::RunModel& model) const {
        static_cast<RunSpec&>(model) = run_spec();
        model.backend = backend_;
        model.can_undo = history_.can_undo();
        model.can_redo = history_.can_redo();
    }

  private:
    const VariantInfo* variant() const { return variant(op_); }
    const VariantInfo* variant(const OperatorInfo* op) const {
        const auto found = variants_.find({op, backend_});
        return found != variants_.end() ? found->second : preferred_variant(op->id, backend_);
    }
    /// The chosen one, or in its place one that takes the image; null where the backend has none.
    const VariantInfo* variant_for(const OperatorInfo* op, const ParamBlock& params) const {
        const VariantInfo* const chosen = variant(op);
        if (chosen == nullptr || image_.empty() || refusal(*op, *chosen, params, image_).empty()) return chosen;
        return preferred_variant(*op, backend_, params, image_);
    }
    void use_variant(RunSpec& spec) const {
        spec.variant = variant_for(spec.op, spec.params);
        spec.variant_params = spec.variant == nullptr ? ParamBlock() : variant_params_.at(spec.variant);
        const bool on_gpu = backend_ == BackendKind::cuda && spec.variant != nullptr;
        spec.memory = on_gpu ? spec.variant->memory.value_or(memory_) : MemoryMode::pinned;
    }
    void set_variant(const VariantInfo* variant) {
        variants_[{find_operator(variant->op), variant->backend}] = variant;
    }
    /// The parameters of an operator.
    struct Settings {
        ParamBlock params;
        /// The last change of a choice.
        struct Converted {
            ParamBlock from, to;
            ImageSpec image;
        };
        std::optional<Converted> converted = {};

        /// Sets one. A choice that goes back to what it was converted from leads to the values that were set then.
        /// Returns how the result differs (Conversion::note).
        std::string set(const OperatorInfo& op, const ParamInfo& info, int32_t value, const ImageSpec& image) {
            const ParamBlock before = params;
            const bool goes_back = info.kind == ParamKind::choice && converted && converted->to == before &&
                                   converted->image == image && converted->from.get(info) == value &&
                                   before.get(info) != value;
            Conversion conversion =
                goes_back ? Conversion{converted->from, {}} : with_value(op, before, info, value, image);
            params = conversion.params;
            if (info.kind == ParamKind::choice && before.get(info) != params.get(info))
                converted = {before, params, image};
            return std::move(conversion.note);
        }
    };
    static void set(ParamBlock& block, const ParamInfo& info, int32_t value) {
        block.set(info, clamp_value(info, value));
    }

    const OperatorInfo* op_;
    BackendKind backend_;
    UseBackend use_backend_;
    std::optional<BackendKind> wanted_backend_;
    MemoryMode memory_ = MemoryMode::pinned;  // for the variants that fix no mode
    ResultPart part_;
    SampleWindows windows_;
    ImageSpec image_;
    std::map<const OperatorInfo*, Settings> settings_;
    std::map<const VariantInfo*, ParamBlock> variant_params_;
    std::map<std::pair<const OperatorInfo*, BackendKind>, const VariantInfo*> variants_;
    History history_;
};

}  // namespace tonescope
