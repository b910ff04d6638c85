// Folders of image files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tonescope {

struct FolderEntry {
    std::string name;
    bool is_folder = false;
    uint64_t size_bytes = 0;
    std::string modified;  // local time, "2026-03-01 14:05"
};

/// Folders, then image files, or those with this ending, each by name without regard to case; hidden ones are left out.
/// Throws UserError.
std::vector<FolderEntry> list_folder(const std::string& folder, std::string_view ending = {});

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

/// The path made absolute, without "." and ".."; links stay.
std::string absolute_path(const std::string& path);

}  // namespace tonescope
