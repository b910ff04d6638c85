// The interface's typeface, embedded by ui/CMakeLists.txt.
#pragma once

#include <span>

namespace tonescope::ui {

/// The bytes of a TrueType file; empty where the build machine has none, which means Dear ImGui's own font.
std::span<const unsigned char> regular_font_data();
std::span<const unsigned char> medium_font_data();

}  // namespace tonescope::ui
