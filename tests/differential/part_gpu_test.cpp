// Where a result takes the place of the image, in CUDA. Skipped, with the reason, where there is no GPU.
#include "tests/differential/gpu_check.h"
#include "tests/differential/part_check.h"

namespace tonescope::test {
namespace {

using PartGpu = OnGpu<testing::Test>;

TEST_F(PartGpu, TheDeviceFiltersTheRegionAndBlendsByTheDefinition) {
    check_parts(*backend_, 12);
}

/// Few small images for compute-sanitizer, in every format and memory mode.
TEST_F(PartGpu, PartsSanitizer) {
    const OperatorInfo& op = *find_operator("he");
    for (const int max_sample : {255, 65535})
        for (const Channels channels : kChannels)
            for (const int color : {0, 2})
                for (const bool region : {false, true})
                    for (const bool mask : {false, true}) {
                        const HostImage image = make_image(Content::photo, channels, 67, 41, 5, 0, max_sample);
                        ParamBlock params = defaults_of(op);
                        const ParamInfo& info = *find_param(op.params, "color");
                        params.set(info, color);  // luma; gray
                        RunSpec spec = default_run(op, preferred_variant(op, BackendKind::cuda, params, image.spec()));
                        spec.params = params;
                        ResultPart part;
                        if (region) part = {.region = {13, 7, 33, 90}, .feather_px = 6};
                        if (mask)
                            part.mask =
                                std::make_shared<HostImage>(make_image(Content::noise, Channels::gray, 67, 41, 3));
                        check_part(*backend_, image, spec, part);
                    }
}

}  // namespace
}  // namespace tonescope::test
