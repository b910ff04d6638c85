// Images in host memory that the device reaches by itself: pinned or managed.
#pragma once

#include <memory>

#include "gpu/core/backend.h"
#include "gpu/core/image.h"
#include "gpu/core/registry.h"

namespace tonescope {

/// Their memory is used again once they are gone: that of the newest, a gigabyte or a quarter of what the machine has
/// left at most, as soon as another one is made. It goes back with the pool, or with an image that outlives it. Images
/// may outlive the pool, and are made and go on any thread.
class ImagePool {
  public:
    /// `outlive_device`: the device may be reset while there are images, which then stand in usual memory. They are
    /// those alone of which that is so, in memory that is at most twice as large, and have a gigabyte and a quarter in
    /// all; else they are empty.
    explicit ImagePool(bool outlive_device = false);
    ~ImagePool();
    ImagePool(const ImagePool&) = delete;
    ImagePool& operator=(const ImagePool&) = delete;

    /// An image in the memory from which a run in this mode takes its input and to which it gives its result: pinned
    /// memory for `pinned`, `mapped` and `overlapped`, managed memory for `managed`, any for `pageable`. Its pixels
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

/// Pinned memory of `device` for large images. It does not keep the device from being reset, behind which its images
/// stand in usual memory.
std::shared_ptr<ImageMemory> make_open_image_memory(int device);

}  // namespace tonescope
