// Many files through the operator as it is set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/param.h"

namespace tonescope::ui {

/// What is to be done with which files.
struct BatchSetup {
    bool is_folder = false;  // the images in `folder`; else those that are open
    std::string folder;
    std::string output;  // a path with {stem}, which is the name of the image without its ending
    SaveOptions save_options;
    std::string mask = {};      // of all images or, with {stem} or as a folder, a mask each; empty: none
    bool mask_inverse = false;  // black is filtered
};

struct BatchModel {
    enum class State : uint8_t { idle, looking, asks, running, paused, done };
    /// A file that is under way.
    struct File {
        std::string name;
        std::string step;      // "reading"
        double progress = -1;  // of the step, 0 to 1; negative: unknown
        bool operator==(const File&) const = default;
    };
    /// A file that stands where a result is to be written.
    struct Obstacle {
        std::string path, free_name;  // the name is of no file in its folder
    };

    State state = State::idle;
    std::string problem;                     // one line: why nothing is done, or nothing more
    std::string what;                        // is applied: "CLAHE, Clip limit 4.00"
    std::string folder;                      // where the results go
    size_t files = 0, done = 0, failed = 0;  // `done` with those that failed
    size_t existing = 0;                     // files that are in the way, where the state is `asks`
    std::vector<Obstacle> obstacles;         // the first of these
    bool was_stopped = false;                // by the user
    bool asks_to_quit = false;               // the window is to be closed while it is under way
    double seconds = 0;                      // that it has run, without pauses
    std::vector<File> under_way;             // in the order of the images, where View::shows_batch
    std::vector<std::string> failures;       // the first of them, a line each
    std::string suggested_folder, suggested_output, suggested_mask;  // where the dialog starts
    bool suggested_inverse = false;

    bool is_under_way() const { return state == State::running || state == State::paused; }
    bool is_busy() const { return is_under_way() || state == State::looking; }
    double progress() const { return files == 0 ? 0 : double(done) / double(files); }
};

}  // namespace tonescope::ui
