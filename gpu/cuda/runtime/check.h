// CUDA errors become DeviceError with the call's text and position; destructors only log them.
#pragma once

#include <cuda_runtime_api.h>

namespace tonescope {

/// Throws DeviceError unless `status` is cudaSuccess, DeviceMemoryError where memory was short. Clears the thread's
/// last error, so that later calls do not see it.
void check_cuda(cudaError_t status, const char* call, const char* file, int line);
/// For destructors: one line on standard error. Silent while the process ends and the driver is already gone.
void log_cuda_error(cudaError_t status, const char* call) noexcept;

}  // namespace tonescope

#define TONESCOPE_CUDA(call) ::tonescope::check_cuda((call), #call, __FILE__, __LINE__)
#define TONESCOPE_CUDA_LOG(call) ::tonescope::log_cuda_error((call), #call)
/// After a kernel launch. Throws DeviceError when the launch itself was refused.
#define TONESCOPE_LAUNCHED(kernel) ::tonescope::check_cuda(cudaGetLastError(), kernel, __FILE__, __LINE__)
