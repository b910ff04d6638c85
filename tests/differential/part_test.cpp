// Where a result takes the place of the image: by hand, and what the CPU makes against the definition.
#include "gpu/core/error.h"
#include "tests/differential/part_check.h"

namespace tonescope::test {
namespace {

TEST(Part, WeightsFallOffInsideTheEdgesThatAreNoBorders) {
    const ImageSpec image{10, 8, PixelFormat::gray8, false};
    const RegionWeights inner({.region = {2, 1, 6, 6}, .feather_px = 2}, image);
    EXPECT_EQ(inner.at(1, 3), 0);
    EXPECT_EQ(inner.at(2, 3), 64);   // floor((255 * 1 + 2) / 4)
    EXPECT_EQ(inner.at(3, 3), 191);  // floor((255 * 3 + 2) / 4)
    EXPECT_EQ(inner.at(4, 3), 255);
    EXPECT_EQ(inner.at(7, 3), 64);
    EXPECT_EQ(inner.at(8, 3), 0);
    EXPECT_EQ(inner.at(4, 1), 64);
    EXPECT_EQ(inner.at(4, 6), 64);
    const RegionWeights corner({.region = {0, 0, 6, 50}, .feather_px = 2}, image);
    EXPECT_EQ(corner.at(0, 0), 255);
    EXPECT_EQ(corner.at(0, 7), 255);
    EXPECT_EQ(corner.at(5, 0), 64);
    const RegionWeights everywhere({}, image);
    EXPECT_EQ(everywhere.at(0, 0), 255);
    EXPECT_EQ(everywhere.at(9, 7), 255);
}

TEST(Part, SamplesAreMixedLikeAmounts) {
    EXPECT_EQ(blended_sample(200, 100, 255), 200);
    EXPECT_EQ(blended_sample(200, 100, 0), 100);
    EXPECT_EQ(blended_sample(200, 100, 64), 125);  // (12800 + 19100 + 127) / 255 = 125.6
    EXPECT_EQ(blended_sample(65535, 65535, 100), 65535);
    EXPECT_EQ(RegionWeights::masked(255, 77), 77);
    EXPECT_EQ(RegionWeights::masked(64, 128), 32);  // (8192 + 127) / 255 = 32.6
}

TEST(Part, TheCpuFiltersTheRegionAndBlendsByTheDefinition) {
    check_parts(*make_cpu_backend(2), 16);
}

TEST(Part, TheOperatorSeesTheRegionAsAnImage) {
    // Of 0 and 10 alone histogram equalization makes 0 and 255, whatever lies around them.
    const ImageSpec spec{6, 4, PixelFormat::gray8, false};
    HostImage image(spec);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 6; ++x) *image.mutable_view().pixel(x, y) = uint8_t(x < 2 ? 200 : x < 4 ? 0 : 10);
    RunSpec run = default_run(*find_operator("he"), preferred_variant("he", BackendKind::cpu));
    run.part.region = {2, 1, 4, 2};
    const RunResult result = make_cpu_backend(1)->run(image.view(), run);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 6; ++x) {
            const int before = image.view().sample(x, y, 0);
            const bool inside = x >= 2 && (y == 1 || y == 2);
            EXPECT_EQ(result.image.view().sample(x, y, 0), inside && before == 10 ? 255 : before) << x << ", " << y;
        }
}

TEST(Part, APartOfAnotherImageIsRefused) {
    const HostImage image = make_image(Content::photo, Channels::gray, 20, 10, 1);
    const OperatorInfo& op = *find_operator("he");
    const auto error = [&](const ResultPart& part) -> std::string {
        RunSpec spec = default_run(op, preferred_variant("he", BackendKind::cpu));
        spec.part = part;
        try {
            make_cpu_backend(1)->run(image.view(), spec);
        } catch (const UserError& wrong) {
            return wrong.what();
        }
        return "";
    };
    EXPECT_EQ(error({.region = {20, 0, 5, 5}}),
              "the region 20,0,5,5 lies outside of the image, which has 20 \u00d7 10 pixels");
    ResultPart masked{.mask_path = "m.png"};
    masked.mask = std::make_shared<HostImage>(make_image(Content::noise, Channels::gray, 10, 20, 1));
    EXPECT_EQ(error(masked), "the mask m.png has 10 \u00d7 20 pixels, the image 20 \u00d7 10");
    EXPECT_EQ(error({.region = {19, 9, 500, 500}}), "");
}

}  // namespace
}  // namespace tonescope::test
