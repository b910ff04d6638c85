// What results are compared with in place of the image that they are made of: a pinned result, or another open image.
// It belongs to that image, goes with it, and comes back with it. Runs on the UI thread and never waits.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/image_io/image_io.h"
#include "app/viewer/live/newest_job.h"
#include "app/viewer/live/pipeline.h"
#include "app/viewer/live/worker_backends.h"
#include "ui/model/views.h"

namespace tonescope {

class Comparison {
  public:
    /// What pinned results may hold together while their images are not shown.
    static constexpr size_t kHeldPins_bytes = size_t{512} << 20;

    /// `tell` gets one line for the user.
    Comparison(Pipeline& pipeline, Tasks& tasks, std::function<void(const std::string&)> tell)
        : pipeline_(pipeline),
          tell_(std::move(tell)),
          other_(tasks, [backends = std::make_shared<WorkerBackends>()](const Request& request, std::stop_token stop) {
              return make(*backends, request, std::move(stop));
          }) {}

    /// The result on screen becomes what later ones are compared with. Nothing happens while it is not finished.
    void pin() {
        if (!pipeline_.up_to_date() || !ui::same_size(pipeline_.after().spec, pipeline_.before().spec)) return;
        pin_subject_ = pipeline_.subject_of(pipeline_.after());
        pin_image_ = pipeline_.image();
        pin_ = pipeline_.download();
    }
    /// The current image is compared with another one. `pixels`: null where they have to be read first. `as_result`:
    /// what the filter makes of it, as it is set.
    void compare_with(const std::string& path, std::shared_ptr<const HostImage> pixels, bool as_result) {
        if (!pipeline_.image()) return;
        put({.basis = ui::Basis::other_image, .path = path, .other = std::move(pixels), .as_result = as_result});
    }
    void compare_with_image() {
        pin_ = {};
        other_.forget();
        bases_.erase(path_);
        pipeline_.set_basis(nullptr);
    }

    /// To be called between frames, before the pipeline's frame(). True when something that is shown has changed.
    bool update(const RunSpec& spec) {
        if (pipeline_.image() != image_) follow_image();
        if (pin_.valid()) finish_pin();
        if (Entry* entry = current(); entry != nullptr && entry->basis == ui::Basis::other_image)
            follow_other(*entry, spec);
        return std::exchange(changed_, false);
    }
    /// To be called after the pipeline has filled the model.
    void fill(ui::ViewsModel& model) const {
        model.original = model.before;
        model.original_subject = model.before_subject;
        model.basis = ui::Basis::image;
        const auto entry = bases_.find(path_);
        if (entry == bases_.end() || pipeline_.basis().empty()) return;
        model.basis = entry->second.basis;
        model.before = pipeline_.basis();
        model.before_subject = entry->second.subject;
    }
    /// Something that is to be shown is on its way.
    bool busy() const { return pin_.valid() || other_.busy(); }

  private:
    struct Entry {
        ui::Basis basis = ui::Basis::pinned;
        ui::PictureSubject subject = {};               // of the pixels
        std::shared_ptr<const HostImage> pixels = {};  // null while they are not known
        std::string path = {};                         // of the other image
        std::shared_ptr<const HostImage> other = {};   // its pixels; null until they are read
        bool as_result = false;
        uint64_t used = 0;
    };
    /// What another image is to be compared as.
    struct Request {
        std::string path;
        std::shared_ptr<const HostImage> image;  // null: it is read
        ImageSpec size;                          // that it must have
        std::optional<RunSpec> run;              // empty: the image itself
        int device = -1;
        bool operator==(const Request& to) const {  // the pixels come from the path
            return path == to.path && ui::same_size(size, to.size) && run == to.run && device == to.device;
        }
    };
    struct Other {
        std::shared_ptr<const HostImage> image = {}, pixels = {};
        std::optional<RunSpec> run = {};
        double ms = -1;
        std::string error = {};  // one line, in place of pixels
    };
    static Other make(WorkerBackends& backends, const Request& request, std::stop_token stop) {
        Other other{.image = request.image, .run = request.run};
        try {
            if (!other.image) {
                const auto file = std::make_shared<LoadedImage>(load_image(request.path, stop));
                other.image = std::shared_ptr<const HostImage>(file, &file->image);
            }
            if (!ui::same_size(other.image->spec(), request.size)) {
                const ui::PictureSubject subject{.path = request.path};
                other.error = subject.name() + " is " + ui::size_text(other.image->spec()) + " and this image " +
                              ui::size_text(request.size) + ": only images of the same size can be compared";
                return other;
            }
            if (request.run) {
                const WorkerBackends::Result result = backends.run(*other.image, *request.run, request.device, stop);
                other.pixels = result.image;
                other.ms = result.ms;
            } else {
                other.pixels = other.image;
            }
        } catch (const UserError& error) {
            other.error = error.what();
        }
        return other;
    }

    Entry* current() {
        const auto found = bases_.find(path_);
        return found == bases_.end() ? nullptr : &found->second;
    }
    void put(Entry entry) {
        other_.forget();
        pipeline_.set_basis(nullptr);
        path_ = pipeline_.image_path();
        image_ = pipeline_.image();
        entry.used = ++clock_;
        bases_[path_] = std::move(entry);
        changed_ = true;
    }
    /// Another image is on screen, or the same one has been read again.
    void follow_image() {
        if (Entry* left = current(); left != nullptr && left->basis == ui::Basis::other_image) {
            left->pixels.reset();  // is made again
            left->other.reset();
        }
        image_ = pipeline_.image();
        pin_ = {};
        other_.forget();
        if (!image_) return;
        path_ = pipeline_.image_path();
        drop_old_pins();
        Entry* entry = current();
        if (entry == nullptr) return;
        entry->used = ++clock_;
        if (entry->basis == ui::Basis::other_image) return;
        if (ui::same_size(entry->pixels->spec(), image_->spec())) {
            pipeline_.set_basis(entry->pixels);
        } else {
            tell_(entry->subject.name() + " has another size now: its pinned result was released");
            bases_.erase(path_);
        }
    }
    void drop_old_pins() {
        while (true) {
            size_t held_bytes = 0;
            auto oldest = bases_.end();
            for (auto entry = bases_.begin(); entry != bases_.end(); ++entry) {
                if (!entry->second.pixels || entry->first == path_) continue;
                held_bytes += entry->second.pixels->size_bytes();
                if (oldest == bases_.end() || entry->second.used < oldest->second.used) oldest = entry;
            }
            if (held_bytes <= kHeldPins_bytes) return;
            tell_("The pinned result of " + oldest->second.subject.name() +
                  " was released: those of other images take too much memory");
            bases_.erase(oldest);
        }
    }
    void finish_pin() {
        if (!is_ready(pin_)) return;
        std::shared_ptr<const HostImage> pixels;
        try {
            pixels = pin_.get();
        } catch (const std::exception&) {  // the session's next result says what is wrong with the device
        }
        if (!pixels || pin_image_ != pipeline_.image()) return;
        put({.basis = ui::Basis::pinned, .subject = pin_subject_, .pixels = pixels});
        pipeline_.set_basis(std::move(pixels));
    }
    void follow_other(Entry& entry, const RunSpec& spec) {
        if (entry.as_result && (spec.variant == nullptr || spec.op->makes_bins)) return;
        Request request{entry.path, entry.other, image_->spec(), std::nullopt, pipeline_.device()};
        if (entry.as_result) request.run = spec;
        other_.want(request);
        if (!other_.result()) return;
        const Other other = *other_.result();
        if (!other.error.empty()) {
            tell_(other.error);
            compare_with_image();
            return;
        }
        if (other.pixels == entry.pixels) return;
        entry.other = other.image;
        entry.pixels = other.pixels;
        entry.subject = {.path = entry.path, .size = other.pixels->spec(), .run = other.run, .ms = other.ms};
        pipeline_.set_basis(entry.pixels);
        changed_ = true;
    }

    Pipeline& pipeline_;
    std::function<void(const std::string&)> tell_;
    std::map<std::string, Entry> bases_;  // by the path of the image that they belong to
    uint64_t clock_ = 0;
    std::string path_;                                   // of the image on screen
    std::shared_ptr<const HostImage> image_;             // it
    std::future<std::shared_ptr<const HostImage>> pin_;  // on its way from the device
    std::shared_ptr<const HostImage> pin_image_;         // of which it is the result
    ui::PictureSubject pin_subject_;
    bool changed_ = false;
    NewestJob<Request, Other> other_;
};

}  // namespace tonescope
