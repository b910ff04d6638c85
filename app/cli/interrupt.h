// Ctrl+C in headless runs: the image under way is given up, nothing half-written stays.
#pragma once

#include <stop_token>
#include <thread>

namespace tonescope {

/// While it lives, the first SIGINT or SIGTERM sets the token; a second one ends the program at once. Make it before
/// any other thread starts, so that they all leave the signals to it.
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
