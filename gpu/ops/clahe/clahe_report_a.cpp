// What report A says of its versions. It gives throughputs for numbers of teams alone, which are no steps.
#include "gpu/core/report.h"

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

const ReportRegistration report_a(
    {.id = "A", .title = "CLAHE in CUDA, lab 4 of the course ECE415", .op = "clahe", .claims = kClaims});

}  // namespace
}  // namespace tonescope::clahe
