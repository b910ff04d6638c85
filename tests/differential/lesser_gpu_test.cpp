// What kernels choose on older GPUs, run on the GPU at hand: less shared memory, no cooperative launches, no early
// starts. (Code that is compiled for older GPUs is another matter: a build for 75-virtual runs it.)
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>

#include "gpu/core/backend.h"
#include "gpu/cuda/runtime/device.h"
#include "tests/differential/gpu_check.h"
#include "tests/differential/walk.h"

namespace tonescope::test {
namespace {

class LesserGpu : public OnGpu<testing::TestWithParam<std::tuple<std::string, int>>> {
  protected:
    void SetUp() override {
        const int capability = std::get<1>(GetParam());
        setenv("TONESCOPE_LESSER_GPU",
               (std::to_string(capability / 10) + "." + std::to_string(capability % 10)).c_str(), 1);
        OnGpu::SetUp();
        if (IsSkipped()) return;
        const DeviceProperties device = select_device(-1);
        ASSERT_LE(device.compute_capability(), capability);
        ASSERT_LE(device.sharedMemPerBlockOptin, capability == 75 ? 64u * 1024 : 99u * 1024);
    }
    void TearDown() override { unsetenv("TONESCOPE_LESSER_GPU"); }

    const OperatorInfo& op() const { return *find_operator(std::get<0>(GetParam())); }
    Check check_all() {
        return [this](const Case& c, const Answer& expected) {
            for (const VariantInfo* variant : cuda_variants(c.op->id)) {
                check_gpu_variant(*backend_, *variant, default_values(variant->params),
                                  variant->memory.value_or(MemoryMode::pinned), c, expected);
                if (HasFatalFailure()) return;
            }
        };
    }
};

TEST_P(LesserGpu, Sizes) {
    walk_sizes(op(), check_all());
}
TEST_P(LesserGpu, Limits) {
    walk_limits(op(), check_all());
}
TEST_P(LesserGpu, Random) {
    walk_random(op(), check_all(), 40);
}
TEST_P(LesserGpu, Large) {
    walk_large(op(), check_all());
}

INSTANTIATE_TEST_SUITE_P(All, LesserGpu, testing::Combine(testing::ValuesIn(operator_ids()), testing::Values(75, 86)),
                         [](const testing::TestParamInfo<LesserGpu::ParamType>& test) {
                             return std::get<0>(test.param) + "_" + std::to_string(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace tonescope::test
