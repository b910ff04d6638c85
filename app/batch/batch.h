// Many images through one operator: several at a time are read, filtered and written beside each other. It serves runs
// without a window and the window's batches alike.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/batch/batch_image.h"
#include "app/batch/filter.h"

namespace tonescope {

/// An image and its file; {page} in the output stands for the number of a page.
struct BatchItem {
    std::string input, output;
    int page = 0;  // that is done, from 0, where not all are
};

struct BatchOptions {
    int jobs = 0;     // images under way at a time, up to kMaxJobs; 0: what cores and memory allow
    int threads = 0;  // that all of them together compute on; 0: one a core
    bool resumes = false;
};

/// More than cores, since some images wait for the disk; fewer where memory is short.
int default_batch_jobs(uint64_t free_bytes, int cores);

class Batch {
  public:
    /// Called in the order of the items, by one thread at a time. It must not throw.
    using Take = std::function<void(size_t item, BatchOutcome outcome)>;

    Batch(std::vector<BatchItem> items, BatchFilter& filter, BatchForm form, BatchOptions options, Take take);

    /// Does all items on the calling thread and others, as far as these can be started. Once `stop` is set, images
    /// under way are given up, and what is finished is handed over. Returns whether all images are ok. An image that
    /// lacks memory beside the others is tried again alone. Throws what no image is to blame for.
    bool run(const std::stop_token& stop);

    // From any thread:
    /// No further image begins while it is paused; those under way go on.
    void pause(bool pauses);
    struct UnderWay {
        size_t item;
        BatchStep::Kind kind;
        double fraction;  // of this step; negative: unknown
    };
    std::vector<UnderWay> under_way() const;
    const std::string& input(size_t item) const { return items_[item].input; }

  private:
    struct Slot {
        bool is_used = false;
        size_t item = 0;
        BatchStep step;
    };

    void work(const std::stop_token& stop) noexcept;
    std::optional<size_t> next(const std::stop_token& stop, Slot*& slot);
    BatchOutcome process(size_t item, BatchStep& step, const std::stop_token& stop);
    void finish(size_t item, Slot& slot, std::optional<BatchOutcome> outcome) noexcept;
    void hand_over(bool with_gaps) noexcept;
    int threads_for_one() const;

    const std::vector<BatchItem> items_;
    BatchFilter& filter_;
    const BatchForm form_;
    const Take take_;
    const int threads_, jobs_;
    const bool resumes_;

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::vector<Slot> slots_;                           // one a job
    std::vector<std::optional<BatchOutcome>> waiting_;  // for those before them; a ring
    size_t next_ = 0, handed_over_ = 0;
    int active_ = 0;         // images under way, those that wait to be alone aside
    int want_alone_ = 0;     // images
    bool is_alone_ = false;  // one of them is under way
    bool is_paused_ = false, is_over_ = false, ok_ = true;
    std::exception_ptr error_;
};

}  // namespace tonescope
