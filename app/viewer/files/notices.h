// Messages over the views.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ui/model/window.h"

namespace tonescope {

class Notices {
  public:
    /// A text that is there already moves to the end. Where there are many notices, the oldest piece of information
    /// goes first: errors and warnings wait until somebody has read them, unless there are very many.
    void add(ui::Severity severity, std::string text) {
        std::erase_if(all_, [&](const ui::Notice& notice) { return notice.text == text; });
        const auto info = std::ranges::find(all_, ui::Severity::info, &ui::Notice::severity);
        if (all_.size() >= kMaxNotices && info != all_.end())
            all_.erase(info);
        else if (all_.size() >= kMaxErrors)
            all_.erase(all_.begin());
        all_.push_back({next_id_++, severity, std::move(text)});
        changed_ = true;
    }
    void info(std::string text) { add(ui::Severity::info, std::move(text)); }
    void warning(std::string text) { add(ui::Severity::warning, std::move(text)); }
    void error(std::string text) { add(ui::Severity::error, std::move(text)); }
    void dismiss(uint64_t id) {
        changed_ |= std::erase_if(all_, [&](const ui::Notice& notice) { return notice.id == id; }) > 0;
    }
    /// The newest last.
    const std::vector<ui::Notice>& all() const { return all_; }
    /// True once after a change.
    bool take_changed() { return std::exchange(changed_, false); }

  private:
    static constexpr size_t kMaxNotices = 5, kMaxErrors = 20;

    std::vector<ui::Notice> all_;
    uint64_t next_id_ = 1;
    bool changed_ = false;
};

}  // namespace tonescope
