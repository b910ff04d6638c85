// Every CUDA variant against the reference, byte by byte. Skipped, with the reason, where there is no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/differential/gpu_check.h"
#include "tests/differential/walk.h"

namespace tonescope::test {
namespace {

class GpuDifferential : public OnGpu<testing::TestWithParam<std::string>> {
  protected:
    void SetUp() override {
        OnGpu::SetUp();
        if (IsSkipped()) return;
        ASSERT_EQ(backend_->kind(), BackendKind::cuda);
        ASSERT_FALSE(cuda_variants(GetParam()).empty());
    }

    const OperatorInfo& op() const { return *find_operator(GetParam()); }

    void check_variant(const VariantInfo& variant, const ParamBlock& variant_params, MemoryMode memory, const Case& c,
                       const Answer& expected) {
        check_gpu_variant(*backend_, variant, variant_params, memory, c, expected);
    }

    Check check_all() {
        return [this](const Case& c, const Answer& expected) {
            for (const VariantInfo* variant : cuda_variants(c.op->id)) {
                check_variant(*variant, default_values(variant->params), variant->memory.value_or(MemoryMode::pinned),
                              c, expected);
                if (testing::Test::HasFatalFailure()) return;
            }
        };
    }
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
TEST_P(GpuDifferential, Surrounds) {
    walk_surrounds(op(), check_all());
}
TEST_P(GpuDifferential, Large) {
    walk_large(op(), check_all());
}

/// Variants that fix no memory mode give the same bytes in each, and with parameters of their own drawn at random.
TEST_P(GpuDifferential, MemoryModesAndVariantParameters) {
    Random random(base_seed() + 4000);
    for (Channels channels : kChannels) {
        const HostImage image = make_image(Content::photo, channels, 1021, 517, base_seed() + 4000, 7);
        const Case c{&op(), defaults_of(op()), &image, to_string(channels)};
        const Answer expected = reference_answer(c);
        for (const VariantInfo* variant : cuda_variants(GetParam())) {
            for (size_t mode = 0; mode < std::size(kMemoryModeIds); ++mode) {
                if (variant->memory && *variant->memory != MemoryMode(mode)) continue;
                check_variant(*variant, draw_params(variant->params, random), MemoryMode(mode), c, expected);
                if (HasFatalFailure()) return;
            }
            for (const ParamBlock& params : limits_of(variant->params)) {
                check_variant(*variant, params, variant->memory.value_or(MemoryMode::pinned), c, expected);
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
    for (const VariantInfo* variant : cuda_variants(GetParam())) {
        const RunSpec spec{.op = &op(),
                           .variant = variant,
                           .params = defaults_of(op()),
                           .variant_params = default_values(variant->params),
                           .memory = variant->memory.value_or(MemoryMode::pinned)};
        EXPECT_THROW(backend_->run(image.view(), spec, source.get_token()), Canceled) << variant->id;
    }
}

/// The preferred variants, against each other: the CPU's is proved by other tests, and the plain reference would take
/// minutes.
class PreferredDifferential : public OnGpu<testing::Test> {
  protected:
    /// `others`: ids of variants beside the preferred one.
    void check(const OperatorInfo& op, const ParamBlock& params, const HostImage& image, Channels channels,
               std::initializer_list<const char*> others = {}) {
        const Case c{&op, params, &image, to_string(channels) + ", " + describe(op.params, params)};
        const RunSpec spec{.op = &op, .variant = preferred_variant(op.id, BackendKind::cpu), .params = params};
        const Answer expected{.image = cpu_->run(image.view(), spec).image};
        check_gpu_variant(*backend_, *preferred_variant(op.id, BackendKind::cuda), {}, MemoryMode::pinned, c, expected);
        for (const char* id : others)
            check_gpu_variant(*backend_, *find_variant(op.id, id), {}, MemoryMode::pinned, c, expected);
    }

    std::unique_ptr<Backend> cpu_ = make_cpu_backend();
};

class KuwaharaDifferential : public PreferredDifferential {
  protected:
    void check(int32_t radius, const HostImage& image, Channels channels) {
        ParamBlock params = defaults_of(op_);
        params.set(radius_, radius);
        PreferredDifferential::check(op_, params, image, channels);
    }

    const OperatorInfo& op_ = *find_operator("kuwahara");
    const ParamInfo& radius_ = *find_param(op_.params, "radius");
};

TEST_F(KuwaharaDifferential, EveryRadiusOnManySegments) {
    for (int32_t radius = radius_.min; radius <= radius_.max; ++radius) {
        const Channels channels = kChannels[radius % 3];
        const HostImage image = make_image(Content::photo, channels, 797 + radius % 7, 1403 + radius % 5,
                                           base_seed() + uint32_t(radius), 3);
        ASSERT_NO_FATAL_FAILURE(check(radius, image, channels));
    }
}

/// So that a strip has one segment, two, three and more; few values, so that many boxes are equally calm.
TEST_F(KuwaharaDifferential, HeightsOfFewSegments) {
    for (const int32_t radius : {1, 2, 3, 15, 16, 17, 32}) {
        for (int height = 1; height < 9 * (std::max(radius, 8) + 1); height += 1 + radius / 4) {
            const Channels channels = kChannels[height % 3];
            const Content content = height % 2 == 0 ? Content::two_level : Content::photo;
            const HostImage image = make_image(content, channels, 320 + height % 5, height, base_seed(), 3);
            ASSERT_NO_FATAL_FAILURE(check(radius, image, channels));
        }
    }
}

/// Tiles of every order of size: how the blend divides, and how its strips lie, depends on it.
class ClaheDifferential : public PreferredDifferential {
  protected:
    void set(std::string_view id, int32_t value) { params_.set(*find_param(op_.params, id), value); }
    /// Each image with the next color mode.
    void check_all() {
        const ParamInfo& color = *find_param(op_.params, "color");
        for (const auto& [channels, image] : images_) {
            params_.set(color, color.min + turn_++ % (color.max - color.min + 1));
            ASSERT_NO_FATAL_FAILURE(check(op_, params_, image, channels));
        }
    }

    const OperatorInfo& op_ = *find_operator("clahe");
    ParamBlock params_ = defaults_of(op_);

  private:
    static std::pair<Channels, HostImage> image(Content content, Channels channels, int width, int height,
                                                int max_sample = 255) {
        return {channels,
                make_image(content, channels, width, height, base_seed() + uint32_t(width), height % 4, max_sample)};
    }
    const std::array<std::pair<Channels, HostImage>, 11> images_{
        image(Content::noise, Channels::gray, 1403, 1261),
        image(Content::photo, Channels::gray, 1536, 1024),
        image(Content::two_level, Channels::gray, 301, 2903),
        image(Content::photo, Channels::rgb, 1403, 1261),
        image(Content::noise, Channels::rgba, 1536, 1024),
        image(Content::skewed, Channels::rgba, 2900, 203),
        image(Content::noise, Channels::gray, 1403, 1261, 65535),
        image(Content::photo, Channels::gray, 1536, 1024, 4095),
        image(Content::skewed, Channels::gray, 1403, 1261, 8191),
        image(Content::photo, Channels::rgb, 1203, 761, 1023),
        image(Content::photo, Channels::rgba, 701, 903, 65535)};
    int turn_ = 0;
};

TEST_F(ClaheDifferential, Tiles) {
    const ParamInfo& side = *find_param(op_.params, "tile_size");
    for (const int32_t tile_px : {8, 16, 31, 32, 64, 65, 128, 129, 181, 257, 512, 1000}) {
        set("tile_size", std::clamp(tile_px, side.min, side.max));
        ASSERT_NO_FATAL_FAILURE(check_all());
    }
}

TEST_F(ClaheDifferential, Grids) {
    set("tiles", 1);
    for (const int32_t columns : {1, 2, 3, 5, 8})
        for (const int32_t rows : {1, 2, 3, 7}) {
            set("grid_columns", columns);
            set("grid_rows", rows);
            ASSERT_NO_FATAL_FAILURE(check_all());
        }
}

/// A bin for each of many values: tables of every form, limits that keep them flat or not, segments of all kinds, and
/// greatest samples just above what threads share out evenly.
TEST_F(ClaheDifferential, AllValues) {
    constexpr int kGreatest[] = {65535, 16383, 65535, 40000, 256, 65534};
    set("tiles", 1);
    set("bins", find_param(op_.params, "bins")->max);
    int turn = 0;
    for (const int32_t columns : {1, 2, 3, 7})
        for (const int32_t rows : {1, 2, 5}) {
            set("grid_columns", columns);
            set("grid_rows", rows);
            set("clip_limit", std::array{300, 400, 120, 0, 700}[size_t(turn % 5)]);
            set("excess", turn % 3);
            set("range", turn % 2);
            for (const Content content : {Content::noise, Content::photo, Content::skewed}) {
                const int greatest = kGreatest[turn++ % 6], width = 1403 - columns, height = 1261 - rows;
                const Channels channels = turn % 4 == 0 ? Channels::rgba : Channels::gray;
                const HostImage image = make_image(content, channels, width, height, base_seed(), turn % 5, greatest);
                ASSERT_NO_FATAL_FAILURE(check(op_, params_, image, channels));
            }
        }
}

/// Tables of all tiles would take more memory than they may.
TEST_F(ClaheDifferential, BandsOfLargeTables) {
    set("bins", find_param(op_.params, "bins")->max);
    set("range", 1);
    set("tile_size", 183);
    const HostImage image = make_image(Content::noise, Channels::gray, 8235, 8300, base_seed(), 0, 65535);
    check(op_, params_, image, Channels::gray);
}

/// Windows whose counts and rows fit counters of every width, of few pixels and of more than the image has.
class ExactDifferential : public PreferredDifferential {
  protected:
    ExactDifferential() { set("tables", 1); }
    void set(std::string_view id, int32_t value) { params_.set(*find_param(op_.params, id), value); }
    void check(Content content, Channels channels, int width, int height, int max_sample = 255) {
        const HostImage image =
            make_image(content, channels, width, height, base_seed() + uint32_t(width), height % 4, max_sample);
        PreferredDifferential::check(op_, params_, image, channels, {"simple"});
    }

    const OperatorInfo& op_ = *find_operator("clahe");
    ParamBlock params_ = defaults_of(op_);
};

TEST_F(ExactDifferential, Windows) {
    const ParamInfo& color = *find_param(op_.params, "color");
    int turn = 0;
    for (const int32_t side : {8, 9, 32, 127, 128, 255, 256, 300, 1024}) {
        set("tile_size", side);
        set("excess", turn % 3);
        set("clip_limit", turn % 4 * 200);
        set("range", turn % 3);
        set("color", color.min + turn++ % (color.max + 1));
        ASSERT_NO_FATAL_FAILURE(check(Content::photo, Channels::gray, 701, 433));
        ASSERT_NO_FATAL_FAILURE(check(Content::noise, Channels::rgb, 517, 211));
        ASSERT_NO_FATAL_FAILURE(check(Content::two_level, Channels::gray, 33, 301));
        ASSERT_NO_FATAL_FAILURE(check(Content::skewed, Channels::rgba, 390, 97));
    }
}

TEST_F(ExactDifferential, Grids) {
    set("tiles", 1);
    for (const int32_t columns : {1, 3, 64})
        for (const int32_t rows : {1, 5, 64}) {
            set("grid_columns", columns);
            set("grid_rows", rows);
            ASSERT_NO_FATAL_FAILURE(check(Content::photo, Channels::gray, 389, 277));
        }
}

TEST_F(ExactDifferential, DeepImages) {
    for (int32_t bins = 0; bins <= 8; ++bins) {
        set("bins", bins);
        set("range", bins % 3);
        set("excess", (bins + 1) % 3);
        for (const int32_t side : {8, 65, 200, 257}) {
            set("tile_size", side);
            ASSERT_NO_FATAL_FAILURE(check(Content::photo, Channels::gray, 211, 107, 65535));
            ASSERT_NO_FATAL_FAILURE(check(Content::noise, Channels::rgb, 97, 61, 4095));
        }
    }
}

/// Many blocks across and down.
TEST_F(ExactDifferential, Large) {
    set("tile_size", 127);
    ASSERT_NO_FATAL_FAILURE(check(Content::photo, Channels::gray, 3841, 1207));
    set("tile_size", 16);
    ASSERT_NO_FATAL_FAILURE(check(Content::noise, Channels::rgba, 2100, 1903));
}

INSTANTIATE_TEST_SUITE_P(All, GpuDifferential, testing::ValuesIn(operator_ids()), operator_name);

}  // namespace
}  // namespace tonescope::test
