// Where a result takes the place of the image, in CUDA. Skipped, with the reason, where there is no GPU.
#include "gpu/core/error.h"
#include "tests/differential/part_check.h"

namespace tonescope::test {
namespace {

TEST(PartGpu, TheDeviceBlendsByTheDefinition) {
    std::unique_ptr<Backend> backend;
    try {
        backend = make_cuda_backend();
    } catch (const DeviceError& error) {
        GTEST_SKIP() << error.what();
    }
    check_parts(*backend);
}

/// The variant that copies the pixels itself hands over a result that is blended on the host.
TEST(PartGpu, AVariantThatMovesThePixelsIsBlendedToo) {
    std::unique_ptr<Backend> backend;
    try {
        backend = make_cuda_backend();
    } catch (const DeviceError& error) {
        GTEST_SKIP() << error.what();
    }
    const HostImage image = make_image(Content::photo, Channels::gray, 200, 150, 7);
    for (const VariantInfo* variant : variants_of("he")) {
        if (variant->memory != MemoryMode::overlapped) continue;
        RunSpec spec = default_run(*find_operator("he"), variant);
        const RunResult whole = backend->run(image.view(), spec);
        spec.part = {.region = {20, 30, 100, 60}, .feather_px = 9};
        const RunResult result = backend->run(image.view(), spec);
        const HostImage expected = expected_part(image, whole.image, spec.part);
        EXPECT_EQ(count_different_pixels(result.image.view(), expected.view()), 0) << variant->id;
    }
}

}  // namespace
}  // namespace tonescope::test
