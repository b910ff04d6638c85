// Jobs that wait for a disk or another program, which may take for ever, and whose outcome nobody needs once they are
// cancelled.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/system/tasks.h"

namespace tonescope {

class LookUps {
  public:
    explicit LookUps(Tasks& tasks) : tasks_(tasks) {}

    /// As Tasks::start(). `what` is shown while it takes long.
    template <class Work, class Done>
    void start(std::string what, Work work, Done done) {
        using T = std::invoke_result_t<Work, std::stop_token>;
        const uint64_t id = next_id_++;
        std::stop_source stop =
            tasks_.start(std::move(work), [this, id, done = std::move(done)](Outcome<T> outcome) mutable {
                std::erase_if(running_, [&](const LookUp& look_up) { return look_up.id == id; });
                done(std::move(outcome));
            });
        running_.push_back({id, std::move(what), std::move(stop)});
    }
    /// Their `done` is not called any more. A job that hangs keeps its thread.
    void cancel() {
        for (LookUp& look_up : running_) look_up.stop.request_stop();
        running_.clear();
    }
    bool empty() const { return running_.empty(); }
    bool has(std::string_view what) const { return std::ranges::find(running_, what, &LookUp::what) != running_.end(); }
    /// What the one that has been running longest does; there must be one.
    const std::string& oldest() const { return running_.front().what; }

  private:
    struct LookUp {
        uint64_t id;
        std::string what;
        std::stop_source stop;
    };

    Tasks& tasks_;
    std::vector<LookUp> running_;
    uint64_t next_id_ = 1;
};

}  // namespace tonescope
