// The controller: hands what the user asks for to those who do it, and lets them fill the model that the panels draw.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "app/options/options.h"
#include "app/viewer/choices.h"
#include "app/viewer/files/folder_listing.h"
#include "app/viewer/files/images.h"
#include "app/viewer/files/presets.h"
#include "app/viewer/files/recent_files.h"
#include "app/viewer/live/bandwidth.h"
#include "app/viewer/live/comparison.h"
#include "app/viewer/live/explanation_task.h"
#include "app/viewer/live/frame_times.h"
#include "app/viewer/live/grid.h"
#include "app/viewer/live/histogram_counts.h"
#include "app/viewer/live/inspection.h"
#include "app/viewer/live/suggestions.h"
#include "app/viewer/saved_state.h"
#include "app/viewer/session.h"
#include "app/viewer/state_file.h"
#include "app/viewer/window_batch.h"
#include "app/viewer/window_benchmark.h"
#include "app/viewer/window_experiment.h"
#include "ui/model/model.h"

namespace tonescope {

class Viewer {
  public:
    /// Needs a current OpenGL context. `wake` may be called from any thread. Throws UserError, UsageError, DeviceError.
    Viewer(const Options& options, std::function<void()> wake);

    /// What the last run has left, before the first frame. Where the disk does not answer, it is left alone.
    StateOnDisk read_state(const std::string& path);
    /// Takes it over.
    void restore(const SavedState& state);
    /// Notes what the next run is to find.
    void keep(SavedState& state) const;
    void perform(const ui::Action& action);
    /// Opens files that were dropped on the window. One image that was dropped where before is shown takes its place
    /// there as the reference, one that was dropped on the place of masks is the mask.
    void take_dropped(const std::vector<std::string>& paths, ui::DropPlace place);
    /// Saves what is open, chosen and shown. The rest of that the interface knows.
    void save_session(const std::string& path, const ui::Layout& layout, const ui::KeptView& view);
    /// How a session wants things shown; `view` is of the image with this id.
    struct SessionLook {
        ui::Layout layout;
        ui::KeptView view;
        uint64_t image = 0;
    };
    /// That of a session that has been opened since the last call.
    std::optional<SessionLook> take_session_look() { return std::exchange(session_look_, std::nullopt); }
    /// Takes what has finished and starts what is due, between frames. True when the screen is out of date.
    bool update(const ui::View& view);
    /// The user closes the window: what is being saved may finish, and a batch that is under way is asked about.
    void quit();
    /// What was to be saved or done and is not, a line each.
    std::vector<std::string> unfinished() const;
    /// What is left of update() where nothing can be drawn any more.
    void go_on_saving();
    const ui::Model& model();

    Images& images() { return images_; }
    Saves& saves() { return saves_; }
    Notices& notices() { return notices_; }
    /// The window notes the parts of its frames here.
    FrameTimes& frame_times() { return frame_times_; }
    Pipeline& pipeline() { return pipeline_; }
    /// No image is being opened, computed or copied.
    bool settled() const;
    /// The program is settled, and nothing else is on its way either.
    bool idle() const;
    /// Seconds until update() should be called although nothing happens; infinite: it need not be.
    double next_check_s() const;

  private:
    using Clock = std::chrono::steady_clock;

    BackendKind use_backend(BackendKind backend);
    /// Tells the user what to do where the current image has no complete result.
    bool has_result(const std::string& verb);
    void cancel_work();
    void show_messages();
    void drop_thumbnails();
    /// What the result on screen is of, or is to be.
    RunSpec shown_spec() const {
        return preview_.op == nullptr ? choices_.run_spec() : choices_.run_spec(preview_.op, preview_.params);
    }
    /// What a benchmark started at this moment would measure.
    BenchmarkJob benchmark_job(bool by_memory_mode) const;
    /// What the page of the comparison shows.
    void measure();
    bool is_measuring() const { return benchmark_.busy() || experiment_.running() || !options_.experiments.empty(); }
    void run_experiment(const ui::ExperimentSetup& setup);
    void run_case(size_t point, size_t row);
    void pick_no_data(Pixel at);
    /// `inverse`: whether black is filtered; empty: as it is chosen.
    void open_mask(const std::string& path, std::optional<bool> inverse = {});
    void fit_part();
    void compare_as_asked();
    void tell_of_dropped_reference();
    /// Empty while there is no image.
    ImageSpec image_spec() const { return pipeline_.image() ? pipeline_.image()->spec() : ImageSpec{}; }
    /// What of it the operator sees, for which parameters are converted.
    ImageSpec filtered_image() const { return filtered_spec(choices_.part(), image_spec()); }
    /// A file has just been written; empty: the clipboard.
    void written(const std::string& path);
    /// What is shown beside the result is on its way.
    bool looks_closer() const {
        return inspection_.busy() || comparison_.busy() || histogram_counts_.busy() || explanation_.busy() ||
               suggestions_.busy();
    }
    /// What an earlier run or a session has chosen.
    void choose(const Choice& choice, std::optional<BackendKind> backend);
    void open_session(const std::string& path, const std::vector<std::string>& images);
    void take_session(const Session& session, const std::string& path);
    void choose_for_image();
    void show_own_window();
    void show_asked_window();
    void start_batch(const ui::BatchSetup& setup);
    std::vector<WindowBatch::Source> open_pages() const;
    void fill_batch();
    void fill_timings();
    void fill_saving();
    void fill_work();

    ui::Model model_;  // first: others write into it
    Options options_;
    Notices notices_;
    Tasks files_;       // decoding, pictures, saving
    Tasks background_;  // folders, presets
    Tasks details_;     // what is shown beside the result
    FrameTimes frame_times_;
    Pipeline pipeline_;
    Choices choices_;
    Thumbnails thumbnails_;
    FolderListing listing_{model_.browser, background_};
    RecentFiles recent_{background_};
    Saves saves_;
    Presets presets_;
    Images images_;
    Comparison comparison_{pipeline_,
                           details_,
                           {[this](const std::string& path) { return images_.pixels(path); },
                            [this](const std::string& path) { images_.read(path); },
                            [this](const std::string& path) { return images_.reads(path); }},
                           [this](const std::string& text) { notices_.warning(text); }};
    Inspection inspection_{pipeline_, details_};
    HistogramCounts histogram_counts_{pipeline_, details_};
    ExplanationTask explanation_{details_};
    Suggestions suggestions_;
    Grid grid_;
    WindowBenchmark benchmark_;
    WindowExperiment experiment_;
    WindowBatch batch_;
    Bandwidth bandwidth_{details_};
    ui::PreviewPreset preview_;
    uint64_t windowed_image_ = 0;  // the id of the image whose own window was shown, if it has one
    bool shows_own_window_ = false;
    bool left_gpu_ = false;                                  // since no variant there takes the image
    std::optional<WindowChoice> asked_window_;               // that of --window, until it is shown
    bool asks_for_mask_ = !options_.part.mask_path.empty();  // that of --mask is to be read
    std::string asked_reference_;                            // of --reference, for each image where it contains {stem}
    std::set<Comparison::Place> referenced_;                 // images that have been given the reference of --reference
    std::string dropped_reference_;                          // of which is to be told once it is shown
    std::string session_path_;                               // that was opened or saved last; may be empty
    std::optional<SessionLook> session_look_;
    /// By the ids of its images, until these are shown.
    std::map<uint64_t, ResultPart> session_parts_;
    bool session_parts_take_mask_ = false;  // that of --mask in place of their own, once it is read
    /// Those of its current image, by its id, until that is there.
    std::optional<std::pair<uint64_t, SampleWindows>> session_windows_;
    SaveOptions save_options_;  // of the last result that was saved
    bool changed_ = true;
    std::optional<Clock::time_point> busy_since_;  // empty: nothing is under way
};

}  // namespace tonescope
