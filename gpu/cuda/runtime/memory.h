// Memory that frees itself: on the device, pinned on the host, managed. Buffers grow and never shrink by themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/core/image.h"

namespace tonescope {

enum class MemoryKind { device, pinned, managed };

/// Free bytes on the current device. Throws DeviceError.
size_t free_device_bytes();

/// How many buffers the calling thread has allocated.
uint64_t allocations();

/// A move-only buffer. Pinned buffers are mapped, so that kernels can reach them too.
template <MemoryKind kind>
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(size_t bytes) { reserve(bytes); }

    /// Makes room for `bytes`. Contents are lost when it has to grow, and growing waits for the device. Throws
    /// DeviceMemoryError or DeviceError and is empty then.
    void reserve(size_t bytes);
    void release() noexcept { data_.reset(); }

    size_t size_bytes() const { return data_ ? size_bytes_ : 0; }
    /// Pinned memory that stays, as usual memory, when the device is reset.
    bool outlives_device() const { return data_.get_deleter().is_registered; }
    template <class T = uint8_t>
    T* as() const {
        return static_cast<T*>(data_.get());
    }

  private:
    struct Free {
        bool is_registered = false;  // pinned: the program's own pages, which the driver has locked
        void operator()(void* data) const noexcept;
    };
    std::unique_ptr<void, Free> data_;
    size_t size_bytes_ = 0;
};

using DeviceMemory = Buffer<MemoryKind::device>;
using PinnedMemory = Buffer<MemoryKind::pinned>;
using ManagedMemory = Buffer<MemoryKind::managed>;

/// Whether this stands in memory of the host that the driver has locked, so that copies take it from there by
/// themselves. Throws DeviceError.
bool is_pinned(const void* h_data);

/// Where kernels see what stands in pinned memory. Throws DeviceError where the device cannot map host memory.
uint8_t* mapped_pointer(const uint8_t* h_data);

/// Rows start at multiples of this, so that kernels may read them in wide words.
inline constexpr size_t kPitchAlignment_bytes = 256;
size_t aligned_pitch_bytes(const ImageSpec& spec);

/// Copies rows between places in host memory, by several threads where they are many: one copies at a third of the
/// bus's speed or less, and slower still where pages are touched for the first time.
void copy_rows(const uint8_t* from, size_t from_pitch_bytes, uint8_t* to, size_t to_pitch_bytes, size_t row_bytes,
               int rows);

/// An image in device memory.
struct DeviceImage {
    DeviceMemory memory;
    size_t pitch_bytes = 0;
    ImageSpec spec;

    /// Contents are undefined afterwards, but have been written: kernels may read what pads the rows. Allocates only
    /// when the image is larger than any before it.
    void reshape(const ImageSpec& new_spec);
    uint8_t* d_data() const { return memory.as<uint8_t>(); }
    uint8_t* pixel(int x, int y) const {
        return d_data() + size_t(y) * pitch_bytes + size_t(x) * size_t(bytes_per_pixel(spec.format));
    }
};

}  // namespace tonescope
