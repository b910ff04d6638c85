#include "gpu/core/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace tonescope {
namespace {

using Clock = std::chrono::steady_clock;

/// Waking a thread takes 10 to 50 microseconds. Stages of a run follow each other sooner: workers look for the next one
/// for so long before they sleep.
constexpr auto kAwake = std::chrono::microseconds(100);
/// So long where that was too short the last time and this would not have been; and to wait for the end of pieces under
/// way.
constexpr auto kLongAwake = std::chrono::milliseconds(4);

void relax() {
#if defined(__GNUC__) && defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Looks until `is_so` or for `longest`.
bool comes_soon(Clock::duration longest, auto is_so) {
    const auto until = Clock::now() + longest;
    do {
        for (int i = 0; i < 16; ++i) {
            if (is_so()) return true;
            relax();
        }
    } while (Clock::now() < until);
    return is_so();
}

}  // namespace

/// The workers, and the loops under way. Loops follow each other within microseconds, so threads meet in single atomic
/// words: a mutex that all workers want at once would put them to sleep.
class WorkerThreads {
  public:
    static WorkerThreads& instance() {
        // Never destroyed: a worker may still be at work when the program ends.
        alignas(WorkerThreads) static std::byte memory[sizeof(WorkerThreads)];
        static auto* const made = new (memory) WorkerThreads;
        return *made;
    }

    void run(Pieces& loop, int wanted) {
        wanted = std::min(wanted, kMaxWorkers);
        Place* const place = claim_place();
        if (place == nullptr) return loop.run();  // so many loops: there is work for every thread
        if (workers_ < wanted) start_workers(wanted);
        place->loop = &loop;
        loop.place_ = place;
        place->state.fetch_add(wanted * kWanted, std::memory_order_release);
        ++news_;
        wake(1);
        loop.run();
        // Nothing is left to take. Who is still at work is almost done.
        place->state += kDone;
        const auto are_gone = [&] { return workers_of(place->state.load(std::memory_order_acquire)) == 0; };
        if (!comes_soon(kLongAwake, are_gone))
            for (int state = 0; workers_of(state = place->state) > 0;) place->state.wait(state);
        place->state -= place->state / kWanted * kWanted;
        claimed_.fetch_and(~(uint64_t{1} << (place - places_.data())), std::memory_order_release);
    }

    /// Whether the calling thread, where it is a worker of this loop, goes over to another one, which has fewer.
    bool goes_over(const void* place) {
        if (helped_ != place) return false;
        if (next_ != nullptr) return true;  // a body may ask once more
        if (std::has_single_bit(claimed_.load(std::memory_order_relaxed))) return false;
        Place* const neediest = find_neediest();
        if (neediest == nullptr || workers_of(neediest->state) + 1 >= workers_of(helped_->state) || !join(*neediest))
            return false;
        next_ = neediest;
        return true;
    }

  private:
    /// Of a loop under way. It outlives the loop, so that a worker may look at it at any time.
    struct alignas(64) Place {
        /// The loop's workers, kWanted times those that it wants, and kDone times the threads that found nothing left:
        /// where there is one, no more workers come. One that comes for nothing counts for a moment, too.
        std::atomic<int> state = 0;
        Pieces* loop = nullptr;  // there is one as long as it has workers
    };
    static constexpr int kWanted = 1 << 10, kDone = kWanted << 10, kMaxWorkers = kWanted - 2;
    static int workers_of(int state) { return state % kWanted; }
    static bool takes_more(int state) { return state < kDone && workers_of(state) < state / kWanted; }

    Place* claim_place() {
        uint64_t claimed = claimed_.load(std::memory_order_relaxed);
        while (~claimed != 0)
            if (claimed_.compare_exchange_weak(claimed, claimed | (claimed + 1), std::memory_order_acquire))
                return &places_[size_t(std::countr_one(claimed))];
        return nullptr;
    }
    static bool join(Place& place) {
        if (takes_more(place.state.fetch_add(1, std::memory_order_acq_rel))) return true;
        leave(place, false);
        return false;
    }
    static void leave(Place& place, bool is_done) {
        const int before = place.state.fetch_add((is_done ? kDone : 0) - 1);
        if (before >= kDone && workers_of(before) == 1) place.state.notify_one();
    }

    /// Of the loops that take more workers, the one with the fewest; null where there is none.
    Place* find_neediest() {
        Place* neediest = nullptr;
        int fewest = 0;
        for (uint64_t claimed = claimed_.load(std::memory_order_acquire); claimed != 0; claimed &= claimed - 1) {
            Place& place = places_[size_t(std::countr_zero(claimed))];
            const int state = place.state.load(std::memory_order_relaxed);
            if (!takes_more(state) || (neediest != nullptr && workers_of(state) >= fewest)) continue;
            neediest = &place;
            fewest = workers_of(state);
        }
        return neediest;
    }

    /// A thread that cannot start is tried again with the next loop.
    void start_workers(int wanted) noexcept {
        const std::lock_guard lock(starting_);
        try {
            for (; workers_ < wanted; ++workers_) std::thread([this] { work(); }).detach();
        } catch (const std::system_error&) {
        } catch (const std::bad_alloc&) {
        }
    }

    /// Each who is woken wakes two more, so that whoever has a loop begins with it at once.
    void wake(int workers) {
        for (int i = std::min(workers, sleeping_.load()); i > 0; --i) news_.notify_one();
    }

    [[noreturn]] void work() noexcept {
        Clock::duration awake = kAwake;
        while (true) {
            const int seen = news_;
            if (Place* const neediest = find_neediest()) {
                if (!join(*neediest)) continue;
                if (sleeping_ > 0 && find_neediest() != nullptr) wake(2);
                help(neediest);
                continue;
            }
            const auto idle_since = Clock::now();
            if (!comes_soon(awake, [&] { return news_.load(std::memory_order_relaxed) != seen; })) {
                ++sleeping_;
                news_.wait(seen);
                --sleeping_;
            }
            const auto idle = Clock::now() - idle_since;
            if (idle > kAwake) awake = idle < kLongAwake ? Clock::duration(kLongAwake) : kAwake;
        }
    }

    /// Works on a loop that has been joined, and on those that the worker then goes over to.
    static void help(Place* place) noexcept {
        for (; place != nullptr; place = std::exchange(next_, nullptr)) {
            helped_ = place;
            place->loop->run();
            helped_ = nullptr;
            leave(*place, next_ == nullptr);
        }
    }

    std::array<Place, 64> places_;
    alignas(64) std::atomic<uint64_t> claimed_ = 0;  // a bit for each place
    alignas(64) std::atomic<int> news_ = 0;          // loops that have come so far
    alignas(64) std::atomic<int> sleeping_ = 0;      // workers
    std::atomic<int> workers_ = 0;
    std::mutex starting_;
    inline static thread_local const Place* helped_ = nullptr;  // by this worker
    inline static thread_local Place* next_ = nullptr;          // that it has joined, behind the one it helps
};

bool Pieces::take(int64_t& begin, int64_t& end) {
    if (failed_.load(std::memory_order_relaxed)) return false;
    if (place_ != nullptr && WorkerThreads::instance().goes_over(place_)) return false;
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
