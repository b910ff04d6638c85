// Without a GPU: one clear line, and every CUDA variant is still listed.
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

TEST(NoGpuTest, EveryOperatorListsACudaVariant) {
    for (const OperatorInfo* op : operators()) {
        const VariantInfo* variant = preferred_variant(op->id, BackendKind::cuda);
        ASSERT_NE(variant, nullptr) << op->id;
        EXPECT_TRUE(variant->preferred) << op->id;
        EXPECT_FALSE(variant->idea.empty() || variant->cost.empty() || variant->flaw.empty()) << op->id;
    }
}

}  // namespace
}  // namespace tonescope
