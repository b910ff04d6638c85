// Launches with attributes that <<< >>> cannot say.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/device.h"

namespace tonescope {

struct LaunchShape {
    unsigned blocks = 1, blocks_down = 1;  // the grid's x and y
    unsigned threads = 1;                  // of a block, one-dimensional
    size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
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

/// Queues a launch with these attributes. A refusal is an answer too.
template <class... Parameters, class... Arguments>
cudaError_t queue_launch(const LaunchShape& shape, cudaLaunchAttribute* attributes, unsigned count,
                         void (*kernel)(Parameters...), Arguments... arguments) {
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(shape.blocks, shape.blocks_down);
    config.blockDim = dim3(shape.threads);
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = shape.stream;
    config.attrs = attributes;
    config.numAttrs = count;
    return cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
}

/// Launches a kernel whose blocks may already start while the kernel before it in the stream ends (programmatic
/// dependent launch, from compute capability 9.0 on; elsewhere a launch like any other). Before it touches global
/// memory, each of its threads calls pdl_wait() (grid.cuh). Throws DeviceError.
template <class... Parameters, class... Arguments>
void launch_pdl(const DeviceProperties& device, const LaunchShape& shape, void (*kernel)(Parameters...),
                Arguments... arguments) {
    const cudaFuncAttributes compiled = allow_shared_memory(device, shape, kernel);
    cudaLaunchAttribute attribute = {};
    unsigned count = 0;
    // Code made from PTX of an older architecture does not wait for the kernel before it, whatever the GPU.
    if (device.major >= 9 && compiled.ptxVersion >= 90) {
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        count = 1;
    }
    TONESCOPE_CUDA(queue_launch(shape, &attribute, count, kernel, arguments...));
}

/// Whether all blocks of a cooperative launch can be resident together, as far as is known. Throws DeviceError.
template <class... Parameters>
bool can_launch_cooperative(const DeviceProperties& device, const LaunchShape& shape, void (*kernel)(Parameters...)) {
    return device.cooperativeLaunch &&
           unsigned(resident_blocks(device, shape, kernel)) * unsigned(device.multiProcessorCount) >= shape.blocks;
}

/// Launches a kernel whose blocks may wait for each other. False where the device refuses, since other users of the GPU
/// hold some of it: nothing has been queued then. Throws DeviceError.
///
/// "Once a device thread makes progress: if it is part of a Cooperative Grid, all device threads in its grid shall
/// eventually make progress" (CUDA C++ Programming Guide, CUDA C++ Execution model): two such grids on two streams
/// cannot each hold half of the GPU for ever. Since no document says so of blocks that start while the kernel before
/// them still runs, the grid starts as a whole, when that kernel has ended. The kernel behind it may start early: its
/// blocks do so once all of this grid's have called pdl_trigger(), and are resident thereby.
template <class... Parameters, class... Arguments>
bool launch_cooperative(const DeviceProperties& device, const LaunchShape& shape, void (*kernel)(Parameters...),
                        Arguments... arguments) {
    allow_shared_memory(device, shape, kernel);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    const cudaError_t status = queue_launch(shape, &attribute, 1, kernel, arguments...);
    if (status == cudaErrorCooperativeLaunchTooLarge) {
        cudaGetLastError();
        return false;
    }
    TONESCOPE_CUDA(status);
    return true;
}

}  // namespace tonescope
