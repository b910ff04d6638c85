#include "app/window/draw_timer.h"

#include <glad/gl.h>

namespace tonescope {

DrawTimer::DrawTimer() {
    glGenQueries(GLsizei(queries_.size()), queries_.data());
}

DrawTimer::~DrawTimer() {
    glDeleteQueries(GLsizei(queries_.size()), queries_.data());
}

void DrawTimer::begin() {
    if (begun_ - taken_ == queries_.size()) return;
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
