// The way of an image to the screen: the only caller of live sessions and presenters. All of it runs on the UI thread
// and never waits but at the start, for a device to answer, and then not for long.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "app/image_io/image_io.h"
#include "app/options/options.h"
#include "app/system/tasks.h"
#include "app/viewer/live/frame_times.h"
#include "gpu/core/backend.h"
#include "gpu/present/presenter.h"
#include "ui/model/run.h"
#include "ui/model/timings.h"
#include "ui/model/views.h"

namespace tonescope {

class Pipeline {
  public:
    /// Needs a current OpenGL context. Falls back to the CPU where CUDA is not there, unless `options` force it
    /// (DeviceError).
    Pipeline(const Options& options, Tasks& tasks, FrameTimes& times, std::function<void()> wake);

    BackendKind backend() const { return session_->kind(); }
    std::string device_name() const { return session_->device_name(); }
    bool cuda_available() const { return cuda_reason_.empty(); }
    /// CUDA's index of the device in use; -1: the first one.
    int device() const { return options_.device < 0 ? presenter_->device() : options_.device; }
    /// Throws DeviceError; the backend in use then stays.
    void use_backend(BackendKind kind);
    /// For images that are about to be read; null: any memory serves.
    std::shared_ptr<ImageMemory> image_memory() const { return is_silent_ ? nullptr : session_->image_memory(); }
    /// The same for workers, which wait for a device that does not answer no longer than a moment; empty: any serves.
    MakeImage make_image() const;

    /// What is known of an image beside its pixels.
    struct ImageName {
        std::string path = {};
        uint64_t image = 0;    // its id among those that are open
        int page = -1;         // from 0, of files with several; negative: the only one
        uint64_t opening = 0;  // counts what the user has opened
    };
    /// Null: no image is open.
    void set_image(std::shared_ptr<const HostImage> image, ImageName name);
    void set_spec(const RunSpec& spec);
    /// Gives up the run under way; what is on screen stays.
    void cancel();

    /// Starts what is due, takes what is finished and copies a little to the screen, once a frame. `visible` and
    /// `scale` say what is on screen, `wants_stages` that stages() is: a result whose stages were not timed is computed
    /// once more for them. True when something that is shown has changed.
    bool frame(const Rect& visible, double scale, bool wants_stages);
    /// A picture is being computed or on its way to the screen.
    bool busy() const { return dirty_ || presenting_ || awaited_ > 0 || session_->busy(); }
    /// OpenGL refuses a picture, or there is no memory for it: frame() is to be called every kRetry, which tries again.
    bool lacks_picture() const { return presenter_->lacks_picture() || !unmade_.empty(); }
    static constexpr std::chrono::milliseconds kRetry{500};
    /// Pictures are being copied in parts: the next frame should come at once.
    bool presenting() const { return presenting_; }
    double progress() const { return session_->progress(); }

    const std::shared_ptr<const HostImage>& image() const { return image_; }
    /// Path and page of image(): of a file with several pages, each is an image of its own.
    std::pair<std::string, int> image_place() const { return {names_.back().name.path, names_.back().name.page}; }
    /// What results are compared with: the basis, or else the image.
    const std::shared_ptr<const HostImage>& compared() const { return basis_ ? basis_ : image_; }
    /// The basis takes the image's place in comparisons until the image changes. It has the image's sides. Null: there
    /// is none.
    void set_basis(std::shared_ptr<const HostImage> basis);
    /// To be called when pictures are about to be drawn below 1:1.
    void prepare_minified();
    const Picture& before() const { return presenter_->picture(PictureRole::before); }
    /// Empty where there is no result of the image in `before` yet.
    const Picture& after() const;
    /// Empty where no basis is on screen.
    const Picture& basis() const;
    /// What a picture of the image, of a result or of a preview is of.
    ui::PictureSubject subject_of(const Picture& picture) const;
    /// Brings a result among several values of a parameter on screen, once; null takes it away. `cell`: below
    /// kMaxCells.
    void show_cell(size_t cell, std::shared_ptr<const Pyramid> pyramid);
    /// `after` shows the newest request.
    bool up_to_date() const { return shown_serial_ == serial_ && serial_ != 0 && !dirty_; }
    const std::optional<DisplayHistogram>& histogram_before() const { return histogram_before_; }
    const std::optional<DisplayHistogram>& histogram_after() const { return histogram_after_; }
    /// The times of the last timed runs of the same variant on images of the same size; the last row is the total.
    const std::vector<ui::StageRow>& stages() const { return stages_; }
    void reset_times() { stages_.clear(); }
    /// What the last run's kernels take; empty on the CPU.
    const std::vector<KernelResources>& resources() const { return resources_; }

    /// Asks for the result's pixel under the cursor, now and with every new result; the answer follows in a later
    /// frame.
    void probe(const std::optional<Pixel>& pixel);
    std::optional<PixelProbe> probed() const { return session_->probed(); }
    using Pixels = std::shared_ptr<const HostImage>;
    /// The result at full size, for saving. Where the device fails meanwhile, or does not answer, the CPU computes it.
    std::future<Pixels> download();
    /// Between frames, also where none is drawn any more: hands over what has been downloaded. `leaves`: the program is
    /// to end, and the CPU computes what the device has not given soon; the pixels of whichever is first count.
    void serve_downloads(bool leaves);
    /// The CPU is at work on pixels to be saved, which comes to an end.
    bool computes_downloads() const { return *computing_ > 0; }

    void fill(ui::RunModel& model) const;
    void fill(ui::ViewsModel& model) const;

    struct Message {
        bool device_failed;
        std::string text;
    };
    /// Errors since the last call.
    std::vector<Message> take_messages() { return std::exchange(messages_, {}); }

  private:
    void make_session(BackendKind kind);
    bool answers_at_the_start();
    void watch_device(bool has_come);
    struct Download {
        std::future<Pixels> found;  // on the device; invalid where it has none to give
        std::shared_ptr<std::promise<Pixels>> pixels;
        Pixels image;
        RunSpec spec;
        std::chrono::steady_clock::time_point asked_at = std::chrono::steady_clock::now();
        std::stop_source on_cpu{std::nostopstate};  // once the CPU computes it
    };
    bool compute(Download& download);
    void take(LiveResult result);
    void take_final(LiveResult result);
    /// `is_told`: the user knows that there was no memory for it.
    void present(PictureRole role, std::shared_ptr<const HostImage> image, uint64_t serial, bool is_told = false);
    void show(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial);
    void record(const StageTimes& times, const RunSpec& spec);
    /// Drops what no picture is of any more.
    void forget_runs();
    /// The serials of the pictures on screen.
    std::array<uint64_t, kPictureRoles> serials() const;
    /// Empty where the picture with this role is none of the image.
    const Picture& current(PictureRole role) const;
    bool is_current(uint64_t serial) const { return (serial >> 32) == image_serial_; }

    const Options& options_;
    Tasks& tasks_;
    FrameTimes& times_;
    std::function<void()> wake_;
    std::unique_ptr<Presenter> presenter_;
    std::unique_ptr<LiveSession> session_;
    std::string cuda_reason_;  // why there is no CUDA; empty where there is
    /// A device that does not answer would keep a session busy for ever, and whoever destroys the session.
    std::chrono::steady_clock::time_point waits_since_ = std::chrono::steady_clock::now(), asked_at_{};
    std::vector<Download> downloads_;                                    // under way
    std::optional<std::chrono::steady_clock::time_point> leaves_since_;  // the program, as serve_downloads() was told
    std::shared_ptr<std::atomic<int>> computing_ = std::make_shared<std::atomic<int>>(0);  // of them on the CPU
    std::future<void> answer_;  // what the device was last asked
    std::future<void> left_;    // the end of a session that was given up, or the answer that had not come at the start
    bool is_silent_ = false;    // the device has not answered

    /// An image that has been shown, or a run: `serial` as pictures have it.
    struct Named {
        uint64_t serial = 0;
        ImageName name = {};
    };
    struct Run {
        uint64_t serial = 0;
        RunSpec spec = {};
        bool wants_stages = true;
        double ms = -1;
    };
    /// Both oldest first, as long as their pictures are or may come on screen.
    std::deque<Named> names_{Named{}};
    std::deque<Run> runs_;

    std::shared_ptr<const HostImage> image_, basis_;
    std::array<std::shared_ptr<const Pyramid>, kMaxCells> cells_;
    uint64_t basis_serial_ = 0, cell_serial_ = 0;
    uint64_t image_serial_ = 0;  // upper half of every request's serial: pictures of another image are told apart by it
    uint64_t serial_ = 0, shown_serial_ = 0;
    RunSpec spec_;
    std::optional<RunSpec> result_spec_;  // of the last final result of the image
    bool dirty_ = false, presenting_ = false, changed_ = false;
    bool puts_off_copies_ = false;  // this frame did
    bool lacks_stages_ = false;     // the last result's were not timed
    int awaited_ = 0;               // pictures being prepared by workers
    struct Unmade {
        PictureRole role;
        std::shared_ptr<const HostImage> image;
        uint64_t serial;
    };
    std::vector<Unmade> unmade_;  // there was no memory for these
    std::chrono::steady_clock::time_point retry_at_{};
    std::array<uint64_t, kPictureRoles>
        newest_{};  // serial last given to the presenter: pictures may get ready out of order

    std::optional<Pixel> probe_at_;
    Rect preview_region_;
    uint64_t preview_serial_ = 0;
    std::optional<DisplayHistogram> histogram_before_, histogram_after_;
    std::optional<BinsResult> bins_;
    std::shared_ptr<const HostImage> plot_;  // the picture that stands for bins_
    std::vector<ui::StageRow> stages_;
    std::vector<KernelResources> resources_;
    std::tuple<const VariantInfo*, MemoryMode, ImageSpec> timed_;  // what stages_ are of
    std::vector<Message> messages_;
};

}  // namespace tonescope
