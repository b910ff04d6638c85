// Saving: a temporary file in the same folder, renamed once it is whole.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <new>

#include "app/image_io/internal.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace image_io {

namespace {

/// A file that disappears again unless it is kept.
class TemporaryFile {
  public:
    TemporaryFile(const std::string& folder, mode_t mode) {
        static std::atomic<unsigned> counter{0};
        do {
            path_ = folder + ".tonescope-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".tmp";
            fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        } while (fd_ < 0 && errno == EEXIST);
        if (fd_ >= 0) return;
        if (errno == ENOENT || errno == ENOTDIR) throw UserError("its folder does not exist");
        throw UserError("its folder is not writable: " + errno_text(errno));
    }
    ~TemporaryFile() {
        if (fd_ >= 0) close(fd_);
        if (!path_.empty()) unlink(path_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int fd() const { return fd_; }
    void keep_as(const std::string& path) {
        // Network file systems tell of a full disk only here.
        const int closed = close(fd_);
        fd_ = -1;
        if (closed != 0) throw UserError(errno_text(errno));
        if (rename(path_.c_str(), path.c_str()) != 0) throw UserError(errno_text(errno));
        path_.clear();
    }

  private:
    std::string path_;
    int fd_ = -1;
};

/// What a chain of symbolic links leads to, so that the links stay.
std::string resolve_links(const std::string& path) {
    struct stat info {};
    if (lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
    const std::unique_ptr<char, void (*)(void*)> real{realpath(path.c_str(), nullptr), std::free};
    return real ? std::string(real.get()) : path;
}

/// Who waits for the file.
struct Watcher {
    std::stop_token stop;
    FileProgress* progress;
};

/// Devices and pipes are written to; nothing could be renamed onto them.
void write_in_place(const std::string& path, const Format& format, const ImageView& image, const Watcher& watcher) {
    struct Descriptor {
        int fd;
        ~Descriptor() { close(fd); }
    };
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) throw UserError(errno_text(errno));
    const Descriptor descriptor{fd};
    FileWriter writer(fd, watcher.stop, watcher.progress);
    format.save(writer, image);
    writer.finish();
}

void write_file(const std::string& path, const Format& format, const ImageView& image, const Watcher& watcher) {
    const std::string target = resolve_links(path);
    struct stat info {};
    const bool exists = stat(target.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) throw UserError("it is a folder");
    if (exists && access(target.c_str(), W_OK) != 0) throw UserError(errno_text(errno));
    if (exists && !S_ISREG(info.st_mode)) return write_in_place(target, format, image, watcher);

    const size_t slash = target.find_last_of('/');
    TemporaryFile temporary(slash == std::string::npos ? "" : target.substr(0, slash + 1), 0666);
    if (exists && fchmod(temporary.fd(), info.st_mode & 07777) != 0) throw UserError(errno_text(errno));
    FileWriter writer(temporary.fd(), watcher.stop, watcher.progress);
    format.save(writer, image);
    writer.finish();
    if (watcher.stop.stop_requested()) throw Cancelled{};
    temporary.keep_as(target);
}

}  // namespace
}  // namespace image_io

bool can_save_as(const std::string& path) {
    return image_io::find_saved_format(extension_of(path)) != nullptr;
}

void save_image(const std::string& path, const ImageView& image, std::stop_token stop, FileProgress* progress) {
    using namespace image_io;
    try {
        const std::string extension = extension_of(path);
        const Format* const format = find_saved_format(extension);
        if (format == nullptr) {
            throw UserError(
                (extension.empty() ? "it has no extension" : "'" + shown(extension) + "' is not a known extension") +
                "; known are " + spell_out(saved_extensions(), ""));
        }
        if (image.spec.empty()) throw UserError("there is no image");
        if (format->check != nullptr) format->check(image.spec, extension);
        write_file(path, *format, image, {std::move(stop), progress});
    } catch (const UserError& e) {
        throw UserError("cannot save " + shown(path) + ": " + e.what());
    } catch (const std::bad_alloc&) {
        throw UserError("cannot save " + shown(path) + ": too little memory");
    }
}

}  // namespace tonescope
