// A GPU whose memory is nearly full: what cannot be done is said in one line, and nothing counts as a failed device.
#include <string>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/memory.h"
#include "tests/gpu/gpu_test.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

/// Leaves about `left_bytes` of the device's memory.
class FullMemory {
  public:
    explicit FullMemory(size_t left_bytes) {
        for (size_t chunk = size_t{64} << 30; chunk >= 2 * kMiB; chunk /= 2) {
            try {
                while (free_device_bytes() >= left_bytes + chunk) blocks_.emplace_back(chunk);
            } catch (const DeviceMemoryError&) {
                // what is free lies in smaller pieces
            }
        }
    }

  private:
    std::vector<DeviceMemory> blocks_;
};

class ShortMemory : public GpuTest {
  protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped()) return;
        begin_session();
        set_image({64, 48, PixelFormat::rgba8, false});
        for (const MemoryMode mode : {MemoryMode::pinned, MemoryMode::pageable, MemoryMode::pinned})
            EXPECT_EQ(run(mode).error, "");  // loads the kernels
    }
    void begin_session() {
        session_ = make_cuda_session([] {}, nullptr);
    }
    void set_image(const ImageSpec& spec) {
        image_ = std::make_shared<const HostImage>(make_test_image(spec, 3));
        session_->set_image(image_, ++image_serial_);
    }
    LiveResult run(MemoryMode mode) {
        spec_.memory = mode;
        return run(spec_);
    }
    LiveResult run(const RunSpec& spec) {
        session_->submit({.serial = ++serial_, .spec = spec});
        return wait_for_result(*session_, serial_);
    }
    void expect_right(const LiveResult& result) {
        EXPECT_FALSE(result.device_failed);
        ASSERT_EQ(result.error, "");
        ASSERT_TRUE(result.image);
        EXPECT_TRUE(same_pixels(result.image->view(), run_reference(image_->view(), spec_).image.view()));
    }

    std::unique_ptr<LiveSession> session_;
    std::shared_ptr<const HostImage> image_;
    RunSpec spec_ = make_spec("he", "simple");
    uint64_t serial_ = 0, image_serial_ = 0;
};

constexpr ImageSpec kLarge{6000, 4000, PixelFormat::rgba8, false};  // 92 MiB

/// There is room for three images: the one that stays and a round trip's two, then the one that stays and its result.
TEST_F(ShortMemory, ARoundTripsMemoryIsFreeForTheRunBehindIt) {
    for (int round = 0; round < 3; ++round) {
        begin_session();
        set_image(kLarge);
        EXPECT_EQ(run(make_spec("histogram", "simple")).error, "");  // the image is there, and needs no result's memory
        expect_right(run(MemoryMode::pageable));
        const FullMemory full(48 * kMiB);
        ASSERT_LT(free_device_bytes(), 80 * kMiB);
        expect_right(run(MemoryMode::pinned));
    }
}

TEST_F(ShortMemory, AnImageThatDoesNotFitIsALineAndNoFailureOfTheDevice) {
    {
        const FullMemory full(48 * kMiB);
        ASSERT_LT(free_device_bytes(), 80 * kMiB);
        set_image(kLarge);
        for (const MemoryMode mode : {MemoryMode::pinned, MemoryMode::pageable, MemoryMode::pinned}) {
            const LiveResult result = run(mode);
            EXPECT_NE(result.error.find("not enough GPU memory"), std::string::npos) << result.error;
            EXPECT_EQ(result.error.find('\n'), std::string::npos);
            EXPECT_FALSE(result.device_failed);
            EXPECT_FALSE(session_->busy());
        }
        set_image({640, 480, PixelFormat::rgba8, false});
        expect_right(run(MemoryMode::pinned));
        set_image(kLarge);
        EXPECT_NE(run(MemoryMode::pinned).error, "");
    }
    expect_right(run(MemoryMode::pinned));  // there is room again
}

TEST_F(ShortMemory, BuffersOfALargerImageMakeRoom) {
    const ImageSpec small{4000, 4000, PixelFormat::rgba8, false};
    const RunSpec clahe = make_spec("clahe", "tuned", {{"tile_size", 8}, {"color", 1}});  // tables of 183 MiB
    set_image(small);
    EXPECT_EQ(run(clahe).error, "");  // loads the kernels
    set_image({12000, 4000, PixelFormat::rgba8, false});
    for (int round = 0; round < 2; ++round) EXPECT_EQ(run(MemoryMode::pinned).error, "");  // both results' buffers
    const FullMemory full(16 * kMiB);
    ASSERT_LT(free_device_bytes(), 100 * kMiB);
    set_image(small);
    spec_ = clahe;
    expect_right(run(MemoryMode::pinned));
}

}  // namespace
}  // namespace tonescope
