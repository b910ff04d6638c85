// Report D: a saturating histogram, eight versions. Its words are not uniformly distributed, and how they are it does
// not say: the content `bell` makes colors whose words, (77 R + 150 G + 29 B) >> 6, lie around the middle of the 1024
// bins.
#include "app/benchmark/reports/reports.h"

namespace tonescope {
namespace {

/// How many times as fast as the CPU the report found a version.
Claim against_cpu(std::string_view variant, double times, std::string_view sentence) {
    return {.variant = variant,
            .against = "cpu",
            .says = times < 1 ? Claim::Says::slower : Claim::Says::faster,
            .figure = ClaimFigure::compute,
            .sentence = sentence,
            .times = times};
}

/// What a version brings beyond the one before it, by the same column of the report's table.
Claim step(std::string_view variant, std::string_view before, double times, double times_before,
           std::string_view sentence) {
    return {.variant = variant,
            .against = before,
            .says = Claim::Says::faster,
            .figure = ClaimFigure::stage,
            .sentence = sentence,
            .times = times / times_before,
            .stage = "histogram"};
}

}  // namespace

std::vector<ExperimentInfo> report_d() {
    return {
        {.id = "d-ladder",
         .report = "D",
         .figure = "versions 1 to 8, speed-up over the CPU",
         .title = "Report D: the ladder",
         .op = "histogram",
         .contents = {"bell"},
         .sizes = {"powers"},
         .format = PixelFormat::rgba8,
         .claims = {against_cpu("global-32bit", 0.4, "32-bit counters in global memory: heavy contention."),
                    against_cpu("shared", 46, "A histogram in shared memory for each block."),
                    against_cpu("vectorized", 90, "Four words a load."),
                    against_cpu("unrolled-pruned", 98, "Unrolled loops, and bins without a count are not flushed."),
                    against_cpu("separate-clamp", 102, "A second kernel clamps."),
                    against_cpu("read-only", 107, "const and restrict."),
                    against_cpu("warp-vote", 110, "Warps vote on their flush."),
                    step("vectorized", "shared", 90, 46, "Four words a load."),
                    step("unrolled-pruned", "vectorized", 98, 90, "Unrolled loops and pruned bins."),
                    step("read-only", "separate-clamp", 107, 102, "const and restrict."),
                    step("warp-vote", "read-only", 110, 107, "Warps vote on their flush.")}},
        {.id = "d-distributions",
         .report = "D",
         .figure = "an input that is not uniform",
         .title = "Report D: distributions of the words",
         .op = "histogram",
         .contents = {"bell", "noise", "smooth", "two-level", "constant"},
         .sizes = {"4k"},
         .format = PixelFormat::rgba8},
        {.id = "d-blocks",
         .report = "D",
         .figure = "blocks",
         .title = "Report D: block sizes",
         .op = "histogram",
         .contents = {"bell"},
         .sizes = {"4k"},
         .format = PixelFormat::rgba8,
         .sweeps = {"block=64,128,256,512,1024"}},
    };
}

}  // namespace tonescope
