// What a batch does with a device, without one.
#include "app/batch/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "tests/image_tools.h"
#include "tests/images.h"

namespace tonescope {
namespace {

/// What a device is told to do.
struct DeviceOrders {
    std::chrono::milliseconds takes{0};
    bool lacks_memory = false, fails = false, cannot_start = false;
    bool answers_at_once = false;         // with any pixels
    std::atomic<int> made = 0, runs = 0;  // images of its memory, runs
};

/// A device that runs the reference.
class FakeDevice final : public Backend {
  public:
    explicit FakeDevice(DeviceOrders& orders) : orders_(orders) {}
    BackendKind kind() const override { return BackendKind::cuda; }
    std::string device_name() const override { return "a device"; }
    int64_t lanes() const override { return 1; }
    HostImage make_image(const ImageSpec& spec, MemoryMode) override {
        ++orders_.made;
        if (orders_.lacks_memory) throw DeviceMemoryError("no such memory");
        return HostImage(spec, spec.row_bytes() + 64);
    }
    RunResult run(const ImageView& input, const RunSpec& spec, std::stop_token stop, RunKind) override {
        ++orders_.runs;
        if (orders_.fails) throw DeviceError("it fell off the bus");
        std::this_thread::sleep_for(orders_.takes);
        if (orders_.answers_at_once) return {.image = HostImage(input.spec)};
        const VariantInfo* reference = find_variant(spec.op->id, "cpu");
        return make_cpu_backend(1)->run(input, {.op = spec.op, .variant = reference, .params = spec.params}, stop);
    }
    ClockRate clock() override { return {}; }
    Roofs roofs(std::stop_token) override { return {}; }

  private:
    DeviceOrders& orders_;
};

class BatchFilterTest : public testing::Test {
  protected:
    static RunSpec spec_of(BackendKind kind) {
        return default_run(*find_operator("he"), preferred_variant("he", kind));
    }
    static BatchRun run_of(BackendKind kind) {
        BatchRun run{.spec = spec_of(kind)};
        run.with_variant = [](const VariantInfo& variant) { return spec_of(variant.backend); };
        run.may_use_cpu = true;
        return run;
    }
    BatchFilter on_device() { return BatchFilter(run_of(BackendKind::cuda), std::make_unique<FakeDevice>(orders_)); }
    /// Of so many images like image_.
    BatchFilter chooses(int64_t images) {
        BatchRun run = run_of(BackendKind::cpu);
        run.images = images;
        run.start_device = [this]() -> std::unique_ptr<Backend> {
            ++starts_;
            if (orders_.cannot_start) throw DeviceError("there is none");
            return std::make_unique<FakeDevice>(orders_);
        };
        return BatchFilter(std::move(run), make_cpu_backend());
    }
    void expect_result(const BatchFilter::Filtered& done, BackendKind kind) {
        EXPECT_EQ(done.spec.variant->backend, kind);
        EXPECT_TRUE(same_pixels(done.result.image.view(), right_.image.view()));
        EXPECT_EQ(done.device, kind == BackendKind::cpu ? cpu_device_name(default_cpu_threads()) : "a device");
    }

    static constexpr int64_t kMany = 10'000'000;
    DeviceOrders orders_;
    int starts_ = 0;
    const HostImage image_ = noise(700, 600, PixelFormat::gray8, 1);
    const RunResult right_ = make_cpu_backend(2)->run(image_.view(), spec_of(BackendKind::cpu));
};

TEST_F(BatchFilterTest, StartsNoDeviceForAnImage) {
    BatchFilter filter = chooses(1);
    EXPECT_TRUE(filter.make_image(image_.spec()).empty());
    const auto done = filter.run(image_.view(), {}, 2, {});
    expect_result(done, BackendKind::cpu);
    EXPECT_NE(done.why.find("a device takes longer to start"), std::string::npos) << done.why;
    EXPECT_EQ(starts_, 0);
    EXPECT_EQ(filter.failure(), "");
}

TEST_F(BatchFilterTest, TakesTheDeviceWhereItIsFaster) {
    orders_.answers_at_once = true;
    BatchFilter filter = chooses(kMany);
    EXPECT_FALSE(filter.make_image(image_.spec()).empty());
    const auto done = filter.run(image_.view(), {}, 2, {});
    EXPECT_EQ(done.spec.variant->backend, BackendKind::cuda);
    EXPECT_EQ(done.why.find("about"), 0U) << done.why;
    EXPECT_LT(done.why.find("on the device"), done.why.find("on the CPU"));
    EXPECT_EQ(filter.device(), "a device");
    EXPECT_EQ(starts_, 1);
}

TEST_F(BatchFilterTest, TakesTheCpuWhereTheDeviceIsSlower) {
    orders_.takes = std::chrono::milliseconds(100);
    BatchFilter filter = chooses(kMany);
    const auto done = filter.run(image_.view(), {}, 2, {});
    expect_result(done, BackendKind::cpu);
    EXPECT_LT(done.why.find("on the CPU"), done.why.find("on the device")) << done.why;
    const int runs = orders_.runs;
    expect_result(filter.run(image_.view(), {}, 2, {}), BackendKind::cpu);
    EXPECT_EQ(orders_.runs, runs) << "measured once";
    EXPECT_EQ(starts_, 1);
}

TEST_F(BatchFilterTest, TakesTheDeviceThatItIsToldToTake) {
    orders_.takes = std::chrono::milliseconds(100);
    const auto done = on_device().run(image_.view(), {}, 2, {});
    expect_result(done, BackendKind::cuda);
    EXPECT_EQ(done.why, "");
    EXPECT_EQ(orders_.runs, 1);
}

TEST_F(BatchFilterTest, GoesOnWithTheCpuWhereNoDeviceStarts) {
    orders_.cannot_start = true;
    BatchFilter filter = chooses(kMany);
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(filter.make_image(image_.spec()).empty());
        expect_result(filter.run(image_.view(), {}, 2, {}), BackendKind::cpu);
    }
    EXPECT_EQ(filter.failure(), "there is none");
    EXPECT_EQ(starts_, 1);
}

TEST_F(BatchFilterTest, GoesOnWithTheCpuWhereTheDeviceFailsWhenItIsTried) {
    orders_.fails = true;
    BatchFilter filter = chooses(kMany);
    expect_result(filter.run(image_.view(), {}, 2, {}), BackendKind::cpu);
    EXPECT_EQ(filter.failure(), "it fell off the bus");
    EXPECT_TRUE(filter.make_image(image_.spec()).empty());
    expect_result(filter.run(image_.view(), {}, 2, {}), BackendKind::cpu);
}

/// The memory of a result, and a run that loads the kernels: once for images of one size.
TEST_F(BatchFilterTest, MakesReadyWhatTheFirstRunTakes) {
    BatchFilter filter = on_device();
    EXPECT_EQ(filter.make_image(image_.spec()).spec(), image_.spec());
    expect_result(filter.run(image_.view(), {}, 2, {}), BackendKind::cuda);
    const int made = orders_.made, runs = orders_.runs;
    EXPECT_GE(made, 2);
    EXPECT_EQ(runs, 2);
    filter.make_image(image_.spec());
    expect_result(filter.run(image_.view(), {}, 2, {}), BackendKind::cuda);
    EXPECT_EQ(orders_.made, made + 1);
    EXPECT_EQ(orders_.runs, runs + 1);
}

/// A thread that has ended keeps its stack until it is joined.
TEST_F(BatchFilterTest, KeepsNoThreadForEachImageThatIsLargerThanTheOneBefore) {
    const auto mappings = [] {
        std::ifstream maps("/proc/self/maps");
        return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
    };
    BatchFilter filter = on_device();
    constexpr int kImages = 60;
    std::ptrdiff_t before = 0;
    for (int i = 0; i < kImages; ++i) {
        const HostImage larger = noise(32, 8 + i, PixelFormat::gray8, 1);
        filter.make_image(larger.spec());
        filter.run(larger.view(), {}, 1, {});
        if (i == 10) before = mappings();
    }
    EXPECT_GE(orders_.made, 2 * kImages);
    EXPECT_LT(mappings() - before, kImages) << "a stack has two, and a sanitizer some of its own";
}

TEST_F(BatchFilterTest, ReadsIntoUsualMemoryWhereTheDeviceHasNone) {
    orders_.lacks_memory = true;
    BatchFilter filter = on_device();
    EXPECT_TRUE(filter.make_image(image_.spec()).empty());
    expect_result(filter.run(image_.view(), {}, 2, {}), BackendKind::cuda);
    EXPECT_EQ(filter.failure(), "");
}

}  // namespace
}  // namespace tonescope
