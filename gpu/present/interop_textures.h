// A picture's textures, registered with CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <vector>

#include "gpu/cuda/session/result_textures.h"
#include "gpu/present/presenter.h"

namespace tonescope {

/// Allocated and registered once for a size, then mapped and unmapped again and again.
class InteropTextures {
  public:
    InteropTextures() = default;
    ~InteropTextures() { release(); }
    InteropTextures(const InteropTextures&) = delete;
    InteropTextures& operator=(const InteropTextures&) = delete;

    /// Throws DeviceError when CUDA cannot register them; false when OpenGL has no memory.
    bool allocate(const ImageSpec& spec, int max_tile_px);
    void release() noexcept;
    std::span<const ResultTextures::Mapped> map(cudaStream_t stream);
    void unmap(cudaStream_t stream);
    void generate_mipmaps();

    Picture picture;  // empty until allocate()

  private:
    std::vector<cudaGraphicsResource_t> resources_;
    std::vector<ResultTextures::Mapped>
        mapped_;  // kept from run to run: surfaces are made anew only when arrays change
    bool is_mapped_ = false;
    bool mipmaps_stale_ = true;
};

}  // namespace tonescope
