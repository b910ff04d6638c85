#include <gtest/gtest.h>

#include "tests/param_table.h"

namespace tonescope {
namespace {

TEST(ClaheParams, AreThoseThatScriptsRelyOn) {
    EXPECT_EQ(test::param_table("clahe"),
              "tiles: size|grid, size\n"
              "tile_size: int, 8 to 1024 in steps of 1, 64\n"
              "grid_columns: int, 1 to 64 in steps of 1, 8\n"
              "grid_rows: int, 1 to 64 in steps of 1, 8\n"
              "tables: blended|exact, blended\n"
              "clip_unit: slope|count, slope\n"
              "clip_limit: decimal, 0.00 to 256.00 in steps of 0.01, 3.00\n"
              "clip_count: int, 0 to 1073741824 in steps of 1, 40\n"
              "excess: spread|drop|spread evenly, spread\n"
              "color: luma|channels|gray|ratio|value|lab, luma\n"
              "range: auto|full|used, auto\n"
              "bins: 256|512|1024|2048|4096|8192|16384|32768|65536, 256\n"
              "amount: int, 0 to 100 in steps of 1, 100\n"
              "no_data: off|0|M|value, off\n"
              "no_data_value: int, 0 to 65535 in steps of 1, 0\n");
}

}  // namespace
}  // namespace tonescope
