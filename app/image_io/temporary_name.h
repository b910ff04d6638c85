// Files that must not outlive the program, however it ends.
#pragma once

#include <atomic>
#include <string>

namespace tonescope::image_io {

/// The name of a file that is removed in the end: by the destructor, or by remove_temporary_files().
class TemporaryName {
  public:
    explicit TemporaryName(std::string path);
    ~TemporaryName();
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;

    const std::string& path() const { return path_; }
    /// The file stays, or has another name by now.
    void keep();

  private:
    std::string path_;  // empty: kept
    std::atomic<const char*>* name_ = nullptr;
};

/// For the last moment of the program: removes the files of all TemporaryNames. A thread that is about to remove or
/// keep one goes no further. Async-signal-safe.
void remove_temporary_files() noexcept;

}  // namespace tonescope::image_io
