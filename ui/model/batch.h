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
};

struct BatchModel {
    enum class State : uint8_t { idle, looking, asks, running, paused, done };
    /// A file that is under way.
    struct File {
        std::string name;
        std::string step;      // "reading"
        double progress = -1;  // of the step, 0 to 1; negative: unknown
    };

    State state = State::idle;
    std::string problem;                             // one line, where there is nothing to be done or it cannot be done
    std::string what;                                // is applied: "CLAHE, clip limit 4.00"
    size_t files = 0, done = 0, failed = 0;          // `done` with those that failed
    size_t existing = 0;                             // that are in the way, where the state is `asks`
    bool was_stopped = false;                        // where it is `done`
    double seconds = 0;                              // that it has run, without pauses
    std::vector<File> under_way;                     // in the order of the images
    std::vector<std::string> failures;               // a line each
    std::string suggested_folder, suggested_output;  // where the dialog starts

    bool is_busy() const { return state == State::running || state == State::paused || state == State::looking; }
    double progress() const { return files == 0 ? 0 : double(done) / double(files); }
};

}  // namespace tonescope::ui
