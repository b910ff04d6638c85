// What the tests of CUDA variants share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/differential/cases.h"

namespace tonescope::test {

/// A test of a kind of GoogleTest's, with a backend on the GPU. Skipped, with the reason, where there is none.
template <class Test>
class OnGpu : public Test {
  protected:
    void SetUp() override {
        try {
            backend_ = make_cuda_backend();
        } catch (const DeviceError& error) {
            GTEST_SKIP() << error.what();
        }
    }
    std::unique_ptr<Backend> backend_;
};

std::vector<const VariantInfo*> cuda_variants(std::string_view op);

/// An operator and one of its CUDA variants.
struct OperatorVariant {
    const OperatorInfo* op = nullptr;
    const VariantInfo* variant = nullptr;
};
/// In the names of tests, where GoogleTest would show addresses.
inline void PrintTo(const OperatorVariant& tested, std::ostream* out) {
    *out << tested.op->id << " " << tested.variant->id;
}
/// Every CUDA variant, for INSTANTIATE_TEST_SUITE_P.
std::vector<OperatorVariant> all_cuda_variants();
/// "clahe_branch_free".
std::string variant_name(const testing::TestParamInfo<OperatorVariant>& test);

/// Runs the variant and fails the test unless it gives the expected bytes. Images that the variant does not take must
/// be refused.
void check_gpu_variant(Backend& backend, const VariantInfo& variant, const ParamBlock& variant_params,
                       MemoryMode memory, const Case& c, const Answer& expected);

/// Fails the test unless both are equal, byte by byte.
void expect_same(const HostImage& got, const HostImage& expected);

}  // namespace tonescope::test
