// Live runs in every memory mode, and what the runtime says of the kernels.
#include <algorithm>
#include <chrono>
#include <set>
#include <string>

#include "gpu/core/error.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/cuda/kernels/job.h"
#include "tests/gpu/gpu_test.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

constexpr int kModes = 5;

class MemoryModesTest : public GpuTest {
  protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (!IsSkipped()) session_ = make_cuda_session([] {}, nullptr);
    }
    std::shared_ptr<const HostImage> set_image(const ImageSpec& spec) {
        auto image = std::make_shared<const HostImage>(make_test_image(spec, uint32_t(spec.width)));
        session_->set_image(image, ++image_serial_);
        return image;
    }
    LiveResult run(const RunSpec& spec) {
        session_->submit({.serial = ++serial_, .spec = spec});
        return wait_for_result(*session_, serial_);
    }
    void expect_reference(const LiveResult& result, const ImageView& image, const RunSpec& spec) {
        ASSERT_EQ(result.error, "");
        const RunResult expected = run_reference(image, spec);
        if (expected.bins) {
            ASSERT_TRUE(result.bins);
            EXPECT_EQ(*result.bins, *expected.bins);
            return;
        }
        ASSERT_TRUE(result.image);
        EXPECT_EQ(result.spec, expected.image.spec());
        EXPECT_TRUE(same_pixels(result.image->view(), expected.image.view()));
        ASSERT_TRUE(result.histogram);
        EXPECT_EQ(*result.histogram, count_display_histogram(expected.image.view(), 1));
    }
    template <class Done>
    void poll_until(Done&& done) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!done() && std::chrono::steady_clock::now() < end) session_->poll();
        EXPECT_TRUE(done());
    }

    std::unique_ptr<LiveSession> session_;
    uint64_t serial_ = 0, image_serial_ = 0;
};

std::string copies_of(const StageTimes& stages) {
    static const std::set<std::string_view> names = {"copy in", "upload", "download", "copy out"};
    std::string text;
    for (const StageTime& stage : stages)
        if (names.contains(stage.stage)) text += (text.empty() ? "" : ", ") + std::string(stage.stage);
    return text;
}

std::string copies_in(MemoryMode mode) {
    switch (mode) {
        case MemoryMode::mapped:
        case MemoryMode::managed:
            return "copy in, copy out";
        case MemoryMode::pinned:
            return "download";  // the image is there already, and without interop the picture is fetched
        default:
            return "upload, download";
    }
}

TEST_F(MemoryModesTest, EachGivesTheReferencesBytesAndItsOwnCopies) {
    for (const ImageSpec size :
         {ImageSpec{1531, 1203, PixelFormat::rgba8, true}, ImageSpec{701, 803, PixelFormat::gray8, false}}) {
        const auto image = set_image(size);
        EXPECT_EQ(run(make_spec("he", "simple")).error, "");  // the upload of the image that stays is timed here
        for (const std::string_view op : {"he", "clahe", "kuwahara", "histogram"}) {
            for (int round = 0; round < 2 * kModes; ++round) {  // the second time with what the first one left behind
                RunSpec spec = make_spec(op, "simple");
                spec.memory = MemoryMode(round % kModes);
                SCOPED_TRACE(std::string(op) + " " + std::string(kMemoryModeIds[size_t(spec.memory)]));
                const LiveResult result = run(spec);
                expect_reference(result, image->view(), spec);
                if (op == "histogram") continue;  // its result is no image
                EXPECT_EQ(copies_of(result.stages), copies_in(spec.memory));
            }
        }
    }
}

TEST_F(MemoryModesTest, VariantsThatFixAModeRunInIt) {
    const auto image = set_image({1531, 1203, PixelFormat::rgba8, false});
    EXPECT_EQ(run(make_spec("he", "simple")).error, "");
    int found = 0;
    for (const OperatorInfo* op : operators()) {
        for (const VariantInfo* variant : variants_of(op->id)) {
            if (!variant->memory || variant->wrong_by_design) continue;
            ++found;
            const RunSpec spec = make_spec(op->id, variant->id);
            SCOPED_TRACE(std::string(op->id) + " " + std::string(variant->id));
            const LiveResult result = run(spec);
            expect_reference(result, image->view(), spec);
            // In the mode `overlapped` the variant moves the pixels itself, between the GPU and pinned memory.
            const bool moves_pixels = variant->memory == MemoryMode::overlapped;
            EXPECT_EQ(copies_of(result.stages),
                      moves_pixels ? "copy in, upload, download, copy out" : copies_in(*variant->memory));
        }
    }
    EXPECT_GE(found, 5);
}

TEST_F(MemoryModesTest, ProbesAndDownloadsOfARunTheWholeWay) {
    const auto image = set_image({1234, 567, PixelFormat::rgba8, true});
    RunSpec spec = make_spec("clahe", "simple");
    spec.memory = MemoryMode::mapped;
    run(spec);
    const RunResult expected = run_reference(image->view(), spec);
    auto download = session_->download();
    session_->probe(1233, 566);
    poll_until([&] { return !session_->busy(); });
    EXPECT_TRUE(same_pixels(download.get()->view(), expected.image.view()));
    ASSERT_TRUE(session_->probed());
    for (int c = 0; c < 4; ++c) EXPECT_EQ(session_->probed()->value[c], expected.image.view().pixel(1233, 566)[c]) << c;
}

TEST_F(MemoryModesTest, TheNewestRequestReplacesThoseThatWait) {
    const auto image = set_image({900, 700, PixelFormat::rgba8, false});
    RunSpec spec;
    for (int radius = 1; radius <= 5; ++radius) {
        spec = make_spec("kuwahara", "simple", {{"radius", radius}});
        spec.memory = MemoryMode::pageable;
        session_->submit({.serial = ++serial_, .spec = spec});
    }
    const LiveResult result = wait_for_result(*session_, serial_);
    expect_reference(result, image->view(), spec);
    EXPECT_FALSE(session_->busy());
}

TEST_F(MemoryModesTest, CanceledRunsAndNewImagesGiveNothing) {
    set_image({3000, 2000, PixelFormat::rgba8, false});
    RunSpec spec = make_spec("he", "simple");
    for (const MemoryMode mode : {MemoryMode::pageable, MemoryMode::managed, MemoryMode::overlapped}) {
        spec.memory = mode;
        session_->submit({.serial = ++serial_, .spec = spec});
        session_->poll();  // begins it
        session_->cancel();
        poll_until([&] { return !session_->busy(); });
        session_->submit({.serial = ++serial_, .spec = spec});
        session_->poll();
        const auto image = set_image({500, 400, PixelFormat::gray8, false});
        const LiveResult result = run(spec);
        EXPECT_EQ(result.image_serial, image_serial_);
        expect_reference(result, image->view(), spec);
    }
}

void run_without_memory(CudaJob& job) {
    job.scratch.get<uint8_t>("absurd", size_t{1} << 50);
}

TEST_F(MemoryModesTest, TooLittleMemoryIsANoticeAndTheResultStays) {
    const auto image = set_image({300, 200, PixelFormat::rgba8, false});
    RunSpec good = make_spec("he", "simple");
    const RunResult expected = run_reference(image->view(), good);
    VariantInfo variant = *good.variant;
    variant.run_cuda = run_without_memory;
    for (int mode = 0; mode < kModes; ++mode) {
        if (MemoryMode(mode) == MemoryMode::pinned) continue;
        SCOPED_TRACE(kMemoryModeIds[mode]);
        RunSpec bad = good;
        good.memory = bad.memory = MemoryMode(mode);
        bad.variant = &variant;
        EXPECT_EQ(run(good).error, "");
        const LiveResult result = run(bad);
        EXPECT_NE(result.error.find("not enough GPU memory"), std::string::npos) << result.error;
        EXPECT_FALSE(result.device_failed);
        auto download = session_->download();
        poll_until([&] { return !session_->busy(); });
        EXPECT_TRUE(same_pixels(download.get()->view(), expected.image.view()));
    }
    good.memory = MemoryMode::pinned;
    expect_reference(run(good), image->view(), good);
}

TEST_F(MemoryModesTest, EndsWhileARunIsOnItsWay) {
    RunSpec spec = make_spec("kuwahara", "simple", {{"radius", 12}});
    spec.memory = MemoryMode::pageable;
    for (int round = 0; round < 4; ++round) {
        set_image({3000, 2000, PixelFormat::rgba8, false});
        session_->submit({.serial = ++serial_, .spec = spec});
        for (int i = 0; i <= round; ++i) session_->poll();
        session_ = make_cuda_session([] {}, nullptr);
    }
}

TEST_F(MemoryModesTest, OneThreadRunsForASecondAtMost) {
    RunSpec spec = make_spec("he", "one-thread");
    const auto small = set_image({120, 90, PixelFormat::rgba8, false});
    expect_reference(run(spec), small->view(), spec);
    // How long the largest image takes depends on the GPU: it is run, or refused before it would take long.
    const ImageSpec offered{2560, 1707, PixelFormat::rgba8, false};
    const auto large = set_image(offered);
    spec.params.set(*find_param(spec.op->params, "color"), 1);  // each channel alone, the slowest
    const auto begin = std::chrono::steady_clock::now();
    const LiveResult result = run(spec);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    EXPECT_FALSE(result.device_failed);
    if (result.error.empty()) {
        EXPECT_LT(passed.count(), 1.5);
        expect_reference(result, large->view(), spec);
    } else {
        EXPECT_LT(passed.count(), 0.5);
        EXPECT_NE(result.error.find("one GPU thread would take about"), std::string::npos) << result.error;
    }
    const HostImage larger = make_test_image({2560, 1708, PixelFormat::gray8, false}, 1);
    EXPECT_THROW(gpu_->run(larger.view(), spec), UserError);
    std::stop_source stop;
    const HostImage image = make_test_image(offered, 1);
    stop.request_stop();
    EXPECT_THROW(gpu_->run(image.view(), spec, stop.get_token()), Canceled);
}

void expect_sane(const KernelResources& kernel, const StageTimes& stages) {
    EXPECT_TRUE(kernel.kernel.ends_with("_kernel")) << kernel.kernel;
    EXPECT_TRUE(std::ranges::any_of(stages, [&](const StageTime& stage) { return stage.stage == kernel.stage; }))
        << kernel.stage;
    EXPECT_GE(kernel.launches, 1);
    EXPECT_GE(kernel.registers, 8) << kernel.kernel;
    EXPECT_LE(kernel.registers, 255) << kernel.kernel;
    EXPECT_GE(kernel.block_threads, 1);
    EXPECT_LE(kernel.block_threads, 1024);
    EXPECT_GE(kernel.grid_blocks, 1);
    EXPECT_GE(kernel.blocks_per_multiprocessor, 1) << kernel.kernel;
    EXPECT_GT(kernel.occupancy_percent, 0);
    EXPECT_LE(kernel.occupancy_percent, 100);
}

TEST_F(MemoryModesTest, EveryVariantsKernelsAreKnown) {
    const auto image = set_image({640, 480, PixelFormat::rgba8, false});
    for (const OperatorInfo* op : operators()) {
        for (const VariantInfo* variant : variants_of(op->id)) {
            if (variant->backend != BackendKind::cuda) continue;
            SCOPED_TRACE(std::string(op->id) + " " + std::string(variant->id));
            const RunSpec spec = make_spec(op->id, variant->id);
            const RunResult whole = gpu_->run(image->view(), spec);
            EXPECT_FALSE(whole.resources.empty());
            for (const KernelResources& kernel : whole.resources) expect_sane(kernel, whole.stages);
            if (variant->id == "one-thread") continue;  // the window may refuse it
            const LiveResult live = run(spec);
            EXPECT_EQ(live.error, "");
            EXPECT_EQ(live.resources.size(), whole.resources.size());
            for (const KernelResources& kernel : live.resources) expect_sane(kernel, live.stages);
        }
    }
    EXPECT_TRUE(run_reference(image->view(), make_spec("he", "simple")).resources.empty());
}

TEST_F(MemoryModesTest, ResourcesSayWhatTheVariantAskedFor) {
    const auto image = set_image({640, 480, PixelFormat::gray8, false});
    const RunResult result = gpu_->run(image->view(), make_spec("he", "shared"));
    ASSERT_EQ(result.resources.size(), 2u);
    EXPECT_EQ(result.resources[0].stage, "histogram");
    EXPECT_EQ(result.resources[0].kernel, "he_histogram_shared_kernel");
    EXPECT_EQ(result.resources[0].shared_bytes, 256 * sizeof(uint32_t));
    EXPECT_EQ(result.resources[0].block_threads, 256);
    EXPECT_EQ(result.resources[0].grid_blocks, 20 * 60);
    EXPECT_EQ(result.resources[1].kernel, "he_apply_kernel");
    EXPECT_EQ(result.resources[1].shared_bytes, 0u);
}

}  // namespace
}  // namespace tonescope
