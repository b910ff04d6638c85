// Tells when a file has been changed by another program.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "app/system/tasks.h"

namespace tonescope {

/// What a look at a file tells.
struct FileStamp {
    int64_t modified_ns = 0, size_bytes = 0;
    uint64_t device = 0, inode = 0;
    bool operator==(const FileStamp&) const = default;
};
/// Nothing where there is no file.
inline std::optional<FileStamp> file_stamp(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    return FileStamp{int64_t(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec, int64_t(info.st_size),
                     uint64_t(info.st_dev), uint64_t(info.st_ino)};
}

/// A worker looks at the file now and then: that works on every file system, also where changes are made on another
/// machine.
class FileWatch {
  public:
    /// `wake` is called from another thread when take_changed() has something to say.
    explicit FileWatch(std::function<void()> wake, std::chrono::milliseconds interval = std::chrono::milliseconds(700))
        : interval_(interval), worker_(1, std::move(wake)) {}
    ~FileWatch() { running_.request_stop(); }

    /// Watches this file, in place of the one before; empty: none. What differs from `since` is a change; without it,
    /// what happens from now on.
    void watch(const std::string& path, const std::optional<FileStamp>& since = {}) {
        if (path == path_ && (!since || since == since_)) return;
        path_ = path;
        since_ = since;
        report_.clear();
        start(since);
    }
    /// The watched file, once after each change that has come to rest; else empty.
    std::string take_changed() {
        worker_.drain();
        return std::exchange(report_, {});
    }

  private:
    /// False: `stop` was set meanwhile.
    static bool sleep_for(std::chrono::milliseconds time, const std::stop_token& stop) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any never;
        never.wait_for(lock, stop, time, [] { return false; });
        return !stop.stop_requested();
    }
    /// Waits for a change. Throws Canceled.
    static FileStamp next_change(const std::string& path, const std::optional<FileStamp>& since,
                                 std::chrono::milliseconds interval, const std::stop_token& stop) {
        std::optional<FileStamp> last = file_stamp(path);
        const std::optional<FileStamp> known = since ? since : last;
        while (sleep_for(interval, stop)) {
            const std::optional<FileStamp> now = file_stamp(path);
            // The same twice: whoever writes it has stopped.
            if (now && now != known && now == last) return *now;
            last = now;
        }
        throw Canceled{};
    }
    void start(const std::optional<FileStamp>& since) {
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

    std::chrono::milliseconds interval_;  // between looks
    std::string path_, report_;
    std::optional<FileStamp> since_;
    std::stop_source running_;
    Tasks worker_;
};

}  // namespace tonescope
