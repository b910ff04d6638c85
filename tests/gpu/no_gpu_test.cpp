// Without a GPU: one clear line, and every CUDA rung is still listed.
#include <gtest/gtest.h>

#include <string>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"

namespace tonescope {
namespace {

TEST(NoGpuTest, SaysWhyInOneLine) {
    try {
        make_cuda_backend();
    } catch (const DeviceError& error) {
        const std::string text = error.what();
        EXPECT_GT(text.size(), 10u);
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        return;
    }
    GTEST_SKIP() << "there is a GPU";
}

TEST(NoGpuTest, EveryOperatorListsACudaRung) {
    for (const OperatorInfo* op : operators()) {
        const RungInfo* rung = preferred_rung(op->id, BackendKind::cuda);
        ASSERT_NE(rung, nullptr) << op->id;
        EXPECT_TRUE(rung->preferred) << op->id;
        EXPECT_FALSE(rung->idea.empty() || rung->cost.empty() || rung->flaw.empty()) << op->id;
    }
}

}  // namespace
}  // namespace tonescope
