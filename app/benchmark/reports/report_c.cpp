// Report C: histogram equalization in CUDA, three scans and three ways of running.
#include "app/benchmark/reports/reports.h"

namespace tonescope {
namespace {

/// A row of the report's table 1, ms.
struct TableRow {
    const char* size;
    double parallel, sequential, one_thread;
};
constexpr TableRow kTable1[] = {
    {"280 \u00d7 180", 0.1968, 1.2869, 20.8876},       {"400 \u00d7 250", 0.1918, 2.5469, 52.0048},
    {"400 \u00d7 600", 0.2159, 6.1029, 230.8772},      {"600 \u00d7 338", 0.2082, 5.1372, 197.1191},
    {"1024 \u00d7 683", 0.3530, 17.7262, 1513.1527},   {"1280 \u00d7 720", 0.4385, 23.3550, 2380.4128},
    {"2560 \u00d7 1707", 1.1806, 110.7117, 49685.0430}};

std::vector<Claim> table_1_claims() {
    std::vector<Claim> claims;
    for (const auto& [size, parallel, sequential, one_thread] : kTable1) {
        claims.push_back({.variant = "scan-conflict-free",
                          .against = "cpu",
                          .says = Claim::Says::faster,
                          .figure = ClaimFigure::compute,
                          .sentence = "All on the GPU in parallel, against the sequential algorithm on the CPU.",
                          .times = sequential / parallel,
                          .at = size});
        claims.push_back({.variant = "one-thread",
                          .against = "cpu",
                          .says = Claim::Says::slower,
                          .figure = ClaimFigure::compute,
                          .sentence = "The sequential algorithm by one thread of the GPU, against the CPU.",
                          .times = sequential / one_thread,
                          .at = size});
    }
    return claims;
}

}  // namespace

std::vector<ExperimentInfo> report_c() {
    return {
        {.id = "c-table-1",
         .report = "C",
         .figure = "table 1",
         .title = "Report C: table 1",
         .op = "he",
         .variants = {"scan-conflict-free", "one-thread"},
         .claims = table_1_claims()},
        {.id = "c-scans",
         .report = "C",
         .figure = "three prefix sums",
         .title = "Report C: scans",
         .op = "he",
         .variants = {"scan-naive", "scan-work-efficient", "scan-conflict-free"},
         .claims = {{.variant = "scan-work-efficient",
                     .against = "scan-naive",
                     .says = Claim::Says::faster,
                     .figure = ClaimFigure::stage,
                     .sentence = "The work-efficient sum needs far fewer additions than the naive one.",
                     .stage = "prefix sum"},
                    {.variant = "scan-conflict-free",
                     .against = "scan-work-efficient",
                     .says = Claim::Says::faster,
                     .figure = ClaimFigure::stage,
                     .sentence = "Padding removes the bank conflicts of the work-efficient sum.",
                     .stage = "prefix sum"}}},
    };
}

}  // namespace tonescope
