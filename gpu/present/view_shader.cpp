#include "gpu/present/view_shader.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "gpu/core/error.h"

namespace tonescope {
namespace {

constexpr const char* kVertexShader = R"(#version 330 core
uniform vec4 area;  // left, bottom, right, top in clip coordinates
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(area.xy, area.zw, corner), 0.0, 1.0);
})";

GLuint compile(GLenum kind, const char* text) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    return shader;
}

std::array<GLint, 4> viewport() {
    std::array<GLint, 4> v{};
    glGetIntegerv(GL_VIEWPORT, v.data());
    return v;
}

}  // namespace

ImageArea visible_area(const ViewPlacement& place) {
    const auto on_image_x = [&](double x) { return (x - place.origin_x) / place.zoom; };
    const auto on_image_y = [&](double y) { return (y - place.origin_y) / place.zoom; };
    return {on_image_x(place.left), on_image_y(place.top), on_image_x(place.right), on_image_y(place.bottom)};
}

ImageArea intersect(const ImageArea& a, const ImageArea& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

double framebuffer_scale(const ViewPlacement& place) {
    return viewport()[2] / place.window_width;
}

ViewShader::ViewShader(const char* fragment_shader, const char* what) {
    const GLuint vertex = compile(GL_VERTEX_SHADER, kVertexShader);
    const GLuint fragment = compile(GL_FRAGMENT_SHADER, fragment_shader);
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
        throw DeviceError(std::string("OpenGL refuses the shader of ") + what + ": " + log.substr(0, log.find('\n')));
    }
    glGenVertexArrays(1, &vertex_array_);
}

ViewShader::~ViewShader() {
    glDeleteVertexArrays(1, &vertex_array_);
    glDeleteProgram(program_);
}

void ViewShader::use() const {
    glUseProgram(program_);
    glBindVertexArray(vertex_array_);
    glDisable(GL_BLEND);
    glEnable(GL_SCISSOR_TEST);
}

int ViewShader::uniform(const char* name) const {
    return glGetUniformLocation(program_, name);
}

void ViewShader::draw(const ViewPlacement& place, const ImageArea& area) const {
    const std::array<GLint, 4> window = viewport();
    const double scale_x = window[2] / place.window_width, scale_y = window[3] / place.window_height;
    const auto at_x = [&](double x) { return (place.origin_x + x * place.zoom) * scale_x; };
    const auto at_y = [&](double y) { return window[3] - (place.origin_y + y * place.zoom) * scale_y; };
    const auto clip_x = [&](double x) { return float(2 * x / window[2] - 1); };
    const auto clip_y = [&](double y) { return float(2 * y / window[3] - 1); };
    glScissor(GLint(std::floor(place.left * scale_x)), GLint(std::floor(window[3] - place.bottom * scale_y)),
              GLsizei(std::ceil((place.right - place.left) * scale_x)),
              GLsizei(std::ceil((place.bottom - place.top) * scale_y)));
    glUniform4f(uniform("area"), clip_x(at_x(area.x0)), clip_y(at_y(area.y1)), clip_x(at_x(area.x1)),
                clip_y(at_y(area.y0)));
    const double base_x = std::floor(area.x0), base_y = std::floor(area.y0);
    glUniform2i(uniform("base"), int(base_x), int(base_y));
    glUniform2f(uniform("base_at"), float(at_x(base_x)), float(at_y(base_y)));
    glUniform1f(uniform("footprint"), float(1 / (place.zoom * scale_x)));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace tonescope
