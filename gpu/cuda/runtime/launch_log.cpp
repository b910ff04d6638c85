#include "gpu/cuda/runtime/launch_log.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "gpu/cuda/runtime/occupancy.h"
#include "gpu/cuda/runtime/run_tracer.h"

namespace tonescope {
namespace {

thread_local LaunchLog* open_log = nullptr;

/// "void tonescope::he_apply_kernel<...>(...)", without unnamed namespaces.
std::string demangled(const char* mangled) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                      std::free);
    std::string name = text ? text.get() : mangled;
    const std::string_view unnamed = "(anonymous namespace)::";
    for (size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed))
        name.erase(at, unnamed.size());
    return name;
}

/// "he_apply_kernel" of that.
std::string short_name(std::string name) {
    name.resize(std::min(name.find_first_of("<("), name.size()));
    const size_t end_of_scope = name.find_last_of(": ");
    return end_of_scope == std::string::npos ? name : name.substr(end_of_scope + 1);
}

}  // namespace

LaunchLog::Scope::Scope(LaunchLog& log) : is_outer_(open_log != &log) {
    if (!is_outer_) return;
    log.launches_.clear();
    log.has_new_kernels_ = false;
    log.stage_ = {};
    open_log = &log;
}

LaunchLog::Scope::~Scope() {
    if (is_outer_) open_log = nullptr;
}

void LaunchLog::begin_stage(std::string_view stage) {
    if (open_log != nullptr) open_log->stage_ = stage;
    if (RunTracer* const tracer = RunTracer::current()) tracer->begin_stage(stage);
}

cudaError_t LaunchLog::note(cudaError_t status, const void* function, dim3 grid, dim3 block,
                            size_t dynamic_shared_bytes) {
    if (open_log == nullptr || status != cudaSuccess || RunTracer::is_own_call()) return status;
    if (open_log->seen_.insert(function).second) open_log->has_new_kernels_ = true;
    const Kernel kernel{function, int(block.x * block.y * block.z), dynamic_shared_bytes};
    const int64_t grid_blocks = int64_t{grid.x} * grid.y * grid.z;
    for (Launch& known : open_log->launches_) {
        if (known.stage != open_log->stage_ || known.kernel != kernel) continue;
        known.grid_blocks = std::max(known.grid_blocks, grid_blocks);
        ++known.launches;
        return status;
    }
    open_log->launches_.push_back({open_log->stage_, kernel, grid_blocks, 1});
    return status;
}

std::string LaunchLog::kernel_name(const void* function) {
    const char* name = nullptr;
    const bool is_known = cudaFuncGetName(&name, function) == cudaSuccess;
    cudaGetLastError();  // a later launch check would take it for its own
    return is_known ? short_name(demangled(name)) : "";
}

KernelResources LaunchLog::ask_runtime(const Kernel& kernel, const DeviceProperties& device) {
    KernelResources known;
    cudaFuncAttributes compiled{};
    const char* name = nullptr;
    if (cudaFuncGetAttributes(&compiled, kernel.function) == cudaSuccess &&
        cudaFuncGetName(&name, kernel.function) == cudaSuccess &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&known.blocks_per_multiprocessor, kernel.function,
                                                      kernel.block_threads,
                                                      kernel.dynamic_shared_bytes) == cudaSuccess) {
        known.signature = demangled(name);
        known.kernel = short_name(known.signature);
        known.registers = compiled.numRegs;
        known.shared_bytes = compiled.sharedSizeBytes + kernel.dynamic_shared_bytes;
        known.spilled_bytes = compiled.localSizeBytes;
        known.block_threads = kernel.block_threads;
        known.occupancy_percent =
            100.0 * known.blocks_per_multiprocessor * kernel.block_threads / device.maxThreadsPerMultiProcessor;
        known.occupancy = occupancy_of(device, compiled, kernel.block_threads, kernel.dynamic_shared_bytes);
    }
    cudaGetLastError();  // a later launch check would take it for its own
    return known;
}

std::vector<KernelResources> LaunchLog::resources(const DeviceProperties& device) {
    std::vector<KernelResources> resources;
    for (const Launch& launch : launches_) {
        const auto [known, is_new] = known_.try_emplace(launch.kernel);
        if (is_new) known->second = ask_runtime(launch.kernel, device);
        if (known->second.kernel.empty()) continue;
        KernelResources& listed = resources.emplace_back(known->second);
        listed.stage = launch.stage;
        listed.launches = launch.launches;
        listed.grid_blocks = launch.grid_blocks;
    }
    return resources;
}

}  // namespace tonescope

#ifdef TONESCOPE_WRAP_LAUNCHES

// What the linker puts in place of CUDA's functions, and those functions. __cudaLaunchKernel is what the code that
// nvcc 13 makes of <<< >>> calls; that of nvcc 12 calls cudaLaunchKernel. Weak: tests in which calls fail put their own
// in place.
using tonescope::LaunchLog;
using tonescope::RunTracer;
using tonescope::traced;
using Traced = tonescope::TraceSpan::Kind;

extern "C" {

cudaError_t __real_cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t __real_cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);

[[gnu::weak]] cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                  size_t shared_bytes, cudaStream_t stream) {
    const cudaError_t status = traced(Traced::kernel, kernel, 0, stream, [&] {
        return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
    });
    return LaunchLog::note(status, kernel, grid, block, shared_bytes);
}

[[gnu::weak]] cudaError_t __wrap_cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block,
                                                             void** arguments, size_t shared_bytes,
                                                             cudaStream_t stream) {
    const cudaError_t status = traced(Traced::kernel, kernel, 0, stream, [&] {
        return __real_cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared_bytes, stream);
    });
    return LaunchLog::note(status, kernel, grid, block, shared_bytes);
}

[[gnu::weak]] cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                                     void** arguments) {
    const cudaError_t status = traced(Traced::kernel, kernel, 0, config->stream,
                                      [&] { return __real_cudaLaunchKernelExC(config, kernel, arguments); });
    return LaunchLog::note(status, kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes);
}

#if CUDART_VERSION >= 13000
cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);

[[gnu::weak]] cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                                    size_t shared_bytes, cudaStream_t stream) {
    const cudaError_t status = traced(Traced::kernel, kernel, 0, stream, [&] {
        return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
    });
    return LaunchLog::note(status, kernel, grid, block, shared_bytes);
}
#endif

cudaError_t __real_cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t);
cudaError_t __real_cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t);
cudaError_t __real_cudaMemcpyToSymbolAsync(const void*, const void*, size_t, size_t, cudaMemcpyKind, cudaStream_t);
cudaError_t __real_cudaMemsetAsync(void*, int, size_t, cudaStream_t);
cudaError_t __real_cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void*);
cudaError_t __real_cudaStreamSynchronize(cudaStream_t);
cudaError_t __real_cudaEventSynchronize(cudaEvent_t);

[[gnu::weak]] cudaError_t __wrap_cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
    return traced(Traced::copy, nullptr, bytes, stream,
                  [&] { return __real_cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

[[gnu::weak]] cudaError_t __wrap_cudaMemcpy2DAsync(void* to, size_t to_pitch_bytes, const void* from,
                                                   size_t from_pitch_bytes, size_t row_bytes, size_t rows,
                                                   cudaMemcpyKind kind, cudaStream_t stream) {
    return traced(Traced::copy, nullptr, row_bytes * rows, stream, [&] {
        return __real_cudaMemcpy2DAsync(to, to_pitch_bytes, from, from_pitch_bytes, row_bytes, rows, kind, stream);
    });
}

[[gnu::weak]] cudaError_t __wrap_cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                                         size_t offset_bytes, cudaMemcpyKind kind,
                                                         cudaStream_t stream) {
    return traced(Traced::copy, nullptr, bytes, stream,
                  [&] { return __real_cudaMemcpyToSymbolAsync(symbol, from, bytes, offset_bytes, kind, stream); });
}

[[gnu::weak]] cudaError_t __wrap_cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
    return traced(Traced::memory_set, nullptr, bytes, stream,
                  [&] { return __real_cudaMemsetAsync(memory, value, bytes, stream); });
}

[[gnu::weak]] cudaError_t __wrap_cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user) {
    RunTracer* const tracer = RunTracer::current();
    if (tracer == nullptr) return __real_cudaLaunchHostFunc(stream, function, user);
    return tracer->queue_host_function(function, user, stream, [&](cudaHostFn_t own, void* own_user) {
        return __real_cudaLaunchHostFunc(stream, own, own_user);
    });
}

[[gnu::weak]] cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
    return RunTracer::on_host(Traced::wait, 0, [&] { return __real_cudaStreamSynchronize(stream); });
}

[[gnu::weak]] cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event) {
    return RunTracer::on_host(Traced::wait, 0, [&] { return __real_cudaEventSynchronize(event); });
}
}

#endif
