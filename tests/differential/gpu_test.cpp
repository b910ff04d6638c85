// Every CUDA rung against the reference, byte by byte. Skipped, with the reason, where there is no GPU.
#include <gtest/gtest.h>

#include <memory>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/differential/gpu_check.h"
#include "tests/differential/walk.h"

namespace tonescope::test {
namespace {

class GpuDifferential : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        try {
            backend_ = make_cuda_backend();
        } catch (const DeviceError& error) {
            GTEST_SKIP() << error.what();
        }
        ASSERT_EQ(backend_->kind(), BackendKind::cuda);
        ASSERT_FALSE(cuda_rungs(GetParam()).empty());
    }

    const OperatorInfo& op() const { return *find_operator(GetParam()); }

    void check_rung(const RungInfo& rung, const ParamBlock& rung_params, MemoryMode memory, const Case& c,
                    const Answer& expected) {
        check_gpu_rung(*backend_, rung, rung_params, memory, c, expected);
    }

    Check check_all() {
        return [this](const Case& c, const Answer& expected) {
            for (const RungInfo* rung : cuda_rungs(c.op->id)) {
                check_rung(*rung, default_values(rung->params), rung->memory.value_or(MemoryMode::pinned), c, expected);
                if (testing::Test::HasFatalFailure()) return;
            }
        };
    }

    std::unique_ptr<Backend> backend_;
};

TEST_P(GpuDifferential, Sizes) {
    walk_sizes(op(), check_all());
}
TEST_P(GpuDifferential, Limits) {
    walk_limits(op(), check_all());
}
TEST_P(GpuDifferential, Random) {
    walk_random(op(), check_all(), 120);
}
TEST_P(GpuDifferential, Large) {
    walk_large(op(), check_all());
}

/// Rungs that fix no memory mode give the same bytes in each, and with parameters of their own drawn at random.
TEST_P(GpuDifferential, MemoryModesAndRungParameters) {
    Random random(base_seed() + 4000);
    for (Channels channels : kChannels) {
        const HostImage image = make_image(Content::photo, channels, 1021, 517, base_seed() + 4000, 7);
        const Case c{&op(), defaults_of(op()), &image, to_string(channels)};
        const Answer expected = reference_answer(c);
        for (const RungInfo* rung : cuda_rungs(GetParam())) {
            for (size_t mode = 0; mode < std::size(kMemoryModeIds); ++mode) {
                if (rung->memory && *rung->memory != MemoryMode(mode)) continue;
                check_rung(*rung, draw_params(rung->params, random), MemoryMode(mode), c, expected);
                if (HasFatalFailure()) return;
            }
            for (const ParamBlock& params : limits_of(rung->params)) {
                check_rung(*rung, params, rung->memory.value_or(MemoryMode::pinned), c, expected);
                if (HasFatalFailure()) return;
            }
        }
    }
}

/// The same buffers serve image after image: nothing of a larger one may show in a smaller one, nor of one run in the
/// next.
TEST_P(GpuDifferential, ReusedBuffers) {
    for (int round = 0; round < 3; ++round) {
        for (int side : {300, 17, 1}) {
            const Channels channels = kChannels[(round + side) % 3];
            const HostImage image =
                make_image(Content::noise, channels, side, side + round, base_seed() + uint32_t(side));
            const Case c{&op(), defaults_of(op()), &image, "side " + std::to_string(side)};
            check_all()(c, reference_answer(c));
        }
    }
}

TEST_P(GpuDifferential, StopsWhenAsked) {
    const HostImage image = make_image(Content::noise, Channels::rgb, 600, 400, base_seed());
    std::stop_source source;
    source.request_stop();
    for (const RungInfo* rung : cuda_rungs(GetParam())) {
        const RunSpec spec{.op = &op(),
                           .rung = rung,
                           .params = defaults_of(op()),
                           .rung_params = default_values(rung->params),
                           .memory = rung->memory.value_or(MemoryMode::pinned)};
        EXPECT_THROW(backend_->run(image.view(), spec, source.get_token()), Cancelled) << rung->id;
    }
}

/// Every radius on an image of many segments, against the CPU's fastest rung, which other tests prove: the plain
/// reference would take minutes.
TEST(KuwaharaDifferential, EveryRadius) {
    std::unique_ptr<Backend> gpu, cpu = make_cpu_backend();
    try {
        gpu = make_cuda_backend();
    } catch (const DeviceError& error) {
        GTEST_SKIP() << error.what();
    }
    const OperatorInfo& op = *find_operator("kuwahara");
    const RungInfo &tuned = *preferred_rung(op.id, BackendKind::cuda), &fast = *preferred_rung(op.id, BackendKind::cpu);
    const ParamInfo& radius = *find_param(op.params, "radius");
    for (int32_t value = radius.min; value <= radius.max; ++value) {
        const Channels channels = kChannels[value % 3];
        const HostImage image =
            make_image(Content::photo, channels, 797 + value % 7, 1403 + value % 5, base_seed() + uint32_t(value), 3);
        ParamBlock params = defaults_of(op);
        params.set(radius, value);
        const Case c{&op, params, &image, to_string(channels) + ", " + describe(op.params, params)};
        const RunSpec spec{.op = &op, .rung = &fast, .params = params};
        check_gpu_rung(*gpu, tuned, {}, MemoryMode::pinned, c, {.image = cpu->run(image.view(), spec).image});
        if (testing::Test::HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(All, GpuDifferential, testing::ValuesIn(operator_ids()), operator_name);

}  // namespace
}  // namespace tonescope::test
