// Explains the pixel under the cursor.
#pragma once

#include <any>
#include <memory>
#include <optional>

#include "app/viewer/live/newest_job.h"
#include "gpu/core/registry.h"

namespace tonescope {

class ExplanationTask {
  public:
    struct Request {
        Pixel pixel;
        std::optional<Pixel> kept;  // the user holds on to it
        bool operator==(const Request&) const = default;
    };

    explicit ExplanationTask(Tasks& tasks) : job_(tasks, explain) {}

    /// Without a request no explanation is shown.
    void ask(const std::optional<Request>& wanted) { wanted_ = wanted; }
    /// To be called between frames. `image`: null while there is none.
    void update(const std::shared_ptr<const HostImage>& image, const OperatorInfo* op, const ParamBlock& params) {
        const bool is_possible = wanted_ && image && op != nullptr && op->explain != nullptr;
        const Subject subject = is_possible ? Subject{image, op, params} : Subject{};
        if (subject != subject_) {
            // The explanation of other parameters is still shown, so that a dragged slider does not hold it up.
            if (subject.image != subject_.image || subject.op != subject_.op) job_.forget();
            subject_ = subject;
            cache_ = std::make_shared<std::any>();
        }
        if (is_possible && is_inside(wanted_->pixel) && (!wanted_->kept || is_inside(*wanted_->kept)))
            job_.want({subject_, *wanted_, cache_});
    }
    /// Null while nothing is known. The explanation of other parameters stays until the next one is there.
    std::shared_ptr<const Explanation> explanation() const { return job_.result().value_or(nullptr); }
    /// The newest explanation is still on its way.
    bool busy() const { return job_.busy(); }

  private:
    /// All that an explanation depends on beside the pixels.
    struct Subject {
        std::shared_ptr<const HostImage> image;
        const OperatorInfo* op = nullptr;
        ParamBlock params;
        bool operator==(const Subject&) const = default;
    };
    struct Job {
        Subject subject;
        Request request;
        std::shared_ptr<std::any> cache;
        bool operator==(const Job&) const = default;
    };
    bool is_inside(Pixel pixel) const {
        const HostImage& image = *subject_.image;
        return pixel.x >= 0 && pixel.y >= 0 && pixel.x < image.width() && pixel.y < image.height();
    }
    static std::shared_ptr<const Explanation> explain(const Job& job, std::stop_token stop) {
        return std::make_shared<const Explanation>(job.subject.op->explain({
            .input = job.subject.image->view(),
            .params = job.subject.params,
            .pixel = job.request.pixel,
            .kept = job.request.kept,
            .cache = job.cache.get(),
            .threads = default_cpu_threads(),
            .stop = std::move(stop),
        }));
    }

    std::optional<Request> wanted_;
    Subject subject_;
    std::shared_ptr<std::any> cache_;  // the operator's, of this subject
    NewestJob<Job, std::shared_ptr<const Explanation>> job_;
};

}  // namespace tonescope
