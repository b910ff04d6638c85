// What a CUDA session needs of a presenter whose textures CUDA can write. Kept apart from presenter.h, which no CUDA
// type enters.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include "gpu/core/image.h"
#include "gpu/present/presenter.h"

namespace tonescope {

/// Each slot has two sets of textures: the front one is drawn, the back one is written. All calls come from OpenGL's
/// thread and with the device of device() current. Errors are DeviceErrors.
class InteropTarget {
  public:
    virtual ~InteropTarget() = default;

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
    /// Makes the slot's back textures fit. Allocates only when the size or the format changes. False where OpenGL has
    /// no memory for them: the image must go through show() then.
    virtual bool prepare(Slot slot, const ImageSpec& spec) = 0;
    /// Maps the back textures, all in one call; nothing is to do where they are mapped. OpenGL may not use them until
    /// unmap(); what they held is lost, so every pixel has to be written. Work queued on `stream` afterwards sees them.
    virtual std::span<const Mapped> map(Slot slot, cudaStream_t stream) = 0;
    /// OpenGL commands that follow see what was queued on `stream` before.
    virtual void unmap(Slot slot, cudaStream_t stream) = 0;
    /// Whether the back textures hold an image of this size and format.
    virtual bool is_prepared(Slot slot, const ImageSpec& spec) const = 0;
    /// The back textures become the slot's picture under this serial.
    virtual void flip(Slot slot, uint64_t serial) = 0;
};

}  // namespace tonescope
