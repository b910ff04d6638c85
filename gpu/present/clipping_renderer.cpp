#include "gpu/present/clipping_renderer.h"

#include <glad/gl.h>

namespace tonescope {
namespace {

// Luma as gpu/core/luma.h defines it, in integers.
constexpr const char* kClippingShader = R"(#version 330 core
uniform sampler2D image;
uniform vec4 rect;  // the part of the image that the texture holds
uniform vec2 base_at;
uniform ivec2 base;
uniform float footprint;
uniform int curve;
uniform float stripe;  // framebuffer pixels
uniform vec3 cut;
uniform vec3 shadows_color, highlights_color;
out vec4 color;

void main() {
    if (gl_FragCoord.x * cut.x + gl_FragCoord.y * cut.y > cut.z) discard;
    vec2 middle = vec2(gl_FragCoord.x - base_at.x, base_at.y - gl_FragCoord.y) * footprint;
    ivec2 size = textureSize(image, 0);
    vec2 scale = vec2(size) / rect.zw;
    int samples = clamp(int(ceil(footprint)), 1, 4);
    bool shadows = false, highlights = false;
    for (int j = 0; j < samples; ++j)
        for (int i = 0; i < samples; ++i) {
            vec2 offset = ((vec2(i, j) + 0.5) / float(samples) - 0.5) * footprint;
            vec2 at = vec2(base) + floor(middle + offset);
            ivec2 place = clamp(ivec2((at - rect.xy + 0.5) * scale), ivec2(0), size - 1);
            ivec3 c = ivec3(round(255.0 * texelFetch(image, place, 0).rgb));
            int value = curve < 3 ? c[curve] : (77 * c.r + 150 * c.g + 29 * c.b + 128) >> 8;
            shadows = shadows || value == 0;
            highlights = highlights || value == 255;
        }
    float rising = fract((gl_FragCoord.x + gl_FragCoord.y) / (stripe * 1.41421356));
    float falling = fract((gl_FragCoord.x - gl_FragCoord.y) / (stripe * 1.41421356));
    if (highlights && falling < 0.5)
        color = vec4(highlights_color, 1.0);
    else if (shadows && rising < 0.5)
        color = vec4(shadows_color, 1.0);
    else
        discard;
})";

void set_color(int place, const std::array<uint8_t, 3>& c) {
    glUniform3f(place, float(c[0]) / 255, float(c[1]) / 255, float(c[2]) / 255);
}

}  // namespace

ClippingRenderer::ClippingRenderer() : shader_(kClippingShader, "clipped pixels") {}

void ClippingRenderer::draw(const ClippingView& view) const {
    shader_.use();
    const double scale = framebuffer_scale(view.place);
    const double height = view.place.window_height * scale;
    glUniform1i(shader_.uniform("image"), 0);
    glUniform1i(shader_.uniform("curve"), int(view.curve));
    glUniform1f(shader_.uniform("stripe"), float(view.stripe * scale));
    // From window coordinates, which count y from the top, to the framebuffer's.
    glUniform3f(shader_.uniform("cut"), float(view.cut_x), float(-view.cut_y),
                float(view.cut * scale - view.cut_y * height));
    set_color(shader_.uniform("shadows_color"), kShadowsColor);
    set_color(shader_.uniform("highlights_color"), kHighlightsColor);
    glActiveTexture(GL_TEXTURE0);
    const double step = view.picture_step;
    for (const Tile& tile : view.picture.tiles) {
        const double x = view.picture_left + tile.rect.x * step, y = view.picture_top + tile.rect.y * step;
        const double width = tile.rect.width * step, height_px = tile.rect.height * step;
        const ImageArea area = intersect(visible_area(view.place), {x, y, x + width, y + height_px});
        if (area.empty()) continue;
        glBindTexture(GL_TEXTURE_2D, tile.texture);
        glUniform4f(shader_.uniform("rect"), float(x), float(y), float(width), float(height_px));
        shader_.draw(view.place, area);
    }
    glBindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace tonescope
