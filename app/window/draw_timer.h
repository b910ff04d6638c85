// How long the GPU takes to draw a frame, by timer queries of OpenGL that are never waited for.
#pragma once

#include <glad/gl.h>

#include <array>
#include <cstddef>
#include <optional>

namespace tonescope {

/// Needs a current OpenGL 3.3 context; all calls come from its thread.
class DrawTimer {
  public:
    DrawTimer() { glGenQueries(GLsizei(queries_.size()), queries_.data()); }
    ~DrawTimer() { glDeleteQueries(GLsizei(queries_.size()), queries_.data()); }
    DrawTimer(const DrawTimer&) = delete;
    DrawTimer& operator=(const DrawTimer&) = delete;

    /// Around the commands of a frame. A frame is left out while all queries are on their way.
    void begin() {
        if (begun_ - taken_ == queries_.size()) return;
        glBeginQuery(GL_TIME_ELAPSED, queries_[begun_++ % queries_.size()]);
        open_ = true;
    }
    void end() {
        if (open_) glEndQuery(GL_TIME_ELAPSED);
        open_ = false;
    }
    /// The oldest finished time that has not been taken, ms.
    std::optional<double> take_ms() {
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

  private:
    std::array<unsigned, 8> queries_{};
    size_t begun_ = 0, taken_ = 0;  // counted from the start
    bool open_ = false;
};

}  // namespace tonescope
