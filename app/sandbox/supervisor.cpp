// The supervisor's side.
#include <cxxabi.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <list>
#include <new>
#include <span>
#include <typeinfo>
#include <vector>

#include "app/sandbox/sandbox.h"
#include "gpu/core/error.h"

namespace tonescope::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

struct Process {
    pid_t id = 0;
    Channel channel;
    Ending ending = Ending::by_itself;
    bool is_wanted = true;
    int64_t processor_ns = -1;  // at the last look
    int idle_looks = 0;         // since it has computed
};

/// -1 where there is none.
int64_t processor_time_ns(pid_t process) {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Ends a confined process where no exception can pass.
[[noreturn]] void end_terminated() {
    const std::type_info* const thrown = abi::__cxa_current_exception_type();
    if (thrown == nullptr || *thrown == typeid(std::bad_alloc)) _exit(kLacksMemory);
    std::abort();
}

class Supervisor {
  public:
    Supervisor(void (*work)(Channel&), std::chrono::milliseconds patience)
        : work_(work), look_(patience / kLooks), control_(Descriptor(kChannel)) {
        try {
            confinement_.emplace();
        } catch (const UserError& error) {
            problem_ = error.what();
        }
    }

    void run() {
        sigset_t none;
        sigemptyset(&none);
        std::vector<pollfd> sources;
        while (true) {
            sources.assign(1, {control_.fd(), POLLIN, 0});
            for (const Process& process : processes_)
                if (process.is_wanted) sources.push_back({process.channel.fd(), 0, 0});
            const timespec look = {.tv_sec = look_.count() / 1000, .tv_nsec = look_.count() % 1000 * 1'000'000};
            const int ready = ppoll(sources.data(), sources.size(), processes_.empty() ? nullptr : &look, &none);
            if (ready < 0 && errno != EINTR) return;
            bury_dead();
            if (Clock::now() >= looked_ + look_) end_idle();
            if (ready <= 0) continue;
            for (const pollfd& source : std::span(sources).subspan(1))
                if (source.revents != 0) end_unwanted(source.fd);
            if (sources[0].revents != 0 && !take_order()) return;
        }
    }

    ~Supervisor() {
        for (const Process& process : processes_) kill(process.id, SIGKILL);
    }

  private:
    /// False: the program has ended.
    bool take_order() {
        Descriptor socket;
        auto order = control_.receive(&socket);
        if (!order) return false;
        Limits limits;
        limits.memory_bytes = order->number(UINT64_MAX);
        limits.processor_s = order->number(UINT64_MAX);
        Channel channel(std::move(socket));
        const pid_t supervisor = getpid(), id = fork();
        // Nobody else would end one that hangs.
        if (id == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != supervisor)) _exit(1);
        if (id == 0) become_confined(std::move(channel), limits);
        if (id < 0) {
            tell_end(channel, Ending::not_started, errno);
        } else {
            processes_.push_back({.id = id, .channel = std::move(channel)});
        }
        return true;
    }

    [[noreturn]] void become_confined(Channel channel, const Limits& limits) noexcept {
        std::set_terminate(end_terminated);
        // All others that the supervisor has are closed.
        if (dup2(channel.fd(), kChannel) < 0 || close_range(kChannel + 1, ~0U, 0) != 0) _exit(1);
        std::signal(SIGCHLD, SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        std::string problem = problem_;
        if (problem.empty()) {
            try {
                confinement_->enter(limits);
            } catch (const UserError& error) {
                problem = error.what();
            }
        }
        Channel own{Descriptor(kChannel)};
        const bool is_heard = own.send(MessageWriter().number(kGreeting).text(problem).number(
            uint64_t(confinement_ ? confinement_->landlock() : 0)));
        if (is_heard && problem.empty()) work_(own);
        _exit(0);
    }

    void bury_dead() {
        int status = 0;
        for (pid_t dead = 0; (dead = waitpid(-1, &status, WNOHANG)) > 0;) {
            const auto found = std::ranges::find(processes_, dead, &Process::id);
            if (found == processes_.end()) continue;
            tell_end(found->channel, found->ending, status);
            processes_.erase(found);
        }
    }

    /// One that neither computes nor ends waits for something that does not come. Looks are counted rather than time,
    /// since all processes may be stopped for a while.
    void end_idle() {
        looked_ = Clock::now();
        for (Process& process : processes_) {
            const int64_t processor_ns = processor_time_ns(process.id);
            process.idle_looks = processor_ns == process.processor_ns ? process.idle_looks + 1 : 0;
            process.processor_ns = processor_ns;
            if (process.idle_looks < kLooks || !process.is_wanted) continue;
            process.ending = Ending::idle;
            end(process);
        }
    }

    void end_unwanted(int channel) {
        for (Process& process : processes_)
            if (process.channel.fd() == channel) end(process);
    }

    static void end(Process& process) {
        kill(process.id, SIGKILL);
        process.is_wanted = false;
    }

    static void tell_end(Channel& channel, Ending ending, int status) {
        channel.send_at_once(MessageWriter().number(kEnded).number(ending).number(uint64_t(uint32_t(status))));
    }

    static constexpr int kLooks = 12;

    void (*const work_)(Channel&);
    const std::chrono::milliseconds look_;
    Channel control_;
    std::optional<Confinement> confinement_;
    std::string problem_;  // where there is none
    std::list<Process> processes_;
    Clock::time_point looked_ = Clock::now();
};

}  // namespace

void supervise(void (*work)(Channel&), std::chrono::milliseconds patience) {
    prctl(PR_SET_NAME, "tonescope-files");
    // The terminal's signals are the program's business.
    for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
    // SIGCHLD only has to end a wait, and comes in no other place.
    std::signal(SIGCHLD, [](int) {});
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_SETMASK, &children, nullptr);
    if (close_range(kChannel + 1, ~0U, 0) != 0) _exit(1);
    try {
        Supervisor(work, patience).run();
    } catch (const std::exception&) {  // lack of memory: the program starts another one
        _exit(1);
    }
    // What would run at the end of the program has no place here.
    _exit(0);
}

}  // namespace tonescope::sandbox
