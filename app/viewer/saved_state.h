// What lasts from run to run: the window's place, its settings, recent files, and what was chosen last.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/system/text_file.h"
#include "app/viewer/choices.h"
#include "ui/model/window.h"

namespace tonescope {

struct SavedState {
    std::optional<Rect> window;  // outside full screen, screen coordinates
    ui::Settings settings;
    std::vector<std::string> recent;          // paths, the newest first
    std::vector<std::string> recent_folders;  // that were used in dialogs
    std::optional<Choice> choice;
    std::optional<BackendKind> backend;  // the user's choice; nothing: whatever there is
    bool operator==(const SavedState&) const = default;
};

/// $TONESCOPE_STATE names the file, or nothing is kept where it is "none"; else state.json in the user's folder of
/// states, for windows, not for screenshots. Empty: nothing is kept.
std::string saved_state_path(bool is_screenshot);

/// A missing file gives the defaults. A damaged, unreadable or newer one is renamed to PATH.damaged and named in
/// `problem`, one line. Values out of range become the nearest allowed ones; unknown names are ignored.
SavedState read_saved_state(const std::string& path, std::string& problem);

Json state_json(const SavedState& state);
/// Throws UserError, or what the JSON library throws for values of a wrong type.
SavedState state_from_json(const Json& json);

/// Writes a file some time after a change, and at the end, on a thread of its own.
class StateWriter {
  public:
    /// The thread calls `wake` when take_problem() has something to say.
    StateWriter(std::string path, std::function<void()> wake);
    /// Writes the newest state if it has not been written yet.
    ~StateWriter() { thread_.request_stop(); }

    void put(SavedState state);
    /// Says once, in one line, why the file cannot be written.
    std::string take_problem();

  private:
    void work(std::stop_token quit);

    std::string path_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<SavedState> waiting_;
    std::string problem_;
    bool failed_ = false;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace tonescope
