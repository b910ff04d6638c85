#include "app/window/drawing.h"

#include <glad/gl.h>

#include <cstring>

#include "gpu/core/error.h"
#include "gpu/core/text.h"
#include "gpu/present/textures.h"

namespace tonescope {

HostImage read_pixels(const Rect& area) {
    HostImage bottom_up({area.width, area.height, PixelFormat::rgba8, false});
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(area.x, area.y, area.width, area.height, GL_RGBA, GL_UNSIGNED_BYTE, bottom_up.data());
    if (!opengl_worked()) throw UserError("the graphics driver failed while the picture was drawn: try again");
    HostImage image(bottom_up.spec());
    for (int y = 0; y < area.height; ++y)
        std::memcpy(image.mutable_view().row(y), bottom_up.view().row(area.height - 1 - y), image.pitch_bytes());
    return image;
}

OffscreenTarget::OffscreenTarget(int width, int height) {
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &color_);
    glBindRenderbuffer(GL_RENDERBUFFER, color_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    bind();
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
    const bool is_complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (!opengl_worked() || !is_complete)
        throw UserError("cannot draw a picture of " + size_text(width, height) + " pixels: choose a smaller --size");
}

OffscreenTarget::~OffscreenTarget() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
}

void OffscreenTarget::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
}

DrawTimer::DrawTimer() {
    glGenQueries(GLsizei(queries_.size()), queries_.data());
}

DrawTimer::~DrawTimer() {
    glDeleteQueries(GLsizei(queries_.size()), queries_.data());
}

void DrawTimer::begin() {
    if (queries_.back() == 0 || begun_ - taken_ == queries_.size()) return;
    glBeginQuery(GL_TIME_ELAPSED, queries_[begun_++ % queries_.size()]);
    open_ = true;
}

void DrawTimer::end() {
    if (open_) glEndQuery(GL_TIME_ELAPSED);
    open_ = false;
}

std::optional<double> DrawTimer::take_ms() {
    if (taken_ == begun_) return {};
    const unsigned query = queries_[taken_ % queries_.size()];
    GLuint done = GL_FALSE;
    glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &done);
    if (done == GL_FALSE) return {};
    GLuint64 ns = 0;
    glGetQueryObjectui64v(query, GL_QUERY_RESULT, &ns);
    ++taken_;
    return double(ns) * 1e-6;
}

}  // namespace tonescope
