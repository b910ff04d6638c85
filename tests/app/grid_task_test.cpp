// Several runs beside each other: what comes of them, and what is not run again.
#include <gtest/gtest.h>

#include <bit>
#include <condition_variable>
#include <mutex>
#include <random>

#include "app/viewer/live/grid_task.h"

namespace tonescope {
namespace {

/// Few values, so that every clip limit matters.
std::shared_ptr<const HostImage> noise(int width, int height, unsigned seed) {
    auto image = std::make_shared<HostImage>(ImageSpec{width, height, PixelFormat::rgba8, false});
    std::mt19937 random(seed);
    for (size_t i = 0; i < image->size_bytes(); ++i)
        image->data()[i] = uint8_t(i % 4 == 3 ? 255 : 100 + std::popcount(random() & 0xfff));
    return image;
}

RunSpec spec_of(const char* op_id, const char* variant, const char* param, int32_t value) {
    const OperatorInfo* op = find_operator(op_id);
    RunSpec spec{op, find_variant(op_id, variant), default_values(op->params), {}, MemoryMode::pinned};
    spec.variant_params = default_values(spec.variant->params);
    spec.params.set(*find_param(op->params, param), value);
    return spec;
}

std::vector<RunSpec> limits(std::initializer_list<int32_t> values) {
    std::vector<RunSpec> runs;
    for (const int32_t value : values) runs.push_back(spec_of("clahe", "cpu", "clip_limit", value));
    return runs;
}

/// A task, and a place to wait for it.
struct Fixture {
    GridTask task{[this] {
        const std::lock_guard lock(mutex);
        ++wakes;
        woken.notify_all();
    }};
    std::mutex mutex;
    std::condition_variable woken;
    int wakes = 0;

    void finish() {
        while (task.busy()) {
            const int seen = [&] {
                const std::lock_guard lock(mutex);
                return wakes;
            }();
            task.update();
            std::unique_lock lock(mutex);
            if (task.busy()) woken.wait_for(lock, std::chrono::milliseconds(100), [&] { return wakes != seen; });
        }
    }
    std::vector<uint64_t> serials() const {
        std::vector<uint64_t> all;
        for (const GridTask::Cell& cell : task.cells()) all.push_back(cell.serial);
        return all;
    }
};

TEST(GridTask, GivesTheBytesOfSingleRuns) {
    Fixture f;
    const auto image = noise(333, 217, 1);
    std::vector<RunSpec> runs = limits({100, 200, 400, 800});
    f.task.set(image, runs, -1);
    EXPECT_TRUE(f.task.busy());
    EXPECT_EQ(f.task.progress(), 0);
    f.finish();
    EXPECT_EQ(f.task.progress(), 1);
    const std::unique_ptr<Backend> backend = make_cpu_backend();
    ASSERT_EQ(f.task.cells().size(), runs.size());
    for (size_t k = 0; k < runs.size(); ++k) {
        const GridTask::Result& result = f.task.cells()[k].result;
        ASSERT_NE(result.picture, nullptr) << result.error;
        EXPECT_EQ(result.spec, runs[k]);
        EXPECT_GT(result.ms, 0);
        EXPECT_TRUE(same_pixels(result.picture->image->view(), backend->run(image->view(), runs[k]).image.view()));
        EXPECT_FALSE(k > 0 &&
                     same_pixels(result.picture->image->view(), f.task.cells()[k - 1].result.picture->image->view()));
    }
}

TEST(GridTask, RunsOnlyWhatHasChanged) {
    Fixture f;
    const auto image = noise(120, 80, 2);
    f.task.set(image, limits({100, 200, 400}), -1);
    f.finish();
    const std::vector<uint64_t> before = f.serials();
    f.task.set(image, limits({100, 200, 400}), -1);
    EXPECT_FALSE(f.task.busy());
    f.task.set(image, limits({100, 250, 400, 800}), -1);
    EXPECT_EQ(f.task.cells()[1].result.spec, limits({200})[0]) << "the old result stays until the new one is there";
    f.finish();
    const std::vector<uint64_t> after = f.serials();
    EXPECT_EQ(after[0], before[0]);
    EXPECT_GT(after[1], before[1]);
    EXPECT_EQ(after[2], before[2]);
    EXPECT_NE(after[3], 0u);
    f.task.set(noise(120, 80, 3), limits({100, 250, 400, 800}), -1);
    EXPECT_EQ(f.task.cells()[0].result.picture, nullptr) << "nothing of another image stays";
    f.finish();
    EXPECT_GT(f.serials()[0], after[3]);
}

TEST(GridTask, NewRequestsReplaceOldOnesAndRunsStop) {
    Fixture f;
    const auto image = noise(1500, 1000, 4);
    const auto slow = [](int radius) { return std::vector{spec_of("kuwahara", "cpu", "radius", radius)}; };
    ASSERT_NE(slow(1)[0].variant, nullptr);
    f.task.set(image, slow(64), -1);  // plain loops: minutes
    f.task.update();
    f.task.set(image, slow(1), -1);
    f.finish();
    EXPECT_EQ(f.task.cells()[0].result.spec, slow(1)[0]);
    f.task.set(image, slow(64), -1);
    f.task.cancel();
    EXPECT_FALSE(f.task.busy());
    f.task.set(image, slow(64), -1);
    EXPECT_FALSE(f.task.busy()) << "a cancelled run starts again only when something else is asked for";
    EXPECT_NE(f.task.cells()[0].result.spec, slow(64)[0]);
    f.task.set(image, {}, -1);
    EXPECT_TRUE(f.task.cells().empty());
}

TEST(GridTask, AnErrorBelongsToItsCell) {
    Fixture f;
    std::vector<RunSpec> runs = limits({100, 200});
    runs[1].variant = find_variant("clahe", "simple");  // of the GPU, which a build without CUDA lacks
    ASSERT_NE(runs[1].variant, nullptr);
    f.task.set(noise(50, 40, 5), runs, 1000);  // nor has any machine that many GPUs
    f.finish();
    EXPECT_NE(f.task.cells()[0].result.picture, nullptr);
    EXPECT_EQ(f.task.cells()[1].result.picture, nullptr);
    EXPECT_FALSE(f.task.cells()[1].result.error.empty());
    EXPECT_EQ(f.task.cells()[1].result.error.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace tonescope
