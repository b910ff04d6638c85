// Text files that appear whole or not at all, JSON among them, which a person or another program may have changed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tonescope {

using Json = nlohmann::ordered_json;

/// Writes as image_io::write_whole_file does. Throws UserError that names the file.
void write_text_file(const std::string& path, std::string_view text);

/// Prints `message` on standard error as the one line "tonescope: ...". Control characters become '?'.
void print_error(std::string_view message);

/// Indented, with a newline at the end. File names that are no UTF-8 lose the bytes in question.
std::string to_text(const Json& json);

/// Throws UserError that names the file: it is missing, cannot be read, is larger than 4 MiB, or is no JSON object.
Json read_json_file(const std::string& path);

/// Indented; makes the folder where it is missing. Throws UserError.
void write_json_file(const std::string& path, const Json& json);

}  // namespace tonescope
