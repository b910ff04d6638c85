// Pictures as files.
#pragma once

#include <string>

#include "assets/generator/draw.h"

namespace tonescope::assets {

/// PNG or JPEG (quality 88), by the extension. The same bytes for the same picture. Throws std::runtime_error.
std::vector<uint8_t> encode(const Picture& picture, const std::string& file_name);
/// Throws std::runtime_error that names the file.
void write_file(const std::string& path, const std::vector<uint8_t>& bytes);
std::vector<uint8_t> read_file(const std::string& path);
/// What a viewer shows of the encoded picture, with as many channels as it holds. Throws std::runtime_error.
Picture decode(const std::vector<uint8_t>& bytes);

}  // namespace tonescope::assets
