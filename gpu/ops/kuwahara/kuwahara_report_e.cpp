// What report E says of its versions: measured on an image of 400 x 600.
#include "gpu/core/report.h"

namespace tonescope::kuwahara {
namespace {

constexpr ReportClaim kClaims[] = {
    {.variant = "shared", .against = "global", .times = 1.79, .says = "shared memory is faster than global memory"},
};

const ReportRegistration report_e(
    {.id = "E", .title = "The Kuwahara filter in CUDA", .op = "kuwahara", .claims = kClaims});

}  // namespace
}  // namespace tonescope::kuwahara
