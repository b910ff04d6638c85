#include "app/sandbox/confinement.h"

#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "app/sandbox/channel.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope::sandbox {
namespace {

/// For what starting to decode takes: buffers, the heap's larger pieces.
constexpr uint64_t kSlack_bytes = uint64_t{64} << 20;

void check_call(int result, const char* what) {
    if (result == 0) return;
    const int error = result < -1 ? -result : errno;
    throw UserError(std::string(what) + ": " + errno_text(error));
}

/// linux/landlock.h of older systems lacks the newer members.
struct LandlockRules {
    uint64_t files = 0, connections = 0, scopes = 0;
};

/// The version that is in force; 0 where there is none.
int enter_landlock() {
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, size_t{0}, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return 0;
    // Every right that the version knows; rules that would allow something are not added.
    const int file_rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    LandlockRules rules;
    rules.files = (uint64_t{1} << file_rights) - 1;
    if (version >= 4) rules.connections = 3;  // bind, connect
    if (version >= 6) rules.scopes = 3;       // abstract sockets, signals to others
    const size_t known = version >= 6 ? 3 : version >= 4 ? 2 : 1;
    const long rule_set = syscall(SYS_landlock_create_ruleset, &rules, known * sizeof(uint64_t), 0U);
    if (rule_set < 0) return 0;
    const long entered = syscall(SYS_landlock_restrict_self, int(rule_set), 0U);
    close(int(rule_set));
    return entered == 0 ? int(version) : 0;
}

/// What decoders need. Of calls that are neither here nor below, the C library believes that the kernel lacks them.
constexpr int kAllowed[] = {
    SCMP_SYS(pread64),      SCMP_SYS(close),        SCMP_SYS(munmap),
    SCMP_SYS(mremap),       SCMP_SYS(madvise),      SCMP_SYS(brk),
    SCMP_SYS(futex),        SCMP_SYS(sched_yield),  SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday), SCMP_SYS(getrandom),    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigaction), SCMP_SYS(sigaltstack),  SCMP_SYS(getpid),
    SCMP_SYS(gettid),       SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),         SCMP_SYS(exit_group),
};
#ifdef TONESCOPE_SANITIZED
/// The sanitizers look through pipes whether memory can be read.
constexpr int kAllowedToSanitizers[] = {SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(read), SCMP_SYS(write)};
#else
constexpr std::array<int, 0> kAllowedToSanitizers{};
#endif
/// What no decoder has a reason to do.
constexpr int kForbidden[] = {
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(openat2),
    SCMP_SYS(creat),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(truncate),
    SCMP_SYS(ftruncate),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(clone),
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(ptrace),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd),
};

/// libseccomp may compute for ever where it lacks memory: the signal ends this process.
class ProcessorTimer {
  public:
    ProcessorTimer() { set(kPatience_s); }
    ~ProcessorTimer() { set(0); }
    ProcessorTimer(const ProcessorTimer&) = delete;
    ProcessorTimer& operator=(const ProcessorTimer&) = delete;

  private:
    static constexpr time_t kPatience_s = 1;  // it takes a millisecond

    static void set(time_t seconds) {
        const itimerval timer{{}, {seconds, 0}};
        setitimer(ITIMER_PROF, &timer, nullptr);
    }
};

/// Made once: a process that is about to be confined need not allocate.
std::vector<sock_filter> make_filter() {
    const ProcessorTimer timer;
    std::shared_ptr<void> filter(seccomp_init(SCMP_ACT_ERRNO(ENOSYS)), seccomp_release);
    if (!filter) throw UserError("seccomp: no filter can be made");
    for (const int call : kForbidden)
        check_call(seccomp_rule_add(filter.get(), SCMP_ACT_KILL_PROCESS, call, 0), "seccomp");
    for (const int call : kAllowed) check_call(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0), "seccomp");
    for (const int call : kAllowedToSanitizers)
        check_call(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0), "seccomp");
    // No memory that can be executed.
    for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)})
        check_call(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)),
                   "seccomp");
    for (const int call : {SCMP_SYS(sendmsg), SCMP_SYS(recvmsg)})
        check_call(seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 1, SCMP_A0_32(SCMP_CMP_EQ, kChannel)),
                   "seccomp");
    // What a sanitizer finds; otherwise it is /dev/null.
    check_call(
        seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(write), 1, SCMP_A0_32(SCMP_CMP_EQ, STDERR_FILENO)),
        "seccomp");
    const Descriptor file(memfd_create("tonescope-filter", MFD_CLOEXEC));
    if (!file) throw UserError("seccomp: " + errno_text(errno));
    check_call(seccomp_export_bpf(filter.get(), file.get()), "seccomp");
    std::vector<sock_filter> program(BPF_MAXINSNS);
    const ssize_t bytes = pread(file.get(), program.data(), program.size() * sizeof(sock_filter), 0);
    program.resize(size_t(std::max<ssize_t>(bytes, 0)) / sizeof(sock_filter));
    if (program.empty()) throw UserError("seccomp: no filter can be made");
    return program;
}

uint64_t address_bytes() {
    unsigned long pages = 0;
    FILE* const file = std::fopen("/proc/self/statm", "re");
    if (file == nullptr || std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    if (file != nullptr) std::fclose(file);
    return uint64_t{pages} * uint64_t(sysconf(_SC_PAGESIZE));
}

/// At the hard limit of processor time nothing says why the process ends, so that it lies a second behind.
void limit(int resource, uint64_t most, uint64_t hard_more = 0) {
    rlimit now{};
    if (getrlimit(resource, &now) != 0) return;
    const rlimit wanted{std::min<rlim_t>(now.rlim_max, most), std::min<rlim_t>(now.rlim_max, most + hard_more)};
    check_call(setrlimit(resource, &wanted), "limits");
}

}  // namespace

Confinement::Confinement() : own_bytes_(address_bytes()) {
    check_call(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
    // Where libseccomp lacks memory it may lose a rule without a word, and decoders would crash.
    filter_ = make_filter();
    const std::vector<sock_filter> again = make_filter();
    if (again.size() != filter_.size() ||
        std::memcmp(again.data(), filter_.data(), again.size() * sizeof(sock_filter)) != 0)
        throw std::bad_alloc();
    landlock_ = enter_landlock();
}

void Confinement::enter(const Limits& limits) const {
    limit(RLIMIT_CORE, 0);
    if (limits.processor_s != UINT64_MAX) limit(RLIMIT_CPU, limits.processor_s, 1);
#ifndef TONESCOPE_SANITIZED
    limit(RLIMIT_FSIZE, 0);
    if (own_bytes_ > 0 && limits.memory_bytes < UINT64_MAX - own_bytes_ - kSlack_bytes)
        limit(RLIMIT_AS, own_bytes_ + kSlack_bytes + limits.memory_bytes);
#endif
    sock_fprog program{static_cast<unsigned short>(filter_.size()), const_cast<sock_filter*>(filter_.data())};
    check_call(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0), "seccomp");
}

}  // namespace tonescope::sandbox
