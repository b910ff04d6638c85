// What the files of the formats share. Nothing else includes this.
//
// Inside, a UserError says only what is wrong; load_image and save_image put the file's name in front.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/image_io/file.h"
#include "app/image_io/formats.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/image.h"

namespace tonescope::image_io {

/// Asks for large pages under a block whose bytes are not yet written: the first writes then take half the time.
void prefer_large_pages(void* block, size_t bytes) noexcept;

/// Throws UserError unless both sides are 1 to kMaxSide_px and there are at most kMaxPixels. Call it before allocating
/// anything.
void check_size(int64_t width, int64_t height);
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
