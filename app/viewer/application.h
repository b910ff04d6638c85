// What the window does: opens and saves files, keeps the document, drives the pipeline, and fills the model that the
// panels draw.
#pragma once

#include <chrono>
#include <concepts>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/benchmark/benchmark_task.h"
#include "app/options/options.h"
#include "app/options/preset.h"
#include "app/system/file_watch.h"
#include "app/system/folder.h"
#include "app/system/tasks.h"
#include "app/viewer/bandwidth.h"
#include "app/viewer/document.h"
#include "app/viewer/explanation_task.h"
#include "app/viewer/frame_times.h"
#include "app/viewer/grid_task.h"
#include "app/viewer/histogram_counts.h"
#include "app/viewer/history.h"
#include "app/viewer/inspection.h"
#include "app/viewer/pipeline.h"
#include "app/viewer/saved_state.h"
#include "ui/model/model.h"

namespace tonescope {

/// Actions that change what one result depends on, and those that step through such changes.
template <class A>
concept ChoiceAction =
    std::same_as<A, ui::SetOperator> || std::same_as<A, ui::SetVariant> || std::same_as<A, ui::SetBackend> ||
    std::same_as<A, ui::SetMemory> || std::same_as<A, ui::SetParam> || std::same_as<A, ui::ResetParams> ||
    std::same_as<A, ui::SetPreset> || std::same_as<A, ui::Undo> || std::same_as<A, ui::Redo>;

class Application {
  public:
    /// Needs a current OpenGL context. `wake` may be called from any thread. Throws UserError, UsageError, DeviceError.
    Application(const Options& options, std::function<void()> wake);
    ~Application();

    /// Before the first frame: what the last run has left.
    void restore(const SavedState& state);
    /// What the next run is to find.
    void keep(SavedState& state) const;
    /// Looks for files and folders first: on a worker, or at once, before there is anything to show.
    void open(const std::vector<std::string>& paths);
    void open_now(const std::vector<std::string>& paths);
    void notify(ui::Severity severity, std::string text);
    void perform(const ui::Action& action);
    /// Between frames: takes what has finished and starts what is due. True when the screen is out of date.
    bool update(const ui::View& view);
    const ui::Model& model();

    const Document& document() const { return document_; }
    const Pipeline& pipeline() const { return pipeline_; }
    /// The window notes the parts of its frames here.
    FrameTimes& frame_times() { return frame_times_; }
    /// Nothing is being opened, computed or copied.
    bool settled() const;
    /// ... and no thumbnail or folder is on its way either.
    bool idle() const {
        return settled() && background_.open_jobs() == 0 && thumbnail_jobs_.open_jobs() == 0 && !comparing() &&
               !looking_closer();
    }
    /// When update() should be called again although nothing happens, seconds; negative: no need.
    double next_check_s() const;
    /// Pictures are about to be drawn below 1:1.
    void prepare_minified();
    bool presenting() const { return pipeline_.presenting(); }
    /// Leaves once what is to be saved has its pixels and its disk has answered, or does not for long. Stays where a
    /// file turns out to be in the way meanwhile: the user is asked first.
    void quit();
    bool quits() const { return quit_since_.has_value(); }
    bool leaves();
    /// What was to be saved and is not, a line each.
    std::vector<std::string> unsaved() const;
    /// True once after the user asked for full screen or back.
    bool take_full_screen_toggle() { return std::exchange(toggle_full_screen_, false); }
    /// A picture of the views is to be taken from a frame with Model::picturing.
    bool wants_view() const { return !view_path_.empty(); }
    void take_view(std::shared_ptr<const HostImage> picture);
    /// Files that could not be opened so far.
    const std::vector<std::string>& failures() const { return failures_; }

  private:
    static constexpr const char* kSaving = "Saving";

    /// Image and preset files, and why some were not found.
    struct FoundFiles {
        std::vector<std::string> images, presets, problems;
    };
    static FoundFiles find_files(const std::vector<std::string>& paths);
    /// The first image found becomes the current one, unless one that was asked for later has come sooner.
    void open_found(const FoundFiles& found, uint64_t serial);
    void load(OpenImage& image);
    void loaded(uint64_t id, Outcome<std::shared_ptr<LoadedImage>> outcome);
    void select(int index);
    void show(const OpenImage& image);
    /// What is on screen is the current image, and not the one that stays until that is decoded.
    bool shows_current() const;
    void go_back();
    void cancel_work();
    /// Says what to do where it has none.
    bool has_result(const std::string& verb);
    void close(int index);
    void step_image(int by);
    /// Takes the steps that are still to be taken through the folder of the one open image.
    void find_neighbour();
    void show_neighbour(const std::string& path);
    /// A job that waits for a disk or another program and whose outcome nobody needs once it is cancelled. `what` is
    /// shown while it takes long.
    template <class Work, class Done>
    void look_up(std::string what, Work work, Done done);
    void cancel_lookups();
    void browse(const std::string& folder, bool presets = false);
    void want_thumbnail(const std::string& path);
    /// Of files that no list shows any more, once there are many.
    void drop_thumbnails();
    /// To the system: the allocator would keep what an image took for itself, in pieces that later images may not fit.
    void return_free_memory();
    void save(const std::string& path);
    /// Says what stands against a picture of this name.
    bool can_write(const std::string& path);
    /// Calls `write` unless a file is in the way: then the user is asked whether it may be replaced.
    void unless_in_the_way(const std::string& path, std::function<void()> write);
    /// To the oldest question.
    void answer(bool replace);
    /// An image file, or where the path is empty the clipboard.
    void write_picture(const std::string& path, std::shared_ptr<const HostImage> picture);
    /// A job that cancel_saves() stops and quitting waits for.
    void write_file(const std::string& path, std::function<void(std::stop_token)> write);
    /// False: there was none that is not cancelled yet.
    bool cancel_saves();
    void finish_saves();
    void save_view(const std::string& path);
    void copy_result();
    void paste();
    void remove_pasted();
    std::string clipboard_folder() const;
    void follow_file();
    std::string command_line() const;
    void remember(const std::string& path);
    void look_for_recent();
    void fill_recent(const std::set<std::string>& missing);
    void find_samples();
    void find_presets();
    void save_preset(const std::string& name, bool overwrite);
    void delete_preset(const std::string& name);
    void import_presets(const std::vector<std::string>& paths);
    void export_preset(const std::string& name, const std::string& path);
    bool has_to_save() const;
    void save_failed(const std::string& error);
    void saved(const std::string& path, const Outcome<bool>& outcome);
    /// Carries out a ChoiceAction; false: it is none.
    bool change_choice(const ui::Action& action);
    Choice choice() const { return {document_.choice(pipeline_.backend()), pipeline_.backend()}; }
    void restore(const std::optional<Choice>& choice);
    void use_backend(BackendKind backend);
    void show_comparison(bool shown);
    void start_comparison();
    void export_comparison(const std::string& path);
    /// Why the comparison is not of what is set now; empty where it is.
    std::string why_stale() const;
    /// One is under way or about to start.
    bool comparing() const { return comparison_.running() || compare_first_; }
    void fill_comparison();
    /// Asks for the results that the grid is to show, and brings finished ones on screen.
    void update_grid(const ui::View& view);
    void fill_grid();
    /// What is shown beside the result is on its way.
    bool looking_closer() const { return inspection_.busy() || histogram_counts_.busy() || explanation_.busy(); }
    void show_messages();
    void fill_image_list();
    void fill_images();
    void fill_results();
    void fill_timings();
    void reset_timings();
    std::vector<std::pair<std::string, std::string>> describe(const OpenImage& image) const;
    std::string suggested_save_path() const;

    Options options_;
    Tasks files_;           // decoding, pictures, saving
    Tasks background_;      // folders, presets
    Tasks thumbnail_jobs_;  // a long queue where many files are opened
    FrameTimes frame_times_;
    Pipeline pipeline_;
    Inspection inspection_;
    HistogramCounts histogram_counts_;
    ExplanationTask explanation_;
    Bandwidth bandwidth_;
    Document document_;
    History history_;

    /// What the last comparison was started with.
    struct Compared {
        uint64_t image_id = 0;
        std::string path;
        std::shared_ptr<const HostImage> image;
        std::vector<RunSpec> runs;
    };
    Compared compared_;
    ComparisonTask comparison_;
    bool compare_first_;  // as soon as there is a result

    GridTask grid_;
    ui::View grid_view_;                                      // what grid_ was last asked for
    std::array<uint64_t, kCellRoles.size()> grid_serials_{};  // of what is on screen

    ui::Model model_;
    bool browses_presets_ = false;
    uint64_t newest_listing_ = 0, newest_preset_search_ = 0;  // older ones may end later
    uint64_t next_open_ = 0, shown_open_ = 0;
    bool changed_ = true;
    std::optional<BackendKind> chosen_backend_;  // by the user, now or in an earlier run
    uint64_t shown_id_ = 0;                      // of the image whose pixels the pipeline has
    std::optional<OpenImage> stepped_from_;      // comes back where the file in its place cannot be read ...
    uint64_t stepped_to_ = 0;                    // ... which is this image
    std::string failed_step_;                    // the next step goes on from here
    bool has_freed_ = false;                     // an image was closed or replaced
    std::optional<std::chrono::steady_clock::time_point> quit_since_;
    size_t left_unanswered_ = 0;  // questions that were on screen when the user quit
    bool toggle_full_screen_ = false;
    uint64_t next_notice_ = 1;
    std::vector<std::string> failures_;
    std::map<std::string, Picture> thumbnails_;  // by path
    std::set<std::string> wanted_thumbnails_;    // asked for; not again, whatever came of it
    size_t many_thumbnails_ = 256;
    struct Save {
        std::string path;  // empty: to the clipboard
        std::shared_future<std::shared_ptr<const HostImage>> pixels;
        uint64_t serial;  // in the order in which the user asked
    };
    std::vector<Save> saves_;  // wait for their pixels, and for files of the same name that are being written
    uint64_t next_save_ = 1;
    std::map<std::string, uint64_t> newest_saves_;  // serials of what has been written, by path
    struct Question {
        std::string path;  // of a file that is in the way
        std::function<void()> write;
    };
    std::deque<Question> questions_;
    std::string view_path_;  // the picture of the views that is to be taken
    std::vector<std::string> recent_;
    bool recent_running_ = false, recent_asked_ = false;  // searches for recent files that are missing
    std::vector<std::string> pasted_;                     // files made from the clipboard
    FileWatch watch_;
    int saving_ = 0;                               // files being written ...
    int cancelled_saves_ = 0;                      // ... and those that may hang on a dead disk
    std::vector<std::string> writing_;             // names of both
    std::stop_source save_stop_;                   // of all pictures being saved
    std::shared_ptr<FileProgress> save_progress_;  // of the newest
    struct Lookup {
        uint64_t id;
        std::string what;
        std::stop_source stop;
    };
    std::vector<Lookup> lookups_;  // under way
    uint64_t next_lookup_ = 1;
    int steps_ = 0;  // asked for since the search for a neighbour began
    bool stepping_ = false;
    uint64_t thumbnail_revision_ = 0, listed_revision_ = 0;  // what model_.images.entries was made from
    std::chrono::steady_clock::time_point busy_since_{};
};

template <class Work, class Done>
void Application::look_up(std::string what, Work work, Done done) {
    using T = std::invoke_result_t<Work, std::stop_token>;
    const uint64_t id = next_lookup_++;
    std::stop_source stop =
        files_.start(std::move(work), [this, id, done = std::move(done)](Outcome<T> outcome) mutable {
            std::erase_if(lookups_, [&](const Lookup& lookup) { return lookup.id == id; });
            changed_ = true;
            done(std::move(outcome));
        });
    lookups_.push_back({id, std::move(what), std::move(stop)});
}

}  // namespace tonescope
