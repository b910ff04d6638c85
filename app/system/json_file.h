// Small JSON files that a person or another program may have changed.
#pragma once

#include <string>

#include "app/options/report.h"

namespace tonescope {

/// Throws UserError that names the file: it is missing, cannot be read, is larger than 4 MiB, or is no JSON object.
Json read_json_file(const std::string& path);

/// Indented; makes the folder where it is missing. The file appears whole or not at all. Throws UserError.
void write_json_file(const std::string& path, const Json& json);

}  // namespace tonescope
