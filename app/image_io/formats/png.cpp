// Reading PNG: of plain files all image data is inflated in one call of libdeflate and unfiltered into the image;
// everything else is left to libspng.
#include <libdeflate.h>
#include <spng.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "app/image_io/internal.h"
#include "gpu/core/pages.h"

namespace tonescope::image_io {
namespace {

// A compressed text or profile may unpack to any size; image data is not counted here.
constexpr size_t kChunk_bytes = size_t{1} << 26;
using Context = std::unique_ptr<spng_ctx, void (*)(spng_ctx*)>;

Context make_context(int flags) {
    Context context{spng_ctx_new(flags), spng_ctx_free};
    if (!context) throw std::bad_alloc();
    return context;
}

void check(const FileReader& file, int code) {
    if (code == SPNG_OK || code == SPNG_EOI) return;
    file.check();
    if (code == SPNG_EMEM) throw std::bad_alloc();
    if (code == SPNG_IO_EOF) refuse_damaged("it ends too early");
    refuse_damaged(spng_strerror(code));
}

constexpr int kSamples[] = {1, 0, 3, 1, 2, 0, 4};  // a pixel of each color type, as stored

/// The bytes that zlib makes at least of the raw rows: it packs no better than 1 to 1032.
uint64_t least_bytes(const spng_ihdr& header) {
    const uint64_t bits = uint64_t(header.width) * header.bit_depth * uint64_t(kSamples[header.color_type]);
    return (bits + 7) / 8 * header.height / 1032;
}

/// The samples of a pixel where read_plain_png() may read the file, else 0.
int plain_samples(const spng_ihdr& header, bool has_transparency) {
    const bool plain = header.bit_depth >= 8 && header.interlace_method == SPNG_INTERLACE_NONE && !has_transparency &&
                       header.color_type != SPNG_COLOR_TYPE_INDEXED &&
                       header.color_type != SPNG_COLOR_TYPE_GRAYSCALE_ALPHA;
    return plain ? kSamples[header.color_type] : 0;
}

/// Reads by libspng, which needs little memory and takes every PNG. What follows the pixels is read too.
class SpngReader {
  public:
    SpngReader(FileReader& file, spng_ctx* png, const spng_ihdr& header, int flags, const ImageSpec& spec)
        : file_(file), png_(png), flags_(flags), spec_(spec), deep_(header.bit_depth == 16) {
        // libspng widens 1, 2 and 4 bits by repeating them, which is exactly the definition: 255 / max is whole.
        format_ =
            is_gray(spec.format) ? (deep_ ? SPNG_FMT_PNG : SPNG_FMT_G8) : (deep_ ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8);
    }

    void read(HostImage& image) {
        check(file_, spng_decode_image(png_, image.data(), image.size_bytes(), format_, flags_));
        finish();
    }

    /// Reduced row by row, where the file is not interlaced.
    HostImage read_reduced(int max_side_px) {
        RowShrinker shrinker(spec_, max_side_px);
        check(file_, spng_decode_image(png_, nullptr, 0, format_, flags_ | SPNG_DECODE_PROGRESSIVE));
        std::vector<uint16_t> row((spec_.row_bytes() + 1) / 2);
        auto* const bytes = reinterpret_cast<uint8_t*>(row.data());
        for (int y = 0; y < spec_.height; ++y) {
            file_.check();
            check(file_, spng_decode_row(png_, bytes, spec_.row_bytes()));
            shrinker.add(bytes);
        }
        finish();
        return shrinker.take();
    }

  private:
    void finish() {
        check(file_, spng_decode_chunks(png_));
        // libspng ignores a failed read of the last checksum.
        if (file_.past_end()) check(file_, SPNG_IO_EOF);
    }

    FileReader& file_;
    spng_ctx* const png_;
    const int flags_;
    const ImageSpec spec_;
    const bool deep_;
    int format_ = 0;
};

/// IHDR's sides, before libspng judges them with words of its own.
void check_sides(FileReader& file) {
    uint8_t head[24] = {};
    if (file.read_at(0, head) < sizeof head || std::memcmp(head + 12, "IHDR", 4) != 0) return;
    check_size(big_endian<4>(&head[16]), big_endian<4>(&head[20]));
}

// Nothing stops the call that inflates. It takes a second for this much.
constexpr size_t kMaxInflated_bytes = size_t{1} << 29;
constexpr size_t kSignature_bytes = 8, kChunkFrame_bytes = 12;  // length, type and checksum

constexpr uint32_t chunk_type(const char (&name)[5]) {
    return uint32_t(name[0]) << 24 | uint32_t(name[1]) << 16 | uint32_t(name[2]) << 8 | uint32_t(name[3]);
}

/// What an image's rows take before their filters are undone.
uint64_t filtered_bytes(const ImageSpec& spec, int samples) {
    return (uint64_t(spec.width) * uint64_t(samples * bytes_per_sample(spec.format)) + 1) * uint64_t(spec.height);
}

/// Null where memory is short: libspng needs less.
std::unique_ptr<uint8_t[]> allocate(size_t bytes) {
    std::unique_ptr<uint8_t[]> buffer(new (std::nothrow) uint8_t[bytes]);
    if (buffer) prefer_large_pages(buffer.get(), bytes);
    return buffer;
}

/// Moves the data of all IDAT chunks to the front of the file's bytes and says how many there are; 0 where libspng
/// might see more in this file or less. libspng has read what stands before the first IDAT, and of what follows the
/// last one it keeps only EXIF.
size_t gather_image_data(std::span<uint8_t> png) {
    enum { before, inside, behind } where = before;
    size_t gathered = 0;
    for (size_t at = kSignature_bytes; at + kChunkFrame_bytes <= png.size();) {
        const size_t length = big_endian<4>(&png[at]);
        const uint32_t type = big_endian<4>(&png[at + 4]);
        if (length > 0x7FFFFFFF || length > png.size() - at - kChunkFrame_bytes) return 0;
        const bool checked = big_endian<4>(&png[at + 8 + length]) == libdeflate_crc32(0, &png[at + 4], length + 4);
        if (type == chunk_type("IDAT")) {
            if (where == behind || !checked) return 0;
            where = inside;
            std::memmove(&png[gathered], &png[at + 8], length);
            gathered += length;
        } else if (where != before) {
            where = behind;
            if (type == chunk_type("IEND")) return length == 0 && checked ? gathered : 0;
            const bool critical = (type & 0x20000000) == 0;
            if (critical || type == chunk_type("eXIf")) return 0;
        }
        at += kChunkFrame_bytes + length;
    }
    return 0;
}

/// Bytes that may be read behind the rows, since pixels are read as words.
constexpr size_t kBehindRows = 2;

/// The rows as they were filtered, and kBehindRows; nothing where the stream does not make up exactly those.
std::unique_ptr<uint8_t[]> inflate_rows(FileReader& file, size_t bytes) {
    // Data that cannot be packed grows by less than this.
    const size_t file_bytes = size_t(file.size_bytes());
    if (file_bytes > bytes + bytes / 8 + (size_t{1} << 24)) return nullptr;
    const auto png = allocate(file_bytes);
    if (!png || file.read_at(0, {png.get(), file_bytes}) < file_bytes) return nullptr;
    const size_t packed_bytes = gather_image_data({png.get(), file_bytes});
    if (packed_bytes == 0) return nullptr;

    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    auto rows = allocate(bytes + kBehindRows);
    if (!inflater || !rows) return nullptr;
    std::fill_n(&rows[bytes], kBehindRows, uint8_t{0});
    size_t used_bytes = 0;
    const auto result =
        libdeflate_zlib_decompress_ex(inflater.get(), png.get(), packed_bytes, rows.get(), bytes, &used_bytes, nullptr);
    if (result != LIBDEFLATE_SUCCESS || used_bytes != packed_bytes) return nullptr;
    return rows;
}

}  // namespace

bool read_plain_png(FileReader& file, int samples, RowTarget image) {
    const ImageSpec& spec = image.spec();
    const uint64_t bytes = filtered_bytes(spec, samples);
    if (bytes > kMaxInflated_bytes) return false;
    const auto rows = inflate_rows(file, size_t(bytes));
    file.check();
    return rows && undo_png_filters(rows.get(), samples, image, file);
}

LoadedImage load_png(FileReader& file, const LoadRequest& request) {
    check_sides(file);
    const Context png = make_context(0);
    spng_set_chunk_limits(png.get(), kChunk_bytes, 2 * kChunk_bytes);
    check(file, spng_set_png_file(png.get(), file.stream()));
    spng_ihdr header{};
    check(file, spng_get_ihdr(png.get(), &header));
    check_bytes(file, least_bytes(header));

    spng_trns transparency{};
    const int trns = spng_get_trns(png.get(), &transparency);
    if (trns != SPNG_ECHUNKAVAIL) check(file, trns);
    const bool has_transparency = trns == SPNG_OK;
    const bool alpha = has_transparency || (header.color_type & SPNG_COLOR_TYPE_GRAYSCALE_ALPHA) != 0;
    const int colors = (header.color_type & SPNG_COLOR_TYPE_TRUECOLOR) != 0 ? 3 : 1;
    const int bits = header.color_type == SPNG_COLOR_TYPE_INDEXED ? 8 : header.bit_depth;
    const int channels = colors + (alpha ? 1 : 0), max_sample = bits == 16 ? 65535 : 255;
    const ImageSpec spec = loaded_spec(header.width, header.height, channels, max_sample);
    const bool interlaced = header.interlace_method != SPNG_INTERLACE_NONE;
    const uint64_t needed_bytes = spec.size_bytes();
    SpngReader slow(file, png.get(), header, has_transparency ? SPNG_DECODE_TRNS : 0, spec);
    LoadedImage loaded;
    const auto find_exif = [&] {
        spng_exif block{};
        if (spng_get_exif(png.get(), &block) == SPNG_OK)
            read_exif({reinterpret_cast<const uint8_t*>(block.data), block.length}, loaded.details);
    };
    if (request.max_side_px > 0 && !interlaced && !may_take(request.max_side_px, needed_bytes)) {
        loaded.image = slow.read_reduced(request.max_side_px);
    } else {
        check_decoding(request.max_side_px, needed_bytes);
        loaded = make_loaded(header.width, header.height, channels, bits, max_sample);
        find_exif();
        const bool is_final = request.max_side_px == 0 && loaded.details.orientation == 1;
        const int samples = plain_samples(header, has_transparency);
        const bool quick = samples != 0 && may_take(request.max_side_px,
                                                    needed_bytes + filtered_bytes(spec, samples) + file.size_bytes());
        if (!quick || !read_plain_png(file, samples, {file, loaded.image, is_final})) slow.read(loaded.image);
    }
    find_exif();  // which may stand behind the pixels
    loaded.image = apply_orientation(std::move(loaded.image), loaded.details.orientation);
    return loaded;
}

}  // namespace tonescope::image_io
