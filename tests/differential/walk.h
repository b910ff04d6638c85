// The cases of the differential test, the same for every backend.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/differential/cases.h"

namespace tonescope::test {

/// Is given a case and the reference's answer; checks every variant of a backend against it.
using Check = std::function<void(const Case&, const Answer&)>;

/// What the case's operator says of corners, borders and pixels anywhere between, each with and without what is kept
/// from pixel to pixel.
void check_explained(const Case& c, const Answer& expected);

/// Ids of all operators, for INSTANTIATE_TEST_SUITE_P.
std::vector<std::string> operator_ids();
inline std::string operator_name(const testing::TestParamInfo<std::string>& test) {
    return test.param;
}

/// Default parameters over every size, content and number of channels.
void walk_sizes(const OperatorInfo& op, const Check& check);
/// Every limit and choice of every parameter, on images around a multiple of the tile size.
void walk_limits(const OperatorInfo& op, const Check& check);
/// Parameters, sizes, contents and paddings drawn at random.
void walk_random(const OperatorInfo& op, const Check& check, int count);
/// Images with a surround, which is left out where the operator can: whole tiles count nothing.
void walk_surrounds(const OperatorInfo& op, const Check& check);
/// A few million pixels, and above 8.5 million with nearly all of them in one bin, where products pass 2^32.
void walk_large(const OperatorInfo& op, const Check& check);

}  // namespace tonescope::test
