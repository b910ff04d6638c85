// One run of the program at a time.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

namespace tonescope {

/// While it lives, other runs that change files in the same folder wait. They do not wait for ever, since a run may
/// hang with the lock in its hands, and some disks know no locks: it is for files that are whole at any time.
class FolderLock {
  public:
    /// Of the folder that the file stands in.
    explicit FolderLock(const std::string& file, std::chrono::milliseconds patience = std::chrono::seconds(1))
        : path_(std::filesystem::path(file).replace_filename(".tonescope.lock")) {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (!take() && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ~FolderLock() {
        if (fd_ < 0) return;
        if (is_held_ || !knows_locks_) ::unlink(path_.c_str());
        ::close(fd_);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    bool take() {
        if (fd_ < 0) fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
        if (fd_ < 0) return true;
        if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
            knows_locks_ = errno == EWOULDBLOCK || errno == EINTR;
            return !knows_locks_;
        }
        struct stat info {};
        is_held_ = ::fstat(fd_, &info) == 0 && info.st_nlink > 0;
        if (is_held_) return true;
        ::close(fd_);  // who held it before has removed it
        fd_ = -1;
        return false;
    }

    std::string path_;
    int fd_ = -1;
    bool is_held_ = false, knows_locks_ = true;
};

}  // namespace tonescope
