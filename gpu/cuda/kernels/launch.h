// Launches with attributes that <<< >>> cannot say.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/device.h"

namespace tonescope {

struct LaunchShape {
    unsigned blocks = 1, threads = 1;  // one-dimensional
    size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
    bool cooperative = false;  // all blocks are resident together, or the launch is refused
};

/// Lets a kernel have what `shape` asks for, where that is more than any kernel has without asking. The limit is always
/// the same one, so that threads that launch the kernel do not lower each other's. Returns what the kernel is like.
template <class... Parameters>
cudaFuncAttributes allow_shared_memory(const DeviceProperties& device, const LaunchShape& shape,
                                       void (*kernel)(Parameters...)) {
    cudaFuncAttributes attributes{};
    TONESCOPE_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    if (shape.shared_bytes + attributes.sharedSizeBytes <= device.sharedMemPerBlock) return attributes;
    TONESCOPE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        int(device.sharedMemPerBlockOptin - attributes.sharedSizeBytes)));
    return attributes;
}

/// How many blocks are resident together on a multiprocessor. Throws DeviceError.
template <class... Parameters>
int resident_blocks(const DeviceProperties& device, const LaunchShape& shape, void (*kernel)(Parameters...)) {
    if (shape.shared_bytes > device.sharedMemPerBlockOptin) return 0;
    allow_shared_memory(device, shape, kernel);
    int blocks = 0;
    TONESCOPE_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, int(shape.threads), shape.shared_bytes));
    return blocks;
}

/// Whether all blocks of a cooperative launch can be resident together, here and now. Throws DeviceError.
template <class... Parameters>
bool can_launch(const DeviceProperties& device, const LaunchShape& shape, void (*kernel)(Parameters...)) {
    return device.cooperativeLaunch &&
           unsigned(resident_blocks(device, shape, kernel)) * unsigned(device.multiProcessorCount) >= shape.blocks;
}

/// Launches a kernel whose blocks may already start while the kernel before it in the stream ends (programmatic
/// dependent launch, from compute capability 9.0 on; elsewhere a launch like any other). Before it touches global
/// memory, each of its threads calls pdl_wait() (grid.cuh). Throws DeviceError.
template <class... Parameters, class... Arguments>
void launch_pdl(const DeviceProperties& device, const LaunchShape& shape, void (*kernel)(Parameters...),
                Arguments... arguments) {
    const cudaFuncAttributes compiled = allow_shared_memory(device, shape, kernel);
    cudaLaunchAttribute attributes[2] = {};
    unsigned count = 0;
    // Code made from PTX of an older architecture does not wait for the kernel before it, whatever the GPU.
    if (device.major >= 9 && compiled.ptxVersion >= 90) {
        attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    if (shape.cooperative) {
        attributes[count].id = cudaLaunchAttributeCooperative;
        attributes[count++].val.cooperative = 1;
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = shape.stream;
    config.attrs = attributes;
    config.numAttrs = count;
    TONESCOPE_CUDA(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
}

}  // namespace tonescope
