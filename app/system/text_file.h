// Text files that appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace tonescope {

/// Writes next to the file and renames; a link stays a link. What is not a regular file (/dev/stdout) is written to
/// directly. Throws UserError that names the file.
void write_text_file(const std::string& path, std::string_view text);

/// Absolute, and seen through symbolic links, also one whose target does not exist yet: where writing to `path` would
/// end.
std::string final_path(const std::string& path);

/// Prints `message` on standard error as the one line "tonescope: ...". Control characters become '?'.
void print_error(std::string_view message);

}  // namespace tonescope
