#include <gtest/gtest.h>

#include "app/sandbox/sandbox.h"
#include "tests/decoding/misdeeds.h"

int main(int argc, char** argv) {
    using namespace tonescope;
    if (sandbox::is_supervisor(argc, argv)) {
        sandbox::supervise(
            [](sandbox::Channel& channel) { image_io::serve_decoding(channel, test::decode_or_misbehave); },
            std::chrono::seconds(3));
    }
    testing::InitGoogleTest(&argc, argv);
    sandbox::start();
    return RUN_ALL_TESTS();
}
