// What the files of the formats share. Nothing else includes this.
//
// Inside, a UserError says only what is wrong; load_image and save_image put the file's name in front.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/image_io/formats.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/image.h"

namespace tonescope::image_io {

/// The path as it may stand in an error: control characters, which would break the one line, become '?'.
std::string shown(const std::string& path);

/// What errno says, in lower case.
std::string errno_text(int error);

/// Reads a regular file from front to back. read() and next_block() never throw, so that decoders written in C may call
/// them: at the end, on a failing disk and once `stop` is set they give fewer bytes; check() then says why.
class FileReader {
  public:
    /// Throws UserError: missing, a folder, empty, not readable.
    FileReader(const std::string& path, std::stop_token stop, FileProgress* progress = nullptr);
    ~FileReader();
    FileReader(const FileReader&) = delete;
    FileReader& operator=(const FileReader&) = delete;

    uint64_t size_bytes() const { return size_bytes_; }
    uint64_t left_bytes() const { return position_ < size_bytes_ ? size_bytes_ - position_ : 0; }
    /// Bytes from `offset` on, as many as there are; the position stays.
    size_t read_at(uint64_t offset, std::span<uint8_t> to) noexcept;
    size_t read(void* to, size_t bytes) noexcept;
    /// Reads as many bytes as there is room for. Throws like check(), and UserError where the file has fewer.
    void read_whole(std::span<uint8_t> to);
    /// The next bytes of the file, as many as fit the buffer; valid until the next call. Empty at the end.
    std::span<const uint8_t> next_block() noexcept;
    /// The next byte or -1.
    int get() noexcept {
        if (begin_ == end_ && !refill()) return -1;
        ++position_;
        return buffer_[begin_++];
    }
    void skip(uint64_t bytes) noexcept;

    /// Throws Cancelled once stop was requested, UserError after a failed read.
    void check() const;
    bool stopped() const noexcept { return stop_.stop_requested(); }

  private:
    bool refill() noexcept;
    size_t read_file(uint64_t offset, uint8_t* to, size_t bytes) noexcept;

    int fd_ = -1;
    int error_ = 0;
    uint64_t size_bytes_ = 0;
    uint64_t position_ = 0;  // of the next byte that the caller gets
    size_t begin_ = 0, end_ = 0;
    std::vector<uint8_t> buffer_;
    std::stop_token stop_;
    FileProgress* progress_;
};

/// Asks for large pages under a block whose bytes are not yet written: the first writes then take half the time.
void prefer_large_pages(void* block, size_t bytes) noexcept;

/// Throws UserError unless both sides are 1 to kMaxSide_px and there are at most kMaxPixels. Call it before allocating
/// anything.
void check_size(int64_t width, int64_t height);
/// Throws UserError where a file has fewer than the bytes that an image of this kind needs at least.
void check_bytes(const FileReader& file, uint64_t needed_bytes);
[[noreturn]] void refuse_damaged(const std::string& why);

/// v8 = floor((255 v + floor(max / 2)) / max).
constexpr uint8_t to_8_bit(uint32_t value, uint32_t max) {
    return uint8_t((255 * value + max / 2) / max);
}

struct Exif {
    int orientation = 1;
    std::vector<std::pair<std::string, std::string>> entries;
};
/// `tiff`: the block that starts with the byte order mark. Damaged blocks give what can be read.
Exif parse_exif(std::span<const uint8_t> tiff);

/// The image turned as the EXIF orientation 1 to 8 asks for.
HostImage apply_orientation(HostImage image, int orientation);
/// The image reduced by a box filter to fit max_side_px x max_side_px; smaller ones stay. Colors are weighted by alpha.
HostImage shrink(HostImage image, int max_side_px);

/// Collects what an encoder writes and keeps the first error; write() never throws.
class FileWriter {
  public:
    explicit FileWriter(int fd, std::stop_token stop = {}, FileProgress* progress = nullptr);
    bool write(const void* from, size_t bytes) noexcept;
    /// Every encoder says so after each row. Throws Cancelled once stop was requested.
    void row_done(int rows, int of) const;
    /// Writes out what is still buffered. Throws UserError after any failed write (disk full).
    void finish();

  private:
    bool flush() noexcept;

    int fd_;
    int error_ = 0;
    size_t used_ = 0;
    std::vector<uint8_t> buffer_;
    std::stop_token stop_;
    FileProgress* progress_;
};

/// The rows of an image as files hold them: 1, 3 or 4 samples a pixel.
class RowPacker {
  public:
    enum class Order : uint8_t { rgb, bgr };
    /// With 3 `channels` alpha is dropped. Rows are filled up with zeros to `stride_bytes`, where that is more.
    RowPacker(const ImageView& image, int channels, Order order, size_t stride_bytes = 0);
    /// The row is valid until the next call.
    std::span<const uint8_t> row(int y);
    /// Writes all rows, the last one first where `bottom_up`, and says after each how far it is.
    void write(FileWriter& file, bool bottom_up = false);

  private:
    const ImageView& image_;
    const int channels_;
    const Order order_;
    std::vector<uint8_t> packed_;
};

}  // namespace tonescope::image_io
