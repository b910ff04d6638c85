// Paths as text: the panels touch no files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tonescope::ui {

std::string join_path(std::string_view folder, std::string_view name);
std::string parent_path(std::string_view path);
std::string file_name_of(std::string_view path);
/// Lower case, without the dot; empty where there is none.
std::string extension_of(std::string_view name);
/// Case-insensitive for ASCII.
bool contains_text(std::string_view text, std::string_view part);
/// The same for an exported comparison.
std::string preset_remark(std::string_view name, bool* known);
std::string export_remark(std::string_view name, bool* known);
/// What the name's extension means for saving, or how to choose one; *known tells whether it can be saved.
std::string save_remark(std::string_view name, bool has_alpha, bool* known);

}  // namespace tonescope::ui
