// CUDA variants against the reference, byte by byte, in every memory mode.
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "gpu/core/error.h"
#include "tests/gpu/gpu_test.h"

namespace tonescope {
namespace {

constexpr ImageSpec kFormats[] = {
    {0, 0, PixelFormat::gray8, false}, {0, 0, PixelFormat::rgba8, false}, {0, 0, PixelFormat::rgba8, true}};

void expect_same(const ImageView& image, Backend& gpu, const RunSpec& spec) {
    const RunResult expected = run_reference(image, spec);
    const RunResult actual = gpu.run(image, spec);
    if (spec.op->makes_bins) {
        ASSERT_TRUE(actual.bins);
        EXPECT_EQ(*actual.bins, *expected.bins);
    } else {
        ASSERT_EQ(actual.image.spec(), expected.image.spec());
        EXPECT_EQ(count_different_pixels(actual.image.view(), expected.image.view()), 0);
    }
    EXPECT_FALSE(actual.stages.empty());
}

std::string describe(const ImageView& image, const RunSpec& spec) {
    std::string text = std::string(spec.op->id) + " " + std::string(spec.variant->id) + " " +
                       std::to_string(image.spec.width) + "x" + std::to_string(image.spec.height) + "x" +
                       std::to_string(image.spec.channels());
    for (const ParamInfo& info : spec.op->params)
        text += " " + std::string(info.id) + "=" + format_value(info, spec.params.get(info));
    return text;
}

/// Runs every CUDA variant that ought to be right on every operator.
template <class Visit>
void for_each_variant(Visit&& visit) {
    for (const OperatorInfo* op : operators())
        for (const VariantInfo* variant : variants_of(op->id))
            if (variant->backend == BackendKind::cuda && !variant->wrong_by_design)
                visit(make_spec(op->id, variant->id));
}

TEST_F(GpuTest, EveryOperatorHasACudaVariant) {
    for (const OperatorInfo* op : operators()) {
        const VariantInfo* variant = preferred_variant(op->id, BackendKind::cuda);
        ASSERT_NE(variant, nullptr) << op->id;
        EXPECT_NE(variant->run_cuda, nullptr) << op->id;
    }
}

TEST_F(GpuTest, LongRowsAndColumns) {
    for_each_variant([&](RunSpec spec) {
        for (const auto& [width, height] : {std::pair{65535, 3}, std::pair{3, 65535}}) {
            const HostImage image = make_test_image({width, height, PixelFormat::rgba8, false}, 5);
            if (const ParamInfo* tile_size = find_param(spec.op->params, "tile_size")) spec.params.set(*tile_size, 8);
            SCOPED_TRACE(describe(image.view(), spec));
            expect_same(image.view(), *gpu_, spec);
        }
    });
}

TEST_F(GpuTest, EveryMemoryModeGivesTheSameBytes) {
    for (const std::string_view op : {"he", "clahe", "kuwahara", "histogram"}) {
        for (ImageSpec image_spec : kFormats) {
            image_spec.width = 1531;
            image_spec.height = 1203;  // several bands of the overlapped mode
            const HostImage image = make_test_image(image_spec, 3, image_spec.row_bytes() + 5);
            RunSpec spec = make_spec(op, "simple");
            for (int mode = 0; mode < 5; ++mode) {
                spec.memory = MemoryMode(mode);
                SCOPED_TRACE(describe(image.view(), spec) + " " + std::string(kMemoryModeIds[mode]));
                expect_same(image.view(), *gpu_, spec);
                expect_same(image.view(), *gpu_, spec);  // again, with what the first run left behind
            }
        }
    }
}

/// Images in the memory of a mode are neither copied there first nor out of it last.
TEST_F(GpuTest, ImagesInTheMemoryOfAModeStayThere) {
    const std::map<MemoryMode, std::string> copies = {{MemoryMode::pageable, "upload download "},
                                                      {MemoryMode::pinned, "upload download "},
                                                      {MemoryMode::mapped, ""},
                                                      {MemoryMode::managed, "download "},
                                                      {MemoryMode::overlapped, "upload download "}};
    for (ImageSpec image_spec : kFormats) {
        image_spec.width = 1531;
        image_spec.height = 1203;
        const HostImage pixels = make_test_image(image_spec, 3);
        for (const auto& [mode, names] : copies) {
            HostImage image = gpu_->make_image(image_spec, mode);
            ASSERT_EQ(image.spec(), image_spec);
            for (int y = 0; y < image_spec.height; ++y)
                std::copy_n(pixels.view().row(y), image_spec.row_bytes(), image.mutable_view().row(y));
            for (const std::string_view variant : {"simple", "two-streams"}) {
                RunSpec spec = make_spec("he", variant);
                if (spec.variant->memory.value_or(mode) != mode) continue;
                spec.memory = mode;
                SCOPED_TRACE(describe(image.view(), spec) + " " + std::string(kMemoryModeIds[size_t(mode)]));
                for (int run = 0; run < 3; ++run) {
                    expect_same(image.view(), *gpu_, spec);
                    std::string stages;
                    for (const StageTime& stage : gpu_->run(image.view(), spec).stages)
                        if (is_copy(stage.stage)) stages += std::string(stage.stage) + " ";
                    EXPECT_EQ(stages, names);
                }
            }
        }
    }
    HostImage outlives = gpu_->make_image({640, 480, PixelFormat::gray8, false}, MemoryMode::pinned);
    gpu_.reset();
    outlives.mutable_view().data[0] = 1;
}

/// Small blocks are the driver's, large ones pages that it locks; both are used again.
TEST_F(GpuTest, MemoryOfImagesServesOthersOfAnySize) {
    const RunSpec spec = make_spec("he", "simple");
    for (const int height : {40, 1500, 700, 3000, 40, 1500}) {
        const ImageSpec image_spec{1200, height, PixelFormat::rgba8, false};
        const HostImage pixels = make_test_image(image_spec, height);
        std::vector<HostImage> images;
        for (int i = 0; i < 6; ++i) images.push_back(gpu_->make_image(image_spec, MemoryMode::pinned));
        for (HostImage& image : images) std::memcpy(image.data(), pixels.data(), pixels.size_bytes());
        expect_same(images.front().view(), *gpu_, spec);
        expect_same(images.back().view(), *gpu_, spec);
    }
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 20; ++i) {
                HostImage image =
                    gpu_->make_image({1024, 16 + 300 * ((i + t) % 5), PixelFormat::rgba8, false}, MemoryMode::pinned);
                std::memset(image.data(), t, image.size_bytes());
                EXPECT_EQ(image.data()[image.size_bytes() / 2], t);
            }
        });
}

TEST_F(GpuTest, StagesAreNamedAndTimed) {
    const HostImage image = make_test_image({800, 600, PixelFormat::rgba8, false}, 1);
    const RunResult result = gpu_->run(image.view(), make_spec("he", "simple"));
    std::string names;
    for (const StageTime& stage : result.stages) {
        names += std::string(stage.stage) + " ";
        EXPECT_GT(stage.ms, 0) << stage.stage;
        EXPECT_LT(stage.ms, 10000) << stage.stage;
    }
    EXPECT_EQ(names, "copy in upload histogram table apply download copy out ");
}

TEST_F(GpuTest, RefusesCpuVariants) {
    const HostImage image = make_test_image({8, 8, PixelFormat::gray8, false}, 1);
    EXPECT_THROW(gpu_->run(image.view(), make_spec("he", "cpu")), DeviceError);
}

TEST_F(GpuTest, RefusesADeviceThatIsNotThere) {
    try {
        make_cuda_backend(99);
        FAIL();
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("no CUDA device 99"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace tonescope
