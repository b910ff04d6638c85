// Jobs on workers.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <new>
#include <thread>
#include <vector>

#include "app/system/tasks.h"
#include "tests/app/workers.h"

namespace tonescope {
namespace {

TEST(TasksTest, NobodyWaitsForAJobThatHangsOnceItIsStopped) {
    std::promise<void> disk, begun;
    bool told = false;
    Tasks tasks(2, [] {});
    std::stop_source stop = tasks.start(
        [&begun, answer = disk.get_future().share()](std::stop_token) {
            begun.set_value();
            answer.wait();
            return 1;
        },
        [&](const Outcome<int>&) { told = true; });
    EXPECT_EQ(tasks.awaited_jobs(), 1);
    begun.get_future().wait();
    stop.request_stop();
    EXPECT_EQ(tasks.awaited_jobs(), 0);
    EXPECT_EQ(tasks.open_jobs(), 1);

    int answer = 0;
    tasks.start([](std::stop_token) { return 2; }, [&](const Outcome<int>& outcome) { answer = *outcome.value; });
    EXPECT_GE(tasks.awaited_jobs(), 1);
    for (int k = 0; k < 1000 && answer == 0; ++k) {
        tasks.drain();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(answer, 2) << "another worker goes on";
    disk.set_value();
    while (tasks.open_jobs() > 0) tasks.drain();
    EXPECT_FALSE(told);
}

TEST(TasksTest, NoOutcomeIsLostWhereAnotherOneFindsNoMemory) {
    Workers workers;
    std::vector<int> told;
    for (int k = 0; k < 3; ++k)
        workers.tasks.start([k](std::stop_token) { return k; },
                            [&](const Outcome<int>& outcome) {
                                told.push_back(*outcome.value);
                                if (*outcome.value == 1) throw std::bad_alloc();
                            });
    int failed = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (workers.tasks.open_jobs() > 0 && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that several have finished
        try {
            workers.tasks.drain();
        } catch (const std::bad_alloc&) {
            ++failed;
        }
    }
    EXPECT_EQ(failed, 1);
    std::ranges::sort(told);
    EXPECT_EQ(told, (std::vector<int>{0, 1, 2}));
}

TEST(LookUpsTest, AreAwaitedForAWhile) {
    Workers workers;
    Gate disk;
    int found = 0;
    const auto look_up = [&] {
        workers.tasks.look_up(
            "Looking",
            [&](std::stop_token) {
                disk.pass();
                return 1;
            },
            [&](const Outcome<int>& outcome) { found += *outcome.value; });
    };
    look_up();
    workers.tasks.await_look_ups(std::chrono::milliseconds(20));
    EXPECT_EQ(found, 0);
    EXPECT_EQ(workers.tasks.oldest_look_up(), "Looking");
    disk.open();
    look_up();
    workers.tasks.await_look_ups(std::chrono::hours(1));
    EXPECT_EQ(found, 2);
}

TEST(LookUpsTest, NothingComesOfWhatIsCanceled) {
    Workers workers;
    Gate disk;
    bool answered = false;
    workers.tasks.look_up(
        "Looking",
        [&](std::stop_token) {
            disk.pass();
            return 1;
        },
        [&](const Outcome<int>&) { answered = true; });
    workers.tasks.look_up(
        "Pasting",
        [&](std::stop_token) {
            disk.pass();
            return 2;
        },
        [&](const Outcome<int>&) { answered = true; });
    EXPECT_EQ(workers.tasks.oldest_look_up(), "Looking");
    EXPECT_TRUE(workers.tasks.looks_up("Pasting"));
    EXPECT_FALSE(workers.tasks.looks_up("Saving"));
    workers.tasks.cancel_look_ups();
    EXPECT_EQ(workers.tasks.oldest_look_up(), "");
    EXPECT_EQ(workers.tasks.awaited_jobs(), 0) << "nobody waits for the disk any more";
    disk.open();
    EXPECT_TRUE(workers.finish());
    EXPECT_FALSE(answered);
}

TEST(LookUpsTest, OneThatHasEndedMayStartTheNext) {
    Workers workers;
    std::vector<int> answers;
    workers.tasks.look_up(
        "Looking", [](std::stop_token) { return 1; },
        [&](const Outcome<int>& outcome) {
            answers.push_back(*outcome.value);
            EXPECT_FALSE(workers.tasks.looks_up("Looking"));
            workers.tasks.look_up(
                "Looking", [](std::stop_token) { return 2; },
                [&](const Outcome<int>& next) { answers.push_back(*next.value); });
        });
    EXPECT_TRUE(workers.wait([&] { return answers.size() == 2; }));
    EXPECT_EQ(answers, (std::vector{1, 2}));
    EXPECT_EQ(workers.tasks.oldest_look_up(), "");
}

}  // namespace
}  // namespace tonescope
