// The typeface of the interface and of charts in files, embedded by gpu/CMakeLists.txt.
#pragma once

#include <span>

namespace tonescope {

/// The bytes of a TrueType file; empty where the build machine has none, in which case the window uses Dear ImGui's own
/// font.
std::span<const unsigned char> regular_font_data();
std::span<const unsigned char> medium_font_data();

}  // namespace tonescope
