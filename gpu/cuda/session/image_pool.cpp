#include "gpu/cuda/session/image_pool.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/cuda/runtime/device.h"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope {
namespace {

using Memory = std::variant<PinnedMemory, ManagedMemory>;

size_t size_of(const Memory& memory) {
    return std::visit([](const auto& buffer) { return buffer.size_bytes(); }, memory);
}

/// Kernels that reach the image themselves need its rows to start at multiples of this.
size_t pitch_of(const ImageSpec& spec, MemoryMode mode) {
    const bool kernels_reach_it = mode == MemoryMode::mapped || mode == MemoryMode::managed;
    return kernels_reach_it ? aligned_pitch_bytes(spec) : spec.row_bytes();
}

}  // namespace

struct ImagePool::State {
    /// An input and a result are always kept, and as many that are read and written beside them if they are not large.
    static constexpr size_t kLeastFree = 2, kMostFree = 4, kMostFree_bytes = size_t{1} << 29;

    const DeviceUse use;  // first: it outlives the memory
    std::mutex mutex;
    std::vector<Memory> free;                  // what came last stands last
    std::map<const uint8_t*, size_t> used[2];  // bytes by address, by Memory's index

    /// The smallest that suffices, or else the largest, which is to grow; empty where none is free.
    Memory take(size_t kind, size_t bytes) {
        Memory memory;
        if (kind == 1) memory.emplace<ManagedMemory>();
        Memory* best = &memory;
        for (Memory& one : free) {
            if (one.index() != kind) continue;
            const size_t size = size_of(one), best_size = size_of(*best);
            if (best_size < bytes ? size > best_size : size >= bytes && size < best_size) best = &one;
        }
        if (best == &memory) return memory;
        memory = std::move(*best);
        free.erase(free.begin() + (best - free.data()));
        return memory;
    }
    /// Gives back what is to be freed.
    std::optional<Memory> keep(Memory memory) {
        free.push_back(std::move(memory));
        size_t bytes = 0;
        for (const Memory& one : free) bytes += size_of(one);
        if (free.size() <= kLeastFree || (free.size() <= kMostFree && bytes <= kMostFree_bytes)) return {};
        std::optional<Memory> oldest = std::move(free.front());
        free.erase(free.begin());
        return oldest;
    }
};

ImagePool::ImagePool() : state_(std::make_shared<State>()) {}

HostImage ImagePool::make(const ImageSpec& spec, MemoryMode mode) {
    if (mode == MemoryMode::pageable) return {};
    const size_t pitch_bytes = pitch_of(spec, mode);
    HostImage::check_size(spec);
    const size_t bytes = pitch_bytes * size_t(spec.height), kind = mode == MemoryMode::managed ? 1 : 0;
    Memory memory = [&] {
        const std::lock_guard lock(state_->mutex);
        return state_->take(kind, bytes);
    }();
    std::visit([&](auto& buffer) { buffer.reserve(bytes); }, memory);
    auto* const data = std::visit([](auto& buffer) { return buffer.template as<uint8_t>(); }, memory);
    {
        const std::lock_guard lock(state_->mutex);
        state_->used[kind][data] = size_of(memory);
    }
    auto held = std::make_shared<Memory>(std::move(memory));
    std::shared_ptr<uint8_t> pixels(data, [state = state_, held = std::move(held), kind](uint8_t* address) {
        std::optional<Memory> freed;  // when others need not wait any more, and before the device may be reset
        const std::lock_guard lock(state->mutex);
        state->used[kind].erase(address);
        freed = state->keep(std::move(*held));
    });
    return {spec, pitch_bytes, std::move(pixels)};
}

bool ImagePool::holds(const ImageView& image, MemoryMode mode) const {
    if (mode == MemoryMode::pageable || image.pitch_bytes != pitch_of(image.spec, mode)) return false;
    const std::lock_guard lock(state_->mutex);
    return state_->used[mode == MemoryMode::managed ? 1 : 0].contains(image.data);
}

void ImagePool::release() noexcept {
    std::vector<Memory> freed;
    const std::lock_guard lock(state_->mutex);
    freed.swap(state_->free);
}

}  // namespace tonescope
