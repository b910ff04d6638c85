// Loops whose pieces several threads take in turn. All loops share one set of worker threads, which start when they are
// first needed and are never more than the most that a loop has asked for. Where a thread cannot start, the work is
// done by those there are, by the caller alone if need be.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <type_traits>

namespace tonescope {

/// The indices [0, count) of a loop, which its threads take in pieces of `grain`.
class Pieces {
  public:
    Pieces(const Pieces&) = delete;
    Pieces& operator=(const Pieces&) = delete;

    /// Goes over the indices that fall to this thread. It may end early on a worker that another loop needs more; the
    /// others then take what is left.
    class Iterator {
      public:
        using value_type = int64_t;
        using difference_type = ptrdiff_t;

        explicit Iterator(Pieces* pieces) : pieces_(pieces) { take(); }
        int64_t operator*() const { return index_; }
        Iterator& operator++() {
            if (++index_ == end_) take();
            return *this;
        }
        void operator++(int) { ++*this; }
        bool operator==(std::default_sentinel_t) const { return index_ == end_; }

      private:
        void take() {
            if (!pieces_->take(index_, end_)) index_ = end_ = 0;
        }
        Pieces* pieces_;
        int64_t index_ = 0, end_ = 0;
    };
    Iterator begin() { return Iterator(this); }
    static std::default_sentinel_t end() { return {}; }

  private:
    friend class WorkerThreads;
    friend void run_pieces(int threads, int64_t count, int64_t grain, void (*body)(void*, Pieces&), void* context);

    Pieces(int64_t count, int64_t grain, void (*body)(void*, Pieces&), void* context)
        : count_(count), grain_(grain), body_(body), context_(context) {}
    /// False where nothing is left for this thread.
    bool take(int64_t& begin, int64_t& end);
    void run() noexcept;

    const int64_t count_, grain_;
    void (*const body_)(void*, Pieces&);
    void* const context_;
    const void* place_ = nullptr;  // among the loops that workers look at; null: they do not
    std::atomic<bool> failed_ = false;
    std::exception_ptr error_;                    // of the thread that set failed_
    alignas(64) std::atomic<int64_t> taken_ = 0;  // a cache line of its own: every thread writes it
};

/// Runs `body(context, pieces)` on the calling thread and on up to `threads` - 1 workers at the same time.
void run_pieces(int threads, int64_t count, int64_t grain, void (*body)(void*, Pieces&), void* context);

/// Calls `body(pieces)` on up to `threads` threads at the same time, for loops whose threads have something of their
/// own:
///
///     parallel_pieces(threads, rows, 16, [&](Pieces& pieces) {
///         Counters counters;
///         for (const int64_t y : pieces) counters.count(y);
///         ...
///     });
///
/// Every index falls to exactly one call. The first exception ends the loop and is thrown here, when no thread works on
/// it any more. A body may itself run loops.
template <class Body>
void parallel_pieces(int threads, int64_t count, int64_t grain, Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    run_pieces(
        threads, count, grain, [](void* context, Pieces& pieces) { (*static_cast<Plain*>(context))(pieces); },
        const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

/// Calls `body(index)` for each index in [0, count).
template <class Body>
void parallel_for(int threads, int64_t count, int64_t grain, Body&& body) {
    parallel_pieces(threads, count, grain, [&](Pieces& pieces) {
        for (const int64_t index : pieces) body(index);
    });
}

}  // namespace tonescope
