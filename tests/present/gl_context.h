// An OpenGL context for tests.
#pragma once

#include <glad/gl.h>
// glad comes first: it replaces the system's OpenGL header.
#include <GLFW/glfw3.h>

namespace tonescope {

/// An invisible window with OpenGL 3.3, current on this thread.
class GlContext {
  public:
    GlContext() = default;
    ~GlContext() { close(); }
    GlContext(const GlContext&) = delete;
    GlContext& operator=(const GlContext&) = delete;

    /// Null, or why there is none.
    const char* open() {
        if (glfwInit() != GLFW_TRUE) return "no display";
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        window_ = glfwCreateWindow(64, 64, "test", nullptr, nullptr);
        if (window_ == nullptr) return "no OpenGL 3.3";
        glfwMakeContextCurrent(window_);
        gladLoadGL(glfwGetProcAddress);
        return nullptr;
    }
    void close() {
        if (window_ != nullptr) glfwDestroyWindow(window_);
        window_ = nullptr;
        glfwTerminate();
    }

  private:
    GLFWwindow* window_ = nullptr;
};

}  // namespace tonescope
