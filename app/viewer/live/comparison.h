// What results are compared with in place of the image that they are made of: a pinned result, or a reference, which is
// any other image file.
// It belongs to that image, goes with it, and comes back with it. Runs on the UI thread and never waits.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "app/viewer/live/newest_job.h"
#include "app/viewer/live/pipeline.h"
#include "app/viewer/live/worker_backends.h"
#include "ui/model/views.h"

namespace tonescope {

/// Images by their paths, whether they are open or not.
struct OtherImages {
    std::function<std::shared_ptr<const HostImage>(const std::string& path)> pixels;  // null: not in memory
    std::function<void(const std::string& path)> read;                                // begins; tells what is wrong
    std::function<bool(const std::string& path)> reads;                               // has begun and not ended
};

/// Another image that results are compared with.
struct Reference {
    std::string path;
    bool as_result = false;  // what the filter makes of it, as it is set; false: the image itself
    bool operator==(const Reference&) const = default;
};

/// `Shown`: Pipeline, but for tests.
template <class Shown>
class BasicComparison {
  public:
    /// What pinned results may hold together while their images are not shown.
    static constexpr size_t kHeldPins_bytes = size_t{512} << 20;

    /// `tell` gets one line for the user.
    BasicComparison(Shown& pipeline, Tasks& tasks, OtherImages images, std::function<void(const std::string&)> tell,
                    size_t held_pins_bytes = kHeldPins_bytes)
        : pipeline_(pipeline),
          tasks_(tasks),
          images_(std::move(images)),
          tell_(std::move(tell)),
          held_pins_bytes_(held_pins_bytes),
          other_(tasks, [backends = backends_](const Request& request, std::stop_token stop) {
              return backends->run(*request.image, request.run, request.device, std::move(stop));
          }) {}

    /// The result on screen becomes what later ones are compared with. Nothing happens while it is not finished.
    void pin() {
        if (!pipeline_.up_to_date() || !ui::same_size(pipeline_.after().spec, pipeline_.before().spec)) return;
        pin_subject_ = pipeline_.subject_of(pipeline_.after());
        pin_image_ = pipeline_.image();
        pin_ = pipeline_.download();
    }
    /// The current image is compared with another one. `as_result`: with what the filter makes of it, as it is set.
    void compare_with(const std::string& path, bool as_result) {
        if (!pipeline_.image()) return;
        Entry entry;
        entry.basis = ui::Basis::reference;
        entry.path = path;
        entry.as_result = as_result;
        put(std::move(entry));
    }
    void compare_with_image() {
        pin_ = {};
        forget_other();
        bases_.erase(place_);
        pipeline_.set_basis(nullptr);
    }

    /// An image by its path and page, as Pipeline::image_place() has them.
    using Place = std::pair<std::string, int>;
    /// The reference of an image, whether it is on screen or not; empty: it has none.
    std::optional<Reference> reference_of(const Place& place) const {
        const auto found = bases_.find(place);
        if (found == bases_.end() || found->second.basis != ui::Basis::reference) return std::nullopt;
        return Reference{found->second.path, found->second.as_result};
    }
    /// ... without which it is compared with itself.
    void set_reference(const Place& place, const std::optional<Reference>& reference) {
        if (place == place_) compare_with_image();
        bases_.erase(place);
        if (!reference) return;
        bases_[place] = {.basis = ui::Basis::reference, .path = reference->path, .as_result = reference->as_result};
        if (place == place_) image_.reset();  // it is looked for anew
    }

    /// To be called between frames, before the pipeline's frame(). True when something that is shown has changed.
    bool update(const RunSpec& spec) {
        if (pipeline_.image() != image_) follow_image();
        if (pin_.valid()) finish_pin();
        if (Entry* entry = current(); entry != nullptr && entry->basis == ui::Basis::reference)
            follow_other(*entry, spec);
        return std::exchange(changed_, false);
    }
    /// To be called after the pipeline has filled the model.
    void fill(ui::ViewsModel& model) const {
        model.original = model.before;
        model.original_subject = model.before_subject;
        model.basis = ui::Basis::image;
        const auto entry = bases_.find(place_);
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
        bool is_asked_for = false;                     // they are to be read
        bool as_result = false;
        uint64_t used = 0;
    };
    /// What the filter is to make of another image.
    struct Request {
        std::shared_ptr<const HostImage> image;
        RunSpec run;
        int device = -1;
        bool operator==(const Request&) const = default;
    };

    Entry* current() {
        const auto found = bases_.find(place_);
        return found == bases_.end() ? nullptr : &found->second;
    }
    void put(Entry entry) {
        forget_other();
        pipeline_.set_basis(nullptr);
        place_ = pipeline_.image_place();
        image_ = pipeline_.image();
        entry.used = ++clock_;
        bases_[place_] = std::move(entry);
        changed_ = true;
    }
    /// Another image is on screen, or the same one has been read again.
    void follow_image() {
        if (Entry* left = current(); left != nullptr && left->basis == ui::Basis::reference) {
            left->pixels.reset();  // is made again
            left->other.reset();
            left->is_asked_for = false;
        }
        image_ = pipeline_.image();
        pin_ = {};
        forget_other();
        place_ = image_ ? pipeline_.image_place() : Place{};
        if (!image_) return;
        drop_old_pins();
        Entry* entry = current();
        if (entry == nullptr) return;
        entry->used = ++clock_;
        if (entry->basis == ui::Basis::reference) return;
        if (ui::same_size(entry->pixels->spec(), image_->spec())) {
            pipeline_.set_basis(entry->pixels);
        } else {
            tell_(entry->subject.name() + " has another size now: its pinned result was released");
            bases_.erase(place_);
        }
    }
    void drop_old_pins() {
        while (true) {
            size_t held_bytes = 0;
            auto oldest = bases_.end();
            for (auto entry = bases_.begin(); entry != bases_.end(); ++entry) {
                if (!entry->second.pixels || entry->first == place_) continue;
                held_bytes += entry->second.pixels->size_bytes();
                if (oldest == bases_.end() || entry->second.used < oldest->second.used) oldest = entry;
            }
            if (held_bytes <= held_pins_bytes_) return;
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
        if (auto pixels = images_.pixels(entry.path)) entry.other = std::move(pixels);
        if (!entry.other) {
            if (!std::exchange(entry.is_asked_for, true))
                images_.read(entry.path);
            else if (!images_.reads(entry.path))  // it cannot be read, or shall not be
                end_with({});
            return;
        }
        const std::string name = ui::PictureSubject{.path = entry.path}.name();
        if (!ui::same_size(entry.other->spec(), image_->spec()))
            return end_with(name + " is " + ui::size_text(entry.other->spec()) + " and this image " +
                            ui::size_text(image_->spec()) + ": only images of the same size can be compared");
        if (!entry.as_result) return show(entry, entry.other, {}, -1);
        if (spec.variant == nullptr || spec.op->makes_bins) return;
        runs_ = true;
        other_.want({entry.other, spec, pipeline_.device()});
        if (!other_.error().empty()) return end_with("cannot compare with " + name + ": " + other_.error());
        if (const auto& made = other_.result()) show(entry, made->image, made->spec, made->ms);
    }
    void show(Entry& entry, const std::shared_ptr<const HostImage>& pixels, const std::optional<RunSpec>& run,
              double ms) {
        if (pixels == entry.pixels) return;
        entry.pixels = pixels;
        entry.subject = {.path = entry.path, .size = pixels->spec(), .run = run, .ms = ms};
        pipeline_.set_basis(pixels);
        changed_ = true;
    }
    void end_with(const std::string& error) {
        if (!error.empty()) tell_(error);
        compare_with_image();
        changed_ = true;
    }
    void forget_other() {
        other_.forget();
        if (std::exchange(runs_, false)) release_on(tasks_, backends_);
    }

    Shown& pipeline_;
    Tasks& tasks_;
    OtherImages images_;
    std::function<void(const std::string&)> tell_;
    size_t held_pins_bytes_;
    std::map<Place, Entry> bases_;  // by the image that they belong to
    uint64_t clock_ = 0;
    Place place_;                                        // of the image on screen; empty where there is none
    std::shared_ptr<const HostImage> image_;             // it
    std::future<std::shared_ptr<const HostImage>> pin_;  // on its way from the device
    std::shared_ptr<const HostImage> pin_image_;         // of which it is the result
    ui::PictureSubject pin_subject_;
    bool changed_ = false;
    bool runs_ = false;  // the backends may hold something
    std::shared_ptr<WorkerBackends> backends_ = std::make_shared<WorkerBackends>();
    NewestJob<Request, WorkerBackends::Result> other_;
};
using Comparison = BasicComparison<Pipeline>;

}  // namespace tonescope
