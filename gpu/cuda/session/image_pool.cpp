#include "gpu/cuda/session/image_pool.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/free_memory.h"
#include "gpu/core/pages.h"
#include "gpu/cuda/runtime/check.h"
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

/// That images may leave for the next ones; those that have a limit take and leave a quarter more, for the one that is
/// being read beside those that are held.
constexpr size_t kMostKept_bytes = size_t{1} << 30, kMostLocked_bytes = kMostKept_bytes / 4 * 5;

}  // namespace

struct ImagePool::State {
    explicit State(bool outlive_device) {
        if (!outlive_device) use.emplace();
    }
    std::optional<DeviceUse> use;  // first: it outlives the memory
    std::mutex mutex;
    std::vector<Memory> free;          // the newest last
    std::set<const uint8_t*> used[2];  // by Memory's index
    size_t used_bytes = 0;
    bool has_pool = true;

    size_t free_bytes() const {
        size_t bytes = 0;
        for (const Memory& memory : free) bytes += size_of(memory);
        return bytes;
    }
    /// The smallest that suffices; empty where there is none.
    Memory take(MemoryMode mode, size_t bytes) {
        Memory memory;
        if (mode == MemoryMode::managed) memory.emplace<ManagedMemory>();
        const std::lock_guard lock(mutex);
        auto best = free.end();
        for (auto one = free.begin(); one != free.end(); ++one)
            if (one->index() == memory.index() && size_of(*one) >= bytes && (use || size_of(*one) / 2 <= bytes) &&
                (best == free.end() || size_of(*one) < size_of(*best)))
                best = one;
        if (best == free.end()) return memory;
        memory = std::move(*best);
        free.erase(best);
        return memory;
    }
    /// For the next image, where there may be one. It takes no time then: images go on the UI thread too.
    void keep(Memory memory) {
        const std::lock_guard lock(mutex);
        if (has_pool) free.push_back(std::move(memory));
    }
    /// Whether an image of `more_bytes` may be made. Frees the oldest where what is kept is more than a gigabyte, with
    /// the images where these have a limit, or a quarter of what the machine has left: no image is refused for it.
    bool make_room(size_t more_bytes) {
        std::vector<Memory> freed;  // when others need not wait any more
        const std::lock_guard lock(mutex);
        const size_t taken_bytes = use ? 0 : used_bytes + more_bytes;
        const size_t most_bytes = use ? kMostKept_bytes : kMostLocked_bytes;
        if (taken_bytes > most_bytes) return false;
        size_t bytes = free_bytes();
        if (bytes <= kAlwaysTried_bytes) return true;
        const size_t most =
            std::min<uint64_t>(std::max(free_memory_bytes() / 4, kAlwaysTried_bytes), most_bytes - taken_bytes);
        while (bytes > most) {
            bytes -= size_of(free.front());
            freed.push_back(std::move(free.front()));
            free.erase(free.begin());
        }
        return true;
    }
};

ImagePool::ImagePool(bool outlive_device) : state_(std::make_shared<State>(outlive_device)) {}

ImagePool::~ImagePool() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->has_pool = false;
    }
    release();
}

HostImage ImagePool::make(const ImageSpec& spec, MemoryMode mode) {
    if (mode == MemoryMode::pageable) return HostImage(spec);
    const size_t pitch_bytes = pitch_of(spec, mode);
    HostImage::check_size(spec);
    const size_t bytes = pitch_bytes * size_t(spec.height);
    Memory memory = state_->take(mode, bytes);
    if (!state_->make_room(std::max(bytes, size_of(memory)))) return {};
    const auto reserve = [&] { std::visit([&](auto& buffer) { buffer.reserve(bytes); }, memory); };
    try {
        reserve();
    } catch (const DeviceMemoryError&) {
        release();
        reserve();
    }
    if (!state_->use && !std::get<PinnedMemory>(memory).outlives_device()) return {};
    auto* const data = std::visit([](auto& buffer) { return buffer.template as<uint8_t>(); }, memory);
    const size_t kind = memory.index();
    {
        const std::lock_guard lock(state_->mutex);
        state_->used[kind].insert(data);
        state_->used_bytes += size_of(memory);
    }
    auto held = std::make_shared<Memory>(std::move(memory));
    // The state goes last, after the memory: then the device may be reset.
    std::shared_ptr<uint8_t> pixels(data, [state = state_, held = std::move(held), kind](uint8_t* address) {
        {
            const std::lock_guard lock(state->mutex);
            state->used[kind].erase(address);
            state->used_bytes -= size_of(*held);
        }
        try {
            state->keep(std::move(*held));
        } catch (const std::bad_alloc&) {  // it is freed
        }
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

namespace {

class OpenImageMemory final : public ImageMemory {
  public:
    explicit OpenImageMemory(int device) : device_(device) {}

    HostImage make(const ImageSpec& spec) override {
        const size_t bytes = spec.size_bytes();
        if (bytes < kManyPages_bytes || bytes > free_memory_bytes() / 4) return {};
        const DeviceUse use;  // it is not reset meanwhile
        try {
            TONESCOPE_CUDA(cudaSetDevice(device_));
            return images_.make(spec, MemoryMode::pinned);
        } catch (const UserError&) {  // the session tells where the device has failed
            return {};
        }
    }
    void release() noexcept override { images_.release(); }

  private:
    const int device_;
    ImagePool images_{true};
};

}  // namespace

std::shared_ptr<ImageMemory> make_open_image_memory(int device) {
    return std::make_shared<OpenImageMemory>(device);
}

}  // namespace tonescope
