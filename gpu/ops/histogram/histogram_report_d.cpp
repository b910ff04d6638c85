// What report D measured, and what it says of its versions: their speed-ups over the CPU, of which each is set beside
// the one before. The report starts from words, so the making of words from pixels does not count.
#include "gpu/core/benchmark/report.h"

namespace tonescope::histogram {
namespace {

constexpr ReportClaim kClaims[] = {
    {.variant = "global-32bit",
     .against = "cpu",
     .time = ReportClaim::Time::compute,
     .without = "words",
     .times = 0.4,
     .says = "32-bit counters in global memory are slower than the CPU"},
    {.variant = "shared",
     .against = "global-32bit",
     .time = ReportClaim::Time::compute,
     .without = "words",
     .times = 46 / 0.4,
     .says = "a histogram for each block in shared memory is the great step"},
    {.variant = "vectorized",
     .against = "shared",
     .time = ReportClaim::Time::compute,
     .without = "words",
     .times = 90. / 46,
     .says = "four words a load nearly double the speed"},
    {.variant = "unrolled-pruned",
     .against = "vectorized",
     .time = ReportClaim::Time::compute,
     .without = "words",
     .times = 98. / 90,
     .says = "unrolled loops and skipped empty bins gain a little"},
    {.variant = "separate-clamp",
     .against = "unrolled-pruned",
     .time = ReportClaim::Time::compute,
     .without = "words",
     .times = 102. / 98,
     .says = "a clamping kernel of its own gains a little"},
    {.variant = "read-only",
     .against = "separate-clamp",
     .time = ReportClaim::Time::compute,
     .without = "words",
     .times = 107. / 102,
     .says = "const and restrict gain a little"},
    {.variant = "warp-vote",
     .against = "read-only",
     .time = ReportClaim::Time::compute,
     .without = "words",
     .times = 110. / 107,
     .says = "a vote of the warp gains a little"},
};

/// How the report's words are distributed it does not say, but that they are not uniform. The words of colors of the
/// content `bell`, (77 R + 150 G + 29 B) >> 6, lie around the middle of the 1024 bins.
constexpr ReportExperiment kExperiments[] = {
    {.id = "ladder",
     .title = "The ladder",
     .shows = "versions 1 to 8, speed-up over the CPU",
     .contents = "bell",
     .sizes = "powers",
     .format = PixelFormat::rgba8},
    {.id = "distributions",
     .title = "Distributions of the words",
     .shows = "an input that is not uniform, beside others",
     .contents = "bell,noise,smooth,two-level,constant",
     .sizes = "4k",
     .format = PixelFormat::rgba8},
    {.id = "blocks",
     .title = "Block sizes",
     .shows = "blocks of 64 to 1024 threads",
     .contents = "bell",
     .sizes = "4k",
     .format = PixelFormat::rgba8,
     .sweep = "block=64,128,256,512,1024"},
};

const ReportRegistration report_d({.id = "D",
                                   .title = "Saturating histogram in CUDA",
                                   .op = "histogram",
                                   .claims = kClaims,
                                   .experiments = kExperiments});

}  // namespace
}  // namespace tonescope::histogram
