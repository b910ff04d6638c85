// Single calls of the CUDA runtime that fail at a given moment.
#include <memory>
#include <string>

#include "tests/gpu/faults/faults_fixture.h"

namespace tonescope {
namespace {

class SingleFaultsTest : public FaultsTest {
  protected:
    /// Each call of `run`, which may throw DeviceError, fails once. `then` is called behind each run that met the
    /// fault.
    void fail_each_call(cudaError_t error, const auto& run, const auto& then) {
        int64_t call = 1;
        for (;; ++call) {
            faults::arm(call, error, false);
            try {
                run();
            } catch (const DeviceError& failure) {
                expect_line(failure.what());
            }
            if (faults::disarm() < call) break;
            then();
        }
        EXPECT_GT(call, 30);
    }
};

/// Another user of the GPU may hold what the grid with a barrier inside needs.
TEST_F(SingleFaultsTest, ACooperativeLaunchThatIsRefusedBecomesTwoKernels) {
    const Request& request = requests_[0];
    const auto backend = make_cuda_backend(0);
    const auto run = [&] { return backend->run(images_[request.image]->view(), request.spec); };
    run();
    faults::arm(1, cudaErrorCooperativeLaunchTooLarge, false, "cudaLaunchKernelExC");
    const RunResult result = run();
    faults::disarm();
    EXPECT_EQ(faults::failed(), "cudaLaunchKernelExC");
    expect_image(result.image, request);
    std::string stages, launches;
    for (const StageTime& stage : result.stages) stages += std::string(stage.stage) + " ";
    for (const KernelResources& kernel : result.resources) launches += std::string(kernel.stage) + " ";
    EXPECT_EQ(stages, "copy in upload histogram apply download copy out ");
    EXPECT_EQ(launches, "histogram apply ");
}

/// Whoever is the first to use the device resets it where it does not answer.
TEST_F(SingleFaultsTest, ADeviceThatDoesNotAnswerIsReset) {
    gpu_.reset();
    const Request& request = requests_[0];
    for (const char* const function : {"cudaSetDevice", "cudaDeviceSynchronize"}) {
        faults::arm(1, cudaErrorUnknown, false, function);
        const auto backend = make_cuda_backend(0);
        faults::disarm();
        EXPECT_EQ(faults::failed(), function);
        expect_image(backend->run(images_[request.image]->view(), request.spec).image, request);
    }
}

/// What lacked memory is tried once more with more room, whatever came before: here a probe, and a run on an image that
/// was replaced.
TEST_F(SingleFaultsTest, EveryRunIsTriedTwice) {
    const char* const kLaunch = "cudaLaunchKernelExC";
    const std::unique_ptr<Screen> screen = make_screen();
    const auto session = make_cuda_session([] {}, screen->textures(), 0);
    const auto submit = [&](const Request& request) { session->submit({.serial = ++serial_, .spec = request.spec}); };
    const auto expect_right = [&](const Request& request) {
        bool works = false;
        poll(*session, [&](const LiveResult& result) {
            EXPECT_EQ(result.error, "");
            works = judge(result, request, screen.get());
            return true;
        });
        EXPECT_TRUE(works);
    };
    session->set_image(images_[0], ++image_serial_);
    for (int round = 0; round < 3; ++round) {  // the last ones straight into the texture
        submit(requests_[0]);
        expect_right(requests_[0]);
    }
    faults::arm(1, cudaErrorMemoryAllocation, false, "cudaMemcpyAsync");
    session->probe(5, 7);
    poll(*session, [](const LiveResult&) { return false; });
    EXPECT_EQ(faults::failed(), "cudaMemcpyAsync");
    faults::arm(1, cudaErrorMemoryAllocation, false, kLaunch);
    submit(requests_[0]);
    expect_right(requests_[0]);
    EXPECT_EQ(faults::failed(), kLaunch);

    faults::arm(1, cudaErrorMemoryAllocation, false, kLaunch);
    submit(requests_[0]);
    while (session->busy() && faults::failed().empty()) session->poll();
    session->set_image(images_[1], ++image_serial_);
    faults::arm(1, cudaErrorMemoryAllocation, false, kLaunch);
    submit(requests_[6]);
    expect_right(requests_[6]);
    EXPECT_EQ(faults::failed(), kLaunch);
    faults::disarm();
}

/// Tracing calls the runtime many times more: whichever of these calls fails, there is the right result or one line,
/// and the next run is right.
TEST_F(SingleFaultsTest, ATracedRunGivesItsResultOrOneLine) {
    const Silence silence;
    const Request& request = requests_[5];
    const auto backend = make_cuda_backend(0);
    const auto run = [&] {
        const RunResult result = backend->run(images_[request.image]->view(), request.spec, {}, RunKind::traced);
        expect_image(result.image, request);
        EXPECT_TRUE(std::ranges::any_of(result.trace.spans, [](const TraceSpan& span) {
            return span.kind == TraceSpan::Kind::kernel && span.end_ms >= span.begin_ms;
        }));
    };
    run();
    fail_each_call(cudaErrorUnknown, run, run);
}

/// What takes memory that is locked for the device: whichever call finds too little, nothing is left behind.
class LockedMemoryFaultsTest : public SingleFaultsTest {
  protected:
    const ImageSpec image_spec_{1200, 1100, PixelFormat::rgba8, false};

    /// `run` does it all, with what it makes for itself, and may throw DeviceError.
    void lack_memory_at_each_call(const auto& run) {
        const Silence silence;
        error_ = cudaErrorMemoryAllocation;
        run();
        const int64_t live = faults::live_objects();
        fail_each_call(error_, run, [&] { EXPECT_EQ(faults::live_objects(), live) << faults::failed(); });
    }
};

/// A run of several bands from there and back.
TEST_F(LockedMemoryFaultsTest, ARunInBandsGivesItsResultOrOneLine) {
    const HostImage pixels = make_test_image(image_spec_, 7);
    RunSpec spec = spec_of("kuwahara", "tuned", MemoryMode::overlapped);
    const RunResult right = run_reference(pixels.view(), spec);
    lack_memory_at_each_call([&] {
        const auto backend = make_cuda_backend(0);
        HostImage image = backend->make_image(image_spec_, spec.memory);
        copy_pixels(pixels.view(), image.mutable_view());
        for (int round = 0; round < 2; ++round)
            EXPECT_TRUE(same_pixels(backend->run(image.view(), spec).image.view(), right.image.view()));
    });
}

/// An image is opened there, or in usual memory.
TEST_F(LockedMemoryFaultsTest, AnOpenImageGivesItsResultOrOneLine) {
    const HostImage pixels = make_test_image(image_spec_, 7);
    Request request{.spec = spec_of("he", "tuned"), .image = 0};
    request.expected = std::make_shared<const RunResult>(run_reference(pixels.view(), request.spec));
    request.histogram = count_display_histogram(request.expected->image.view(), 1);
    int in_locked_memory = 0;
    lack_memory_at_each_call([&] {
        const auto session = make_cuda_session([] {}, nullptr, 0);
        HostImage image = session->image_memory()->make(image_spec_);
        in_locked_memory += !image.empty();
        if (image.empty()) image = HostImage(image_spec_);
        copy_pixels(pixels.view(), image.mutable_view());
        session->set_image(std::make_shared<const HostImage>(std::move(image)), ++image_serial_);
        session->submit({.serial = ++serial_, .spec = request.spec});
        bool answered = false;
        poll(*session, [&](const LiveResult& result) {
            judge(result, request, nullptr);
            return answered = true;
        });
        EXPECT_TRUE(answered) << "behind " << faults::failed();
    });
    EXPECT_GT(in_locked_memory, 20);
}

}  // namespace
}  // namespace tonescope
