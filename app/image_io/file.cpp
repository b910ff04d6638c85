// Reading and writing the bytes of files.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "app/image_io/file.h"

#include "gpu/core/backend.h"
#include "gpu/core/error.h"

namespace tonescope::image_io {
namespace fs = std::filesystem;
namespace {
constexpr size_t kBuffer_bytes = size_t{1} << 18;
// Linux moves at most 2 GiB in one call; smaller pieces let a cancelled load end soon.
constexpr size_t kCall_bytes = size_t{1} << 24;

/// A file that is being written: `target` itself, or one beside it that disappears unless it is kept.
class OpenFile {
  public:
    OpenFile(const std::string& target, bool in_place) : target_(target) {
        if (in_place) {
            fd_ = open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
            if (fd_ < 0) throw UserError(errno_text(errno));
            return;
        }
        static std::atomic<unsigned> counter{0};
        const std::string folder = target.substr(0, target.rfind('/') + 1);
        do {
            temporary_ = folder + ".tonescope-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".tmp";
            fd_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        } while (fd_ < 0 && errno == EEXIST);
        if (fd_ >= 0) return;
        if (errno == ENOENT || errno == ENOTDIR) throw UserError("its folder does not exist");
        throw UserError("its folder is not writable: " + errno_text(errno));
    }
    ~OpenFile() {
        if (fd_ >= 0) close(fd_);
        if (!temporary_.empty()) unlink(temporary_.c_str());
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    int fd() const { return fd_; }
    void keep() {
        // Network file systems tell of a full disk only here.
        const int closed = close(fd_);
        fd_ = -1;
        if (closed != 0) throw UserError(errno_text(errno));
        if (temporary_.empty()) return;
        if (rename(temporary_.c_str(), target_.c_str()) != 0) throw UserError(errno_text(errno));
        temporary_.clear();
    }

  private:
    const std::string target_;
    std::string temporary_;  // empty where the file is written in place
    int fd_ = -1;
};

}  // namespace

std::string shown(const std::string& path) {
    std::string text = path;
    for (char& c : text)
        if (uint8_t(c) < 0x20 || c == 0x7f) c = '?';
    return text;
}

std::string errno_text(int error) {
    std::string text = std::generic_category().message(error);
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = char(text[0] - 'A' + 'a');
    return text;
}

FileReader::FileReader(const std::string& path, std::stop_token stop, FileProgress* progress)
    : stop_(std::move(stop)), progress_(progress) {
    // Opening a pipe would wait for a writer, so what the path names is looked at first.
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) {
        throw UserError(errno == ENOENT || errno == ENOTDIR ? "no such file" : errno_text(errno));
    }
    if (S_ISDIR(info.st_mode)) throw UserError("it is a folder");
    if (!S_ISREG(info.st_mode)) throw UserError("it is not a regular file");
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd_ < 0) throw UserError(errno == ENOENT ? "no such file" : errno_text(errno));
    if (fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0) {
        close(fd_);
        throw UserError("the file is empty");
    }
    size_bytes_ = uint64_t(info.st_size);
    posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
    buffer_.resize(size_t(std::min<uint64_t>(kBuffer_bytes, size_bytes_)));
}

FileReader::~FileReader() {
    close(fd_);
}

size_t FileReader::read_file(uint64_t offset, uint8_t* to, size_t bytes) noexcept {
    size_t done = 0;
    while (done < bytes && error_ == 0 && !stopped()) {
        const ssize_t n = pread(fd_, to + done, std::min(bytes - done, kCall_bytes), off_t(offset + done));
        if (n == 0) break;
        if (n > 0) {
            done += size_t(n);
        } else if (errno != EINTR) {
            error_ = errno;
        }
        // What is still to be done with the last bytes, nobody knows.
        if (progress_ != nullptr)
            progress_->set(offset + done < size_bytes_ ? double(offset + done) / double(size_bytes_) : -1);
    }
    return done;
}

size_t FileReader::read_at(uint64_t offset, std::span<uint8_t> to) noexcept {
    return read_file(offset, to.data(), to.size());
}

bool FileReader::refill() noexcept {
    begin_ = 0;
    end_ = read_file(position_, buffer_.data(), buffer_.size());
    return end_ > 0;
}

size_t FileReader::read(void* to, size_t bytes) noexcept {
    auto* out = static_cast<uint8_t*>(to);
    size_t done = 0;
    while (done < bytes) {
        if (begin_ == end_) {
            if (bytes - done >= buffer_.size()) {
                const size_t n = read_file(position_, out + done, bytes - done);
                position_ += n;
                return done + n;
            }
            if (!refill()) break;
        }
        const size_t n = std::min(bytes - done, end_ - begin_);
        std::memcpy(out + done, buffer_.data() + begin_, n);
        begin_ += n;
        position_ += n;
        done += n;
    }
    return done;
}

void FileReader::read_whole(std::span<uint8_t> to) {
    const size_t got = read(to.data(), to.size());
    check();
    if (got < to.size()) refuse_damaged("it ends too early");
}

std::span<const uint8_t> FileReader::next_block() noexcept {
    if (begin_ == end_ && !refill()) return {};
    const std::span<const uint8_t> block{buffer_.data() + begin_, end_ - begin_};
    position_ += block.size();
    begin_ = end_;
    return block;
}

void FileReader::skip(uint64_t bytes) noexcept {
    bytes = std::min(bytes, left_bytes());
    begin_ += size_t(std::min<uint64_t>(bytes, end_ - begin_));
    position_ += bytes;
}

void FileReader::check() const {
    if (stopped()) throw Cancelled{};
    if (error_ != 0) throw UserError("reading failed: " + errno_text(error_));
}

void check_bytes(const FileReader& file, uint64_t needed_bytes) {
    if (file.size_bytes() < needed_bytes) {
        refuse_damaged("it has " + std::to_string(file.size_bytes()) + " bytes, its image needs at least " +
                       std::to_string(needed_bytes));
    }
}

void refuse_damaged(const std::string& why) {
    throw UserError("the file is damaged or cut off (" + why + ")");
}

FileWriter::FileWriter(int fd, std::stop_token stop, FileProgress* progress)
    : fd_(fd), buffer_(kBuffer_bytes), stop_(std::move(stop)), progress_(progress) {}

void FileWriter::row_done(int rows, int of) const {
    if (stop_.stop_requested()) throw Cancelled{};
    if (progress_ != nullptr) progress_->set(double(rows) / of);
}

bool FileWriter::flush() noexcept {
    size_t done = 0;
    while (done < used_ && error_ == 0) {
        const ssize_t n = ::write(fd_, buffer_.data() + done, used_ - done);
        if (n > 0) {
            done += size_t(n);
        } else if (n < 0 && errno != EINTR) {
            error_ = errno;
        }
    }
    used_ = 0;
    return error_ == 0;
}

bool FileWriter::write(const void* from, size_t bytes) noexcept {
    const auto* in = static_cast<const uint8_t*>(from);
    while (bytes > 0 && error_ == 0) {
        const size_t n = std::min(bytes, buffer_.size() - used_);
        std::memcpy(buffer_.data() + used_, in, n);
        used_ += n;
        in += n;
        bytes -= n;
        if (used_ == buffer_.size()) flush();
    }
    return error_ == 0;
}

void FileWriter::finish() {
    flush();
    if (error_ != 0) throw UserError(errno_text(error_));
}

void write_whole_file(const std::string& path, const std::function<void(FileWriter&)>& write, std::stop_token stop,
                      FileProgress* progress) {
    struct stat info {};
    const bool exists = stat(path.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) throw UserError("it is a folder");
    if (exists && access(path.c_str(), W_OK) != 0) throw UserError(errno_text(errno));
    const bool in_place = exists && !S_ISREG(info.st_mode);  // nothing can be renamed onto a device or a pipe
    const std::string target = in_place ? path : final_path(path);
    OpenFile file(target, in_place);
    if (exists && !in_place && fchmod(file.fd(), info.st_mode & 07777) != 0) throw UserError(errno_text(errno));
    FileWriter writer(file.fd(), stop, progress);
    write(writer);
    writer.finish();
    if (stop.stop_requested()) throw Cancelled{};
    file.keep();
}

std::string final_path(const std::string& path) {
    constexpr int kMaxLinks = 40;
    std::error_code error;
    fs::path target = fs::absolute(path, error);
    for (int i = 0; i < kMaxLinks && fs::is_symlink(fs::symlink_status(target, error)); ++i)
        target = target.parent_path() / fs::read_symlink(target, error);
    const fs::path resolved = fs::weakly_canonical(target, error);
    return (error ? target.lexically_normal() : resolved).string();
}

}  // namespace tonescope::image_io
