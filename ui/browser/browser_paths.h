// Paths as text: the panels touch no files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/model/files.h"

namespace tonescope::ui {

std::string join_path(std::string_view folder, std::string_view name);
std::string parent_path(std::string_view path);
std::string file_name_of(std::string_view path);
/// Case-insensitive for ASCII.
bool contains_text(std::string_view text, std::string_view part);
/// What the name's extension means for saving a picture, or how to choose one; *known tells whether it can be saved.
std::string save_remark(std::string_view name, std::span<const SavedFormat> formats, bool has_alpha, bool* known);
/// The same for a preset and for the table of a variant benchmark.
std::string preset_remark(std::string_view name, bool* known);
std::string export_remark(std::string_view name, bool* known);

}  // namespace tonescope::ui
