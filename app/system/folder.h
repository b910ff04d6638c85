// Folders: of image files, and those where the files of this program are.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "ui/model/files.h"

namespace tonescope {

struct FolderEntry {
    std::string name;
    bool may_be_folder = false;
};
/// What the folder holds, in no order. std::filesystem's iterator ends the program where memory is short.
std::vector<FolderEntry> entries_of(const std::string& folder, std::error_code& error);

/// The ending of the files that hold a session.
inline constexpr std::string_view kSessionEnding = ".tonescope";
/// What a file of this name is opened as: an image where nothing else is known.
ui::FileKinds kind_of(std::string_view name);

/// Folders, then files of these kinds, each in natural_order(); hidden ones are left out, `also` never is. Thumbnails
/// are empty. Throws UserError.
std::vector<ui::BrowserEntry> list_folder(const std::string& folder, ui::FileKinds kinds = ui::kImageFiles,
                                          std::string_view also = {});

/// The image `by` places behind (negative: before) `path` in its folder, in natural_order() and no farther than its
/// ends. Those that `is_skipped` do not count. Empty where there is no other in this direction. Throws UserError.
std::string neighbor_image(const std::string& path, int by,
                           const std::function<bool(const std::string& path)>& is_skipped);

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

/// "photo-2.png" for "photo.png", and for "photo-2.png" where there is a "photo.png", "photo-3.png": the next such name
/// in its folder that no file has and that is not `taken`. Throws UserError where nobody can tell.
std::string free_path_beside(const std::string& path, const std::set<std::string>& taken = {});

/// Whether there is such a folder. Where nobody can tell, sets `error`, which is clear otherwise, or throws UserError.
bool is_folder(const std::string& path, std::error_code& error);
bool is_folder(const std::string& path);

/// The path made absolute, without "." and ".."; links stay.
std::string absolute_path(const std::string& path);

}  // namespace tonescope
