#include "gpu/cuda/session/image_pool.h"

#include <algorithm>
#include <map>
#include <mutex>
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
    const DeviceUse use;  // first: it outlives the memory
    std::mutex mutex;
    std::vector<Memory> free;                  // one of each kind at most
    std::map<const uint8_t*, size_t> used[2];  // bytes by address, by Memory's index
};

ImagePool::ImagePool() : state_(std::make_shared<State>()) {}

HostImage ImagePool::make(const ImageSpec& spec, MemoryMode mode) {
    if (mode == MemoryMode::pageable) return {};
    const size_t pitch_bytes = pitch_of(spec, mode);
    HostImage::check_size(spec);
    Memory memory;
    if (mode == MemoryMode::managed) memory.emplace<ManagedMemory>();
    const size_t kind = memory.index();
    {
        const std::lock_guard lock(state_->mutex);
        const auto found = std::ranges::find(state_->free, kind, &Memory::index);
        if (found != state_->free.end()) {
            memory = std::move(*found);
            state_->free.erase(found);
        }
    }
    std::visit([&](auto& buffer) { buffer.reserve(pitch_bytes * size_t(spec.height)); }, memory);
    auto* const data = std::visit([](auto& buffer) { return buffer.template as<uint8_t>(); }, memory);
    {
        const std::lock_guard lock(state_->mutex);
        state_->used[kind][data] = size_of(memory);
    }
    auto held = std::make_shared<Memory>(std::move(memory));
    std::shared_ptr<uint8_t> pixels(data, [state = state_, held = std::move(held), kind](uint8_t* address) {
        const std::lock_guard lock(state->mutex);
        state->used[kind].erase(address);
        const auto found = std::ranges::find(state->free, kind, &Memory::index);
        if (found == state->free.end())
            state->free.push_back(std::move(*held));
        else if (size_of(*found) < size_of(*held))
            std::swap(*found, *held);
        std::visit([](auto& buffer) { buffer.release(); }, *held);  // before the device may be reset
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
