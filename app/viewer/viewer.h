// The controller: hands what the user asks for to those who do it, and lets them fill the model that the panels draw.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "app/options/options.h"
#include "app/viewer/choices.h"
#include "app/viewer/files/clipboard_transfer.h"
#include "app/viewer/files/folder_listing.h"
#include "app/viewer/files/images.h"
#include "app/viewer/files/presets.h"
#include "app/viewer/files/recent_files.h"
#include "app/viewer/live/explanation_task.h"
#include "app/viewer/live/grid.h"
#include "app/viewer/live/histogram_counts.h"
#include "app/viewer/live/inspection.h"
#include "app/viewer/saved_state.h"
#include "app/viewer/timings.h"
#include "app/viewer/window_benchmark.h"
#include "ui/model/model.h"

namespace tonescope {

class Viewer {
  public:
    /// Needs a current OpenGL context. `wake` may be called from any thread. Throws UserError, UsageError, DeviceError.
    Viewer(const Options& options, std::function<void()> wake);

    /// Before the first frame: what the last run has left.
    void restore(const SavedState& state);
    /// What the next run is to find.
    void keep(SavedState& state) const;
    void perform(const ui::Action& action);
    /// Between frames: takes what has finished and starts what is due. True when the screen is out of date.
    bool update(const ui::View& view);
    const ui::Model& model();

    Images& images() { return images_; }
    Saves& saves() { return saves_; }
    Notices& notices() { return notices_; }
    /// The window notes the parts of its frames here.
    FrameTimes& frame_times() { return frame_times_; }
    const Pipeline& pipeline() const { return pipeline_; }
    /// Nothing is being opened, computed or copied.
    bool settled() const;
    /// ... and nothing else is on its way either.
    bool idle() const;
    /// When update() should be called again although nothing happens, seconds; negative: no need.
    double next_check_s() const;
    /// Pictures are about to be drawn below 1:1.
    void prepare_minified();

  private:
    BackendKind use_backend(BackendKind backend);
    /// Says what to do where it has none.
    bool has_result(const std::string& verb);
    void save_result(const std::string& path);
    void cancel_work();
    void show_messages();
    void drop_thumbnails();
    /// To the system: the allocator would keep what an image took for itself, in pieces that later images may not fit.
    void return_free_memory();
    WindowBenchmark::Subject benchmark_subject() const;
    /// What is shown beside the result is on its way.
    bool looks_closer() const { return inspection_.busy() || histogram_counts_.busy() || explanation_.busy(); }
    void fill_saving();
    void fill_work();

    Options options_;
    Notices notices_;
    Tasks files_;       // decoding, pictures, saving
    Tasks background_;  // folders, presets
    LookUps look_ups_{files_};
    FrameTimes frame_times_;
    Pipeline pipeline_;
    Choices choices_;
    Thumbnails thumbnails_;
    ClipboardTransfer clipboard_{look_ups_, notices_};
    FolderListing listing_{background_};
    RecentFiles recent_{background_};
    Saves saves_;
    Presets presets_;
    Images images_;
    Inspection inspection_;
    HistogramCounts histogram_counts_;
    ExplanationTask explanation_;
    Grid grid_;
    WindowBenchmark benchmark_;
    Bandwidth bandwidth_;
    ui::Model model_;
    bool changed_ = true;
    std::chrono::steady_clock::time_point busy_since_{};  // zero: nothing is under way
};

}  // namespace tonescope
