// Batches in the window: the operator as it is set, on the open images or a folder of files, beside everything else.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/batch/batch.h"
#include "app/system/tasks.h"
#include "app/viewer/files/notices.h"
#include "ui/model/actions.h"
#include "ui/model/batch.h"

namespace tonescope {

/// Used from the UI thread alone; no call waits but the destructor, for images that cannot be stopped at once.
class WindowBatch {
  public:
    /// A page of a file, from 0.
    struct Source {
        std::string path;
        int page = 0;
    };
    /// What is done with each image.
    struct Run {
        RunSpec spec;      // without a variant: one on the CPU; masks of its part are read when it begins
        int device = -1;   // CUDA's index
        std::string what;  // for the user
    };
    struct Window {
        /// Files that are open, which are never written onto.
        std::function<std::vector<Source>()> open_images = [] { return std::vector<Source>(); };
        /// A batch has written these files.
        std::function<void(const std::vector<std::string>& paths)> written = [](const auto&) {};
        /// May be called from any thread when update() has something new.
        std::function<void()> wake = [] {};
    };

    /// Keeps in `model` what is known; `tasks` look for files.
    WindowBatch(ui::BatchModel& model, Tasks& tasks, Notices& notices, Window window);
    ~WindowBatch() { stop_.request_stop(); }
    WindowBatch(const WindowBatch&) = delete;
    WindowBatch& operator=(const WindowBatch&) = delete;

    /// Looks for the files, and begins unless some are in the way.
    void start(const ui::BatchSetup& setup, const Run& run);
    /// What becomes of files that are in the way.
    void answer(ui::AnswerBatch::Kind kind);
    void pause(bool pauses);
    /// What is finished stays.
    void stop();
    /// Whether the window may be closed: no batch is under way, or it is the second time that this is asked. The model
    /// then says that the user is to answer; keep() is one answer.
    bool may_quit();
    void keep() { model_.asks_to_quit = false; }
    bool busy() const { return model_.is_busy(); }
    /// What is not done of a batch that is under way, in a line; empty: nothing.
    std::string left() const;
    /// Between frames. `shows_files`: those under way can be seen. True when there is something new.
    bool update(bool shows_files);

    /// How often update() is to be called while it is busy.
    static constexpr double kLook_s = 0.2;

  private:
    using Clock = std::chrono::steady_clock;

    struct Planned {
        BatchItem item;
        bool exists = false;    // the output does
        std::string free_path;  // beside it, where it does
    };
    struct Board;

    static std::vector<Planned> plan(const ui::BatchSetup& setup, const ResultPart& part,
                                     const std::vector<Source>& open);
    void begin(std::vector<BatchItem> items, std::set<std::string> given_up);
    std::vector<std::string> open_paths() const;
    void take_time();
    void tell_pause();
    void tell_the_end();

    ui::BatchModel& model_;
    Tasks& tasks_;
    Notices& notices_;
    const Window window_;
    ui::BatchSetup setup_;
    Run run_;
    std::vector<Planned> plan_;
    std::shared_ptr<Board> board_;
    std::stop_source stop_;
    Clock::time_point looked_;
    uint64_t started_ = 0;  // batches, so that an answer for an earlier one does not count
    std::jthread thread_;   // last: it uses what stands above
};

}  // namespace tonescope
