// A kernel that writes where no memory is: every call behind it fails until the device is reset. That cannot be made
// good in the test's own process, so each test is a process more, which ends with status 0 where all was right.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/pages.h"
#include "gpu/cuda/session/runner.h"
#include "tests/gpu/faults/screens.h"
#include "tests/gpu/gpu_test.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

class LostDeviceTest : public GpuTest {
  protected:
    void SetUp() override {
        GTEST_FLAG_SET(death_test_style, "threadsafe");
        GpuTest::SetUp();
    }

    static void write_where_no_memory_is() {
        const Stream stream;
        ZeroedWords scratch;
        auto* const d_nowhere = reinterpret_cast<uint8_t*>(uintptr_t{4096});
        count_gray(d_nowhere, 256, 256, 64, reinterpret_cast<uint32_t*>(d_nowhere), scratch, select_device(0), stream);
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
    }
    static void expect_line(std::string_view error) {
        EXPECT_GT(error.size(), 5u);
        EXPECT_EQ(error.find('\n'), error.npos) << error;
    }

    LiveResult run(LiveSession& session, const RunSpec& spec) {
        session.submit({.serial = ++serial_, .spec = spec});
        return wait_for_result(session, serial_);
    }
    void expect_right(LiveSession& session, const RunSpec& spec, const Screen* screen) {
        const LiveResult result = run(session, spec);
        EXPECT_EQ(result.error, "");
        const HostImage expected = run_reference(image_->view(), spec).image;
        if (result.image) {
            EXPECT_TRUE(same_pixels(result.image->view(), expected.view()));
        } else {
            ASSERT_TRUE(screen != nullptr && screen->serial() == result.serial);
            EXPECT_TRUE(same_pixels(screen->picture().view(), expected.view()));
        }
    }
    /// Every way of a result: through memory, straight into a texture, by round trips.
    void expect_all_right(LiveSession& session, const Screen* screen) {
        for (const std::string_view op : {"he", "he", "clahe", "kuwahara"})
            expect_right(session, make_spec(op, "tuned"), screen);
        for (const MemoryMode mode : {MemoryMode::pageable, MemoryMode::mapped, MemoryMode::managed}) {
            RunSpec spec = make_spec("he", "simple");
            spec.memory = mode;
            expect_right(session, spec, screen);
        }
    }

    /// In memory of the session's, where that takes it.
    void open_image(const LiveSession& session, const ImageSpec& spec) {
        HostImage image = session.image_memory()->make(spec), pixels = make_test_image(spec, 3);
        EXPECT_EQ(image.empty(), spec.size_bytes() < kManyPages_bytes);
        if (!image.empty()) copy_pixels(pixels.view(), image.mutable_view());
        image_ = std::make_shared<const HostImage>(std::move(image.empty() ? pixels : image));
    }

    /// What the window does. `screen` may be null.
    [[noreturn]] void lose_and_use_again(const ImageSpec& image, GlScreen* screen) {
        gpu_.reset();
        const RunSpec spec = make_spec("he", "tuned");
        ResultTextures* const textures = screen != nullptr ? screen->textures() : nullptr;
        auto session = make_cuda_session([] {}, textures, 0);
        open_image(*session, image);
        auto beside = make_cuda_backend(0);  // as a comparison has it
        session->set_image(image_, 1);
        expect_all_right(*session, screen);
        beside->run(image_->view(), spec);

        write_where_no_memory_is();
        const LiveResult failed = run(*session, spec);
        expect_line(failed.error);
        EXPECT_TRUE(failed.device_failed);
        try {
            beside->run(image_->view(), spec);
            ADD_FAILURE() << "a run on a lost device";
        } catch (const DeviceError& error) {
            expect_line(error.what());
        }
        session = make_cpu_session([] {}, 2);
        if (screen != nullptr) screen->let_go();
        session->set_image(image_, 1);
        for (const std::string_view op : {"he", "clahe", "kuwahara"})
            expect_right(*session, make_spec(op, reference_of(op).id), screen);

        // No reset while anybody holds what it would destroy.
        EXPECT_THROW(make_cuda_session([] {}, textures, 0), DeviceError);
        beside.reset();
        try {
            session = make_cuda_session([] {}, textures, 0);
            session->set_image(image_, 2);
            expect_all_right(*session, screen);
            EXPECT_TRUE(same_pixels(make_cuda_backend(0)->run(image_->view(), spec).image.view(),
                                    run_reference(image_->view(), spec).image.view()));
        } catch (const DeviceError& error) {
            // A driver may not give a device back to the process that has lost it.
            EXPECT_NE(std::string_view(error.what()).find("started anew"), std::string_view::npos) << error.what();
        }
        // This process says nothing of its failures by itself.
        const testing::TestResult& result = *testing::UnitTest::GetInstance()->current_test_info()->result();
        for (int i = 0; i < result.total_part_count(); ++i)
            if (const testing::TestPartResult& part = result.GetTestPartResult(i); part.failed())
                std::fprintf(stderr, "line %d: %s\n", part.line_number(), part.message());
        std::_Exit(HasFailure() ? 1 : 0);
    }

    /// Of 8 and of 16 bits, and one that the device takes by itself.
    static constexpr ImageSpec kImages[] = {{640, 480, PixelFormat::rgba8, false},
                                            {1200, 900, PixelFormat::rgba8, false},
                                            {640, 480, PixelFormat::gray16, false, 65535}};
    std::shared_ptr<const HostImage> image_;
    uint64_t serial_ = 0;
};

TEST_F(LostDeviceTest, IsUsedAgain) {
    for (const ImageSpec& image : kImages)
        EXPECT_EXIT(lose_and_use_again(image, nullptr), testing::ExitedWithCode(0), "");
}

TEST_F(LostDeviceTest, IsUsedAgainWithTexturesOfOpenGl) {
    GlContext context;
    if (const char* missing = context.open()) GTEST_SKIP() << missing;
    std::string reason;
    std::unique_ptr<Presenter> presenter = make_interop_presenter(0, &reason);
    if (!presenter) GTEST_SKIP() << reason;
    GlScreen screen(std::move(presenter));
    for (const ImageSpec& image : kImages)
        EXPECT_EXIT(lose_and_use_again(image, &screen), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tonescope
