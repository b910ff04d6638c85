#include "app/viewer/live/explanation_task.h"

#include <utility>

namespace tonescope {

bool ExplanationTask::update(const std::shared_ptr<const HostImage>& image, const OperatorInfo* op,
                             const ParamBlock& params) {
    worker_.drain();
    const bool possible = wanted_ && image && op != nullptr && op->explain != nullptr;
    const Subject subject = possible ? Subject{image, op, params} : Subject{};
    if (subject != subject_) {
        if (subject.image != subject_.image || subject.op != subject_.op) clear();
        subject_ = subject;
        cache_ = std::make_shared<std::any>();
        asked_.reset();
    }
    if (possible && !is_running_ && asked_ != wanted_) start();
    return std::exchange(changed_, false);
}

void ExplanationTask::clear() {
    running_.request_stop();
    is_running_ = false;
    changed_ |= explanation_ != nullptr;
    explanation_.reset();
}

void ExplanationTask::start() {
    const auto inside = [&](Pixel pixel) {
        return pixel.x >= 0 && pixel.y >= 0 && pixel.x < subject_.image->width() && pixel.y < subject_.image->height();
    };
    asked_ = wanted_;
    if (!inside(wanted_->pixel) || (wanted_->kept && !inside(*wanted_->kept))) return;
    is_running_ = true;
    running_ = worker_.start(
        [subject = subject_, cache = cache_, wanted = *wanted_](std::stop_token stop) {
            auto explanation = std::make_shared<const Explanation>(subject.op->explain({
                .input = subject.image->view(),
                .params = subject.params,
                .pixel = wanted.pixel,
                .kept = wanted.kept,
                .cache = cache.get(),
                .threads = default_cpu_threads(),
                .stop = stop,
            }));
            if (stop.stop_requested()) throw Cancelled{};
            return explanation;
        },
        [this](Outcome<std::shared_ptr<const Explanation>> outcome) {
            is_running_ = false;
            changed_ = true;
            explanation_ = outcome.value.value_or(nullptr);
        });
}

}  // namespace tonescope
