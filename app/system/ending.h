// How the program ends: by signals, and where something hangs.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

namespace tonescope {

/// What the program may take to end once nothing moves any more.
inline constexpr std::chrono::milliseconds kEndPatience{2000};

/// For main, before anything else. Signals that end a program remove its temporary files first; those that are ignored
/// stay so. A closed pipe and a limit on the size of files are errors of writing. Files that the program opens are
/// not taken for standard input, output or error where these are closed.
void prepare_to_end();

/// The program ends within this time, whatever hangs: by exit() or, where not even that comes to its end, at once, with
/// `unsaid` on standard error, whole lines, and no temporary file. The exit status is `status`, or the signal's that
/// asked for the end. A further call takes this one's place.
void end_within(std::chrono::milliseconds time, int status, const std::string& unsaid);

/// For main, last: what follows, the end of libraries and of a GPU's driver, takes no longer than kEndPatience, unless
/// the program is already to end within some time.
void end_soon(int status);

/// Ends the program without any destructor, as end_within() does when its time is over.
[[noreturn]] void end_at_once();

/// For Ctrl+C: the work under way is given up, nothing half-written stays. While the guard lives, the first SIGINT,
/// SIGTERM or SIGHUP sets the token, and the program has kEndPatience to end; a second one ends it at once.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    std::stop_token token() const { return interrupted_.get_token(); }
    /// Ends the program by the signal that came, as if it had never been held back; returns where none came.
    void finish();

  private:
    std::stop_source interrupted_;
    std::jthread watcher_;
};

}  // namespace tonescope
