// What is found at the paths that are to be opened.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "app/system/folder.h"

namespace tonescope {

struct FoundFiles {
    std::vector<std::string> images, presets, sessions;
    std::vector<std::string> problems;  // a line each
};

/// Looks into folders.
inline FoundFiles find_files(const std::vector<std::string>& paths) {
    FoundFiles found;
    for (const std::string& path : paths) {
        try {
            const std::vector<std::string> files = expand_paths({path});
            if (files.empty()) found.problems.push_back("no images in " + path);
            for (const std::string& file : files) {
                const ui::FileKinds kind = kind_of(file);
                (kind == ui::kSessionFiles  ? found.sessions
                 : kind == ui::kPresetFiles ? found.presets
                                            : found.images)
                    .push_back(file);
            }
        } catch (const std::exception& error) {
            found.problems.emplace_back(error.what());
        }
    }
    return found;
}

}  // namespace tonescope
