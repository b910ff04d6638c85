// What the window shows, to tell frames that would change nothing on screen: after input Dear ImGui takes several
// frames until all has settled, most of which look like the one before.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ui/ui.h"

struct ImDrawData;

namespace tonescope {

class DrawnFrame {
  public:
    /// Takes a frame. Whether it is drawn from the same vertices, commands and textures, over the same fills, as the
    /// one before. The textures' content is not looked at. Never true where a command has data of its own, or a texture
    /// of Dear ImGui's waits for its pixels.
    bool repeats(const ImDrawData& data, std::span<const ui::BackgroundFill> background_fills);

  private:
    std::vector<std::byte> last_, now_;
};

}  // namespace tonescope
