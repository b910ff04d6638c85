// One explanation at a time, then the newest.
#include "app/viewer/live/explanation_task.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace tonescope {
namespace {

/// What the operator below is asked.
struct Calls {
    std::mutex mutex;
    std::vector<Pixel> pixels;
    std::vector<ParamBlock> params;
    std::vector<bool> cached;  // something was kept from an earlier call
    std::atomic<bool> held = false;
    std::atomic<int> stopped = 0;
};
Calls& calls() {
    static Calls all;
    return all;
}

Explanation slow_explanation(const ExplainJob& job) {
    {
        const std::lock_guard lock(calls().mutex);
        calls().pixels.push_back(job.pixel);
        calls().params.push_back(job.params);
        calls().cached.push_back(job.cache->has_value());
    }
    *job.cache = 1;
    while (calls().held && !job.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    calls().stopped += job.stop.stop_requested() ? 1 : 0;
    Explanation explanation;
    explanation.pixel = job.pixel;
    explanation.cells = {2, 2, job.input.spec.width, job.input.spec.height};
    explanation.areas = {{{1, 2, 3, 4}, "1", false, false}};
    return explanation;
}

class ExplanationTaskTest : public testing::Test {
  protected:
    ExplanationTaskTest() {
        const std::lock_guard lock(calls().mutex);
        calls().pixels.clear();
        calls().params.clear();
        calls().cached.clear();
        calls().held = false;
        calls().stopped = 0;
        op_.explain = slow_explanation;
    }
    ~ExplanationTaskTest() override { calls().held = false; }

    static std::shared_ptr<const HostImage> image() {
        return std::make_shared<const HostImage>(ImageSpec{8, 8, PixelFormat::gray8, false});
    }
    void update() {
        tasks_.drain();
        task_.update(image_, &op_, params_, part_);
    }
    template <class Condition>
    bool wait(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (std::chrono::steady_clock::now() < end) {
            update();
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }
    bool wait_for(Pixel pixel) {
        return wait([&] { return task_.explanation() && task_.explanation()->pixel == pixel; });
    }
    static size_t started() {
        const std::lock_guard lock(calls().mutex);
        return calls().pixels.size();
    }

    OperatorInfo op_;
    std::shared_ptr<const HostImage> image_ = image();
    ParamBlock params_;
    ResultPart part_;
    Tasks tasks_{2, [] {}};
    ExplanationTask task_{tasks_};
};

TEST_F(ExplanationTaskTest, TheNewestPixelComesNext) {
    calls().held = true;
    task_.ask(ExplanationTask::Request{{1, 1}, {}});
    ASSERT_TRUE(wait([] { return started() == 1; }));
    for (const Pixel pixel : {Pixel{2, 2}, {3, 3}, {4, 4}}) {
        task_.ask(ExplanationTask::Request{pixel, {}});
        update();
    }
    EXPECT_TRUE(task_.busy());
    calls().held = false;
    ASSERT_TRUE(wait_for({4, 4}));
    EXPECT_EQ(calls().pixels, (std::vector<Pixel>{{1, 1}, {4, 4}}));
    EXPECT_EQ(calls().cached, (std::vector<bool>{false, true}));
}

TEST_F(ExplanationTaskTest, OtherParametersEmptyTheCacheAndLeaveTheOldAnswer) {
    task_.ask(ExplanationTask::Request{{1, 1}, {}});
    ASSERT_TRUE(wait_for({1, 1}));
    struct Params {
        int32_t value;
    };
    params_ = ParamBlock(Params{7});
    calls().held = true;
    task_.ask(ExplanationTask::Request{{2, 2}, {}});
    ASSERT_TRUE(wait([] { return started() == 2; }));
    EXPECT_EQ(task_.explanation()->pixel, (Pixel{1, 1}));
    EXPECT_FALSE(calls().cached[1]);
    calls().held = false;
    EXPECT_TRUE(wait_for({2, 2}));
}

TEST_F(ExplanationTaskTest, ThePanesParametersStandForThoseInUse) {
    struct Params {
        int32_t value;
    };
    params_ = ParamBlock(Params{7});
    const ParamBlock of_pane(Params{9});
    const auto wait_for_params = [&](const ParamBlock& params) {
        return wait([&] { return task_.explanation() && task_.explained().params == params; });
    };
    task_.ask(ExplanationTask::Request{{1, 1}, {}, &op_, of_pane});
    ASSERT_TRUE(wait_for_params(of_pane));
    EXPECT_EQ(task_.explained().op, &op_);
    task_.ask(ExplanationTask::Request{{1, 1}, {}});
    ASSERT_TRUE(wait_for_params(params_)) << "the same pixel";
    OperatorInfo other = op_;
    task_.ask(ExplanationTask::Request{{1, 1}, {}, &other, of_pane});  // the operator has changed in between
    ASSERT_TRUE(wait([&] { return !task_.busy(); }));
    EXPECT_EQ(task_.explained().params, params_);
    EXPECT_EQ(calls().params, (std::vector<ParamBlock>{of_pane, params_, params_}));
}

TEST_F(ExplanationTaskTest, AnotherImageStopsAndForgets) {
    task_.ask(ExplanationTask::Request{{1, 1}, {}});
    ASSERT_TRUE(wait_for({1, 1}));
    calls().held = true;
    task_.ask(ExplanationTask::Request{{2, 2}, {}});
    ASSERT_TRUE(wait([] { return started() == 2; }));
    image_ = image();
    update();
    EXPECT_EQ(task_.explanation(), nullptr);
    EXPECT_TRUE(wait([] { return calls().stopped == 1; })) << "the old one goes on";
    calls().held = false;
    EXPECT_TRUE(wait_for({2, 2}));
}

TEST_F(ExplanationTaskTest, TheOperatorSeesTheRegionAndTheUserTheImage) {
    part_ = {.region = {3, 2, 4, 50}, .feather_px = 2};
    task_.ask(ExplanationTask::Request{{4, 5}, Pixel{1, 1}});
    ASSERT_TRUE(wait_for({4, 5}));
    EXPECT_EQ(calls().pixels, (std::vector<Pixel>{{1, 3}}));
    const Explanation& inside = *task_.explanation();
    EXPECT_EQ(task_.explained().part, part_);
    EXPECT_EQ(inside.cells.extent_width, 4);
    EXPECT_EQ(inside.cells.extent_height, 6);
    EXPECT_EQ(inside.areas[0].rect, (Rect{4, 4, 3, 4}));
    EXPECT_EQ(inside.note, "The result stands here with 191 of 255 parts, the image with the others.");
    task_.ask(ExplanationTask::Request{{1, 5}, {}});
    ASSERT_TRUE(wait_for({1, 5}));
    EXPECT_EQ(task_.explanation()->note, "This pixel lies outside of the region and stays as it is.");
    EXPECT_EQ(started(), 1U) << "the operator is not asked";
}

TEST_F(ExplanationTaskTest, NothingIsShownWhereNothingIsToBe) {
    task_.ask(ExplanationTask::Request{{1, 1}, {}});
    ASSERT_TRUE(wait_for({1, 1}));
    task_.ask(std::nullopt);
    update();
    EXPECT_EQ(task_.explanation(), nullptr);
    task_.ask(ExplanationTask::Request{{8, 1}, {}});  // outside
    update();
    EXPECT_FALSE(task_.busy());
    image_ = nullptr;
    task_.ask(ExplanationTask::Request{{1, 1}, {}});
    update();
    EXPECT_FALSE(task_.busy());
    EXPECT_EQ(started(), 1U);
}

}  // namespace
}  // namespace tonescope
