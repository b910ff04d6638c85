#include "gpu/core/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace tonescope {
namespace {

using namespace std::chrono_literals;

TEST(Parallel, EveryIndexFallsToOneCall) {
    for (const int threads : {0, 1, 2, 3, 8})
        for (const int64_t count : {0, 1, 2, 7, 1000})
            for (const int64_t grain : {0, 1, 3, 64, 5000}) {
                std::vector<std::atomic<int>> calls(static_cast<size_t>(count));
                parallel_for(threads, count, grain, [&](int64_t i) { ++calls[size_t(i)]; });
                EXPECT_TRUE(std::ranges::all_of(calls, [](int n) { return n == 1; }))
                    << threads << " threads, " << count << " in pieces of " << grain;
            }
}

TEST(Parallel, ThreadsWorkAtTheSameTime) {
    // Each of three pieces waits for the other two, so that one thread alone would never end.
    std::atomic<int> arrived = 0;
    parallel_for(3, 3, 1, [&](int64_t) {
        ++arrived;
        while (arrived < 3) std::this_thread::yield();
    });
    EXPECT_EQ(arrived, 3);
}

TEST(Parallel, NoMoreThreadsThanAskedFor) {
    parallel_for(6, 100, 1, [](int64_t) { std::this_thread::sleep_for(1ms); });  // there are more workers now
    std::mutex mutex;
    std::set<std::thread::id> seen;
    parallel_pieces(2, 40, 1, [&](Pieces& pieces) {
        for ([[maybe_unused]] const int64_t i : pieces) std::this_thread::sleep_for(1ms);
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
    });
    EXPECT_LE(seen.size(), 2u);
}

TEST(Parallel, AnExceptionEndsTheLoopAndReachesTheCaller) {
    for (int round = 0; round < 200; ++round) {
        std::atomic<int> inside = 0;
        try {
            parallel_for(4, int64_t{1} << 40, 1, [&](int64_t i) {  // ends by the exception alone
                ++inside;
                const bool fails = i == round;
                --inside;
                if (fails) throw std::runtime_error("piece " + std::to_string(i));
            });
            FAIL() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
            EXPECT_EQ(error.what(), "piece " + std::to_string(round));
        }
        EXPECT_EQ(inside, 0) << "a thread was still at work";
    }
    int after = 0;
    parallel_for(1, 5, 1, [&](int64_t) { ++after; });
    EXPECT_EQ(after, 5);
}

TEST(Parallel, AnExceptionBeforeThePiecesReachesTheCaller) {
    EXPECT_THROW(parallel_pieces(4, 100, 1, [](Pieces&) { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(Parallel, LoopsWithinLoops) {
    std::atomic<int64_t> sum = 0;
    parallel_for(4, 20, 1, [&](int64_t i) {
        parallel_for(4, 50, 3,
                     [&](int64_t j) { parallel_for(2, 2, 1, [&](int64_t k) { sum += i * 100 + j * 2 + k; }); });
    });
    int64_t expected = 0;
    for (int64_t n = 0; n < 20 * 100; ++n) expected += n;
    EXPECT_EQ(sum, expected);
}

TEST(Parallel, LoopsOfSeveralThreads) {
    std::vector<std::thread> callers;
    std::atomic<int64_t> sum = 0;
    for (int c = 0; c < 6; ++c)
        callers.emplace_back([&] {
            for (int round = 0; round < 300; ++round) parallel_for(4, 64, 1, [&](int64_t i) { sum += i; });
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(sum, 6 * 300 * (63 * 64 / 2));
}

TEST(Parallel, MoreLoopsAtOnceThanWorkersLookAt) {
    constexpr int kLoops = 90;
    std::vector<std::thread> callers;
    std::atomic<int> begun = 0, done = 0;
    for (int c = 0; c < kLoops; ++c)
        callers.emplace_back([&] {
            parallel_for(2, 10, 1, [&](int64_t i) {
                if (i == 0) ++begun;
                while (begun < kLoops) std::this_thread::sleep_for(100us);
                ++done;
            });
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(done, kLoops * 10);
}

TEST(Parallel, TheThreadsOfALoopSleepAndWakeAgain) {
    std::atomic<int64_t> sum = 0;
    for (int round = 0; round < 200; ++round) {
        std::this_thread::sleep_for(std::chrono::microseconds(round * 2));  // around the time that workers stay awake
        std::atomic<int> arrived = 0;
        parallel_for(3, 3, 1, [&](int64_t i) {
            ++arrived;
            while (arrived < 3) std::this_thread::yield();
            sum += i;
        });
    }
    EXPECT_EQ(sum, 200 * 3);
}

TEST(Parallel, WorkersGoOverToALoopThatHasNone) {
    // A long loop has both workers. A loop that starts meanwhile gets one of them before the long one is done.
    std::atomic<bool> others_done = false;
    std::atomic<int> busy = 0;
    std::thread other([&] {
        while (busy < 3) std::this_thread::yield();
        std::atomic<int> together = 0;
        parallel_for(3, 2, 1, [&](int64_t) {
            ++together;
            while (together < 2) std::this_thread::yield();
        });
        others_done = true;
    });
    const auto long_loop = [&](Pieces& pieces) {
        ++busy;
        for ([[maybe_unused]] const int64_t i : pieces) {
            if (others_done) throw std::runtime_error("enough");
            std::this_thread::sleep_for(100us);
        }
    };
    EXPECT_THROW(parallel_pieces(3, int64_t{1} << 40, 1, long_loop), std::runtime_error);
    other.join();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their own memory has no limit
/// Memory that a process has addresses for.
uint64_t taken_bytes() {
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * uint64_t(sysconf(_SC_PAGESIZE));
}

/// A thread's stack takes more addresses than are left. In a process of its own: status 0 where all is right.
[[noreturn]] void run_without_threads() {
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    const rlimit low{taken_bytes() + (1 << 20), limit.rlim_max};
    setrlimit(RLIMIT_AS, &low);
    try {
        std::thread([] {}).join();
        std::_Exit(2);
    } catch (const std::system_error&) {
    }
    std::set<std::thread::id> seen;
    int64_t sum = 0;
    for (int round = 0; round < 3; ++round)
        parallel_for(8, 100, 1, [&](int64_t i) {
            seen.insert(std::this_thread::get_id());
            sum += i;
        });
    if (seen.size() != 1 || sum != 3 * 4950) std::_Exit(3);
    setrlimit(RLIMIT_AS, &limit);
    std::atomic<int> arrived = 0;  // of three threads, which start now
    parallel_for(3, 3, 1, [&](int64_t) {
        ++arrived;
        while (arrived < 3) std::this_thread::yield();
    });
    std::_Exit(0);
}

TEST(Parallel, ALoopRunsWhereThreadsCannotStart) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(run_without_threads(), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace tonescope
