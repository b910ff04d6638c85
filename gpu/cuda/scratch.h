// Device memory that rungs need for a while: named buffers that grow and are kept, so that a run with the same sizes
// allocates nothing.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "gpu/cuda/memory.h"

namespace tonescope {

class ScratchArena {
  public:
    /// At least `count` elements under this name (a string literal), valid until the next call with the same name. What
    /// it held may be lost. Throws DeviceError when memory is short.
    template <class T>
    T* get(std::string_view name, size_t count) {
        return reserve(name, count * sizeof(T)).template as<T>();
    }
    /// Frees everything.
    void clear() noexcept { buffers_.clear(); }
    size_t size_bytes() const {
        size_t sum = 0;
        for (const Named& named : buffers_) sum += named.memory.size_bytes();
        return sum;
    }

  private:
    struct Named {
        std::string_view name;
        DeviceMemory memory;
    };
    DeviceMemory& reserve(std::string_view name, size_t bytes) {
        for (Named& named : buffers_) {
            if (named.name != name) continue;
            named.memory.reserve(bytes);
            return named.memory;
        }
        buffers_.push_back({name, DeviceMemory(bytes)});
        return buffers_.back().memory;
    }
    std::vector<Named> buffers_;
};

}  // namespace tonescope
