// The CUDA layer's own promises: memory, scratch, errors, recovery, nothing allocated in the steady state.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/cuda/kernels/job.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/scratch.h"
#include "gpu/cuda/runtime/stages.h"
#include "gpu/cuda/runtime/stream.h"
#include "gpu/cuda/session/staged_copier.h"
#include "tests/gpu/gpu_test.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

constexpr size_t kAbsurd_bytes = size_t{1} << 50;

void run_absurd(CudaJob& job) {
    job.scratch.get<uint8_t>("small", 1000);
    job.scratch.get<uint8_t>("absurd", kAbsurd_bytes);
}

void run_wrong_call(CudaJob& job) {
    const auto stage = job.stage("wrong");
    TONESCOPE_CUDA(cudaMemsetAsync(nullptr, 0, 16, job.stream));
}

RunSpec failing(const VariantInfo& variant) {
    RunSpec spec = make_spec("he", "simple");
    spec.variant = &variant;
    return spec;
}

VariantInfo make_variant(std::string_view id, CudaRun run) {
    VariantInfo variant;
    variant.op = "he";
    variant.id = id;
    variant.backend = BackendKind::cuda;
    variant.run_cuda = run;
    return variant;
}

const VariantInfo kAbsurdVariant = make_variant("absurd", run_absurd);
const VariantInfo kWrongVariant = make_variant("wrong", run_wrong_call);

TEST_F(GpuTest, BuffersMoveAndGrow) {
    DeviceMemory a(1000);
    void* const first = a.as<void>();
    DeviceMemory b = std::move(a);
    EXPECT_EQ(b.as<void>(), first);
    b.reserve(500);
    EXPECT_EQ(b.as<void>(), first);
    EXPECT_EQ(b.size_bytes(), 1000u);
    b.reserve(5'000'000);
    EXPECT_EQ(b.size_bytes(), 5'000'000u);
    EXPECT_THROW(b.reserve(kAbsurd_bytes), DeviceError);
    EXPECT_EQ(b.size_bytes(), 0u);
    b.reserve(10);
    EXPECT_NE(b.as<void>(), nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(GpuTest, ScratchKeepsItsBuffers) {
    ScratchArena scratch;
    auto* const words = scratch.get<uint32_t>("words", 100);
    auto* const bytes = scratch.get<uint8_t>("bytes", 100);
    EXPECT_NE(static_cast<void*>(words), static_cast<void*>(bytes));
    EXPECT_EQ(scratch.get<uint32_t>("words", 50), words);
    EXPECT_EQ(scratch.get<uint32_t>("words", 100), words);
    const DeviceMemory& memory = scratch.keep<DeviceMemory>("words");
    EXPECT_EQ(memory.as<uint32_t>(), words);
    EXPECT_EQ(memory.size_bytes(), 400u);
}

TEST_F(GpuTest, ErrorsNameTheCallAndThePlace) {
    try {
        TONESCOPE_CUDA(cudaMemset(nullptr, 0, 16));
        FAIL();
    } catch (const DeviceError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("cudaMemset(nullptr, 0, 16)"), std::string::npos) << text;
        EXPECT_NE(text.find("(gpu/cuda_test.cpp:"), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(GpuTest, StagesAreRecordedAndReused) {
    const Stream stream;
    StageRecorder stages(stream);
    DeviceMemory memory(64 << 20);
    for (int round = 0; round < 3; ++round) {
        stages.reset();
        stages.add("host", 1.5);
        for (const char* name : {"first", "second"}) {
            const auto stage = stages.stage(name);
            TONESCOPE_CUDA(cudaMemsetAsync(memory.as<void>(), round, memory.size_bytes(), stream));
        }
        const StageTimes times = stages.wait();
        ASSERT_EQ(times.size(), 3u);
        EXPECT_EQ(times[0].stage, "host");
        EXPECT_EQ(times[0].ms, 1.5);
        EXPECT_EQ(times[2].stage, "second");
        EXPECT_GT(times[1].ms, 0);
        EXPECT_GT(times[2].ms, 0);
    }
}

TEST_F(GpuTest, StagedCopiesKeepEveryByte) {
    StagedCopier copier;
    const Event begin, done;
    for (const ImageSpec spec :
         {ImageSpec{1, 1, PixelFormat::gray8, false}, ImageSpec{65535, 5, PixelFormat::rgba8, true},
          ImageSpec{5, 65535, PixelFormat::gray8, false}, ImageSpec{4001, 3001, PixelFormat::rgba8, true}}) {
        const HostImage image = make_test_image(spec, 77, spec.row_bytes() + 3);
        DeviceImage d_image;
        d_image.reshape(spec);
        copier.upload(image.view(), d_image, nullptr, begin, done);
        HostImage back(spec);
        copier.download(d_image, back.mutable_view(), done);
        EXPECT_TRUE(same_pixels(image.view(), back.view())) << spec.width << "x" << spec.height;
    }
}

TEST_F(GpuTest, BackendStaysUsableAfterErrors) {
    const HostImage image = make_test_image({300, 200, PixelFormat::rgba8, false}, 1);
    const RunSpec good = make_spec("clahe", "simple");
    const RunResult expected = run_reference(image.view(), good);
    for (const VariantInfo* variant : {&kAbsurdVariant, &kWrongVariant}) {
        for (int mode = 0; mode < 5; ++mode) {
            RunSpec bad = failing(*variant), next = good;
            bad.memory = next.memory = MemoryMode(mode);
            EXPECT_THROW(gpu_->run(image.view(), bad), DeviceError) << variant->id;
            EXPECT_TRUE(same_pixels(gpu_->run(image.view(), next).image.view(), expected.image.view())) << variant->id;
        }
    }
}

TEST_F(GpuTest, SessionReportsErrorsAndGoesOn) {
    const auto session = make_cuda_session([] {}, nullptr);
    const auto image = std::make_shared<const HostImage>(make_test_image({300, 200, PixelFormat::rgba8, false}, 1));
    session->set_image(image, 1);
    uint64_t serial = 0;
    for (const VariantInfo* variant : {&kAbsurdVariant, &kWrongVariant}) {
        session->submit({.serial = ++serial, .spec = failing(*variant)});
        const LiveResult bad = wait_for_result(*session, serial);
        EXPECT_NE(bad.error, "");
        EXPECT_EQ(bad.device_failed, variant == &kWrongVariant) << "too little memory is no failure of the device";
        const RunSpec good = make_spec("he", "simple");
        session->submit({.serial = ++serial, .spec = good});
        const LiveResult result = wait_for_result(*session, serial);
        ASSERT_TRUE(result.image) << result.error;
        EXPECT_TRUE(same_pixels(result.image->view(), run_reference(image->view(), good).image.view()));
    }
}

constexpr size_t kHalfRunWords = 100'000;
bool half_run_ends = false;

/// Ends, where half_run_ends, between a kernel that counts and the one that would make the counters zero again; else
/// shows what it finds in them.
void run_half(CudaJob& job) {
    const size_t bytes = kHalfRunWords * sizeof(uint32_t);
    void* const d_words = job.scratch.keep<ZeroedWords>("he half run").get(kHalfRunWords, job.stream);
    if (half_run_ends) {
        TONESCOPE_CUDA(cudaMemsetAsync(d_words, 1, bytes, job.stream));
        throw std::runtime_error("half a run");
    }
    TONESCOPE_CUDA(
        cudaMemcpyAsync(job.output.d_data, d_words, job.output.spec.row_bytes(), cudaMemcpyDeviceToDevice, job.stream));
}

const VariantInfo kHalfVariant = make_variant("half", run_half);

TEST_F(GpuTest, ARunThatEndsHalfwayLeavesNothingToTheNext) {
    const auto image = std::make_shared<const HostImage>(make_test_image({300, 2, PixelFormat::rgba8, false}, 1));
    const RunSpec spec = failing(kHalfVariant);
    const auto expect_zeros = [](const ImageView& result) {
        EXPECT_TRUE(std::all_of(result.row(0), result.row(0) + result.spec.row_bytes(), [](int v) { return v == 0; }));
    };
    half_run_ends = true;
    EXPECT_THROW(gpu_->run(image->view(), spec), std::runtime_error);
    half_run_ends = false;
    expect_zeros(gpu_->run(image->view(), spec).image.view());

    const auto session = make_cuda_session([] {}, nullptr);
    session->set_image(image, 1);
    half_run_ends = true;
    session->submit({.serial = 1, .spec = spec});
    EXPECT_EQ(wait_for_result(*session, 1).error, "half a run");
    half_run_ends = false;
    session->submit({.serial = 2, .spec = spec});
    const LiveResult result = wait_for_result(*session, 2);
    ASSERT_TRUE(result.image) << result.error;
    expect_zeros(result.image->view());
}

TEST_F(GpuTest, NothingIsAllocatedInTheSteadyState) {
    const auto session = make_cuda_session([] {}, nullptr);
    session->set_image(std::make_shared<const HostImage>(make_test_image({2000, 1500, PixelFormat::rgba8, false}, 1)),
                       1);
    uint64_t serial = 0;
    for (int mode = 0; mode < 5; ++mode) {
        const auto run = [&](int limit) {
            RunSpec spec = make_spec("clahe", "simple", {{"clip_limit", limit}});
            spec.memory = MemoryMode(mode);
            session->submit({.serial = ++serial, .spec = spec});
            EXPECT_EQ(wait_for_result(*session, serial).error, "");
        };
        for (int i = 0; i < 4; ++i) run(100 + i);
        const size_t free_before = free_device_bytes();
        for (int i = 0; i < 30; ++i) run(200 + i);
        EXPECT_EQ(free_device_bytes(), free_before) << kMemoryModeIds[mode];
    }
}

}  // namespace
}  // namespace tonescope
