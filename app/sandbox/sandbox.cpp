// The program's side.
#include "app/sandbox/sandbox.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <mutex>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope::sandbox {
namespace {

constexpr size_t kMaxText_bytes = 4096;
const std::string kNoProcess = "no process can be started for it: ";
constexpr const char* kArgument = "--supervise-confined-processes";

/// The supervisor, as the program sees it.
class Started {
  public:
    static Started& instance() {
        static auto* const made = new Started;  // never destroyed: a worker may still use it when the program ends
        return *made;
    }

    void start() {
        const std::lock_guard lock(mutex_);
        is_wanted_ = true;
        rlimit files{};
        if (getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_cur < kShared_bytes)
            return refuse("the limit on the size of files (ulimit -f) leaves no memory to share");
        spawn();
    }

    /// Orders a process whose end of a channel this is. False: there are none.
    bool order(const Limits& limits, const Descriptor& end) {
        const std::lock_guard lock(mutex_);
        const MessageWriter order = MessageWriter().number(limits.memory_bytes).number(limits.processor_s);
        if (control_ && control_->send(order, end.get())) return true;
        const bool has_ended = !control_ || errno == EPIPE || errno == ECONNRESET;
        if (has_worked_ && has_ended) spawn();
        return control_ && control_->send(order, end.get());
    }

    /// What the first process says holds for all.
    void note(const std::string& problem, int landlock) {
        const std::lock_guard lock(mutex_);
        landlock_ = landlock;
        if (problem.empty()) {
            has_worked_ = true;
            problem_.clear();
        } else {
            refuse(problem);
        }
    }
    bool may_have_some() {
        const std::lock_guard lock(mutex_);
        return is_wanted_ && problem_.empty();
    }
    bool has_worked() {
        const std::lock_guard lock(mutex_);
        return has_worked_;
    }

    std::string describe() {
        const std::lock_guard lock(mutex_);
        if (has_worked_)
            return "in a process without rights (seccomp" +
                   (landlock_ > 0 ? ", Landlock " + std::to_string(landlock_) : std::string()) + ")";
        return "in this process: " + (problem_.empty() ? "no other was asked for" : problem_);
    }

  private:
    void refuse(const std::string& problem) {
        if (!has_worked_ && problem_.empty()) problem_ = problem;
    }

    void spawn() {
        control_.reset();
        if (id_ > 0) TEMP_FAILURE_RETRY(waitpid(id_, nullptr, 0));  // it has closed its end, and is about to end
        id_ = 0;
        auto ends = Channel::make_pair();
        if (!ends) return refuse(kNoProcess + errno_text(errno));
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        for (const int standard : {0, 1}) posix_spawn_file_actions_addopen(&files, standard, "/dev/null", O_RDWR, 0);
#ifndef TONESCOPE_SANITIZED
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_RDWR, 0);
#endif
        posix_spawn_file_actions_adddup2(&files, ends->second.get(), kChannel);
        // No signal gets through before the supervisor has said which ones it takes.
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t all;
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        std::string name = "tonescope", argument = kArgument;
        char* const arguments[] = {name.data(), argument.data(), nullptr};
        const int error = posix_spawn(&id_, "/proc/self/exe", &files, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
        if (error != 0) {
            id_ = 0;
            return refuse(kNoProcess + errno_text(error));
        }
        control_ = std::move(ends->first);
    }

    std::mutex mutex_;
    bool is_wanted_ = false, has_worked_ = false;
    pid_t id_ = 0;
    std::optional<Channel> control_;
    std::string problem_;  // why there are no confined processes
    int landlock_ = 0;
};

}  // namespace

bool is_supervisor(int argc, char** argv) {
    return argc == 2 && std::strcmp(argv[1], kArgument) == 0;
}

void start() {
    Started::instance().start();
}

std::optional<Channel> open(const Limits& limits, const std::stop_token& stop) {
    Started& started = Started::instance();
    if (!started.may_have_some()) return {};
    auto ends = Channel::make_pair();
    if (!ends) throw UserError(kNoProcess + errno_text(errno));
    std::string problem = kNoProcess + "its supervisor has ended";
    if (started.order(limits, ends->second)) {
        ends->second = {};
        const std::stop_callback end(stop, [&] { ends->first.shut_down(); });
        if (auto message = ends->first.receive()) {
            if (message->number(kGreeting) == kGreeting) {
                problem = message->text(kMaxText_bytes);
                started.note(problem, int(message->number(INT_MAX)));
            } else {
                problem = end_text(*message, "its process");
            }
        }
        if (stop.stop_requested()) throw Canceled{};
    }
    if (problem.empty()) return std::move(ends->first);
    if (started.has_worked()) throw UserError(problem);
    started.note(problem, 0);
    return {};
}

std::string end_text(MessageReader& rest, const std::string& process) {
    const auto ending = rest.choice<Ending>();
    const int status = int(uint32_t(rest.number(UINT32_MAX)));
    if (ending == Ending::not_started) return kNoProcess + errno_text(status);
    if (ending == Ending::idle) return process + " waited for too long, and was ended; try again if the disk is slow";
    if (WIFEXITED(status) && WEXITSTATUS(status) == kLacksMemory) return kTooLittleMemory;
    if (!WIFSIGNALED(status)) return process + " ended too early";
    switch (const int signal = WTERMSIG(status)) {
        case SIGSYS:
            return process + " tried what it has no right to, and was ended";
        case SIGXCPU:
            return process + " took too long, and was ended";
        case SIGKILL:
            return process + " was killed; there may be too little memory";
        default:
            return process + " crashed (signal " + std::to_string(signal) + ")";
    }
}

std::string describe() {
    try {
        open({});
    } catch (const UserError&) {  // told below
    }
    return Started::instance().describe();
}

}  // namespace tonescope::sandbox
