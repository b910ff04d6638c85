#include <gtest/gtest.h>

#include "tests/param_table.h"

namespace tonescope {
namespace {

TEST(KuwaharaParams, AreThoseThatScriptsRelyOn) {
    EXPECT_EQ(test::param_table("kuwahara"), "radius: int, 1 to 64 in steps of 1, 4\n");
}

}  // namespace
}  // namespace tonescope
