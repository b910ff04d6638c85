// Plain PNG files: all image data inflated in one call of libdeflate, then unfiltered into the image.
#include <libdeflate.h>

#include <cstring>
#include <memory>
#include <new>

#include "app/image_io/png.h"

namespace tonescope::image_io {
namespace {

// Nothing stops the call that inflates: a second for this much.
constexpr size_t kMaxInflated_bytes = size_t{1} << 29;
constexpr size_t kSignature_bytes = 8, kChunkFrame_bytes = 12;  // length, type and checksum

constexpr uint32_t chunk_type(const char (&name)[5]) {
    return uint32_t(name[0]) << 24 | uint32_t(name[1]) << 16 | uint32_t(name[2]) << 8 | uint32_t(name[3]);
}

/// Nothing where memory is short: libspng needs less.
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

/// The rows as they were filtered, and a byte more; nothing where the stream does not make up exactly those.
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
    auto rows = allocate(bytes + 1);
    if (!inflater || !rows) return nullptr;
    rows[bytes] = 0;
    size_t used_bytes = 0;
    const auto result =
        libdeflate_zlib_decompress_ex(inflater.get(), png.get(), packed_bytes, rows.get(), bytes, &used_bytes, nullptr);
    if (result != LIBDEFLATE_SUCCESS || used_bytes != packed_bytes) return nullptr;
    return rows;
}

}  // namespace

bool read_plain_png(FileReader& file, int samples, MutableImageView image) {
    const uint64_t bytes = (uint64_t(image.spec.width) * uint64_t(samples) + 1) * uint64_t(image.spec.height);
    if (bytes > kMaxInflated_bytes) return false;
    const auto rows = inflate_rows(file, size_t(bytes));
    file.check();
    return rows && undo_png_filters(rows.get(), samples, image, file);
}

}  // namespace tonescope::image_io
