#include "gpu/cuda/runtime/device.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"
#include "gpu/cuda/runtime/stream.h"

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
    if (properties.compute_capability() <= major * 10 + minor) return;
    properties.major = major;
    properties.minor = minor;
    properties.maxThreadsPerMultiProcessor = std::min(properties.maxThreadsPerMultiProcessor, is_75 ? 1024 : 1536);
    const size_t shared_bytes = size_t(is_75 ? 64 : 100) * 1024, reserved_bytes = is_75 ? 0 : 1024;  // for each block
    properties.sharedMemPerMultiprocessor = std::min(properties.sharedMemPerMultiprocessor, shared_bytes);
    properties.sharedMemPerBlockOptin = std::min(properties.sharedMemPerBlockOptin, shared_bytes - reserved_bytes);
    properties.cooperativeLaunch = properties.cooperativeLaunch && !is_75;
}

std::mutex users_mutex;
int users = 0;

}  // namespace

DeviceUse::DeviceUse() {
    const std::lock_guard lock(users_mutex);
    ++users;
}

DeviceUse::DeviceUse(int device) {
    const std::lock_guard lock(users_mutex);
    if (users++ > 0) return;
    if (cudaSetDevice(std::max(device, 0)) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) cudaDeviceReset();
    cudaGetLastError();  // what is still wrong shows in the next call
}

DeviceUse::~DeviceUse() {
    const std::lock_guard lock(users_mutex);
    --users;
}

DeviceProperties select_device(int device) {
    const int count = count_devices();
    if (device >= count)
        throw DeviceError("there is no CUDA device " + std::to_string(device) + ": this machine has " +
                          (count == 1 ? "only device 0" : "devices 0 to " + std::to_string(count - 1)));
    DeviceProperties properties{};
    properties.index = std::max(device, 0);
    const cudaError_t status = cudaSetDevice(properties.index);
    if (status == cudaErrorDevicesUnavailable) {
        cudaGetLastError();
        throw DeviceError(
            "the driver does not give the GPU to this program: another one has it to itself, or it has failed here and "
            "can be used again once Tonescope is started anew");
    }
    TONESCOPE_CUDA(status);
    TONESCOPE_CUDA(cudaGetDeviceProperties(&properties, properties.index));
    if (properties.compute_capability() < 75)
        throw DeviceError(std::string(properties.name) + " has compute capability " + std::to_string(properties.major) +
                          "." + std::to_string(properties.minor) + ": 7.5 or newer is needed");
    lessen(properties);
    return properties;
}

/// Copies within the device's memory, on a stream of its own.
double measure_cuda_copy_gb_s(int device, std::stop_token stop) {
    constexpr int kRuns = 10;
    const DeviceUse use(device);
    const size_t bytes = std::max(size_t{64} << 20, 4 * size_t(select_device(device).l2CacheSize));
    const DeviceMemory from(bytes), to(bytes);
    const Stream stream;
    const Event begin(Event::Kind::timed), end(Event::Kind::timed);
    TONESCOPE_CUDA(cudaMemsetAsync(from.as<void>(), 0, bytes, stream));
    double best_ms = 1e9;
    for (int run = 0; run < kRuns; ++run) {
        if (stop.stop_requested()) return 0;
        begin.record(stream);
        TONESCOPE_CUDA(cudaMemcpyAsync(to.as<void>(), from.as<void>(), bytes, cudaMemcpyDeviceToDevice, stream));
        end.record(stream);
        end.synchronize();
        best_ms = std::min(best_ms, end.ms_since(begin));
    }
    return 2.0 * double(bytes) / best_ms * 1e-6;
}

}  // namespace tonescope
