// What a frame is drawn into and read from, beside the window itself. Needs a current OpenGL 3.3 context.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "gpu/core/image.h"

namespace tonescope {

/// Of the bound framebuffer; y counts from its bottom. Throws UserError.
HostImage read_pixels(const Rect& area);

/// A framebuffer of its own: its size does not depend on the screen, and nothing can lie in front of it.
class OffscreenTarget {
  public:
    /// Throws UserError.
    OffscreenTarget(int width, int height);
    ~OffscreenTarget();
    OffscreenTarget(const OffscreenTarget&) = delete;
    OffscreenTarget& operator=(const OffscreenTarget&) = delete;

    void bind() const;

  private:
    unsigned framebuffer_ = 0, color_ = 0;
};

/// How long the GPU takes to draw a frame, by timer queries of OpenGL that are never waited for.
class DrawTimer {
  public:
    DrawTimer();
    ~DrawTimer();
    DrawTimer(const DrawTimer&) = delete;
    DrawTimer& operator=(const DrawTimer&) = delete;

    /// Around the commands of a frame. A frame is left out while all queries are on their way, or where there are none.
    void begin();
    void end();
    /// The oldest finished time that has not been taken, ms.
    std::optional<double> take_ms();

  private:
    std::array<unsigned, 8> queries_{};
    size_t begun_ = 0, taken_ = 0;  // counted from the start
    bool open_ = false;
};

}  // namespace tonescope
