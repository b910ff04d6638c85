// A fixture with an OpenGL context, and images to show.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "tests/images.h"
#include "tests/present/gl_context.h"

namespace tonescope {

class GlTest : public testing::Test {
  protected:
    void SetUp() override {
        if (const char* reason = context_.open()) GTEST_SKIP() << reason;
    }
    void TearDown() override { context_.close(); }

  private:
    GlContext context_;
};

inline std::shared_ptr<const HostImage> shared_noise(int width, int height, PixelFormat format, uint32_t seed = 7) {
    return std::make_shared<const HostImage>(is_deep(format) ? deep_noise(width, height, format, 4095, seed)
                                                             : noise(width, height, format, seed));
}

inline std::shared_ptr<HostImage> shared_gray(int width, int height, uint8_t value) {
    return std::make_shared<HostImage>(filled(width, height, PixelFormat::gray8, value));
}

}  // namespace tonescope
