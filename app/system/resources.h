// Files that belong to the program.
#pragma once

#include <string>
#include <vector>

namespace tonescope {

/// Paths of the sample images, sorted by name. They are looked for in the folder that the environment variable
/// TONESCOPE_ASSETS names; where it is not set, in ../share/tonescope/assets beside the executable's folder, else in
/// the source tree that the program was built from. Empty where there are none; never throws for a missing folder.
std::vector<std::string> sample_images();

}  // namespace tonescope
