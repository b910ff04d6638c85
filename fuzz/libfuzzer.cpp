// What libFuzzer calls. The environment says which target is meant, since processes that libFuzzer starts inherit it.
#include <cstdlib>

#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tonescope::fuzz;
    static const Target& target = [&]() -> const Target& {
        const char* name = std::getenv("TONESCOPE_FUZZ_TARGET");
        return find_target(name == nullptr ? targets().front().name : name);
    }();
    target.run({data, size});
    return 0;
}
