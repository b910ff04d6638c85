// A fixture with an OpenGL context, and an image to show.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "gpu/core/image.h"
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
