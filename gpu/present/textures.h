// OpenGL textures for pictures. Needs a current OpenGL 3.3 context.
#pragma once

#include <vector>

#include "gpu/core/image.h"
#include "gpu/present/presenter.h"

namespace tonescope {

/// Whether OpenGL has done all that it was asked for since the last call.
bool opengl_worked();
/// Whether a call of opengl_worked() has found that the driver has lost the context: nothing can be drawn any more.
bool opengl_lost();

/// Whether OpenGL is Mesa's for machines without a GPU.
bool cpu_draws();
/// GL_MAX_TEXTURE_SIZE of the current context, pixels.
int max_texture_size_px();

/// Parts of at most side_px x side_px pixels that cover the image, row by row. side_px is a power of two.
std::vector<Rect> split_into_tiles(const ImageSpec& spec, int side_px);

/// Mipmap levels that a texture of these sides gets: the full chain, at most kMaxLevels.
inline constexpr int kMaxLevels = 10;
int level_count(int width, int height);

/// What OpenGL is told of pixels.
struct PixelType {
    unsigned stored, order, sample;
};
PixelType pixel_type(PixelFormat format);

/// A texture of 8 or 16 bits, GL_R8 or GL_R16 (shown as gray) or GL_RGBA8 or GL_RGBA16, with room for its mipmap,
/// nearest above 1:1, smooth below. Returns 0 where OpenGL has no memory for it.
unsigned create_texture(PixelFormat format, int width, int height);
/// A picture of one texture, filled at once: for thumbnails. Empty where OpenGL has no memory for it.
Picture make_picture(const Pyramid& pyramid);
void delete_textures(std::vector<Tile>& tiles);

}  // namespace tonescope
