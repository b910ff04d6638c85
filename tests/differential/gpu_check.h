// What the tests of CUDA rungs share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gpu/core/backend.h"
#include "tests/differential/cases.h"

namespace tonescope::test {

std::vector<const RungInfo*> cuda_rungs(std::string_view op);

/// An operator and one of its CUDA rungs.
struct OperatorRung {
    const OperatorInfo* op = nullptr;
    const RungInfo* rung = nullptr;
};
/// In the names of tests, where GoogleTest would show addresses.
inline void PrintTo(const OperatorRung& tested, std::ostream* out) {
    *out << tested.op->id << " " << tested.rung->id;
}
/// Every CUDA rung, for INSTANTIATE_TEST_SUITE_P.
std::vector<OperatorRung> all_cuda_rungs();
/// "clahe_branch_free".
std::string rung_name(const testing::TestParamInfo<OperatorRung>& test);

/// Runs the rung and fails the test unless it gives the expected bytes. Images that the rung does not take must be
/// refused.
void check_gpu_rung(Backend& backend, const RungInfo& rung, const ParamBlock& rung_params, MemoryMode memory,
                    const Case& c, const Answer& expected);

/// Fails the test unless both are equal, byte by byte.
void expect_same(const HostImage& got, const HostImage& expected);

}  // namespace tonescope::test
