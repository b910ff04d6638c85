// Every CUDA rung against the reference, byte by byte. Skipped, with the reason, where there is no GPU.
#include <gtest/gtest.h>

#include <memory>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/differential/walk.h"

namespace tonescope::test {
namespace {

std::vector<const RungInfo*> cuda_rungs(std::string_view op) {
    std::vector<const RungInfo*> rungs = rungs_of(op);
    std::erase_if(rungs, [](const RungInfo* r) { return r->backend != BackendKind::cuda; });
    return rungs;
}

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
        SCOPED_TRACE(std::string(rung.id) + ", " + std::string(kMemoryModeIds[size_t(memory)]) + ": " + c.name);
        const RunSpec spec{.op = c.op, .rung = &rung, .params = c.params, .rung_params = rung_params, .memory = memory};
        if (rung.max_pixels > 0 && c.input->spec().pixels() > rung.max_pixels) {
            ASSERT_THROW(backend_->run(c.input->view(), spec), UserError);
            return;
        }
        const RunResult result = backend_->run(c.input->view(), spec);
        ASSERT_FALSE(result.stages.empty()) << "no stage was timed";
        if (c.op->makes_bins) {
            ASSERT_TRUE(result.bins.has_value());
            ASSERT_TRUE(result.bins->counts == expected.bins.counts);
            if (!rung.wrong_by_design) {
                ASSERT_TRUE(result.bins->bins == expected.bins.bins);
                return;
            }
            // The lesson of report D's version 1: counters roll over.
            for (size_t bin = 0; bin < expected.bins.counts.size(); ++bin)
                ASSERT_EQ(result.bins->bins[bin], uint8_t(expected.bins.counts[bin])) << "bin " << bin;
            return;
        }
        ASSERT_EQ(result.image.spec(), expected.image.spec());
        ASSERT_TRUE(same_pixels(result.image.view(), expected.image.view()))
            << count_different_pixels(result.image.view(), expected.image.view()) << " pixels differ";
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

INSTANTIATE_TEST_SUITE_P(All, GpuDifferential, testing::ValuesIn(operator_ids()), operator_name);

}  // namespace
}  // namespace tonescope::test
