#include "gpu/cuda/runtime/device.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope {
namespace {

int count_devices() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorInsufficientDriver) {
        cudaGetLastError();
        int driver = 0;
        const bool has_driver = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
        const std::string wanted =
            std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
        throw DeviceError(has_driver
                              ? "the NVIDIA driver is too old: it offers CUDA " + std::to_string(driver / 1000) + "." +
                                    std::to_string(driver % 1000 / 10) + ", and this program needs " + wanted
                              : "no NVIDIA driver is installed (CUDA " + wanted + " is needed)");
    }
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
        cudaGetLastError();
        throw DeviceError("no NVIDIA GPU was found");
    }
    TONESCOPE_CUDA(status);
    return count;
}

/// TONESCOPE_LESSER_GPU=7.5|8.6: kernels choose as on a GPU of that compute capability, with the shared memory that it
/// has. 7.5 also goes without cooperative launches.
void lessen(DeviceProperties& facts) {
    const char* const wanted = std::getenv("TONESCOPE_LESSER_GPU");
    if (wanted == nullptr) return;
    const bool is_75 = std::string_view(wanted) == "7.5";
    if (!is_75 && std::string_view(wanted) != "8.6") throw DeviceError("TONESCOPE_LESSER_GPU is neither 7.5 nor 8.6");
    const int major = is_75 ? 7 : 8, minor = is_75 ? 5 : 6;
    if (facts.compute_major * 10 + facts.compute_minor <= major * 10 + minor) return;
    facts.compute_major = major;
    facts.compute_minor = minor;
    facts.threads_per_multiprocessor = std::min(facts.threads_per_multiprocessor, is_75 ? 1024 : 1536);
    const size_t shared_bytes = size_t(is_75 ? 64 : 100) * 1024, reserved_bytes = is_75 ? 0 : 1024;  // for each block
    facts.shared_per_multiprocessor_bytes = std::min(facts.shared_per_multiprocessor_bytes, shared_bytes);
    facts.shared_per_block_optin_bytes = std::min(facts.shared_per_block_optin_bytes, shared_bytes - reserved_bytes);
    facts.can_launch_cooperatively = facts.can_launch_cooperatively && !is_75;
}

}  // namespace

DeviceProperties select_device(int device) {
    const int count = count_devices();
    if (device >= count)
        throw DeviceError("there is no CUDA device " + std::to_string(device) + ": this machine has " +
                          (count == 1 ? "only device 0" : "devices 0 to " + std::to_string(count - 1)));
    DeviceProperties facts;
    facts.device = device < 0 ? 0 : device;
    TONESCOPE_CUDA(cudaSetDevice(facts.device));

    cudaDeviceProp properties{};
    TONESCOPE_CUDA(cudaGetDeviceProperties(&properties, facts.device));
    facts.name = properties.name;
    facts.compute_major = properties.major;
    facts.compute_minor = properties.minor;
    facts.multiprocessors = properties.multiProcessorCount;
    facts.threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
    facts.shared_per_block_bytes = properties.sharedMemPerBlock;
    facts.shared_per_block_optin_bytes = properties.sharedMemPerBlockOptin;
    facts.shared_per_multiprocessor_bytes = properties.sharedMemPerMultiprocessor;
    facts.l2_bytes = size_t(properties.l2CacheSize);
    facts.total_bytes = properties.totalGlobalMem;
    facts.can_map_host_memory = properties.canMapHostMemory != 0;
    // Without concurrent access the host may not touch it while any kernel runs, another session's too.
    facts.has_managed_memory = properties.managedMemory != 0 && properties.concurrentManagedAccess != 0;
    facts.can_launch_cooperatively = properties.cooperativeLaunch != 0;
    if (facts.compute_major * 10 + facts.compute_minor < 75)
        throw DeviceError(facts.name + " has compute capability " + std::to_string(facts.compute_major) + "." +
                          std::to_string(facts.compute_minor) + ": 7.5 or newer is needed");
    lessen(facts);
    return facts;
}

}  // namespace tonescope
