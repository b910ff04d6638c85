#include "gpu/present/interop_textures.h"

#include <glad/gl.h>
// after glad: it stands in for the system's OpenGL header
#include <cuda_gl_interop.h>

#include <utility>

#include "gpu/core/error.h"
#include "gpu/cuda/runtime/check.h"
#include "gpu/present/textures.h"

namespace tonescope {

bool InteropTextures::allocate(const ImageSpec& spec, int max_tile_px) {
    if (!picture.empty() && picture.spec == spec) return true;
    release();
    picture.spec = spec;
    for (const Rect& rect : split_into_tiles(spec, max_tile_px)) {
        const unsigned texture =
            create_texture(spec.format, rect.width, rect.height, level_count(rect.width, rect.height));
        if (texture == 0) {
            release();
            return false;
        }
        picture.tiles.push_back({texture, rect});
        cudaGraphicsResource_t resource = nullptr;
        const cudaError_t status = cudaGraphicsGLRegisterImage(
            &resource, texture, GL_TEXTURE_2D,
            cudaGraphicsRegisterFlagsSurfaceLoadStore | cudaGraphicsRegisterFlagsWriteDiscard);
        if (status != cudaSuccess) release();
        TONESCOPE_CUDA(status);
        resources_.push_back(resource);
    }
    mapped_.resize(resources_.size());
    for (size_t i = 0; i < mapped_.size(); ++i) mapped_[i] = {nullptr, 0, picture.tiles[i].rect};
    return true;
}

void InteropTextures::release() noexcept {
    if (is_mapped_) TONESCOPE_CUDA_LOG(cudaGraphicsUnmapResources(int(resources_.size()), resources_.data(), nullptr));
    is_mapped_ = false;
    for (const ResultTextures::Mapped& tile : mapped_)
        if (tile.surface != 0) TONESCOPE_CUDA_LOG(cudaDestroySurfaceObject(tile.surface));
    mapped_.clear();
    for (cudaGraphicsResource_t resource : resources_) TONESCOPE_CUDA_LOG(cudaGraphicsUnregisterResource(resource));
    resources_.clear();
    delete_textures(picture.tiles);
    picture = {};
}

std::span<const ResultTextures::Mapped> InteropTextures::map(cudaStream_t stream) {
    if (is_mapped_) return mapped_;
    TONESCOPE_CUDA(cudaGraphicsMapResources(int(resources_.size()), resources_.data(), stream));
    is_mapped_ = true;
    for (size_t i = 0; i < resources_.size(); ++i) {
        cudaArray_t array = nullptr;
        TONESCOPE_CUDA(cudaGraphicsSubResourceGetMappedArray(&array, resources_[i], 0, 0));
        ResultTextures::Mapped& tile = mapped_[i];
        if (array == tile.array) continue;
        if (tile.surface != 0) TONESCOPE_CUDA(cudaDestroySurfaceObject(std::exchange(tile.surface, 0)));
        cudaResourceDesc description{};
        description.resType = cudaResourceTypeArray;
        description.res.array.array = array;
        TONESCOPE_CUDA(cudaCreateSurfaceObject(&tile.surface, &description));
        tile.array = array;
    }
    return mapped_;
}

void InteropTextures::unmap(cudaStream_t stream) {
    is_mapped_ = false;
    TONESCOPE_CUDA(cudaGraphicsUnmapResources(int(resources_.size()), resources_.data(), stream));
    mipmaps_stale_ = true;
}

void InteropTextures::generate_mipmaps() {
    if (!mipmaps_stale_) return;
    for (const Tile& tile : picture.tiles) {
        glBindTexture(GL_TEXTURE_2D, tile.texture);
        glGenerateMipmap(GL_TEXTURE_2D);
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    mipmaps_stale_ = false;
}

}  // namespace tonescope
