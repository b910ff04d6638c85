// Files made byte by byte, so that the decoders are checked against something other than our own encoders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace tonescope::test {

using Bytes = std::vector<uint8_t>;

/// A folder that disappears with everything in it.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::string path(const std::string& name) const { return path_ + "/" + name; }
    std::string write(const std::string& name, const Bytes& bytes) const;
    std::vector<std::string> names() const;

  private:
    std::string path_;
};

Bytes read_bytes(const std::string& path);
Bytes text_bytes(const std::string& text);
void append(Bytes& to, const Bytes& more);
void put_le(Bytes& to, uint64_t value, int bytes);
void put_be(Bytes& to, uint64_t value, int bytes);

/// Noise in every channel; the same for the same seed. Alpha is 255 unless has_alpha.
HostImage noise_image(int width, int height, PixelFormat format, bool has_alpha, uint32_t seed);
/// Smooth in x and y, so that JPEG stays near it.
HostImage ramp_image(int width, int height, PixelFormat format);

/// "a.png" and so on: names under which an image of this kind can be saved; `exact`: those that keep every sample.
std::vector<std::string> names_to_save(const ImageSpec& spec, bool exact);

struct PngChunk {
    std::string type;
    Bytes data;
};
/// `raw`: the rows as PNG stores them, each with its filter byte. `before` stands between IHDR and IDAT.
Bytes make_png(uint32_t width, uint32_t height, int bits, int color_type, const Bytes& raw,
               const std::vector<PngChunk>& before = {}, bool interlaced = false);
/// The signature and these chunks.
Bytes make_png(const std::vector<PngChunk>& chunks);
/// The data of IHDR.
Bytes png_header(uint32_t width, uint32_t height, int bits, int color_type, bool interlaced = false);
/// Sets the CRC of every chunk right again.
void fix_png_crc(Bytes& png);

/// An EXIF block from its byte order mark on: orientation, camera model and exposure time.
Bytes make_exif(int orientation, bool big_endian);
/// The JPEG with the EXIF block as its first segment.
Bytes with_exif(const Bytes& jpeg, const Bytes& exif);
enum class JpegKind { gray, color, progressive, separate_scans, cmyk, adobe_cmyk };
/// `image` is rgba8 (CMYK: its four channels are the inks as stored) or gray8.
Bytes make_jpeg(const ImageView& image, JpegKind kind);

Bytes make_gif(int width, int height, const std::vector<uint8_t>& indices, const std::vector<uint32_t>& rgb_palette,
               int transparent);
/// Channel after channel; `samples` are 8 or 16 bits as `bits` says. `mode`: 1 gray, 2 indexed (`palette`), 3 RGB, 4
/// CMYK.
Bytes make_psd(uint32_t width, uint32_t height, int channels, int bits, const std::vector<uint16_t>& samples,
               bool packed, int mode = 3, const Bytes& palette = {});
Bytes make_tga(int width, int height, int kind, int bits, int descriptor, const Bytes& color_map, int map_bits,
               const Bytes& pixels);
/// `masks` follow a 40-byte header.
Bytes make_bmp(int width, int height, int bits, int compression, const Bytes& palette_or_masks, const Bytes& rows);

struct TiffTag {
    int tag, type;  // 1: bytes, 3: numbers of 16 bits, 4: of 32 bits
    std::vector<uint32_t> values;
};
/// A TIFF of one strip, whose directory stands before the strip. Tags are sorted here; those of the strip and of the
/// size are added, those of gray with 8 bits where they are not given.
Bytes make_tiff(uint32_t width, uint32_t height, std::vector<TiffTag> tags, const Bytes& strip,
                bool big_endian = false);
/// `image` is rgba8.
Bytes make_webp(const ImageView& image, bool lossless);

struct DicomElement {
    int group, element;
    std::string kind;  // "US"
    Bytes value;
};
DicomElement dicom_number(int group, int element, int number);
DicomElement dicom_text(int group, int element, const std::string& kind, const std::string& text);
/// What stands before the pixels; groups are sorted.
struct DicomImage {
    int width = 1, height = 1, samples = 1, allocated = 8, stored = 8,
        unused = 0;  // bits: `unused` ones stand below those stored
    bool is_signed = false, in_planes = false;
    int frames = 1;
    std::string color = "MONOCHROME2", syntax = "1.2.840.10008.1.2.1";
    std::vector<DicomElement> more = {};
};
/// With explicit kinds, the lower byte first.
Bytes make_dicom(const DicomImage& image, const Bytes& pixels);
/// Pixels in fragments, and no table of where frames begin.
Bytes make_dicom(const DicomImage& image, const std::vector<Bytes>& fragments);
/// A stream of one frame with 12 bits a sample as other programs write it. JPEG 2000 has 32x32 pixels in quarters of 5,
/// 1005, 3005 and 4005, JPEG-LS 8x8 of the same, JPEG without loss 3x2 of 731 i + 5 and JPEG with loss nearly so.
/// `jpeg_ls_planes` has 8x8 pixels of 8 bits in three colors: 1 or 101 by the row's half, 3 or 103 by the column's, 7.
enum class DicomStreamKind { jpeg_2000, jpeg_ls, jpeg_ls_planes, lossless_jpeg, lossy_jpeg };
Bytes dicom_stream(DicomStreamKind kind);

struct Sample {
    std::string name;  // file name
    Bytes bytes;
    size_t needed_bytes;  // fewer, and the file has to be refused
};
/// A small valid file of every kind that can be opened.
std::vector<Sample> all_samples();

}  // namespace tonescope::test
