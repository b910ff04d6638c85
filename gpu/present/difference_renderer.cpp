#include "gpu/present/difference_renderer.h"

#include <glad/gl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "gpu/core/error.h"

namespace tonescope {
namespace {

constexpr int kMapSize = 255;  // odd: the middle of the signed map is "no difference"

constexpr const char* kVertexShader = R"(#version 330 core
uniform vec4 area;  // left, bottom, right, top in clip coordinates
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(area.xy, area.zw, corner), 0.0, 1.0);
})";

// Image positions are counted from `base`, a pixel near the drawn part, so that they stay small enough for floats.
constexpr const char* kFragmentShader = R"(#version 330 core
uniform sampler2D before, after, map;
uniform ivec4 before_rect, after_rect;  // the parts of the image that the textures hold
uniform ivec2 levels;                   // mipmap level of each that is read
uniform vec2 base_at;                   // framebuffer position of the top left corner of pixel `base`
uniform ivec2 base;
uniform float footprint;                // image pixels that a framebuffer pixel spans
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

GLuint compile(GLenum kind, const char* text) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    return shader;
}

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

DifferenceRenderer::DifferenceRenderer() {
    const GLuint vertex = compile(GL_VERTEX_SHADER, kVertexShader);
    const GLuint fragment = compile(GL_FRAGMENT_SHADER, kFragmentShader);
    program_ = glCreateProgram();
    glAttachShader(program_, vertex);
    glAttachShader(program_, fragment);
    glLinkProgram(program_);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint linked = GL_FALSE;
    glGetProgramiv(program_, GL_LINK_STATUS, &linked);
    if (linked != GL_TRUE) {
        std::string log(1024, '\0');
        GLsizei length = 0;
        glGetProgramInfoLog(program_, GLsizei(log.size()), &length, log.data());
        glDeleteProgram(program_);
        log.resize(size_t(std::max(length, 0)));
        throw DeviceError("OpenGL refuses the shader of the difference view: " + log.substr(0, log.find('\n')));
    }
    glGenVertexArrays(1, &vertex_array_);
    maps_ = {make_map(false), make_map(true)};
}

DifferenceRenderer::~DifferenceRenderer() {
    glDeleteTextures(GLsizei(maps_.size()), maps_.data());
    glDeleteVertexArrays(1, &vertex_array_);
    glDeleteProgram(program_);
}

void DifferenceRenderer::draw(const DifferenceView& view) const {
    glUseProgram(program_);
    glBindVertexArray(vertex_array_);
    glDisable(GL_BLEND);
    glEnable(GL_SCISSOR_TEST);
    const auto set = [&](const char* name, int value) { glUniform1i(glGetUniformLocation(program_, name), value); };
    set("before", 0);
    set("after", 1);
    set("map", 2);
    set("is_signed", view.look.is_signed);
    set("false_color", view.look.false_color);
    glUniform1f(glGetUniformLocation(program_, "gain"), view.look.gain);
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
    const auto on_image_x = [&](double x) { return (x - view.origin_x) / view.zoom; };
    const auto on_image_y = [&](double y) { return (y - view.origin_y) / view.zoom; };
    const double x0 = std::max({double(before.rect.x), after_x, on_image_x(view.left)});
    const double y0 = std::max({double(before.rect.y), after_y, on_image_y(view.top)});
    const double x1 = std::min(
        {double(before.rect.x) + before.rect.width, after_x + after.rect.width * step, on_image_x(view.right)});
    const double y1 = std::min(
        {double(before.rect.y) + before.rect.height, after_y + after.rect.height * step, on_image_y(view.bottom)});
    if (x1 <= x0 || y1 <= y0) return;

    std::array<GLint, 4> viewport{};
    glGetIntegerv(GL_VIEWPORT, viewport.data());
    const double scale_x = viewport[2] / view.window_width, scale_y = viewport[3] / view.window_height;
    const auto at_x = [&](double x) { return (view.origin_x + x * view.zoom) * scale_x; };
    const auto at_y = [&](double y) { return viewport[3] - (view.origin_y + y * view.zoom) * scale_y; };
    const double left = at_x(x0), right = at_x(x1), top = at_y(y0), bottom = at_y(y1);
    glScissor(GLint(std::floor(view.left * scale_x)), GLint(std::floor(viewport[3] - view.bottom * scale_y)),
              GLsizei(std::ceil((view.right - view.left) * scale_x)),
              GLsizei(std::ceil((view.bottom - view.top) * scale_y)));

    const auto place = [&](const char* name) { return glGetUniformLocation(program_, name); };
    const auto clip_x = [&](double x) { return float(2 * x / viewport[2] - 1); };
    const auto clip_y = [&](double y) { return float(2 * y / viewport[3] - 1); };
    glUniform4f(place("area"), clip_x(left), clip_y(bottom), clip_x(right), clip_y(top));
    const double base_x = std::floor(x0), base_y = std::floor(y0);
    glUniform2i(place("base"), int(base_x), int(base_y));
    glUniform2f(place("base_at"), float(at_x(base_x)), float(at_y(base_y)));
    const double footprint = 1 / (view.zoom * scale_x);
    glUniform1f(place("footprint"), float(footprint));
    glUniform4i(place("before_rect"), before.rect.x, before.rect.y, before.rect.width, before.rect.height);
    glUniform4i(place("after_rect"), int(after_x), int(after_y), int(after.rect.width * step),
                int(after.rect.height * step));
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, before.texture);
    const int before_level = level_for(before, 1, std::max(footprint, step));
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, after.texture);
    glUniform2i(place("levels"), before_level, level_for(after, step, footprint));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace tonescope
