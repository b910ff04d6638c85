// What may stand where a file is to be written: an older file, or the original of an open image.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/image_io/file.h"
#include "app/system/file_watch.h"
#include "app/system/folder.h"
#include "gpu/core/error.h"

namespace tonescope {

/// The file of an open image.
struct OpenFile {
    std::string path;
    std::optional<FileStamp> stamp;  // when it was read
};

/// What stands where a file is to be written.
struct Obstacle {
    bool exists = false;
    std::vector<std::string> originals;  // paths of open images that are this file
    std::string free_path;               // of no file, beside it
};

/// Of files that open images were read from: it begins when the user says so.
enum class Replacing : uint8_t { begins, failed, done };

/// Looks at a path. A disk that does not answer holds up only what is to be written onto it. Throws UserError where
/// nobody can tell.
inline Obstacle find_obstacle(const std::string& path, const std::vector<OpenFile>& open) {
    std::error_code error;
    Obstacle obstacle{std::filesystem::exists(path, error), {}, {}};
    if (error) throw UserError(error.message());  // of the disk, say; that there is no file is none
    if (!obstacle.exists) return obstacle;
    const std::optional<FileStamp> stamp = file_stamp(path);
    for (const OpenFile& file : open) {
        // A path says which file it is, also where its disk has come back as another device.
        const bool is_elsewhere = path != file.path && stamp && file.stamp && stamp->device != file.stamp->device;
        if (is_elsewhere) continue;  // that disk may not answer
        // A file that was renamed since it was read is known by its stamp.
        if (image_io::FileSet({file.path}).find(path) != nullptr || (stamp && stamp == file.stamp))
            obstacle.originals.push_back(file.path);
    }
    obstacle.free_path = free_path_beside(path);
    return obstacle;
}

}  // namespace tonescope
