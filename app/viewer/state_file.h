// The file of what lasts from run to run. It may be damaged, of another version or none of this program's, and several
// windows share it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/viewer/saved_state.h"

namespace tonescope {

/// $TONESCOPE_STATE names the file, or nothing is kept where it is "none"; else state.json in the user's folder of
/// states, for windows, not for screenshots. Empty: nothing is kept.
std::string saved_state_path(bool is_screenshot);

struct StateOnDisk {
    std::optional<SavedState> state = {};
    std::string problem = {};  // one line; may be empty
    bool may_write = true;     // false: the file is left alone
};

/// A missing or empty file gives no state. A damaged one that this program has written is renamed to PATH.damaged. What
/// this program has not written, what is of a newer version and what cannot be read is left alone.
StateOnDisk read_saved_state(const std::string& path);

/// What has changed from `before` to `now`, done to what another window has written meanwhile.
SavedState merge_states(const SavedState& before, const SavedState& now, const SavedState& theirs);

/// Writes a file some time after a change, and at the end, on a thread of its own.
class StateWriter {
  public:
    /// `known`: what the file held at the start. The thread calls `wake` when take_problem() has something to say.
    StateWriter(std::string path, SavedState known, std::function<void()> wake);
    /// Writes the newest state if it has not been written yet.
    ~StateWriter() { thread_.request_stop(); }

    void put(SavedState state);
    /// Says once, in one line, why the file cannot be written.
    std::string take_problem();

  private:
    void work(std::stop_token quit);
    std::string write(const SavedState& state);

    std::string path_;
    SavedState known_;  // what this window has written, without what others have; the thread's
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<SavedState> waiting_;
    std::string problem_;
    bool failed_ = false;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace tonescope
