#include "gpu/core/free_memory.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "gpu/core/error.h"

namespace tonescope {
namespace {

constexpr uint64_t kNoLimit = UINT64_MAX;
constexpr uint64_t kReserve_bytes = uint64_t{64} << 20;
constexpr uint64_t kReserveShare = 16;

std::optional<uint64_t> told_bytes;
thread_local uint64_t share_bytes = kNoLimit;

constexpr size_t kLarge_bytes = size_t{4} << 20;

/// Frees large blocks in a thread of its own.
class Disposal {
  public:
    void start() {
        try {
            std::thread([this] { work(); }).detach();
        } catch (const std::system_error&) {
            return;
        }
        const std::scoped_lock lock(mutex_);
        is_running_ = true;
    }
    /// False: it has no thread.
    bool take(void* block, std::align_val_t alignment) noexcept {
        const std::scoped_lock lock(mutex_);
        if (!is_running_) return false;
        first_ = new (block) Link{first_, alignment};
        changed_.notify_all();
        return true;
    }
    /// Returns when all blocks that were taken are free.
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return first_ == nullptr && !frees_; });
    }

  private:
    /// In the block itself: to free must not need memory.
    struct Link {
        Link* next;
        std::align_val_t alignment;
    };

    [[noreturn]] void work() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [&] { return first_ != nullptr; });
            Link* const block = std::exchange(first_, first_->next);
            frees_ = true;
            lock.unlock();
            ::operator delete[](static_cast<void*>(block), block->alignment);
            lock.lock();
            frees_ = false;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    Link* first_ = nullptr;
    bool is_running_ = false, frees_ = false;
};

/// Never destroyed: its thread runs to the end of the process.
Disposal& disposal() {
    static auto* const instance = new Disposal;
    return *instance;
}

/// Empty where there is no such file.
std::string text_of(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return {};
    std::string text(size_t{1} << 14, '\0');
    size_t size = 0;
    for (ssize_t n = 1; n > 0 && size < text.size(); size += size_t(std::max<ssize_t>(n, 0)))
        n = read(fd, text.data() + size, text.size() - size);
    close(fd);
    text.resize(size);
    return text;
}

/// The number behind `name` at the beginning of a line; where `name` is empty, the text's first one.
std::optional<uint64_t> number_in(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (!line.starts_with(name)) continue;
        line.remove_prefix(std::min(line.find_first_not_of(" \t", name.size()), line.size()));
        uint64_t number = 0;
        if (std::from_chars(line.data(), line.data() + line.size(), number).ec != std::errc{}) return {};
        return number;
    }
    return {};
}

/// What the names of a version's files are. Above `brake`, version 2 slows a group down until it gives memory back.
struct GroupFiles {
    const char *mount, *limit, *brake, *usage, *inactive, *active;
};
constexpr GroupFiles kVersion1 = {"/sys/fs/cgroup/memory",  "/memory.limit_in_bytes", "/memory.limit_in_bytes",
                                  "/memory.usage_in_bytes", "total_inactive_file ",   "total_active_file "};
constexpr GroupFiles kVersion2 = {"/sys/fs/cgroup",  "/memory.max",    "/memory.high",
                                  "/memory.current", "inactive_file ", "active_file "};

/// What a group leaves. The cache of files counts as taken, but gives way.
uint64_t left_in(const std::string& folder, const GroupFiles& files) {
    const uint64_t limit = std::min(number_in(text_of(folder + files.limit), "").value_or(kNoLimit),
                                    number_in(text_of(folder + files.brake), "").value_or(kNoLimit));
    const auto usage = number_in(text_of(folder + files.usage), "");
    if (limit == kNoLimit || !usage) return kNoLimit;
    const std::string counts = text_of(folder + "/memory.stat");
    const uint64_t cache = number_in(counts, files.inactive).value_or(0) + number_in(counts, files.active).value_or(0);
    const uint64_t taken = *usage - std::min(*usage, cache);
    return limit - std::min(limit, taken);
}

/// The least that a group and those above it leave. Within a container, the group may be the root of what is mounted.
uint64_t left_in_groups(const std::string& root, std::string group, const GroupFiles& files) {
    uint64_t left = left_in(root + files.mount, files);
    while (group.size() > 1) {
        left = std::min(left, left_in(root + files.mount + group, files));
        group.resize(group.rfind('/'));
    }
    return left;
}

/// Lines of /proc/self/cgroup are NUMBER:CONTROLLERS:PATH; version 2 has no controllers there.
uint64_t left_by_groups(const std::string& root) {
    const std::string groups = text_of(root + "/proc/self/cgroup");
    uint64_t left = kNoLimit;
    for (size_t at = 0; at < groups.size();) {
        const size_t end = std::min(groups.find('\n', at), groups.size());
        const std::string line = groups.substr(at, end - at);
        at = end + 1;
        const size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == line.npos || line[second + 1 < line.size() ? second + 1 : 0] != '/') continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const std::string group = line.substr(second + 1);
        if (controllers == ",,") left = std::min(left, left_in_groups(root, group, kVersion2));
        if (controllers.find(",memory,") != controllers.npos)
            left = std::min(left, left_in_groups(root, group, kVersion1));
    }
    return left;
}

uint64_t left_by_own_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
    const auto pages = number_in(text_of("/proc/self/statm"), "");
    if (!pages) return kNoLimit;
    const uint64_t taken = *pages * uint64_t(sysconf(_SC_PAGESIZE));
    return limit.rlim_cur - std::min<uint64_t>(limit.rlim_cur, taken);
}

}  // namespace

void set_free_memory(uint64_t bytes) {
    told_bytes = bytes;
}

MemoryShare::MemoryShare(uint64_t bytes) {
    share_bytes = bytes;
}

MemoryShare::~MemoryShare() {
    share_bytes = kNoLimit;
}

uint64_t free_memory_bytes(const std::string& root) {
    if (root.empty()) disposal().wait();
    if (root.empty() && told_bytes) return std::min(*told_bytes, share_bytes);
    uint64_t left = left_by_groups(root);
    if (const auto available_kb = number_in(text_of(root + "/proc/meminfo"), "MemAvailable:"))
        left = std::min(left, *available_kb * 1024);
    if (root.empty()) left = std::min(left, left_by_own_limit());
    const uint64_t share = root.empty() ? share_bytes : kNoLimit;
    if (left == kNoLimit) return share;
    return std::min(share, left - std::min(left, std::max(kReserve_bytes, left / kReserveShare)));
}

void check_memory(uint64_t needed_bytes, uint64_t limit_bytes) {
    if (needed_bytes <= limit_bytes) return;
    throw MemoryError("it needs " + memory_text(needed_bytes) + " of memory, and it may take " +
                      memory_text(limit_bytes));
}

void check_memory(uint64_t needed_bytes) {
    if (needed_bytes > kAlwaysTried_bytes) check_memory(needed_bytes, free_memory_bytes());
}

void give_back_aside() {
    disposal().start();
}

void give_back(void* block, size_t bytes, std::align_val_t alignment) noexcept {
    if (block == nullptr || (bytes >= kLarge_bytes && disposal().take(block, alignment))) return;
    ::operator delete[](block, alignment);
}

std::string memory_text(uint64_t bytes) {
    constexpr uint64_t kMega = 1'000'000, kGiga = 1'000'000'000;
    const uint64_t megabytes = (bytes + kMega - 1) / kMega;
    if (megabytes < 1000) return std::to_string(megabytes) + " MB";
    const uint64_t tenths = (bytes + kGiga / 20) / (kGiga / 10);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

}  // namespace tonescope
