#include <gtest/gtest.h>

#include "tests/param_table.h"

namespace tonescope {
namespace {

TEST(HeParams, AreThoseThatScriptsRelyOn) {
    EXPECT_EQ(test::param_table("he"),
              "color: luma|channels|gray|ratio|value|lab, luma\n"
              "range: auto|full|used, auto\n"
              "amount: int, 0 to 100 in steps of 1, 100\n"
              "no_data: off|0|M|value, off\n"
              "no_data_value: int, 0 to 65535 in steps of 1, 0\n");
}

}  // namespace
}  // namespace tonescope
