// What report E says of its versions and of blocks, and what it measured: on an image of 400 x 600.
#include "gpu/core/benchmark/report.h"

namespace tonescope::kuwahara {
namespace {

constexpr ReportClaim kClaims[] = {
    {.variant = "shared", .against = "global", .times = 1.79, .says = "shared memory is faster than global memory"},
    {.variant = "shared",
     .against = "shared",
     .times = 16. / 7,
     .says = "blocks of 16 x 16 threads are faster than 8 x 8",
     .param = "block",
     .at = "16x16",
     .against_at = "8x8"},
};

constexpr ReportExperiment kExperiments[] = {
    {.id = "shared",
     .title = "Shared memory",
     .shows = "with and without shared memory",
     .variants = "global,shared",
     .sizes = "400x600",
     .format = PixelFormat::rgba8},
    {.id = "blocks",
     .title = "Block sizes",
     .shows = "blocks of 16 x 16 and 8 x 8 threads",
     .variants = "global,shared",
     .sizes = "400x600,4k",
     .format = PixelFormat::rgba8,
     .sweep = "block=8x8,16x16,32x8"},
    {.id = "ladder",
     .title = "The ladder",
     .shows = "all versions",
     .sizes = "400x600,1280x720",
     .format = PixelFormat::rgba8},
    {.id = "radius",
     .title = "Radius",
     .shows = "the size of the window",
     .variants = "global,shared",
     .sizes = "400x600",
     .format = PixelFormat::rgba8,
     .sweep = "radius=1,2,4,8,16"},
};

const ReportRegistration report_e({.id = "E",
                                   .title = "The Kuwahara filter in CUDA",
                                   .op = "kuwahara",
                                   .claims = kClaims,
                                   .experiments = kExperiments});

}  // namespace
}  // namespace tonescope::kuwahara
