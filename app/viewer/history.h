// Undo and redo of what was chosen: operator, variant, parameters, memory mode and backend.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "gpu/core/backend.h"

namespace tonescope {

/// All that one result depends on, beside the image.
struct Choice {
    const OperatorInfo* op = nullptr;
    const VariantInfo* variant = nullptr;  // null: the operator has none on this backend
    ParamBlock params, variant_params;
    MemoryMode memory = MemoryMode::pinned;
    BackendKind backend = BackendKind::cpu;
    bool operator==(const Choice&) const = default;
};

class History {
  public:
    /// After a change. `before`: what was chosen until then. Changes of one gesture (not 0) make up one step, such as
    /// the drag of a slider; one that leads back to where it started leaves no step.
    void changed(const Choice& before, const Choice& after, uint64_t gesture = 0) {
        const bool grows = gesture != 0 && gesture == gesture_ && !past_.empty();
        if (!grows) {
            if (before == after) return;
            past_.push_back(before);
            if (past_.size() > kMaxSteps) past_.pop_front();
        } else if (past_.back() == after) {
            past_.pop_back();
        }
        future_.clear();
        gesture_ = past_.empty() ? 0 : gesture;
    }
    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }
    /// What to go back to, where there is something. `now`: what redo() will lead to.
    std::optional<Choice> undo(const Choice& now) { return step(past_, future_, now); }
    std::optional<Choice> redo(const Choice& now) { return step(future_, past_, now); }

  private:
    static constexpr size_t kMaxSteps = 1000;

    std::optional<Choice> step(std::deque<Choice>& from, std::deque<Choice>& to, const Choice& now) {
        gesture_ = 0;
        if (from.empty()) return std::nullopt;
        Choice choice = std::move(from.back());
        from.pop_back();
        to.push_back(now);
        return choice;
    }

    std::deque<Choice> past_, future_;  // the nearest last
    uint64_t gesture_ = 0;              // of the newest step, while it may still grow
};

}  // namespace tonescope
