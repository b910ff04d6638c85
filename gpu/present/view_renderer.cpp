#include "gpu/present/view_renderer.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/present/textures.h"

namespace tonescope {
namespace {

constexpr int kMapSize = 255;  // odd: the middle of the signed map is "no difference"

constexpr const char* kVertexShader = R"(#version 330 core
uniform vec4 area;  // left, bottom, right, top in clip coordinates
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(area.xy, area.zw, corner), 0.0, 1.0);
})";

/// What both fragment shaders begin with. Image positions are counted from `base`, a pixel near the drawn part, so that
/// they stay small enough for floats.
constexpr const char* kCommon = R"(#version 330 core
uniform ivec2 base;
uniform vec2 base_at;     // framebuffer position of the top left corner of pixel `base`
uniform float footprint;  // image pixels that a framebuffer pixel spans
out vec4 color;

vec2 middle_of_fragment() {
    return vec2(gl_FragCoord.x - base_at.x, base_at.y - gl_FragCoord.y) * footprint;
}

// The pixel of a mipmap level at a position; `rect` is the part of the image that the texture holds, which has the
// sample `white` as 1. The values are whole samples, so that equal differences of two channels are equal.
vec3 pixel(sampler2D image, vec4 rect, float white, int level, vec2 position) {
    ivec2 size = textureSize(image, level);
    vec2 at = vec2(base) + floor(position) - rect.xy + 0.5;
    ivec2 place = clamp(ivec2(at * (vec2(size) / rect.zw)), ivec2(0), size - 1);
    return round(white * texelFetch(image, place, level).rgb);
}
)";

constexpr const char* kDifferenceShader = R"(
uniform sampler2D before, after, map;
uniform vec4 before_rect, after_rect;
uniform vec2 whites;
uniform ivec2 levels;  // mipmap level of each that is read
uniform float before_unit;  // of samples of before, in those of after
uniform float gain;
uniform bool is_signed, false_color;

vec3 difference(vec2 position) {
    vec3 d = pixel(after, after_rect, whites.y, levels.y, position) -
             pixel(before, before_rect, whites.x, levels.x, position) * before_unit;
    return is_signed ? d : abs(d);
}

void main() {
    vec2 middle = middle_of_fragment();
    vec3 d;
    if (footprint > 1.0) {
        float quarter = 0.25 * footprint;
        d = 0.25 * (difference(middle + vec2(-quarter, -quarter)) + difference(middle + vec2(quarter, -quarter)) +
                    difference(middle + vec2(-quarter, quarter)) + difference(middle + vec2(quarter, quarter)));
    } else {
        d = difference(middle);
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

constexpr const char* kClippingShader = R"(
uniform sampler2D image, before;
uniform vec4 rect, before_rect;
uniform float white, before_white;
uniform bool only_added;
uniform ivec2 ends, before_ends;  // clipped at or below the first, at or above the second
uniform int channels;
uniform float stripe;  // framebuffer pixels
uniform vec3 cut;
uniform vec3 low_colors[8], high_colors[8], edge;

// Bits of the channels that are clipped: 1, 2, 4 at the low end, 8, 16, 32 at the high end.
int clipped(vec3 value, ivec2 at) {
    ivec3 v = ivec3(value);
    return (v.r <= at.x ? 1 : 0) | (v.g <= at.x ? 2 : 0) | (v.b <= at.x ? 4 : 0) |
           (v.r >= at.y ? 8 : 0) | (v.g >= at.y ? 16 : 0) | (v.b >= at.y ? 32 : 0);
}

int clipped_at(vec2 position) {
    int found = clipped(pixel(image, rect, white, 0, position), ends);
    if (found == 0 || !only_added) return found;
    int old = clipped(pixel(before, before_rect, before_white, 0, position), before_ends);
    return found & ((old & 7) == 0 ? 7 : 0) | found & ((old & 56) == 0 ? 56 : 0);
}

// A stripe is the first half of each period; its sides are dark.
void draw(float along, vec3 stripe_color) {
    color = vec4(abs(along - 0.25) < 0.16 ? stripe_color : edge, 1.0);
}

void main() {
    if (gl_FragCoord.x * cut.x + gl_FragCoord.y * cut.y > cut.z) discard;
    vec2 middle = middle_of_fragment();
    int samples = clamp(int(ceil(footprint)), 1, 4);
    int found = 0;
    for (int j = 0; j < samples; ++j)
        for (int i = 0; i < samples; ++i)
            found |= clipped_at(middle + ((vec2(i, j) + 0.5) / float(samples) - 0.5) * footprint);
    int at_low = found & channels, at_high = found >> 3 & channels;
    float rising = fract((gl_FragCoord.x - gl_FragCoord.y) / (stripe * 1.41421356));
    float falling = fract((gl_FragCoord.x + gl_FragCoord.y) / (stripe * 1.41421356));
    if (at_high != 0 && falling < 0.5)
        draw(falling, high_colors[at_high]);
    else if (at_low != 0 && rising < 0.5)
        draw(rising, low_colors[at_low]);
    else
        discard;
})";

// The inputs are those of Dear ImGui's backend.
constexpr const char* kPassingShader = R"(#version 330 core
uniform mat4 ProjMtx;
in vec2 Position, UV;
in vec4 Color;
out vec2 place;
out vec4 tint;
void main() {
    place = UV;
    tint = Color;
    gl_Position = ProjMtx * vec4(Position, 0.0, 1.0);
})";

constexpr const char* kWindowShader = R"(#version 330 core
uniform sampler2D Texture;
uniform int low, width;  // hundredths of a sample
uniform bool inverse;
uniform float white;
uniform float alpha_unit;  // what a share of alpha is multiplied by
in vec2 place;
in vec4 tint;
out vec4 color;

// As shown_level() has it. A pixel's own sample goes through in integers, which every GPU computes alike; others are
// means of several.
float level(float share) {
    float exact = share * white;
    int whole = int(round(exact));
    float found;
    if (abs(exact - float(whole)) < 0.015) {
        uint inside = uint(clamp(whole * 100 - low, 0, width));
        found = float((510u * inside + uint(width)) / (2u * uint(width)));
    } else {
        found = 255.0 * clamp((exact * 100.0 - float(low)) / float(width), 0.0, 1.0);
    }
    return (inverse ? 255.0 - found : found) / 255.0;
}

void main() {
    vec4 pixel = texture(Texture, place);
    color = tint * vec4(level(pixel.r), level(pixel.g), level(pixel.b), pixel.a * alpha_unit);
})";

constexpr const char* kWindowName = "windowed pictures";  // in errors
constexpr std::array<const char*, 3> kBackendInputs = {"Position", "UV", "Color"};

GLuint attach(GLuint program, GLenum kind, std::initializer_list<const char*> texts) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, GLsizei(texts.size()), texts.begin(), nullptr);
    glCompileShader(shader);
    glAttachShader(program, shader);
    return shader;
}

/// `what` names it in errors.
void link(GLuint program, const std::string& what) {
    glLinkProgram(program);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked == GL_TRUE) return;
    std::string log(1024, '\0');
    GLsizei length = 0;
    glGetProgramInfoLog(program, GLsizei(log.size()), &length, log.data());
    glDeleteProgram(program);
    log.resize(size_t(std::max(length, 0)));
    throw DeviceError("OpenGL refuses the shader of " + what + ": " + log.substr(0, log.find('\n')));
}

GLuint compile(std::initializer_list<const char*> vertex_texts, std::initializer_list<const char*> fragment_texts) {
    const GLuint program = glCreateProgram();
    for (const auto& [kind, texts] : {std::pair(GL_VERTEX_SHADER, vertex_texts), {GL_FRAGMENT_SHADER, fragment_texts}})
        glDeleteShader(attach(program, GLenum(kind), texts));  // once the program is deleted
    return program;
}

/// A program that fills a rectangle.
GLuint make_program(const char* fragment_shader, const std::string& what) {
    const GLuint program = compile({kVertexShader}, {kCommon, fragment_shader});
    link(program, what);
    return program;
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

GLint uniform(const char* name) {
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    return glGetUniformLocation(GLuint(program), name);
}

void set(const char* name, int value) {
    glUniform1i(uniform(name), value);
}

void bind(GLenum unit, GLuint texture) {
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

/// A part of an image, image pixels.
struct ImageArea {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool empty() const { return x1 <= x0 || y1 <= y0; }
};

ImageArea intersect(const ImageArea& a, const ImageArea& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

/// The part of the image that is on screen.
ImageArea visible_area(const ViewPlacement& place) {
    const auto on_image_x = [&](double x) { return (x - place.origin_x) / place.zoom; };
    const auto on_image_y = [&](double y) { return (y - place.origin_y) / place.zoom; };
    return {on_image_x(place.left), on_image_y(place.top), on_image_x(place.right), on_image_y(place.bottom)};
}

/// The part of the image that a texture holds, which becomes the uniform `name`.
ImageArea set_area(const char* name, const Tile& tile, double left = 0, double top = 0, double step = 1) {
    const double x = left + tile.rect.x * step, y = top + tile.rect.y * step;
    const double width = tile.rect.width * step, height = tile.rect.height * step;
    glUniform4f(uniform(name), float(x), float(y), float(width), float(height));
    return {x, y, x + width, y + height};
}

/// The bound framebuffer, as large as the window.
struct Framebuffer {
    int width = 1, height = 1;        // its pixels
    double scale_x = 1, scale_y = 1;  // of them to a window coordinate

    explicit Framebuffer(const ViewPlacement& place) {
        std::array<GLint, 4> viewport{};
        glGetIntegerv(GL_VIEWPORT, viewport.data());
        width = viewport[2];
        height = viewport[3];
        scale_x = width / place.window_width;
        scale_y = height / place.window_height;
    }
};

std::pair<double, double> thick_enough(double from, double to) {
    if (to - from >= 1) return {from, to};
    const double pixel = std::floor((from + to) / 2);
    return {pixel, pixel + 1};
}

/// Draws a part of the image, not empty, with the program in use.
void draw_area(const Framebuffer& to, const ViewPlacement& place, const ImageArea& area) {
    const auto at_x = [&](double x) { return (place.origin_x + x * place.zoom) * to.scale_x; };
    const auto at_y = [&](double y) { return to.height - (place.origin_y + y * place.zoom) * to.scale_y; };
    // At least a pixel thick, as the picture under it.
    const auto [left, right] = thick_enough(at_x(area.x0), at_x(area.x1));
    const auto [bottom, top] = thick_enough(at_y(area.y1), at_y(area.y0));
    const auto clip_x = [&](double x) { return float(2 * x / to.width - 1); };
    const auto clip_y = [&](double y) { return float(2 * y / to.height - 1); };
    glScissor(GLint(std::floor(place.left * to.scale_x)), GLint(std::floor(to.height - place.bottom * to.scale_y)),
              GLsizei(std::ceil((place.right - place.left) * to.scale_x)),
              GLsizei(std::ceil((place.bottom - place.top) * to.scale_y)));
    glUniform4f(uniform("area"), clip_x(left), clip_y(bottom), clip_x(right), clip_y(top));
    const double base_x = std::floor(area.x0), base_y = std::floor(area.y0);
    glUniform2i(uniform("base"), int(base_x), int(base_y));
    glUniform2f(uniform("base_at"), float(at_x(base_x)), float(at_y(base_y)));
    glUniform1f(uniform("footprint"), float(1 / (place.zoom * to.scale_x)));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/// Mipmap level of the bound texture whose pixels span at most half of `span_px` image pixels, so that two of them a
/// side are averaged. Level 0's span `pixel_px`.
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

void set_colors(const char* name, std::span<const std::array<uint8_t, 3>> colors) {
    std::vector<float> shares;
    for (const auto& c : colors)
        for (const uint8_t level : c) shares.push_back(float(level) / 255);
    glUniform3fv(uniform(name), GLsizei(colors.size()), shares.data());
}

/// clipping_color() of one end.
std::array<std::array<uint8_t, 3>, 8> stripe_colors(bool is_high) {
    std::array<std::array<uint8_t, 3>, 8> colors{};
    for (int channels = 0; channels < 8; ++channels) colors[size_t(channels)] = clipping_color(channels, is_high);
    return colors;
}

}  // namespace

ViewRenderer::ViewRenderer()
    : difference_(make_program(kDifferenceShader, "the difference view")),
      clipping_(make_program(kClippingShader, "clipped pixels")),
      window_(compile({kPassingShader}, {kWindowShader})),
      maps_{make_map(false), make_map(true)} {
    link(window_, kWindowName);
    glGenVertexArrays(1, &vertex_array_);
    if (!opengl_worked()) throw DeviceError("OpenGL lacks memory for the difference view, clipped pixels and windows");
}

ViewRenderer::~ViewRenderer() {
    glDeleteTextures(GLsizei(maps_.size()), maps_.data());
    glDeleteVertexArrays(1, &vertex_array_);
    glDeleteProgram(window_);
    glDeleteProgram(clipping_);
    glDeleteProgram(difference_);
}

void ViewRenderer::use(unsigned program) const {
    glUseProgram(program);
    glBindVertexArray(vertex_array_);
    glDisable(GL_BLEND);
    glEnable(GL_SCISSOR_TEST);
}

void ViewRenderer::draw(const DifferenceView& view) const {
    use(difference_);
    set("before", 0);
    set("after", 1);
    set("map", 2);
    set("is_signed", view.look.is_signed);
    set("false_color", view.look.false_color);
    const auto max_before = float(view.before.spec.max_sample), max_after = float(view.after.picture.spec.max_sample);
    glUniform2f(uniform("whites"), float(texture_white(view.before)), float(texture_white(view.after.picture)));
    glUniform1f(uniform("before_unit"), max_after / max_before);
    glUniform1f(uniform("gain"), view.look.gain * (255 / max_after));
    bind(GL_TEXTURE2, maps_[view.look.is_signed ? 1 : 0]);
    for (const Tile& before : view.before.tiles)
        for (const Tile& after : view.after.picture.tiles) draw_tiles(view, before, after);
    for (const GLenum unit : {GL_TEXTURE2, GL_TEXTURE1, GL_TEXTURE0}) bind(unit, 0);
}

/// Draws the part of the image that both textures hold and that is on screen.
void ViewRenderer::draw_tiles(const DifferenceView& view, const Tile& before, const Tile& after) const {
    const auto& [picture, left, top, step] = view.after;
    const ImageArea both = intersect(set_area("before_rect", before), set_area("after_rect", after, left, top, step));
    const ImageArea area = intersect(visible_area(view.place), both);
    if (area.empty()) return;
    const Framebuffer to(view.place);
    const double footprint = 1 / (view.place.zoom * to.scale_x);
    bind(GL_TEXTURE0, before.texture);
    const int before_level = level_for(before, 1, std::max(footprint, step));
    bind(GL_TEXTURE1, after.texture);
    glUniform2i(uniform("levels"), before_level, level_for(after, step, footprint));
    draw_area(to, view.place, area);
}

void ViewRenderer::draw(const ClippingView& view) const {
    use(clipping_);
    const Framebuffer to(view.place);
    set("image", 0);
    set("before", 1);
    glUniform1f(uniform("white"), float(texture_white(view.picture.picture)));
    glUniform1f(uniform("before_white"), float(texture_white(view.before)));
    set("only_added", !view.before.empty());
    glUniform2i(uniform("ends"), view.thresholds.low, view.thresholds.high);
    glUniform2i(uniform("before_ends"), view.before_thresholds.low, view.before_thresholds.high);
    set("channels", view.channels);
    glUniform1f(uniform("stripe"), float(view.stripe * to.scale_x));
    // From window coordinates, which count y from the top, to the framebuffer's.
    const double height = view.place.window_height * to.scale_x;
    glUniform3f(uniform("cut"), float(view.cut_x), float(-view.cut_y),
                float(view.cut * to.scale_x - view.cut_y * height));
    set_colors("low_colors", stripe_colors(false));
    set_colors("high_colors", stripe_colors(true));
    set_colors("edge", std::span(&kStripeEdge, 1));
    const auto& [picture, left, top, step] = view.picture;
    for (const Tile& tile : picture.tiles) {
        const ImageArea area = intersect(visible_area(view.place), set_area("rect", tile, left, top, step));
        const auto draw = [&](const ImageArea& part) {
            if (part.empty()) return;
            bind(GL_TEXTURE0, tile.texture);
            draw_area(to, view.place, part);
        };
        if (view.before.empty()) draw(area);
        for (const Tile& before : view.before.tiles) {
            bind(GL_TEXTURE1, before.texture);
            draw(intersect(area, set_area("before_rect", before)));
        }
    }
    for (const GLenum unit : {GL_TEXTURE1, GL_TEXTURE0}) bind(unit, 0);
}

void ViewRenderer::begin(const WindowView& view) {
    GLint backend = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &backend);
    if (backend_ != GLuint(backend)) {
        backend_ = GLuint(backend);
        bool fits = true;
        for (const char* input : kBackendInputs) {
            const GLint at = glGetAttribLocation(backend_, input);
            if (at < 0) continue;
            fits &= at == glGetAttribLocation(window_, input);
            glBindAttribLocation(window_, GLuint(at), input);
        }
        if (!fits) link(window_, kWindowName);  // which takes a frame's time
    }
    std::array<GLfloat, 16> projection{};
    glGetUniformfv(GLuint(backend), uniform("ProjMtx"), projection.data());
    glUseProgram(window_);
    glUniformMatrix4fv(uniform("ProjMtx"), 1, GL_FALSE, projection.data());
    set("Texture", 0);
    set("low", view.range.low);
    set("width", view.range.width());
    set("inverse", view.inverse);
    glUniform1f(uniform("white"), float(view.white));
    glUniform1f(uniform("alpha_unit"), float(view.white) / float(view.max_sample));
}

}  // namespace tonescope
