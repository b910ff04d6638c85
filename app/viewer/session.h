// A session: what someone works on, in a file that can be opened again and handed on. Open images by their paths, what
// is chosen, where the views look, and the window's layout.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/system/text_file.h"
#include "app/viewer/choices.h"
#include "app/viewer/files/images.h"
#include "app/viewer/live/comparison.h"
#include "ui/model/views.h"
#include "ui/model/window.h"

namespace tonescope {

struct SessionImage {
    ListedImage file;
    std::optional<Reference> reference = {};  // what it is compared with
    /// What of it is to be filtered, where it is not the current image and has not been shown since a session said so,
    /// as when it is missing.
    std::optional<ResultPart> part = {};
    bool operator==(const SessionImage&) const = default;
};

struct Session {
    std::vector<SessionImage> images;
    size_t current = 0;                  // that is shown
    std::optional<Choice> choice;        // empty: this build cannot run it
    std::optional<BackendKind> backend;  // the user's choice; empty: whatever there is
    ResultPart part = {};                // of the current image
    ui::KeptView view;                   // of the current image
    ui::Layout layout;
    std::string problem = {};                     // why there is no choice, one line
    std::vector<std::string> mask_problems = {};  // why masks that parts name were not read, one line each
    bool operator==(const Session&) const = default;
};

/// `path`: of the session's file. Those of images that share a folder with it, the root aside, become relative to it.
Json session_json(const Session& session, const std::string& path);
/// Paths become absolute. Values out of range become the nearest allowed ones; unknown names are ignored. Throws
/// UserError for what is no session or of a newer version, and what the JSON library throws for values of a wrong type.
Session session_from_json(const Json& json, const std::string& path);

/// On a worker. Looks for the images, and reads masks. Throws UserError that names the file, which is left alone,
/// and Canceled.
Session read_session(const std::string& path, std::stop_token stop = {});

}  // namespace tonescope
