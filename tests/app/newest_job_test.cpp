// One request at a time, then the newest.
#include "app/viewer/live/newest_job.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/app/workers.h"

namespace tonescope {
namespace {

class NewestJobTest : public testing::Test {
  protected:
    ~NewestJobTest() override { gate_.open(); }
    int work(int request, const std::stop_token& stop) {
        ++started_;
        if (holds_) gate_.pass();
        stopped_ += stop.stop_requested() ? 1 : 0;
        if (request < 0) throw std::runtime_error("no such number");
        return 10 * request;
    }

    Gate gate_;
    std::atomic<bool> holds_ = false;
    std::atomic<int> started_ = 0, stopped_ = 0;
    Workers workers_;
    NewestJob<int, int> job_{workers_.tasks,
                             [this](int request, const std::stop_token& stop) { return work(request, stop); }};
};

TEST_F(NewestJobTest, ARequestIsWorkedOffOnce) {
    job_.want(1);
    EXPECT_TRUE(job_.busy());
    EXPECT_FALSE(job_.is_up_to_date());
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(job_.result(), 10);
    EXPECT_TRUE(job_.is_up_to_date());
    job_.want(1);
    EXPECT_FALSE(job_.busy());
    job_.want(-1);
    EXPECT_EQ(job_.result(), 10) << "it stays until the next one is there";
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(job_.result(), std::nullopt);
    EXPECT_EQ(job_.error(), "no such number");
    job_.want(-1);
    EXPECT_FALSE(job_.busy()) << "what has failed is not tried again";
}

TEST_F(NewestJobTest, TheNewestRequestComesNext) {
    holds_ = true;
    for (int request = 1; request < 5; ++request) job_.want(request);
    gate_.open();
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(job_.result(), 10);
    job_.want(4);
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(job_.result(), 40);
    EXPECT_EQ(started_, 2);
}

TEST_F(NewestJobTest, ForgettingStopsAndNothingComesOfIt) {
    holds_ = true;
    job_.want(1);
    ASSERT_TRUE(workers_.wait([&] { return started_ == 1; }));
    job_.forget();
    EXPECT_FALSE(job_.busy());
    EXPECT_EQ(job_.wanted(), std::nullopt);
    gate_.open();
    ASSERT_TRUE(workers_.finish());
    EXPECT_EQ(stopped_, 1);
    EXPECT_EQ(job_.result(), std::nullopt);
}

}  // namespace
}  // namespace tonescope
