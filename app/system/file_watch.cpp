#include "app/system/file_watch.h"

#include <sys/stat.h>

namespace tonescope {
namespace {

/// False: `stop` was set meanwhile.
bool sleep_for(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

/// Waits for a change. Throws Cancelled.
FileStamp next_change(const std::string& path, const std::optional<FileStamp>& since,
                      std::chrono::milliseconds interval, const std::stop_token& stop) {
    std::optional<FileStamp> last = file_stamp(path);
    const std::optional<FileStamp> known = since ? since : last;
    while (sleep_for(interval, stop)) {
        const std::optional<FileStamp> now = file_stamp(path);
        // The same twice: whoever writes it has stopped.
        if (now && now != known && now == last) return *now;
        last = now;
    }
    throw Cancelled{};
}

}  // namespace

std::optional<FileStamp> file_stamp(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    return FileStamp{int64_t(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec, int64_t(info.st_size),
                     uint64_t(info.st_ino)};
}

void FileWatch::watch(const std::string& path, const std::optional<FileStamp>& since) {
    if (path == path_ && (!since || since == since_)) return;
    path_ = path;
    since_ = since;
    report_.clear();
    start(since);
}

void FileWatch::start(const std::optional<FileStamp>& since) {
    running_.request_stop();
    if (path_.empty()) return;
    running_ = worker_.start([path = path_, since, interval = interval_](
                                 std::stop_token stop) { return next_change(path, since, interval, stop); },
                             [this](const Outcome<FileStamp>& changed) {
                                 if (!changed.value) return;
                                 report_ = path_;
                                 start(changed.value);
                             });
}

std::string FileWatch::take_changed() {
    worker_.drain();
    return std::exchange(report_, {});
}

}  // namespace tonescope
