#include "gpu/cuda/runtime/check.h"

#include <cstdio>
#include <string>
#include <string_view>

#include "gpu/core/error.h"

namespace tonescope {
namespace {

/// The path from the source tree's root on: where the program was built is nobody's business.
std::string position(std::string_view file, int line) {
    if (const size_t root = file.rfind("/gpu/"); root != std::string_view::npos) file.remove_prefix(root + 1);
    return " (" + std::string(file) + ":" + std::to_string(line) + ")";
}

}  // namespace

void check_cuda(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    const std::string text = std::string("CUDA: ") + cudaGetErrorString(status) + ", in " + call + position(file, line);
    if (status == cudaErrorMemoryAllocation) throw DeviceMemoryError(text);
    throw DeviceError(text);
}

void log_cuda_error(cudaError_t status, const char* call) noexcept {
    if (status == cudaSuccess || status == cudaErrorCudartUnloading) return;
    cudaGetLastError();
    std::fprintf(stderr, "tonescope: CUDA: %s, in %s\n", cudaGetErrorString(status), call);
}

}  // namespace tonescope
