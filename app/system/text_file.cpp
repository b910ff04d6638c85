#include "app/system/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>

#include "gpu/core/error.h"

namespace tonescope {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
    std::string why = std::generic_category().message(error);
    if (error == ENOENT) why = "the folder does not exist";
    throw UserError(path + ": cannot be written: " + why);
}

/// 0 or an errno.
int write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(size_t(written));
    }
    return 0;
}

/// Opens, writes, closes. 0 or an errno.
int write_new(const std::string& path, int flags, std::string_view text, std::optional<mode_t> mode = {}) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
    if (fd < 0) return errno;
    int error = mode && ::fchmod(fd, *mode) != 0 ? errno : 0;
    if (error == 0) error = write_all(fd, text);
    const int close_error = ::close(fd) == 0 ? 0 : errno;
    return error != 0 ? error : close_error;
}

}  // namespace

void write_text_file(const std::string& path, std::string_view text) {
    namespace fs = std::filesystem;
    std::error_code missing;
    const fs::file_status status = fs::status(path, missing);
    if (fs::is_directory(status)) throw UserError(path + ": cannot be written: it is a folder");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        if (const int error = write_new(path, 0, text)) fail(path, error);
        return;
    }
    // A file that is replaced keeps its permissions, and one that must not be written stays.
    std::optional<mode_t> mode;
    if (fs::exists(status)) {
        if (::access(path.c_str(), W_OK) != 0) fail(path, errno);
        mode = mode_t(status.permissions() & fs::perms::mask);
    }
    const fs::path target = final_path(path);
    const std::string temporary =
        (target.parent_path() / ("." + target.filename().string() + "." + std::to_string(::getpid()) + ".tmp"))
            .string();
    ::unlink(temporary.c_str());  // of a run that was killed, or a link that somebody put there
    int error = write_new(temporary, O_CREAT | O_EXCL, text, mode);
    if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(temporary.c_str());
        fail(path, error);
    }
}

std::string final_path(const std::string& path) {
    namespace fs = std::filesystem;
    constexpr int kMaxLinks = 40;
    std::error_code error;
    fs::path target = fs::absolute(path, error);
    for (int i = 0; i < kMaxLinks && fs::is_symlink(fs::symlink_status(target, error)); ++i)
        target = target.parent_path() / fs::read_symlink(target, error);
    const fs::path resolved = fs::weakly_canonical(target, error);
    return (error ? target.lexically_normal() : resolved).string();
}

void print_error(std::string_view message) {
    std::string line = "tonescope: " + std::string(message);
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    std::cerr << line + "\n" << std::flush;
}

}  // namespace tonescope
