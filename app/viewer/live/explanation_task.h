// Explains the pixel under the cursor on a worker of its own: one at a time, then the newest. Runs on the UI thread and
// never waits.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "app/system/tasks.h"
#include "gpu/core/registry.h"

namespace tonescope {

class ExplanationTask {
  public:
    struct Request {
        Pixel pixel;
        std::optional<Pixel> kept;  // the user holds on to it
        bool operator==(const Request&) const = default;
    };

    /// `wake` may be called from any thread.
    explicit ExplanationTask(std::function<void()> wake) : worker_(1, std::move(wake)) {}

    /// Nothing: no explanation is shown.
    void ask(const std::optional<Request>& wanted) { wanted_ = wanted; }
    /// Between frames. `image`: null while there is none. True when the explanation has changed.
    bool update(const std::shared_ptr<const HostImage>& image, const OperatorInfo* op, const ParamBlock& params);
    /// Null while nothing is known. With other parameters it stays until the next one is there.
    const std::shared_ptr<const Explanation>& explanation() const { return explanation_; }
    /// The newest one is still on its way.
    bool busy() const { return worker_.open_jobs() > 0; }

  private:
    /// All that an explanation depends on beside the pixels.
    struct Subject {
        std::shared_ptr<const HostImage> image;
        const OperatorInfo* op = nullptr;
        ParamBlock params;
        bool operator==(const Subject&) const = default;
    };
    void start();
    /// Of other parameters the one under way is still shown, so that a dragged slider does not hold it up.
    void clear();

    std::optional<Request> wanted_;
    Subject subject_;
    std::shared_ptr<std::any> cache_;  // the operator's, of this subject
    std::optional<Request> asked_;     // of this subject, last started or done
    std::shared_ptr<const Explanation> explanation_;
    std::stop_source running_;
    bool is_running_ = false, changed_ = false;
    Tasks worker_;  // last: its thread uses what stands above
};

}  // namespace tonescope
