// Explains the pixel under the cursor, in the result that the pane there shows.
#pragma once

#include <any>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/viewer/live/newest_job.h"
#include "gpu/core/backend.h"
#include "gpu/core/registry.h"
#include "gpu/cpu/display_histogram.h"

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
    /// To be called between frames. `image`: null while there is none. `params` and
    /// `part`: those in use.
    void update(const std::shared_ptr<const HostImage>& image, const OperatorInfo* op, const ParamBlock& params,
                const ResultPart& part = {}) {
        const bool is_possible =
            wanted_ && image && op != nullptr && op->explain != nullptr && misfit(part, image->spec()).empty();
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
    /// Operator, parameters and part that this explanation is of. Its cells begin at the part's corner.
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
    static bool contains(const Rect& rect, Pixel at) {
        return at.x >= rect.x && at.y >= rect.y && at.x < rect.x + rect.width && at.y < rect.y + rect.height;
    }
    bool is_inside(Pixel pixel) const {
        return contains({0, 0, subject_.image->width(), subject_.image->height()}, pixel);
    }
    static Answer explain(const Job& job, std::stop_token stop) {
        const Subject& subject = job.subject;
        const ImageView image = subject.image->view();
        const Rect rect = filtered_rect(subject.part, image.spec);
        const Pixel pixel = job.request.pixel;
        auto explanation = std::make_shared<Explanation>();
        if (contains(rect, pixel)) {
            const auto in_rect = [&](Pixel at) { return Pixel{at.x - rect.x, at.y - rect.y}; };
            std::optional<Pixel> kept = job.request.kept;
            kept = kept && contains(rect, *kept) ? std::optional(in_rect(*kept)) : std::nullopt;
            *explanation = subject.op->explain({
                .input = part_of(image, rect),
                .params = subject.params,
                .pixel = in_rect(pixel),
                .kept = kept,
                .cache = job.cache.get(),
                .threads = default_cpu_threads(),
                .stop = std::move(stop),
            });
            move_by(rect.x, rect.y, *explanation);
        } else {
            explanation->pixel = pixel;
        }
        add_note(part_note(subject, image.spec, explanation->pixel), explanation->note);
        return {std::move(explanation), {.op = subject.op, .params = subject.params, .part = subject.part}};
    }
    /// From the rectangle that the operator sees to the image, but for cells.
    static void move_by(int x, int y, Explanation& e) {
        const auto move = [&](auto& place) {
            place.x += x;
            place.y += y;
        };
        move(e.pixel);
        move(e.surroundings);
        for (ExplainedArea& area : e.areas) move(area.rect);
    }
    /// How much of the operator's result stands at the pixel; empty where that is all of it.
    static std::string part_note(const Subject& subject, const ImageSpec& image, Pixel at) {
        const RegionWeights region(subject.part, image);
        if (region.at(at.x, at.y) == 0) return "This pixel lies outside of the region and stays as it is.";
        const int weight = part_weight(subject.part, region, at.x, at.y);
        if (weight == RegionWeights::kWhole || subject.op->makes_bins) return {};
        if (weight == 0) return "The mask leaves this pixel as it is.";
        return "The result stands here with " + std::to_string(weight) + " of 255 parts, the image with the others.";
    }
    static void add_note(const std::string& sentence, std::string& note) {
        if (!note.empty() && !sentence.empty()) note += ' ';
        note += sentence;
    }

    std::optional<Request> wanted_;
    Subject subject_;
    std::shared_ptr<std::any> cache_;  // the operator's, of this subject
    NewestJob<Job, Answer> job_;
};

}  // namespace tonescope
