// Runs in bands, from memory that the device reads by itself: copies and kernels overlap.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "tests/gpu/gpu_test.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

class BandRunTest : public GpuTest {
  protected:
    HostImage in_pinned_memory(const ImageSpec& spec) {
        HostImage image = gpu_->make_image(spec, MemoryMode::overlapped);
        const HostImage pixels = make_test_image(spec, uint32_t(spec.height));
        std::memcpy(image.data(), pixels.data(), pixels.size_bytes());
        return image;
    }
    static RunSpec spec_of(const VariantInfo& variant, const ParamBlock& params) {
        RunSpec spec = default_run(*find_operator(variant.op), &variant);
        spec.params = params;
        if (!variant.memory) spec.memory = MemoryMode::overlapped;
        return spec;
    }
    /// What the CPU makes of it.
    static HostImage right_result(const ImageView& image, const RunSpec& spec) {
        const VariantInfo& cpu = *preferred_variant(*spec.op, BackendKind::cpu, spec.params, image.spec);
        return std::move(make_cpu_backend()->run(image, spec_of(cpu, spec.params)).image);
    }
};

/// The last band may be a single row, bands may have no more rows than the filter reaches, and there may be but one.
TEST_F(BandRunTest, EveryVariantGivesTheCpusBytes) {
    const ImageSpec images[] = {{1200, 1747, PixelFormat::rgba8, true},
                                {701, 503, PixelFormat::gray8, false},
                                {20000, 300, PixelFormat::rgba8, false},
                                {1531, 3001, PixelFormat::gray16, false, 4095},
                                {901, 1200, PixelFormat::rgba16, false, 65535}};
    int variants = 0;
    for (const ImageSpec& image_spec : images) {
        const HostImage image = in_pinned_memory(image_spec);
        for (const OperatorInfo* op : operators()) {
            if (op->reach_px == nullptr) continue;
            for (const int32_t value : {op->params[0].min, op->params[0].default_value, op->params[0].max}) {
                ParamBlock params = default_values(op->params);
                params.set(op->params[0], value);
                HostImage right;
                for (const VariantInfo* variant : variants_of(op->id)) {
                    if (variant->backend != BackendKind::cuda || variant->wrong_by_design ||
                        !refusal(*op, *variant, params, image_spec).empty())
                        continue;
                    if (value == op->params[0].max && !variant->preferred) continue;  // they take long
                    ++variants;
                    const RunSpec spec = spec_of(*variant, params);
                    SCOPED_TRACE(std::string(op->id) + " " + std::string(variant->id) + " " + std::to_string(value));
                    if (right.empty()) right = right_result(image.view(), spec);
                    for (int round = 0; round < 2; ++round)
                        EXPECT_TRUE(same_pixels(gpu_->run(image.view(), spec).image.view(), right.view()));
                }
            }
        }
    }
    EXPECT_GT(variants, 20);
}

TEST_F(BandRunTest, StagesAreWhatIsLeftToWaitFor) {
    const HostImage image = in_pinned_memory({1531, 4001, PixelFormat::rgba8, false});
    RunSpec spec = make_spec("kuwahara", "tuned");
    spec.memory = MemoryMode::overlapped;
    const RunResult result = gpu_->run(image.view(), spec);
    std::string names;
    for (const StageTime& stage : result.stages) {
        names += std::string(stage.stage) + " ";
        EXPECT_GE(stage.ms, 0);
        EXPECT_LT(stage.ms, 100);
    }
    EXPECT_EQ(names, "upload filter download ");
    ASSERT_EQ(result.resources.size(), 1u);
    EXPECT_EQ(result.resources[0].stage, "filter");
    EXPECT_EQ(result.resources[0].launches, 6) << "bands of 4 MB";

    const RunResult traced = gpu_->run(image.view(), spec, {}, RunKind::traced);
    EXPECT_TRUE(same_pixels(traced.image.view(), result.image.view()));
    EXPECT_EQ(std::ranges::count(traced.trace.spans, TraceSpan::Kind::kernel, &TraceSpan::kind), 6);
    EXPECT_EQ(std::ranges::count(traced.trace.spans, TraceSpan::Kind::copy, &TraceSpan::kind), 12);
}

TEST_F(BandRunTest, GoesOnAfterARunThatWasGivenUp) {
    const HostImage image = in_pinned_memory({1531, 4001, PixelFormat::rgba8, false});
    RunSpec spec = make_spec("kuwahara", "tuned");
    spec.memory = MemoryMode::overlapped;
    const HostImage right = right_result(image.view(), spec);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(gpu_->run(image.view(), spec, stop.get_token()), Canceled);
    RunSpec bad = spec;
    VariantInfo variant = *spec.variant;
    variant.run_cuda = [](CudaJob&) { throw DeviceMemoryError("no room"); };
    bad.variant = &variant;
    EXPECT_THROW(gpu_->run(image.view(), bad), DeviceMemoryError);
    EXPECT_TRUE(same_pixels(gpu_->run(image.view(), spec).image.view(), right.view()));
}

}  // namespace
}  // namespace tonescope
