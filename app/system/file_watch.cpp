// Looks at the file now and then: that works on every file system, also where changes are made on another machine.
#include "app/system/file_watch.h"

#include <sys/stat.h>

#include <utility>

namespace tonescope {

FileWatch::FileWatch(std::function<void()> wake, std::chrono::milliseconds interval)
    : wake_(std::move(wake)), interval_(interval), thread_([this](std::stop_token quit) { work(quit); }) {}

FileWatch::~FileWatch() {
    thread_.request_stop();
}

void FileWatch::watch(const std::string& path, const std::optional<FileStamp>& since) {
    {
        const std::lock_guard lock(mutex_);
        if (path == path_ && (!since || since == since_)) return;
        path_ = path;
        since_ = since;
        report_.clear();
        ++generation_;
    }
    changed_.notify_one();
}

std::string FileWatch::take_changed() {
    const std::lock_guard lock(mutex_);
    return std::exchange(report_, {});
}

std::optional<FileStamp> file_stamp(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    return FileStamp{int64_t(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec, int64_t(info.st_size),
                     uint64_t(info.st_ino)};
}

void FileWatch::work(std::stop_token quit) {
    std::optional<FileStamp> known, last;
    uint64_t generation = 0;
    std::unique_lock lock(mutex_);
    while (!quit.stop_requested()) {
        if (path_.empty()) {
            changed_.wait(lock, quit, [&] { return !path_.empty(); });
            continue;
        }
        const std::string path = path_;
        const std::optional<FileStamp> since = since_;
        const bool is_new = std::exchange(generation, generation_) != generation_;
        lock.unlock();
        const std::optional<FileStamp> now = file_stamp(path);
        lock.lock();
        if (is_new) {
            last = now;
            known = since ? since : now;
        } else if (generation == generation_ && now && now != known && now == last) {
            // The same twice: whoever writes it has stopped.
            known = now;
            report_ = path;
            lock.unlock();
            wake_();
            lock.lock();
        }
        last = now;
        changed_.wait_for(lock, quit, interval_, [&] { return generation != generation_; });
    }
}

}  // namespace tonescope
