// The window goes on with the CPU where the GPU fails. It needs no GPU: a session stands for the one there, gives the
// reference's results, and fails when it is told to.
#include "tests/present/gl_fixture.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "app/image_io/image_io.h"
#include "app/viewer/viewer.h"
#include "gpu/core/error.h"
#include "gpu/present/textures.h"
#include "tests/app/temporary_folder.h"
#include "tests/image_tools.h"

namespace tonescope {

namespace {
constexpr const char* kFailure = "the device is lost";
constexpr const char* kSilence = "the GPU does not answer";
bool device_fails = false;  // each run from now on, and each new session
std::atomic<bool> device_hangs = false, cpu_hangs = false;
std::shared_ptr<const HostImage> late_pixels;  // what a device that hangs gives to be saved after all

void wait_for_device() {
    device_hangs.wait(true);
}
}  // namespace

class StandInSession final : public LiveSession {
  public:
    ~StandInSession() override { wait_for_device(); }
    BackendKind kind() const override { return BackendKind::cuda; }
    std::string device_name() const override { return "a GPU"; }
    void set_image(std::shared_ptr<const HostImage> image, uint64_t image_serial) override {
        image_ = std::move(image);
        image_serial_ = image_serial;
        cancel();
    }
    void submit(const LiveRequest& request) override { request_ = request; }
    void cancel() override { request_.reset(); }
    std::optional<LiveResult> poll() override {
        if (late_pixels)
            for (auto& pixels : std::exchange(downloads_, {})) pixels.set_value(late_pixels);
        if (!request_ || !image_ || device_hangs) return {};
        const LiveRequest request = *std::exchange(request_, {});
        LiveResult result;
        if (device_fails) {
            result.error = kFailure;
            result.device_failed = true;
        } else {
            RunSpec spec = request.spec;
            spec.variant = &reference_of(spec.op->id);
            spec.variant_params = default_values(spec.variant->params);
            result = live_result(make_cpu_backend(1)->run(image_->view(), spec, {}, RunKind::live));
            result.stages.clear();  // the reference's
        }
        result.serial = request.serial;
        result.image_serial = image_serial_;
        return result;
    }
    bool busy() const override { return request_.has_value(); }
    double progress() const override { return -1; }
    void probe(int, int) override {}
    std::optional<PixelProbe> probed() const override { return {}; }
    std::future<std::shared_ptr<const HostImage>> download() override {
        std::promise<std::shared_ptr<const HostImage>> pixels;
        auto found = pixels.get_future();
        if (device_hangs)
            downloads_.push_back(std::move(pixels));
        else
            pixels.set_exception(std::make_exception_ptr(DeviceError(kFailure)));
        return found;
    }

  private:
    std::shared_ptr<const HostImage> image_;
    uint64_t image_serial_ = 0;
    std::optional<LiveRequest> request_;
    std::vector<std::promise<std::shared_ptr<const HostImage>>> downloads_;
};

/// What the linker takes for make_cuda_session().
std::unique_ptr<LiveSession> make_stand_in(std::function<void()>, ResultTextures*, int) asm(
    "__wrap__ZN9tonescope17make_cuda_sessionESt8functionIFvvEEPNS_14ResultTexturesEi");
std::unique_ptr<LiveSession> make_stand_in(std::function<void()>, ResultTextures*, int) {
    wait_for_device();
    if (device_fails) throw DeviceError(kFailure);
    return std::make_unique<StandInSession>();
}

/// Likewise for await_device().
void stand_in_answer(int) asm("__wrap__ZN9tonescope12await_deviceEi");
void stand_in_answer(int) {
    wait_for_device();
}

/// And for make_cpu_backend(), which those who are to get it have to wait for.
std::unique_ptr<Backend> real_cpu_backend(int, RunProgress*) asm(
    "__real__ZN9tonescope16make_cpu_backendEiPNS_11RunProgressE");
std::unique_ptr<Backend> late_cpu_backend(int, RunProgress*) asm(
    "__wrap__ZN9tonescope16make_cpu_backendEiPNS_11RunProgressE");
std::unique_ptr<Backend> late_cpu_backend(int threads, RunProgress* progress) {
    cpu_hangs.wait(true);
    return real_cpu_backend(threads, progress);
}

namespace {

class DeviceTest : public GlTest {
  protected:
    using Clock = std::chrono::steady_clock;
    void SetUp() override {
        GlTest::SetUp();
        device_fails = false;
    }
    void TearDown() override { answer(); }
    static void answer() {
        late_pixels.reset();
        for (std::atomic<bool>* hangs : {&device_hangs, &cpu_hangs}) {
            *hangs = false;
            hangs->notify_all();
        }
    }
    /// No frame waits.
    static bool settle(Viewer& viewer) {
        const auto end = Clock::now() + std::chrono::seconds(60);
        while (Clock::now() < end) {
            const auto begin = Clock::now();
            viewer.update({});
            EXPECT_LT(Clock::now() - begin, std::chrono::seconds(4));
            if (viewer.settled() && viewer.pipeline().up_to_date()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return false;
    }
    static bool says(Viewer& viewer, std::string_view text) {
        return std::ranges::any_of(viewer.notices().all(),
                                   [&](const ui::Notice& notice) { return notice.text == text; });
    }
    static bool says_within(Viewer& viewer, std::string_view text, Clock::duration patience) {
        for (const auto end = Clock::now() + patience; !says(viewer, text); viewer.update({}))
            if (Clock::now() > end) return false;
        return true;
    }
    static const ParamInfo& double_clip_limit(Viewer& viewer) {
        const ParamInfo& limit = *find_param(viewer.model().run.op->params, "clip_limit");
        viewer.perform(ui::SetParam{.info = &limit, .of_variant = false, .value = limit.default_value * 2});
        return limit;
    }
    /// CUDA can be chosen, after a while.
    static bool comes_back(Viewer& viewer) {
        for (const auto end = Clock::now() + std::chrono::seconds(60); !viewer.pipeline().cuda_available();
             viewer.update({}))
            if (Clock::now() > end) return false;
        return true;
    }
    /// The reference's.
    static RunResult right_result(Viewer& viewer, const HostImage& image) {
        RunSpec spec = viewer.model().run;
        spec.variant = &reference_of(spec.op->id);
        spec.variant_params = default_values(spec.variant->params);
        return make_cpu_backend(1)->run(image.view(), spec, {}, RunKind::live);
    }
    /// The result on screen, its counts and what would be saved are the reference's.
    static void expect_right(Viewer& viewer, const HostImage& image) {
        const RunResult expected = right_result(viewer, image);
        const Picture& shown = viewer.pipeline().after();
        ASSERT_EQ(shown.tiles.size(), 1u);
        ASSERT_EQ(shown.spec, expected.image.spec());
        HostImage picture(shown.spec);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glBindTexture(GL_TEXTURE_2D, shown.tiles[0].texture);
        const PixelType type = pixel_type(shown.spec.format);
        glGetTexImage(GL_TEXTURE_2D, 0, type.order, type.sample, picture.data());
        EXPECT_TRUE(same_pixels(picture.view(), expected.image.view()));
        EXPECT_EQ(viewer.pipeline().histogram_after(), expected.histogram);
        // The session that stands for one on a GPU gives no pixels: the CPU does.
        auto pixels = viewer.pipeline().download();
        while (!is_ready(pixels)) viewer.update({});
        EXPECT_TRUE(same_pixels(pixels.get()->view(), expected.image.view()));
    }
};

class DeviceFailure : public DeviceTest, public testing::WithParamInterface<PixelFormat> {};

TEST_P(DeviceFailure, ImageAndParametersStayAndTheCpuGoesOn) {
    const TemporaryFolder folder;
    const std::string path = folder.file(is_gray(GetParam()) ? "image.pgm" : "image.ppm");
    std::shared_ptr<const HostImage> image = shared_noise(61, 47, GetParam());
    save_image(path, image->view());
    Viewer viewer({}, [] {});
    ASSERT_EQ(viewer.pipeline().backend(), BackendKind::cuda);
    viewer.images().open({path});
    ASSERT_TRUE(settle(viewer));
    image = viewer.pipeline().image();
    ASSERT_TRUE(image != nullptr && image->spec().format == GetParam());
    expect_right(viewer, *image);

    device_fails = true;
    const ParamInfo& limit = double_clip_limit(viewer);
    ASSERT_TRUE(settle(viewer));
    EXPECT_EQ(viewer.pipeline().backend(), BackendKind::cpu);
    EXPECT_EQ(viewer.model().run.backend, BackendKind::cpu);
    EXPECT_TRUE(says(viewer, kFailure));
    EXPECT_TRUE(says(viewer, "The GPU failed: continuing on the CPU"));
    EXPECT_EQ(viewer.pipeline().image(), image);
    EXPECT_EQ(viewer.model().run.params.get(limit), limit.default_value * 2);
    expect_right(viewer, *image);

    // It is not there yet.
    viewer.perform(ui::SetBackend{BackendKind::cuda});
    ASSERT_TRUE(settle(viewer));
    EXPECT_EQ(viewer.pipeline().backend(), BackendKind::cpu);
    expect_right(viewer, *image);

    device_fails = false;
    viewer.perform(ui::SetBackend{BackendKind::cuda});
    ASSERT_TRUE(settle(viewer));
    EXPECT_EQ(viewer.pipeline().backend(), BackendKind::cuda);
    EXPECT_EQ(viewer.pipeline().image(), image);
    expect_right(viewer, *image);
}

INSTANTIATE_TEST_SUITE_P(Formats, DeviceFailure,
                         testing::Values(PixelFormat::gray8, PixelFormat::rgba8, PixelFormat::gray16,
                                         PixelFormat::rgba16));

class SilentDevice : public DeviceTest {
  protected:
    void SetUp() override {
        DeviceTest::SetUp();
        save_image(path_, noise(61, 47, PixelFormat::rgba8, 1).view());
    }
    /// By a clock that is slow, so that a busy machine has the time: no save gets on for 1,500 looks at the device.
    static bool leaves(Viewer& viewer) {
        const auto end = Clock::now() + std::chrono::seconds(60);
        for (auto now = Clock::now(); Clock::now() < end; now += std::chrono::milliseconds(1)) {
            if (viewer.saves().leaves(now)) return true;
            viewer.update({});
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return false;
    }
    /// Opens the image and saves its result, whose pixels the device does not give. Gives the right ones.
    HostImage save_in_silence(Viewer& viewer) {
        viewer.images().open({path_});
        if (!settle(viewer)) throw UserError("no result");
        HostImage expected = right_result(viewer, *viewer.pipeline().image()).image;
        device_hangs = true;
        viewer.perform(ui::SaveResult{.path = saved_});
        return expected;
    }
    const TemporaryFolder folder_;
    const std::string path_ = folder_.file("image.ppm"), saved_ = folder_.file("saved.ppm");
};

TEST_F(SilentDevice, TheCpuGoesOnWhereTheDeviceDoesNotAnswer) {
    Viewer viewer({}, [] {});
    viewer.images().open({path_});
    ASSERT_TRUE(settle(viewer));
    const std::shared_ptr<const HostImage> image = viewer.pipeline().image();

    device_hangs = true;
    const ParamInfo& limit = double_clip_limit(viewer);
    ASSERT_TRUE(settle(viewer));
    EXPECT_EQ(viewer.pipeline().backend(), BackendKind::cpu);
    EXPECT_TRUE(says(viewer, kSilence));
    EXPECT_TRUE(says(viewer, "The GPU failed: continuing on the CPU"));
    EXPECT_EQ(viewer.pipeline().image(), image);
    EXPECT_EQ(viewer.model().run.params.get(limit), limit.default_value * 2);
    EXPECT_EQ(viewer.model().run.cuda_reason, kSilence);
    expect_right(viewer, *image);
    viewer.perform(ui::SetBackend{BackendKind::cuda});
    ASSERT_TRUE(settle(viewer));
    EXPECT_EQ(viewer.pipeline().backend(), BackendKind::cpu);

    // Once it answers, it can be chosen again.
    answer();
    EXPECT_TRUE(comes_back(viewer));
    viewer.perform(ui::SetBackend{BackendKind::cuda});
    ASSERT_TRUE(settle(viewer));
    EXPECT_EQ(viewer.pipeline().backend(), BackendKind::cuda);
    expect_right(viewer, *image);
}

TEST_F(SilentDevice, ASaveThatWaitsForTheDeviceIsDoneByTheCpu) {
    Viewer viewer({}, [] {});
    const HostImage expected = save_in_silence(viewer);
    // What is chosen meanwhile is not what was to be saved.
    double_clip_limit(viewer);
    ASSERT_TRUE(settle(viewer));
    ASSERT_TRUE(says_within(viewer, "Saved " + saved_, std::chrono::seconds(60)));
    EXPECT_TRUE(says(viewer, kSilence));
    EXPECT_TRUE(same_pixels(load_image(saved_).image.view(), expected.view()));
    viewer.saves().quit();
    EXPECT_TRUE(viewer.saves().leaves());
}

TEST_F(SilentDevice, WhoClosesTheWindowHasTheCpuFinishASave) {
    Viewer viewer({}, [] {});
    const HostImage expected = save_in_silence(viewer);
    viewer.quit();
    EXPECT_TRUE(leaves(viewer));
    EXPECT_TRUE(viewer.unfinished().empty());
    EXPECT_FALSE(says(viewer, kSilence)) << "nobody has waited for that";
    answer();  // for the session's end, on which the program would not wait
    ASSERT_TRUE(std::filesystem::exists(saved_));
    EXPECT_TRUE(same_pixels(load_image(saved_).image.view(), expected.view()));
}

TEST_F(SilentDevice, WhatTheDeviceGivesAfterAllIsSavedWithoutTheCpu) {
    for (const bool cpu_begins : {false, true}) {
        const std::string saved = folder_.file(cpu_begins ? "second.ppm" : "first.ppm");
        Viewer viewer({}, [] {});
        viewer.images().open({path_});
        ASSERT_TRUE(settle(viewer));

        device_hangs = true;
        cpu_hangs = true;
        viewer.perform(ui::SaveResult{.path = saved});
        // The time before the window is closed does not count.
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        viewer.quit();
        viewer.update({});
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        EXPECT_FALSE(viewer.pipeline().computes_downloads());
        const auto end = Clock::now() + std::chrono::seconds(60);
        for (; cpu_begins && !viewer.pipeline().computes_downloads() && Clock::now() < end; viewer.update({}))
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_EQ(viewer.pipeline().computes_downloads(), cpu_begins);

        const std::shared_ptr<const HostImage> given = viewer.pipeline().image();  // which is not the CPU's result
        late_pixels = given;
        EXPECT_TRUE(leaves(viewer)) << "the CPU, which hangs, is waited for";
        EXPECT_TRUE(viewer.unfinished().empty());
        EXPECT_EQ(viewer.pipeline().computes_downloads(), cpu_begins);
        answer();
        ASSERT_TRUE(std::filesystem::exists(saved));
        EXPECT_TRUE(same_pixels(load_image(saved).image.view(), given->view()));
    }
}

TEST_F(SilentDevice, WhoLeavesItForTheCpuWaitsForNothing) {
    Viewer viewer({}, [] {});
    viewer.images().open({path_});
    ASSERT_TRUE(settle(viewer));

    device_hangs = true;
    double_clip_limit(viewer);
    for (const auto begin = Clock::now(); Clock::now() - begin < std::chrono::milliseconds(2500);) viewer.update({});
    viewer.perform(ui::SetBackend{BackendKind::cpu});
    ASSERT_TRUE(settle(viewer));
    EXPECT_EQ(viewer.pipeline().backend(), BackendKind::cpu);
    EXPECT_FALSE(says(viewer, kSilence));
    EXPECT_EQ(viewer.model().run.cuda_reason, kSilence);
    expect_right(viewer, *viewer.pipeline().image());
    answer();
    EXPECT_TRUE(comes_back(viewer));
}

TEST_F(SilentDevice, AWindowStartsWhereTheDeviceDoesNotAnswer) {
    device_hangs = true;
    Viewer viewer({}, [] {});
    EXPECT_EQ(viewer.pipeline().backend(), BackendKind::cpu);
    viewer.images().open({path_});
    ASSERT_TRUE(settle(viewer));
    expect_right(viewer, *viewer.pipeline().image());
    EXPECT_TRUE(says(viewer, std::string(kSilence) + ": the CPU takes its place"));
    EXPECT_EQ(viewer.model().run.cuda_reason, kSilence);
    answer();
    EXPECT_TRUE(comes_back(viewer));
}

}  // namespace
}  // namespace tonescope
