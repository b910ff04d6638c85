// Writing TIFF: strips, deflated behind a predictor.
#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "app/image_io/formats/tiff_handle.h"
#include "app/image_io/internal.h"

namespace tonescope::image_io {
namespace {

/// Enough for the packing to find what repeats, and little beside an image.
constexpr size_t kStrip_bytes = size_t{1} << 18;
/// Offsets of 32 bits reach no further.
constexpr uint64_t kPlainTiff_bytes = uint64_t{4} << 30;

/// The file as libtiff writes it, which goes back to its beginning for what it learns at the end. What a FileWriter
/// writes to may be a pipe, so the packed file is kept until it is whole.
struct TiffOutput {
    std::vector<uint8_t> bytes = {};
    uint64_t position = 0;
    bool lacks_memory = false;

    tmsize_t read(void* to, tmsize_t count) {
        const size_t got = std::min(size_t(count), bytes.size() - std::min<size_t>(bytes.size(), position));
        std::memcpy(to, bytes.data() + position, got);
        position += got;
        return tmsize_t(got);
    }
    tmsize_t write(const void* from, tmsize_t count) {
        try {
            bytes.resize(std::max<size_t>(bytes.size(), position + size_t(count)));
        } catch (const std::bad_alloc&) {
            lacks_memory = true;
            return -1;
        }
        std::memcpy(bytes.data() + position, from, size_t(count));
        position += uint64_t(count);
        return count;
    }
    toff_t seek(toff_t offset, int whence) {
        return position = offset + (whence == SEEK_CUR ? position : whence == SEEK_END ? bytes.size() : 0);
    }
    toff_t size() const { return bytes.size(); }
};

/// Packs images into the pages of one file.
class TiffWriter {
  public:
    TiffWriter(FileWriter& file, const ParamBlock& options)
        : file_(file), compression_(options.as<DeflateOptions>().compression) {}

    /// `pages`: what the file will have, as far as that is known.
    void add(const ImageView& image, int pages) {
        const ImageSpec& spec = image.spec;
        const int channels = spec.channels();
        const size_t row_bytes = size_t(spec.width) * size_t(channels) * size_t(bytes_per_sample(spec.format));
        if (!tiff_) {
            // What cannot be packed grows by less than an eighth.
            const bool is_big = row_bytes * size_t(spec.height) / 8 * 9 * size_t(pages) > kPlainTiff_bytes;
            tiff_.reset(open_tiff(output_, is_big ? "w8m" : "wm", errors_, 0).release());
            check(tiff_ != nullptr);
        }
        const int rows_per_strip = int(std::clamp<size_t>(kStrip_bytes / row_bytes, 1, size_t(spec.height)));
        set(TIFFTAG_IMAGEWIDTH, uint32_t(spec.width));
        set(TIFFTAG_IMAGELENGTH, uint32_t(spec.height));
        set(TIFFTAG_BITSPERSAMPLE, 8 * bytes_per_sample(spec.format));
        set(TIFFTAG_SAMPLESPERPIXEL, channels);
        set(TIFFTAG_PHOTOMETRIC, channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
        set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        set(TIFFTAG_ROWSPERSTRIP, uint32_t(rows_per_strip));
        set(TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        set(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
        set(TIFFTAG_ZIPQUALITY, compression_);
        if (is_deep(spec.format) && spec.max_sample < 65535) set(TIFFTAG_MAXSAMPLEVALUE, int(spec.max_sample));
        const uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
        if (channels == 4) check(TIFFSetField(tiff_.get(), TIFFTAG_EXTRASAMPLES, 1, &alpha) != 0);
        if (pages > 1) set(TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);

        std::vector<uint8_t> strip;
        strip.reserve(size_t(rows_per_strip) * row_bytes);
        uint32_t strips = 0;
        write_rows(file_, image, {.channels = channels}, [&](std::span<const uint8_t> row) {
            strip.insert(strip.end(), row.begin(), row.end());
            const bool is_last =
                strips + 1 == TIFFNumberOfStrips(tiff_.get()) &&
                strip.size() == row_bytes * (size_t(spec.height) - size_t(strips) * size_t(rows_per_strip));
            if (strip.size() < row_bytes * size_t(rows_per_strip) && !is_last) return true;
            check(TIFFWriteEncodedStrip(tiff_.get(), strips++, strip.data(), tmsize_t(strip.size())) >= 0);
            strip.clear();
            return true;
        });
        check(TIFFWriteDirectory(tiff_.get()) != 0);
    }
    /// The whole file. Nothing is left to write: TIFFWriteDirectory() has ended each page and linked it to the one
    /// before.
    const std::vector<uint8_t>& bytes() const { return output_.bytes; }

  private:
    /// TIFFClose() encodes what a page still lacks, with a codec that may have failed: libtiff 4.5 then reads through a
    /// null pointer. A handle that is read from closes without that.
    static void abandon(TIFF* tiff) {
        TIFFSetMode(tiff, O_RDONLY);
        TIFFClose(tiff);
    }
    void check(bool worked) const {
        if (worked) return;
        if (output_.lacks_memory || errors_.lacks_memory()) throw std::bad_alloc();
        throw UserError(errors_.line("libtiff cannot write it"));
    }
    void set(uint32_t tag, auto value) { check(TIFFSetField(tiff_.get(), tag, value) != 0); }

    FileWriter& file_;
    const int compression_;
    TiffErrors errors_;
    TiffOutput output_;
    TiffHandle tiff_{nullptr, abandon};  // last: it refers to what stands above
};

}  // namespace

void save_tiff_pages(FileWriter& file, const std::function<void(const AddPage& add)>& make, const ParamBlock& options) {
    TiffWriter writer(file, options);
    make([&](const ImageView& image, int pages) { writer.add(image, pages); });
    file.write(writer.bytes().data(), writer.bytes().size());
}

void save_tiff(FileWriter& file, const ImageView& image, const ParamBlock& options) {
    save_tiff_pages(
        file, [&](const AddPage& add) { add(image, 1); }, options);
}

}  // namespace tonescope::image_io
