// Text files that appear whole or not at all, JSON among them, which a person or another program may have changed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/image_io/file.h"

namespace tonescope {

using Json = nlohmann::ordered_json;

/// Writes as image_io::write_whole_file does. Throws UserError that names the file, Canceled once `stop` is set.
void write_text_file(const std::string& path, std::string_view text, std::stop_token stop = {},
                     image_io::Sync sync = image_io::Sync::yes, OldFile old = OldFile::replaced);

/// Prints `message` as one line on standard output, at once, whatever the names in it hold.
void print_line(std::string_view message);
/// "tonescope: ..." with its newline, whatever the names in the message hold.
std::string error_line(std::string_view message);
/// Prints that on standard error, also where there is no memory.
void print_error(std::string_view message) noexcept;

/// Indented, with a newline at the end. File names that are no UTF-8 lose the bytes in question.
std::string to_text(const Json& json);

/// Throws UserError that names the file: it is missing, empty, no regular file, larger than 4 MiB, or cannot be read.
std::string read_text_file(const std::string& path);
/// Null where the text is no JSON object, or is nested deeper than this program nests.
Json parse_json(const std::string& text);
/// Throws UserError that names the file, as read_text_file() and where it is no JSON object.
Json read_json_file(const std::string& path);

/// Makes the folder that the file is to stand in. Throws UserError.
void make_folder_of(const std::string& path);
/// Indented; makes the folder where it is missing. Throws as write_text_file() does.
void write_json_file(const std::string& path, const Json& json, std::stop_token stop = {});

}  // namespace tonescope
