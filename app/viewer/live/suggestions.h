// Suggestions for the parameters that take them, worked out on a thread of their own while the window goes on.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "app/system/tasks.h"
#include "gpu/core/figures/suggestions.h"
#include "gpu/core/part/result_part.h"
#include "gpu/cpu/display_histogram.h"
#include "ui/model/run.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits.
class Suggestions {
  public:
    using Clock = std::chrono::steady_clock;
    /// So long nothing must have changed, and nothing more urgent been under way, before work begins.
    static constexpr std::chrono::milliseconds kRest{250};

    explicit Suggestions(std::function<void()> wake) : worker_(1, std::move(wake)) {}
    ~Suggestions() { worker_.abandon(); }

    /// What they are for. Without an image there are none.
    struct Subject {
        std::shared_ptr<const HostImage> image = {};
        const OperatorInfo* op = nullptr;
        ParamBlock params = {};
        Rect filtered = {};  // pixels that the operator sees; empty: the whole image
        Rect region = {};    // pixels that figures are of; empty, or none of those filtered: all of these
        bool operator==(const Subject&) const = default;
    };
    /// Takes what is finished, stops what is no longer asked for, and starts what is due, between frames. `may_start`:
    /// nothing more urgent is under way. True when something has changed.
    bool update(const Subject& subject, bool may_start, Clock::time_point now = Clock::now()) {
        worker_.drain();
        may_start_ = may_start;
        if (follow(subject) || !may_start) quiet_since_ = now;
        if (now - quiet_since_ >= kRest && std::ranges::none_of(entries_, &Entry::busy))
            if (const auto due = std::ranges::find(entries_, false, &Entry::is_done); due != entries_.end())
                start(*due);
        return std::exchange(changed_, false);
    }
    void fill(ui::RunModel& model) const {
        model.suggestions.clear();
        for (const Entry& entry : entries_)
            if (entry.result) model.suggestions.push_back(entry.result);
    }
    /// Something is under way, or about to be.
    bool busy() const {
        return std::ranges::any_of(entries_, [this](const Entry& e) { return e.busy || (may_start_ && !e.is_done); });
    }

  private:
    struct Entry {
        const ParamInfo* param = nullptr;
        Subject subject;  // with the default in the parameter's place, on which its curves do not depend
        std::shared_ptr<const ParamSuggestions> result = {};
        std::stop_source job = std::stop_source(std::nostopstate);
        bool busy = false, is_done = false;
    };

    /// Whether the entries are others now.
    bool follow(const Subject& subject) {
        std::vector<Entry> wanted;
        if (subject.image && subject.op != nullptr)
            for (const ParamInfo& info : subject.op->params) {
                if (find_suggested(subject.op->id, info.id) == nullptr) continue;
                if (!is_active(subject.op->params, info, subject.params)) continue;
                wanted.push_back({&info, subject});
                wanted.back().subject.params.set(info, info.default_value);
            }
        const auto is_same = [](const Entry& a, const Entry& b) {
            return a.param == b.param && a.subject == b.subject;
        };
        if (std::ranges::equal(wanted, entries_, is_same)) return false;
        for (Entry& entry : wanted)
            if (const auto known = std::ranges::find_if(entries_, [&](const Entry& e) { return is_same(e, entry); });
                known != entries_.end())
                entry = std::exchange(*known, {});
        for (Entry& left : entries_) left.job.request_stop();
        entries_ = std::move(wanted);
        return changed_ = true;
    }
    void start(Entry& entry) {
        entry.busy = true;
        entry.job = worker_.start(
            [subject = entry.subject, param = entry.param](std::stop_token stop) {
                setpriority(PRIO_PROCESS, 0, 10);  // of this thread: frames and results go first
                const Rect seen = region_inside(subject.filtered, subject.image->spec());
                const ImageView image = part_of(subject.image->view(), seen);
                const Rect region = filtered_rect({.region = {subject.region.x - seen.x, subject.region.y - seen.y,
                                                              subject.region.width, subject.region.height}},
                                                  image.spec);
                return std::make_shared<const ParamSuggestions>(
                    suggest(*subject.op, *param, subject.params, image, region, 1, std::move(stop)));
            },
            [this, subject = entry.subject,
             param = entry.param](const Outcome<std::shared_ptr<const ParamSuggestions>>& outcome) {
                const auto asked = std::ranges::find_if(
                    entries_, [&](const Entry& e) { return e.param == param && e.subject == subject; });
                if (asked == entries_.end()) return;
                asked->busy = false;
                asked->is_done = true;  // also where it has failed: the result itself says why
                asked->result = outcome.value.value_or(nullptr);
                changed_ = true;
            });
    }

    std::vector<Entry> entries_;
    Clock::time_point quiet_since_{};
    bool may_start_ = false, changed_ = false;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
