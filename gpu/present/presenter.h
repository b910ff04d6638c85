// From an image to OpenGL textures. Needs a current OpenGL 3.3 context; all calls come from its thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope {

class ResultTextures;  // gpu/cuda/session/result_textures.h

/// Pictures that are on screen at the same time. `preview` is drawn over part of `after`; `reference` may take the
/// place of `before`; the cells hold results of several parameter values.
enum class PictureRole : uint8_t { before, after, preview, reference, cell_1, cell_2, cell_3, cell_4 };
inline constexpr std::array<PictureRole, 4> kCellRoles = {PictureRole::cell_1, PictureRole::cell_2, PictureRole::cell_3,
                                                          PictureRole::cell_4};
/// In the order in which they are brought on screen.
inline constexpr std::array<PictureRole, 8> kPictureRoles = {
    PictureRole::preview, PictureRole::after,  PictureRole::reference, PictureRole::before,
    PictureRole::cell_1,  PictureRole::cell_2, PictureRole::cell_3,    PictureRole::cell_4};

struct Tile {
    unsigned texture = 0;  // OpenGL name; GL_R8 with a gray swizzle or GL_RGBA8
    Rect rect;             // the part of the image it holds, pixels
};

/// An image as one texture, or as several where a side passes GL_MAX_TEXTURE_SIZE.
struct Picture {
    ImageSpec spec;
    uint64_t serial = 0;  // what show() was given
    std::vector<Tile> tiles;
    bool empty() const { return tiles.empty(); }
};

/// An image with its successive halvings (box filter), made on a worker so that showing it costs the UI thread copies
/// only.
struct Pyramid {
    std::shared_ptr<const HostImage> image;
    std::vector<HostImage> levels;  // level k + 1 of the mipmap; down to 1x1
};
std::shared_ptr<const Pyramid> make_pyramid(std::shared_ptr<const HostImage> image, int threads);

class Presenter {
  public:
    virtual ~Presenter() = default;
    /// "interop" or "copy".
    virtual std::string id() const = 0;
    /// Why it is not interop; empty where it is.
    virtual std::string reason() const = 0;
    /// CUDA's index of the GPU that draws; -1: unknown.
    virtual int device() const { return -1; }
    /// Where a CUDA session may write its results; null where it may not.
    virtual ResultTextures* result_textures() { return nullptr; }
    /// Starts to bring a host image on screen. The old picture stays until the new one is complete. A picture of
    /// the same size that is being copied comes before it; any other that is not complete is dropped.
    virtual void show(PictureRole role, std::shared_ptr<const Pyramid> image, uint64_t serial) = 0;
    /// Copies at most about `budget_bytes`, once a frame or, until it rests(), more often. True while there is more to
    /// do.
    virtual bool step(size_t budget_bytes) = 0;
    /// Whether the last step() leaves what remains to the next frame.
    virtual bool rests() const { return false; }
    /// What to draw now; stays valid until the next call of show(), step() or a session's poll().
    virtual const Picture& picture(PictureRole role) const = 0;
    /// Makes minified drawing of the picture smooth (mipmaps) where they are stale. Called when it is drawn
    /// below 1:1.
    virtual void prepare_minified(PictureRole role) = 0;
    virtual void clear(PictureRole role) = 0;
};

/// Copies through a pixel buffer object. `reason`: why interop is not used.
std::unique_ptr<Presenter> make_copy_presenter(std::string reason);
/// Null where OpenGL and CUDA are not on the same device; *reason then says why. Also null in builds without CUDA.
/// `max_tile_px`: 0 takes OpenGL's limit; tests take a smaller power of two.
std::unique_ptr<Presenter> make_interop_presenter(int device, std::string* reason, int max_tile_px = 0);

}  // namespace tonescope
