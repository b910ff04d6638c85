// Textures on screen that a CUDA session writes its results into. The interop presenter has them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include "gpu/core/image.h"

namespace tonescope {

/// Two sets of textures: the front one is drawn, the back one is written. All calls come from OpenGL's thread and with
/// the device of device() current. Errors are DeviceErrors.
class ResultTextures {
  public:
    virtual ~ResultTextures() = default;

    /// A texture of the back set while it is mapped.
    struct Mapped {
        cudaArray_t array = nullptr;
        cudaSurfaceObject_t surface = 0;
        Rect rect;  // the part of the image it holds, pixels
    };

    /// CUDA's index of the GPU that draws.
    virtual int device() const = 0;
    /// Textures that an image of this size takes.
    virtual int tile_count(const ImageSpec& spec) const = 0;
    /// Makes the back textures fit. Allocates only when the size or the format changes. False where OpenGL has no
    /// memory for them: the result must be shown as a host image then.
    virtual bool prepare(const ImageSpec& spec) = 0;
    /// Maps the back textures, all in one call; nothing is to do where they are mapped. OpenGL may not use them until
    /// unmap(). Work queued on `stream` afterwards sees them; what was queued between an earlier map() and unmap() is
    /// done by now. They are not mapped where it throws.
    virtual std::span<const Mapped> map(cudaStream_t stream) = 0;
    /// OpenGL commands that follow see what was queued on `stream` before.
    virtual void unmap(cudaStream_t stream) = 0;
    /// Whether the back textures hold an image of this size and format.
    virtual bool is_prepared(const ImageSpec& spec) const = 0;
    /// The back textures become the result's picture under this serial.
    virtual void flip(uint64_t serial) = 0;
};

}  // namespace tonescope
