// Writing files: whole or not at all.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <utility>

#include "app/image_io/temporary_file.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope::image_io {
namespace {

constexpr size_t kWriteBuffer_bytes = size_t{1} << 18;
constexpr int kLookForStop_ms = 50;
constexpr off_t kPiece_bytes = off_t{1} << 20;

}  // namespace

FileWriter::FileWriter(const std::string& path, std::stop_token stop, FileProgress* progress, Sync sync, OldFile old)
    : buffer_(kWriteBuffer_bytes), stop_(std::move(stop)), progress_(progress), sync_(sync), old_(old) {
    struct stat info {};
    if (old == OldFile::kept && lstat(path.c_str(), &info) == 0) refuse_to_replace();
    const bool exists = stat(path.c_str(), &info) == 0;
    if (!exists && errno != ENOENT && errno != ENOTDIR) throw UserError(errno_text(errno));
    if (exists && S_ISDIR(info.st_mode)) throw UserError("it is a folder");
    if (exists && access(path.c_str(), W_OK) != 0) throw UserError(errno_text(errno));
    if (exists && !S_ISREG(info.st_mode)) {
        if (!S_ISCHR(info.st_mode) && !S_ISFIFO(info.st_mode))
            throw UserError("it is neither a file nor a pipe nor a character device");
        open_in_place(path, S_ISFIFO(info.st_mode));
    } else {
        temporary_ = std::make_unique<TemporaryFile>(final_path(path));
    }
    fd_ = temporary_ ? temporary_->fd() : in_place_.get();
    const cookie_io_functions_t functions{.read = nullptr,
                                          .write = [](void* self, const char* from, size_t bytes) -> ssize_t {
                                              return ssize_t(static_cast<FileWriter*>(self)->write_out(from, bytes));
                                          },
                                          .seek = nullptr,
                                          .close = nullptr};
    stream_ = fopencookie(this, "wb", functions);
    if (stream_ == nullptr) throw std::bad_alloc();
    std::setvbuf(stream_, buffer_.data(), _IOFBF, buffer_.size());
}

FileWriter::~FileWriter() {
    if (error_ == 0) error_ = ECANCELED;  // a pipe whose reader sleeps would not take what is left
    std::fclose(stream_);
}

/// Neither opening nor writing waits, so that `stop` ends both.
void FileWriter::open_in_place(const std::string& path, bool is_pipe) {
    while (true) {
        in_place_ = sandbox::Descriptor(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
        if (in_place_) return;
        if (!is_pipe || errno != ENXIO) throw UserError(errno_text(errno));
        if (stop_.stop_requested()) throw Canceled{};
        poll(nullptr, 0, kLookForStop_ms);
    }
}

size_t FileWriter::write_out(const char* from, size_t bytes) noexcept {
    size_t done = 0;
    while (done < bytes && error_ == 0) {
        const ssize_t n = ::write(fd_, from + done, bytes - done);
        if (n >= 0) {
            done += size_t(n);
            if (progress_ != nullptr) progress_->move();
        } else if (errno == EAGAIN) {
            if (stop_.stop_requested()) error_ = ECANCELED;
            pollfd waits{fd_, POLLOUT, 0};
            poll(&waits, 1, kLookForStop_ms);
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    return done;
}

void FileWriter::row_done(int rows, int of) const {
    if (stop_.stop_requested()) throw Canceled{};
    if (progress_ != nullptr) progress_->set(double(rows) / of);
}

void FileWriter::finish() {
    if (std::fflush(stream_) == 0 && std::ferror(stream_) == 0) return;
    if (error_ == ECANCELED) throw Canceled{};
    throw UserError(errno_text(error_));
}

/// Has the disk take what was written, in pieces: fsync() of a large file may take a slow disk long, says nothing
/// meanwhile and cannot be stopped.
void FileWriter::write_back() {
    struct stat info {};
    if (fstat(fd_, &info) != 0) throw UserError(errno_text(errno));
    sync_file_range(fd_, 0, 0, SYNC_FILE_RANGE_WRITE);  // all of it begins
    for (off_t at = 0; at < info.st_size; at += kPiece_bytes) {
        if (stop_.stop_requested()) throw Canceled{};
        const int failed = sync_file_range(
            fd_, at, kPiece_bytes, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
        if (failed != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT)) throw UserError(errno_text(errno));
        if (progress_ != nullptr) progress_->move();
    }
}

void FileWriter::keep() {
    finish();
    if (stop_.stop_requested()) throw Canceled{};
    if (temporary_ && sync_ == Sync::yes) write_back();
    if (temporary_) temporary_->take_name(sync_, old_);
}

void write_whole_file(const std::string& path, const std::function<void(FileWriter&)>& write, std::stop_token stop,
                      FileProgress* progress, Sync sync, OldFile old) {
    FileWriter file(path, std::move(stop), progress, sync, old);
    write(file);
    file.keep();
}

}  // namespace tonescope::image_io
