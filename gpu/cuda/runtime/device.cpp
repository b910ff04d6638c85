#include "gpu/cuda/runtime/device.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"

namespace tonescope {
namespace {

/// "12.8" for 12080.
std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int count_devices() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorInsufficientDriver) {
        cudaGetLastError();
        int driver = 0;
        const bool has_driver = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
        const std::string wanted = version_text(CUDART_VERSION);
        throw DeviceError(has_driver ? "the NVIDIA driver is too old: it offers CUDA " + version_text(driver) +
                                           ", and this program needs " + wanted
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
void lessen(DeviceProperties& properties) {
    const char* const wanted = std::getenv("TONESCOPE_LESSER_GPU");
    if (wanted == nullptr) return;
    const bool is_75 = std::string_view(wanted) == "7.5";
    if (!is_75 && std::string_view(wanted) != "8.6") throw DeviceError("TONESCOPE_LESSER_GPU is neither 7.5 nor 8.6");
    const int major = is_75 ? 7 : 8, minor = is_75 ? 5 : 6;
    if (properties.compute_major * 10 + properties.compute_minor <= major * 10 + minor) return;
    properties.compute_major = major;
    properties.compute_minor = minor;
    properties.threads_per_multiprocessor = std::min(properties.threads_per_multiprocessor, is_75 ? 1024 : 1536);
    const size_t shared_bytes = size_t(is_75 ? 64 : 100) * 1024, reserved_bytes = is_75 ? 0 : 1024;  // for each block
    properties.shared_per_multiprocessor_bytes = std::min(properties.shared_per_multiprocessor_bytes, shared_bytes);
    properties.shared_per_block_optin_bytes =
        std::min(properties.shared_per_block_optin_bytes, shared_bytes - reserved_bytes);
    properties.can_launch_cooperatively = properties.can_launch_cooperatively && !is_75;
}

}  // namespace

DeviceProperties select_device(int device) {
    const int count = count_devices();
    if (device >= count)
        throw DeviceError("there is no CUDA device " + std::to_string(device) + ": this machine has " +
                          (count == 1 ? "only device 0" : "devices 0 to " + std::to_string(count - 1)));
    DeviceProperties properties;
    properties.index = device < 0 ? 0 : device;
    TONESCOPE_CUDA(cudaSetDevice(properties.index));

    cudaDeviceProp reported{};
    TONESCOPE_CUDA(cudaGetDeviceProperties(&reported, properties.index));
    properties.name = reported.name;
    properties.compute_major = reported.major;
    properties.compute_minor = reported.minor;
    properties.multiprocessors = reported.multiProcessorCount;
    properties.threads_per_multiprocessor = reported.maxThreadsPerMultiProcessor;
    properties.shared_per_block_bytes = reported.sharedMemPerBlock;
    properties.shared_per_block_optin_bytes = reported.sharedMemPerBlockOptin;
    properties.shared_per_multiprocessor_bytes = reported.sharedMemPerMultiprocessor;
    properties.l2_bytes = size_t(reported.l2CacheSize);
    properties.total_bytes = reported.totalGlobalMem;
    properties.can_map_host_memory = reported.canMapHostMemory != 0;
    // Without concurrent access the host may not touch it while any kernel runs, another session's too.
    properties.has_managed_memory = reported.managedMemory != 0 && reported.concurrentManagedAccess != 0;
    properties.can_launch_cooperatively = reported.cooperativeLaunch != 0;
    if (properties.compute_major * 10 + properties.compute_minor < 75)
        throw DeviceError(properties.name + " has compute capability " + std::to_string(properties.compute_major) +
                          "." + std::to_string(properties.compute_minor) + ": 7.5 or newer is needed");
    lessen(properties);
    return properties;
}

}  // namespace tonescope
