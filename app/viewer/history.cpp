#include "app/viewer/history.h"

namespace tonescope {
namespace {

constexpr size_t kMaxSteps = 1000;

std::optional<Choice> step(std::deque<Choice>& from, std::deque<Choice>& to, const Choice& now) {
    if (from.empty()) return std::nullopt;
    const Choice choice = from.back();
    from.pop_back();
    to.push_back(now);
    return choice;
}

}  // namespace

void History::changed(const Choice& before, const Choice& after, uint64_t gesture) {
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

std::optional<Choice> History::undo(const Choice& now) {
    gesture_ = 0;
    return step(past_, future_, now);
}

std::optional<Choice> History::redo(const Choice& now) {
    gesture_ = 0;
    return step(future_, past_, now);
}

}  // namespace tonescope
