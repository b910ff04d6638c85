#include "tests/gpu/faults/cuda_faults.h"

#include <array>
#include <atomic>
#include <string_view>

#include "gpu/cuda/runtime/launch_log.h"
#include "gpu/cuda/runtime/run_tracer.h"

namespace tonescope::faults {
namespace {

std::atomic<int64_t> calls{0}, first{0}, objects{0};
std::atomic<bool> armed{false}, all_behind{false};
std::string_view counted;  // empty: all functions
std::atomic<cudaError_t> kind{cudaSuccess};
std::atomic<const char*> failed_name{nullptr};
thread_local cudaError_t last_error = cudaSuccess;  // as the runtime keeps that of a call that has failed

/// What the call has to say instead of its own answer; cudaSuccess: nothing.
cudaError_t fault(const char* name) {
    if (!armed) return cudaSuccess;
    // However often an event is polled, it counts once, with the choice of the device that comes before it each time.
    thread_local std::array<std::string_view, 2> before;
    const std::string_view now = name;
    if (!counted.empty() && now != counted) return cudaSuccess;
    const bool polls = (now == "cudaEventQuery" || now == "cudaSetDevice") && (now == before[0] || now == before[1]);
    before = {before[1], now};
    if (polls && !(all_behind && calls >= first)) return cudaSuccess;
    const int64_t call = ++calls;
    if (call < first || (call > first && !all_behind)) return cudaSuccess;
    const char* none = nullptr;
    failed_name.compare_exchange_strong(none, name);
    return last_error = kind;
}

template <class Call>
cudaError_t touch(const char* name, Call&& call) {
    const cudaError_t error = fault(name);
    return error != cudaSuccess ? error : call();
}
template <class Call>
cudaError_t make(const char* name, Call&& call) {
    const cudaError_t status = touch(name, call);
    if (status == cudaSuccess) ++objects;
    return status;
}
/// What waits does so also where it reports an error, as that of an earlier launch.
template <class Call>
cudaError_t wait(const char* name, Call&& call) {
    const cudaError_t status = call(), error = fault(name);
    return error != cudaSuccess ? error : status;
}
/// What frees, too.
template <class Call>
cudaError_t release(const char* name, Call&& call) {
    return wait(name, [&] {
        const cudaError_t status = call();
        if (status == cudaSuccess) --objects;
        return status;
    });
}

}  // namespace

void arm(int64_t nth, cudaError_t error, bool for_good, std::string_view only) {
    disarm();
    calls = 0;
    counted = only;
    first = nth;
    kind = error;
    all_behind = for_good;
    failed_name = nullptr;
    armed = true;
}

int64_t disarm() {
    armed = false;
    last_error = cudaSuccess;
    return calls;
}

std::string failed() {
    const char* const name = failed_name;
    return name == nullptr ? "" : name;
}

int64_t live_objects() {
    return objects;
}

}  // namespace tonescope::faults

namespace faults = tonescope::faults;

static cudaError_t touch_launch(const char* name, const void* kernel, cudaStream_t stream, auto&& call) {
    return tonescope::traced(tonescope::TraceSpan::Kind::kernel, kernel, 0, stream,
                             [&] { return faults::touch(name, call); });
}

extern "C" {

// Whatever a function takes, it comes in words, in registers and then on the stack: as many as any of them has are
// passed on. No function takes a number in a floating-point register, nor more than ten words.
using Word = uintptr_t;

#define WRAP(how, name)                                                                                         \
    cudaError_t __real_##name(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);                      \
    cudaError_t __wrap_##name(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j) { \
        return faults::how(#name, [&] { return __real_##name(a, b, c, d, e, f, g, h, i, j); });                 \
    }

WRAP(make, cudaCreateSurfaceObject)
WRAP(make, cudaCreateTextureObject)
WRAP(make, cudaEventCreateWithFlags)
WRAP(make, cudaGraphicsGLRegisterImage)
WRAP(make, cudaHostAlloc)
WRAP(make, cudaHostRegister)
WRAP(make, cudaMalloc)
WRAP(make, cudaMallocManaged)
WRAP(make, cudaStreamCreateWithFlags)

WRAP(release, cudaDestroySurfaceObject)
WRAP(release, cudaDestroyTextureObject)
WRAP(release, cudaEventDestroy)
WRAP(release, cudaFree)
WRAP(release, cudaFreeHost)
WRAP(release, cudaGraphicsUnregisterResource)
WRAP(release, cudaHostUnregister)
WRAP(release, cudaStreamDestroy)

WRAP(wait, cudaDeviceReset)
WRAP(wait, cudaDeviceSynchronize)
WRAP(wait, cudaEventSynchronize)
WRAP(wait, cudaGraphicsUnmapResources)
WRAP(wait, cudaStreamSynchronize)

WRAP(touch, cudaDeviceGetAttribute)
WRAP(touch, cudaDriverGetVersion)
WRAP(touch, cudaEventElapsedTime)
WRAP(touch, cudaEventQuery)
WRAP(touch, cudaEventRecord)
WRAP(touch, cudaFuncGetAttributes)
WRAP(touch, cudaFuncGetName)
WRAP(touch, cudaFuncSetAttribute)
WRAP(touch, cudaGetDeviceCount)
WRAP(touch, cudaGetDeviceProperties)
WRAP(touch, cudaGLGetDevices)
WRAP(touch, cudaGraphicsMapResources)
WRAP(touch, cudaGraphicsSubResourceGetMappedArray)
WRAP(touch, cudaHostGetDevicePointer)
WRAP(touch, cudaLaunchHostFunc)
WRAP(touch, cudaMemcpy2DAsync)
WRAP(touch, cudaMemcpy2DToArrayAsync)
WRAP(touch, cudaMemcpyAsync)
WRAP(touch, cudaMemcpyToSymbolAsync)
WRAP(touch, cudaMemGetInfo)
WRAP(touch, cudaMemset)
WRAP(touch, cudaMemsetAsync)
WRAP(touch, cudaOccupancyMaxActiveBlocksPerMultiprocessor)
WRAP(touch, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
WRAP(touch, cudaPointerGetAttributes)
WRAP(touch, cudaSetDevice)
WRAP(touch, cudaStreamWaitEvent)

cudaError_t __real_cudaGetLastError();
cudaError_t __wrap_cudaGetLastError() {
    const cudaError_t real = __real_cudaGetLastError();
    const cudaError_t error = faults::last_error;
    faults::last_error = cudaSuccess;
    return error != cudaSuccess ? error : real;
}

// In place of those of gpu/cuda/runtime/launch_log.cpp. Of a traced run, kernels are timed and copies are not.

cudaError_t __real_cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                    cudaStream_t stream) {
    const cudaError_t status = touch_launch("cudaLaunchKernel", kernel, stream, [&] {
        return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
    });
    return tonescope::LaunchLog::note(status, kernel, grid, block, shared_bytes);
}

cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
    const cudaError_t status = touch_launch("cudaLaunchKernelExC", kernel, config->stream,
                                            [&] { return __real_cudaLaunchKernelExC(config, kernel, arguments); });
    return tonescope::LaunchLog::note(status, kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes);
}

#if CUDART_VERSION >= 13000
cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                      cudaStream_t stream) {
    const cudaError_t status = touch_launch("__cudaLaunchKernel", kernel, stream, [&] {
        return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
    });
    return tonescope::LaunchLog::note(status, kernel, grid, block, shared_bytes);
}
#endif
}
