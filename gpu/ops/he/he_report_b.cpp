// What report B says of its versions and what it measured, on six images whose sizes it does not give: a small one is
// taken to have up to 4 million pixels here, and one like its largest 16 million and more.
#include "gpu/core/benchmark/report.h"

namespace tonescope::he {
namespace {

constexpr int64_t kSmall_px = 4'000'000, kLarge_px = 16'000'000;

constexpr ReportClaim kClaimsOfB[] = {
    {.variant = "cpu",
     .against = "cpu-branchy",
     .time = ReportClaim::Time::total,
     .says = "no test in the loop over the table, and no clamp in the one over the pixels, is faster"},
    {.variant = "shared",
     .against = "no-optimization",
     .max_pixels = kSmall_px,
     .says = "shared memory is faster on small images"},
    {.variant = "shared",
     .against = "no-optimization",
     .faster = false,
     .min_pixels = kLarge_px,
     .says = "shared memory is slower on the largest image"},
    {.variant = "grid-stride",
     .against = "shared",
     .faster = false,
     .says = "a loop over the pixels may be slower, for contention"},
    {.variant = "shared-table",
     .against = "shared",
     .max_pixels = kSmall_px,
     .says = "the table in shared memory is faster on small images"},
    {.variant = "shared-table",
     .against = "shared",
     .faster = false,
     .min_pixels = kLarge_px,
     .says = "the table in shared memory is no gain on large images"},
    {.variant = "pinned",
     .against = "shared-table",
     .time = ReportClaim::Time::total,
     .says = "pinned memory is faster on every image"},
    {.variant = "mapped",
     .against = "pinned",
     .time = ReportClaim::Time::total,
     .faster = false,
     .says = "mapped memory is slower, for the bus"},
    {.variant = "managed",
     .against = "pinned",
     .time = ReportClaim::Time::total,
     .says = "unified memory is worth keeping in the versions after it"},
    {.variant = "constant-table",
     .against = "managed",
     .time = ReportClaim::Time::total,
     .says = "the table in constant memory makes the best version"},
    {.variant = "texture-table",
     .against = "constant-table",
     .time = ReportClaim::Time::total,
     .faster = false,
     .says = "texture memory is slightly slower than constant memory"},
    {.variant = "two-streams",
     .against = "constant-table",
     .time = ReportClaim::Time::total,
     .faster = false,
     .says = "two streams are slower, for contention"},
};

/// Sizes and contents stand for the report's images.
constexpr ReportExperiment kExperimentsOfB[] = {
    {.id = "versions", .title = "Versions over sizes", .shows = "versions 0 to 10 on images of several sizes"},
    {.id = "contents",
     .title = "Versions over contents",
     .shows = "versions 0 to 10 on six images",
     .contents = "smooth,noise,ramp,two-level,constant,bell",
     .sizes = "1280x720"},
    {.id = "memory",
     .title = "Memory modes",
     .shows = "pageable, pinned, mapped and unified memory: versions 3, 4, 5 and 7",
     .variants = "shared-table,pinned,mapped,managed"},
    {.id = "streams",
     .title = "Two streams",
     .shows = "version 10 beside version 8",
     .variants = "managed,constant-table,two-streams",
     .sizes = "powers"},
    {.id = "blocks",
     .title = "Block sizes",
     .shows = "blocks around the report's of 256 threads",
     .sizes = "4k",
     .sweep = "block=8x8,16x16,32x8,32x16,32x32"},
};

const ReportRegistration report_b({.id = "B",
                                   .title = "Histogram equalization in CUDA, lab 4, University of Thessaly",
                                   .op = "he",
                                   .claims = kClaimsOfB,
                                   .experiments = kExperimentsOfB});

}  // namespace
}  // namespace tonescope::he
