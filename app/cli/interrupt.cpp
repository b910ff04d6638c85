#include "app/cli/modes.h"

#include <atomic>
#include <csignal>

namespace tonescope {
namespace {

std::atomic<int> caught = 0;

sigset_t watched() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void end_by(int signal) {
    std::signal(signal, SIG_DFL);
    const sigset_t set = watched();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    std::raise(signal);
}

}  // namespace

InterruptGuard::InterruptGuard() {
    const sigset_t set = watched();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    watcher_ = std::jthread([this](std::stop_token done) {
        const sigset_t signals = watched();
        while (true) {
            const int signal = sigwaitinfo(&signals, nullptr);
            if (done.stop_requested()) return;
            if (signal <= 0) continue;
            if (caught != 0) end_by(signal);
            caught = signal;
            interrupted_.request_stop();
        }
    });
}

InterruptGuard::~InterruptGuard() {
    watcher_.request_stop();
    pthread_kill(watcher_.native_handle(), SIGTERM);  // wakes only the watcher
    watcher_.join();
    const sigset_t set = watched();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void InterruptGuard::finish() {
    if (caught != 0) end_by(caught);
}

}  // namespace tonescope
