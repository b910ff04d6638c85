// What variants need for a while, kept from run to run so that a run with the same sizes allocates nothing: named
// buffers of device memory that grow, and objects of other kinds.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope {

class ScratchArena {
  public:
    /// At least `count` elements under this name (a string literal), valid until the next call with the same name. What
    /// it held may be lost. Throws DeviceError when memory is short.
    template <class T>
    T* get(std::string_view name, size_t count) {
        DeviceMemory& memory = keep<DeviceMemory>(name);
        memory.reserve(count * sizeof(T));
        return memory.as<T>();
    }
    /// A T of this name (a string literal; one name, one type), made at the first call and kept until clear(): pinned
    /// memory, a second stream, a texture object. Its destructor must bear that the GPU has been lost.
    template <class T>
    T& keep(std::string_view name) {
        for (const Kept& kept : kept_)
            if (kept.name == name) return *static_cast<T*>(kept.object.get());
        kept_.push_back({name, std::make_shared<T>()});
        return *static_cast<T*>(kept_.back().object.get());
    }
    /// Frees everything.
    void clear() noexcept { kept_.clear(); }

  private:
    struct Kept {
        std::string_view name;
        std::shared_ptr<void> object;
    };
    std::vector<Kept> kept_;
};

/// Device memory that is zero whenever a kernel starts, without a memset in front of each launch: the kernels that use
/// it leave it zero again. For ScratchArena::keep.
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
