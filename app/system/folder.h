// Folders: of image files, and those where the files of this program are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/model/files.h"

namespace tonescope {

/// Folders, then image files, or those with this ending, each by name without regard to case; hidden ones are left out.
/// Thumbnails are empty. Throws UserError.
std::vector<ui::BrowserEntry> list_folder(const std::string& folder, std::string_view ending = {});

/// The image `by` places behind (negative: before) `path` in its folder, by name, around the ends. Empty where there is
/// no other.
std::string neighbor_image(const std::string& path, int by);

/// Image files among the paths; folders give the images in them. Paths that do not exist stay, so that opening them
/// says so.
std::vector<std::string> expand_paths(const std::vector<std::string>& paths);

/// Paths of the sample images, by name. They are looked for in the folder that the environment variable
/// TONESCOPE_ASSETS names; where it is not set, in ../share/tonescope/assets beside the executable's folder, else in
/// the source tree that the program was built from. Throws UserError where such a folder cannot be read.
std::vector<std::string> sample_images();

/// Where a user's files of this program are, after the XDG base directory specification: $VARIABLE/tonescope, else the
/// folder `below_home` of the home. Empty where there is neither variable nor home.
std::string user_folder(const char* variable, const char* below_home);

/// The path made absolute, without "." and ".."; links stay.
std::string absolute_path(const std::string& path);

}  // namespace tonescope
