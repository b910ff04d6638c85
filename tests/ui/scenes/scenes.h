// Made-up situations of the application, for tests and screenshots.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/image.h"
#include "tests/ui/scenes/driver.h"

namespace tonescope::ui {

/// Makes a picture of an image that is on screen; tests without OpenGL give textures that nothing draws.
using Upload = std::function<Picture(const ImageView&)>;

struct Scene {
    std::string name;
    Model model;
    std::vector<std::string> labels;                 // of widgets that must be there
    std::function<void(Driver&, const Model&)> act;  // input that leads to the situation; may be empty
};

/// All of them. `photo`: an image to show in place of the drawn one; may be empty.
std::vector<Scene> make_scenes(const Upload& upload, const HostImage& photo = {});

}  // namespace tonescope::ui
