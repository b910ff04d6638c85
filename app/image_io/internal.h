// What the files of the formats share. Only they and tests include this.
//
// Inside, a UserError says only what is wrong; load_image and save_image put the file's name in front.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/image_io/file.h"
#include "app/image_io/formats.h"
#include "gpu/core/backend.h"
#include "gpu/core/cpu_dispatch.h"
#include "gpu/core/error.h"
#include "gpu/core/image.h"

namespace tonescope::image_io {

/// The unsigned number of so many bytes at `from`.
template <int bytes>
constexpr uint32_t big_endian(const uint8_t* from) {
    uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | from[i];
    return value;
}
template <int bytes>
constexpr uint32_t little_endian(const uint8_t* from) {
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | from[i];
    return value;
}
template <int bytes>
constexpr void put_little_endian(uint8_t* to, uint32_t value) {
    for (int i = 0; i < bytes; ++i) to[i] = uint8_t(value >> (8 * i));
}

/// Throws UserError unless both sides are 1 to kMaxSide_px and there are at most kMaxPixels. Call it before allocating
/// anything.
void check_size(int64_t width, int64_t height);
/// `page` counts from 0.
[[noreturn]] void refuse_page(int page, int pages);
/// Throws MemoryError where decoding takes more memory than there is or, for a thumbnail (max_side_px > 0), than
/// kThumbnail_bytes. Call it before allocating anything.
void check_decoding(int max_side_px, uint64_t needed_bytes);
/// The same as an answer.
bool may_take(int max_side_px, uint64_t needed_bytes);
/// What a file with so many channels (1 to 4) and bits is loaded as: an image without pixels yet, gray where there is
/// one channel, with alpha where there are two or four; deep where samples may be above 255.
ImageSpec loaded_spec(int64_t width, int64_t height, int channels, int max_sample = 255);
LoadedImage make_loaded(int64_t width, int64_t height, int channels, int bits_per_channel, int max_sample = 255);
/// v8 = floor((255 v + floor(max / 2)) / max).
constexpr uint8_t to_8_bit(uint32_t value, uint32_t max) {
    return uint8_t((255 * value + max / 2) / max);
}
/// The same for samples of a deep image with this greatest sample. `to` may be `from`.
void to_8_bits(const uint16_t* from, uint8_t* to, size_t count, uint16_t max_sample);
ImageSpec spec_in_8_bits(ImageSpec spec);
/// A deep image in 8 bits, in the same memory; others stay as they are.
HostImage to_8_bits(HostImage image);
/// A deep image in 8 bits. Throws MemoryError, std::bad_alloc.
HostImage in_8_bits(const ImageView& image);

/// A row of pixels with 1 to 4 samples each as images hold it: gray, or RGBA where there are more. Alpha is `opaque`
/// where there are 3.
template <class Sample>
void put_row(const Sample* from, int channels, Sample opaque, Sample* to, size_t width) {
    if (channels == 1 || channels == 4) {
        std::copy_n(from, width * size_t(channels), to);
        return;
    }
    const bool color = channels == 3;
    for (size_t x = 0; x < width; ++x, from += channels, to += 4) {
        const Sample pixel[] = {from[0], color ? from[1] : from[0], color ? from[2] : from[0],
                                color ? opaque : from[1]};
        std::copy_n(pixel, 4, to);
    }
}

/// Where a loader puts the rows that it makes in order from the top, at most kRowsAtOnce of them at a time and so that
/// these begin at a multiple of them: into the image, or, within a process without rights, to the program that waits
/// for them. There the image's own pixels stay untouched.
class RowTarget {
  public:
    static constexpr int kRowsAtOnce = 16;

    RowTarget(MutableImageView image) : image_(image) {}
    /// Rows may go to the program only where nothing is done to the image any more.
    RowTarget(const FileReader& file, HostImage& image, bool is_final);

    const ImageSpec& spec() const { return image_.spec; }
    /// The row before stays readable.
    uint8_t* row(int y);
    /// So many from the top are done now.
    void done(int rows);

  private:
    MutableImageView image_;
    RowStream* stream_ = nullptr;
};

/// Puts down what the block says, which starts with the byte order mark. Of damaged blocks it takes what can be read.
/// The loader then has to turn the image by `orientation`. Throws std::bad_alloc where memory is short.
void read_exif(std::span<const uint8_t> tiff, ImageDetails& details);
/// One line of valid UTF-8 of a text in a file; the beginning of one that is long.
std::string clean_text(std::string_view text);
/// The image turned as the EXIF orientation 1 to 8 asks for.
HostImage apply_orientation(HostImage image, int orientation);
/// What fits max_side_px x max_side_px, aspect kept; what does is as it was.
ImageSpec reduced_spec(ImageSpec from, int max_side_px);
/// Reduces rows of samples of 8 or 16 bits that come one after the other, the first one first, by a box filter. Colors
/// are weighted by alpha.
class RowShrinker {
  public:
    /// To fit max_side_px x max_side_px. The longer side of `from` is larger than that.
    RowShrinker(const ImageSpec& from, int max_side_px);
    void add(const uint8_t* row);
    /// Once all rows were added.
    HostImage take() { return std::move(out_); }

  private:
    /// A gray image has the sum of its values; other images have the sums of each color times alpha, and of alpha.
    using Sums = std::array<uint64_t, 4>;
    template <class Sample>
    static void write_mean(const Sums& sums, uint64_t count, bool gray, Sample* out);
    template <class Sample>
    void add_samples(const Sample* row);
    int edge(int i) const { return int(int64_t{i} * from_.width / out_.width()); }

    ImageSpec from_;
    HostImage out_;
    std::vector<Sums> sums_;
    int rows_ = 0, rows_out_ = 0, rows_in_sums_ = 0;
};
/// The image reduced by a box filter to fit max_side_px x max_side_px; smaller ones stay. Colors are weighted by alpha.
HostImage shrink(HostImage image, int max_side_px);
/// A small image in 8 bits, through the file's window where it has one. Else deep samples, which often fill a small
/// part of their range, are seen through the window of nearly all of them. `details` then has no window any more.
HostImage thumbnail_of(HostImage image, ImageDetails& details);

/// Decodes the file, whose header gives this size, with stb_image: to gray or RGBA; details.file_channels says what the
/// file has. stb_image reads past the end as zeros and believes what headers say, so formats check their headers
/// against the file's size first, and every read past the end is noticed. The byte `clear_at` of the file's first block
/// is read as 0. Throws as loaders do.
LoadedImage decode_with_stb(FileReader& file, int64_t width, int64_t height, bool gray, size_t clear_at = SIZE_MAX);
/// Whether all pixels of an RGBA image have this alpha.
bool has_only_alpha(const ImageView& image, uint8_t alpha);

/// The quick way through plain PNG files: reads the pixels of a PNG with samples of 8 or 16 bits (image: deep), neither
/// interlaced nor with a palette or tRNS, whose chunks before the first IDAT are in order. `samples` a pixel: 1 (image:
/// gray), 3 or 4 (RGBA). The stream is inflated in one piece, and all checksums are checked. False where anything is
/// unusual, damaged or too large: the image is undefined then, and the file's position as it was. Throws Canceled, and
/// UserError after a failed read.
bool read_plain_png(FileReader& file, int samples, RowTarget image);

/// Undoes the filters of all rows (PNG specification, third edition, 9.2), and makes the pixels the image's; alpha is
/// the greatest one where a pixel has three samples. `rows`: a filter byte and width * samples samples each, of the
/// image's depth, and behind the last row two readable bytes more. False at the first filter that PNG does not know.
/// Throws Canceled once the file's load was stopped.
bool undo_png_filters(const uint8_t* rows, int samples, RowTarget image, const FileReader& file,
                      bool avx2 = cpu_has_avx2());

/// The options of formats that are deflated, and of those that may lose something.
struct DeflateOptions {
    int32_t compression;
};
struct QualityOptions {
    int32_t quality;
};

/// How a file holds rows: 1, 3 or 4 channels (3: alpha is dropped), filled up with zeros to a stride.
struct RowLayout {
    int channels = 0;
    bool bgr = false, bottom_up = false;
    size_t stride_bytes = 0;  // 0: rows are not filled up
    bool big_endian = false;  // of deep samples; else they are in the machine's order
    uint16_t max_sample = 0;  // of deep samples, which are scaled to it; 0: that of the image
};
/// Hands all rows in the file's order to `write`, which may return false to end this, and says after each how far it
/// is. Without `write` they go to the file.
void write_rows(FileWriter& file, const ImageView& image, const RowLayout& layout,
                const std::function<bool(std::span<const uint8_t> row)>& write = {});

}  // namespace tonescope::image_io
