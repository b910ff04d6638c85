// Reading the bytes of files, and what paths lead to.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "app/image_io/file.h"

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope::image_io {
namespace fs = std::filesystem;
namespace {
constexpr size_t kBuffer_bytes = size_t{1} << 18;
// Linux moves at most 2 GiB in one call; smaller pieces let a canceled load end soon.
constexpr size_t kCall_bytes = size_t{1} << 24;

}  // namespace

InputFile open_input(const std::string& path) {
    // Opening a pipe would wait for a writer, so what the path names is looked at first.
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) {
        throw UserError(errno == ENOENT || errno == ENOTDIR ? "no such file" : errno_text(errno));
    }
    if (S_ISDIR(info.st_mode)) throw UserError("it is a folder");
    if (!S_ISREG(info.st_mode)) throw UserError("it is not a regular file");
    InputFile file{sandbox::Descriptor(int(TEMP_FAILURE_RETRY(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))))};
    if (!file.descriptor) throw UserError(errno == ENOENT ? "no such file" : errno_text(errno));
    if (fstat(file.descriptor.get(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0)
        throw UserError("the file is empty");
    file.size_bytes = uint64_t(info.st_size);
    posix_fadvise(file.descriptor.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
    return file;
}

FileReader::FileReader(InputFile file, std::stop_token stop, std::function<void(double)> progress, RowStream* rows)
    : file_(std::move(file)),
      buffer_(size_t(std::min<uint64_t>(kBuffer_bytes, file_.size_bytes + 1))),
      stop_(std::move(stop)),
      progress_(std::move(progress)),
      rows_(rows) {
    const cookie_io_functions_t functions{
        .read = [](void* self, char* to, size_t bytes) -> ssize_t {
            auto& reader = *static_cast<FileReader*>(self);
            const size_t got = reader.read_at(uint64_t(reader.position_), {reinterpret_cast<uint8_t*>(to), bytes});
            reader.position_ += off_t(got);
            return ssize_t(got);
        },
        .write = nullptr,
        .seek = [](void* self, off64_t* offset, int whence) -> int {
            auto& reader = *static_cast<FileReader*>(self);
            const off_t from = whence == SEEK_CUR   ? reader.position_
                               : whence == SEEK_END ? off_t(reader.size_bytes())
                                                    : 0;
            *offset = reader.position_ = from + *offset;
            return 0;
        },
        .close = nullptr};
    stream_ = fopencookie(this, "rb", functions);
    if (stream_ == nullptr) throw std::bad_alloc();
    std::setvbuf(stream_, buffer_.data(), _IOFBF, buffer_.size());
}

FileReader::~FileReader() {
    std::fclose(stream_);
}

size_t FileReader::read_at(uint64_t offset, std::span<uint8_t> to) noexcept {
    size_t done = 0;
    while (done < to.size() && error_ == 0 && !stopped()) {
        const ssize_t n = pread(file_.descriptor.get(), to.data() + done, std::min(to.size() - done, kCall_bytes),
                                off_t(offset + done));
        if (n == 0) break;
        if (n > 0) {
            done += size_t(n);
        } else if (errno != EINTR) {
            error_ = errno;
        }
        // What is still to be done with the last bytes, nobody knows.
        if (progress_) progress_(offset + done < size_bytes() ? double(offset + done) / double(size_bytes()) : -1);
    }
    return done;
}

void FileReader::skip(uint64_t bytes) noexcept {
    bytes = std::min(bytes, left_bytes());
    if (bytes >= buffer_.size()) {
        fseeko(stream_, off_t(bytes), SEEK_CUR);
        return;
    }
    // Seeking would drop what is buffered.
    while (bytes > 0 && get() >= 0) --bytes;
}

void FileReader::read_whole(std::span<uint8_t> to) {
    const size_t got = read(to.data(), to.size());
    check();
    if (got < to.size()) refuse_damaged("it ends too early");
}

void FileReader::check() const {
    if (stopped()) throw Canceled{};
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

std::string final_path(const std::string& path) {
    constexpr int kMaxLinks = 40;
    std::error_code error;
    fs::path target = fs::absolute(path, error);
    for (int i = 0; i < kMaxLinks; ++i) {
        const fs::file_type type = fs::symlink_status(target, error).type();
        // A link that is taken for a file would be replaced.
        if (type == fs::file_type::none) throw UserError(error.message());
        if (type != fs::file_type::symlink) break;
        const fs::path to = fs::read_symlink(target, error);
        if (error) throw UserError(error.message());
        target = target.parent_path() / to;
    }
    const fs::path resolved = fs::weakly_canonical(target, error);
    return (error ? target.lexically_normal() : resolved).string();
}

FileSet::FileSet(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        struct stat info {};
        const bool is_there = ::stat(path.c_str(), &info) == 0;
        try {
            by_name_.emplace(final_path(path), path);
        } catch (const UserError& error) {
            if (is_there) throw UserError(path + ": " + error.what());
        }
        if (is_there) by_inode_.emplace(std::pair(info.st_dev, info.st_ino), path);
    }
}

const std::string* FileSet::find(const std::string& path) const {
    struct stat info {};
    const bool is_there = ::stat(path.c_str(), &info) == 0;
    if (const auto found = by_name_.find(final_path(path)); found != by_name_.end()) return &found->second;
    const auto found = is_there ? by_inode_.find({info.st_dev, info.st_ino}) : by_inode_.end();
    return found == by_inode_.end() ? nullptr : &found->second;
}

}  // namespace tonescope::image_io
