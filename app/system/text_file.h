// Text files that appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace tonescope {

/// Writes as image_io::write_whole_file does. Throws UserError that names the file.
void write_text_file(const std::string& path, std::string_view text);

/// Prints `message` on standard error as the one line "tonescope: ...". Control characters become '?'.
void print_error(std::string_view message);

}  // namespace tonescope
