// Reading and writing the bytes of files.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {
constexpr size_t kBuffer_bytes = size_t{1} << 18;
// Linux moves at most 2 GiB in one call; smaller pieces let a cancelled load end soon.
constexpr size_t kCall_bytes = size_t{1} << 24;
// Smaller blocks hold few large pages or none.
[[maybe_unused]] constexpr size_t kManyPages_bytes = size_t{1} << 23;
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

void prefer_large_pages([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
    if (bytes < kManyPages_bytes) return;
    const auto page = uintptr_t(sysconf(_SC_PAGESIZE));
    const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + page - 1) / page * page;
    const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) / page * page;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

void check_size(int64_t width, int64_t height) {
    if (width >= 1 && height >= 1 && width <= kMaxSide_px && height <= kMaxSide_px && width * height <= kMaxPixels)
        return;
    throw UserError("the image is " + std::to_string(width) + "x" + std::to_string(height) +
                    " pixels; sides may be 1 to " + std::to_string(kMaxSide_px) + ", and " +
                    std::to_string(kMaxPixels) + " pixels in all");
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

RowPacker::RowPacker(const ImageView& image, int channels, Order order, size_t stride_bytes)
    : image_(image),
      channels_(channels),
      order_(order),
      packed_(std::max(size_t(image.spec.width) * size_t(channels), stride_bytes)) {}

std::span<const uint8_t> RowPacker::row(int y) {
    const uint8_t* in = image_.row(y);
    if (channels_ == 1) {
        std::memcpy(packed_.data(), in, size_t(image_.spec.width));
        return packed_;
    }
    uint8_t* out = packed_.data();
    const size_t red = order_ == Order::bgr ? 2 : 0, blue = 2 - red;
    for (int x = 0; x < image_.spec.width; ++x, in += 4, out += channels_) {
        out[red] = in[0];
        out[1] = in[1];
        out[blue] = in[2];
        if (channels_ == 4) out[3] = in[3];
    }
    return packed_;
}

void RowPacker::write(FileWriter& file, bool bottom_up) {
    const int height = image_.spec.height;
    for (int i = 0; i < height; ++i) {
        const std::span<const uint8_t> bytes = row(bottom_up ? height - 1 - i : i);
        if (!file.write(bytes.data(), bytes.size())) return;
        file.row_done(i + 1, height);
    }
}

}  // namespace tonescope::image_io
