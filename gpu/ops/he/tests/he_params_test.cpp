#include <gtest/gtest.h>

#include "tests/param_table.h"

namespace tonescope {
namespace {

TEST(HeParams, AreThoseThatScriptsRelyOn) {
    EXPECT_EQ(test::param_table("he"), "color: luma|channels|gray, luma\nrange: auto|full|used, auto\n");
}

}  // namespace
}  // namespace tonescope
