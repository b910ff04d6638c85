// Tells when a file has been changed by another program.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace tonescope {

/// What a look at a file tells.
struct FileStamp {
    int64_t modified_ns = 0, size_bytes = 0;
    uint64_t inode = 0;
    bool operator==(const FileStamp&) const = default;
};
/// Nothing where there is no file.
std::optional<FileStamp> file_stamp(const std::string& path);

class FileWatch {
  public:
    /// `wake` is called from another thread when take_changed() has something to say.
    explicit FileWatch(std::function<void()> wake, std::chrono::milliseconds interval = std::chrono::milliseconds(700));
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Watches this file, in place of the one before; empty: none. What differs from `since` is a change; without it,
    /// what happens from now on.
    void watch(const std::string& path, const std::optional<FileStamp>& since = {});
    /// The watched file, once after each change that has come to rest; else empty.
    std::string take_changed();

  private:
    void work(std::stop_token quit);

    std::function<void()> wake_;
    std::chrono::milliseconds interval_;  // between looks
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::string path_;
    std::optional<FileStamp> since_;
    uint64_t generation_ = 0;  // counts calls of watch()
    std::string report_;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace tonescope
