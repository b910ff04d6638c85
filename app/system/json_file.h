// JSON, and small files of it that a person or another program may have changed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tonescope {

using Json = nlohmann::ordered_json;

/// Indented, with a newline at the end. File names that are no UTF-8 lose the bytes in question.
std::string to_text(const Json& json);

/// Throws UserError that names the file: it is missing, cannot be read, is larger than 4 MiB, or is no JSON object.
Json read_json_file(const std::string& path);

/// Indented; makes the folder where it is missing. The file appears whole or not at all. Throws UserError.
void write_json_file(const std::string& path, const Json& json);

}  // namespace tonescope
