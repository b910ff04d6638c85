// What report A says of its versions and of the number of teams, and what it measured.
#include "gpu/core/benchmark/report.h"

namespace tonescope::clahe {
namespace {

constexpr ReportClaim kClaims[] = {
    {.variant = "shared",
     .against = "baseline",
     .faster = false,
     .says = "a histogram in shared memory is slower than the baseline, for contention and bank conflicts"},
    {.variant = "split",
     .against = "shared",
     .says = "teams with histograms of their own are faster than one histogram"},
    {.variant = "split",
     .against = "split",
     .times = 577. / 570,
     .says = "4 teams are a little faster than 2",
     .param = "teams",
     .at = "4",
     .against_at = "2"},
    {.variant = "split",
     .against = "split",
     .times = 485. / 577,
     .says = "8 teams are slower than 4",
     .param = "teams",
     .at = "8",
     .against_at = "4"},
    {.variant = "split",
     .against = "split",
     .times = 432. / 485,
     .says = "16 teams are slower than 8",
     .param = "teams",
     .at = "16",
     .against_at = "8"},
    {.variant = "split",
     .against = "split",
     .times = 330. / 432,
     .says = "32 teams are slower than 16",
     .param = "teams",
     .at = "32",
     .against_at = "16"},
    {.variant = "scan", .against = "split", .says = "a parallel prefix sum is faster than one thread that adds up"},
    {.variant = "scan-padded", .against = "scan", .says = "padding takes the bank conflicts away"},
    {.variant = "pinned",
     .against = "scan-padded",
     .time = ReportClaim::Time::total,
     .says = "pinned memory and a stream make the whole run faster"},
    {.variant = "branch-free",
     .against = "pinned",
     .says = "min and max in place of branches, and a reciprocal, are faster"},
};

/// The report's own setting. It does not tell its clip limit.
constexpr std::string_view kSetting = "tile_size=16,clip_unit=count,clip_count=40,excess=drop";

constexpr ReportExperiment kExperiments[] = {
    {.id = "ladder",
     .title = "The ladder",
     .shows = "versions 0 to 6 with tiles of 16 pixels",
     .params = kSetting,
     .sizes = "1024x683,4k,24m,100m"},
    {.id = "teams",
     .title = "Teams",
     .shows = "the throughput of 2 to 64 teams",
     .variants = "split",
     .params = kSetting,
     .sizes = "4k",
     .sweep = "teams=2,4,8,16,32,64"},
    {.id = "blocks",
     .title = "Block sizes",
     .shows = "blocks around the report's of 16 x 16 threads",
     .params = kSetting,
     .sizes = "4k",
     .sweep = "block=8x8,16x16,32x8,32x16,32x32"},
};

const ReportRegistration report_a({.id = "A",
                                   .title = "CLAHE in CUDA, lab 4 of the course ECE415",
                                   .op = "clahe",
                                   .claims = kClaims,
                                   .experiments = kExperiments});

}  // namespace
}  // namespace tonescope::clahe
