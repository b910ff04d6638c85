// Batches in the window: the operator as it is set, on the open images or a folder of files, beside everything else.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
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
    /// What is done with each image.
    struct Run {
        RunSpec spec;
        int device = -1;   // CUDA's index
        std::string what;  // for the user
    };

    /// Keeps in `model` what is known; `tasks` look for files; `wake` may be called from any thread when update() has
    /// something new.
    WindowBatch(ui::BatchModel& model, Tasks& tasks, Notices& notices, std::function<void()> wake);
    ~WindowBatch();
    WindowBatch(const WindowBatch&) = delete;
    WindowBatch& operator=(const WindowBatch&) = delete;

    /// Looks for the files, and begins unless some are in the way. `open`: the files of the open images, which are
    /// never written onto.
    void start(const ui::BatchSetup& setup, const std::vector<std::string>& open, const Run& run);
    /// What becomes of files that are in the way.
    void answer(ui::AnswerBatch::Kind kind);
    void pause(bool pauses);
    /// What is finished stays.
    void stop();
    bool busy() const { return model_.is_busy(); }
    /// Between frames. True when there is something new.
    bool update();

    /// How often update() is to be called while it is busy.
    static constexpr double kLook_s = 0.2;

  private:
    struct Plan {
        std::vector<BatchItem> items;
        std::set<std::string> existing;  // outputs that are there
    };
    /// What the batch's thread tells; a new one for each batch.
    struct Board {
        std::mutex mutex;
        size_t done = 0, failed = 0;
        std::vector<std::string> failures;
        bool is_over = false;
        std::string problem;  // that is no image's
        std::shared_ptr<Batch> batch;
        bool pauses = false;
    };

    static Plan plan(const ui::BatchSetup& setup, const std::vector<std::string>& open);
    void begin(std::vector<BatchItem> items, std::set<std::string> replaced);
    void take_time();

    ui::BatchModel& model_;
    Tasks& tasks_;
    Notices& notices_;
    const std::function<void()> wake_;
    Plan plan_;
    ui::BatchSetup setup_;
    Run run_;
    std::shared_ptr<Board> board_ = std::make_shared<Board>();
    std::stop_source stop_;
    std::chrono::steady_clock::time_point looked_;
    uint64_t started_ = 0;  // batches, so that an answer for an earlier one does not count
    std::jthread thread_;   // last: it uses what stands above
};

}  // namespace tonescope
