// Explains the pixel under the cursor, in the result that the pane there shows.
#pragma once

#include <any>
#include <memory>
#include <optional>
#include <utility>

#include "app/viewer/live/newest_job.h"
#include "gpu/core/backend.h"
#include "gpu/core/registry.h"

namespace tonescope {

class ExplanationTask {
  public:
    struct Request {
        Pixel pixel;
        std::optional<Pixel> kept;         // the user holds on to it
        const OperatorInfo* op = nullptr;  // that `params` are of; while another one is in use they do not count
        ParamBlock params = {};            // explained in place of those in use
        bool operator==(const Request&) const = default;
    };

    explicit ExplanationTask(Tasks& tasks) : job_(tasks, explain) {}

    /// Without a request no explanation is shown.
    void ask(const std::optional<Request>& wanted) { wanted_ = wanted; }
    /// To be called between frames. `image`: null while there is none. `params`: those in use.
    void update(const std::shared_ptr<const HostImage>& image, const OperatorInfo* op, const ParamBlock& params,
                const ResultPart& part = {}) {
        const bool is_possible = wanted_ && image && op != nullptr && op->explain != nullptr;
        const Subject subject =
            is_possible ? Subject{image, op, wanted_->op == op ? wanted_->params : params, part} : Subject{};
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
    std::shared_ptr<const Explanation> explanation() const { return job_.result().value_or(Answer{}).explanation; }
    /// Operator and parameters that this explanation is of.
    RunSpec explained() const { return job_.result().value_or(Answer{}).run; }
    /// The newest explanation is still on its way.
    bool busy() const { return job_.busy(); }

  private:
    /// All that an explanation depends on beside the pixels.
    struct Subject {
        std::shared_ptr<const HostImage> image;
        const OperatorInfo* op = nullptr;
        ParamBlock params;
        ResultPart part;
        bool operator==(const Subject&) const = default;
    };
    struct Job {
        Subject subject;
        Request request;
        std::shared_ptr<std::any> cache;
        bool operator==(const Job&) const = default;
    };
    struct Answer {
        std::shared_ptr<const Explanation> explanation;
        RunSpec run;
    };
    bool is_inside(Pixel pixel) const {
        const HostImage& image = *subject_.image;
        return pixel.x >= 0 && pixel.y >= 0 && pixel.x < image.width() && pixel.y < image.height();
    }
    /// The result is what stands at the pixel, of which the operator's may be a part.
    static void blend_result(const Subject& subject, Explanation& e) {
        const ImageView image = subject.image->view();
        const Pixel at = e.pixel;
        if (subject.part.is_whole() || !misfit(subject.part, image.spec).empty()) return;
        int weight = RegionWeights(subject.part, image.spec).at(at.x, at.y);
        if (subject.part.mask != nullptr)
            weight = RegionWeights::masked(weight, subject.part.mask->view().row(at.y)[at.x]);
        if (weight == RegionWeights::kWhole) return;
        const bool to_gray = is_gray(subject.op->output_spec(image.spec, subject.params).format);
        const auto sample = [&](int channel) { return int{image.sample(at.x, at.y, channel)}; };
        if (to_gray && !is_gray(image.spec.format))
            e.result[0] = uint16_t(blended_sample(e.result[0], luma(sample(0), sample(1), sample(2)), weight));
        else
            for (int c = 0; c < (to_gray ? 1 : 3); ++c)
                e.result[size_t(c)] = uint16_t(blended_sample(e.result[size_t(c)], sample(c), weight));
        const std::string share = std::to_string((100 * weight + 127) / 255);
        e.note += (e.note.empty() ? "" : " ") +
                  (weight == 0 ? "This pixel lies outside of what is filtered, and stays."
                               : "Of the result, the region and the mask take " + share + " % here.");
    }
    static Answer explain(const Job& job, std::stop_token stop) {
        auto explanation = std::make_shared<Explanation>(job.subject.op->explain({
            .input = job.subject.image->view(),
            .params = job.subject.params,
            .pixel = job.request.pixel,
            .kept = job.request.kept,
            .cache = job.cache.get(),
            .threads = default_cpu_threads(),
            .stop = std::move(stop),
        }));
        if (!job.subject.op->makes_bins) blend_result(job.subject, *explanation);
        return {std::move(explanation), {job.subject.op, nullptr, job.subject.params}};
    }

    std::optional<Request> wanted_;
    Subject subject_;
    std::shared_ptr<std::any> cache_;  // the operator's, of this subject
    NewestJob<Job, Answer> job_;
};

}  // namespace tonescope
