// Texts of others that Dear ImGui takes as C strings: file names in fields, the clipboard.
#pragma once

#include <algorithm>
#include <string>

namespace tonescope::ui {

/// Where a text ends within a UTF-8 character, Dear ImGui looks at up to three bytes behind its end, and goes on there,
/// beyond its own buffers, unless they are zero. Now they are, until the string is changed or copied.
inline void end_safely(std::string& text) {
    const size_t size = std::min(text.find('\0'), text.size());
    text.resize(size);
    text.append(3, '\0');
    text.resize(size);
}

}  // namespace tonescope::ui
