// Every function of the CUDA runtime that the program calls can be made to fail.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace tonescope {
namespace {

TEST(Faults, EveryFunctionIsAmongThem) {
    namespace fs = std::filesystem;
    const auto text_of = [](const fs::path& path) {
        std::ifstream file(path);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const fs::path root = TONESCOPE_SOURCE_DIR;
    const std::string known = text_of(root / "tests/gpu/faults/cuda_faults.cpp");
    // They ask nothing of the device, or are called on it.
    const std::set<std::string> others = {"cudaCreateChannelDesc",
                                          "cudaGetErrorString",
                                          "cudaGetLastError",
                                          "cudaGridDependencySynchronize",
                                          "cudaTriggerProgrammaticLaunchCompletion",
                                          "cudaLaunchKernelEx"};
    const std::regex call("\\b(cuda[A-Z]\\w*)\\(");
    int calls = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "gpu")) {
        const std::string suffix = entry.path().extension().string();
        if (suffix != ".cpp" && suffix != ".h" && suffix != ".cu" && suffix != ".cuh") continue;
        if (entry.path().filename() == "launch_log.cpp") continue;
        const std::string text = text_of(entry.path());
        for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) {
            const std::string name = (*at)[1];
            // cuda_occupancy.h's functions compute on the host alone.
            if (others.contains(name) || name.ends_with("_t") || name.starts_with("cudaOcc")) continue;
            ++calls;
            EXPECT_NE(known.find(", " + name + ")"), std::string::npos) << name << " in " << entry.path();
        }
    }
    EXPECT_GT(calls, 50);
}

}  // namespace
}  // namespace tonescope
