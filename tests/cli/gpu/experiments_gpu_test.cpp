// Every experiment that has a name, with the GPU.
#include "tests/cli/small_experiments.h"

namespace tonescope {
namespace {

TEST(NamedExperiments, RunOnTheGpu) {
    std::string reason;
    if (try_cuda_backend(-1, &reason) == nullptr) GTEST_SKIP() << reason;
    run_small_experiments(BackendChoice::cuda);
}

}  // namespace
}  // namespace tonescope
