// Where a session's results are shown: OpenGL's textures, and some that need no display.
#pragma once

// first: glad stands in for the system's OpenGL header
#include "tests/present/gl_context.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>
#include <utility>

#include "gpu/cuda/runtime/check.h"
#include "gpu/cuda/session/result_textures.h"
#include "gpu/present/presenter.h"
#include "gpu/present/textures.h"

namespace tonescope {

class Screen {
  public:
    virtual ~Screen() = default;
    virtual ResultTextures* textures() = 0;
    /// Of the result that is shown.
    virtual uint64_t serial() const = 0;
    virtual HostImage picture() const = 0;
};

/// Textures that are CUDA's own arrays.
class ArrayScreen final : public Screen, public ResultTextures {
  public:
    ~ArrayScreen() override {
        for (Set& set : sets_) release(set);
    }
    ResultTextures* textures() override { return this; }
    uint64_t serial() const override { return serial_; }
    HostImage picture() const override {
        const Set& set = sets_[front_];
        HostImage image(set.spec);
        EXPECT_EQ(cudaMemcpy2DFromArray(image.data(), image.pitch_bytes(), set.mapped.array, 0, 0, set.spec.row_bytes(),
                                        size_t(set.spec.height), cudaMemcpyDeviceToHost),
                  cudaSuccess);
        return image;
    }

    int device() const override { return 0; }
    int tile_count(const ImageSpec&) const override { return 1; }
    bool prepare(const ImageSpec& spec) override {
        Set& set = sets_[1 - front_];
        if (set.spec == spec) return true;
        release(set);
        const int bits = 8 * bytes_per_sample(spec.format), more = is_gray(spec.format) ? 0 : bits;
        const cudaChannelFormatDesc format =
            cudaCreateChannelDesc(bits, more, more, more, cudaChannelFormatKindUnsigned);
        if (cudaMallocArray(&set.mapped.array, &format, size_t(spec.width), size_t(spec.height),
                            cudaArraySurfaceLoadStore) != cudaSuccess)
            return false;
        set.spec = spec;
        set.mapped.rect = {0, 0, spec.width, spec.height};
        return true;
    }
    std::span<const Mapped> map(cudaStream_t) override {
        Set& set = sets_[1 - front_];
        if (set.mapped.surface == 0) {
            cudaResourceDesc resource{};
            resource.resType = cudaResourceTypeArray;
            resource.res.array.array = set.mapped.array;
            TONESCOPE_CUDA(cudaCreateSurfaceObject(&set.mapped.surface, &resource));
        }
        return {&set.mapped, 1};
    }
    void unmap(cudaStream_t) override {}
    bool is_prepared(const ImageSpec& spec) const override { return sets_[1 - front_].spec == spec; }
    void flip(uint64_t serial) override {
        front_ = 1 - front_;
        serial_ = serial;
    }

  private:
    struct Set {
        ImageSpec spec;
        Mapped mapped;
    };
    static void release(Set& set) {
        if (set.mapped.surface != 0) TONESCOPE_CUDA_LOG(cudaDestroySurfaceObject(set.mapped.surface));
        EXPECT_EQ(cudaFreeArray(set.mapped.array), cudaSuccess);  // null: nothing
        set = {};
    }

    std::array<Set, 2> sets_;
    size_t front_ = 0;
    uint64_t serial_ = 0;
};

/// OpenGL's, in the context that is current.
class GlScreen final : public Screen {
  public:
    explicit GlScreen(std::unique_ptr<Presenter> presenter) : presenter_(std::move(presenter)) {}
    ResultTextures* textures() override { return presenter_->result_textures(); }
    void let_go() { presenter_->let_go(); }
    uint64_t serial() const override { return presenter_->picture(PictureRole::after).serial; }
    HostImage picture() const override {
        const Picture& shown = presenter_->picture(PictureRole::after);
        HostImage image(shown.spec);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glBindTexture(GL_TEXTURE_2D, shown.tiles.at(0).texture);
        const PixelType type = pixel_type(shown.spec.format);
        glGetTexImage(GL_TEXTURE_2D, 0, type.order, type.sample, image.data());
        EXPECT_EQ(glGetError(), unsigned(GL_NO_ERROR));
        return image;
    }

  private:
    std::unique_ptr<Presenter> presenter_;
};

}  // namespace tonescope
