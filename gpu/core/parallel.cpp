#include "gpu/core/parallel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace tonescope {
namespace {

/// Stages of a run follow each other within microseconds, and waking a thread takes longer: those who wait look for so
/// long before they sleep.
constexpr auto kAwake = std::chrono::microseconds(100);

void relax() {
#if defined(__GNUC__) && defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Looks until `is_so` or for kAwake.
bool comes_soon(auto is_so) {
    const auto until = std::chrono::steady_clock::now() + kAwake;
    do {
        for (int i = 0; i < 16; ++i) {
            if (is_so()) return true;
            relax();
        }
    } while (std::chrono::steady_clock::now() < until);
    return is_so();
}

}  // namespace

/// The workers, and the loops under way as a list, so that none takes memory.
class WorkerThreads {
  public:
    static WorkerThreads& instance() {
        // Never destroyed: a worker may still be at work when the program ends.
        alignas(WorkerThreads) static std::byte memory[sizeof(WorkerThreads)];
        static auto* const made = new (memory) WorkerThreads;
        return *made;
    }

    void run(Pieces& loop, int wanted) {
        loop.wanted_ = wanted;
        int to_wake = 0;
        {
            const std::lock_guard lock(mutex_);
            start_workers(wanted);
            loop.next_ = loops_;
            loops_ = &loop;
            ++open_loops_;
            ++news_;
            to_wake = std::min(wanted, sleeping_);
        }
        for (int i = 0; i < to_wake; ++i) changed_.notify_one();
        loop.run();
        // Nothing is left to take. Who is still at work is almost done.
        {
            const std::lock_guard lock(mutex_);
            Pieces** link = &loops_;
            while (*link != &loop) link = &(*link)->next_;
            *link = loop.next_;
            --open_loops_;
        }
        comes_soon([&] { return loop.helpers_.load(std::memory_order_acquire) == 0; });
        // A worker lets go of the loop under the mutex: with it in hand, none still touches the loop.
        std::unique_lock lock(mutex_);
        left_.wait(lock, [&] { return loop.helpers_ == 0; });
    }

    /// Whether a worker of this loop should go over to another one, which has fewer.
    bool is_needed_elsewhere(const Pieces& loop) {
        if (open_loops_.load(std::memory_order_relaxed) < 2) return false;
        const std::lock_guard lock(mutex_);
        const Pieces* const neediest = find_neediest();
        return neediest != nullptr && neediest->helpers_ + 1 < loop.helpers_;
    }

    static bool is_worker_of(const Pieces& loop) { return helped_ == &loop; }

  private:
    /// A thread that cannot start is tried again with the next loop.
    void start_workers(int wanted) noexcept {
        try {
            for (; workers_ < wanted; ++workers_) std::thread([this] { work(); }).detach();
        } catch (const std::system_error&) {
        } catch (const std::bad_alloc&) {
        }
    }

    [[noreturn]] void work() noexcept {
        std::unique_lock lock(mutex_);
        while (true) {
            Pieces* const loop = find_neediest();
            if (loop == nullptr) {
                const uint32_t seen = news_;
                lock.unlock();
                comes_soon([&] { return news_.load(std::memory_order_relaxed) != seen; });
                lock.lock();
                if (news_ != seen) continue;
                ++sleeping_;
                changed_.wait(lock, [&] { return news_ != seen; });
                --sleeping_;
                continue;
            }
            ++loop->helpers_;
            lock.unlock();
            helped_ = loop;
            loop->run();
            helped_ = nullptr;
            lock.lock();
            if (--loop->helpers_ == 0) left_.notify_all();
        }
    }

    /// Of the loops that want more workers, the one with the fewest; null where there is none.
    Pieces* find_neediest() const {
        Pieces* neediest = nullptr;
        for (Pieces* loop = loops_; loop != nullptr; loop = loop->next_) {
            if (loop->helpers_ >= loop->wanted_ || loop->taken_ >= loop->count_ || loop->failed_) continue;
            if (neediest == nullptr || loop->helpers_ < neediest->helpers_) neediest = loop;
        }
        return neediest;
    }

    std::mutex mutex_;
    std::condition_variable changed_;  // a loop has come
    std::condition_variable left_;     // a loop has no workers any more
    Pieces* loops_ = nullptr;
    std::atomic<int> open_loops_ = 0;
    std::atomic<uint32_t> news_ = 0;  // loops that have come so far
    int workers_ = 0, sleeping_ = 0;
    inline static thread_local const Pieces* helped_ = nullptr;  // by this worker
};

bool Pieces::take(int64_t& begin, int64_t& end) {
    if (failed_.load(std::memory_order_relaxed)) return false;
    if (WorkerThreads::is_worker_of(*this) && WorkerThreads::instance().is_needed_elsewhere(*this)) return false;
    begin = taken_.fetch_add(grain_, std::memory_order_relaxed);
    end = std::min(begin + grain_, count_);
    return begin < count_;
}

void Pieces::run() noexcept {
    try {
        body_(context_, *this);
    } catch (...) {
        if (!failed_.exchange(true)) error_ = std::current_exception();
    }
}

void run_pieces(int threads, int64_t count, int64_t grain, void (*body)(void*, Pieces&), void* context) {
    grain = std::max<int64_t>(grain, 1);
    Pieces pieces(std::max<int64_t>(count, 0), grain, body, context);
    const int64_t useful = (pieces.count_ + grain - 1) / grain;
    if (threads < 2 || useful < 2) return body(context, pieces);
    WorkerThreads::instance().run(pieces, int(std::min<int64_t>(threads, useful)) - 1);
    if (pieces.failed_) std::rethrow_exception(pieces.error_);
}

}  // namespace tonescope
