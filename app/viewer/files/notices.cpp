#include "app/viewer/files/notices.h"

#include <algorithm>

namespace tonescope {
namespace {

constexpr size_t kMaxNotices = 5, kMaxErrors = 20;

}  // namespace

void Notices::add(ui::Severity severity, std::string text) {
    std::erase_if(all_, [&](const ui::Notice& notice) { return notice.text == text; });
    all_.push_back({next_id_++, severity, std::move(text)});
    const auto older_end = all_.end() - 1;
    const auto info = std::ranges::find(all_.begin(), older_end, ui::Severity::info, &ui::Notice::severity);
    if (all_.size() > kMaxNotices && info != older_end)
        all_.erase(info);
    else if (all_.size() > kMaxErrors)
        all_.erase(all_.begin());
    changed_ = true;
}

void Notices::dismiss(uint64_t id) {
    changed_ |= std::erase_if(all_, [&](const ui::Notice& notice) { return notice.id == id; }) > 0;
}

}  // namespace tonescope
