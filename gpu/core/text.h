// Pieces of text that several layers need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tonescope {

/// The extension of the file that a path names, in lower case and without the dot. It is empty where there is none; a
/// dot in front makes a hidden file, not an extension.
std::string extension_of(std::string_view path);

/// "a, b and c", to say what there is. `last` stands before the last name; where it is empty, a comma does.
std::string spell_out(const std::vector<std::string>& names, std::string_view last = "and");

}  // namespace tonescope
