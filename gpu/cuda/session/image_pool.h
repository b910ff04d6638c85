// Images in host memory that the device reaches by itself: pinned or managed.
#pragma once

#include <memory>

#include "gpu/core/image.h"
#include "gpu/core/registry.h"

namespace tonescope {

/// Their memory is used again once they are gone: that of the newest, a gigabyte or a quarter of what the machine has
/// left at most. It goes back with the pool and its last image. Images may outlive the pool, and are made and go on any
/// thread.
class ImagePool {
  public:
    ImagePool();

    /// An image in the memory from which a run in this mode takes its input and to which it gives its result: pinned
    /// memory for `pinned`, `mapped` and `overlapped`, managed memory for `managed`; empty for `pageable`. Its pixels
    /// are undefined. Throws DeviceMemoryError, MemoryError or UserError, as HostImage does.
    HostImage make(const ImageSpec& spec, MemoryMode mode);
    /// Whether an image stands where make() puts those of this mode.
    bool holds(const ImageView& image, MemoryMode mode) const;
    /// Frees what no image uses.
    void release() noexcept;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace tonescope
