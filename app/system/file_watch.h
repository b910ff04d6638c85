// Tells when a file has been changed by another program.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/system/tasks.h"

namespace tonescope {

/// What a look at a file tells.
struct FileStamp {
    int64_t modified_ns = 0, size_bytes = 0;
    uint64_t inode = 0;
    bool operator==(const FileStamp&) const = default;
};
/// Nothing where there is no file.
std::optional<FileStamp> file_stamp(const std::string& path);

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
    void watch(const std::string& path, const std::optional<FileStamp>& since = {});
    /// The watched file, once after each change that has come to rest; else empty.
    std::string take_changed();

  private:
    void start(const std::optional<FileStamp>& since);

    std::chrono::milliseconds interval_;  // between looks
    std::string path_, report_;
    std::optional<FileStamp> since_;
    std::stop_source running_;
    Tasks worker_;
};

}  // namespace tonescope
