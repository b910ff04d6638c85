// Paths are text for the panels, which touch no files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/model/files.h"

namespace tonescope::ui {

std::string join_path(std::string_view folder, std::string_view name);
std::string parent_path(std::string_view path);
std::string file_name_of(std::string_view path);
/// A path as a person types or pastes it, made absolute and plain: ~ is `home`, a relative one begins at `folder`, and
/// file:// URIs and quotes are understood. Ends with a slash where a folder is meant.
std::string typed_path(std::string_view text, std::string_view folder, std::string_view home);

/// Index of the format that the name's extension chooses; -1: none does.
int find_format(std::string_view name, std::span<const SavedFormat> formats);
/// The name with this format's extension in place of that of any of the formats.
std::string with_format(const std::string& name, const SavedFormat& format, std::span<const SavedFormat> formats);

}  // namespace tonescope::ui
