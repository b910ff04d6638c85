// Jobs that may hang on a disk.
#include "app/viewer/files/look_ups.h"

#include <gtest/gtest.h>

#include "tests/app/workers.h"

namespace tonescope {
namespace {

TEST(LookUps, NothingComesOfWhatIsCancelled) {
    Workers workers;
    Gate disk;
    bool answered = false;
    workers.look_ups.start(
        "Looking",
        [&](std::stop_token) {
            disk.pass();
            return 1;
        },
        [&](const Outcome<int>&) { answered = true; });
    workers.look_ups.start(
        "Pasting",
        [&](std::stop_token) {
            disk.pass();
            return 2;
        },
        [&](const Outcome<int>&) { answered = true; });
    EXPECT_EQ(workers.look_ups.oldest(), "Looking");
    EXPECT_TRUE(workers.look_ups.has("Pasting"));
    EXPECT_FALSE(workers.look_ups.has("Saving"));
    workers.look_ups.cancel();
    EXPECT_TRUE(workers.look_ups.empty());
    EXPECT_EQ(workers.tasks.awaited_jobs(), 0) << "nobody waits for the disk any more";
    disk.open();
    EXPECT_TRUE(workers.finish());
    EXPECT_FALSE(answered);
}

TEST(LookUps, OneThatHasEndedMayStartTheNext) {
    Workers workers;
    std::vector<int> answers;
    workers.look_ups.start(
        "Looking", [](std::stop_token) { return 1; },
        [&](const Outcome<int>& outcome) {
            answers.push_back(*outcome.value);
            EXPECT_FALSE(workers.look_ups.has("Looking"));
            workers.look_ups.start(
                "Looking", [](std::stop_token) { return 2; },
                [&](const Outcome<int>& next) { answers.push_back(*next.value); });
        });
    EXPECT_TRUE(workers.wait([&] { return answers.size() == 2; }));
    EXPECT_EQ(answers, (std::vector{1, 2}));
    EXPECT_TRUE(workers.look_ups.empty());
}

}  // namespace
}  // namespace tonescope
