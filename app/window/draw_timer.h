// How long the GPU takes to draw a frame, by timer queries of OpenGL that are never waited for.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace tonescope {

/// Needs a current OpenGL 3.3 context; all calls come from its thread.
class DrawTimer {
  public:
    DrawTimer();
    ~DrawTimer();
    DrawTimer(const DrawTimer&) = delete;
    DrawTimer& operator=(const DrawTimer&) = delete;

    /// Around the commands of a frame. A frame is left out while all queries are on their way.
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
