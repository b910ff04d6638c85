#include "gpu/present/textures.h"

#include <glad/gl.h>

#include <algorithm>
#include <string_view>

namespace tonescope {
namespace {

/// NVIDIA's driver does until the GPU has written to one: the first upload to a level then makes all of its pages in
/// host memory (48 ms for 96 MB on the UI thread).
bool keeps_textures_in_host_memory() {
    const auto* vendor = reinterpret_cast<const char*>(glGetString(GL_VENDOR));
    return vendor != nullptr && std::string_view(vendor).starts_with("NVIDIA");
}

bool is_lost = false;

}  // namespace

bool opengl_worked() {
    bool worked = !is_lost;
    while (!is_lost) {  // a lost context may say so for ever
        const GLenum error = glGetError();
        if (error == GL_NO_ERROR) break;
        worked = false;
        is_lost = error == GL_CONTEXT_LOST;
    }
    return worked;
}

bool opengl_lost() {
    return is_lost;
}

bool cpu_draws() {
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string_view name = renderer == nullptr ? "" : renderer;
    return name.starts_with("llvmpipe") || name.starts_with("softpipe");
}

int max_texture_size_px() {
    GLint size = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &size);
    return std::max(size, 1024);
}

std::vector<Rect> split_into_tiles(const ImageSpec& spec, int side_px) {
    std::vector<Rect> tiles;
    for (int y = 0; y < spec.height; y += side_px)
        for (int x = 0; x < spec.width; x += side_px)
            tiles.push_back({x, y, std::min(side_px, spec.width - x), std::min(side_px, spec.height - y)});
    return tiles;
}

int level_count(int width, int height) {
    int levels = 1;
    for (int side = std::max(width, height); side > 1 && levels < kMaxLevels; side /= 2) ++levels;
    return levels;
}

PixelType pixel_type(PixelFormat format) {
    const bool gray = is_gray(format), deep = is_deep(format);
    return {unsigned(deep ? (gray ? GL_R16 : GL_RGBA16) : (gray ? GL_R8 : GL_RGBA8)), unsigned(gray ? GL_RED : GL_RGBA),
            unsigned(deep ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE)};
}

unsigned create_texture(PixelFormat format, int width, int height) {
    const int levels = level_count(width, height);
    opengl_worked();  // what went wrong before is no matter of this texture
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, -0.5f);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, levels - 1);
    const PixelType type = pixel_type(format);
    if (is_gray(format)) {
        const GLint swizzle[] = {GL_RED, GL_RED, GL_RED, GL_ONE};
        glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
    }
    if (GLAD_GL_ARB_texture_storage) {
        glTexStorage2D(GL_TEXTURE_2D, levels, type.stored, width, height);
    } else {
        for (int level = 0; level < levels; ++level)
            glTexImage2D(GL_TEXTURE_2D, level, GLint(type.stored), std::max(width >> level, 1),
                         std::max(height >> level, 1), 0, type.order, type.sample, nullptr);
    }
    if (keeps_textures_in_host_memory() && GLAD_GL_ARB_clear_texture)
        for (int level = 0; level < levels; ++level) glClearTexImage(texture, level, type.order, type.sample, nullptr);
    glBindTexture(GL_TEXTURE_2D, 0);
    if (!opengl_worked()) {
        glDeleteTextures(1, &texture);
        return 0;
    }
    return texture;
}

Picture make_picture(const Pyramid& pyramid) {
    const ImageSpec& spec = pyramid.spec;
    const unsigned texture = create_texture(spec.format, spec.width, spec.height);
    if (texture == 0) return {};
    Picture picture{spec, 0, {{texture, {0, 0, spec.width, spec.height}}}};
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    const PixelType type = pixel_type(spec.format);
    for (int level = 0; level < pyramid.levels(); ++level) {
        const HostImage& image = pyramid.level(level);
        glTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, image.width(), image.height(), type.order, type.sample,
                        image.data());
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_2D, 0);
    if (!opengl_worked()) delete_textures(picture.tiles);
    return picture;
}

void delete_textures(std::vector<Tile>& tiles) {
    for (const Tile& tile : tiles) glDeleteTextures(1, &tile.texture);
    tiles.clear();
}

}  // namespace tonescope
