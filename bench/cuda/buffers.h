// Buffers in turn, so that a run finds nothing of the run before in the L2 cache.
#pragma once

#include <cstdint>

#include "gpu/core/registry.h"
#include "gpu/cuda/runtime/memory.h"

namespace tonescope::bench {

/// `count` buffers of equal size where kernels reach them.
class Ring {
  public:
    /// Mapped and managed memory where the mode says so, else memory of the device. Contents are lost. Throws
    /// DeviceError.
    void reshape(MemoryMode mode, size_t count, size_t bytes);
    uint8_t* at(size_t i) const { return d_base_ + i * stride_bytes_; }
    size_t count() const { return count_; }
    size_t stride_bytes() const { return stride_bytes_; }
    /// Sets every byte.
    void fill(uint8_t value, cudaStream_t stream) const;

  private:
    DeviceMemory device_;
    PinnedMemory pinned_;
    ManagedMemory managed_;
    uint8_t* d_base_ = nullptr;
    size_t count_ = 0, stride_bytes_ = 0;
};

/// Buffers of which all together hold three times the L2 cache, at least two.
size_t buffers_past_cache(size_t run_bytes, size_t l2_bytes);

/// Brings an image into every buffer of a ring, with this pitch.
void load_image(const Ring& ring, const ImageView& image, size_t pitch_bytes, cudaStream_t stream);

}  // namespace tonescope::bench
