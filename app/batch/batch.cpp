#include "app/batch/batch.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "app/options/options.h"
#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"

namespace tonescope {
namespace {

/// Where memory is short, there are fewer jobs, so that each may take this much.
constexpr uint64_t kUsualShare_bytes = uint64_t{256} << 20;
/// Finished images that wait for one before them, by jobs.
constexpr size_t kAhead = 8;

/// What a job may take at least, in two halves: an image and its result, or its decoder.
constexpr uint64_t kLeastShare_bytes = 2 * kAlwaysTried_bytes;

int jobs_of(const BatchOptions& options, size_t items) {
    const uint64_t free_bytes = free_memory_bytes();
    const int wanted = options.jobs > 0 ? options.jobs : default_batch_jobs(free_bytes, default_cpu_threads());
    const uint64_t most = std::clamp<uint64_t>(free_bytes / kLeastShare_bytes, 1, kMaxJobs);
    return int(std::min({uint64_t(wanted), most, std::max<uint64_t>(items, 1)}));
}

}  // namespace

int default_batch_jobs(uint64_t free_bytes, int cores) {
    const uint64_t most = std::max<uint64_t>(1, free_bytes / kUsualShare_bytes);
    return int(std::min<uint64_t>(most, uint64_t(std::min(cores + (cores + 1) / 2, kMaxJobs))));
}

Batch::Batch(std::vector<BatchItem> items, BatchFilter& filter, BatchForm form, BatchOptions options, Take take)
    : items_(std::move(items)),
      filter_(filter),
      form_(std::move(form)),
      take_(std::move(take)),
      threads_(options.threads > 0 ? options.threads : default_cpu_threads()),
      jobs_(jobs_of(options, items_.size())),
      resumes_(options.resumes),
      slots_(size_t(jobs_)),
      waiting_(size_t(jobs_) * kAhead) {}

bool Batch::run(const std::stop_token& stop) {
    {
        const std::stop_callback wake(stop, [&] {
            const std::lock_guard lock(mutex_);
            changed_.notify_all();
        });
        std::vector<std::jthread> others;
        try {
            others.reserve(size_t(jobs_) - 1);
            while (int(others.size()) < jobs_ - 1) others.emplace_back([this, &stop] { work(stop); });
        } catch (const std::system_error&) {  // those there are do the work
        } catch (const std::bad_alloc&) {
        }
        work(stop);
    }
    const std::lock_guard lock(mutex_);
    hand_over(true);
    if (error_) std::rethrow_exception(error_);
    return ok_;
}

void Batch::pause(bool pauses) {
    const std::lock_guard lock(mutex_);
    is_paused_ = pauses;
    changed_.notify_all();
}

std::vector<Batch::UnderWay> Batch::under_way() const {
    const std::lock_guard lock(mutex_);
    std::vector<UnderWay> all;
    for (const Slot& slot : slots_)
        if (slot.is_used) all.push_back({slot.item, slot.step.kind(), slot.step.fraction()});
    std::ranges::sort(all, {}, &UnderWay::item);
    return all;
}

void Batch::work(const std::stop_token& stop) noexcept {
    Slot* slot = nullptr;
    while (const auto item = next(stop, slot)) {
        std::optional<BatchOutcome> outcome;
        try {
            outcome = process(*item, slot->step, stop);
        } catch (const Canceled&) {
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!error_) error_ = std::current_exception();
            is_over_ = true;
        }
        finish(*item, *slot, std::move(outcome));
    }
}

/// The next item and a place for its progress; nothing where there are no more.
std::optional<size_t> Batch::next(const std::stop_token& stop, Slot*& slot) {
    std::unique_lock lock(mutex_);
    const auto is_over = [&] { return is_over_ || stop.stop_requested() || next_ >= items_.size(); };
    changed_.wait(
        lock, [&] { return is_over() || (!is_paused_ && want_alone_ == 0 && next_ - handed_over_ < waiting_.size()); });
    if (is_over()) return {};
    slot = &*std::ranges::find(slots_, false, &Slot::is_used);
    slot->is_used = true;
    slot->item = next_;
    slot->step.begin(BatchStep::Kind::reading);
    ++active_;
    return next_++;
}

int Batch::threads_for_one() const {
    const std::lock_guard lock(mutex_);
    const size_t left = items_.size() - next_;
    // Towards the end, images have the cores of those that are done.
    const int together = std::min(threads_, left > 0 ? jobs_ : active_);
    return std::max(1, threads_ / std::max(1, together));
}

BatchOutcome Batch::process(size_t item, BatchStep& step, const std::stop_token& stop) {
    BatchImageJob job{.input = items_[item].input,
                      .output = items_[item].output,
                      .page = items_[item].page,
                      .threads = threads_for_one(),
                      .resumes = resumes_,
                      .throws_lack_of_memory = jobs_ > 1,
                      .step = &step};
    if (jobs_ > 1) {
        try {
            const MemoryShare share(std::max(free_memory_bytes() / uint64_t(jobs_), kLeastShare_bytes) / 2);
            return run_batch_image(job, filter_, form_, stop);
        } catch (const MemoryError&) {
        } catch (const std::bad_alloc&) {
        }
        std::unique_lock lock(mutex_);
        --active_;
        ++want_alone_;
        changed_.notify_all();
        changed_.wait(lock, [&] { return active_ == 0 && !is_alone_; });
        is_alone_ = true;
    }
    job.threads = threads_;
    job.throws_lack_of_memory = false;
    struct Alone {
        Batch& batch;
        ~Alone() {
            if (batch.jobs_ == 1) return;
            const std::lock_guard lock(batch.mutex_);
            batch.is_alone_ = false;
            --batch.want_alone_;
            ++batch.active_;
            batch.changed_.notify_all();
        }
    } const alone{*this};
    return run_batch_image(job, filter_, form_, stop);
}

/// Without an outcome, the image was given up.
void Batch::finish(size_t item, Slot& slot, std::optional<BatchOutcome> outcome) noexcept {
    const std::lock_guard lock(mutex_);
    slot.is_used = false;
    --active_;
    if (outcome) {
        ok_ = ok_ && outcome->ok;
        waiting_[item % waiting_.size()] = std::move(outcome);
    } else {
        is_over_ = true;
    }
    hand_over(false);
    changed_.notify_all();
}

/// With gaps: where nothing more comes.
void Batch::hand_over(bool with_gaps) noexcept {
    for (; handed_over_ < next_; ++handed_over_) {
        std::optional<BatchOutcome>& outcome = waiting_[handed_over_ % waiting_.size()];
        if (!outcome && !with_gaps) return;
        if (outcome) take_(handed_over_, *std::exchange(outcome, {}));
    }
}

}  // namespace tonescope
