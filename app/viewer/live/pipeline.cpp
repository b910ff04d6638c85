#include "app/viewer/live/pipeline.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>

#include "app/system/device_answer.h"
#include "gpu/core/error.h"
#include "gpu/core/limits/stage_bytes.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/ops/histogram/histogram.h"

namespace tonescope {
namespace {

constexpr size_t kHistoryLength = 64;
/// What a frame may spend on the session and on copying pictures to the screen, and how much it copies before it looks
/// at the clock.
constexpr std::chrono::milliseconds kCopyPerFrame{4};
constexpr size_t kCopyPiece_bytes = size_t{2} << 20;
/// Pictures up to this size are prepared on the UI thread at once.
constexpr int64_t kSmallRun_px = 300'000;

const Picture kNoPicture;

/// Who waits for a session on a device asks the device after kDevicePatience, and waits for the answer so long.
constexpr std::chrono::seconds kAnswerPatience{5};
/// How long an image that is being read waits for memory that a device takes it from.
constexpr std::chrono::seconds kMemoryPatience{1};
/// A session that has waited so long is not waited for where it is to go.
constexpr std::chrono::milliseconds kLeavePatience{2000};
/// Who closes the window waits so long for pixels from a device alone: it copies even large images in less.
constexpr std::chrono::milliseconds kDownloadPatience{300};

/// Counts itself as long as it lives.
struct Counted {
    explicit Counted(std::atomic<int>& all) : count(all) { ++count; }
    ~Counted() { --count; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    std::atomic<int>& count;
};

void append(ui::StageRow& row, const StageTime& time, uint64_t bytes, int64_t pixels) {
    std::vector<float>& history = row.history_ms;
    row.best_ms = history.empty() ? time.ms : std::min(row.best_ms, time.ms);
    row.last_ms = time.ms;
    history.push_back(float(time.ms));
    if (history.size() > kHistoryLength) history.erase(history.begin());
    std::vector<float> sorted = history;
    const auto middle = sorted.begin() + ptrdiff_t(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle);
    row.median_ms = *middle;
    row.mpixel_s = row.median_ms > 0 ? double(pixels) / row.median_ms * 1e-3 : 0;
    row.gb_s = row.median_ms > 0 ? double(bytes) / row.median_ms * 1e-6 : 0;
}

}  // namespace

Pipeline::Pipeline(const Options& options, Tasks& tasks, FrameTimes& times, std::function<void()> wake)
    : options_(options), tasks_(tasks), times_(times), wake_(std::move(wake)) {
    cuda_reason_ = "the CPU backend was asked for";
    std::string why_copied = cuda_reason_;
    bool tries_cuda = options.backend != BackendChoice::cpu;
    if (tries_cuda && !answers_at_the_start()) {
        if (options.backend == BackendChoice::cuda) throw DeviceError(kSilent);
        cuda_reason_ = why_copied = kSilent;
        messages_.push_back({false, std::string(kSilent) + ": the CPU takes its place"});
        tries_cuda = false;
    }
    if (tries_cuda) presenter_ = make_interop_presenter(options.device, &why_copied);
    if (!presenter_) presenter_ = std::make_unique<Presenter>(why_copied);
    if (tries_cuda) {
        try {
            make_session(BackendKind::cuda);
            cuda_reason_.clear();
        } catch (const DeviceError& error) {
            if (options.backend == BackendChoice::cuda) throw;
            cuda_reason_ = error.what();
        }
    }
    if (!session_) make_session(BackendKind::cpu);
}

void Pipeline::make_session(BackendKind kind) {
    std::unique_ptr<LiveSession> before = std::exchange(
        session_, kind == BackendKind::cpu ? make_cpu_session(wake_)
                                           : make_cuda_session(wake_, presenter_->result_textures(), options_.device));
    const bool keeps_waiting = before && before->kind() == BackendKind::cuda &&
                               std::chrono::steady_clock::now() - waits_since_ > kLeavePatience;
    if (!before || !(is_silent_ || keeps_waiting)) return;
    is_silent_ = true;
    presenter_->leave_behind();
    left_ = run_apart([session = before.release()] { delete session; });
    cuda_reason_ = kSilent;
    // What it was to give, the CPU gives.
    for (Download& download : downloads_) download.found = {};
}

bool Pipeline::answers_at_the_start() {
    left_ = ask_device(options_.device);
    is_silent_ = left_.valid() && left_.wait_for(kDevicePatience) != std::future_status::ready;
    if (!is_silent_) left_ = {};  // what it throws is thrown again by whoever uses the device
    return !is_silent_;
}

/// `has_come`: something of what the session was asked for.
void Pipeline::watch_device(bool has_come) {
    const auto now = std::chrono::steady_clock::now();
    if (is_silent_ && left_.valid() && is_ready(left_)) {
        left_ = {};
        is_silent_ = false;
        cuda_reason_.clear();
        changed_ = true;
    }
    if (answer_.valid() && is_ready(answer_)) {
        answer_ = {};
        has_come = true;  // it works on something that takes long
    }
    const bool awaits_pixels = std::ranges::any_of(downloads_, [](const auto& each) { return each.found.valid(); });
    const bool waits = backend() == BackendKind::cuda && (session_->busy() || awaits_pixels);
    if (has_come || !waits) waits_since_ = now;
    if (now - waits_since_ < kDevicePatience || is_silent_) return;
    if (!answer_.valid()) {
        answer_ = ask_device(device());
        asked_at_ = now;
    } else if (now - asked_at_ >= kAnswerPatience) {
        answer_ = {};
        is_silent_ = true;
        messages_.push_back({true, kSilent});
    }
}

void Pipeline::use_backend(BackendKind kind) {
    if (kind == backend()) return;
    if (kind == BackendKind::cuda && is_silent_) throw DeviceError(kSilent);
    make_session(kind);
    // A device that has failed works again when nobody holds it.
    if (kind == BackendKind::cpu && !is_silent_) presenter_->let_go();
    session_->set_image(image_, image_serial_);
    dirty_ = image_ != nullptr;
    reset_times();
    resources_.clear();
}

MakeImage Pipeline::make_image() const {
    std::shared_ptr<ImageMemory> memory = image_memory();
    if (!memory) return {};
    return [memory = std::move(memory)](const ImageSpec& spec) {
        const auto image = std::make_shared<HostImage>();
        const std::future<void> made = run_apart([memory, image, spec] { *image = memory->make(spec); });
        const bool is_made = made.valid() && made.wait_for(kMemoryPatience) == std::future_status::ready;
        return is_made ? std::move(*image) : HostImage();
    };
}

void Pipeline::set_image(std::shared_ptr<const HostImage> image, ImageName name) {
    if (image == image_) {
        names_.back().name = std::move(name);
        return;
    }
    image_ = std::move(image);
    result_spec_.reset();
    ++image_serial_;
    serial_ = image_serial_ << 32;
    names_.push_back({serial_, std::move(name)});
    shown_serial_ = 0;
    preview_region_ = {};
    presenter_->clear(PictureRole::preview);
    set_basis(nullptr);
    for (size_t k = 0; k < kMaxCells; ++k) show_cell(k, nullptr);
    histogram_after_.reset();
    bins_.reset();
    plot_.reset();
    changed_ = true;
    session_->set_image(image_, image_serial_);
    if (!image_) {
        presenter_->clear(PictureRole::before);
        presenter_->clear(PictureRole::after);
        histogram_before_.reset();
        return;
    }
    dirty_ = true;
    present(PictureRole::before, image_, image_serial_ << 32);
    ++awaited_;
    tasks_.start(
        [image_to_count = image_](std::stop_token stop) {
            return count_display_histogram(image_to_count->view(), default_cpu_threads(), stop);
        },
        [this, serial = image_serial_](Outcome<DisplayHistogram> outcome) {
            --awaited_;
            if (serial != image_serial_) return;
            histogram_before_ = std::move(outcome.value);
            changed_ = true;
        });
}

void Pipeline::set_basis(std::shared_ptr<const HostImage> basis) {
    if (basis == basis_) return;
    basis_ = std::move(basis);
    changed_ = true;
    if (!basis_) {
        presenter_->clear(PictureRole::basis);
        return;
    }
    // Counts on within the image's serials; the other pictures' do not meet it.
    basis_serial_ = std::max(basis_serial_ + 1, image_serial_ << 32);
    present(PictureRole::basis, basis_, basis_serial_);
}

void Pipeline::show_cell(size_t cell, std::shared_ptr<const Pyramid> pyramid) {
    if (pyramid == cells_[cell]) return;
    cells_[cell] = pyramid;
    if (!pyramid) {
        presenter_->clear(cell_role(cell));
        changed_ = true;
        return;
    }
    cell_serial_ = std::max(cell_serial_ + 1, image_serial_ << 32);
    presenter_->share_among(size_t(std::ranges::count_if(cells_, [](const auto& shown) { return shown != nullptr; })));
    show(cell_role(cell), std::move(pyramid), cell_serial_);
}

void Pipeline::set_spec(const RunSpec& spec) {
    if (spec == spec_) return;
    spec_ = spec;
    dirty_ = image_ != nullptr;
}

void Pipeline::cancel() {
    session_->cancel();
    preview_region_ = {};
    dirty_ = false;
    changed_ = true;
}

void Pipeline::present(PictureRole role, std::shared_ptr<const HostImage> image, uint64_t serial, bool is_told) {
    const auto lacks = [this, role, image, serial, is_told](const std::string& error) {
        if (!is_told) messages_.push_back({false, error + " to show the image"});
        unmade_.push_back({role, image, serial});
        retry_at_ = std::chrono::steady_clock::now() + kRetry;
    };
    if (image->spec().pixels() <= kSmallRun_px) {
        try {
            show(role, make_pyramid(image, 1), serial);
        } catch (const std::bad_alloc&) {
            lacks("not enough memory");
        } catch (const MemoryError& error) {
            lacks(error.what());
        }
        return;
    }
    ++awaited_;
    tasks_.start([image](std::stop_token) { return make_pyramid(image, default_cpu_threads()); },
                 [this, role, serial, lacks](Outcome<std::shared_ptr<const Pyramid>> outcome) {
                     --awaited_;
                     if (!outcome.error.empty()) lacks(outcome.error);
                     if (outcome.value) show(role, *outcome.value, serial);
                 });
}

void Pipeline::show(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial) {
    if (!is_current(serial) || serial < newest_[size_t(role)]) return;
    const FrameTimes::Scope part(times_, FramePart::upload);
    newest_[size_t(role)] = serial;
    presenter_->show(role, std::move(image), serial);
    presenting_ = true;
}

std::array<uint64_t, kPictureRoles> Pipeline::serials() const {
    std::array<uint64_t, kPictureRoles> shown{};
    for (size_t role = 0; role < kPictureRoles; ++role) shown[role] = presenter_->picture(PictureRole(role)).serial;
    return shown;
}

bool Pipeline::frame(const Rect& visible, double scale, bool wants_stages) {
    const auto copies_until = std::chrono::steady_clock::now() + kCopyPerFrame;
    {
        const FrameTimes::Scope part(times_, FramePart::kernels);
        if (wants_stages && std::exchange(lacks_stages_, false)) dirty_ = image_ != nullptr;
        if (dirty_ && image_ && spec_.variant != nullptr) {
            dirty_ = false;
            runs_.push_back({++serial_, spec_, wants_stages});
            session_->submit({serial_, spec_, visible, scale, wants_stages});
        }
        bool has_come = false;
        for (; std::optional<LiveResult> result = session_->poll(); has_come = true) take(std::move(*result));
        watch_device(has_come);
    }
    if (lacks_picture() && std::chrono::steady_clock::now() >= retry_at_) {
        for (const Unmade& picture : std::exchange(unmade_, {}))
            if (is_current(picture.serial)) present(picture.role, picture.image, picture.serial, true);
        presenter_->retry();
        presenting_ = true;
    }
    // A frame in which the session has made textures, or done else that takes long, copies nothing; the next one does.
    puts_off_copies_ = presenting_ && !puts_off_copies_ && std::chrono::steady_clock::now() >= copies_until;
    if (presenting_ && !puts_off_copies_) {
        const FrameTimes::Scope part(times_, FramePart::upload);
        const std::array<uint64_t, kPictureRoles> before_step = serials();
        do {
            presenting_ = presenter_->step(kCopyPiece_bytes);
        } while (presenting_ && !presenter_->rests() && std::chrono::steady_clock::now() < copies_until);
        changed_ |= before_step != serials();
        if (presenter_->lacks_picture()) retry_at_ = std::chrono::steady_clock::now() + kRetry;
        if (std::string problem = presenter_->take_problem(); !problem.empty())
            messages_.push_back({false, std::move(problem)});
    }
    if (preview_region_.width > 0 && after().serial >= preview_serial_) {
        preview_region_ = {};
        changed_ = true;
    }
    if (const uint64_t serial = after().serial; serial > shown_serial_) {
        shown_serial_ = serial;
        changed_ = true;
    }
    forget_runs();
    return std::exchange(changed_, false);
}

void Pipeline::take(LiveResult result) {
    if (result.image_serial != image_serial_) return;
    changed_ = true;
    if (!result.error.empty()) {
        messages_.push_back({result.device_failed, result.error});
        preview_region_ = {};
    } else if (result.preview) {
        preview_region_ = result.region;
        preview_serial_ = result.serial;
        present(PictureRole::preview, result.image, result.serial);
    } else {
        take_final(std::move(result));
    }
}

void Pipeline::probe(const std::optional<Pixel>& pixel) {
    probe_at_ = pixel;
    if (pixel) session_->probe(pixel->x, pixel->y);
}

void Pipeline::take_final(LiveResult result) {
    if (probe_at_ && probe_at_->x < image_->width() && probe_at_->y < image_->height())
        session_->probe(probe_at_->x, probe_at_->y);
    if (const auto run = std::ranges::find(runs_, result.serial, &Run::serial); run != runs_.end()) {
        record(result.stages, run->spec);
        if (!result.stages.empty()) {
            run->ms = sum_ms(result.stages, false);
        } else if (result.device_ms > 0) {
            run->ms = result.device_ms;
        }
        result_spec_ = run->spec;
        lacks_stages_ = result.stages.empty() && !run->wants_stages;
    }
    resources_ = std::move(result.resources);
    histogram_after_ = result.histogram;
    bins_ = result.bins;
    plot_.reset();
    if (result.image) {
        present(PictureRole::after, result.image, result.serial);
    } else if (bins_) {
        ++awaited_;
        tasks_.start(
            [bins = *bins_](std::stop_token) { return std::make_shared<const HostImage>(histogram::draw_plot(bins)); },
            [this, serial = result.serial](Outcome<std::shared_ptr<const HostImage>> outcome) {
                --awaited_;
                if (!outcome.value || !is_current(serial)) return;
                plot_ = *outcome.value;
                present(PictureRole::after, plot_, serial);
            });
    }
}

void Pipeline::record(const StageTimes& times, const RunSpec& spec) {
    const ImageSpec image = filtered_spec(spec.part, image_->spec());
    const std::tuple timed(spec.variant, spec.memory, image);
    if (timed != timed_) reset_times();
    timed_ = timed;
    if (times.empty()) return;
    const Work work = spec.variant->work({image, spec.params, spec.variant_params});
    const ImageSpec output = spec.op->makes_bins ? ImageSpec{} : spec.op->output_spec(image_->spec(), spec.params);
    const std::vector<uint64_t> bytes = bytes_of_stages(times, work, image, output);
    if (stages_.empty()) stages_.emplace_back().stage = "total";
    for (size_t i = 0; i < times.size(); ++i) {
        auto row = std::ranges::find(stages_, times[i].stage, &ui::StageRow::stage);
        if (row == stages_.end()) row = stages_.insert(row - 1, ui::StageRow());
        row->stage = times[i].stage;
        append(*row, times[i], bytes[i], image.pixels());
    }
    const StageTime total{.stage = "total", .ms = sum_ms(times)};
    append(stages_.back(), total, std::accumulate(bytes.begin(), bytes.end(), uint64_t{0}), image.pixels());
}

const Picture& Pipeline::after() const {
    const Picture& picture = presenter_->picture(PictureRole::after);
    return !picture.empty() && picture.serial >> 32 == before().serial >> 32 ? picture : kNoPicture;
}

const Picture& Pipeline::current(PictureRole role) const {
    const Picture& picture = presenter_->picture(role);
    return is_current(picture.serial) ? picture : kNoPicture;
}

void Pipeline::prepare_minified() {
    for (size_t role = 0; role < kPictureRoles; ++role) presenter_->prepare_minified(PictureRole(role));
}

const Picture& Pipeline::basis() const {
    const Picture& picture = presenter_->picture(PictureRole::basis);
    return basis_ && picture.serial == basis_serial_ && is_current(before().serial) ? picture : kNoPicture;
}

ui::PictureSubject Pipeline::subject_of(const Picture& picture) const {
    ui::PictureSubject subject;
    if (picture.empty()) return subject;
    const auto named = std::ranges::find(names_, picture.serial >> 32 << 32, &Named::serial);
    if (named != names_.end()) {
        subject.path = named->name.path;
        subject.image = named->name.image;
        subject.page = named->name.page;
        subject.opening = named->name.opening;
    }
    subject.size = picture.spec;
    const auto run = std::ranges::find(runs_, picture.serial, &Run::serial);
    if (run == runs_.end()) return subject;
    subject.run = run->spec;
    subject.ms = run->ms;
    return subject;
}

void Pipeline::forget_runs() {
    const uint64_t shown = std::max(before().serial, after().serial);
    while (!runs_.empty() && runs_.front().serial < shown) runs_.pop_front();
    while (names_.size() > 1 && names_[1].serial <= shown) names_.pop_front();
}

void Pipeline::fill(ui::RunModel& model) const {
    model.cuda_available = cuda_available();
    model.cuda_reason = cuda_reason_;
    model.device_name = device_name();
    model.presenter = presenter_->id();
    model.presenter_reason = presenter_->reason();
}

void Pipeline::fill(ui::ViewsModel& model) const {
    model.before = before();
    model.after = after();
    model.preview = preview_region_.width > 0 ? current(PictureRole::preview) : kNoPicture;
    model.preview_region = preview_region_;
    model.after_is_stale = !up_to_date();
    model.before_subject = subject_of(model.before);
    model.after_subject = subject_of(model.after);
    model.preview_subject = subject_of(model.preview);
    model.preview_subject.state = "preview";
    for (size_t k = 0; k < model.grid.cells.size(); ++k)
        if (cells_[k]) model.grid.cells[k].picture = current(cell_role(k));
}

std::future<std::shared_ptr<const HostImage>> Pipeline::download() {
    if (!bins_ || !spec_.op->makes_bins) {
        std::future<Pixels> found = session_->download();
        if (backend() == BackendKind::cpu || !result_spec_) return found;
        downloads_.push_back({std::move(found), std::make_shared<std::promise<Pixels>>(), image_, *result_spec_});
        return downloads_.back().pixels->get_future();
    }
    std::promise<Pixels> promise;
    promise.set_value(plot_);
    return promise.get_future();
}

void Pipeline::serve_downloads(bool leaves) {
    const auto now = std::chrono::steady_clock::now();
    if (!leaves)
        leaves_since_.reset();
    else if (!leaves_since_)
        leaves_since_ = now;
    for (Download& download : std::exchange(downloads_, {})) {
        const bool is_on_cpu = download.on_cpu.stop_possible();
        if (download.found.valid() && is_ready(download.found)) {
            try {
                if (Pixels found = download.found.get()) {
                    download.on_cpu.request_stop();
                    download.pixels->set_value(std::move(found));
                    continue;
                }
            } catch (const DeviceError&) {
            } catch (...) {
                if (!is_on_cpu) {
                    download.pixels->set_exception(std::current_exception());
                    continue;
                }
            }
        }
        const bool is_late = leaves_since_ && now - std::max(*leaves_since_, download.asked_at) > kDownloadPatience;
        if (is_on_cpu || (download.found.valid() && !is_late) || compute(download))
            downloads_.push_back(std::move(download));
    }
}

/// Starts that on the CPU, whose pixels count unless the device's come first. False where the CPU cannot.
bool Pipeline::compute(Download& download) {
    RunSpec spec = download.spec;
    spec.variant =
        preferred_variant(*spec.op, BackendKind::cpu, spec.params, filtered_spec(spec.part, download.image->spec()));
    if (spec.variant == nullptr) {
        download.pixels->set_exception(std::make_exception_ptr(DeviceError(kSilent)));
        return false;
    }
    spec.variant_params = default_values(spec.variant->params);
    download.on_cpu = tasks_.start(
        [image = download.image, spec, computing = computing_](std::stop_token stop) -> Pixels {
            const Counted counted(*computing);
            return std::make_shared<const HostImage>(
                make_cpu_backend(default_cpu_threads())->run(image->view(), spec, std::move(stop)).image);
        },
        [this, pixels = download.pixels](Outcome<Pixels> outcome) {
            std::erase_if(downloads_, [&](const Download& other) { return other.pixels == pixels; });
            if (outcome.value)
                pixels->set_value(std::move(*outcome.value));
            else
                pixels->set_exception(std::make_exception_ptr(UserError(outcome.error)));
        });
    return true;
}

}  // namespace tonescope
