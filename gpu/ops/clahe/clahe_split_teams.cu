// CLAHE, report A, version 2: the block's threads form teams, each with a histogram of its own (team_histogram in
// clahe_tiles.cuh), and thread v adds up bin v of all copies (sum_of_teams). With 8 teams or fewer a team is one warp
// or more; beyond that even the threads of a warp part. The more shared memory a block takes, the fewer blocks fit on a
// multiprocessor. The report was fastest with 4 teams, and its 64 did not fit: a block gets 48 KiB unless the program
// asks for more, which is done here. 1 team is version 1 again.
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "gpu/ops/clahe/clahe_tiles.cuh"

namespace tonescope::clahe {
namespace {

struct SplitParams {
    int32_t teams;  // index of kTeamsValues: 2^teams
};
constexpr std::string_view kTeamsValues[] = {"1", "2", "4", "8", "16", "32", "64"};
constexpr ParamInfo kTable[] = {
    {.id = "teams",
     .label = "Teams",
     .help = "Histograms that the threads of a block share out among themselves. Where 64 do not fit into a block's "
             "shared memory, they are refused.",
     .kind = ParamKind::choice,
     .offset = offsetof(SplitParams, teams),
     .max = std::size(kTeamsValues) - 1,
     .default_value = 2,
     .values = kTeamsValues},
};

#ifdef __CUDACC__
void run_split(CudaJob& job) {
    run_teams<OneThreadScan>(job, 1 << job.variant_params.as<SplitParams>().teams);
}
#endif

const VariantRegistration split_teams_variant({
    .op = "clahe",
    .id = "split",
    .name = "Split histogram",
    .source = "A 2",
    .follows = "shared",
    .builds_on = "shared",
    .params = kTable,
    .idea = "Teams of threads count into a histogram each, so that fewer threads meet at a bin; then the histograms "
            "are added up.",
    .cost = "1 KiB of shared memory for each team, cleared and summed for every tile.",
    .flaw = "While one thread adds up the 256 bins, the other 255 wait.",
    .run_cuda = TONESCOPE_CUDA_RUN(run_split),
});

}  // namespace
}  // namespace tonescope::clahe
