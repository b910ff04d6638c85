#include "gpu/core/limits/stage_bytes.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

TEST(StageBytes, AreThoseDeclaredAndThoseOfCopies) {
    const Work work = {{"histogram", {.bytes = 1000}}, {"apply", {.bytes = 2000}}};
    const ImageSpec input{10, 10, PixelFormat::rgba8}, output{10, 10, PixelFormat::gray8};
    const StageTimes stages = {{"upload", 1},   {"histogram", 1}, {"table", 1}, {"apply", 1},
                               {"download", 1}, {"copy out", 1},  {"upload", 1}};
    EXPECT_EQ(bytes_of_stages(stages, work, input, output), (std::vector<uint64_t>{200, 1000, 0, 2000, 100, 200, 200}))
        << "two stages of one name share what it moves; of a table nothing is known";
    EXPECT_EQ(bytes_of_stages({{"download", 1}}, work, input, {}), std::vector<uint64_t>{0}) << "bins";
}

}  // namespace
}  // namespace tonescope
