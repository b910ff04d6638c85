// Tells when a file has been changed by another program.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace tonescope {

class FileWatch {
  public:
    /// `wake` is called from another thread when take_changed() has something to say.
    explicit FileWatch(std::function<void()> wake);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Watches this file from now on, in place of the one before; empty: none.
    void watch(const std::string& path);
    /// The watched file, once after each change that has come to rest; else empty.
    std::string take_changed();

  private:
    /// What a look at the file tells; nothing where there is no file.
    struct Stamp {
        int64_t modified_ns = 0, size_bytes = 0;
        uint64_t inode = 0;
        bool operator==(const Stamp&) const = default;
    };
    static std::optional<Stamp> look(const std::string& path);
    void work(std::stop_token quit);

    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::string path_;
    uint64_t generation_ = 0;  // counts calls of watch()
    std::string report_;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace tonescope
