// Gray images for the comparison with OpenCV.
#pragma once

#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope::test {

struct GrayImage {
    std::string name;
    HostImage image;
    bool photograph = false;
};

/// The photographs of the folder TONESCOPE_TEST_IMAGES (a CMake option); where there are none, the pictures in assets/,
/// which are drawn and no photographs. Files that cannot be read are left out.
std::vector<GrayImage> gray_images();

}  // namespace tonescope::test
