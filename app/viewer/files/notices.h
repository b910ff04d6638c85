// Messages over the views.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ui/model/notices.h"

namespace tonescope {

class Notices {
  public:
    /// A text that is there already moves to the end. Of many, the oldest of the pieces of information goes first:
    /// errors and warnings wait until somebody has read them, unless there are very many.
    void add(ui::Severity severity, std::string text);
    void dismiss(uint64_t id);
    /// The newest last.
    const std::vector<ui::Notice>& all() const { return all_; }
    /// True once after a change.
    bool take_changed() { return std::exchange(changed_, false); }

  private:
    std::vector<ui::Notice> all_;
    uint64_t next_id_ = 1;
    bool changed_ = false;
};

}  // namespace tonescope
