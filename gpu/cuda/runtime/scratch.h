// What variants need for a while, kept from run to run so that a run with the same sizes allocates nothing: named
// buffers of device memory that grow, and objects of other kinds.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "gpu/cuda/runtime/memory.h"

namespace tonescope {

class ScratchArena {
  public:
    /// At least `count` elements under this name (a string literal), valid until the next call with the same name. What
    /// it held may be lost. Throws DeviceError when memory is short.
    template <class T>
    T* get(std::string_view name, size_t count) {
        return reserve(name, count * sizeof(T)).template as<T>();
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
    void clear() noexcept {
        kept_.clear();
        buffers_.clear();
    }
    /// Device memory in named buffers.
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
    struct Kept {
        std::string_view name;
        std::shared_ptr<void> object;
    };
    std::vector<Named> buffers_;
    std::vector<Kept> kept_;
};

}  // namespace tonescope
