#include "app/system/ending.h"

#include <fcntl.h>
#include <semaphore.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "app/image_io/temporary_name.h"

namespace tonescope {
namespace {

// What the handler of signals uses.
std::atomic<int> asked_by = 0;         // the signal that asked for the end
std::atomic<bool> is_guarded = false;  // by an InterruptGuard
std::atomic<bool> has_clock = false;   // SIGALRM is a tick of it
std::atomic<int> ticks_left = 0;       // until the program has to be over
std::atomic<bool> is_leaving = false;
std::atomic<int> last_status = 1;
std::array<char, 4096> last_words;
std::atomic<size_t> last_words_bytes = 0;
sem_t was_asked;

void on_signal(int signal);

void let_through(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

[[noreturn]] void end_by(int signal) {
    std::signal(signal, SIG_DFL);
    let_through(signal);
    std::raise(signal);
    _exit(128 + signal);
}

[[noreturn]] void leave() {
    if (const int signal = asked_by) end_by(signal);
    _exit(last_status);
}

/// A machine that stands still for a while is nothing that hangs: of the ticks it misses, it gets one.
void start_clock(std::chrono::milliseconds time) {
    constexpr std::chrono::milliseconds kTick(20);
    ticks_left = std::max(1, int(time / kTick));
    has_clock = true;
    std::signal(SIGALRM, on_signal);  // also where whoever started the program ignores or blocks it
    let_through(SIGALRM);
    const timeval tick{0, std::chrono::microseconds(kTick).count()};
    const itimerval timer{tick, tick};
    setitimer(ITIMER_REAL, &timer, nullptr);
}

void on_signal(int signal) {
    const int error = errno;
    if (signal == SIGALRM && has_clock) {
        if (--ticks_left == 0) end_at_once();
        errno = error;
        return;
    }
    const bool asks = signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
    int none = 0;
    if (asks && is_guarded && asked_by.compare_exchange_strong(none, signal)) {
        start_clock(kEndPatience);
        sem_post(&was_asked);
        errno = error;
        return;
    }
    std::signal(signal, SIG_DFL);  // where removing fails, too
    image_io::remove_temporary_files();
    end_by(signal);
}

}  // namespace

void prepare_to_end() {
    // What is open the wrong way round fails as what is closed does.
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(file, F_GETFD) < 0) (void)!open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV,
                             SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGSYS, SIGVTALRM, SIGPROF, SIGPOLL}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
        action.sa_handler = on_signal;
        action.sa_flags = SA_RESTART | SA_NODEFER;
        sigaction(signal, &action, nullptr);
    }
}

void end_at_once() {
    if (is_leaving.exchange(true)) leave();  // removing files hangs, too
    start_clock(std::chrono::milliseconds(500));
    (void)!write(STDERR_FILENO, last_words.data(), last_words_bytes);
    image_io::remove_temporary_files();
    leave();
}

void end_within(std::chrono::milliseconds time, int status, const std::string& unsaid) {
    last_status = status;
    last_words_bytes = 0;
    const bool fits = unsaid.size() <= last_words.size();
    const size_t bytes = fits ? unsaid.size() : unsaid.rfind('\n', last_words.size() - 1) + 1;  // whole lines
    last_words_bytes = unsaid.copy(last_words.data(), bytes);
    start_clock(time);
}

void end_soon(int status) {
    if (!has_clock) end_within(kEndPatience, status, "");
}

InterruptGuard::InterruptGuard() {
    sem_init(&was_asked, 0, 0);
    try {
        watcher_ = std::jthread([this](std::stop_token done) {
            while (sem_wait(&was_asked) != 0) {
            }
            if (!done.stop_requested()) interrupted_.request_stop();
        });
        is_guarded = true;
    } catch (const std::system_error&) {  // no thread to be had: a signal ends the program at once
    }
}

InterruptGuard::~InterruptGuard() {
    is_guarded = false;
    watcher_.request_stop();
    sem_post(&was_asked);
}

void InterruptGuard::finish() {
    if (const int signal = asked_by) end_by(signal);
}

}  // namespace tonescope
