// An OpenGL context for tests, and an image to show.
#pragma once

#include <glad/gl.h>
// glad comes first: it replaces the system's OpenGL header.
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <memory>

#include "gpu/core/image.h"

namespace tonescope {

class GlTest : public testing::Test {
  protected:
    void SetUp() override {
        if (glfwInit() != GLFW_TRUE) GTEST_SKIP() << "no display";
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        window_ = glfwCreateWindow(64, 64, "test", nullptr, nullptr);
        if (window_ == nullptr) GTEST_SKIP() << "no OpenGL 3.3";
        glfwMakeContextCurrent(window_);
        gladLoadGL(glfwGetProcAddress);
    }
    void TearDown() override {
        if (window_ != nullptr) glfwDestroyWindow(window_);
        glfwTerminate();
    }

  private:
    GLFWwindow* window_ = nullptr;
};

/// The same for the same seed.
inline std::shared_ptr<const HostImage> noise(int width, int height, PixelFormat format, uint32_t seed = 7) {
    auto image = std::make_shared<HostImage>(ImageSpec{width, height, format, false});
    uint32_t state = seed;
    for (size_t i = 0; i < image->size_bytes(); ++i) {
        state = state * 1664525 + 1013904223;
        image->data()[i] = uint8_t(state >> 24);
    }
    return image;
}

}  // namespace tonescope
