// What report C measured, and what its table says of the parallel algorithm, the sequential one, and the sequential one
// as a GPU thread.
#include <array>

#include "gpu/core/benchmark/report.h"

namespace tonescope::he {
namespace {

/// An image's pixels, and milliseconds.
struct TimesOfC {
    struct {
        int width, height;
    } image;
    double parallel_ms, sequential_ms, one_thread_ms;
};
constexpr TimesOfC kTimesOfC[] = {
    {{280, 180}, 0.1968, 1.2869, 20.8876},       {{400, 250}, 0.1918, 2.5469, 52.0048},
    {{400, 600}, 0.2159, 6.1029, 230.8772},      {{600, 338}, 0.2082, 5.1372, 197.1191},
    {{1024, 683}, 0.353, 17.7262, 1513.1527},    {{1280, 720}, 0.4385, 23.355, 2380.4128},
    {{2560, 1707}, 1.1806, 110.7117, 49685.043},
};

/// Of each row, the parallel algorithm and the single thread beside the CPU, on images of as many pixels.
constexpr auto claims_of_table() {
    std::array<ReportClaim, 2 * std::size(kTimesOfC)> claims;
    for (size_t i = 0; i < std::size(kTimesOfC); ++i) {
        const auto& [image, parallel_ms, sequential_ms, one_thread_ms] = kTimesOfC[i];
        const int64_t pixels = int64_t{image.width} * image.height;
        claims[2 * i] = {.variant = "scan-work-efficient",
                         .against = "cpu",
                         .times = sequential_ms / parallel_ms,
                         .min_pixels = pixels,
                         .max_pixels = pixels,
                         .says = "the parallel algorithm is faster than the sequential one on the CPU"};
        claims[2 * i + 1] = {.variant = "one-thread",
                             .against = "cpu",
                             .times = sequential_ms / one_thread_ms,
                             .min_pixels = pixels,
                             .max_pixels = pixels,
                             .says = "one GPU thread is slower than the CPU"};
    }
    return claims;
}
constexpr auto kClaimsOfC = claims_of_table();

constexpr ReportExperiment kExperimentsOfC[] = {
    {.id = "table-1",
     .title = "Table 1",
     .shows = "seven sizes in three ways: in parallel, on the CPU, and by one GPU thread",
     .variants = "scan-work-efficient,one-thread"},
    {.id = "scans",
     .title = "Prefix sums",
     .shows = "the naive, the work-efficient and the conflict-free prefix sum",
     .variants = "scan-naive,scan-work-efficient,scan-conflict-free"},
};

const ReportRegistration report_c({.id = "C",
                                   .title = "Histogram equalization in CUDA, University of Ljubljana",
                                   .op = "he",
                                   .claims = kClaimsOfC,
                                   .experiments = kExperimentsOfC});

}  // namespace
}  // namespace tonescope::he
