// Device memory that is zero whenever a kernel starts, without a memset in front of each launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <utility>

#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope {

/// For ScratchArena::keep. The kernels that use it leave it zero again.
class ZeroedWords {
  public:
    /// At least `count` words, zero for what is queued on `stream` next. Throws DeviceError.
    uint32_t* get(size_t count, cudaStream_t stream) {
        const size_t bytes = count * sizeof(uint32_t);
        if (memory_.size_bytes() < bytes) {
            DeviceMemory memory(bytes);
            TONESCOPE_CUDA(cudaMemsetAsync(memory.as<void>(), 0, memory.size_bytes(), stream));
            memory_ = std::move(memory);
        }
        return memory_.as<uint32_t>();
    }

  private:
    DeviceMemory memory_;
};

}  // namespace tonescope
