#include "gpu/present/difference_renderer.h"

#include <glad/gl.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tonescope {
namespace {

constexpr int kMapSize = 255;  // odd: the middle of the signed map is "no difference"

// Image positions are counted from `base`, a pixel near the drawn part, so that they stay small enough for floats.
constexpr const char* kDifferenceShader = R"(#version 330 core
uniform sampler2D before, after, map;
uniform ivec4 before_rect, after_rect;  // the parts of the image that the textures hold
uniform ivec2 levels;                   // mipmap level of each that is read
uniform vec2 base_at;
uniform ivec2 base;
uniform float footprint;
uniform float gain;
uniform bool is_signed, false_color;
out vec4 color;

struct Source {
    ivec2 first, size;  // image pixel at its corner; its own pixels at the level that is read
    vec2 scale;         // its pixels an image pixel
    int level;
};

Source source_of(ivec4 rect, ivec2 size, int level) {
    return Source(rect.xy, size, vec2(size) / vec2(rect.zw), level);
}

// Whole levels, so that equal differences of two channels are equal.
vec3 pixel(sampler2D image, Source from, ivec2 at) {
    ivec2 place = clamp(ivec2((vec2(at - from.first) + 0.5) * from.scale), ivec2(0), from.size - 1);
    return round(255.0 * texelFetch(image, place, from.level).rgb);
}

vec3 difference(Source a, Source b, vec2 place) {
    ivec2 at = base + ivec2(floor(place));
    vec3 d = pixel(after, b, at) - pixel(before, a, at);
    return is_signed ? d : abs(d);
}

void main() {
    vec2 middle = vec2(gl_FragCoord.x - base_at.x, base_at.y - gl_FragCoord.y) * footprint;
    Source a = source_of(before_rect, textureSize(before, levels.x), levels.x);
    Source b = source_of(after_rect, textureSize(after, levels.y), levels.y);
    vec3 d;
    if (footprint > 1.0) {
        float quarter = 0.25 * footprint;
        d = 0.25 * (difference(a, b, middle + vec2(-quarter, -quarter)) +
                    difference(a, b, middle + vec2(quarter, -quarter)) +
                    difference(a, b, middle + vec2(-quarter, quarter)) +
                    difference(a, b, middle + vec2(quarter, quarter)));
    } else {
        d = difference(a, b, middle);
    }
    d *= gain;
    if (false_color) {
        vec3 amount = abs(d);
        float most = amount.r >= amount.g && amount.r >= amount.b ? d.r : amount.g >= amount.b ? d.g : d.b;
        float position = clamp((is_signed ? 127.5 + 0.5 * most : most) / 255.0, 0.0, 1.0);
        int last = textureSize(map, 0).x - 1;
        color = vec4(texelFetch(map, ivec2(int(position * float(last) + 0.5), 0), 0).rgb, 1.0);
    } else {
        color = vec4((is_signed ? floor(128.0 + 0.5 * d) : d) / 255.0, 1.0);  // halves up, on every GPU
    }
})";

GLuint make_map(bool is_signed) {
    std::array<uint8_t, size_t{kMapSize} * 3> pixels{};
    for (int k = 0; k < kMapSize; ++k) {
        const std::array<uint8_t, 3> c = difference_color(is_signed, double(k) / (kMapSize - 1));
        std::ranges::copy(c, pixels.begin() + ptrdiff_t(k) * 3);
    }
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, kMapSize, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

/// Mipmap level whose pixels span at most half of `span_px` image pixels, so that two of them a side are averaged.
int level_for(const Tile& tile, double pixel_px, double span_px) {
    GLint last = 0, width = 0, height = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, &last);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
    last = std::min(last, int(std::bit_width(unsigned(std::max({width, height, 1})))) - 1);
    const double stored_px = pixel_px * tile.rect.width / std::max(width, 1);
    const double wanted = std::floor(std::log2(std::max(span_px / stored_px, 1.0))) - 1;
    return std::clamp(int(wanted), 0, last);
}

}  // namespace

DifferenceRenderer::DifferenceRenderer()
    : shader_(kDifferenceShader, "the difference view"), maps_{make_map(false), make_map(true)} {}

DifferenceRenderer::~DifferenceRenderer() {
    glDeleteTextures(GLsizei(maps_.size()), maps_.data());
}

void DifferenceRenderer::draw(const DifferenceView& view) const {
    shader_.use();
    const auto set = [&](const char* name, int value) { glUniform1i(shader_.uniform(name), value); };
    set("before", 0);
    set("after", 1);
    set("map", 2);
    set("is_signed", view.look.is_signed);
    set("false_color", view.look.false_color);
    glUniform1f(shader_.uniform("gain"), view.look.gain);
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_2D, maps_[view.look.is_signed ? 1 : 0]);
    for (const Tile& before : view.before.tiles)
        for (const Tile& after : view.after.tiles) draw_tiles(view, before, after);
    for (const GLenum unit : {GL_TEXTURE2, GL_TEXTURE1, GL_TEXTURE0}) {
        glActiveTexture(unit);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
}

void DifferenceRenderer::draw_tiles(const DifferenceView& view, const Tile& before, const Tile& after) const {
    const double step = view.after_step;
    // The parts of the image that both textures hold and that are on screen, image pixels.
    const double after_x = view.after_left + after.rect.x * step, after_y = view.after_top + after.rect.y * step;
    const ImageArea of_before{double(before.rect.x), double(before.rect.y), double(before.rect.x) + before.rect.width,
                              double(before.rect.y) + before.rect.height};
    const ImageArea of_after{after_x, after_y, after_x + after.rect.width * step, after_y + after.rect.height * step};
    const ImageArea area = intersect(visible_area(view.place), intersect(of_before, of_after));
    if (area.empty()) return;
    const double footprint = 1 / (view.place.zoom * framebuffer_scale(view.place));
    glUniform4i(shader_.uniform("before_rect"), before.rect.x, before.rect.y, before.rect.width, before.rect.height);
    glUniform4i(shader_.uniform("after_rect"), int(after_x), int(after_y), int(after.rect.width * step),
                int(after.rect.height * step));
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, before.texture);
    const int before_level = level_for(before, 1, std::max(footprint, step));
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, after.texture);
    glUniform2i(shader_.uniform("levels"), before_level, level_for(after, step, footprint));
    shader_.draw(view.place, area);
}

}  // namespace tonescope
