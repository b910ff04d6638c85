// Workers as the window has them, for classes that run jobs on them.
#pragma once

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "app/system/tasks.h"
#include "app/viewer/files/notices.h"

namespace tonescope {

struct Workers {
    Tasks tasks{4, [] {}};
    Notices notices;

    /// Takes over what jobs have done until the condition holds; false where that takes too long.
    template <class Condition>
    bool wait(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(90);
        while (true) {
            tasks.drain();
            if (condition()) return true;
            if (std::chrono::steady_clock::now() > end) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    /// Until all jobs have ended.
    bool finish() {
        return wait([&] { return tasks.open_jobs() == 0; });
    }
    std::vector<std::string> texts() const {
        std::vector<std::string> texts;
        for (const ui::Notice& notice : notices.all()) texts.push_back(notice.text);
        return texts;
    }
};

/// Jobs wait at it until it is opened, like one whose disk does not answer.
class Gate {
  public:
    ~Gate() { open(); }
    void open() {
        if (!std::exchange(is_open_, true)) promise_.set_value();
    }
    void pass() const { future_.wait(); }

  private:
    bool is_open_ = false;
    std::promise<void> promise_;
    std::shared_future<void> future_ = promise_.get_future().share();
};

}  // namespace tonescope
